//! `tools endpoint` and `tools sync`: which endpoints there are, and how their syncs end.

use std::thread;
use std::time::{Duration, Instant};

use median_edge_platform::domain::{Endpoint, SyncState};
use serde::Serialize;
use serde_json::value::RawValue;

use super::api::{Api, Document, Page};
use super::clash::Clash;
use super::print;
use crate::failure::{Exit, Failure};
use crate::http::{Address, as_kept, segment};
use crate::table::table;
use crate::terminal::{BAD, BOLD, CAUTION, GOOD, styled};
use crate::text::{clean, start_of};
use crate::{clock, curl, json, terminal};

const ROUTE: &str = "/v1/tool-endpoints";

/// A sync has 10 seconds; one that is not over by then never will be.
const PATIENCE: Duration = Duration::from_secs(20);
const LOOKS_EVERY: Duration = Duration::from_millis(50);

/// The most characters of a reason that are shown, and the most names of tools.
const LONGEST_REASON: usize = 2_000;
const MOST_NAMES: usize = 40;
const LONGEST_NAME: usize = 100;

/// Connects an endpoint, and waits for its first sync.
pub(super) fn add(api: &Api, url: &str, own_key_env: Option<&str>, as_json: bool) -> Result<Exit, Failure> {
    #[derive(Serialize)]
    struct Body<'a> {
        url: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        key: Option<&'a str>,
    }
    // What is no address is told from what the stand-in refuses.
    Address::parse(url)?;
    let key = own_key_env.map(own_key).transpose()?;
    let body = json::line(&Body { url, key: key.as_deref() });
    let mut document = api.post(ROUTE, &body)?;
    let mut endpoint: Endpoint = document.read()?;
    // Another route waits for a sync, but would begin one more when this one is over already.
    let started = Instant::now();
    while matches!(endpoint.sync, SyncState::Syncing { .. }) && started.elapsed() < PATIENCE {
        thread::sleep(LOOKS_EVERY);
        document = api.get(&of(&endpoint.id))?;
        endpoint = document.read()?;
    }
    print(&document.0, as_json, || {
        format!("Connected {}.\n{}", clean(&endpoint.url), synced(api, &endpoint))
    })?;
    Ok(exit(&endpoint))
}

/// The key of an endpoint that has one of its own. Its form is for the stand-in to judge.
fn own_key(name: &str) -> Result<String, Failure> {
    std::env::var(name).map_err(|_| {
        Failure::not_run("bad_key", format!("The environment variable {} is not set.", clean(name)))
            .hint("Set it to the endpoint's own key, or leave --own-key-env out to use the organization's.")
    })
}

/// Shows every endpoint.
pub(super) fn list(api: &Api, as_json: bool) -> Result<Exit, Failure> {
    let document = api.get(ROUTE)?;
    let endpoints = document.read::<Page<Endpoint>>()?.items;
    print(&document.0, as_json, || {
        if endpoints.is_empty() {
            return format!("No endpoint is connected. {}\n", how_to_add(api));
        }
        let rows = endpoints.iter().map(|endpoint| {
            vec![format!("{}\n{}", endpoint.url, endpoint.id), state(endpoint), tools(endpoint)]
        });
        table(&["endpoint", "last sync", "tools"], rows, terminal::width()) + "\n"
    })?;
    Ok(Exit::Good)
}

/// Removes an endpoint with its tools.
pub(super) fn remove(api: &Api, named: &str, as_json: bool) -> Result<Exit, Failure> {
    #[derive(Serialize)]
    struct Removed<'a> {
        removed: &'a Endpoint,
    }
    let endpoint = find(api, named)?;
    api.delete(&of(&endpoint.id))?;
    let document = json::line(&Removed { removed: &endpoint });
    print(&document, as_json, || {
        let gone = match endpoint.tools().len() {
            0 => String::new(),
            1 => " Its tool is gone with it, and requests that waited on it have expired.".to_owned(),
            count => {
                format!(" Its {count} tools are gone with it, and requests that waited on them have expired.")
            }
        };
        format!("Removed {}.{gone}\n", clean(&endpoint.url))
    })?;
    Ok(Exit::Good)
}

/// Syncs one endpoint, and waits for how that ends.
pub(super) fn sync(api: &Api, named: &str, as_json: bool) -> Result<Exit, Failure> {
    let endpoint = find(api, named)?;
    let (document, endpoint) = synced_now(api, &endpoint)?;
    print(&document.0, as_json, || synced(api, &endpoint))?;
    Ok(exit(&endpoint))
}

