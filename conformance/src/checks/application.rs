//! The application manifest, where there is one: an endpoint need not have it.

use median_edge::Code;
use median_edge::application_manifest::snake_case;

use super::manifest::{start, tools as listed};
use crate::check::{Check, Skip, must, should};
use crate::json::Json;
use crate::plan::Plan;
use crate::probe::Probe;
use crate::requirement::Area::Application;
use crate::wire::Feature;

const PATH: &str = "/agent/manifest";
const SHAPE: &str = "application-shape";

pub(crate) const CHECKS: &[Check] = &[
    must(
        Application,
        SHAPE,
        "AGENT-1",
        "The application manifest has `name`, `version`, `description`, `storage_mode`, and the arrays `tools`, `jobs` and `endpoints`.",
    )
    .why("An agent that finds half a description cannot tell what the application can do.")
    .mend("Answer one object with all seven; an array may be empty.")
    .ask(shape),
    must(Application, "application-names", "AGENT-1", "The names of the application and of its tools are snake_case.")
        .why("They are how agents refer to the application, and stay when its title changes.")
        .mend("Use small letters and digits in words, with one underscore between them, a letter first.")
        .needs(&[SHAPE])
        .ask(names),
    must(Application, "application-version", "AGENT-1", "The version of the application is a semantic one.")
        .why("Agents compare versions to see what has changed.")
        .mend("Write MAJOR.MINOR.PATCH, like 1.4.0.")
        .needs(&[SHAPE])
        .ask(version),
    must(
        Application,
        "application-storage",
        "AGENT-1",
        "`storage_mode` is memory, native, persistent or http.",
    )
    .why("It says whether what a tool writes is still there tomorrow.")
    .mend("Use one of the four, in lower case.")
    .needs(&[SHAPE])
    .ask(storage),
    must(
        Application,
        "application-tools",
        "AGENT-2",
        "Each tool has a description, schemas of its input and output, scopes, an effect, and whether it is idempotent.",
    )
    .why("Without them an agent cannot call it, or does not know what a call changes.")
    .mend("Give each tool `description`, `input`, `output`, `scopes`, `effect` (read or write) and `idempotent`; `enqueues_job` is a name or null, `timeout` whole seconds or null.")
    .needs(&[SHAPE])
    .ask(tools),
    must(
        Application,
        "application-jobs",
        "AGENT-3",
        "Each job has a name, a description, a payload schema, a queue, `max_retries` and `timeout`.",
    )
    .why("It is what an agent knows of the work that goes on after a call.")
    .mend("Give each job all six; the last two are whole numbers.")
    .needs(&[SHAPE])
    .ask(jobs),
    must(
        Application,
        "application-endpoints",
        "AGENT-3",
        "Each endpoint has a path, a method, a description, and whether it is authenticated.",
    )
    .why("An agent that asks without credentials where they are needed learns nothing.")
    .mend("Give each endpoint all four: three strings and a boolean.")
    .needs(&[SHAPE])
    .ask(endpoints),
    should(
        Application,
        "application-every-member",
        "AGENT-4",
        "Every tool has `enqueues_job` and `timeout`, null where there is nothing to say.",
    )
    .why("A reader need not guess whether a member that is not there is forgotten.")
    .mend("Write null in the place of nothing.")
    .needs(&[SHAPE])
    .ask(every_member),
    should(Application, "application-jobs-declared", "AGENT-10", "A job that a tool enqueues is declared.")
        .why("A name that leads nowhere describes nothing.")
        .mend("Add the job to `jobs`, or take its name out of the tool.")
        .needs(&[SHAPE])
        .ask(jobs_declared),
    should(
        Application,
        "application-same-tools",
        "AGENT-7",
        "Its tools are those of the manifest, with their names in snake_case.",
    )
    .why("Two lists of one application that differ leave a reader with neither.")
    .mend("Make both of the same tools.")
    .needs(&[SHAPE])
    .ask(same_tools),
    should(Application, "application-methods", "AGENT-6", "A POST to it is 405, with `Allow: GET`.")
        .why("It is there to be read.")
        .mend("Answer every method but GET with 405, and say which one is allowed.")
        .needs(&[SHAPE])
        .ask(methods),
];

