//! `tools approvals`: the requests that wait for a decision, and deciding them.

use median_edge_platform::domain::{Approval, ApprovalState, Expired, VerdictKind, Visitor};
use serde::Serialize;

use super::api::{Api, Document, Page};
use super::options::{ApprovalsOptions, Decision};
use super::outcome::Ended;
use super::print;
use crate::failure::{Exit, Failure};
use crate::http::segment;
use crate::terminal::{BAD, BOLD, CAUTION, DIM, GOOD, styled};
use crate::text::{clean, start_of};
use crate::{clock, json};

const ROUTE: &str = "/v1/tool-approvals";

/// The most characters of what somebody wrote about a request.
const LONGEST_SHOWN: usize = 2_000;

/// Shows requests, each with the input that it is bound to.
pub(super) fn list(api: &Api, options: &ApprovalsOptions, as_json: bool) -> Result<Exit, Failure> {
    let ApprovalsOptions { status, conversation, limit, .. } = options;
    let mut path = format!("{ROUTE}?limit={limit}");
    if status != "all" {
        path.extend(["&status=", &segment(status)]);
    }
    if let Some(conversation) = conversation {
        path.extend(["&conversation=", &segment(conversation)]);
    }
    let document = api.get(&path)?;
    let page: Page<Approval> = document.read()?;
    print(&document.0, as_json, || shown(api, &page, status))?;
    Ok(Exit::Good)
}

fn shown(api: &Api, page: &Page<Approval>, status: &str) -> String {
    if page.items.is_empty() {
        let word = if status == "all" { String::new() } else { format!(" {}", clean(status)) };
        let more = if status == "open" { " --status all shows those that were decided." } else { "" };
        return format!("There is no{word} request.{more}\n");
    }
    let mut parts: Vec<_> = page.items.iter().map(request).collect();
    if page.next.is_some() {
        parts.push(
            "There are more: --limit shows up to 200, and --conversation those of one conversation.\n"
                .to_owned(),
        );
    }
    if page.items.iter().any(|approval| approval.state.is_undecided()) {
        parts.push(format!(
            "{} {}, or deny in the place of approve\n",
            styled(BOLD, "To decide one:"),
            api.command("tools approvals approve ID")
        ));
    }
    parts.join("\n")
}

/// A request, for people.
fn request(approval: &Approval) -> String {
    let Approval { id, tool, conversation, risk, .. } = approval;
    let style = match approval.state {
        state if state.is_undecided() => CAUTION,
        ApprovalState::Completed => GOOD,
        ApprovalState::Executing => BOLD,
        _ => DIM,
    };
    let head = format!("{} {} ({})", styled(style, approval.state.as_str()), clean(tool), risk.as_str());
    let mut lines = vec![
        ("id", clean(id)),
        ("input", exact(&approval.input)),
        ("visitor", visitor(&approval.visitor)),
        ("conversation", clean(conversation)),
        ("recorded", clock::shown(approval.created_ms)),
    ];
    if approval.state.is_undecided() {
        lines.push(("expires", clock::shown(approval.expires_ms)));
    }
    if let Some(review) = &approval.review {
        let verdict = match review.verdict {
            VerdictKind::Approve => "approve",
            VerdictKind::Escalate => "escalate",
            VerdictKind::None => "none",
        };
        lines.push(("reviewer", format!("{verdict}: {}", start_of(&review.reason, LONGEST_SHOWN))));
    }
    if let Some(decider) = &approval.decided_by {
        lines.push(("decided by", start_of(decider.approved_by(), 400)));
    }
    if let Some(error) = why_not(approval) {
        lines.push(("did not run", error));
    }
    let lines = lines.into_iter().map(|(name, value)| format!("  {name:<13} {value}\n"));
    format!("{head}\n{}", lines.collect::<String>())
}

/// The whole input, as it will be sent. White space between its members is all that is another here: a thousand blank lines,
/// or as many spaces, would push what is around them off the screen.
fn exact(input: &str) -> String {
    json::safe(&json::one_line(input))
}

fn visitor(visitor: &Visitor) -> String {
    let who = match (&visitor.external_id, visitor.verified) {
        (Some(id), true) => format!("{}, verified", start_of(id, 400)),
        _ => "not verified".to_owned(),
    };
    let said: Vec<_> =
        [&visitor.name, &visitor.email].into_iter().flatten().map(|text| start_of(text, 400)).collect();
    if said.is_empty() { who } else { format!("{who}; says to be {}", said.join(", ")) }
}

/// Why the call did not run.
fn why_not(approval: &Approval) -> Option<String> {
    let error = approval.error.as_deref().or(approval.expired.map(Expired::message));
    error.map(|error| start_of(error, LONGEST_SHOWN))
}

/// Lets a request run, and waits for how it ends.
pub(super) fn approve(api: &Api, decision: &Decision, as_json: bool) -> Result<Exit, Failure> {
    let document = decide(api, decision, "approve")?;
    let approval: Approval = document.read()?;
    let ended = Ended {
        tool: &approval.tool,
        risk: approval.risk,
        took_ms: approval.started_ms.zip(approval.finished_ms).map(|(from, to)| to.saturating_sub(from)),
        outcome: approval.outcome.as_ref(),
    };
    print(&document.0, as_json, || {
        let head = format!("Approved: {}\n", about(&approval));
        match (why_not(&approval), &approval.outcome) {
            (Some(error), None) => format!("{head}{} {error}\n", styled(BAD, "It did not run:")),
            _ => format!("{head}{}", ended.shown(api)),
        }
    })?;
    let ran = approval.state == ApprovalState::Completed && ended.is_good();
    Ok(if ran { Exit::Good } else { Exit::Answered })
}

/// Turns a request down.
pub(super) fn deny(api: &Api, decision: &Decision, as_json: bool) -> Result<Exit, Failure> {
    let document = decide(api, decision, "deny")?;
    let approval: Approval = document.read()?;
    print(&document.0, as_json, || {
        format!("Denied: {}\nIt does not run, and the agent is told so.\n", about(&approval))
    })?;
    Ok(Exit::Good)
}

fn decide(api: &Api, decision: &Decision, word: &str) -> Result<Document, Failure> {
    #[derive(Serialize)]
    struct ByTeammate<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        teammate: Option<&'a str>,
    }
    let path = format!("{ROUTE}/{}/{word}", segment(&decision.id));
    let body = json::line(&ByTeammate { teammate: decision.teammate.as_deref() });
    api.post(&path, &body).map_err(|failure| match failure.code.as_str() {
        "not_found" => {
            failure.hint(format!("`{}` shows the requests that are open.", api.command("tools approvals")))
        }
        _ => failure,
    })
}

fn about(approval: &Approval) -> String {
    let by =
        approval.decided_by.as_ref().map(|decider| format!(", by {}", start_of(decider.approved_by(), 400)));
    format!("{} ({}){}", clean(&approval.tool), clean(&approval.id), by.unwrap_or_default())
}
