//! What was acknowledged against what is there: in the stand-in's records, in its log, and at the endpoint.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::caller::Acknowledged;
use super::kind::Kind;
use crate::stand_in::Api;

/// How often each call reached the endpoint, by its id.
pub(super) type Reached = BTreeMap<String, u32>;

/// How often each event is in the log, by what it is about and by its name.
type Events = BTreeMap<(String, String), u32>;

/// The most things that are told of what is wrong.
const MOST_TOLD: usize = 20;

/// How many events the log keeps at least, as LOG-2 of docs/platform.md says. With fewer in it, none was taken out.
const LOG_KEEPS: usize = 20_000;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// How many of each kind are there as they were acknowledged.
    pub(super) kept: BTreeMap<Kind, u64>,
    /// What is wrong, the first of it in words.
    pub(super) wrong: Vec<String>,
    pub(super) count: u64,
    /// How many of those that are there began before the log does.
    pub(super) before_the_log: u64,
}

impl Found {
    fn wrong(&mut self, what: impl FnOnce() -> String) {
        self.count += 1;
        if self.wrong.len() < MOST_TOLD {
            self.wrong.push(what());
        }
    }
}

/// What the stand-in has: its records by their ids, and its log.
#[derive(Clone, Debug, Default)]
struct Kept {
    records: BTreeMap<String, Value>,
    events: Events,
    /// The log has everything after this moment, in Unix milliseconds. It keeps the newest events alone.
    log_after_ms: u64,
}

/// Looks for everything that was acknowledged, and for what was not.
pub(super) fn compare(api: &mut Api, all: &[Acknowledged], reached: &Reached) -> Result<Found, String> {
    let mut records = BTreeMap::new();
    let conversations: BTreeSet<_> = all.iter().map(|one| one.conversation.as_str()).collect();
    for conversation in conversations {
        for path in [
            format!("/v1/conversations/{conversation}/calls"),
            format!("/v1/tool-approvals?conversation={conversation}"),
        ] {
            for record in api.all(&path)? {
                records.insert(text(&record, "id"), record);
            }
        }
    }
    let (events, log_after_ms) = log(api)?;
    Ok(judge(all, Kept { records, events, log_after_ms }, reached))
}

fn judge(all: &[Acknowledged], mut kept: Kept, reached: &Reached) -> Found {
    let mut found = Found::default();
    for one in all {
        let Some(id) = &one.id else {
            *found.kept.entry(one.kind).or_default() += 1;
            continue;
        };
        let record = kept.records.remove(id).unwrap_or_default();
        let (ended, answer, began, begins, ends) = match one.kind {
            Kind::Approved | Kind::Denied => {
                let ends = if one.kind == Kind::Approved { "request.completed" } else { "request.denied" };
                (&record["state"], &record["input"], &record["createdMs"], "request.recorded", ends)
            }
            _ => {
                let (ended, answer) = (&record["outcome"]["kind"], &record["agentReads"]);
                (ended, answer, &record["sentMs"], "call.sent", "call.finished")
            }
        };
        // What began in the same millisecond as the log may have lost its beginning.
        let is_in_log = began.as_u64().is_none_or(|began_ms| began_ms > kept.log_after_ms);
        let happened = [begins, ends]
            .map(|event| kept.events.get(&(id.to_owned(), event.to_owned())).copied().unwrap_or_default());
        let at_endpoint = reached.get(id).copied().unwrap_or_default();
        if *ended != one.kind.ends() || *answer != one.answer {
            found.wrong(|| format!("{id} was acknowledged with {}, and is kept as {record}", one.answer));
        } else if is_in_log && happened != [1, 1] {
            found.wrong(|| format!("{id} is in the log {happened:?} times with {begins} and {ends}"));
        } else if at_endpoint != u32::from(one.kind.is_sent()) {
            found.wrong(|| format!("{id} reached the endpoint {at_endpoint} times"));
        } else {
            *found.kept.entry(one.kind).or_default() += 1;
            found.before_the_log += u64::from(!is_in_log);
        }
    }
    for (id, record) in kept.records {
        found.wrong(|| format!("{id} is kept, and nobody was told of it: {record}"));
    }
    let acknowledged: BTreeSet<_> = all.iter().filter_map(|one| one.id.as_ref()).collect();
    for id in reached.keys().filter(|id| !acknowledged.contains(id)) {
        found.wrong(|| format!("{id} reached the endpoint, and nobody was told of it"));
    }
    found
}

