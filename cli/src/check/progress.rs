//! One line on the terminal that says how far a check is.

use std::io::{self, IsTerminal as _, Write as _};

use median_edge_conformance::{Options, Outcome, requirements};

/// Shown while people watch, and gone at the end.
#[derive(Debug)]
pub(crate) struct Progress {
    is_seen: bool,
    done: usize,
    all: usize,
}

impl Progress {
    pub(crate) fn new(options: &Options) -> Self {
        let chosen = |area| options.only.is_empty() || options.only.contains(&area);
        let all = requirements().iter().filter(|requirement| chosen(requirement.area)).count();
        Self { is_seen: io::stderr().is_terminal(), done: 0, all }
    }

    pub(crate) fn tell(&mut self, outcome: &Outcome) {
        self.done += 1;
        if self.is_seen {
            let (done, all) = (self.done.min(self.all), self.all);
            let _ = write!(io::stderr(), "\r\u{1b}[K{done}/{all} {}", outcome.requirement.id);
            let _ = io::stderr().flush();
        }
    }

    pub(crate) fn end(&self) {
        if self.is_seen {
            let _ = write!(io::stderr(), "\r\u{1b}[K");
            let _ = io::stderr().flush();
        }
    }
}
