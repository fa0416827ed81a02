//! Opening the database, and bringing an older one up to date.

use std::fmt;
use std::path::PathBuf;

use rusqlite::Connection;

/// Where the database is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In memory: it ends with the program.
    Memory,
    /// In a file, which is made when it is not there.
    File(PathBuf),
}

/// What each version adds to the one before. A migration that was released is never changed.
const MIGRATIONS: &[&str] = &[include_str!("schema_1.sql")];

/// Why a database cannot be opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// Another program has it.
    InUse(PathBuf),
    /// A newer version of the stand-in made it.
    Newer {
        /// Its version.
        found: i64,
        /// The newest that is known here.
        known: usize,
    },
    /// `SQLite` says no.
    Sqlite(String),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InUse(path) => write!(
                f,
                "{} is in use by another stand-in. Stop that one, or take another file.",
                path.display()
            ),
            Self::Newer { found, known } => write!(
                f,
                "The database is of version {found}, and {known} is the newest that is known here. Take a newer median-edge, \
                 or another file."
            ),
            Self::Sqlite(why) => write!(f, "The database can't be opened: {why}."),
        }
    }
}

impl std::error::Error for OpenError {}

/// Opens the database and brings it up to date.
pub(crate) fn open(place: &Place) -> Result<Connection, OpenError> {
    let failed = |error: &rusqlite::Error| match (error.sqlite_error_code(), place) {
        (
            Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked),
            Place::File(path),
        ) => OpenError::InUse(path.clone()),
        _ => OpenError::Sqlite(error.to_string()),
    };
    let connection = match place {
        Place::Memory => Connection::open_in_memory(),
        Place::File(path) => Connection::open(path),
    };
    let mut connection = connection.map_err(|error| failed(&error))?;
    // Exclusive: two stand-ins on one file would both send what was approved once.
    connection
        .execute_batch(
            "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
             PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 0;",
        )
        .map_err(|error| failed(&error))?;
    connection.set_prepared_statement_cache_capacity(256);
    migrate(&mut connection, &failed)?;
    Ok(connection)
}

fn migrate(
    connection: &mut Connection,
    failed: &dyn Fn(&rusqlite::Error) -> OpenError,
) -> Result<(), OpenError> {
    let found: i64 =
        connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(|error| failed(&error))?;
    let known = MIGRATIONS.len();
    let done = usize::try_from(found).ok().filter(|done| *done <= known);
    let done = done.ok_or(OpenError::Newer { found, known })?;
    for (at, migration) in MIGRATIONS.iter().enumerate().skip(done) {
        let apply = |connection: &mut Connection| {
            let transaction = connection.transaction()?;
            transaction.execute_batch(migration)?;
            transaction.execute_batch(&format!("PRAGMA user_version = {}", at + 1))?;
            transaction.commit()
        };
        apply(connection).map_err(|error| failed(&error))?;
    }
    Ok(())
}
