//! What a check works with: requests signed and sent, answers compared, and what was wrong with them.

use std::time::{Duration, Instant};

use median_edge::key::ToolSecret;
use median_edge::{Code, Risk};

use crate::check::{Check, Run, Skip};
use crate::json::{Json, quoted};
use crate::manifest::{Call, Manifest, Tool};
use crate::plan::Plan;
use crate::report::Finding;
use crate::run::{Ended, Options};
use crate::wire::{Answer, Ask, Feature, Framing, Transport, Trouble};

/// A name that no endpoint has a tool or an operation for.
pub(crate) const NOBODY: &str = "medianEdgeCheckNobody";

/// A signed body that gets in and runs nothing: its operation does not exist.
pub(crate) const UNKNOWN_OP: &str = r#"{"op":"medianEdgeCheckNobody"}"#;

/// What a signature that does not hold is answered with.
const SIGNATURE_CODES: [&str; 4] =
    ["missing_signature", "malformed_signature", "stale_timestamp", "invalid_signature"];

/// How many failures of one check are kept.
const KEPT: usize = 3;

/// So many requests in a row without an answer, and the endpoint counts as gone.
const PATIENCE: usize = 3;

/// A request and its answer.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    pub(crate) plan: Plan,
    pub(crate) ask: Ask,
    pub(crate) answer: Result<Answer, Trouble>,
    /// The body, when it is JSON.
    pub(crate) json: Option<Json>,
}

impl Exchange {
    /// The code and the message, when the answer is an error in the protocol's form.
    pub(crate) fn error(&self) -> Option<(&str, &str)> {
        let error = self.json.as_ref()?.get("error")?;
        Some((error.get("code")?.text()?, error.get("message").and_then(Json::text).unwrap_or_default()))
    }

    pub(crate) fn status(&self) -> Option<u16> {
        self.answer.as_ref().ok().map(|answer| answer.status)
    }

    /// The value under `result`, when that is the answer.
    pub(crate) fn result(&self) -> Option<&Json> {
        self.json.as_ref()?.get("result")
    }

    /// What came, on one line.
    pub(crate) fn shown(&self) -> String {
        self.answer.as_ref().map_or_else(ToString::to_string, Answer::shown)
    }
}

/// What should come.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expected {
    /// 200 with a manifest.
    Manifest,
    /// An error of this code. Its form and its status have checks of their own.
    Code(Code),
    /// An error of one of these codes.
    OneOf(&'static [Code]),
    /// Whatever an endpoint answers to a request whose signature it accepts.
    Accepted,
    /// A tool's own answer: a result, or `execution_failed`.
    Ran,
}

impl Expected {
    fn fits(self, exchange: &Exchange) -> bool {
        let Some(status) = exchange.status() else {
            return false;
        };
        match self {
            Self::Manifest => {
                status == 200 && exchange.json.as_ref().is_some_and(|json| json.get("tools").is_some())
            }
            Self::Code(code) => is_error(exchange, status, &[code]),
            Self::OneOf(codes) => is_error(exchange, status, codes),
            // A 5xx without a code, and a redirect, are no answers of an endpoint.
            Self::Accepted => match exchange.error() {
                Some((code, _)) => !SIGNATURE_CODES.contains(&code) && code != "method_not_allowed",
                None => status < 300 || status == 400,
            },
            Self::Ran => status == 200 && (exchange.result().is_some() || exchange.error().is_some()),
        }
    }

    fn shown(self) -> String {
        let code = |code: &Code| format!("{} {code}", code.status());
        match self {
            Self::Manifest => "200 with a manifest".to_owned(),
            Self::Code(one) => code(&one),
            Self::OneOf(codes) => codes.iter().map(code).collect::<Vec<_>>().join(" or "),
            Self::Accepted => "the signature is accepted".to_owned(),
            Self::Ran => r#"200 {"result":…}, or 200 execution_failed"#.to_owned(),
        }
    }
}

/// Where no code can be read, the status decides.
fn is_error(exchange: &Exchange, status: u16, codes: &[Code]) -> bool {
    match exchange.error() {
        Some((code, _)) => codes.iter().any(|expected| expected.as_str() == code),
        None => exchange.result().is_none() && codes.iter().any(|expected| expected.status() == status),
    }
}

