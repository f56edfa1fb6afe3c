//! The provider that a builder makes: decodes what is asked, dispatches it, and makes sure of what is answered.

mod action;
mod catalog;
mod data_source;
mod ephemeral_resource;
mod function;
mod list_resource;
mod provider;
pub(crate) mod resource;
mod signature;
mod state_store;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard};

use async_trait::async_trait;
use denobridge_core::cty::{Type, Value};
use denobridge_core::provider::*;
use denobridge_core::schema::Block;
use denobridge_core::{Call, CallError, Diagnostic, Diagnostics, DynamicValue, Provider};
use tokio_util::sync::CancellationToken;

use crate::context::Context;
use crate::discovery::Discovery;
use crate::guard::{Operation, guarded};
use crate::hub::Hub;
use crate::instances::{Lifecycle, Turns};
use crate::mask::Secrets;
use crate::provider::{BuildError, Configure, Defer, ProviderBuilder, ProviderData, Validate};
use crate::validate as schema_check;

use catalog::{Catalog, Parts, Registered};

/// The provider. Cheap to clone, so that a stream can outlive the request that it answers.
#[derive(Clone)]
pub(crate) struct Server(Arc<Shared>);

struct Shared {
    parts: Parts,
    hub: Option<Arc<Hub>>,
    /// What discovery came to, until there is a log to tell of it.
    discovery: Mutex<Option<Discovery>>,
    /// The catalog, from the first request on; without a hub, from the start.
    catalog: OnceLock<Catalog>,
    validate: Option<Validate>,
    configure: Option<Configure>,
    defer: Option<Defer>,
    configured: RwLock<Settings>,
    turns: Turns,
    lifecycle: Arc<Lifecycle>,
    /// What the configuration of each state store came to.
    stores: Mutex<BTreeMap<Arc<str>, StoreSettings>>,
    /// Cancelled and replaced by StopProvider: what runs is to end, what comes later is served.
    stop: Mutex<CancellationToken>,
}

/// What the provider's configuration came to.
#[derive(Default)]
struct Settings {
    data: ProviderData,
    /// The settings that each capability misses; `None` before there is a configuration.
    missing: Option<BTreeMap<Arc<str>, Vec<Arc<str>>>>,
    secrets: Secrets,
    /// Everything is put off until there is another configuration.
    deferred: Option<Deferred>,
}

/// What the configuration of a state store came to.
#[derive(Default)]
struct StoreSettings {
    /// The chunk size that was agreed on, in bytes; none before that.
    chunk_size: Option<usize>,
    secrets: Secrets,
}

impl Server {
    pub fn new(builder: ProviderBuilder) -> Result<Self, BuildError> {
        let ProviderBuilder {
            name,
            config_schema,
            meta_schema,
            validate,
            configure,
            defer,
            components,
            hub,
            discover,
            lifecycle,
        } = builder;
        let hub = if discover.is_some() { Some(hub.unwrap_or_default()) } else { hub };
        let discovery = hub.as_ref().zip(discover).map(|(hub, module)| hub.discover(module));
        let parts = Parts { name, config_schema, meta_schema, components };
        // What is in the hub by now is held to the same rules between components; more may come.
        let (registered, _) = hub.as_ref().map(|hub| hub.contents()).unwrap_or_default();
        let first = catalog::assemble(&parts, &registered)?;
        let catalog = OnceLock::new();
        if hub.is_none() {
            let _ = catalog.set(first);
        }
        Ok(Self(Arc::new(Shared {
            parts,
            hub,
            discovery: Mutex::new(discovery),
            catalog,
            validate,
            configure,
            defer,
            configured: RwLock::default(),
            turns: Turns::default(),
            lifecycle,
            stores: Mutex::default(),
            stop: Mutex::default(),
        })))
    }

    fn name(&self) -> &str {
        &self.0.parts.name
    }

    fn catalog(&self) -> &Catalog {
        self.0.catalog.get_or_init(|| {
            let parts = &self.0.parts;
            let (registered, warnings) = match &self.0.hub {
                Some(hub) => {
                    hub.seal();
                    hub.contents()
                }
                None => Default::default(),
            };
            let mut catalog = catalog::assemble(parts, &registered).unwrap_or_else(|error| {
                // Alone they fitted together when the provider was built.
                let mut catalog = catalog::assemble(parts, &[]).unwrap_or_default();
                catalog
                    .diagnostics
                    .push(Diagnostic::error("The provider's components do not fit together", format!("{error}.")));
                catalog
            });
            catalog.diagnostics.extend(warnings);
            catalog
        })
    }

    fn config_block(&self) -> &Block {
        &self.catalog().schema.provider.block
    }

    fn resource(&self, type_name: &str) -> Result<&Registered, Diagnostic> {
        self.find(&self.catalog().resources, "resource type", type_name)
    }

