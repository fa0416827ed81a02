//! From what an application declares to its document, with everything that can be wrong with it.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::application::{Application, ListedEndpoint};
use super::document::{Document, InputSchema, Job, Tool as Entry};
use super::name::{is_snake_case, snake_case};
use crate::config::Problem;
use crate::described::Described;
use crate::job::JobSpec;
use crate::limits::{MAX_APPLICATION_MANIFEST_BYTES, MAX_JOB_RETRIES, MAX_JOB_TIMEOUT_SECONDS};
use crate::route::{APPLICATION_MANIFEST_PATH, is_application_manifest, plain_path};
use crate::schema::SchemaJson;
use crate::text::{Quoted, is_blank};
use crate::tool::Tool;

const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// Where the endpoint itself answers.
pub(crate) struct Own<'a> {
    pub(crate) mount: &'a str,
    pub(crate) identity: Option<&'a str>,
}

/// Checks what the application declares, and makes the document of it and the tools.
pub(crate) fn describe<S>(
    application: &Application,
    tools: &[Tool<S>],
    own: &Own<'_>,
    problems: &mut Vec<Problem>,
) -> Option<Described> {
    let before = problems.len();
    check_application(application, own.mount, problems);
    check_names(tools, problems);
    let tools = tools.iter().filter_map(|tool| entry(application, tool, problems)).collect();
    let jobs = jobs(&application.jobs, problems);
    let endpoints = endpoints(application, own, problems);
    if problems.len() > before {
        return None;
    }
    let document = Document {
        name: &application.name,
        version: &application.version,
        description: &application.description,
        storage_mode: application.storage_mode?,
        tools,
        jobs,
        endpoints,
    };
    let bytes = match serde_json::to_vec(&document) {
        Ok(bytes) => bytes,
        Err(error) => {
            problems.push(of_document(&format!("it can't be written as JSON: {error}")));
            return None;
        }
    };
    if bytes.len() > MAX_APPLICATION_MANIFEST_BYTES {
        problems.push(of_document(&format!(
            "it has {} bytes; {MAX_APPLICATION_MANIFEST_BYTES} is the most",
            bytes.len()
        )));
    }
    Some(Described { bytes: bytes.into(), signed: application.signed })
}

fn of_document(message: &str) -> Problem {
    Problem::of_endpoint(format!("application manifest: {message}"))
}

const SNAKE_CASE: &str = "must be snake_case: words of small letters and digits with one underscore between them, a letter first, 64 characters at most";

fn check_application(application: &Application, mount: &str, problems: &mut Vec<Problem>) {
    let Application { name, version, description, .. } = application;
    let mut add = |message: String| problems.push(of_document(&message));
    if !is_snake_case(name) {
        add(format!("the application's name is {}, and it {SNAKE_CASE}", Quoted(name)));
    }
    if !is_semantic_version(version) {
        add(format!(
            "the version is {}, and it must be a semantic version like 1.4.0 or 2.0.0-beta.1",
            Quoted(version)
        ));
    }
    if is_blank(description) {
        add("the description is blank: say what the application is".into());
    }
    if application.storage_mode.is_none() {
        add("the storage mode is missing: say where the application keeps its data with Application::storage_mode".into());
    }
    if is_application_manifest(mount) {
        add(format!(
            "the tool endpoint is mounted at {APPLICATION_MANIFEST_PATH}, where it is answered: mount the endpoint elsewhere"
        ));
    }
}

/// Two tools whose names differ only in their form have one name here.
fn check_names<S>(tools: &[Tool<S>], problems: &mut Vec<Problem>) {
    let mut by_name: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for tool in tools {
        let names = by_name.entry(snake_case(tool.name())).or_default();
        // The same name twice is told already.
        if !names.contains(&tool.name()) {
            names.push(tool.name());
        }
    }
    for (snake, names) in by_name {
        if let [first, others @ ..] = names.as_slice() {
            for other in others {
                let message = format!(
                    "in the application manifest it is {}, and so is {}: rename one",
                    Quoted(&snake),
                    Quoted(first)
                );
                problems.push(Problem::of_tool(other, message));
            }
        }
    }
}

