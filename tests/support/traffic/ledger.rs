//! What was acknowledged against what is there: in the stand-in's records, in its log, and at the endpoint.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::caller::Acknowledged;
use super::kind::Kind;
use crate::stand_in::Api;

/// How often each call reached the endpoint, by its id.
pub(super) type Reached = BTreeMap<String, u32>;

/// The most things that are told of what is wrong.
const MOST_TOLD: usize = 20;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// How many of each kind are there as they were acknowledged.
    pub(super) kept: BTreeMap<Kind, u64>,
    /// What is wrong, the first of it in words.
    pub(super) wrong: Vec<String>,
    pub(super) count: u64,
}

impl Found {
    fn wrong(&mut self, what: impl FnOnce() -> String) {
        self.count += 1;
        if self.wrong.len() < MOST_TOLD {
            self.wrong.push(what());
        }
    }
}

/// Looks for everything that was acknowledged, and for what was not.
pub(super) fn compare(api: &mut Api, all: &[Acknowledged], reached: &Reached) -> Result<Found, String> {
    let mut found = Found::default();
    let mut kept = BTreeMap::new();
    let conversations: BTreeSet<_> = all.iter().map(|one| one.conversation.as_str()).collect();
    for conversation in conversations {
        for path in [
            format!("/v1/conversations/{conversation}/calls"),
            format!("/v1/tool-approvals?conversation={conversation}"),
        ] {
            for record in api.all(&path)? {
                kept.insert(id_of(&record, "id"), record);
            }
        }
    }
    let events = events(api)?;
    let happened =
        |id: &str, event: &str| events.get(&(id.to_owned(), event.to_owned())).copied().unwrap_or(0);
    for one in all {
        let Some(id) = &one.id else {
            *found.kept.entry(one.kind).or_default() += 1;
            continue;
        };
        let record = kept.remove(id).unwrap_or_default();
        let (ended, answer, begins, ends) = match one.kind {
            Kind::Approved => (&record["state"], &record["input"], "request.recorded", "request.completed"),
            Kind::Denied => (&record["state"], &record["input"], "request.recorded", "request.denied"),
            _ => (&record["outcome"]["kind"], &record["agentReads"], "call.sent", "call.finished"),
        };
        let at_endpoint = reached.get(id).copied().unwrap_or(0);
        if *ended != one.kind.ends() || *answer != one.answer {
            found.wrong(|| format!("{id} was acknowledged with {}, and is kept as {record}", one.answer));
        } else if (happened(id, begins), happened(id, ends)) != (1, 1) {
            let (begun, ended) = (happened(id, begins), happened(id, ends));
            found.wrong(|| format!("{id} is in the log {begun} times with {begins}, {ended} with {ends}"));
        } else if at_endpoint != u32::from(one.kind.is_sent()) {
            found.wrong(|| format!("{id} reached the endpoint {at_endpoint} times"));
        } else {
            *found.kept.entry(one.kind).or_default() += 1;
        }
    }
    for (id, record) in kept {
        found.wrong(|| format!("{id} is kept, and nobody was told of it: {record}"));
    }
    let acknowledged: BTreeSet<_> = all.iter().filter_map(|one| one.id.as_ref()).collect();
    for id in reached.keys().filter(|id| !acknowledged.contains(id)) {
        found.wrong(|| format!("{id} reached the endpoint, and nobody was told of it"));
    }
    Ok(found)
}

/// How often each event is in the log, by what it is about.
fn events(api: &mut Api) -> Result<BTreeMap<(String, String), u32>, String> {
    let mut events = BTreeMap::new();
    for event in api.all("/v1/logs?type=Tools")? {
        *events.entry((id_of(&event, "about"), id_of(&event, "event"))).or_default() += 1;
    }
    Ok(events)
}

fn id_of(record: &Value, member: &str) -> String {
    record[member].as_str().unwrap_or_default().to_owned()
}
