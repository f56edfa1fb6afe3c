//! `denobridge_ephemeral_resource`: something that a script opens for the time of a run, renews and closes.

mod leases;
mod renewal;

use async_trait::async_trait;
use denobridge_core::cty::Value;
use denobridge_core::mask::Secrets;
use denobridge_core::provider::Deferred;
use denobridge_core::schema::Schema;
use denobridge_core::{Diagnostic, Diagnostics, Severity};
use denobridge_framework::erased::{ErasedEphemeralResource, Opened, Renewed};
use denobridge_framework::{Context, PrivateData, PrivateDataError};
use serde_json::{Value as Json, json};

use super::call::{SCRIPT_ATTRIBUTES, ScriptCall, attribute, props_json, scripts};
use super::messages::Operation;
use super::{schema, values};

pub(crate) use leases::Leases;

/// Keys of the private data: the script's own, how to run it, and what tells this one from other open ones.
mod key {
    pub const DATA: &str = "data";
    pub const SCRIPT: &str = "script";
    pub const LEASE: &str = "lease";
}

/// The ephemeral resource; all it needs is in the provider's data.
pub(crate) struct ScriptEphemeral;

#[async_trait]
impl ErasedEphemeralResource for ScriptEphemeral {
    fn schema(&self) -> Schema {
        schema::ephemeral_resource()
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        super::call::validate(config)
    }

    async fn open(&self, context: &Context, config: Value, private: &mut PrivateData) -> Opened {
        open(context, config, private).await.unwrap_or_else(|diagnostic| failed(diagnostic.into()))
    }

    async fn renew(&self, context: &Context, private: &mut PrivateData) -> Renewed {
        renew(context, private)
            .await
            .unwrap_or_else(|diagnostic| Renewed { renew_at: None, diagnostics: diagnostic.into() })
    }

    async fn close(&self, context: &Context, private: &PrivateData) -> Diagnostics {
        close(context, private).await.unwrap_or_else(Into::into)
    }
}

fn failed(diagnostics: Diagnostics) -> Opened {
    Opened { diagnostics, ..Opened::default() }
}

async fn open(context: &Context, config: Value, private: &mut PrivateData) -> Result<Opened, Diagnostic> {
    let unknown = scripts(context, Operation::Open)?.deno_is_unknown();
    if unknown && context.client_capabilities().deferral_allowed {
        return Ok(Opened { deferred: Some(Deferred::ProviderConfigUnknown), ..Opened::default() });
    }
    let call = ScriptCall::new(context, Operation::Open, &config, &[])?;
    let (answer, mut diagnostics) = call.ask(&json!({ "props": props_json(&config) })).await?;
    if diagnostics.has_errors() {
        return Ok(failed(diagnostics));
    }
    // From here on something is open, and must be closed again whatever is wrong with the answer.
    let data = answer.get("privateData").cloned().unwrap_or_default();
    let lease = Lease { key: random_key(), script: script_of(&config), data };
    lease.write(private).map_err(|error| Operation::Open.failed(error.to_string()))?;
    let outcome = renewal::time(&call, &answer)
        .map_err(|wrong| call.wrong(&wrong))
        .and_then(|(renew_at, warning)| Ok((call.with_results(&answer, config)?, renew_at, warning)));
    match outcome {
        Ok((result, renew_at, warning)) => {
            diagnostics.extend(warning);
            Ok(Opened { result: Some(result), renew_at, deferred: None, diagnostics })
        }
        Err(error) => {
            diagnostics.push(error);
            diagnostics.extend(close(context, private).await.unwrap_or_else(Into::into));
            Ok(failed(diagnostics))
        }
    }
}

async fn renew(context: &Context, private: &mut PrivateData) -> Result<Renewed, Diagnostic> {
    let lease = Lease::read(private, Operation::Renew)?;
    let leases = &scripts(context, Operation::Renew)?.leases;
    let outcome = renewed(context, private, &lease).await;
    match &outcome {
        Ok((_, diagnostics)) if diagnostics.has_errors() => leases.failed(&lease.key, diagnostics.clone()),
        Ok(_) => {}
        Err(diagnostic) => leases.failed(&lease.key, diagnostic.clone().into()),
    }
    outcome.map(|(renew_at, diagnostics)| Renewed { renew_at, diagnostics })
}

