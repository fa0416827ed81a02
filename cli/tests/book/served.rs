//! A command that serves, with all that it starts.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long it may take to serve: it may have to be built first.
const PATIENCE: Duration = Duration::from_mins(15);

/// It is killed when this is dropped.
pub(crate) struct Served {
    child: Child,
    address: String,
    /// Where the stand-in is that came with it.
    platform: Option<String>,
}

impl Served {
    /// Starts a command, and waits for the line in which it says where it listens.
    pub(crate) fn start(command: &mut Command) -> Option<Self> {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).process_group(0);
        let mut child = command.spawn().unwrap();
        let out = child.stdout.take().unwrap();
        let (listening, address) = mpsc::channel();
        // Reads to the end, so that the server never waits for us.
        thread::spawn(move || {
            // The console is told of first.
            let mut platform = None;
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                platform = after(&line, "The console: ").or(platform);
                if let Some(address) = address_in(&line) {
                    let _ = listening.send((address, platform.clone()));
                }
            }
        });
        let (address, platform) = address.recv_timeout(PATIENCE).unwrap_or_default();
        let served = Self { child, address, platform };
        (!served.address.is_empty()).then_some(served)
    }

    /// Like `http://127.0.0.1:1234`.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The stand-in's, when there is one.
    pub(crate) fn platform(&self) -> Option<&str> {
        self.platform.as_deref()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // What it started, cargo's program above all, is in its group.
        let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", self.child.id())]).status();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The address in the line of a server that listens, or of a stand-in that calls one.
fn address_in(line: &str) -> Option<String> {
    ["listening at ", "Your endpoint: "].iter().find_map(|mark| after(line, mark))
}

/// The address that follows a mark.
fn after(line: &str, mark: &str) -> Option<String> {
    const HOST: &str = "http://127.0.0.1:";
    let (before, rest) = line.split_once(HOST)?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    (before.ends_with(mark) && !digits.is_empty()).then(|| format!("{HOST}{digits}"))
}