/// The document that was read, for a check that needs it.
fn read(probe: &Probe<'_>) -> Result<Json, Skip> {
    probe.application.clone().ok_or_else(|| Skip("there is no application manifest".to_owned()))
}

/// Only JSON is looked at: under that path another program may have a page.
fn shape(probe: &mut Probe<'_>) -> Result<(), Skip> {
    probe.able(Feature::Paths)?;
    let exchange = probe.glance(Plan::get().at(PATH));
    let answer = exchange.answer.as_ref().ok().filter(|answer| answer.status == 200);
    let is_json = |kind: &str| kind.to_lowercase().starts_with("application/json");
    let answer = answer.filter(|answer| answer.header("content-type").is_some_and(is_json));
    if answer.is_none() {
        return Skip::because("there is no application manifest at /agent/manifest");
    }
    let Some(json) = exchange.json.as_ref().filter(|json| json.members().is_some()) else {
        probe.wrong("a GET of /agent/manifest", &exchange, "a JSON object");
        return Ok(());
    };
    if json.get("version") == Some(&Json::Number(1.0)) && json.get("storage_mode").is_none() {
        return Skip::because("what is at /agent/manifest is the endpoint's own manifest, as at every path");
    }
    for name in ["name", "version", "description", "storage_mode"] {
        if json.get(name).and_then(Json::text).is_none() {
            probe.wrong_with(name, "a string", start(json.get(name)));
        }
    }
    for name in ["tools", "jobs", "endpoints"] {
        let list = json.get(name).and_then(Json::list);
        if list.is_none_or(|list| list.iter().any(|item| item.members().is_none())) {
            probe.wrong_with(name, "an array of objects", start(json.get(name)));
        }
    }
    probe.application = Some(json.clone());
    Ok(())
}

/// The items of a list, each with a name for it.
fn items<'a>(document: &'a Json, list: &str, of: &str) -> Vec<(String, &'a Json)> {
    let items = document.get(list).and_then(Json::list).unwrap_or_default();
    let name = |(at, item): (usize, &'a Json)| {
        let name = ["name", "path"].into_iter().find_map(|member| item.get(member).and_then(Json::text));
        (name.map_or_else(|| format!("{of} {} of the list", at + 1), |name| format!("{of} {name}")), item)
    };
    items.iter().enumerate().map(name).collect()
}

fn is_snake_case(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        && snake_case(name) == name
}

fn names(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let document = read(probe)?;
    let own = [("the application".to_owned(), &document)];
    for (of, item) in own.into_iter().chain(items(&document, "tools", "tool")) {
        if !item.get("name").and_then(Json::text).is_some_and(is_snake_case) {
            probe.wrong_with(&format!("name of {of}"), "a name in snake_case", start(item.get("name")));
        }
    }
    Ok(())
}

fn version(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let document = read(probe)?;
    let text = document.get("version").and_then(Json::text).unwrap_or_default();
    let core = text.split(['-', '+']).next().unwrap_or_default();
    let is_number = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|b| b.is_ascii_digit())
            && (part == "0" || !part.starts_with('0'))
    };
    if core.split('.').count() != 3 || !core.split('.').all(is_number) {
        probe.wrong_with("version", "a semantic version", text);
    }
    Ok(())
}

fn storage(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let document = read(probe)?;
    let mode = document.get("storage_mode").and_then(Json::text).unwrap_or_default();
    if !["memory", "native", "persistent", "http"].contains(&mode) {
        probe.wrong_with("storage_mode", "memory, native, persistent or http", mode);
    }
    Ok(())
}

