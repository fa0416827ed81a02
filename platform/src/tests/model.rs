//! Random sequences of commands, and what has to hold after each of them.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::world::{HOUR, INPUT, MINUTE, TOOLS, URL, World, good, http, manifest};
use crate::domain::limits::{NEVER_REPORTED_MS, OPEN_REQUESTS, REQUEST_EXPIRES_MS, RUNS_IN_FLIGHT};
use crate::domain::{
    AgentCall, Answer, Approval, ApprovalState, ConversationState, Decider, Effect, Expired, Holder, Page,
    Run, RunState, Sent, VerdictKind,
};

/// One thing that somebody does. Numbers pick among what there is.
#[derive(Clone, Debug)]
enum Step {
    Write(usize),
    Begin(usize),
    Reply(usize),
    Call(usize, usize),
    Approve(usize),
    Deny(usize),
    Verdict(usize, VerdictKind),
    Answer(usize, bool),
    Run(usize, usize),
    State(usize, ConversationState),
    Hand(usize, bool),
    Pass(u64),
    Switch(usize, bool),
    Remove,
    Connect,
    /// The endpoint raises a risk to `high`, or takes it back.
    Sync(bool),
    Restart,
}

fn step() -> impl Strategy<Value = Step> {
    let state = prop_oneof![
        4 => Just(ConversationState::Open),
        1 => Just(ConversationState::Resolved),
        1 => Just(ConversationState::Closed),
        1 => Just(ConversationState::Archived),
    ];
    let verdict =
        prop_oneof![Just(VerdictKind::Approve), Just(VerdictKind::Escalate), Just(VerdictKind::None)];
    let time =
        prop_oneof![Just(1), Just(MINUTE), Just(10 * MINUTE), Just(HOUR), Just(23 * HOUR), Just(24 * HOUR)];
    let (some, tool) = (0..64_usize, 0..TOOLS.len());
    prop_oneof![
        1 => some.clone().prop_map(Step::Write),
        3 => some.clone().prop_map(Step::Begin),
        2 => some.clone().prop_map(Step::Reply),
        12 => (some.clone(), tool.clone()).prop_map(|(at, tool)| Step::Call(at, tool)),
        5 => some.clone().prop_map(Step::Approve),
        2 => some.clone().prop_map(Step::Deny),
        4 => (some.clone(), verdict).prop_map(|(at, kind)| Step::Verdict(at, kind)),
        6 => (some.clone(), any::<bool>()).prop_map(|(at, fine)| Step::Answer(at, fine)),
        6 => (some.clone(), tool.clone()).prop_map(|(at, tool)| Step::Run(at, tool)),
        3 => (some.clone(), state).prop_map(|(at, state)| Step::State(at, state)),
        2 => (some, any::<bool>()).prop_map(|(at, agent)| Step::Hand(at, agent)),
        4 => time.prop_map(Step::Pass),
        2 => (tool, any::<bool>()).prop_map(|(tool, on)| Step::Switch(tool, on)),
        1 => Just(Step::Remove),
        2 => Just(Step::Connect),
        3 => any::<bool>().prop_map(Step::Sync),
        1 => Just(Step::Restart),
    ]
}

/// What was seen of a request when it was last looked at.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    state: ApprovalState,
    decided_by: Option<Decider>,
    decided_ms: Option<u64>,
    input: String,
}

struct Model {
    world: World,
    conversations: Vec<String>,
    seen: BTreeMap<String, Seen>,
}

impl Model {
    fn new() -> Self {
        let mut world = World::new();
        let conversations = vec![world.conversation(), world.conversation()];
        Self { world, conversations, seen: BTreeMap::new() }
    }

    fn approvals(&mut self) -> Vec<Approval> {
        let page = Page { limit: Some(200), ..Page::default() };
        self.world.act(|desk| desk.approvals(None, None, page)).unwrap().items
    }

    fn runs(&mut self) -> Vec<Run> {
        let page = Page { limit: Some(200), ..Page::default() };
        self.world.act(|desk| desk.runs(None, page)).unwrap().items
    }

    fn sent(&self) -> Vec<Sent> {
        let sent = self.world.effects.iter().filter_map(|effect| match effect {
            Effect::Send { sent, .. } => Some(sent.clone()),
            _ => None,
        });
        sent.collect()
    }