/// Syncs every endpoint. One that the stand-in does not sync is said, and the others are synced all the same.
pub(super) fn sync_all(api: &Api, as_json: bool) -> Result<Exit, Failure> {
    #[derive(Serialize)]
    struct All {
        items: Vec<Box<RawValue>>,
    }
    let endpoints = api.get(ROUTE)?.read::<Page<Endpoint>>()?.items;
    let (mut exits, mut items, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    if endpoints.is_empty() {
        return Err(Failure {
            exit: Exit::Answered,
            ..Failure::not_run("no_endpoint", "No endpoint is connected, so there is nothing to sync.")
        }
        .hint(how_to_add(api)));
    }
    for endpoint in &endpoints {
        match synced_now(api, endpoint) {
            Ok((document, endpoint)) => {
                exits.push(exit(&endpoint));
                texts.push(synced(api, &endpoint));
                items.push(document.read()?);
            }
            Err(failure) if failure.exit == Exit::NotRun || endpoints.len() == 1 => return Err(failure),
            Err(failure) => {
                terminal::complain(&Failure {
                    message: format!("{} is not synced: {}", endpoint.url, failure.message),
                    ..failure
                });
                exits.push(Exit::Answered);
            }
        }
    }
    print(&json::line(&All { items }), as_json, || texts.join("\n"))?;
    Ok(if exits.iter().all(|exit| *exit == Exit::Good) { Exit::Good } else { Exit::Answered })
}

fn synced_now(api: &Api, endpoint: &Endpoint) -> Result<(Document, Endpoint), Failure> {
    let document = api.post(&format!("{}/sync", of(&endpoint.id)), "{}")?;
    let endpoint = document.read()?;
    Ok((document, endpoint))
}

/// The endpoint of an id or an address.
pub(super) fn find(api: &Api, named: &str) -> Result<Endpoint, Failure> {
    let endpoints = api.get(ROUTE)?.read::<Page<Endpoint>>()?.items;
    let kept = as_kept(named);
    let is_it = |endpoint: &Endpoint| endpoint.id == named || Some(&endpoint.url) == kept.as_ref();
    endpoints.into_iter().find(is_it).ok_or_else(|| {
        let message = format!("No endpoint {} is connected.", start_of(named, 300));
        Failure::not_among(message).hint(format!(
            "`{}` shows those that are, and `{}` connects one.",
            api.command("tools endpoint list"),
            api.command("tools endpoint add URL")
        ))
    })
}

fn of(id: &str) -> String {
    format!("{ROUTE}/{}", segment(id))
}

fn exit(endpoint: &Endpoint) -> Exit {
    if matches!(endpoint.sync, SyncState::Synced { .. }) { Exit::Good } else { Exit::Answered }
}

/// How a sync ended, for people.
fn synced(api: &Api, endpoint: &Endpoint) -> String {
    let (url, program) = (clean(&endpoint.url), curl::program());
    // An address may hold what a shell makes something else of.
    let word = curl::word(&url);
    let sync = || api.command(&format!("tools sync {word}"));
    let which = format!("{url} ({})", clean(&endpoint.id));
    let count = counted(endpoint.tools().len());
    let lines = match &endpoint.sync {
        SyncState::Synced { .. } => {
            let names =
                endpoint.tools().iter().take(MOST_NAMES).map(|tool| start_of(&tool.name, LONGEST_NAME));
            let names = names.collect::<Vec<_>>().join(", ");
            let colon = if names.is_empty() { "." } else { ": " };
            let warnings = endpoint.synced.iter().flat_map(|good| &good.warnings);
            let warnings = warnings.map(|warning| {
                format!("{} {}", styled(CAUTION, "warning:"), start_of(warning, LONGEST_REASON))
            });
            let head = [format!("{} {which}", styled(GOOD, "Synced:")), format!("{count}{colon}{names}")];
            head.into_iter().chain(warnings).collect()
        }
        SyncState::Failed { code, reasons, .. } => {
            let mut lines = vec![format!("{} {which}, {}", styled(BAD, "Sync failed:"), start_of(code, 100))];
            lines.extend(reasons.iter().map(|reason| format!("  {}", start_of(reason, LONGEST_REASON))));
            if endpoint.synced.is_some() {
                lines.push(format!("The last good sync counts on: {count}."));
            }
            let what = way_out(api, endpoint)
                .unwrap_or_else(|| format!("`{program} doctor {word}` finds out why. Then `{}`.", sync()));
            lines.push(format!("{} {what}", styled(BOLD, "What to do:")));
            lines
        }
        SyncState::Syncing { .. } => vec![format!(
            "The sync of {which} is still under way. `{}` shows how it ends.",
            api.command("tools endpoint list")
        )],
        SyncState::Never => vec![format!("{which} is not synced yet: `{}`.", sync())],
    };
    lines.join("\n") + "\n"
}

/// The way out where other endpoints have the same tools. It does without their addresses where those can't be had.
fn way_out(api: &Api, endpoint: &Endpoint) -> Option<String> {
    let page = || api.get(ROUTE)?.read::<Page<Endpoint>>();
    let clash = |all: &[Endpoint]| {
        let clash = Clash { of: endpoint, all, command: &|words| api.command(words) };
        let out = clash.way_out()?;
        Some([Some(out), clash.in_place_of_the_demo()].into_iter().flatten().collect::<Vec<_>>().join(" "))
    };
    // Nothing is asked for where there is no clash.
    let without = clash(&[])?;
    page().ok().and_then(|page| clash(&page.items)).or(Some(without))
}

/// How the last sync went, in a cell.
fn state(endpoint: &Endpoint) -> String {
    match &endpoint.sync {
        SyncState::Never => "never".to_owned(),
        SyncState::Syncing { .. } => "under way".to_owned(),
        SyncState::Synced { at_ms } => format!("good\n{}", clock::shown(*at_ms)),
        SyncState::Failed { at_ms, reasons, .. } => {
            format!("failed\n{}\n{}", clock::shown(*at_ms), reasons.join("\n"))
        }
    }
}

/// How many tools it has, in a cell.
fn tools(endpoint: &Endpoint) -> String {
    let all = endpoint.tools().len();
    match all - endpoint.switched_on().count() {
        0 => all.to_string(),
        off => format!("{all}, {off} off"),
    }
}

fn counted(tools: usize) -> String {
    match tools {
        0 => "no tools".to_owned(),
        1 => "1 tool".to_owned(),
        count => format!("{count} tools"),
    }
}

fn how_to_add(api: &Api) -> String {
    format!("Connect one: `{}`.", api.command("tools endpoint add URL"))
}
