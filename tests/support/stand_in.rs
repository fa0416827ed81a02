//! The stand-in for the platform as a process of its own, and its API.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{self, Command, Stdio};

use median_edge::key::LOCAL_KEY;
use serde_json::Value;

use crate::{Ask, Connection, program};

/// A stand-in with the public key of local development, on a free port. It is killed when it is dropped.
#[derive(Debug)]
pub struct StandIn {
    process: process::Child,
    address: SocketAddr,
}

impl StandIn {
    /// Starts it with a file that keeps what happens.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub fn start(data: &Path) -> Self {
        let mut command = Command::new(program::stand_in());
        let mut process =
            command.arg(data).stdout(Stdio::piped()).spawn().expect("the stand-in can be started");
        let mut link = String::new();
        let out = process.stdout.take().expect("standard output is a pipe");
        BufReader::new(out).read_line(&mut link).expect("it prints its console's link");
        let address = link.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        let address = address.and_then(|address| address.parse().ok());
        Self { process, address: address.expect("the link has an address") }
    }

    /// The id of its process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// A connection to its API, which stays open.
    ///
    /// # Panics
    ///
    /// When it takes none.
    pub fn api(&self) -> Api {
        Api(Connection::open(self.address).expect("the stand-in takes connections"))
    }

    /// Kills it: it has no moment to write down anything more.
    ///
    /// # Panics
    ///
    /// When that can't be done.
    pub fn kill(mut self) {
        self.process.kill().expect("it can be killed");
        self.process.wait().expect("it can be waited for");
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A connection to the stand-in's API.
#[derive(Debug)]
pub struct Api(Connection);

impl Api {
    /// Asks, with a body where there is one, and gives the status and the JSON of the answer.
    ///
    /// # Errors
    ///
    /// When there is no answer, or none in JSON.
    pub fn ask(&mut self, method: &str, path: &str, body: Option<&Value>) -> Result<(u16, Value), String> {
        let mut ask = Ask::new(method, path).header("authorization", format!("Bearer {LOCAL_KEY}"));
        if let Some(body) = body {
            ask = ask.header("content-type", "application/json").body(body.to_string());
        }
        let answer = self.0.send(&ask).map_err(|error| format!("{method} {path}: {error}"))?;
        let json = serde_json::from_slice(&answer.body);
        Ok((answer.status, json.map_err(|error| format!("{method} {path}: {error}"))?))
    }

    /// Asks for what has to go well.
    ///
    /// # Errors
    ///
    /// When it does not.
    pub fn good(&mut self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, String> {
        match self.ask(method, path, body)? {
            (200..=299, json) => Ok(json),
            (status, json) => Err(format!("{method} {path}: {status} {json}")),
        }
    }

    /// Every item of a list, from its beginning on.
    ///
    /// # Errors
    ///
    /// When one of its pages does not come.
    pub fn all(&mut self, path: &str) -> Result<Vec<Value>, String> {
        let (mut items, mut after) = (Vec::new(), 0);
        let joint = if path.contains('?') { '&' } else { '?' };
        loop {
            let mut page = self.good("GET", &format!("{path}{joint}limit=200&after={after}"), None)?;
            match page["items"].take() {
                Value::Array(more) => items.extend(more),
                other => return Err(format!("{path} is no list: {other}")),
            }
            match page["next"].as_u64() {
                Some(next) => after = next,
                None => return Ok(items),
            }
        }
    }
}
