//! `denobridge_datasource`: something that a script looks up.

use async_trait::async_trait;
use denobridge_core::cty::Value;
use denobridge_core::provider::Deferred;
use denobridge_core::schema::Schema;
use denobridge_core::{Diagnostic, Diagnostics};
use denobridge_framework::Context;
use denobridge_framework::erased::{DataRead, ErasedDataSource};
use serde_json::json;

use super::call::{ScriptCall, props_json, scripts};
use super::messages::Operation;
use super::schema;

/// The data source; all it needs is in the provider's data.
pub(crate) struct ScriptDataSource;

#[async_trait]
impl ErasedDataSource for ScriptDataSource {
    fn schema(&self) -> Schema {
        schema::data_source()
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        super::call::validate(config)
    }

    async fn read(&self, context: &Context, config: Value) -> DataRead {
        read(context, config).await.unwrap_or_else(DataRead::failed)
    }
}

async fn read(context: &Context, config: Value) -> Result<DataRead, Diagnostic> {
    let unknown = scripts(context, Operation::ReadData)?.deno_is_unknown();
    if unknown && context.client_capabilities().deferral_allowed {
        return Ok(DataRead { deferred: Some(Deferred::ProviderConfigUnknown), ..DataRead::default() });
    }
    let call = ScriptCall::new(context, Operation::ReadData, &config, &[])?;
    let (answer, diagnostics) = call.ask(&json!({ "props": props_json(&config) })).await?;
    if diagnostics.has_errors() {
        return Ok(DataRead::failed(diagnostics));
    }
    let state = call.with_results(&answer, config)?;
    Ok(DataRead { state: Some(state), deferred: None, diagnostics })
}
