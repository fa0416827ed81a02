//! A platform without an engine: the test is the clock, the network and the reviewer.

use rusqlite::Connection;

use crate::domain::{
    AgentCall, Answer, Approval, ApprovalState, CallAnswer, Conversation, ConversationState, Desk, Effect,
    Entry, Ids, LogEvent, LogFilter, NewConversation, Page, Problem, Sent, TestCall, Turn, Verdict,
    VerdictKind,
};
use crate::store::{Place, SqlRecords, open};

pub(super) const HOUR: u64 = 60 * 60 * 1000;
pub(super) const MINUTE: u64 = 60 * 1000;
pub(super) const START: u64 = 1_790_000_000_000;
pub(super) const URL: &str = "http://127.0.0.1:1/api/median";
pub(super) const INPUT: &str = r#"{"orderNumber" : "ORD-1042"}"#;

struct Counter(u128);

impl Ids for Counter {
    fn next(&mut self) -> [u8; 16] {
        self.0 += 1;
        self.0.to_be_bytes()
    }
}

pub(super) struct World {
    connection: Connection,
    ids: Counter,
    pub(super) now: u64,
    /// Everything that came out, in order.
    pub(super) effects: Vec<Effect>,
}

/// A manifest with one tool for each of these names and risks, each with a text that is needed.
pub(super) fn manifest(tools: &[(&str, &str)]) -> Answer {
    let tool = |(name, risk): &(&str, &str)| {
        format!(
            r#"{{"name":"{name}","description":"Does {name}.","risk":"{risk}","inputSchema":{{"type":"object","properties":{{"orderNumber":{{"type":"string"}}}},"required":["orderNumber"],"additionalProperties":false}}}}"#
        )
    };
    let tools: Vec<_> = tools.iter().map(tool).collect();
    let body = format!(r#"{{"version":1,"tools":[{}],"diagnostics":true}}"#, tools.join(","));
    Answer::Http { status: 200, body: body.into_bytes() }
}

pub(super) const TOOLS: [(&str, &str); 6] = [
    ("look", "low"),
    ("write", "medium"),
    ("check", "reviewed"),
    ("refund", "high"),
    ("close", "high"),
    ("erase", "high"),
];

pub(super) fn http(status: u16, body: &str) -> Answer {
    Answer::Http { status, body: body.as_bytes().to_vec() }
}

pub(super) fn good() -> Answer {
    http(200, r#"{"result":{"done":true}}"#)
}

impl World {
    pub(super) fn empty() -> Self {
        let connection = open(&Place::Memory).expect("SQLite opens");
        Self { connection, ids: Counter(0), now: START, effects: Vec::new() }
    }

    /// With one endpoint whose tools are [`TOOLS`].
    pub(super) fn new() -> Self {
        let mut world = Self::empty();
        let endpoint = world.connect(URL);
        world.answer_sync(&endpoint, &manifest(&TOOLS));
        world
    }

    /// Runs a command, after what was due.
    pub(super) fn act<T>(
        &mut self,
        run: impl FnOnce(&mut Desk<'_>) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        self.step(|desk| desk.settle()).expect("what is due happens");
        self.step(run)
    }

    fn step<T>(&mut self, run: impl FnOnce(&mut Desk<'_>) -> Result<T, Problem>) -> Result<T, Problem> {
        let savepoint = self.connection.savepoint().expect("a savepoint");
        let mut records = SqlRecords(&savepoint);
        let mut desk = Desk::new(&mut records, &mut self.ids, self.now);
        let result = run(&mut desk);
        let effects = desk.into_effects();
        if result.is_ok() {
            savepoint.commit().expect("it is kept");
            self.effects.extend(effects);
        }
        result
    }

    /// Time passes, and what is due happens.
    pub(super) fn pass(&mut self, ms: u64) {
        self.now += ms;
        self.act(|_| Ok(())).unwrap();
    }

    pub(super) fn connect(&mut self, url: &str) -> String {
        self.act(|desk| desk.connect(url, None)).expect("it connects").id
    }

    /// Answers the last sync of an endpoint.
    pub(super) fn answer_sync(&mut self, endpoint: &str, answer: &Answer) {
        let attempt = self.effects.iter().rev().find_map(|effect| match effect {
            Effect::Sync { endpoint: of, attempt, .. } if of == endpoint => Some(attempt.clone()),
            _ => None,
        });
        let attempt = attempt.expect("a sync was asked for");
        self.act(|desk| desk.sync_answered(endpoint, &attempt, answer)).unwrap();
    }

    pub(super) fn endpoint(&mut self) -> String {
        self.act(|desk| desk.endpoints()).unwrap()[0].id.clone()
    }

    /// A conversation whose agent has replied once, so that its turns wait for no sync.
    pub(super) fn conversation(&mut self) -> String {
        let id =
            self.act(|desk| desk.begin(NewConversation::default(), Some("user_1".to_owned()))).unwrap().id;
        self.turn(&id);
        self.act(|desk| desk.reply(&id, "Hello.".to_owned())).unwrap();
        id
    }

    /// Begins a turn, and lets its syncs be good.
    pub(super) fn turn(&mut self, conversation: &str) -> Turn {
        let turn = self.act(|desk| desk.begin_turn(conversation)).unwrap();
        for endpoint in &turn.waits_for {
            self.answer_sync(endpoint, &manifest(&TOOLS));
        }
        self.act(|desk| desk.turn(&turn.id)).unwrap()
    }

    pub(super) fn call(&mut self, conversation: &str, tool: &str) -> Result<CallAnswer, Problem> {
        self.turn(conversation);
        let call = AgentCall { tool: tool.to_owned(), input: INPUT.to_owned(), send_anyway: false };
        self.act(|desk| desk.call(conversation, &call))
    }

    /// The request that a call of this tool records.
    pub(super) fn request(&mut self, conversation: &str, tool: &str) -> Approval {
        self.call(conversation, tool).unwrap().approval.expect("a request was recorded")
    }

    pub(super) fn test(
        &mut self,
        tool: &str,
        conversation: Option<&str>,
    ) -> Result<crate::domain::Call, Problem> {
        let test = TestCall { input: INPUT.to_owned(), conversation: conversation.map(str::to_owned) };
        self.act(|desk| desk.test(tool, &test))
    }

    pub(super) fn answer(&mut self, sent: &Sent, answer: &Answer) {
        self.act(|desk| desk.answered(sent, answer)).unwrap();
    }

    pub(super) fn verdict(&mut self, approval: &str, kind: VerdictKind) {
        let verdict = Verdict { kind, reason: "Because of the moon.".to_owned() };
        self.act(|desk| desk.verdict(approval, &verdict)).unwrap();
    }

    pub(super) fn approval(&mut self, id: &str) -> Approval {
        self.act(|desk| desk.approval(id)).unwrap()
    }

    pub(super) fn state(&mut self, id: &str) -> ApprovalState {
        self.approval(id).state
    }

    pub(super) fn end(&mut self, conversation: &str, state: ConversationState) {
        self.act(|desk| desk.set_state(conversation, state)).unwrap();
    }

    pub(super) fn look(&mut self, conversation: &str) -> Conversation {
        self.act(|desk| desk.conversation(conversation)).unwrap()
    }

    pub(super) fn thread(&mut self, conversation: &str) -> Vec<Entry> {
        self.act(|desk| desk.thread(conversation, Page { limit: Some(200), ..Page::default() }))
            .unwrap()
            .items
    }

    /// Whether the thread has this line for the team.
    pub(super) fn has_line(&mut self, conversation: &str, text: &str) -> bool {
        self.thread(conversation).iter().any(|entry| entry.text == text)
    }

    pub(super) fn log(&mut self, event: &str) -> Vec<LogEvent> {
        let filter = LogFilter { limit: Some(200), ..LogFilter::default() };
        let events = self.act(|desk| desk.logs(&filter)).unwrap().items;
        events.into_iter().filter(|found| found.event == event).collect()
    }

    pub(super) fn logged(&self) -> u64 {
        let count = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
        let count = self.connection.query_row("SELECT count(*) FROM log", [], count);
        count.expect("it is counted").unsigned_abs()
    }

    /// The bodies that were sent for an id.
    pub(super) fn bodies(&self, id: &str) -> Vec<String> {
        let of = |sent: &Sent| match sent {
            Sent::Call(of) | Sent::Approval(of) | Sent::Run(of) => of == id,
        };
        let sent = self.effects.iter().filter_map(|effect| match effect {
            Effect::Send { sent, body, .. } if of(sent) => Some(body.clone()),
            _ => None,
        });
        sent.collect()
    }

    pub(super) fn wakes(&self, conversation: &str) -> usize {
        let is = |effect: &&Effect| matches!(effect, Effect::Wake { conversation: of } if of == conversation);
        self.effects.iter().filter(is).count()
    }

    /// The ids of the alerts that went out.
    pub(super) fn delivered(&self) -> Vec<String> {
        let delivered = self.effects.iter().filter_map(|effect| match effect {
            Effect::Deliver(alert) => Some(alert.id.clone()),
            _ => None,
        });
        delivered.collect()
    }

    pub(super) fn alerts(&self) -> usize {
        self.effects.iter().filter(|effect| matches!(effect, Effect::Deliver(_))).count()
    }
}

/// The words of a refusal.
pub(super) fn words<T: std::fmt::Debug>(result: Result<T, Problem>) -> String {
    result.expect_err("it is refused").message().to_owned()
}
