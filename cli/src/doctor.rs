//! `doctor`: what is wrong with an endpoint that does not answer as it should, and what to do about it.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use median_edge_conformance::doctor::{Diagnosis, Finding, Level, Options, Told, examine};
use serde::Serialize;

use crate::args::{DoctorOptions, KeyOptions};
use crate::failure::{Exit, Failure};
use crate::http::Address;
use crate::terminal::{BAD, BOLD, CAUTION, DIM, GOOD, styled};
use crate::text::{grouped, start_of};
use crate::{json, keys, terminal};

/// What is shown of a text; an endpoint may write any number of characters.
const LONGEST: usize = 1_500;

/// Lines are easier to read when they end here.
const WIDEST: usize = 100;

/// The width of the names before each text: two spaces, the name, a space.
const INDENT: usize = 8;

pub(crate) fn run(options: &DoctorOptions, key: &KeyOptions, as_json: bool) -> Result<Exit, Failure> {
    Address::parse(&options.url)?;
    let credentials = keys::credentials(key)?;
    let wanted = Options {
        limit: Duration::from_secs(options.wait.timeout),
        diagnostics: options.diagnostics,
        ..Options::default()
    };
    let mut progress = Progress { is_seen: io::stderr().is_terminal() };
    let width = usize::from(terminal::width()).min(WIDEST);
    let mut written = Ok(());
    let diagnosis = examine(&options.url, &credentials, &wanted, |told| match told {
        Told::Looking(at) => progress.at(at),
        Told::Found(finding) => {
            if !as_json && written.is_ok() {
                progress.end();
                written = terminal::print(&shown(finding, width));
            }
        }
    });
    progress.end();
    written?;
    let diagnosis = diagnosis.map_err(|trouble| Failure::usage(trouble.to_string()))?;
    if as_json {
        terminal::print(&format!("{}\n", json::safe(&document(&options.url, &diagnosis))))?;
    } else {
        terminal::print(&summary(&diagnosis))?;
    }
    Ok(if diagnosis.is_healthy() { Exit::Good } else { Exit::Answered })
}

/// One line on the terminal that says what is looked at, gone at the end.
struct Progress {
    is_seen: bool,
}

impl Progress {
    fn at(&mut self, what: &str) {
        self.say(&format!("looking at {what} …"));
    }

    fn end(&mut self) {
        self.say("");
    }

    fn say(&mut self, text: &str) {
        if self.is_seen {
            let _ = write!(io::stderr(), "\r\u{1b}[K{text}");
            let _ = io::stderr().flush();
        }
    }
}

/// One finding, for people.
fn shown(finding: &Finding, width: usize) -> String {
    let style = match finding.level {
        Level::Good => GOOD,
        Level::Warning => CAUTION,
        Level::Problem => BAD,
    };
    let mut text = String::new();
    let (level, kind) = (finding.level.as_str(), finding.kind.as_str());
    let mut part = |name: &str, words: &str| {
        let lines = wrapped(&start_of(words, LONGEST), width.saturating_sub(INDENT));
        for (at, line) in lines.iter().enumerate() {
            let name = if at == 0 { name } else { "" };
            let _ = writeln!(text, "  {} {line}", styled(DIM, &format!("{name:<5}")));
        }
    };
    if finding.level == Level::Good {
        let line =
            wrapped(&format!("{kind}: {}", start_of(&finding.seen, LONGEST)), width.saturating_sub(INDENT));
        return format!("{} {}\n", styled(style, level), line.join("\n   "));
    }
    part("seen", &finding.seen);
    part("why", finding.why());
    part("do", &finding.advice);
    format!("{} {}\n{text}", styled(style, level), styled(BOLD, kind))
}

/// Words in lines of so many characters; a word that is longer has a line of its own.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn summary(diagnosis: &Diagnosis) -> String {
    let counted = |number: usize, what: &str| {
        let plural = if number == 1 { "" } else { "s" };
        format!("{} {what}{plural}", grouped(number))
    };
    let count = |level, style, what: &str| {
        let number = diagnosis.count(level);
        let text = counted(number, what);
        if number == 0 { text } else { styled(style, &text) }
    };
    let seconds = diagnosis.took.as_secs_f64();
    let mut text = format!(
        "\n{}, {}; {} in {seconds:.1} s.\n",
        count(Level::Problem, BAD, "problem"),
        count(Level::Warning, CAUTION, "warning"),
        counted(diagnosis.requests, "request"),
    );
    if !diagnosis.complete {
        text.push_str("What is behind the last problem could not be looked at: mend it, and ask again.\n");
    } else if diagnosis.is_healthy() {
        let _ = writeln!(text, "{}", styled(GOOD, "No problem was found."));
    }
    text
}

fn document(url: &str, diagnosis: &Diagnosis) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Document<'a> {
        url: &'a str,
        target: &'a str,
        healthy: bool,
        complete: bool,
        requests: usize,
        duration_ms: u128,
        findings: Vec<Item<'a>>,
    }
    #[derive(Serialize)]
    struct Item<'a> {
        id: &'static str,
        level: &'static str,
        seen: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<&'a str>,
        #[serde(rename = "do", skip_serializing_if = "Option::is_none")]
        advice: Option<&'a str>,
    }
    fn some(text: &str) -> Option<&str> {
        Some(text).filter(|text| !text.is_empty())
    }
    let findings = diagnosis.findings.iter().map(|finding| Item {
        id: finding.kind.as_str(),
        level: finding.level.as_str(),
        seen: &finding.seen,
        why: some(finding.why()),
        advice: some(&finding.advice),
    });
    json::write(&Document {
        url,
        target: &diagnosis.target,
        healthy: diagnosis.is_healthy(),
        complete: diagnosis.complete,
        requests: diagnosis.requests,
        duration_ms: diagnosis.took.as_millis(),
        findings: findings.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_end_between_words() {
        assert_eq!(wrapped("ab cd ef  gh", 5), ["ab cd", "ef gh"]);
        assert_eq!(wrapped("a https://long.example b", 4), ["a", "https://long.example", "b"]);
        assert!(wrapped("", 4).is_empty());
    }
}
