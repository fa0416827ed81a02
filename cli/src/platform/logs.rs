//! `logs`: what happened, and with `--follow` what happens.

use std::thread;
use std::time::{Duration, Instant};

use median_edge_platform::domain::{Code, LogEvent, LogType};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::api::{Api, Document, LIMIT_SECONDS, Page};
use super::options::LogsOptions;
use super::{endpoints, print};
use crate::failure::{Exit, Failure};
use crate::http::{as_kept, segment};
use crate::terminal::{DIM, styled};
use crate::text::{clean, start_of};
use crate::{clock, json, terminal};

/// How often the log is looked at. Events on the wire are neither filtered nor sent again, so a listener would have to look
/// too.
const LOOKS_EVERY: Duration = Duration::from_millis(300);

/// The most events of a page.
const LARGEST_PAGE: u64 = 200;

/// The most characters of an event that are shown.
const LONGEST_SHOWN: usize = 2_000;

/// An event as it came, with what it is known by.
#[derive(Debug)]
struct Event {
    raw: Box<RawValue>,
    id: String,
}

impl Event {
    /// On a line, for programs or for people.
    fn shown(&self, as_json: bool) -> Result<String, Failure> {
        if as_json {
            return Ok(json::safe(&json::compact(self.raw.get())) + "\n");
        }
        Ok(line(&Document(self.raw.get().to_owned()).read()?))
    }
}

/// Shows the newest events, the oldest of them first.
pub(super) fn show(api: &Api, options: &LogsOptions, as_json: bool) -> Result<Exit, Failure> {
    let document = api.get(&path(&filters(api, options)?, options.limit, None))?;
    let page: Page<LogEvent> = document.read()?;
    print(&document.0, as_json, || {
        if page.items.is_empty() {
            return "No event is in the log that fits.\n".to_owned();
        }
        page.items.iter().rev().map(line).collect()
    })?;
    Ok(Exit::Good)
}

/// Shows the newest events, and each that comes after them, until somebody stops it or the stand-in.
pub(super) fn follow(api: &Api, options: &LogsOptions, as_json: bool) -> Result<Exit, Failure> {
    let filters = filters(api, options)?;
    let mut seen = None;
    let (mut events, _) = page(&api.get(&path(&filters, options.limit, None))?)?;
    loop {
        seen = events.first().map(|event| event.id.clone()).or(seen);
        events.reverse();
        let text = events.iter().map(|event| event.shown(as_json)).collect::<Result<String, _>>()?;
        if !text.is_empty() && !terminal::stream(&text)? {
            return Ok(Exit::Good);
        }
        thread::sleep(LOOKS_EVERY);
        let asked = Instant::now();
        events = match after(api, &filters, seen.as_deref()) {
            Err(failure) if is_end(&failure, asked.elapsed()) => {
                terminal::note("The stand-in has stopped, and the log ends here.");
                return Ok(Exit::Good);
            }
            events => events?,
        };
    }
}

/// Whether it is the stand-in's end that the log could not be had. One that hangs is no end: it takes all the time there is.
fn is_end(failure: &Failure, took: Duration) -> bool {
    match failure.code.as_str() {
        "unreachable" => took < Duration::from_secs(LIMIT_SECONDS),
        code => code == Code::Stopping.as_str(),
    }
}

/// What came after the event of this id, the newest first: page by page, back to that event, or to the log's beginning when
/// there was none before or when another stand-in has taken the place of that one.
fn after(api: &Api, filters: &str, seen: Option<&str>) -> Result<Vec<Event>, Failure> {
    let (mut events, mut before) = (Vec::new(), None);
    loop {
        let (newer, next) = page(&api.get(&path(filters, LARGEST_PAGE, before))?)?;
        for event in newer {
            if Some(event.id.as_str()) == seen {
                return Ok(events);
            }
            events.push(event);
        }
        before = next;
        if before.is_none() {
            return Ok(events);
        }
    }
}

fn page(document: &Document) -> Result<(Vec<Event>, Option<u64>), Failure> {
    #[derive(Deserialize)]
    struct Known {
        id: String,
    }
    let page: Page<Box<RawValue>> = document.read()?;
    let event = |raw: Box<RawValue>| {
        let Known { id } = Document(raw.get().to_owned()).read()?;
        Ok(Event { raw, id })
    };
    Ok((page.items.into_iter().map(event).collect::<Result<_, Failure>>()?, page.next))
}

/// The filters as a query.
fn filters(api: &Api, options: &LogsOptions) -> Result<String, Failure> {
    // An id may be of an endpoint that was removed since.
    let endpoint = match options.endpoint.as_deref() {
        Some(url) if as_kept(url).is_some() => Some(endpoints::find(api, url)?.id),
        endpoint => endpoint.map(str::to_owned),
    };
    // The API spells them in one way, and says which there are when it is none of them.
    let kind = options.kind.as_deref().map(|kind| {
        let known =
            LogType::ALL.iter().map(|known| known.as_str()).find(|known| known.eq_ignore_ascii_case(kind));
        known.unwrap_or(kind).to_owned()
    });
    let filters = [
        ("type", &kind),
        ("endpoint", &endpoint),
        ("tool", &options.tool),
        ("conversation", &options.conversation),
    ];
    let filter =
        |(name, value): (&str, &Option<String>)| Some(format!("&{name}={}", segment(value.as_ref()?)));
    Ok(filters.into_iter().filter_map(filter).collect())
}

fn path(filters: &str, limit: u64, before: Option<u64>) -> String {
    let before = before.map(|before| format!("&before={before}")).unwrap_or_default();
    format!("/v1/logs?limit={limit}{filters}{before}")
}

/// An event on a line.
fn line(event: &LogEvent) -> String {
    let about: Vec<_> =
        [&event.about, &event.conversation].into_iter().flatten().map(|id| clean(id)).collect();
    let about = if about.is_empty() { String::new() } else { format!("  {}", styled(DIM, &about.join(" "))) };
    let (time, name) = (styled(DIM, &clock::shown(event.at_ms)), clean(&event.event));
    format!("{time}  {name:<18} {}{about}\n", start_of(&event.text, LONGEST_SHOWN))
}
