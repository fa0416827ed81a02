//! The Rust examples of the pages, compiled and run. Those of `workers.md` are in the crate that it is about.

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
page!(Testing, "testing.md");
page!(Security, "security.md");
page!(SelfHosting, "self-hosting.md");
page!(Moving, "moving.md");