fn entry<'a, S>(
    application: &Application,
    tool: &'a Tool<S>,
    problems: &mut Vec<Problem>,
) -> Option<Entry<'a>> {
    let enqueues_job = tool.enqueues_job();
    if let Some(job) = enqueues_job
        && !application.jobs.iter().any(|declared| declared.name() == job)
    {
        let message = format!(
            "it enqueues the job {}, which the application does not declare: add it with Application::job",
            Quoted(job)
        );
        problems.push(Problem::of_tool(tool.name(), message));
    }
    let mut read = |whose: &str, schema: &SchemaJson| match schema.value() {
        Ok(value) => Some(value),
        Err(why) => {
            problems.push(Problem::of_tool(tool.name(), format!("its {whose} schema {why}")));
            None
        }
    };
    let input = match tool.schemas.input() {
        Some(schema) => InputSchema::Given(read("input", schema)?),
        None => InputSchema::Fields(tool.fields()),
    };
    let Some(output) = tool.schemas.output() else {
        problems.push(Problem::of_tool(tool.name(), NO_OUTPUT.into()));
        return None;
    };
    Some(Entry {
        name: snake_case(tool.name()),
        description: tool.description(),
        input,
        output: read("output", output)?,
        scopes: tool.scopes(),
        effect: tool.effect(),
        idempotent: tool.is_idempotent(),
        enqueues_job,
        timeout: tool.timeout_seconds,
    })
}

const NO_OUTPUT: &str = "the application manifest says what each tool answers, and nothing says it of this one: derive \
    schemars::JsonSchema on the type that it returns, or give its schema with `output = …` in #[tool], or with \
    ToolBuilder::output or ToolBuilder::output_schema";

fn jobs<'a>(jobs: &'a [JobSpec], problems: &mut Vec<Problem>) -> Vec<Job<'a>> {
    let mut entries: Vec<Job<'a>> = Vec::new();
    for (at, job) in jobs.iter().enumerate() {
        let mut add = |message: &str| {
            problems.push(of_document(&format!("job {}: {message}", Quoted(job.name()))));
        };
        if !is_snake_case(job.name()) {
            add(&format!("the name {SNAKE_CASE}"));
        }
        if jobs[..at].iter().any(|other| other.name() == job.name()) {
            add("it is declared more than once");
        }
        if is_blank(job.description()) {
            add("the description is blank: say what the job does");
        }
        if !is_queue(job.queue()) {
            add(&format!(
                "the queue is {}, and it must be a letter or digit and up to 62 letters, digits, hyphens and underscores",
                Quoted(job.queue())
            ));
        }
        if job.max_retries > MAX_JOB_RETRIES {
            add(&format!("it is retried {} times; {MAX_JOB_RETRIES} is the most", job.max_retries));
        }
        if !(1..=MAX_JOB_TIMEOUT_SECONDS).contains(&job.timeout_seconds) {
            add(&format!(
                "the timeout is {} seconds; it must be from 1 to {MAX_JOB_TIMEOUT_SECONDS}",
                job.timeout_seconds
            ));
        }
        let payload = match job.payload.as_ref().map(SchemaJson::value) {
            Some(Ok(payload)) => payload,
            Some(Err(why)) => {
                add(&format!("its payload schema {why}"));
                continue;
            }
            None => {
                add(
                    "nothing says what its payload is: give it with JobSpec::payload or JobSpec::payload_schema",
                );
                continue;
            }
        };
        entries.push(Job {
            name: job.name(),
            description: job.description(),
            payload,
            queue: job.queue(),
            max_retries: job.max_retries,
            timeout: job.timeout_seconds,
        });
    }
    entries
}