/// The log, and the moment after which it has everything.
fn log(api: &mut Api) -> Result<(Events, u64), String> {
    let all = api.all("/v1/logs")?;
    let first = if all.len() < LOG_KEEPS { None } else { all.first() };
    let after_ms = first.and_then(|event| event["atMs"].as_u64()).unwrap_or_default();
    let mut events = Events::new();
    for event in all {
        *events.entry((text(&event, "about"), text(&event, "event"))).or_default() += 1;
    }
    Ok((events, after_ms))
}

fn text(record: &Value, member: &str) -> String {
    record[member].as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Acknowledged, Found, Kept, Kind, Reached, judge};

    fn acknowledged(kind: Kind, id: &str, answer: &str) -> Acknowledged {
        let conversation = "conv_1".to_owned();
        Acknowledged { kind, id: Some(id.to_owned()), conversation, answer: json!(answer) }
    }

    /// A call that was answered and a request that was denied, with everything as it has to be once it was changed.
    fn judged(change: impl FnOnce(&mut Kept, &mut Reached)) -> Found {
        let all = [acknowledged(Kind::Low, "call_1", "{}"), acknowledged(Kind::Denied, "apr_1", "{}")];
        let call = json!({ "outcome": { "kind": "data" }, "agentReads": "{}", "sentMs": 5 });
        let request = json!({ "state": "denied", "input": "{}", "createdMs": 6 });
        let records = [("call_1", call), ("apr_1", request)];
        let events = [
            ("call_1", "call.sent"),
            ("call_1", "call.finished"),
            ("apr_1", "request.recorded"),
            ("apr_1", "request.denied"),
        ];
        let mut kept = Kept {
            records: records.map(|(id, record)| (id.to_owned(), record)).into(),
            events: events.map(|(id, event)| ((id.to_owned(), event.to_owned()), 1)).into(),
            log_after_ms: 0,
        };
        let mut reached: Reached = [("call_1".to_owned(), 1)].into();
        change(&mut kept, &mut reached);
        judge(&all, kept, &reached)
    }

    #[test]
    fn what_is_as_it_was_acknowledged_is_found() {
        let found = judged(|_, _| ());
        assert_eq!((found.count, found.kept.values().sum::<u64>()), (0, 2), "{found:?}");
    }

    #[test]
    fn whatever_is_not_is_wrong() {
        type Change = fn(&mut Kept, &mut Reached);
        let changes: [(&str, Change); 8] = [
            ("lost", |kept, _| drop(kept.records.remove("call_1"))),
            ("another answer", |kept, _| kept.records.get_mut("call_1").unwrap()["agentReads"] = json!("x")),
            ("another end", |kept, _| kept.records.get_mut("apr_1").unwrap()["state"] = json!("pending")),
            ("not in the log", |kept, _| drop(kept.events.pop_first())),
            ("twice in the log", |kept, _| *kept.events.values_mut().next().unwrap() += 1),
            ("sent twice", |_, reached| *reached.get_mut("call_1").unwrap() += 1),
            ("sent all the same", |_, reached| *reached.entry("apr_1".to_owned()).or_default() += 1),
            ("nobody was told", |kept, _| drop(kept.records.insert("call_2".to_owned(), Value::Null))),
        ];
        for (what, change) in changes {
            let found = judged(change);
            assert_eq!((found.count, found.wrong.len()), (1, 1), "{what}: {found:?}");
        }
        let found = judged(|_, reached| *reached.entry("call_9".to_owned()).or_default() += 1);
        assert_eq!(found.count, 1, "{found:?}");
    }

    #[test]
    fn what_began_before_the_log_does_is_not_looked_for_in_it() {
        let without_events = |log_after_ms| {
            judged(|kept, _| {
                kept.events.clear();
                kept.log_after_ms = log_after_ms;
            })
        };
        assert_eq!(without_events(0).count, 2);
        let found = without_events(5);
        assert_eq!((found.count, found.before_the_log), (1, 1), "{found:?}");
        let found = without_events(6);
        assert_eq!((found.count, found.before_the_log), (0, 2), "{found:?}");
    }
}
