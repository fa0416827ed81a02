//! A shell in a folder of its own, with the command on its path.

use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::served::Served;

/// The addresses that pages use: all of them stand for the endpoint that is there.
const ADDRESSES: [&str; 3] = ["http://127.0.0.1:8787", "http://127.0.0.1:7420", "https://shop.example"];

/// Where the stand-in is to pages, and the words that are said to it.
const PLATFORM: &str = "http://127.0.0.1:7421";
const WORDS: [&str; 4] =
    ["median-edge tools ", "median-edge logs", "cargo run -- tools ", "cargo run -- logs"];

/// In a clone, `cargo run` is the command. In a project of the page's, cargo is itself.
const CARGO: &str = r#"#!/bin/sh
if [ "$1" = run ] && [ ! -e Cargo.toml ]; then
    shift
    [ "$1" = -- ] && shift
    exec median-edge "$@"
fi
exec "$BOOK_CARGO" "$@"
"#;

/// The shell, the folder that it began in, and the endpoint that its commands talk to. All end with it.
pub(crate) struct Shell {
    folder: PathBuf,
    current: PathBuf,
    endpoint: Option<Served>,
    /// Stand-ins that call it.
    beside: Vec<Served>,
}

impl Shell {
    /// In a folder of a name that no other test has. It is outside of the workspace, which cargo would take a new project
    /// into, and the same in each run of a clone, so that what is built there takes the place of what was.
    pub(crate) fn new(name: &str) -> Self {
        let mut clone = DefaultHasher::new();
        median_edge_book::root().hash(&mut clone);
        let folder = env::temp_dir().join(format!("median-edge-book-{:x}-{name}", clone.finish()));
        let _ = fs::remove_dir_all(&folder);
        let current = folder.join("here");
        fs::create_dir_all(&current).unwrap();
        fs::create_dir(folder.join("bin")).unwrap();
        let cargo = folder.join("bin/cargo");
        fs::write(&cargo, CARGO).unwrap();
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
        symlink(assert_cmd::cargo::cargo_bin!("median-edge"), folder.join("bin/median-edge")).unwrap();
        Self { folder, current, endpoint: None, beside: Vec::new() }
    }

    /// Writes a file of the page, with this clone in place of the one beside it, and a port that is free in place of the one
    /// that it names.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.folder.join("here").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let clone = format!("\"{}/", median_edge_book::root().display());
        let text = text.replace("\"../median-edge/", &clone).replace("127.0.0.1:8787", "127.0.0.1:0");
        fs::write(&path, text).unwrap();
        // The same versions as this workspace's, which are there already.
        if path.ends_with("Cargo.toml") {
            fs::copy(median_edge_book::root().join("Cargo.lock"), path.with_file_name("Cargo.lock")).unwrap();
        }
    }

    /// Runs lines, which have to end with a code.
    pub(crate) fn run(&mut self, text: &str, code: i32) -> Result<(), String> {
        let place = self.folder.join("place");
        let text = self.with_address(text)?;
        let mut shell = self.shell(&format!("set -eu\n{text}\npwd > \"$BOOK_PLACE\"\n"));
        let output = shell.env("BOOK_PLACE", &place).output().unwrap();
        if output.status.code() != Some(code) {
            let (out, err) =
                (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            return Err(format!("{}, not {code}:\n{text}{out}{err}", output.status));
        }
        if let Ok(folder) = fs::read_to_string(place) {
            self.current = PathBuf::from(folder.trim_end());
        }
        Ok(())
    }

    /// Starts each line, and waits for it to serve. The last endpoint is what later commands talk to; a stand-in that calls
    /// it runs beside it.
    pub(crate) fn serve(&mut self, text: &str) -> Result<(), String> {
        for line in text.lines().map(without_comment).filter(|line| !line.is_empty()) {
            let (line, is_beside) = if line.contains(" --endpoint ") {
                (format!("{} --platform-port 0", self.with_address(line)?), true)
            } else if let Some((before, _)) = line.split_once(" --port ") {
                (format!("{before} --port 0 --platform-port 0"), false)
            } else if self.current.join("Cargo.toml").exists() {
                (line.to_owned(), false)
            } else {
                (format!("{line} --port 0 --platform-port 0"), false)
            };
            let served = Served::start(&mut self.shell(&line)).ok_or(format!("`{line}` does not serve"))?;
            if is_beside {
                self.beside.push(served);
            } else {
                self.endpoint = Some(served);
            }
        }
        Ok(())
    }

    /// The text with the address of the endpoint: the demo's, unless something serves already.
    fn with_address(&mut self, text: &str) -> Result<String, String> {
        let is_for_platform = WORDS.iter().any(|word| text.contains(word));
        if !is_for_platform && !ADDRESSES.iter().any(|address| text.contains(address)) {
            return Ok(text.to_owned());
        }
        if self.endpoint.is_none() || (is_for_platform && self.platform().is_none()) {
            self.serve("median-edge dev")?;
        }
        let own = self.endpoint.as_ref().map(Served::address).unwrap_or_default();
        let text = ADDRESSES.iter().fold(text.to_owned(), |text, address| text.replace(address, own));
        Ok(text.replace(PLATFORM, self.platform().unwrap_or(PLATFORM)))
    }

    /// Where the last stand-in is that was started.
    fn platform(&self) -> Option<&str> {
        self.beside.iter().rev().chain(&self.endpoint).find_map(Served::platform)
    }

    /// With nothing of this machine's environment that a command of the book would act on.
    fn shell(&self, text: &str) -> Command {
        let mut shell = Command::new("sh");
        for (name, _) in env::vars_os() {
            let upper = name.to_string_lossy().to_uppercase();
            if ["MEDIAN_", "CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|prefix| upper.starts_with(prefix)) {
                shell.env_remove(&name);
            }
        }
        if let Some(platform) = self.platform() {
            shell.env("MEDIAN_API_URL", platform);
        }
        let target = Path::new(assert_cmd::cargo::cargo_bin!("median-edge")).ancestors().nth(2).unwrap();
        let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let usual = env::var_os("PATH").unwrap_or_default();
        let path = [self.folder.join("bin")].into_iter().chain(env::split_paths(&usual));
        shell.arg("-c").arg(text).current_dir(&self.current);
        shell.env("PATH", env::join_paths(path).unwrap()).env("BOOK_CARGO", cargo).env("no_proxy", "*");
        shell.env("CARGO_TARGET_DIR", target).env("CARGO_NET_OFFLINE", "true");
        shell
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A line of a shell without the comment at its end.
pub(crate) fn without_comment(line: &str) -> &str {
    line.split_once(" #").map_or(line, |(before, _)| before).trim()
}
