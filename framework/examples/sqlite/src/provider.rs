//! What the provider consists of, and its configuration.

use std::sync::Arc;
use std::time::Duration;

use denobridge_core::Provider;
use denobridge_core::schema::Block;
use denobridge_framework::erased::{ErasedCapability, ErasedEphemeralResource};
use denobridge_framework::prelude::*;
use denobridge_framework::provider::Configured;

use crate::database::Database;
use crate::{backup, functions, query, row, states, table, token};

/// Where the database is, and how it is opened.
#[derive(Model)]
struct Settings {
    /// The database file; made when it is first used.
    #[tf(required)]
    file: String,
    /// How long an operation waits for others that write to the file, in milliseconds. Default: 5000.
    busy_timeout: Option<u32>,
}

/// The settings of the capability `tokens`, which become part of the provider's configuration.
#[derive(Model)]
struct TokenSettings {
    /// For how long a token is valid unless it is renewed, in seconds. Without it there are no tokens.
    token_lifetime: Option<u32>,
}

/// Tokens are there only for who says how long they live.
struct Tokens;

impl ErasedCapability for Tokens {
    fn settings(&self) -> Block {
        TokenSettings::definition().build()
    }
}

/// The provider.
///
/// # Errors
/// Its components do not fit together, which no input can cause.
pub(crate) fn provider() -> Result<impl Provider, BuildError> {
    let tokens: Box<dyn ErasedEphemeralResource> = Box::new(token::Tokens);
    functions::add_all(ProviderBuilder::new("sqlite"))
        .config_schema(Settings::schema(0))
        .configure(|context| async move { configured(&context.config) })
        .capability("tokens", Box::new(Tokens))
        .add_resource("sqlite_table", table::Tables)
        .add_resource("sqlite_row", row::Rows)
        .data_source("sqlite_query", Box::new(query::Queries))
        .component_of("tokens", "sqlite_token", tokens)
        .action("sqlite_backup", Box::new(backup::Backups))
        .state_store("sqlite_states", Box::new(states::States))
        .build()
}

fn configured(config: &Value) -> Configured {
    let settings = Settings::from_value(config).and_then(|own| Ok((own, TokenSettings::from_value(config)?)));
    match settings {
        Ok((Settings { file, busy_timeout }, TokenSettings { token_lifetime })) => {
            let database = Database {
                file: file.into(),
                busy_timeout: Duration::from_millis(busy_timeout.unwrap_or(5000).into()),
                // Without the setting no token is asked for.
                token_lifetime: token_lifetime.unwrap_or(0),
            };
            Configured { data: Some(Arc::new(database)), diagnostics: Diagnostics::new() }
        }
        Err(error) => Configured { data: None, diagnostics: error.to_diagnostic().into() },
    }
}