    /// Does it. A refusal is as good as anything else: what counts is what holds afterwards.
    fn take(&mut self, step: &Step) {
        let pick = |at: usize| self.conversations[at % self.conversations.len()].clone();
        match *step {
            Step::Write(at) => {
                let id = pick(at);
                let _ = self.world.act(|desk| desk.customer_writes(&id, "Hi.".to_owned(), Vec::new()));
            }
            Step::Begin(at) => {
                let id = pick(at);
                let _ = self.world.act(|desk| desk.begin_turn(&id));
            }
            Step::Reply(at) => {
                let id = pick(at);
                let _ = self.world.act(|desk| desk.reply(&id, "So.".to_owned()));
            }
            Step::Call(at, tool) => {
                let id = pick(at);
                let call =
                    AgentCall { tool: TOOLS[tool].0.to_owned(), input: INPUT.to_owned(), send_anyway: false };
                let _ = self.world.act(|desk| desk.call(&id, &call));
            }
            Step::Approve(at) | Step::Deny(at) | Step::Verdict(at, _) => {
                let approvals = self.approvals();
                let Some(approval) = approvals.get(at % approvals.len().max(1)) else { return };
                let id = approval.id.clone();
                match step {
                    Step::Approve(_) => {
                        drop(self.world.act(|desk| desk.approve(&id, Some("Ana".to_owned()))));
                    }
                    Step::Deny(_) => drop(self.world.act(|desk| desk.deny(&id, None))),
                    Step::Verdict(_, kind) => self.world.verdict(&id, *kind),
                    _ => {}
                }
            }
            Step::Answer(at, fine) => {
                let sent = self.sent();
                let Some(sent) = sent.get(at % sent.len().max(1)) else { return };
                let answer = if fine { good() } else { http(500, "") };
                self.world.answer(sent, &answer);
            }
            Step::Run(at, tool) => {
                let id = pick(at);
                let _ = self.world.act(|desk| desk.run(&id, TOOLS[tool].0, INPUT, None));
            }
            Step::State(at, state) => {
                let id = pick(at);
                let _ = self.world.act(|desk| desk.set_state(&id, state));
            }
            Step::Hand(at, agent) => {
                let id = pick(at);
                let to = if agent { Holder::Agent } else { Holder::Teammate { name: "Ana".to_owned() } };
                let _ = self.world.act(|desk| desk.hand_over(&id, to));
            }
            Step::Pass(ms) => self.world.pass(ms),
            Step::Switch(tool, on) => drop(self.world.act(|desk| desk.switch(TOOLS[tool].0, on))),
            Step::Remove => {
                let endpoints = self.world.act(|desk| desk.endpoints()).unwrap();
                for endpoint in endpoints {
                    self.world.act(|desk| desk.remove(&endpoint.id)).unwrap();
                }
            }
            Step::Connect => {
                if let Ok(endpoint) = self.world.act(|desk| desk.connect(URL, None)) {
                    self.world.answer_sync(&endpoint.id, &manifest(&TOOLS));
                }
            }
            Step::Sync(raised) => self.sync(raised),
            Step::Restart => self.world.act(|desk| desk.resume()).unwrap(),
        }
    }

    fn sync(&mut self, raised: bool) {
        let Some(endpoint) = self.world.act(|desk| desk.endpoints()).unwrap().pop() else { return };
        if self.world.act(|desk| desk.sync(&endpoint.id)).is_ok() {
            let risk = |risk| if raised && risk == "reviewed" { "high" } else { risk };
            let tools = TOOLS.map(|(name, own)| (name, risk(own)));
            self.world.answer_sync(&endpoint.id, &manifest(&tools));
        }
    }

