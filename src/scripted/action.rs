//! `denobridge_action`: something that a script does and that leaves no object to keep.

use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::cty::Value;
use denobridge_core::schema::Schema;
use denobridge_core::{Diagnostic, Diagnostics};
use denobridge_framework::Context;
use denobridge_framework::erased::{ErasedAction, Progress};
use serde_json::json;

use super::call::{ScriptCall, props_json};
use super::messages::Operation;
use super::schema;

/// The action; all it needs is in the provider's data.
pub(crate) struct ScriptAction;

#[async_trait]
impl ErasedAction for ScriptAction {
    fn schema(&self) -> Schema {
        schema::action()
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        super::call::validate(config)
    }

    async fn invoke(&self, context: &Context, config: Value, progress: &Progress) -> Diagnostics {
        invoke(context, config, progress).await.unwrap_or_else(Into::into)
    }
}

async fn invoke(context: &Context, config: Value, progress: &Progress) -> Result<Diagnostics, Diagnostic> {
    let progress = progress.clone();
    // Some scripts end their messages for a terminal; whoever shows them breaks lines by itself.
    let told = Arc::new(move |message: String| progress.report(message.trim_end()));
    let call = ScriptCall::new(context, Operation::Invoke, &config, &[])?.with_progress(told);
    let (answer, mut diagnostics) = call.ask(&json!({ "props": props_json(&config) })).await?;
    call.check_done(&answer, &mut diagnostics)?;
    Ok(diagnostics)
}
