//! What the domain keeps, and how it asks for it. The store behind it is a database, or a map in tests.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::problem::{Code, Problem};

/// One kind of record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// Connected endpoints.
    Endpoint,
    /// Keys of single endpoints.
    Secret,
    /// Conversations.
    Conversation,
    /// What was said in them.
    Entry,
    /// Replies of the agent.
    Turn,
    /// Calls by the agent and by tests.
    Call,
    /// Requests that wait, or waited, for a decision.
    Approval,
    /// Runs by teammates.
    Run,
    /// Reports.
    Report,
    /// Alerts.
    Alert,
    /// The log.
    Log,
    /// The clock and the like.
    Setting,
}

/// What a record can be found by.
#[derive(Clone, Debug, Default)]
pub struct Keys<'a> {
    /// Its own id.
    pub id: &'a str,
    /// The conversation that it belongs to.
    pub conversation: Option<&'a str>,
    /// The endpoint.
    pub endpoint: Option<&'a str>,
    /// The tool.
    pub tool: Option<&'a str>,
    /// Its state, or its type.
    pub state: &'a str,
    /// When something has to happen to it, in Unix milliseconds.
    pub due_ms: Option<u64>,
}

/// Which records to find. What is left out is not looked at.
#[derive(Clone, Debug, Default)]
pub struct Select<'a> {
    /// Of this conversation.
    pub conversation: Option<&'a str>,
    /// Of this endpoint.
    pub endpoint: Option<&'a str>,
    /// Of this tool.
    pub tool: Option<&'a str>,
    /// In one of these states; in any when empty.
    pub states: &'a [&'a str],
    /// Due by this time.
    pub due_by_ms: Option<u64>,
    /// Recorded after the one with this number.
    pub after: Option<u64>,
    /// Recorded before the one with this number.
    pub before: Option<u64>,
    /// What comes first.
    pub order: Order,
    /// How many at most; all when 0.
    pub limit: usize,
}

/// What comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As recorded.
    #[default]
    Oldest,
    /// The other way round.
    Newest,
    /// By the time when something has to happen.
    Due,
}

/// A record as it is kept: its number, in the order of recording, and its JSON.
pub type Row = (u64, String);

/// Where records are kept. Everything between two commands is kept whole or not at all.
pub trait Records {
    /// The record of an id.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`], as with the others.
    fn get(&self, table: Table, id: &str) -> Result<Option<Row>, Problem>;
    /// Records it, or what it is now.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    fn put(&mut self, table: Table, keys: &Keys<'_>, json: &str) -> Result<u64, Problem>;
    /// Takes it out.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    fn delete(&mut self, table: Table, id: &str) -> Result<(), Problem>;
    /// Takes out those with this number and all that were recorded before.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    fn delete_until(&mut self, table: Table, number: u64) -> Result<(), Problem>;
    /// Finds some.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    fn find(&self, table: Table, select: &Select<'_>) -> Result<Vec<Row>, Problem>;
    /// Counts them.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    fn count(&self, table: Table, select: &Select<'_>) -> Result<usize, Problem>;
    /// How many bytes of JSON they have together, without reading them.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`].
    fn bytes(&self, table: Table, select: &Select<'_>) -> Result<u64, Problem>;
}

/// Something that is kept.
pub(crate) trait Record: Serialize + DeserializeOwned {
    const TABLE: Table;

    fn keys(&self) -> Keys<'_>;
}

/// Reads one.
pub(crate) fn get<T: Record>(records: &dyn Records, id: &str) -> Result<Option<T>, Problem> {
    records.get(T::TABLE, id)?.map(|row| read(&row.1)).transpose()
}

/// Writes one.
pub(crate) fn put<T: Record>(records: &mut dyn Records, record: &T) -> Result<u64, Problem> {
    let json = serde_json::to_string(record).map_err(|error| failed(&error))?;
    records.put(T::TABLE, &record.keys(), &json)
}

/// Finds some.
pub(crate) fn find<T: Record>(records: &dyn Records, select: &Select<'_>) -> Result<Vec<T>, Problem> {
    records.find(T::TABLE, select)?.iter().map(|row| read(&row.1)).collect()
}

pub(crate) fn read<T: Record>(json: &str) -> Result<T, Problem> {
    serde_json::from_str(json).map_err(|error| failed(&error))
}

fn failed(error: &serde_json::Error) -> Problem {
    Problem::new(Code::StorageFailed, format!("A record can't be read or written: {error}."))
}
