//! A token that is valid for the time of a run: in the table `_tokens`, where other programs look it up, as long as the run
//! lasts, and in no state or plan.

use std::time::{Duration, SystemTime};

use denobridge_framework::prelude::*;

use crate::database::{Database, DatabaseError, transaction};

/// A token for the database.
#[derive(Model)]
pub(crate) struct Token {
    /// What it is for, as others read it in `_tokens`.
    purpose: Option<String>,
    /// The token.
    #[tf(computed)]
    value: Tf<Secret<String>>,
}

/// The ephemeral resource `sqlite_token`.
pub(crate) struct Tokens;

#[ephemeral_resource]
impl EphemeralResource for Tokens {
    type Model = Token;
    /// The number of the token's row; not the token.
    type Private = i64;

    async fn open(&self, context: &Context, opening: Opening<'_, Self>) -> Result<Token, Failure> {
        let lifetime = context.data::<Database>()?.token_lifetime;
        let purpose = opening.config.purpose.clone();
        let made = transaction(context, move |database| {
            database.execute_batch(
                "CREATE TABLE IF NOT EXISTS _tokens (id INTEGER PRIMARY KEY, value TEXT, purpose TEXT, expires INTEGER)",
            )?;
            let insert = "INSERT INTO _tokens (value, purpose, expires)
                          VALUES (lower(hex(randomblob(16))), ?1, unixepoch() + ?2) RETURNING id, value";
            Ok(database.query_row(insert, (purpose, lifetime), |row| Ok((row.get(0)?, row.get(1)?)))?)
        });
        let (row, value): (i64, String) = made.await?;
        *opening.private = row;
        *opening.renew_at = Some(half_of(lifetime));
        Ok(Token { value: Secret::new(value).into(), ..opening.config })
    }

    async fn renew(&self, context: &Context, renewing: Renewing<'_, Self>) -> Result<(), Failure> {
        let (row, lifetime) = (*renewing.private, context.data::<Database>()?.token_lifetime);
        let update = "UPDATE _tokens SET expires = unixepoch() + ?2 WHERE id = ?1";
        let renewed = transaction(context, move |database| match database.execute(update, (row, lifetime))? {
            0 => Err(DatabaseError::Refused("somebody has deleted the token".to_owned())),
            _ => Ok(()),
        });
        renewed.await?;
        *renewing.renew_at = Some(half_of(lifetime));
        Ok(())
    }

    async fn close(&self, context: &Context, closing: Closing<'_, Self>) -> Result<(), Failure> {
        let row = *closing.private;
        let delete = "DELETE FROM _tokens WHERE id = ?1";
        transaction(context, move |database| Ok(database.execute(delete, [row]).map(drop)?)).await
    }
}

/// When to renew: early enough that one failure does not matter.
fn half_of(lifetime: u32) -> SystemTime {
    SystemTime::now() + Duration::from_secs(lifetime.into()) / 2
}
