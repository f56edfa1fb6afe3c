//! A state store: Terraform's states in a table of the database, locked by rows of another.

use bytes::Bytes;
use denobridge_framework::prelude::*;
use rusqlite::OptionalExtension as _;

use crate::database::{DatabaseError, transaction};

/// The states need no settings of their own: they are in the provider's database.
#[derive(Model)]
pub(crate) struct NoSettings {}

const TABLES: &str = "CREATE TABLE IF NOT EXISTS _states (id TEXT PRIMARY KEY, content BLOB NOT NULL);
                      CREATE TABLE IF NOT EXISTS _locks (id TEXT PRIMARY KEY, lock TEXT NOT NULL, operation TEXT)";

/// The state store `sqlite_states`.
pub(crate) struct States;

#[state_store]
impl StateStore for States {
    type Config = NoSettings;

    async fn configure(context: &Context, _: Asked<'_, NoSettings>) -> Result<Self, Failure> {
        transaction(context, |database| Ok(database.execute_batch(TABLES)?)).await?;
        Ok(Self)
    }

    async fn read(&self, context: &Context, state_id: &str) -> Result<Option<Bytes>, Failure> {
        let id = state_id.to_owned();
        let content = transaction(context, move |database| {
            let query = "SELECT content FROM _states WHERE id = ?1";
            Ok(database.query_row(query, [id], |row| row.get::<_, Vec<u8>>(0)).optional()?)
        });
        Ok(content.await?.map(Into::into))
    }

    async fn write(&self, context: &Context, state_id: &str, state: Bytes) -> Result<(), Failure> {
        let id = state_id.to_owned();
        let statement = "INSERT INTO _states (id, content) VALUES (?1, ?2)
                         ON CONFLICT (id) DO UPDATE SET content = excluded.content";
        transaction(context, move |database| Ok(database.execute(statement, (id, &*state)).map(drop)?)).await
    }

    async fn lock(&self, context: &Context, state_id: &str, operation: &str) -> Result<String, Failure> {
        let (id, operation) = (state_id.to_owned(), operation.to_owned());
        let lock = transaction(context, move |database| {
            let holder = "SELECT lock, operation FROM _locks WHERE id = ?1";
            let holder = database.query_row(holder, [&id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
            if let Some::<(String, String)>((lock, operation)) = holder {
                return Err(DatabaseError::Refused(format!("\"{operation}\" holds the lock {lock}")));
            }
            let insert =
                "INSERT INTO _locks (id, lock, operation) VALUES (?1, lower(hex(randomblob(8))), ?2) RETURNING lock";
            Ok(database.query_row(insert, (id, operation), |row| row.get(0))?)
        });
        lock.await
    }

    async fn unlock(&self, context: &Context, state_id: &str, lock_id: &str) -> Result<(), Failure> {
        let (id, lock) = (state_id.to_owned(), lock_id.to_owned());
        let unlocked = transaction(context, move |database| {
            match database.execute("DELETE FROM _locks WHERE id = ?1 AND lock = ?2", (id, &lock))? {
                0 => Err(DatabaseError::Refused(format!("there is no lock {lock} on it"))),
                _ => Ok(()),
            }
        });
        unlocked.await
    }

    async fn list(&self, context: &Context) -> Result<Vec<String>, Failure> {
        let names = transaction(context, |database| {
            let mut query = database.prepare("SELECT id FROM _states ORDER BY id")?;
            Ok(query.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?)
        });
        names.await
    }

    async fn delete(&self, context: &Context, state_id: &str) -> Result<(), Failure> {
        let id = state_id.to_owned();
        let delete = "DELETE FROM _states WHERE id = ?1";
        transaction(context, move |database| Ok(database.execute(delete, [id]).map(drop)?)).await
    }
}
