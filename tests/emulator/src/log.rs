//! What the emulator and the function say.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// How many lines are kept.
const LINES: usize = 10_000;

/// Lines, kept or shown.
#[derive(Clone, Debug)]
pub enum Log {
    /// On standard error.
    Shown,
    /// The last of them.
    Kept(Arc<Mutex<VecDeque<String>>>),
}

impl Log {
    /// One that keeps what it gets.
    pub fn kept() -> Self {
        Self::Kept(Arc::default())
    }

    /// What was kept so far.
    pub fn lines(&self) -> Vec<String> {
        match self {
            Self::Shown => Vec::new(),
            Self::Kept(lines) => {
                lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
            }
        }
    }

    /// Reads a pipe to its end, so that whoever writes into it never waits.
    pub(crate) fn follow(&self, pipe: impl Read + Send + 'static) {
        let log = self.clone();
        thread::spawn(move || {
            for line in BufReader::new(pipe).lines().map_while(Result::ok) {
                log.add(line);
            }
        });
    }

    fn add(&self, line: String) {
        match self {
            Self::Shown => eprintln!("{line}"),
            Self::Kept(lines) => {
                let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                lines.push_back(line);
                if lines.len() > LINES {
                    lines.pop_front();
                }
            }
        }
    }
}
