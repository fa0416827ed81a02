//! A server that a project is asked through.

use std::io::{BufRead as _, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::command::Command;
use crate::session::{Session, Stop, not_started};

/// How long a server has to listen. It may have to be built first.
const PATIENCE: Duration = Duration::from_mins(10);

/// A server, ended when this is dropped.
pub(super) struct Server {
    process: Child,
    port: u16,
}

impl Server {
    /// Starts one, and waits until it says where it listens.
    pub(super) fn start(session: &Session, command: &Command) -> Result<Self, Stop> {
        session.note(&command.to_string());
        let mut server = command.in_folder(session.root());
        in_a_group(&mut server);
        let process = server.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let mut process = process.map_err(|error| not_started(command, &error))?;
        let out = process.stdout.take();
        let mut server = Self { process, port: 0 };
        let (listening, port) = mpsc::channel();
        // Reads to the end, so that the server never waits for us, and shows it: it may say why something failed.
        thread::spawn(move || {
            for line in out.into_iter().flat_map(|out| BufReader::new(out).lines().map_while(Result::ok)) {
                if let Some(port) = port_in(&line) {
                    let _ = listening.send(port);
                }
                eprintln!("    | {line}");
            }
        });
        server.port = port
            .recv_timeout(PATIENCE)
            .map_err(|_| Stop::Failed { step: "starting a server".to_owned(), again: command.to_string() })?;
        Ok(server)
    }

    /// Like `http://127.0.0.1:1234`.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        end_group(&self.process);
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A port that was free a moment ago, for a server that takes none by itself.
pub(super) fn free_port() -> Result<u16, Stop> {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
    taken.map(|address| address.port()).map_err(|error| Stop::unable(format!("no port is free: {error}")))
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

/// The port in the line of a server of ours, of wrangler's, or of what speaks as `DynamoDB` does.
fn port_in(line: &str) -> Option<u16> {
    let (before, after) = line.split_once("http://127.0.0.1:")?;
    if !["listening at", "Ready on"].iter().any(|mark| before.contains(mark)) {
        return None;
    }
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_says_its_port() {
        assert_eq!(port_in("listening at http://127.0.0.1:8123/api/median"), Some(8123));
        assert_eq!(port_in("Dynalite listening at: http://127.0.0.1:8124"), Some(8124));
        assert_eq!(port_in("[wrangler:info] Ready on http://127.0.0.1:8125"), Some(8125));
        assert_eq!(port_in("see http://127.0.0.1:8126"), None);
        assert_eq!(port_in("listening"), None);
    }
}
