//! Opening the database, and bringing an older one up to date.

use std::fmt;
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

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
        Place::File(path) => {
            let path =
                made(path).map_err(|error| OpenError::Sqlite(format!("{}: {error}", path.display())))?;
            // A path is a path, whatever it looks like: without the flag for URLs.
            Connection::open_with_flags(
                path,
                OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
            )
        }
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

/// Makes the file when it is not there, for its owner alone: it holds keys and what customers said. `SQLite` gives the files
/// beside it (`-wal`, `-shm`, `-journal`) the same mode. One that is there keeps the mode that its owner gave it.
fn made(path: &Path) -> io::Result<PathBuf> {
    // An empty path, or `:memory:`, would be another kind of database to SQLite.
    let path = std::path::absolute(path)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(&path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(path),
    }
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

#[cfg(all(test, unix))]
mod tests {
    use super::{Place, open};
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_new_database_and_the_files_beside_it_are_for_their_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::File(folder.path().join("stand-in.db"));
        let connection = open(&place).unwrap();
        let files: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(files.len() >= 2, "the write-ahead log is there too: {files:?}");
        for file in &files {
            assert_eq!(mode(file), 0o600, "{}", file.display());
        }
        drop(connection);
    }

    #[test]
    fn a_database_that_is_there_keeps_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stand-in.db");
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        drop(open(&Place::File(path.clone())).unwrap());
        assert_eq!(mode(&path), 0o640);
    }

    #[test]
    fn a_path_is_a_path_whatever_it_looks_like() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file:x?mode=memory");
        drop(open(&Place::File(path.clone())).unwrap());
        assert!(path.is_file());
    }
}
