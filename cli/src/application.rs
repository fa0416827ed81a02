//! `manifest --application`: what an application says of itself at `/agent/manifest`.

use serde::Deserialize;

use crate::failure::Failure;
use crate::http::{Answer, Client};
use crate::keys::Signing;
use crate::manifest::turned_away;
use crate::table::table;
use crate::text::{grouped, start_of};
use crate::{clock, curl};

/// The most rows of a table: a site may write any number.
const MOST_SHOWN: usize = 100;

/// The most characters of one text.
const LONGEST_SHOWN: usize = 500;

/// An application manifest as far as it is shown. What it holds beyond that is not looked at.
#[derive(Debug, Deserialize)]
pub(crate) struct Application {
    name: String,
    version: String,
    #[serde(default)]
    description: String,
    storage_mode: String,
    tools: Vec<Tool>,
    #[serde(default)]
    jobs: Vec<Job>,
    #[serde(default)]
    endpoints: Vec<Endpoint>,
}

#[derive(Debug, Deserialize)]
struct Tool {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    scopes: Vec<String>,
    #[serde(default)]
    effect: String,
    #[serde(default)]
    idempotent: bool,
    enqueues_job: Option<String>,
    timeout: Option<u64>,
}

#[derive(Debug, Deserialize)]
struct Job {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    queue: String,
    #[serde(default)]
    max_retries: u64,
    #[serde(default)]
    timeout: u64,
}

#[derive(Debug, Deserialize)]
struct Endpoint {
    path: String,
    #[serde(default)]
    method: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    authenticated: bool,
}

/// Asks a site for its application manifest. It may be behind the signature, so the request is signed.
pub(crate) fn fetch(client: &Client, signing: &Signing) -> Result<(Application, Answer), Failure> {
    let answer = client.get(&signing.sign(clock::now_ms(), b"")?)?;
    if answer.status == 404 {
        let message = "There is no application manifest at /agent/manifest (404).";
        return Err(Failure::answered(404, "no_application_manifest", message.to_owned()).hint(
            "It is off unless the endpoint declares an application; see docs/application-manifest.md.",
        ));
    }
    if answer.status != 200 {
        return Err(turned_away(&answer, signing.is_public()));
    }
    let document = serde_json::from_slice(&answer.body).map_err(|error| {
        let why = start_of(&error.to_string(), LONGEST_SHOWN);
        let message = format!("What is at /agent/manifest is no application manifest: {why}.");
        Failure::answered(200, "not_an_application_manifest", message)
            .hint(format!("`{} check --only application` says what it lacks.", curl::program()))
    })?;
    Ok((document, answer))
}

impl Application {
    pub(crate) fn shown(&self, bytes: usize, width: u16) -> String {
        let Self { name, version, description, storage_mode, tools, jobs, endpoints } = self;
        let text = |text: &str| start_of(text, LONGEST_SHOWN);
        let mut parts = vec![format!("{} {}: {}", text(name), text(version), text(description))];
        let rows = tools.iter().take(MOST_SHOWN);
        let rows = rows.map(|tool| {
            vec![
                text(&tool.name),
                text(&tool.effect),
                tool.scopes.iter().map(|scope| text(scope)).collect::<Vec<_>>().join("\n"),
                tool.notes(),
                text(&tool.description),
            ]
        });
        parts.extend(list(&["tool", "effect", "scopes", "notes", "description"], rows, width));
        let rows = jobs.iter().take(MOST_SHOWN);
        let rows = rows.map(|job| {
            let Job { max_retries, timeout, .. } = job;
            let tried = format!("{max_retries} retries\nof {timeout} s");
            vec![text(&job.name), text(&job.queue), tried, text(&job.description)]
        });
        parts.extend(list(&["job", "queue", "tried", "description"], rows, width));
        let rows = endpoints.iter().take(MOST_SHOWN);
        let rows = rows.map(|endpoint| {
            let for_whom = if endpoint.authenticated { "authenticated" } else { "anyone" };
            let Endpoint { path, method, description, .. } = endpoint;
            vec![text(method), text(path), for_whom.to_owned(), text(description)]
        });
        parts.extend(list(&["method", "path", "for", "description"], rows, width));
        for (what, count) in [("tools", tools.len()), ("jobs", jobs.len()), ("endpoints", endpoints.len())] {
            if let more @ 1.. = count.saturating_sub(MOST_SHOWN) {
                parts.push(format!("{} more {what} are not shown.", grouped(more)));
            }
        }
        let counts =
            [counted(tools.len(), "tool"), counted(jobs.len(), "job"), counted(endpoints.len(), "endpoint")];
        let storage = text(storage_mode);
        parts.push(format!("{}, storage mode {storage}, {} bytes.", counts.join(", "), grouped(bytes)));
        parts.join("\n") + "\n"
    }
}

impl Tool {
    /// What is not the same for most tools.
    fn notes(&self) -> String {
        let Self { idempotent, enqueues_job, timeout, .. } = self;
        let notes = [
            idempotent.then(|| "idempotent".to_owned()),
            timeout.map(|seconds| format!("{seconds} s at most")),
            enqueues_job.as_deref().map(|job| format!("enqueues {}", start_of(job, LONGEST_SHOWN))),
        ];
        notes.into_iter().flatten().collect::<Vec<_>>().join("\n")
    }
}

/// A table, when there is anything in it.
fn list(heads: &[&str], rows: impl Iterator<Item = Vec<String>>, width: u16) -> Option<String> {
    let mut rows = rows.peekable();
    rows.peek()?;
    Some(table(heads, rows, width))
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}
