//! The templates' files, as part of this program.

/// A file of a template.
#[derive(Clone, Copy, Debug)]
pub(crate) struct File {
    /// Its path in the template. A `.liquid` at its end is not part of the project's.
    pub(crate) path: &'static str,
    /// What is in it.
    pub(crate) text: &'static str,
    /// Whether something in it is filled in.
    pub(crate) is_template: bool,
}

macro_rules! files {
    ($folder:literal: $($path:literal)* ; as they are: $($plain:literal)*) => {
        &[
            $(File {
                path: $path,
                text: include_str!(concat!("../../../templates/", $folder, "/", $path)),
                is_template: true,
            },)*
            $(File {
                path: $plain,
                text: include_str!(concat!("../../../templates/", $folder, "/", $plain)),
                is_template: false,
            },)*
        ]
    };
}

/// `templates/cloudflare-worker`.
pub(crate) const WORKERS: &[File] = files!("cloudflare-worker":
    ".cargo/config.toml"
    ".dev.vars.example"
    ".gitignore"
    "Cargo.toml.liquid"
    "README.md.liquid"
    "src/bin/local.rs.liquid"
    "src/lib.rs"
    "src/orders.rs"
    "src/shop.rs"
    "src/worker.rs"
    "tests/protocol.rs.liquid"
    "tests/tools.rs.liquid"
    "wrangler.toml.liquid"
    ; as they are:
    ".github/workflows/test-and-deploy.yml"
);

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    /// Its questions are for cargo-generate, which leaves it out too.
    const QUESTIONS: &str = "cargo-generate.toml";

    fn found(folder: &Path, root: &Path, paths: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found(&path, root, paths);
            } else {
                paths.insert(path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"));
            }
        }
    }

    #[test]
    fn every_file_of_the_template_is_here() {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../templates/cloudflare-worker");
        let mut paths = BTreeSet::new();
        found(&root, &root, &mut paths);
        assert!(paths.remove(QUESTIONS));
        let here: BTreeSet<String> = WORKERS.iter().map(|file| file.path.to_owned()).collect();
        assert_eq!(here, paths);
    }

    #[test]
    fn what_is_left_as_it_is_here_is_to_cargo_generate_too() {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../templates/cloudflare-worker");
        let questions = fs::read_to_string(root.join(QUESTIONS)).unwrap();
        let plain: Vec<_> = WORKERS.iter().filter(|file| !file.is_template).map(|file| file.path).collect();
        assert!(questions.contains(&format!("exclude = {plain:?}\n")), "{plain:?}");
    }
}