    fn check(&mut self) {
        let (approvals, runs, now) = (self.approvals(), self.runs(), self.world.now);
        for id in self.conversations.clone() {
            let open: Vec<_> =
                approvals.iter().filter(|one| one.conversation == id && one.state.is_open()).collect();
            assert!(open.len() <= OPEN_REQUESTS, "at most three are open in a conversation");
            let mut tools: Vec<_> = open.iter().map(|one| &one.tool).collect();
            tools.sort();
            tools.dedup();
            assert_eq!(tools.len(), open.len(), "at most one is open for each tool");
            let conversation = self.world.look(&id);
            assert!(
                open.is_empty() || conversation.state == ConversationState::Open,
                "nothing is open on a conversation that ended"
            );
            let running = runs.iter().filter(|run| run.conversation == id && run.state == RunState::Running);
            assert!(running.count() <= RUNS_IN_FLIGHT, "at most three runs are in flight");
        }
        for approval in &approvals {
            self.check_one(approval, now);
        }
        let late = NEVER_REPORTED_MS + HOUR;
        for run in runs.iter().filter(|run| run.state == RunState::Running) {
            assert!(now - run.started_ms < late, "the hourly check gave it up");
        }
        self.check_effects(&approvals);
    }

    fn check_one(&mut self, approval: &Approval, now: u64) {
        if approval.state.is_undecided() {
            assert!(approval.expires_ms > now, "nothing waits past its moment");
            assert_eq!(approval.decided_ms, None);
        }
        if approval.expired == Some(Expired::Unanswered) {
            let moment = approval.created_ms + REQUEST_EXPIRES_MS;
            assert_eq!(approval.finished_ms, Some(moment), "it expires at its moment");
        }
        if approval.state == ApprovalState::Executing {
            let started = approval.started_ms.expect("it was sent");
            assert!(now - started < NEVER_REPORTED_MS + HOUR, "the hourly check gave it up");
        }
        let seen = Seen {
            state: approval.state,
            decided_by: approval.decided_by.clone(),
            decided_ms: approval.decided_ms,
            input: approval.input.clone(),
        };
        if let Some(before) = self.seen.insert(approval.id.clone(), seen.clone()) {
            assert_eq!(before.input, seen.input, "the input is bound");
            if before.decided_by.is_some() {
                assert_eq!(
                    (before.decided_by, before.decided_ms),
                    (seen.decided_by, seen.decided_ms),
                    "decided once"
                );
            }
            if !before.state.is_open() {
                assert_eq!(before.state, seen.state, "an end is an end");
            }
            if before.state == ApprovalState::Executing {
                assert!(!seen.state.is_undecided(), "there is no way back");
            }
        }
    }

    fn check_effects(&self, approvals: &[Approval]) {
        let mut ids = Vec::new();
        for effect in &self.world.effects {
            let Effect::Send { sent, body, .. } = effect else { continue };
            let (Sent::Call(id) | Sent::Approval(id) | Sent::Run(id)) = sent;
            assert!(!ids.contains(&id), "each id is sent once");
            ids.push(id);
            assert!(body.contains(&format!(r#""input":{INPUT},"#)), "what was recorded is what is sent");
            let is_call = matches!(sent, Sent::Call(_));
            assert_eq!(body.contains("approvedBy"), !is_call, "whoever let it run is named");
            if let Sent::Approval(id) = sent {
                let approval = approvals.iter().find(|one| one.id == *id).expect("it was recorded");
                assert!(approval.decided_by.is_some(), "nothing runs undecided");
                let by_reviewer = approval.decided_by == Some(Decider::Reviewer);
                let is_high = body.contains(r#""risk":"high""#);
                assert!(!(by_reviewer && is_high), "only a teammate lets a high tool run");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_the_rules_hold(steps in proptest::collection::vec(step(), 1..70)) {
        let mut model = Model::new();
        for step in &steps {
            model.take(step);
            model.check();
        }
    }

    #[test]
    fn the_same_commands_at_the_same_times_have_the_same_effects(steps in proptest::collection::vec(step(), 1..40)) {
        let run = || {
            let mut model = Model::new();
            for step in &steps {
                model.take(step);
            }
            (model.approvals(), model.runs(), model.world.effects)
        };
        prop_assert_eq!(run(), run());
    }
}

#[test]
fn an_answer_that_comes_twice_changes_nothing() {
    let mut world = World::new();
    let conversation = world.conversation();
    let request = world.request(&conversation, "refund");
    world.act(|desk| desk.approve(&request.id, None)).unwrap();
    let sent = Sent::Approval(request.id.clone());
    world.answer(&sent, &good());
    let before = world.approval(&request.id);
    world.answer(&sent, &Answer::None { why: "Again.".to_owned() });
    assert_eq!(world.approval(&request.id), before);
}
