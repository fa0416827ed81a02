//! A generated project: built, linted, tested and run.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::command::Command;
use crate::needs::WASM;
use crate::serve::{EXAMPLE_KEY, build};
use crate::session::{Session, Stop, not_started};
use crate::tools;

/// How long a server has to listen.
const PATIENCE: Duration = Duration::from_mins(2);

/// What puts a Worker into workerd. It is ours: a project is run by wrangler.
const WORKERD: &str = r#"using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "worker", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "index.js", esModule = embed "build/index.js"),
    (name = "./index_bg.wasm", wasm = embed "build/index_bg.wasm"),
  ],
  bindings = [(name = "MEDIAN_KEY", fromEnvironment = "MEDIAN_KEY")],
  compatibilityDate = "2026-11-01",
);
"#;

/// Builds the command of this project.
pub(crate) fn command(session: &mut Session) -> Result<PathBuf, Stop> {
    build(session, &Command::cargo().words("build --package median-edge-cli --bin median-edge"))
}

/// Does what the project's own workflow does, and then asks its endpoint on both of its runtimes.
pub(crate) fn prove(session: &mut Session, project: &Path, program: &Path) -> Result<(), Stop> {
    // The versions that all else here is tested with.
    let lock = project.join("Cargo.lock");
    fs::copy(session.root().join("Cargo.lock"), &lock)
        .map_err(|error| Stop::unable(format!("{}: {error}", lock.display())))?;
    let target = session.root().join("target/templates").display().to_string();
    let cargo = |words: &str| Command::cargo().words(words).env("CARGO_TARGET_DIR", &target).at(project);

    session.run("templates: formatting", &cargo("fmt --check"))?;
    session.run("templates: clippy", &cargo("clippy --all-targets -- -D warnings"))?;
    let wasm = cargo("clippy --lib --target").arg(WASM).words("-- -D warnings");
    session.run(&format!("templates: clippy on {WASM}"), &wasm)?;
    session.run("templates: tests", &cargo("test"))?;

    let build = tools::worker_build_release(project).env("CARGO_TARGET_DIR", &target);
    session.run("templates: the Worker", &build.at(project))?;
    session.run("templates: the server for this machine", &cargo("build"))?;
    check(session, program, "cargo run", &cargo("run").env("PORT", "0"))?;

    let config = project.join("workerd.capnp");
    fs::write(&config, WORKERD).map_err(|error| Stop::unable(format!("{}: {error}", config.display())))?;
    let workerd = Command::new(tools::workerd().display().to_string());
    let workerd = workerd.words("serve --verbose --control-fd=1").arg(config.display().to_string());
    check(session, program, "workerd", &workerd.env("MEDIAN_KEY", EXAMPLE_KEY))
}

/// Starts a server, and proves its endpoint.
fn check(session: &mut Session, program: &Path, name: &str, server: &Command) -> Result<(), Stop> {
    let server = Server::start(session, server)?;
    let url = format!("http://127.0.0.1:{}/api/median", server.port);
    let check = Command::new(program.display().to_string()).words("check --strict --call-low").arg(url);
    session.run(&format!("templates: check, against {name}"), &check.env("MEDIAN_KEY", EXAMPLE_KEY))
}

/// A server, ended when this is dropped.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    fn start(session: &Session, command: &Command) -> Result<Self, Stop> {
        session.note(&command.to_string());
        let mut server = command.in_folder(session.root());
        in_a_group(&mut server);
        let process = server.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let mut process = process.map_err(|error| not_started(command, &error))?;
        let out = process.stdout.take();
        let mut server = Self { process, port: 0 };
        let (listening, port) = mpsc::channel();
        // Reads to the end, so that the server never waits for us.
        thread::spawn(move || {
            for line in out.into_iter().flat_map(|out| BufReader::new(out).lines().map_while(Result::ok)) {
                if let Some(port) = port_in(&line) {
                    let _ = listening.send(port);
                }
            }
        });
        server.port = port
            .recv_timeout(PATIENCE)
            .map_err(|_| Stop::Failed { step: "starting a server".to_owned(), again: command.to_string() })?;
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        end_group(&self.process);
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Cargo starts the program that it has built: both have to end.
#[cfg(unix)]
fn in_a_group(server: &mut std::process::Command) {
    use std::os::unix::process::CommandExt as _;

    server.process_group(0);
}

#[cfg(unix)]
fn end_group(process: &Child) {
    let group = format!("-{}", process.id());
    let _ = std::process::Command::new("kill").args(["-KILL", "--", &group]).status();
}

/// There, a console's processes end with it.
#[cfg(not(unix))]
fn in_a_group(_: &mut std::process::Command) {}

#[cfg(not(unix))]
fn end_group(_: &Child) {}

/// What our server says, or what workerd does.
fn port_in(line: &str) -> Option<u16> {
    let after = ["http://127.0.0.1:", "\"port\":"].iter().find_map(|mark| line.split_once(mark))?.1;
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_says_its_port() {
        assert_eq!(port_in("listening at http://127.0.0.1:8123/api/median"), Some(8123));
        assert_eq!(port_in(r#"{"event":"listen","socket":"http","port":8124}"#), Some(8124));
        assert_eq!(port_in("listening"), None);
    }
}
