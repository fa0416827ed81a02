//! Writing: colour only on a terminal, and a reader that has gone away is no error.

use std::io::{self, IsTerminal as _, Write as _};

use anstyle::{AnsiColor, Style};

use crate::failure::Failure;
use crate::text::clean;

/// How wide a text is that goes to no terminal.
const WIDTH: u16 = 100;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const CAUTION: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

/// Text in a style.
pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Writes to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    written(write_to(&mut anstream::stdout().lock(), text.as_bytes()))
}

/// Writes to standard output, and says whether somebody still reads it.
pub(crate) fn stream(text: &str) -> Result<bool, Failure> {
    let result = write_to(&mut anstream::stdout().lock(), text.as_bytes());
    let is_read = !matches!(&result, Err(error) if error.kind() == io::ErrorKind::BrokenPipe);
    written(result).map(|()| is_read)
}

/// Writes bytes to standard output as they are.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    written(write_to(&mut io::stdout().lock(), bytes))
}

fn write_to(out: &mut impl io::Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(bytes)?;
    out.flush()
}

/// A reader that has seen enough (`| head`) has closed the pipe, and that is its right. A disk that is full is not.
fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::not_run("not_written", format!("The output can't be written: {error}."))
                .hint("Look at where it is sent to: a disk may be full."))
        }
        _ => Ok(()),
    }
}

/// Whether people read standard output.
pub(crate) fn is_seen() -> bool {
    io::stdout().is_terminal()
}

/// Says something beside the output.
pub(crate) fn note(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{}", styled(DIM, &clean(text)));
}

/// Says why there is nothing to show, and what to do.
pub(crate) fn complain(failure: &Failure) {
    let mut err = anstream::stderr().lock();
    let _ = writeln!(err, "{} {}", styled(BAD, "error:"), clean(&failure.message));
    if let Some(hint) = &failure.hint {
        let _ = writeln!(err, "{} {}", styled(BOLD, "what to do:"), clean(hint));
    }
}

/// How wide the terminal is.
pub(crate) fn width() -> u16 {
    let told = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal_size::terminal_size().map(|(width, _)| width.0).or_else(told).unwrap_or(WIDTH).max(40)
}
