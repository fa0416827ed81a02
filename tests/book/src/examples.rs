//! The Rust examples of the pages, compiled and run. Those of `workers.md` and `lambda.md` are in the crates
//! that they are about.

macro_rules! page {
    ($name:ident, $path:literal) => {
        #[doc = include_str!(concat!("../../../docs/", $path))]
        struct $name;
    };
}

page!(Introduction, "introduction.md");
page!(FirstTool, "first-tool.md");
page!(Inputs, "inputs.md");
page!(Results, "results.md");
page!(Risk, "risk.md");
page!(Navigation, "navigation.md");
page!(ApplicationManifest, "application-manifest.md");
page!(Identity, "identity.md");
page!(Jobs, "jobs.md");
page!(Testing, "testing.md");
page!(Security, "security.md");
page!(SelfHosting, "self-hosting.md");
page!(Moving, "moving.md");