/// Asks one endpoint, for one check after the other.
pub(crate) struct Probe<'a> {
    transport: &'a dyn Transport,
    signer: &'a ToolSecret,
    pub(crate) options: &'a Options,
    pub(crate) manifest: Option<Manifest>,
    /// The application manifest, where there is one.
    pub(crate) application: Option<Json>,
    /// What was wrong in this check.
    pub(crate) findings: Vec<Finding>,
    /// What was wrong with answers, by the checks that watch them.
    pub(crate) watched: Vec<(Check, Vec<Finding>)>,
    pub(crate) requests: usize,
    pub(crate) ended: Option<Ended>,
    unanswered: usize,
    started: Instant,
    ids: usize,
}

impl<'a> Probe<'a> {
    pub(crate) fn new(
        transport: &'a dyn Transport,
        signer: &'a ToolSecret,
        options: &'a Options,
        checks: &[Check],
    ) -> Self {
        let watchers = checks.iter().filter(|check| matches!(check.run, Run::Watch(_)));
        Self {
            transport,
            signer,
            options,
            manifest: None,
            application: None,
            findings: Vec::new(),
            watched: watchers.map(|check| (*check, Vec::new())).collect(),
            requests: 0,
            ended: None,
            unanswered: 0,
            started: Instant::now(),
            ids: 0,
        }
    }

    /// Skips the check when the transport is not able to do this.
    pub(crate) fn able(&self, feature: Feature) -> Result<(), Skip> {
        match self.transport.cannot(feature) {
            Some(why) => Skip::because(format!("not with this transport: {why}")),
            None => Ok(()),
        }
    }

    /// Sends a request, and shows its answer to the checks that watch.
    pub(crate) fn send(&mut self, plan: Plan) -> Exchange {
        let ask = plan.signed(self.signer, self.transport.now_ms());
        let answer = match self.stop_now() {
            Some(trouble) => Err(trouble),
            None => {
                self.requests += 1;
                self.transport.send(&ask)
            }
        };
        self.took(plan, ask, answer)
    }

    /// Sends a request to a place that may be another program's, so that no check watches the answer.
    pub(crate) fn glance(&mut self, plan: Plan) -> Exchange {
        let watched = std::mem::take(&mut self.watched);
        let exchange = self.send(plan);
        self.watched = watched;
        exchange
    }

    /// Unix time, by the clock that requests are signed for.
    pub(crate) fn now_ms(&self) -> u64 {
        self.transport.now_ms()
    }

    /// Whether a secret is the one that signs here.
    pub(crate) fn signs_like(&self, other: &ToolSecret) -> bool {
        self.signer.sign(1, b"") == other.sign(1, b"")
    }

    /// Sends requests at once on one connection.
    pub(crate) fn send_at_once(&mut self, plans: &[Plan]) -> Result<Vec<Answer>, Trouble> {
        let now = self.transport.now_ms();
        let asks: Vec<_> = plans.iter().map(|plan| plan.signed(self.signer, now)).collect();
        self.requests += asks.len();
        self.transport.send_at_once(&asks)
    }

    /// How long one request takes, without being looked at.
    pub(crate) fn time(&mut self, plan: &Plan) -> Option<Duration> {
        let ask = plan.signed(self.signer, self.transport.now_ms());
        self.requests += 1;
        self.transport.send(&ask).ok().map(|answer| answer.took)
    }

    fn stop_now(&mut self) -> Option<Trouble> {
        if self.ended.is_none() {
            if self.started.elapsed() > self.options.time_limit {
                self.ended = Some(Ended::OutOfTime(self.options.time_limit));
            } else if self.requests >= self.options.request_limit {
                self.ended = Some(Ended::OutOfRequests(self.options.request_limit));
            }
        }
        self.ended.as_ref().map(|ended| Trouble::Unreachable(ended.to_string()))
    }

    fn took(&mut self, plan: Plan, ask: Ask, answer: Result<Answer, Trouble>) -> Exchange {
        let json = answer.as_ref().ok().and_then(|answer| Json::parse(&answer.body));
        let exchange = Exchange { plan, ask, answer, json };
        let framing = exchange.ask.framing;
        match &exchange.answer {
            Ok(_) => {
                self.unanswered = 0;
                if !matches!(framing, Framing::CutOff | Framing::Announced(_)) {
                    self.watch(&exchange);
                }
            }
            Err(Trouble::Closed | Trouble::NotHttp(_) | Trouble::Unable(_)) => {}
            Err(_) if framing != Framing::CutOff => {
                self.unanswered += 1;
                if self.ended.is_none() && (self.requests == 1 || self.unanswered >= PATIENCE) {
                    let why = exchange.shown();
                    self.ended =
                        Some(if self.requests == 1 { Ended::NoAnswer(why) } else { Ended::WentSilent(why) });
                }
            }
            Err(_) => {}
        }
        exchange
    }

