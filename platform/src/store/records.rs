//! The records of the domain as rows of tables.

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row as SqlRow, params, params_from_iter};

use crate::domain::records::{Keys, Order, Records, Row, Select, Table};
use crate::domain::{Code, Problem};

/// Records in a database, inside whatever transaction it is in.
pub(crate) struct SqlRecords<'c>(pub(crate) &'c Connection);

fn table(table: Table) -> &'static str {
    match table {
        Table::Endpoint => "endpoint",
        Table::Secret => "secret",
        Table::Conversation => "conversation",
        Table::Entry => "entry",
        Table::Turn => "turn",
        Table::Call => "call",
        Table::Approval => "approval",
        Table::Run => "run",
        Table::Report => "report",
        Table::Alert => "alert",
        Table::Log => "log",
        Table::Setting => "setting",
    }
}

pub(crate) fn failed(error: &rusqlite::Error) -> Problem {
    Problem::new(
        Code::StorageFailed,
        format!("The database did not do its part, so nothing was changed: {error}."),
    )
}

/// `SQLite`'s integers are signed.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

fn row(row: &SqlRow<'_>) -> rusqlite::Result<Row> {
    Ok((unsigned(row.get(0)?), row.get(1)?))
}

impl Records for SqlRecords<'_> {
    fn get(&self, kind: Table, id: &str) -> Result<Option<Row>, Problem> {
        let sql = format!("SELECT seq, doc FROM {} WHERE id = ?1", table(kind));
        let get = || self.0.prepare_cached(&sql)?.query_row([id], row).optional();
        get().map_err(|error| failed(&error))
    }

    fn put(&mut self, kind: Table, keys: &Keys<'_>, json: &str) -> Result<u64, Problem> {
        let sql = format!(
            "INSERT INTO {} (id, conversation, endpoint, tool, state, due_ms, doc) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
             ON CONFLICT (id) DO UPDATE SET conversation = ?2, endpoint = ?3, tool = ?4, state = ?5, due_ms = ?6, doc = ?7 \
             RETURNING seq",
            table(kind)
        );
        let Keys { id, conversation, endpoint, tool, state, due_ms } = keys;
        let due_ms = due_ms.map(signed);
        let put = || {
            let values = params![id, conversation, endpoint, tool, state, due_ms, json];
            self.0.prepare_cached(&sql)?.query_row(values, |row| row.get::<_, i64>(0))
        };
        put().map(unsigned).map_err(|error| failed(&error))
    }

    fn delete(&mut self, kind: Table, id: &str) -> Result<(), Problem> {
        let sql = format!("DELETE FROM {} WHERE id = ?1", table(kind));
        let delete = || self.0.prepare_cached(&sql)?.execute([id]);
        delete().map(|_| ()).map_err(|error| failed(&error))
    }

    fn delete_until(&mut self, kind: Table, number: u64) -> Result<(), Problem> {
        let sql = format!("DELETE FROM {} WHERE seq <= ?1", table(kind));
        let delete = || self.0.prepare_cached(&sql)?.execute([signed(number)]);
        delete().map(|_| ()).map_err(|error| failed(&error))
    }

    fn find(&self, kind: Table, select: &Select<'_>) -> Result<Vec<Row>, Problem> {
        let (clause, mut values) = clause(select);
        let order = match select.order {
            Order::Oldest => "seq",
            Order::Newest => "seq DESC",
            Order::Due => "due_ms, seq",
        };
        let mut sql = format!("SELECT seq, doc FROM {}{clause} ORDER BY {order}", table(kind));
        if select.limit > 0 {
            sql.push_str(" LIMIT ?");
            values.push(Value::Integer(signed(select.limit as u64)));
        }
        let find = || -> rusqlite::Result<Vec<Row>> {
            self.0.prepare_cached(&sql)?.query_map(params_from_iter(values.iter()), row)?.collect()
        };
        find().map_err(|error| failed(&error))
    }

    fn count(&self, kind: Table, select: &Select<'_>) -> Result<usize, Problem> {
        let count = self.number("count(*)", kind, select)?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    fn bytes(&self, kind: Table, select: &Select<'_>) -> Result<u64, Problem> {
        // The length of a text in bytes stands in its row's head.
        self.number("coalesce(sum(octet_length(doc)), 0)", kind, select)
    }
}

impl SqlRecords<'_> {
    /// One number about the records that are found.
    fn number(&self, what: &str, kind: Table, select: &Select<'_>) -> Result<u64, Problem> {
        let (clause, values) = clause(select);
        let sql = format!("SELECT {what} FROM {}{clause}", table(kind));
        let number = || {
            self.0
                .prepare_cached(&sql)?
                .query_row(params_from_iter(values.iter()), |row| row.get::<_, i64>(0))
        };
        number().map(unsigned).map_err(|error| failed(&error))
    }
}

/// The condition, and what stands for its question marks. Only the shape of the condition is in its text.
fn clause(select: &Select<'_>) -> (String, Vec<Value>) {
    let mut parts: Vec<String> = Vec::new();
    let mut values = Vec::new();
    let equal = [("conversation", select.conversation), ("endpoint", select.endpoint), ("tool", select.tool)];
    for (column, value) in equal {
        if let Some(value) = value {
            parts.push(format!("{column} = ?"));
            values.push(Value::Text(value.to_owned()));
        }
    }
    if !select.states.is_empty() {
        parts.push(format!("state IN ({})", vec!["?"; select.states.len()].join(", ")));
        values.extend(select.states.iter().map(|state| Value::Text((*state).to_owned())));
    }
    if select.order == Order::Due {
        parts.push("due_ms IS NOT NULL".to_owned());
    }
    let compared = [("due_ms <= ?", select.due_by_ms), ("seq > ?", select.after), ("seq < ?", select.before)];
    for (part, value) in compared {
        if let Some(value) = value {
            parts.push(part.to_owned());
            values.push(Value::Integer(signed(value)));
        }
    }
    let clause = if parts.is_empty() { String::new() } else { format!(" WHERE {}", parts.join(" AND ")) };
    (clause, values)
}