/// What a member has to be.
type Kind = (&'static str, fn(&Json) -> bool);

const TEXT: Kind = ("a string", |json| json.text().is_some());
const BOOLEAN: Kind = ("a boolean", |json| matches!(json, Json::Bool(_)));
const SCHEMA: Kind = ("a JSON Schema", |json| json.members().is_some() || matches!(json, Json::Bool(_)));
const TEXTS: Kind = ("an array of strings", |json| {
    json.list().is_some_and(|list| list.iter().all(|item| item.text().is_some()))
});
const EFFECT: Kind = ("read or write", |json| matches!(json.text(), Some("read" | "write")));
const WHOLE: Kind = ("a whole number", is_whole);
const NAME_OR_NULL: Kind = ("a name, or null", |json| matches!(json, Json::Text(_) | Json::Null));
const WHOLE_OR_NULL: Kind = ("whole seconds, or null", |json| matches!(json, Json::Null) || is_whole(json));

fn is_whole(json: &Json) -> bool {
    matches!(json, Json::Number(number) if *number >= 0.0 && number.fract() == 0.0)
}

/// Looks at the members of each item: those that have to be there, and those that may be left out.
fn members(
    probe: &mut Probe<'_>,
    items: &[(String, &Json)],
    required: &[(&str, Kind)],
    optional: &[(&str, Kind)],
) {
    for (of, item) in items {
        let wrong = |(name, (_, is)): &&(&str, Kind)| item.get(name).is_none_or(|value| !is(value));
        let required = required.iter().filter(wrong);
        let optional = optional.iter().filter(|(name, _)| item.get(name).is_some()).filter(wrong);
        for (name, (kind, _)) in required.chain(optional) {
            probe.wrong_with(&format!("{name} of {of}"), *kind, start(item.get(name)));
        }
    }
}

fn tools(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let document = read(probe)?;
    let required = [
        ("description", TEXT),
        ("input", SCHEMA),
        ("output", SCHEMA),
        ("scopes", TEXTS),
        ("effect", EFFECT),
        ("idempotent", BOOLEAN),
    ];
    let optional = [("enqueues_job", NAME_OR_NULL), ("timeout", WHOLE_OR_NULL)];
    members(probe, &items(&document, "tools", "tool"), &required, &optional);
    Ok(())
}

fn jobs(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let document = read(probe)?;
    let required = [
        ("name", TEXT),
        ("description", TEXT),
        ("payload", SCHEMA),
        ("queue", TEXT),
        ("max_retries", WHOLE),
        ("timeout", WHOLE),
    ];
    members(probe, &items(&document, "jobs", "job"), &required, &[]);
    Ok(())
}

fn endpoints(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let document = read(probe)?;
    let required = [("path", TEXT), ("method", TEXT), ("description", TEXT), ("authenticated", BOOLEAN)];
    members(probe, &items(&document, "endpoints", "endpoint"), &required, &[]);
    Ok(())
}

fn every_member(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let document = read(probe)?;
    for (of, item) in items(&document, "tools", "tool") {
        for name in ["enqueues_job", "timeout"].into_iter().filter(|name| item.get(name).is_none()) {
            probe.wrong_with(&format!("{name} of {of}"), "a value, or null", "nothing");
        }
    }
    Ok(())
}

fn jobs_declared(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let document = read(probe)?;
    let jobs = items(&document, "jobs", "job");
    for (of, item) in items(&document, "tools", "tool") {
        let Some(name) = item.get("enqueues_job").and_then(Json::text) else { continue };
        if !jobs.iter().any(|(_, job)| job.get("name").and_then(Json::text) == Some(name)) {
            probe.wrong_with(&format!("enqueues_job of {of}"), "the name of one of the jobs", name);
        }
    }
    Ok(())
}

fn same_tools(probe: &mut Probe<'_>) -> Result<(), Skip> {
    let document = read(probe)?;
    let manifest = super::manifest::read(probe)?;
    let name =
        |(_, tool): &(String, &Json)| tool.get("name").and_then(Json::text).unwrap_or_default().to_owned();
    let mut expected: Vec<_> = listed(&manifest).iter().map(name).map(|name| snake_case(&name)).collect();
    let mut came: Vec<_> = items(&document, "tools", "tool").iter().map(name).collect();
    expected.sort_unstable();
    came.sort_unstable();
    if came != expected {
        probe.wrong_with("the names of the tools", expected.join(", "), came.join(", "));
    }
    Ok(())
}

fn methods(probe: &mut Probe<'_>) -> Result<(), Skip> {
    read(probe)?;
    let exchange = probe.glance(Plan::post("{}").at(PATH));
    let allow = exchange.answer.as_ref().ok().and_then(|answer| answer.header("allow"));
    if exchange.status() != Some(Code::MethodNotAllowed.status()) || allow.map(str::trim) != Some("GET") {
        probe.wrong("a POST to /agent/manifest", &exchange, "405 with Allow: GET");
    }
    Ok(())
}
