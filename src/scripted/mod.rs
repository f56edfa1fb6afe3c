//! The embedded provider: Terraform components whose work Deno scripts do.
//!
//! ```text
//! resource, data_source, ephemeral, action, function, list ─► call ─► runtime ─► deno::Pool ─► script
//!    │  values       cty ↔ JSON, keeping types and exact numbers
//!    │  answer       what a script answered, member by member
//!    │  messages     errors and diagnostics of scripts, as the user should see them
//!    └─ write_only   noticing a changed secret without keeping it
//! ```
//!
//! The contract with scripts is JSON-RPC over standard input and output. Beyond the published contract we send, and
//! scripts may ignore:
//! - `read` gets `state` and `sensitiveState`, as last known;
//! - `modifyPlan` gets `unknownPaths` when something in `nextProps` is not known yet. Each path is an array that starts with
//!   `"nextProps"` and goes on with member names (text) and positions (numbers). The value itself is null there; if all of
//!   the props are unknown, `nextProps` is `{}` and the only path is `["nextProps"]`.
//!
//! and accept:
//! - `modifyPlan` may answer `plannedState`, the state after apply, so that what depends on it can be planned too. The
//!   answer of `create` or `update` must then be that state.

mod action;
mod answer;
mod call;
mod configuration;
mod data_source;
mod ephemeral;
mod function;
mod import_id;
mod list;
mod messages;
mod resource;
mod runtime;
mod schema;
mod settings;
pub(crate) mod traffic;
pub(crate) mod values;
mod write_only;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;

use denobridge_core::{Diagnostics, Provider};
use denobridge_framework::provider::Configured;
use denobridge_framework::{BuildError, ConfigureContext, ProviderBuilder};

pub use runtime::Runtime;

// What typed components stand on.
pub(crate) use action::ScriptAction;
pub(crate) use call::attribute;
pub(crate) use data_source::ScriptDataSource;
pub(crate) use ephemeral::ScriptEphemeral;
pub(crate) use function::CallScript;
pub(crate) use list::ScriptList;
pub(crate) use messages::{placed, shown_at};
pub(crate) use resource::{ScriptResource, VERSION, is_imported, mark_imported};
pub(crate) use runtime::{Owner, Scripts};
pub(crate) use schema::{permissions as permissions_schema, provider as provider_schema};
pub(crate) use settings::Settings;
pub(crate) use write_only::carry_over;

/// The provider's name, which all its type names start with.
pub const PROVIDER_NAME: &str = "denobridge";
/// Terraform's name of the resource, and of the list resource that finds its objects.
pub const RESOURCE: &str = "denobridge_resource";
/// Terraform's name of the data source.
pub const DATA_SOURCE: &str = "denobridge_datasource";
/// Terraform's name of the ephemeral resource.
pub const EPHEMERAL_RESOURCE: &str = "denobridge_ephemeral_resource";
/// Terraform's name of the function.
pub const FUNCTION: &str = "call";
/// Terraform's name of the action.
pub const ACTION: &str = "denobridge_action";

/// What the embedded provider needs from the process that it is in.
#[derive(Clone, Default)]
pub struct ScriptedOptions {
    /// Keeps the scripts; a clone of it ends them.
    pub runtime: Runtime,
    /// The Deno that functions run with, which know no configuration. Without it: the one that the environment names.
    pub deno: Option<PathBuf>,
}

/// The embedded provider.
///
/// # Errors
/// None that depends on input: its components are fixed.
pub fn provider(options: ScriptedOptions) -> Result<Arc<dyn Provider>, BuildError> {
    let ScriptedOptions { runtime, deno } = options;
    let functions = function::CallScript::new(runtime.clone(), deno);
    let provider = ProviderBuilder::new(PROVIDER_NAME)
        .config_schema(schema::provider())
        .validate(|config| settings::Settings::read(config).err().map(Into::into).unwrap_or_default())
        .configure(move |context| {
            let runtime = runtime.clone();
            async move { configure(&runtime, &context) }
        })
        .resource(RESOURCE, Box::new(resource::ScriptResource))
        .data_source(DATA_SOURCE, Box::new(data_source::ScriptDataSource))
        .ephemeral_resource(EPHEMERAL_RESOURCE, Box::new(ephemeral::ScriptEphemeral))
        .list_resource(RESOURCE, Box::new(list::ScriptList))
        .function(FUNCTION, Box::new(functions))
        .action(ACTION, Box::new(action::ScriptAction))
        .build()?;
    Ok(Arc::new(provider))
}

fn configure(runtime: &Runtime, context: &ConfigureContext) -> Configured {
    let settings = match settings::Settings::read(&context.config) {
        Ok(settings) => settings,
        Err(diagnostic) => return Configured { data: None, diagnostics: diagnostic.into() },
    };
    let scripts = runtime.scripts(settings, context.call.log_sink());
    Configured { data: Some(Arc::new(scripts)), diagnostics: Diagnostics::new() }
}