async fn renewed(
    context: &Context,
    private: &mut PrivateData,
    lease: &Lease,
) -> Result<(Option<std::time::SystemTime>, Diagnostics), Diagnostic> {
    let call = lease.call(context, Operation::Renew)?;
    let (answer, mut diagnostics) = call.ask(&lease.params(&call)).await?;
    if diagnostics.has_errors() {
        return Ok((None, diagnostics));
    }
    let data = answer.get("privateData").cloned();
    if let Some(data) = &data {
        private.set(key::DATA, data).map_err(|error| Operation::Renew.failed(error.to_string()))?;
    }
    call.scripts.leases.renewed(&lease.key, data);
    let (renew_at, warning) = renewal::time(&call, &answer).map_err(|wrong| call.wrong(&wrong))?;
    diagnostics.extend(warning);
    Ok((renew_at, diagnostics))
}

async fn close(context: &Context, private: &PrivateData) -> Result<Diagnostics, Diagnostic> {
    let lease = Lease::read(private, Operation::Close)?;
    let call = lease.call(context, Operation::Close)?;
    let params = lease.params(&call);
    let mut diagnostics = renewal_failures(call.scripts.leases.close(&lease.key));
    match call.send(&params).await {
        Ok(json) => {
            let (answer, said) = call.answer(json, &[])?;
            diagnostics.extend(said);
            call.check_done(&answer, &mut diagnostics)?;
        }
        Err(error) if error.is_method_not_found() => {}
        Err(error) => diagnostics.push(call.call_failed(&error)),
    }
    Ok(diagnostics)
}

/// Terraform shows nothing of a renewal that failed, so it is told when there is somebody to tell it to. What was opened is
/// closed by then, hence no more than a warning.
fn renewal_failures(failures: Diagnostics) -> Diagnostics {
    let told = failures.into_iter().map(|mut failure| {
        failure.severity = Severity::Warning;
        failure.detail = format!("The last renewal before the end failed.\n\n{}", failure.detail);
        failure
    });
    told.collect()
}

/// How the script is run, as plain JSON.
fn script_of(config: &Value) -> Json {
    let attributes = SCRIPT_ATTRIBUTES.map(|name| (name.to_owned(), values::to_json(attribute(config, name))));
    Json::Object(attributes.into_iter().collect())
}

fn random_key() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// What the private data say.
struct Lease {
    key: String,
    script: Json,
    /// The script's own; null for none.
    data: Json,
}

impl Lease {
    fn read(private: &PrivateData, operation: Operation) -> Result<Self, Diagnostic> {
        let failed = |error: PrivateDataError| operation.failed(error.to_string());
        let lost = || operation.failed("What was remembered of it when it was opened is lost.");
        Ok(Self {
            key: private.get(key::LEASE).map_err(failed)?.ok_or_else(lost)?,
            script: private.get(key::SCRIPT).map_err(failed)?.ok_or_else(lost)?,
            data: private.get(key::DATA).map_err(failed)?.unwrap_or_default(),
        })
    }

    fn write(&self, private: &mut PrivateData) -> Result<(), PrivateDataError> {
        private.set(key::LEASE, &self.key)?;
        private.set(key::SCRIPT, &self.script)?;
        private.set(key::DATA, &self.data)
    }

    fn call<'c>(&self, context: &'c Context, operation: Operation) -> Result<ScriptCall<'c>, Diagnostic> {
        let script = values::from_json(&self.script).map_err(|error| operation.failed(error.to_string()))?;
        let call = ScriptCall::new(context, operation, &script, &[])?;
        let mut secrets = Secrets::default();
        let data = call.scripts.leases.newest(&self.key);
        collect_texts(data.as_ref().unwrap_or(&self.data), &mut secrets);
        Ok(call.with_secrets(&secrets))
    }

    /// The script's private data at their newest; without any, nothing.
    fn params(&self, call: &ScriptCall<'_>) -> Json {
        match call.scripts.leases.newest(&self.key).unwrap_or_else(|| self.data.clone()) {
            Json::Null => json!({}),
            data => json!({ "privateData": data }),
        }
    }
}

/// Private data may hold anything secret.
fn collect_texts(json: &Json, found: &mut Secrets) {
    match json {
        Json::String(text) => found.add_text(text),
        Json::Array(items) => items.iter().for_each(|item| collect_texts(item, found)),
        Json::Object(members) => members.values().for_each(|item| collect_texts(item, found)),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}
