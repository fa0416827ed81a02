//! The console, opened in the browser.

use std::process::{Command, Stdio};
use std::thread;

use crate::terminal;

/// Opens a page, if this machine can. The address is on a command line, which other users see: it holds no token.
pub(super) fn open(url: String) {
    // The opener may last as long as the browser does, and nobody waits for this thread.
    thread::spawn(move || {
        let status = opener(&url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !status.is_ok_and(|status| status.success()) {
            terminal::note("No browser could be opened: open the console's link yourself.");
        }
    });
}

#[cfg(target_os = "macos")]
fn opener(url: &str) -> Command {
    let mut command = Command::new("open");
    in_a_group_of_its_own(command.arg(url));
    command
}

#[cfg(windows)]
fn opener(url: &str) -> Command {
    let mut command = Command::new("cmd");
    // The first word in quotes would be the window's title.
    command.args(["/C", "start", "", url]);
    command
}

#[cfg(all(unix, not(target_os = "macos")))]
fn opener(url: &str) -> Command {
    let mut command = Command::new("xdg-open");
    in_a_group_of_its_own(command.arg(url));
    command
}

/// Ctrl-C is for this command, not for a browser that it started.
#[cfg(unix)]
fn in_a_group_of_its_own(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}
