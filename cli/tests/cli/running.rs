//! Commands that run until they are stopped.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::Value;

use crate::median_edge;

/// A running `dev`, or another command that goes on. It ends with the test.
pub(crate) struct Dev {
    pub(crate) child: Child,
    /// Closed once it is taken away.
    pub(crate) out: Option<BufReader<ChildStdout>>,
}

impl Dev {
    pub(crate) fn start(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = median_edge(arguments);
        command.args(["--platform-port", "0"]).envs(variables.iter().copied());
        Self::spawn(command.stdout(Stdio::piped()).stderr(Stdio::null()))
    }

    pub(crate) fn spawn(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let out = child.stdout.take().map(BufReader::new);
        Self { child, out }
    }

    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.as_mut().unwrap().read_line(&mut line).unwrap();
        line
    }

    pub(crate) fn json(&mut self) -> Value {
        serde_json::from_str(&self.line()).unwrap()
    }

    /// What is shown before the first request.
    pub(crate) fn greeting(&mut self) -> String {
        let mut text = String::new();
        while !text.ends_with("stops.\n") {
            let line = self.line();
            assert!(!line.is_empty(), "it ended: {text}");
            text.push_str(&line);
        }
        text
    }
}

impl Drop for Dev {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
