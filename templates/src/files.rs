//! The templates' files, as part of this library.

use crate::expand::{Values, expand};

/// A file of a template.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Its path in the template, with `/`.
    pub path: &'static str,
    /// What is in it.
    pub text: &'static str,
    /// Whether something in it is filled in.
    pub is_template: bool,
    /// The option that it belongs to, and the option's value: without it, the project has no such file.
    pub only_with: Option<(&'static str, &'static str)>,
}

impl File {
    /// Whether a project with these options has it.
    pub fn is_wanted(&self, values: &Values) -> bool {
        self.only_with.is_none_or(|(name, value)| values.get(name).is_some_and(|given| given == value))
    }

    /// Its path in the project. A `.liquid` at its end is not part of that.
    pub fn project_path(&self) -> &'static str {
        self.path.strip_suffix(".liquid").unwrap_or(self.path)
    }

    /// What is in it in the project.
    ///
    /// # Errors
    ///
    /// What of the template is not understood, or is not among the values.
    pub fn filled_in(&self, values: &Values) -> Result<String, String> {
        if self.is_template { expand(self.text, values) } else { Ok(self.text.to_owned()) }
    }
}

macro_rules! files {
    (
        $folder:literal: $($path:literal)*
        $(; only with $name:literal $value:literal: $($only:literal)*)*
        ; as they are: $($plain:literal)*
    ) => {
        &[
            $(file!($folder, $path, true, None),)*
            $($(file!($folder, $only, true, Some(($name, $value))),)*)*
            $(file!($folder, $plain, false, None),)*
        ]
    };
}

macro_rules! file {
    ($folder:literal, $path:literal, $is_template:literal, $only_with:expr) => {
        File {
            path: $path,
            text: include_str!(concat!("../", $folder, "/", $path)),
            is_template: $is_template,
            only_with: $only_with,
        }
    };
}

/// `cloudflare-worker`: a project for Cloudflare Workers.
pub const WORKERS: &[File] = files!("cloudflare-worker":
    ".cargo/config.toml"
    ".dev.vars.example"
    ".gitignore"
    "Cargo.toml.liquid"
    "README.md.liquid"
    "main.js"
    "src/bin/local.rs.liquid"
    "src/lib.rs.liquid"
    "src/orders.rs.liquid"
    "src/shop.rs.liquid"
    "src/worker.rs.liquid"
    "tests/protocol.rs.liquid"
    "tests/tools.rs.liquid"
    "wrangler.toml.liquid"
    ; only with "storage" "kv":
    "src/notices.rs.liquid"
    ; only with "storage" "d1":
    "demo.sql"
    "migrations/0001_orders.sql"
    "src/d1.rs"
    ; only with "navigation" "true":
    "src/pages.rs"
    ; as they are:
    ".github/workflows/test-and-deploy.yml"
);

/// `aws-lambda`: a project for AWS Lambda.
pub const LAMBDA: &[File] = files!("aws-lambda":
    ".cargo/config.toml"
    ".gitignore"
    "Cargo.toml.liquid"
    "README.md.liquid"
    "samconfig.toml.liquid"
    "src/bin/lambda.rs.liquid"
    "src/bin/local.rs.liquid"
    "src/lib.rs.liquid"
    "src/orders.rs.liquid"
    "src/shop.rs.liquid"
    "template.yaml.liquid"
    "tests/protocol.rs.liquid"
    "tests/tools.rs.liquid"
    ; only with "storage" "dynamodb":
    "demo-order.json"
    "src/table.rs"
    ; only with "navigation" "true":
    "src/pages.rs"
    ; as they are:
    ".github/workflows/test-and-deploy.yml"
);
