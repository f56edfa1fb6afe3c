//! What the provider consists of, and its configuration.

use std::time::Duration;

use denobridge_core::Provider;
use denobridge_framework::hub::Component;
use denobridge_framework::prelude::*;

use crate::database::{Database, Module};
use crate::functions::{parse_literal, quote_identifier, select};
use crate::{backup, list, query, row, states, table, token};

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

#[capability]
impl Capability for Tokens {
    type Settings = TokenSettings;
}

/// The provider.
///
/// # Errors
/// Its components do not fit together, which no input can cause.
pub(crate) fn provider() -> Result<impl Provider, BuildError> {
    ProviderBuilder::new("sqlite")
        .configured_by(configured)
        .meta::<Module>()
        .add_capability("tokens", Tokens)
        .add_resource("sqlite_table", table::Tables)
        .add_resource("sqlite_row", row::Rows)
        .add_list_resource("sqlite_row", list::RowList)
        .add_data_source("sqlite_query", query::Queries)
        .component_of("tokens", "sqlite_token", Component::ephemeral_resource(token::Tokens))
        .add_action("sqlite_backup", backup::Backups)
        .add_state_store::<states::States>("sqlite_states")
        .add_function::<quote_identifier>()
        .add_function::<select>()
        .add_function::<parse_literal>()
        .build()
}

async fn configured(configuration: Configuration<Settings>) -> Result<Database, Failure> {
    let tokens = configuration.settings::<Tokens>()?;
    let Settings { file, busy_timeout } = configuration.config;
    Ok(Database {
        file: file.into(),
        busy_timeout: Duration::from_millis(busy_timeout.unwrap_or(5000).into()),
        // Without the setting no token is asked for.
        token_lifetime: tokens.token_lifetime.unwrap_or(0),
    })
}
