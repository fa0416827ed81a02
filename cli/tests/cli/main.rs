//! The command as people and programs meet it: what it prints, and how it ends.

mod call;
mod check;
// They need a shell and signals.
#[cfg(unix)]
mod curl;
mod data;
#[cfg(unix)]
mod dev;
mod doctor;
mod help;
mod key;
mod manifest;
mod new;
#[cfg(unix)]
mod platform;
#[cfg(unix)]
mod running;
mod server;
mod sign;
mod started;

use std::process::{Command, Output};

/// The command, with nothing of this machine's environment that it would act on.
fn median_edge(arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("median-edge"));
    let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for name in variables {
        let upper = name.to_uppercase();
        if upper.starts_with("MEDIAN_") || upper.ends_with("_PROXY") || upper.starts_with("CLICOLOR") {
            command.env_remove(name);
        }
    }
    command.env_remove("NO_COLOR").env_remove("CARGO_PKG_NAME").env("COLUMNS", "100").args(arguments);
    command
}

/// Runs it with a text on standard input.
fn with_input(arguments: &[&str], input: &str) -> Output {
    assert_cmd::Command::from_std(median_edge(arguments)).write_stdin(input).output().unwrap()
}

fn output(arguments: &[&str]) -> Output {
    with_input(arguments, "")
}

/// Everything that came of it, for a snapshot, without what differs from one run to the next.
fn shown(output: &Output) -> String {
    let code = output.status.code().unwrap();
    let part = |name: &str, bytes: &[u8]| match String::from_utf8_lossy(bytes) {
        text if text.is_empty() => String::new(),
        text => format!("--- {name}\n{}", stable(&text)),
    };
    let parts = [part("standard output", &output.stdout), part("standard error", &output.stderr)];
    format!("{}exit code {code}\n", parts.concat())
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Takes ports, times and random ids out of a text.
fn stable(text: &str) -> String {
    let is_digit = |c: char| c.is_ascii_digit();
    let text = after_each(text, "127.0.0.1:", "PORT", is_digit);
    let text = after_each(&text, "durationMs\": ", "N", is_digit);
    let text = after_each(&text, "test_", "UUID", |c| c.is_ascii_hexdigit() || c == '-');
    // `(200, 12 ms)`
    let parts: Vec<_> = text.split(" ms)").collect();
    let last = parts.len() - 1;
    let without_digits = |(at, part): (usize, &&str)| match at {
        at if at < last => format!("{}N", part.trim_end_matches(is_digit)),
        _ => (*part).to_owned(),
    };
    parts.iter().enumerate().map(without_digits).collect::<Vec<_>>().join(" ms)")
}

/// Puts one word in the place of what follows each mark, as far as it goes.
fn after_each(text: &str, mark: &str, word: &str, belongs: impl Fn(char) -> bool) -> String {
    let mut parts = text.split(mark);
    let mut stable = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(&belongs);
        stable.extend([mark, if rest.len() < part.len() { word } else { "" }, rest]);
    }
    stable
}