    fn find<'s, T>(&self, among: &'s BTreeMap<Arc<str>, T>, kind: &str, name: &str) -> Result<&'s T, Diagnostic> {
        among.get(name).ok_or_else(|| {
            if name.is_empty() {
                return Diagnostic::error("Invalid request", format!("The request names no {kind}."));
            }
            let title = format!("{}{} not found", kind[..1].to_uppercase(), &kind[1..]);
            Diagnostic::error(title, format!("The provider {} has no {kind} called {name}.", self.name()))
        })
    }

    /// Whether components of a capability can work.
    fn ready(&self, component: &str, capability: Option<&Arc<str>>) -> Result<(), Diagnostic> {
        let Some(capability) = capability else { return Ok(()) };
        let configured = self.settings().missing.clone();
        let missing = configured.unwrap_or_else(|| self.catalog().all_missing());
        let names: Vec<String> =
            missing.get(capability).into_iter().flatten().map(|name| format!("\"{name}\"")).collect();
        if names.is_empty() {
            return Ok(());
        }
        Err(Diagnostic::error(
            format!("The capability {capability} is not configured"),
            format!(
                "{component} needs it. Set {} in the configuration of the provider {}.",
                names.join(", "),
                self.name()
            ),
        ))
    }

    fn settings(&self) -> RwLockReadGuard<'_, Settings> {
        self.0.configured.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn context(&self, call: Call, type_name: &Arc<str>) -> Context {
        let data = self.settings().data.clone();
        Context::new(call, Arc::clone(type_name), data)
    }

    /// The module's `provider_meta` block, where both sides have one.
    fn meta(&self, meta: &DynamicValue) -> Result<Option<Value>, Diagnostic> {
        let Some(schema) = &self.catalog().schema.provider_meta else { return Ok(None) };
        let meta = decode(meta, &schema.implied_type(), "provider_meta", &format!("the provider {}", self.name()))?;
        Ok(Some(meta).filter(|meta| !meta.is_null()))
    }

    /// Why everything is put off, if it is; only for those who can wait.
    fn deferred(&self, client: ClientCapabilities) -> Option<Deferred> {
        self.settings().deferred.filter(|_| client.deferral_allowed)
    }

    fn stop_token(&self) -> CancellationToken {
        self.0.stop.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Runs a handler under the guard; StopProvider cancels its call, and it may still answer with what it has. Whatever it
    /// logs shows neither these secrets nor the provider's own.
    async fn run<T, F: Future<Output = T>>(
        &self,
        call: &Call,
        operation: Operation<'_>,
        secrets: &Secrets,
        handler: impl FnOnce(Call) -> F,
    ) -> Result<T, Diagnostic> {
        let stop = self.stop_token();
        let cancellation = call.cancellation().child_token();
        let call = secrets.out_of_log(self.settings().secrets.out_of_log(call.clone()));
        let call = call.with_cancellation(cancellation.clone());
        let mut handler = pin!(guarded(operation, async move { handler(call).await }));
        tokio::select! {
            biased;
            outcome = &mut handler => return outcome,
            () = stop.cancelled() => cancellation.cancel(),
        }
        handler.await
    }

    /// Checks a configuration, first against its schema: a component need not cope with what its schema forbids.
    async fn checked<F: Future<Output = Diagnostics>>(
        &self,
        call: &Call,
        type_name: &str,
        block: &Block,
        config: &Value,
        validate: impl FnOnce(Call) -> F,
    ) -> Diagnostics {
        let found = schema_check::configuration(block, config);
        if found.has_errors() {
            return found;
        }
        let operation = Operation { name: "validation", component: type_name };
        let secrets = Secrets::of(block, config);
        let validated = self.run(call, operation, &secrets, validate).await.unwrap_or_else(Into::into);
        self.said(operation, &secrets, validated)
    }

    /// What a component said, fit to be read: every message says which operation it was, and no secret is in it.
    fn said(&self, operation: Operation<'_>, secrets: &Secrets, diagnostics: Diagnostics) -> Diagnostics {
        let mut named: Diagnostics = diagnostics
            .into_iter()
            .map(|mut diagnostic| {
                if diagnostic.summary.is_empty() {
                    diagnostic.summary = operation.failed();
                }
                diagnostic
            })
            .collect();
        named = secrets.mask_diagnostics(named);
        self.settings().secrets.mask_diagnostics(named)
    }

    fn secrets_of_text(&self, text: &str, secrets: &Secrets) -> String {
        let masked = secrets.mask(text);
        self.settings().secrets.mask(&masked).into_owned()
    }
}

