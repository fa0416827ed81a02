//! The endpoint under examination: requests to it, and what their answers say.

use std::time::{Duration, Instant};

use median_edge::key::ToolSecret;
use median_edge::{MedianKey, Risk, loopback};

use super::Options;
use crate::http::Http;
use crate::json::Json;
use crate::manifest::Call;
use crate::plan::Plan;
use crate::probe::{Exchange, NOBODY};
use crate::wire::{Answer, Ask, Transport, Trouble};

/// So many requests in a row without an answer, and nothing more is sent.
const PATIENCE: usize = 3;

/// An endpoint, and how it is asked.
#[derive(Debug)]
pub(super) struct Patient {
    http: Http,
    limit: Duration,
    /// What signs; nothing is signed without it.
    pub(super) signer: Option<ToolSecret>,
    /// How far the endpoint's clock is from this machine's, as far as it matters.
    pub(super) shift_ms: i64,
    pub(super) requests: usize,
    unanswered: usize,
    started: Instant,
    time_limit: Duration,
    /// Why nothing more is sent, and no answer means anything.
    pub(super) spent: Option<Spent>,
}

/// Why nothing more is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spent {
    /// It went silent.
    Silence,
    /// The time was up.
    Time,
}

/// What an answer says.
#[derive(Clone, Copy, Debug)]
pub(super) enum Said<'a> {
    /// There is none.
    Nothing(&'a Trouble),
    /// An error in the protocol's form: its code and its message.
    Code(&'a str, &'a str),
    /// A manifest.
    Manifest,
    /// Not what an endpoint says.
    Foreign(&'a Answer),
}

impl Patient {
    pub(super) fn new(url: &str, options: &Options, signer: Option<ToolSecret>) -> Result<Self, Trouble> {
        let Options { limit, time_limit, .. } = *options;
        Ok(Self {
            http: Http::new(url, limit)?,
            limit,
            signer,
            shift_ms: 0,
            requests: 0,
            unanswered: 0,
            started: Instant::now(),
            time_limit,
            spent: None,
        })
    }

    /// Goes on at another address.
    pub(super) fn move_to(&mut self, url: &str) -> Result<(), Trouble> {
        self.http = Http::new(url, self.limit)?;
        Ok(())
    }

    pub(super) fn url(&self) -> String {
        self.http.target()
    }

    pub(super) fn is_secure(&self) -> bool {
        self.http.is_secure()
    }

    /// Whether the endpoint is on this machine.
    pub(super) fn is_loopback(&self) -> bool {
        loopback::is_host(self.http.host())
    }

    pub(super) fn send(&mut self, plan: Plan) -> Exchange {
        let now = self.now_ms();
        let ask = match &self.signer {
            Some(signer) => plan.signed(signer, now),
            None => plan.clone().unsigned().signed(&MedianKey::local().tool_secret(), now),
        };
        if self.spent.is_none() {
            let is_late = self.started.elapsed() > self.time_limit;
            let is_silent = self.unanswered >= PATIENCE;
            self.spent = is_silent.then_some(Spent::Silence).or(is_late.then_some(Spent::Time));
        }
        let answer = match self.spent {
            Some(_) => Err(Trouble::Unable("nothing more is sent")),
            None => {
                self.requests += 1;
                self.http.send(&ask)
            }
        };
        match &answer {
            Err(Trouble::TimedOut(_)) => self.unanswered += 1,
            Err(_) => {}
            Ok(_) => self.unanswered = 0,
        }
        let json = answer.as_ref().ok().and_then(|answer| Json::parse(&answer.body));
        Exchange { plan, ask, answer, json }
    }
}

/// For the checks that the doctor borrows.
impl Transport for Patient {
    fn target(&self) -> String {
        self.http.target()
    }

    fn send(&self, ask: &Ask) -> Result<Answer, Trouble> {
        self.http.send(ask)
    }

    fn now_ms(&self) -> u64 {
        self.http.now_ms().saturating_add_signed(self.shift_ms)
    }
}

impl Exchange {
    pub(super) fn said(&self) -> Said<'_> {
        match &self.answer {
            Err(trouble) => Said::Nothing(trouble),
            Ok(answer) => match self.error() {
                Some((code, message)) => Said::Code(code, message),
                None if answer.status == 200 && self.json.as_ref().is_some_and(is_manifest) => Said::Manifest,
                None => Said::Foreign(answer),
            },
        }
    }

    /// The code, when the answer is an error in the protocol's form.
    pub(super) fn code(&self) -> Option<&str> {
        self.error().map(|(code, _)| code)
    }

    /// Whether the endpoint itself says that the signature is right.
    pub(super) fn is_let_in(&self) -> bool {
        match self.said() {
            Said::Manifest => true,
            Said::Code(code, _) => lets_in(code),
            Said::Nothing(_) | Said::Foreign(_) => false,
        }
    }
}

fn is_manifest(json: &Json) -> bool {
    json.get("tools").is_some()
}

/// Whether a code comes from behind the signature.
pub(super) fn lets_in(code: &str) -> bool {
    matches!(
        code,
        "invalid_body"
            | "unknown_op"
            | "invalid_input"
            | "unknown_tool"
            | "execution_failed"
            | "diagnostics_unsupported"
    )
}

/// A call as the platform makes it, to a tool that nobody has, with a text in its input. No tool runs.
pub(super) fn call(text: &str) -> Plan {
    let input = format!(r#"{{"text":{}}}"#, crate::json::quoted(text));
    call_with(&input)
}

/// The same with an input as it is.
pub(super) fn call_with(input: &str) -> Plan {
    Plan::post(Call::new(NOBODY, "test_doctor", input, Risk::Low).json())
}
