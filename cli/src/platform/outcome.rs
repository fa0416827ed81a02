//! How a call ended, and what the agent reads of it.

use anstyle::Style;
use median_edge_platform::domain::limits::WAIT_SECONDS;
use median_edge_platform::domain::{Call, Outcome, ToolRisk};

use super::api::Api;
use crate::call::up_to_the_cut;
use crate::curl;
use crate::terminal::{BAD, BOLD, CAUTION, GOOD, styled};
use crate::text::{clean, start_of};

/// The most characters of a reason, or of what is for the team alone.
const LONGEST_SHOWN: usize = 4_000;

/// A call that is back, or is not.
#[derive(Debug)]
pub(super) struct Ended<'a> {
    pub(super) tool: &'a str,
    pub(super) risk: ToolRisk,
    /// How long it was out, in milliseconds.
    pub(super) took_ms: Option<u64>,
    pub(super) outcome: Option<&'a Outcome>,
}

impl<'a> Ended<'a> {
    pub(super) fn of(call: &'a Call) -> Self {
        Self {
            tool: &call.tool,
            risk: call.risk,
            took_ms: call.finished_ms.map(|at| at.saturating_sub(call.sent_ms)),
            outcome: call.outcome.as_ref(),
        }
    }

    /// Whether the tool did what it was asked.
    pub(super) fn is_good(&self) -> bool {
        matches!(self.outcome, Some(Outcome::Data { .. }))
    }

    /// For people.
    pub(super) fn shown(&self, api: &Api) -> String {
        let Some(outcome) = self.outcome else {
            let tool = clean(self.tool);
            return format!("{tool} did not answer within {WAIT_SECONDS} seconds, and may still do so.\n");
        };
        let mut lines = vec![self.head(outcome)];
        match outcome {
            Outcome::Data { text, characters, navigate_to, highlight, .. } => {
                lines.push("The agent reads this and answers from it.\n".to_owned());
                lines.push(up_to_the_cut(text, *characters));
                let directives =
                    [("The widget shows a button to:", navigate_to), ("The widget highlights:", highlight)];
                let directives =
                    directives.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
                let directives: Vec<_> = directives
                    .map(|(name, value)| format!("{} {}", styled(BOLD, name), clean(value)))
                    .collect();
                if !directives.is_empty() {
                    lines.push(String::new());
                    lines.extend(directives);
                }
            }
            outcome => lines.push(format!("\nThe agent reads:\n\n{}", self::lines(&outcome.agent_reads()))),
        }
        if let Outcome::NotAnswering { why } = outcome {
            let why = start_of(why, LONGEST_SHOWN);
            lines.push(format!("\n{} {why}", styled(BOLD, "For you alone:")));
            lines.push(format!(
                "{} `{}` has the endpoint's address, and `{} doctor` with it finds out why it does not answer.",
                styled(BOLD, "What to do:"),
                api.command("tools endpoint list"),
                curl::program()
            ));
        }
        lines.join("\n") + "\n"
    }

    fn head(&self, outcome: &Outcome) -> String {
        let (style, word): (Style, _) = match outcome {
            Outcome::Data { .. } => (GOOD, "Result".to_owned()),
            Outcome::Refusal { reason, .. } => (CAUTION, format!("Refused, {}", start_of(reason, 200))),
            Outcome::Failed { .. } => (BAD, "Failed".to_owned()),
            Outcome::InvalidInput { .. } => (CAUTION, "Input refused".to_owned()),
            Outcome::NotAnswering { .. } => (BAD, "Not answering".to_owned()),
        };
        let took = self.took_ms.map(|took| format!(", {took} ms")).unwrap_or_default();
        format!("{} {} ({}{took})", styled(style, &format!("{word}:")), clean(self.tool), self.risk.as_str())
    }
}

/// Text with its lines, each of which does nothing but show itself.
pub(super) fn lines(text: &str) -> String {
    text.lines().map(|line| start_of(line, LONGEST_SHOWN)).collect::<Vec<_>>().join("\n")
}
