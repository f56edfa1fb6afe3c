//! The database file. Each operation opens it for itself: SQLite orders writers, also those of other processes, so nothing
//! has to be shared between operations, and one that fails leaves nothing behind.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use denobridge_framework::{Context, blocking};
use rusqlite::Connection;
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

/// Why the database did not do what it was asked.
#[derive(Debug, Error)]
pub(crate) enum DatabaseError {
    /// There is no database.
    #[error("the provider is not configured, so it has no database")]
    NotConfigured,
    /// The file cannot be used.
    #[error("cannot open the database {file}")]
    Open {
        /// The file.
        file: String,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// A statement failed.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// Something else than SQLite said no.
    #[error("{0}")]
    Refused(String),
}

impl Database {
    /// The database of the configured provider.
    pub(crate) fn of(context: &Context) -> Result<Arc<Self>, DatabaseError> {
        context.provider_data().ok_or(DatabaseError::NotConfigured)
    }

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
) -> Result<T, DatabaseError> {
    connected(context, |connection| {
        let transaction = rusqlite::Transaction::new(connection, rusqlite::TransactionBehavior::Immediate)?;
        let done = work(&transaction)?;
        transaction.commit()?;
        Ok(done)
    })
    .await
}

/// The same without a transaction, for what cannot be in one or only reads.
pub(crate) async fn connected<T: Send + 'static>(
    context: &Context,
    work: impl FnOnce(&mut Connection) -> Result<T, DatabaseError> + Send + 'static,
) -> Result<T, DatabaseError> {
    let database = Database::of(context)?;
    let done = blocking(move || work(&mut database.open()?)).await;
    done.unwrap_or_else(|not_started| Err(DatabaseError::Refused(not_started.detail)))
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
