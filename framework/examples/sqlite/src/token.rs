//! A token that is valid for the time of a run: in the table `_tokens`, where other programs look it up, as long as the run
//! lasts, and in no state or plan.

use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use denobridge_core::schema::Schema;
use denobridge_framework::PrivateData;
use denobridge_framework::erased::{ErasedEphemeralResource, Opened, Renewed};
use denobridge_framework::prelude::*;

use crate::database::{Database, DatabaseError, transaction};

/// A token for the database.
#[derive(Model)]
struct Token {
    /// What it is for, as others read it in `_tokens`.
    purpose: Option<String>,
    /// The token.
    #[tf(computed)]
    value: Tf<Secret<String>>,
}

/// The ephemeral resource `sqlite_token`.
pub(crate) struct Tokens;

/// Under this name private data hold the number of the token's row; not the token.
const ROW: &str = "row";

#[async_trait]
impl ErasedEphemeralResource for Tokens {
    fn schema(&self) -> Schema {
        Token::schema(0)
    }

    async fn open(&self, context: &Context, config: Value, private: &mut PrivateData) -> Opened {
        let token = match Token::from_value(&config) {
            Ok(token) => token,
            Err(error) => return Opened { diagnostics: error.to_diagnostic().into(), ..Opened::default() },
        };
        match opened(context, token, private).await {
            Ok((token, renew_at)) => {
                Opened { result: Some(token.to_value()), renew_at: Some(renew_at), ..Opened::default() }
            }
            Err(error) => Opened { diagnostics: failed("opened", &error), ..Opened::default() },
        }
    }

    async fn renew(&self, context: &Context, private: &mut PrivateData) -> Renewed {
        match renewed(context, private).await {
            Ok(renew_at) => Renewed { renew_at: Some(renew_at), diagnostics: Diagnostics::new() },
            Err(error) => Renewed { renew_at: None, diagnostics: failed("renewed", &error) },
        }
    }

    async fn close(&self, context: &Context, private: &PrivateData) -> Diagnostics {
        let closed = async {
            let row = row(private)?;
            transaction(context, move |database| Ok(database.execute("DELETE FROM _tokens WHERE id = ?1", [row])?))
                .await
        };
        closed.await.err().map(|error| failed("closed", &error)).unwrap_or_default()
    }
}

async fn opened(
    context: &Context,
    token: Token,
    private: &mut PrivateData,
) -> Result<(Token, SystemTime), DatabaseError> {
    let lifetime = Database::of(context)?.token_lifetime;
    let purpose = token.purpose.clone();
    let made = transaction(context, move |database| {
        database.execute_batch(
            "CREATE TABLE IF NOT EXISTS _tokens (id INTEGER PRIMARY KEY, value TEXT, purpose TEXT, expires INTEGER)",
        )?;
        let insert = "INSERT INTO _tokens (value, purpose, expires)
                      VALUES (lower(hex(randomblob(16))), ?1, unixepoch() + ?2) RETURNING id, value";
        Ok(database.query_row(insert, (purpose, lifetime), |row| Ok((row.get(0)?, row.get(1)?)))?)
    });
    let (row, value): (i64, String) = made.await?;
    private.set(ROW, &row).map_err(|error| DatabaseError::Refused(error.to_string()))?;
    Ok((Token { value: Secret::new(value).into(), ..token }, half_of(lifetime)))
}

async fn renewed(context: &Context, private: &PrivateData) -> Result<SystemTime, DatabaseError> {
    let (row, lifetime) = (row(private)?, Database::of(context)?.token_lifetime);
    let update = "UPDATE _tokens SET expires = unixepoch() + ?2 WHERE id = ?1";
    let changed = transaction(context, move |database| Ok(database.execute(update, (row, lifetime))?)).await?;
    if changed == 0 {
        return Err(DatabaseError::Refused("somebody has deleted the token".to_owned()));
    }
    Ok(half_of(lifetime))
}

/// When to renew: early enough that one failure does not matter.
fn half_of(lifetime: u32) -> SystemTime {
    SystemTime::now() + Duration::from_secs(lifetime.into()) / 2
}

fn row(private: &PrivateData) -> Result<i64, DatabaseError> {
    match private.get(ROW) {
        Ok(Some(row)) => Ok(row),
        _ => Err(DatabaseError::Refused("it is not known which token this is".to_owned())),
    }
}

fn failed(done: &str, error: &DatabaseError) -> Diagnostics {
    Diagnostic::error(format!("The token could not be {done}"), format!("SQLite: {error}.")).into()
}