    fn watch(&mut self, exchange: &Exchange) {
        for (check, findings) in &mut self.watched {
            if let Run::Watch(look) = check.run
                && let Some(expected) = look(exchange)
                && findings.len() < KEPT
            {
                findings.push(Finding::of("an answer that came", exchange, expected));
            }
        }
    }

    /// Notes that an answer is not what was expected.
    pub(crate) fn wrong(&mut self, case: &str, exchange: &Exchange, expected: impl Into<String>) {
        if self.findings.len() < KEPT {
            self.findings.push(Finding::of(case, exchange, expected.into()));
        }
    }

    /// Notes something wrong that is no answer to a request of its own.
    pub(crate) fn wrong_with(&mut self, what: &str, expected: impl Into<String>, came: impl Into<String>) {
        if self.findings.len() < KEPT {
            self.findings.push(Finding {
                case: what.to_owned(),
                request: None,
                expected: expected.into(),
                came: came.into(),
            });
        }
    }

    /// Sends a request and compares what comes.
    pub(crate) fn expect(&mut self, case: &str, plan: Plan, expected: Expected) -> Exchange {
        let exchange = self.send(plan);
        if self.ended.is_none() && !expected.fits(&exchange) {
            self.wrong(case, &exchange, expected.shown());
        }
        exchange
    }

    pub(crate) fn code(&mut self, case: &str, plan: Plan, code: Code) -> Exchange {
        self.expect(case, plan, Expected::Code(code))
    }

    /// Compares what comes, and the texts that its message has to hold. An endpoint that answers with another code
    /// fails the check of that code, and not this one.
    pub(crate) fn mentions(&mut self, case: &str, plan: Plan, code: Code, texts: &[&str]) {
        let exchange = self.send(plan);
        if let Some((came, message)) = exchange.error()
            && came == code.as_str()
        {
            let message = message.to_lowercase();
            if let Some(text) = texts.iter().find(|text| !message.contains(&text.to_lowercase())) {
                self.wrong(case, &exchange, format!("a message that names {text}"));
            }
        }
    }

    /// An id that no call had before.
    pub(crate) fn fresh_id(&mut self) -> String {
        self.ids += 1;
        format!("test_check_{}_{}", self.transport.now_ms(), self.ids)
    }

    /// A call that gets as far as the tool's name: nobody has it.
    pub(crate) fn call_to_nobody(&mut self) -> Call {
        let id = self.fresh_id();
        Call::new(NOBODY, &id, "{}", Risk::Low)
    }

    /// A call to a tool.
    pub(crate) fn call(&mut self, tool: &Tool, input: &str) -> Call {
        let id = self.fresh_id();
        Call::new(&tool.name, &id, input, tool.risk.unwrap_or(Risk::Low))
    }

    /// Whether a tool may run.
    pub(crate) fn may_run(&self, tool: &Tool) -> bool {
        let named = self.options.call.iter().any(|allowed| allowed.tool == tool.name);
        named || (self.options.call_low && tool.risk == Some(Risk::Low))
    }

    /// The tools that may run, each with an input that it should take.
    pub(crate) fn runnable(&self) -> Result<Vec<(Tool, String)>, Skip> {
        let tools = self.manifest.iter().flat_map(|manifest| &manifest.tools);
        let input = |tool: &Tool| {
            let given = self.options.call.iter().find(|allowed| allowed.tool == tool.name);
            given.and_then(|allowed| allowed.input.clone()).unwrap_or_else(|| tool.good())
        };
        let tools: Vec<_> =
            tools.filter(|tool| self.may_run(tool)).map(|tool| (tool.clone(), input(tool))).collect();
        if tools.is_empty() {
            return Skip::because("no tool may run: --call TOOL or --call-low allows it");
        }
        Ok(tools)
    }

    /// The tools that an input may be sent to which every endpoint refuses: those of low and medium risk, and those
    /// that may run. Should an endpoint not refuse it, nothing runs that waits for a person.
    pub(crate) fn refusing(&self) -> Vec<Tool> {
        let tools = self.manifest.iter().flat_map(|manifest| &manifest.tools);
        let is_mild = |tool: &Tool| matches!(tool.risk, Some(Risk::Low | Risk::Medium));
        tools.filter(|tool| is_mild(tool) || self.may_run(tool)).cloned().collect()
    }
}

/// A body with one member that nobody knows, and an operation that nobody has.
pub(crate) fn beside(json: &str) -> String {
    format!(r#"{{"medianEdgeCheck":{json},"op":{}}}"#, quoted(NOBODY))
}
