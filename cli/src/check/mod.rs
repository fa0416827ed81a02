//! `check`: an endpoint against the protocol's requirements, and a report that says how to mend it.

mod curl;
mod progress;
mod show;

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use median_edge_conformance::baseline::Baseline;
use median_edge_conformance::http::Http;
use median_edge_conformance::{Allowed, Area, Ended, Options, Report, Severity, junit, requirements};

use self::progress::Progress;
use self::show::Shown;
use crate::args::CheckOptions;
use crate::failure::{Exit, Failure};
use crate::http::Address;
use crate::keys::Signing;
use crate::text::start_of;
use crate::{json, terminal};

/// The most bytes of a baseline that are read.
const LARGEST_BASELINE: u64 = 1024 * 1024;

pub(crate) fn run(options: &CheckOptions, signing: &Signing, as_json: bool) -> Result<Exit, Failure> {
    let only = options.only.iter().map(|name| area(name)).collect::<Result<Vec<_>, _>>()?;
    if options.list {
        return list(&only, as_json);
    }
    let Some(url) = &options.url else {
        return Err(Failure::usage("The address of the endpoint is missing.").hint(format!(
            "Write it like {} check http://127.0.0.1:7420/api/median, or ask for --list.",
            crate::curl::program()
        )));
    };
    // What was typed is looked at before anything is sent.
    Address::parse(url)?;
    let http = Http::new(url, Duration::from_secs(options.timeout))
        .map_err(|trouble| Failure::usage(trouble.to_string()))?;
    let baseline = options.baseline.as_deref().map(baseline).transpose()?.unwrap_or_default();
    let wanted = Options {
        only,
        call: options.call.iter().map(|text| allowed(text)).collect::<Result<_, _>>()?,
        call_low: options.call_low,
        identity: options.identity.clone(),
        timing: options.timing,
        ..Options::default()
    };
    let signer =
        signing.keys.signer().ok_or_else(|| Failure::not_run("bad_key", "There is no key to sign with."))?;
    let mut progress = Progress::new(&wanted);
    let report = median_edge_conformance::run(&http, signer, &wanted, |outcome| progress.tell(outcome));
    progress.end();

    if let Some(path) = &options.junit {
        let xml = junit::write(&report, &baseline, options.strict);
        fs::write(path, xml).map_err(|error| {
            Failure::not_run("not_written", format!("{} can't be written: {error}.", path.display()))
        })?;
    }
    if let Some(Ended::NoAnswer(why)) = &report.ended {
        return Err(Failure::not_run("unreachable", format!("The endpoint gave no answer: {why}. Nothing was checked."))
            .hint("Check the address, that the endpoint runs, and what stands in front of it; wait longer with --timeout."));
    }
    if let Some(ended @ Ended::NotAnEndpoint(_)) = &report.ended {
        let ended = start_of(&ended.to_string(), 400);
        let message = format!("{}.", ended.trim_end_matches('.')).replacen("no endpoint", "No endpoint", 1);
        return Err(Failure::not_run("not_an_endpoint", message)
            .hint("Correct the path of the address: /api/median is the usual one. Or see what stands in front of the endpoint."));
    }
    check_calls(&wanted, &report);
    let shown = Shown { report: &report, baseline: &baseline, strict: options.strict, url, signing };
    if as_json {
        terminal::print(&format!("{}\n", json::safe(&shown.to_json())))?;
    } else {
        terminal::print(&shown.to_text())?;
    }
    Ok(exit(&report, &baseline, options.strict))
}

/// Bad, when anything failed that counts, or a baseline is out of date; not run, when the end was not reached.
fn exit(report: &Report, baseline: &Baseline, strict: bool) -> Exit {
    let counts = |severity| strict || severity == Severity::Must;
    let failed = report.outcomes.iter().any(|outcome| {
        outcome.failed() && counts(outcome.requirement.severity) && !baseline.expects(outcome.requirement.id)
    });
    let is_stale = !baseline.compare(report).stale.is_empty();
    match &report.ended {
        _ if failed || is_stale => Exit::Answered,
        Some(Ended::WentSilent(_)) => Exit::Answered,
        Some(_) => Exit::NotRun,
        None => Exit::Good,
    }
}

/// Says when a tool that was named is not there.
fn check_calls(options: &Options, report: &Report) {
    let gone = |allowed: &&Allowed| report.tools.iter().all(|tool| *tool != allowed.tool);
    for allowed in options.call.iter().filter(gone).filter(|_| !report.tools.is_empty()) {
        let names = report.tools.join(", ");
        terminal::note(&format!("The endpoint has no tool {}. Its tools: {names}.", allowed.tool));
    }
}

fn area(name: &str) -> Result<Area, Failure> {
    Area::parse(name).ok_or_else(|| {
        let names: Vec<_> = Area::ALL.iter().map(|area| area.as_str()).collect();
        Failure::usage(format!("There is no area {name}."))
            .hint(format!("It is one of {}.", names.join(", ")))
    })
}

/// `TOOL`, or `TOOL=JSON`.
fn allowed(text: &str) -> Result<Allowed, Failure> {
    let Some((tool, input)) = text.split_once('=') else {
        return Ok(Allowed { tool: text.to_owned(), input: None });
    };
    let is_object = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(input).is_ok();
    if !is_object {
        return Err(Failure::usage(format!("The input for {tool} is no JSON object."))
            .hint(r#"Write it like --call 'orderStatus={"orderNumber":"ORD-1042"}'."#));
    }
    Ok(Allowed { tool: tool.to_owned(), input: Some(input.to_owned()) })
}

fn baseline(path: &Path) -> Result<Baseline, Failure> {
    let fail = |why: String| {
        Failure::not_run("bad_baseline", format!("{}: {why}.", path.display()))
            .hint("Write one id of a requirement a line, as `check --list` shows them; # begins a note.")
    };
    let mut text = String::new();
    let file = fs::File::open(path).map_err(|error| fail(error.to_string()))?;
    file.take(LARGEST_BASELINE).read_to_string(&mut text).map_err(|error| fail(error.to_string()))?;
    Baseline::parse(&text).map_err(fail)
}

fn list(only: &[Area], as_json: bool) -> Result<Exit, Failure> {
    let chosen =
        requirements().into_iter().filter(|requirement| only.is_empty() || only.contains(&requirement.area));
    let chosen: Vec<_> = chosen.collect();
    let text = if as_json { show::list_json(&chosen) } else { show::list_text(&chosen) };
    terminal::print(&format!("{text}\n"))?;
    Ok(Exit::Good)
}

#[cfg(test)]
mod tests {
    use super::{allowed, area};

    #[test]
    fn a_tool_may_come_with_its_input() {
        assert_eq!(allowed("ping").unwrap().input, None);
        let given = allowed(r#"t={"a":"="}"#).unwrap();
        assert_eq!((given.tool.as_str(), given.input.as_deref()), ("t", Some(r#"{"a":"="}"#)));
        assert!(allowed("t=7").unwrap_err().message.contains("no JSON object"));
    }

    #[test]
    fn an_unknown_area_is_told_the_known_ones() {
        assert!(area("signature").is_ok());
        assert!(area("x").unwrap_err().hint.unwrap().contains("manifest"));
    }
}
