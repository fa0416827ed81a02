//! Syncs: when one begins, and what its answer changes.

use super::super::answer::Answer;
use super::super::conversation::{Turn, TurnState};
use super::super::effect::Effect;
use super::super::endpoint::{Endpoint, GoodSync, SyncState};
use super::super::json::Members;
use super::super::limits::{MINUTE_MS, SYNCS_A_MINUTE, TOOLS_IN_ALL};
use super::super::manifest::{self, Manifest, Unacceptable};
use super::super::problem::{Code, Problem};
use super::super::records::Select;
use super::super::report::LogType;
use super::super::text::first;
use super::{About, Desk};

/// What is said over the rate limit.
const TOO_MANY: &str = "Too many requests. Wait a moment and try again.";

impl Desk<'_> {
    /// Syncs an endpoint.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`], [`Code::RateLimited`].
    pub fn sync(&mut self, endpoint: &str) -> Result<Endpoint, Problem> {
        let mut endpoint = self.endpoint_of(endpoint)?;
        self.start_sync(&mut endpoint)?;
        Ok(endpoint)
    }

    /// Begins a sync, or joins the one that is under way.
    pub(super) fn start_sync(&mut self, endpoint: &mut Endpoint) -> Result<(), Problem> {
        if matches!(endpoint.sync, SyncState::Syncing { .. }) {
            return Ok(());
        }
        let now = self.now_ms;
        endpoint.recent_syncs_ms.retain(|at| now.saturating_sub(*at) < MINUTE_MS);
        if endpoint.recent_syncs_ms.len() >= SYNCS_A_MINUTE {
            return Err(Problem::new(Code::RateLimited, TOO_MANY));
        }
        endpoint.recent_syncs_ms.push(now);
        let attempt = self.id("sync_");
        endpoint.sync = SyncState::Syncing { since_ms: now, attempt: attempt.clone() };
        self.put(endpoint)?;
        let about = About { endpoint: Some(&endpoint.id), id: Some(&attempt), ..About::default() };
        self.log(
            LogType::Tools,
            "sync.started",
            &about,
            format!("{} is asked for its manifest.", endpoint.shown_url()),
        )?;
        let (endpoint, url) = (endpoint.id.clone(), endpoint.url.clone());
        self.effects.push(Effect::Sync { endpoint, url, attempt });
        Ok(())
    }

    /// Takes the answer to a sync. A manifest replaces the old one only when it is acceptable.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    pub fn sync_answered(&mut self, endpoint: &str, attempt: &str, answer: &Answer) -> Result<(), Problem> {
        let Some(mut endpoint) = self.get::<Endpoint>(endpoint)? else {
            return Ok(()); // It was removed meanwhile.
        };
        if !matches!(&endpoint.sync, SyncState::Syncing { attempt: current, .. } if current == attempt) {
            return Ok(());
        }
        let read = match read(answer) {
            Ok(manifest) => self.fits_with_others(&endpoint.id, manifest)?,
            Err(bad) => Err(bad),
        };
        let at_ms = self.now_ms;
        let (event, text) = match read {
            Ok(Manifest { tools, diagnostics, warnings }) => {
                let text = format!("{} has {}.", endpoint.shown_url(), counted(tools.len()));
                endpoint.synced = Some(GoodSync { at_ms, tools, diagnostics, warnings });
                endpoint.sync = SyncState::Synced { at_ms };
                ("sync.good", text)
            }
            Err(Unacceptable { code, reasons }) => {
                let text = format!("Sync failed: {}", reasons.join(" "));
                endpoint.sync = SyncState::Failed { at_ms, code: code.to_owned(), reasons };
                ("sync.failed", text)
            }
        };
        self.put(&endpoint)?;
        let about = About { endpoint: Some(&endpoint.id), id: Some(attempt), ..About::default() };
        self.log(LogType::Tools, event, &about, text)?;
        self.release_turns(&endpoint.id)
    }

    /// What holds across the organization: so many tools, each name once.
    fn fits_with_others(
        &self,
        endpoint: &str,
        manifest: Manifest,
    ) -> Result<Result<Manifest, Unacceptable>, Problem> {
        let others: Vec<_> = self.all_endpoints()?.into_iter().filter(|other| other.id != endpoint).collect();
        let mut reasons = Vec::new();
        let count = manifest.tools.len() + others.iter().map(|other| other.tools().len()).sum::<usize>();
        if count > TOOLS_IN_ALL {
            reasons.push(format!(
                "All endpoints together would have {count} tools; {TOOLS_IN_ALL} is the most."
            ));
        }
        for tool in &manifest.tools {
            if let Some(other) =
                others.iter().find(|other| other.tools().iter().any(|own| own.name == tool.name))
            {
                let (name, url) = (first(&tool.name, 64).0, other.shown_url());
                reasons.push(format!("{name:?} is a tool of {url} already."));
            }
        }
        Ok(if reasons.is_empty() { Ok(manifest) } else { Err(Unacceptable { code: "tool_clash", reasons }) })
    }

    /// Lets go the turns that waited for an endpoint's sync.
    pub(super) fn release_turns(&mut self, endpoint: &str) -> Result<(), Problem> {
        for mut turn in self.find::<Turn>(&Select { states: &["waiting"], ..Select::default() })? {
            let before = turn.waits_for.len();
            turn.waits_for.retain(|id| id != endpoint);
            if turn.waits_for.is_empty() {
                self.open_turn(&mut turn)?;
            } else if turn.waits_for.len() != before {
                self.put(&turn)?;
            }
        }
        Ok(())
    }

    /// Gives a turn the tools of the last good syncs that are switched on.
    pub(super) fn open_turn(&mut self, turn: &mut Turn) -> Result<(), Problem> {
        turn.tools = self.agent_tools()?;
        turn.state = TurnState::Open;
        self.put(turn)?;
        let about = About { conversation: Some(&turn.conversation), id: Some(&turn.id), ..About::default() };
        let text = format!("The agent sees {}.", counted(turn.tools.len()));
        self.log(LogType::Conversations, "turn.open", &about, text)
    }
}

/// So many tools, in words.
fn counted(tools: usize) -> String {
    match tools {
        1 => "1 tool".to_owned(),
        count => format!("{count} tools"),
    }
}

/// Reads what an endpoint answered to a signed GET.
fn read(answer: &Answer) -> Result<Manifest, Unacceptable> {
    let bad = |code, reason: String| Err(Unacceptable { code, reasons: vec![reason] });
    let (status, body) = match answer {
        Answer::Http { status, body } => (*status, body),
        Answer::None { why } => return bad("not_answering", why.clone()),
    };
    if status == 200 {
        return manifest::read(body);
    }
    let text = String::from_utf8_lossy(body);
    let error = Members::parse(&text).and_then(|members| Members::parse(members.get("error")?));
    let said = error.and_then(|error| Some((error.text("code")?, error.text("message")?)));
    match said {
        Some((code, message)) => {
            let (code, message) = (first(&code, 64).0, first(&message, 1_000).0);
            bad("endpoint_error", format!("The endpoint answered {status} {code}: {message}"))
        }
        None => bad("endpoint_error", format!("The endpoint answered {status}, and not with a manifest.")),
    }
}
