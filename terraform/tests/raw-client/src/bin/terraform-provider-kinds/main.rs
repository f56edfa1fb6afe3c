//! A provider made with the framework that has a component of every kind, each of which does what its configuration's `does`
//! says: panic, fail, wait to be stopped, or its work. Whatever they say and log has secrets in it, which nobody may see.
//!
//! With `KINDS_FUSES` set, every procedure's first call panics before the framework sees it.
#![allow(clippy::panic)] // It is there to panic.

mod components;
mod fuses;
mod resource;
mod store;

use std::process::ExitCode;
use std::sync::Arc;

use denobridge_core::Provider;
use denobridge_core::cty::Type;
use denobridge_core::provider::Surrounded;
use denobridge_core::schema::{Attribute, Block, Schema};
use denobridge_framework::erased::{argument_error, async_function};
use denobridge_framework::{BuildError, ProviderBuilder};
use denobridge_terraform::{ServeOptions, refuse_direct_start, serve, started_by_host};

use components::{Lookup, Reboot, Things, Token};
use resource::Thing;
use store::Store;

#[tokio::main]
async fn main() -> ExitCode {
    if !started_by_host() {
        return refuse_direct_start("terraform-provider-kinds");
    }
    let provider: Arc<dyn Provider> = match provider() {
        Ok(provider) if std::env::var_os("KINDS_FUSES").is_some() => Arc::new(Surrounded(fuses::Fuses::new(provider))),
        Ok(provider) => Arc::new(provider),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    match serve(provider, ServeOptions::new("registry.terraform.io/example/kinds")).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn provider() -> Result<impl Provider + use<>, BuildError> {
    let token = attribute("token", |a| (a.optional, a.sensitive) = (true, true));
    ProviderBuilder::new("kinds")
        .config_schema(Schema { version: 0, block: Block { attributes: vec![does(), token], ..Block::default() } })
        .configure(components::configure)
        .resource("kinds_thing", Box::new(Thing))
        .data_source("kinds_lookup", Box::new(Lookup))
        .ephemeral_resource("kinds_token", Box::new(Token))
        .action("kinds_reboot", Box::new(Reboot))
        .list_resource("kinds_thing", Box::new(Things))
        .state_store("kinds_store", Box::<Store>::default())
        .function(
            "shout",
            async_function(components::shout_signature(), async |arguments| {
                match components::text_of(arguments.first()) {
                    "panic" => panic!("deliberate"),
                    "fail" => Err(argument_error(0, "nothing to shout")),
                    text => Ok(denobridge_core::cty::Value::string(text.to_uppercase())),
                }
            }),
        )
        .build()
}

fn attribute(name: &str, change: impl FnOnce(&mut Attribute)) -> Attribute {
    let mut attribute = Attribute::new(name, Type::String);
    change(&mut attribute);
    attribute
}

fn does() -> Attribute {
    attribute("does", |a| a.optional = true)
}

/// `does` and `secret` are configured, `id` and `key` are computed.
fn schema(more: Vec<Attribute>) -> Schema {
    let mut attributes = vec![
        does(),
        attribute("secret", |a| (a.optional, a.sensitive) = (true, true)),
        attribute("id", |a| a.computed = true),
        attribute("key", |a| (a.computed, a.sensitive) = (true, true)),
    ];
    attributes.extend(more);
    Schema { version: 1, block: Block { attributes, ..Block::default() } }
}
