//! The database file. Each operation opens it for itself: SQLite orders writers, also those of other processes, so nothing
//! has to be shared between operations, and one that fails leaves nothing behind.

use std::path::PathBuf;
use std::time::Duration;

use denobridge_framework::blocking;
use denobridge_framework::prelude::*;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use thiserror::Error;

/// What configuring the provider makes.
pub(crate) struct Database {
    /// The file.
    pub file: PathBuf,
    /// How long to wait for other writers.
    pub busy_timeout: Duration,
    /// How long a token lives, in seconds.
    pub token_lifetime: u32,
}

/// What a module says in its `provider_meta` block.
#[derive(Model)]
pub(crate) struct Module {
    /// Who answers for the module. What it changes is then recorded in the table `_changes`.
    author: Option<String>,
}

/// Why the database did not do what it was asked.
#[derive(Debug, Error)]
pub(crate) enum DatabaseError {
    /// The file cannot be used.
    #[error("cannot open the database {file}")]
    Open {
        /// The file.
        file: String,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// A statement failed.
    #[error("SQLite: {0}")]
    Sqlite(String),
    /// Something else than SQLite said no.
    #[error("{0}")]
    Refused(String),
}

impl From<rusqlite::Error> for DatabaseError {
    /// Without its cause, which is the number of what the message says.
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error.to_string())
    }
}

impl Database {
    fn open(&self) -> Result<Connection, DatabaseError> {
        let failed = |source| DatabaseError::Open { file: self.file.display().to_string(), source };
        let connection = Connection::open(&self.file).map_err(failed)?;
        connection.busy_timeout(self.busy_timeout).map_err(failed)?;
        Ok(connection)
    }
}

/// Does something with the database of the configured provider, on a thread that may block, and in one transaction: all
/// of it is done or nothing.
pub(crate) async fn transaction<T: Send + 'static>(
    context: &Context,
    work: impl FnOnce(&Connection) -> Result<T, DatabaseError> + Send + 'static,
) -> Result<T, Failure> {
    let author = context.meta::<Module>()?.and_then(|module| module.author);
    let component = context.type_name().to_owned();
    connected(context, move |connection| {
        let transaction = Transaction::new(connection, TransactionBehavior::Immediate)?;
        let done = work(&transaction)?;
        if let Some(author) = author {
            transaction
                .execute_batch("CREATE TABLE IF NOT EXISTS _changes (author TEXT, component TEXT, time TEXT)")?;
            transaction.execute("INSERT INTO _changes VALUES (?1, ?2, datetime())", (author, component))?;
        }
        transaction.commit()?;
        Ok(done)
    })
    .await
}

/// The same without a transaction, for what cannot be in one or only reads.
pub(crate) async fn connected<T: Send + 'static>(
    context: &Context,
    work: impl FnOnce(&mut Connection) -> Result<T, DatabaseError> + Send + 'static,
) -> Result<T, Failure> {
    let database = context.data::<Database>()?;
    match blocking(move || work(&mut database.open()?)).await {
        Ok(done) => Ok(done?),
        Err(not_started) => Err(Failure::of(not_started.into())),
    }
}

/// A name as SQL has it.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Whether there is a table of that name.
pub(crate) fn has_table(connection: &Connection, name: &str) -> Result<bool, DatabaseError> {
    let query = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1)";
    Ok(connection.query_row(query, [name], |row| row.get(0))?)
}
