//! What to do about tools that another endpoint has already: nothing is wrong with either endpoint, and one has to go.

use median_edge_platform::domain::{Endpoint, SyncState};

use crate::curl;
use crate::text::clean;

/// The code of a sync that failed for the tools of other endpoints.
const CLASH: &str = "tool_clash";

/// The most commands that are said for one clash.
const MOST_SAID: usize = 5;

/// What a way out is made of.
pub(crate) struct Clash<'a> {
    /// The endpoint whose sync failed.
    pub(crate) of: &'a Endpoint,
    /// Every endpoint that is connected, as far as that is known.
    pub(crate) all: &'a [Endpoint],
    /// Makes of some words what is typed to say them.
    pub(crate) command: &'a dyn Fn(&str) -> String,
}

impl Clash<'_> {
    /// What removes the endpoints that are in the way, and syncs then; nothing where the sync did not fail for that.
    pub(crate) fn way_out(&self) -> Option<String> {
        let Self { of, command, .. } = self;
        if !matches!(&of.sync, SyncState::Failed { code, .. } if code == CLASH) {
            return None;
        }
        let remove = |named: &str| format!("`{}`", command(&format!("tools endpoint remove {named}")));
        let commands: Vec<_> = self.in_the_way().take(MOST_SAID).map(|other| remove(&word(other))).collect();
        let (which, commands) = match commands.as_slice() {
            [] => (
                "an endpoint that you can do without",
                format!("{}, and `{}` shows them", remove("URL"), command("tools endpoint list")),
            ),
            [_] => ("the other endpoint", commands.concat()),
            _ => ("the other endpoints", commands.join(" and ")),
        };
        let sync = command(&format!("tools sync {}", word(of)));
        Some(format!("Remove {which}: {commands}. Then `{sync}`."))
    }

    /// The way out that needs no removal, where the demo is in the way.
    pub(crate) fn in_place_of_the_demo(&self) -> Option<String> {
        let is_demo = self.in_the_way().any(|other| other.demo);
        let (program, url) = (curl::program(), word(self.of));
        is_demo.then(|| format!("Or start `{program} dev --endpoint {url}`, in place of the demo."))
    }

    /// The endpoints that have the tools. A reason ends with the address of one, as the stand-in shows it.
    fn in_the_way(&self) -> impl Iterator<Item = &Endpoint> {
        let reasons = match &self.of.sync {
            SyncState::Failed { reasons, .. } => reasons.as_slice(),
            _ => &[],
        };
        self.all.iter().filter(move |other| {
            let end = format!(" of {} already.", other.shown_url());
            other.id != self.of.id && reasons.iter().any(|reason| reason.ends_with(&end))
        })
    }
}

/// An endpoint's address as it is typed.
fn word(endpoint: &Endpoint) -> String {
    curl::word(&clean(&endpoint.url))
}

#[cfg(test)]
mod tests {
    use super::Clash;
    use median_edge_platform::domain::Endpoint;
    use serde_json::{Value, json};

    fn endpoint(id: &str, url: &str, demo: bool, sync: &Value) -> Endpoint {
        let endpoint = json!({"id": id, "url": url, "demo": demo, "ownKey": false, "connectedMs": 1, "sync": sync,
            "synced": null, "switchedOff": [], "recentSyncsMs": []});
        serde_json::from_value(endpoint).unwrap()
    }

    fn said(code: &str, reasons: &[&str]) -> (Option<String>, Option<String>) {
        let failed = json!({"state": "failed", "atMs": 1, "code": code, "reasons": reasons});
        let never = json!({"state": "never"});
        let mine = endpoint("endpoint_0", "http://mine/", false, &failed);
        let others = [("1", "http://a/", true), ("2", "http://b/?c&d", false), ("3", "http://c/", false)];
        let others = others.map(|(id, url, demo)| endpoint(id, url, demo, &never));
        let clash = Clash { of: &mine, all: &others, command: &|words| format!("me {words}") };
        (clash.way_out(), clash.in_place_of_the_demo())
    }

    const AT_A: &str = r#""x" is a tool of http://a/ already."#;
    const AT_B: &str = r#""y" is a tool of http://b/ already."#;

    #[test]
    fn the_endpoints_that_have_the_tools_are_named_once() {
        let (out, dev) = said("tool_clash", &[AT_A, AT_A]);
        assert_eq!(
            out.unwrap(),
            "Remove the other endpoint: `me tools endpoint remove http://a/`. Then `me tools sync http://mine/`."
        );
        assert!(dev.unwrap().contains(" dev --endpoint http://mine/`, in place of the demo."));
        let (out, _) = said("tool_clash", &[AT_A, AT_B]);
        let out = out.unwrap();
        assert!(
            out.starts_with(
                "Remove the other endpoints: `me tools endpoint remove http://a/` and `me tools endpoint remove \
                 'http://b/?c&d'`. "
            ),
            "{out}"
        );
    }

    #[test]
    fn only_the_demo_is_replaced_by_starting_anew() {
        let (out, dev) = said("tool_clash", &[AT_B]);
        assert!(out.is_some() && dev.is_none());
    }

    #[test]
    fn where_none_is_named_they_can_be_listed() {
        let (out, dev) = said("tool_clash", &["All endpoints together would have 21 tools; 20 is the most."]);
        assert_eq!(
            out.unwrap(),
            "Remove an endpoint that you can do without: `me tools endpoint remove URL`, and `me tools endpoint list` shows \
             them. Then `me tools sync http://mine/`."
        );
        assert_eq!(dev, None);
    }

    #[test]
    fn a_sync_that_failed_for_another_reason_has_another_way_out() {
        assert_eq!(said("endpoint_error", &[AT_A]).0, None);
    }
}