/// The value of a request, or the message that it cannot be read.
fn decode(value: &DynamicValue, ty: &Type, what: &str, of: &str) -> Result<Value, Diagnostic> {
    value.decode(ty).map_err(|error| {
        Diagnostic::error(format!("The {what} of {of} cannot be read"), format!("It does not fit the schema: {error}."))
            .at(error.path)
    })
}

/// An answer that was put off although nobody said that it may be (rule R17).
fn forbidden_deferral(
    operation: Operation<'_>,
    client: ClientCapabilities,
    deferred: Option<Deferred>,
) -> Option<Diagnostic> {
    let broken = denobridge_core::planning::rules::deferral(client.deferral_allowed, deferred);
    broken.into_iter().next().map(|violation| operation.error(violation.message))
}

macro_rules! procedures {
    ($($method:ident($request:ident) -> $response:ident = $answer:path;)*) => {
        #[async_trait]
        impl Provider for Server {
            $(
                async fn $method(&self, call: &Call, request: $request) -> Result<$response, CallError> {
                    Ok($answer(self, call, request).await)
                }
            )*
        }
    };
}

// Whatever goes wrong is part of the answer; there always is one.
procedures! {
    get_metadata(GetMetadataRequest) -> GetMetadataResponse = provider::metadata;
    get_provider_schema(GetProviderSchemaRequest) -> GetProviderSchemaResponse = provider::schema;
    upgrade_resource_identity(UpgradeResourceIdentityRequest) -> UpgradeResourceIdentityResponse = resource::upgrade_identity;
    validate_provider_config(ValidateProviderConfigRequest) -> ValidateProviderConfigResponse = provider::validate;
    configure_provider(ConfigureProviderRequest) -> ConfigureProviderResponse = provider::configure;
    stop_provider(StopProviderRequest) -> StopProviderResponse = provider::stop;
    validate_resource_config(ValidateResourceConfigRequest) -> ValidateResourceConfigResponse = resource::validate;
    upgrade_resource_state(UpgradeResourceStateRequest) -> UpgradeResourceStateResponse = resource::upgrade;
    read_resource(ReadResourceRequest) -> ReadResourceResponse = resource::read;
    plan_resource_change(PlanResourceChangeRequest) -> PlanResourceChangeResponse = resource::plan;
    apply_resource_change(ApplyResourceChangeRequest) -> ApplyResourceChangeResponse = resource::apply;
    import_resource_state(ImportResourceStateRequest) -> ImportResourceStateResponse = resource::import;
    generate_resource_config(GenerateResourceConfigRequest) -> GenerateResourceConfigResponse = resource::generate;
    move_resource_state(MoveResourceStateRequest) -> MoveResourceStateResponse = resource::take_over;
    validate_data_resource_config(ValidateDataResourceConfigRequest) -> ValidateDataResourceConfigResponse = data_source::validate;
    read_data_source(ReadDataSourceRequest) -> ReadDataSourceResponse = data_source::read;
    validate_ephemeral_resource_config(ValidateEphemeralResourceConfigRequest) -> ValidateEphemeralResourceConfigResponse = ephemeral_resource::validate;
    open_ephemeral_resource(OpenEphemeralResourceRequest) -> OpenEphemeralResourceResponse = ephemeral_resource::open;
    renew_ephemeral_resource(RenewEphemeralResourceRequest) -> RenewEphemeralResourceResponse = ephemeral_resource::renew;
    close_ephemeral_resource(CloseEphemeralResourceRequest) -> CloseEphemeralResourceResponse = ephemeral_resource::close;
    call_function(CallFunctionRequest) -> CallFunctionResponse = function::call;
    validate_list_resource_config(ValidateListResourceConfigRequest) -> ValidateListResourceConfigResponse = list_resource::validate;
    list_resource(ListResourceRequest) -> ListResourceResponse = list_resource::list;
    validate_action_config(ValidateActionConfigRequest) -> ValidateActionConfigResponse = action::validate;
    plan_action(PlanActionRequest) -> PlanActionResponse = action::plan;
    invoke_action(InvokeActionRequest) -> InvokeActionResponse = action::invoke;
    validate_state_store_config(ValidateStateStoreConfigRequest) -> ValidateStateStoreConfigResponse = state_store::validate;
    configure_state_store(ConfigureStateStoreRequest) -> ConfigureStateStoreResponse = state_store::configure;
    read_state_bytes(ReadStateBytesRequest) -> ReadStateBytesResponse = state_store::read;
    write_state_bytes(WriteStateBytesRequest) -> WriteStateBytesResponse = state_store::write;
    lock_state(LockStateRequest) -> LockStateResponse = state_store::lock;
    unlock_state(UnlockStateRequest) -> UnlockStateResponse = state_store::unlock;
    get_states(GetStatesRequest) -> GetStatesResponse = state_store::list;
    delete_state(DeleteStateRequest) -> DeleteStateResponse = state_store::delete;
}
