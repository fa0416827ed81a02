//! Ctrl-C, and what a process manager sends, for a stand-in without the demo.

use std::io;

use crate::failure::Failure;

/// What ends the command.
#[derive(Debug)]
pub(super) struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(windows)]
    interrupt: tokio::signal::windows::CtrlC,
}

impl Signals {
    /// Listens from now on.
    pub(super) fn listen() -> Result<Self, Failure> {
        Self::of_the_system().map_err(|error| {
            Failure::not_run("not_started", format!("Ctrl-C can't be listened for: {error}."))
        })
    }

    #[cfg(unix)]
    fn of_the_system() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    #[cfg(windows)]
    fn of_the_system() -> io::Result<Self> {
        Ok(Self { interrupt: tokio::signal::windows::ctrl_c()? })
    }

    /// Waits for one.
    #[cfg(unix)]
    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    /// Waits for one.
    #[cfg(windows)]
    pub(super) async fn next(&mut self) {
        self.interrupt.recv().await;
    }
}