/// What both Cloudflare Queues and Amazon SQS come close to.
fn is_queue(name: &str) -> bool {
    name.len() <= 63
        && name.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

fn endpoints(application: &Application, own: &Own<'_>, problems: &mut Vec<Problem>) -> Vec<ListedEndpoint> {
    let mut listed = application.endpoints.clone();
    if application.tool_routes {
        listed.extend(tool_routes(application.signed, own));
    }
    for (at, endpoint) in listed.iter().enumerate() {
        let ListedEndpoint { path, method, description, .. } = endpoint;
        let mut add = |message: &str| {
            problems.push(of_document(&format!("endpoint {} {}: {message}", Quoted(method), Quoted(path))));
        };
        if !METHODS.contains(&method.as_ref()) {
            add(&format!("the method must be one of {}", METHODS.join(", ")));
        }
        if let Err(why) = plain_path(path) {
            add(&format!("the path can't be one: {why}"));
        }
        if is_blank(description) {
            add("the description is blank: say what it does");
        }
        if listed[..at].iter().any(|other| (&other.path, &other.method) == (path, method)) {
            add("it is listed more than once");
        }
    }
    listed
}

/// The routes of the tool endpoint, as they are listed.
fn tool_routes(signed: bool, own: &Own<'_>) -> impl Iterator<Item = ListedEndpoint> {
    let at = |path: &str| Cow::Owned(String::from(path));
    // The page's own cookies say who asks; without them it is answered that nobody is signed in.
    let identity = own
        .identity
        .map(|path| ListedEndpoint::new("GET", at(path), "Who is signed in, for the support widget."));
    let manifest = ListedEndpoint::new(
        "GET",
        APPLICATION_MANIFEST_PATH,
        "The application described for agents: its tools, jobs and endpoints.",
    );
    let tools = [
        ListedEndpoint::new("GET", at(own.mount), "The list of tools, for the support agent.")
            .authenticated(),
        ListedEndpoint::new("POST", at(own.mount), "Runs one tool, for the support agent.").authenticated(),
    ];
    tools.into_iter().chain(identity).chain([if signed { manifest.authenticated() } else { manifest }])
}

/// `MAJOR.MINOR.PATCH`, with `-pre.release` and `+build` behind it where they are wanted.
fn is_semantic_version(text: &str) -> bool {
    let identifiers = |text: &str, zeros: bool| {
        text.split('.').all(|part| {
            let is_number = part.bytes().all(|b| b.is_ascii_digit());
            !part.is_empty()
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
                && (zeros || !is_number || part == "0" || !part.starts_with('0'))
        })
    };
    let (text, build) = text.split_once('+').map_or((text, None), |(text, build)| (text, Some(build)));
    let (core, pre) = text.split_once('-').map_or((text, None), |(core, pre)| (core, Some(pre)));
    core.split('.').count() == 3
        && core.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && identifiers(core, false)
        && pre.is_none_or(|pre| identifiers(pre, false))
        && build.is_none_or(|build| identifiers(build, true))
        && core.len() <= 64
        && text.len() <= 256
}

#[cfg(test)]
mod tests {
    use super::is_semantic_version;

    #[test]
    fn semantic_versions_are_told_from_others() {
        for good in ["0.1.0", "1.2.3-rc.1", "1.0.0-0.x-y", "1.0.0+001", "10.20.30-a.0+b-1.c"] {
            assert!(is_semantic_version(good), "{good}");
        }
        for bad in [
            "",
            "1",
            "1.2",
            "1.2.3.4",
            "v1.2.3",
            "01.2.3",
            "1.2.03",
            "1.2.3-",
            "1.2.3-01",
            "1.2.3+",
            "1.2.3-a..b",
            "1.2.x",
            "1.2.3 ",
        ] {
            assert!(!is_semantic_version(bad), "{bad}");
        }
    }
}
