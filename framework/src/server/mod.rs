//! The provider that a builder makes: decodes what is asked, dispatches it, and makes sure of what is answered.

pub(crate) mod resource;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use async_trait::async_trait;
use denobridge_core::cty::{Type, Value};
use denobridge_core::provider::*;
use denobridge_core::schema::{ProviderSchema, Schema};
use denobridge_core::{Call, CallError, Diagnostic, DynamicValue, Provider};
use tokio_util::sync::CancellationToken;

use crate::context::Context;
use crate::erased::ErasedResource;
use crate::guard::{Operation, guarded};
use crate::plan::Rules;
use crate::provider::{Configure, ConfigureContext, ProviderBuilder, ProviderData};
use crate::validate;

/// What the framework does on its own.
const CAPABILITIES: ServerCapabilities = ServerCapabilities {
    plan_destroy: true,
    get_provider_schema_optional: true,
    move_resource_state: false,
    generate_resource_config: false,
};

pub(crate) struct Server {
    name: String,
    schema: Arc<ProviderSchema>,
    config_type: Type,
    configure: Option<Configure>,
    resources: BTreeMap<Arc<str>, Registered>,
    data: RwLock<ProviderData>,
    /// Cancelled and replaced by StopProvider: what runs is to end, what comes later is served.
    stop: Mutex<CancellationToken>,
}

/// A resource with what is worth computing once.
struct Registered {
    resource: Box<dyn ErasedResource>,
    schema: Schema,
    ty: Type,
    rules: Rules,
}

impl Server {
    pub fn new(builder: ProviderBuilder) -> Self {
        let ProviderBuilder { name, config_schema, configure, resources } = builder;
        let resources: BTreeMap<_, _> = resources
            .into_iter()
            .map(|(name, resource)| {
                let schema = resource.schema();
                let rules = Rules::new(&schema.block, resource.plan_modifiers());
                let ty = schema.implied_type();
                (name, Registered { resource, schema, ty, rules })
            })
            .collect();
        let schema = ProviderSchema {
            resources: resources.iter().map(|(name, entry)| (Arc::clone(name), entry.schema.clone())).collect(),
            provider: config_schema,
            ..ProviderSchema::default()
        };
        Self {
            name,
            config_type: schema.provider.implied_type(),
            schema: Arc::new(schema),
            configure,
            resources,
            data: RwLock::default(),
            stop: Mutex::default(),
        }
    }

    fn resource(&self, type_name: &str) -> Result<&Registered, Diagnostic> {
        self.resources.get(type_name).ok_or_else(|| self.unknown_component("resource type", type_name))
    }

    fn unknown_component(&self, kind: &str, name: &str) -> Diagnostic {
        if name.is_empty() {
            return Diagnostic::error("Invalid request", format!("The request names no {kind}."));
        }
        let title = format!("{}{} not found", kind[..1].to_uppercase(), &kind[1..]);
        Diagnostic::error(title, format!("The provider {} has no {kind} called {name}.", self.name))
    }

    fn context(&self, call: Call, type_name: &Arc<str>) -> Context {
        let data = self.data.read().unwrap_or_else(PoisonError::into_inner).clone();
        Context::new(call, Arc::clone(type_name), data)
    }

    /// Runs a handler under the guard; StopProvider cancels its call, and it may still answer with what it has.
    async fn run<T, F: Future<Output = T>>(
        &self,
        call: &Call,
        operation: Operation<'_>,
        handler: impl FnOnce(Call) -> F,
    ) -> Result<T, Diagnostic> {
        let stop = self.stop.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let cancellation = call.cancellation().child_token();
        let call = call.clone().with_cancellation(cancellation.clone());
        let mut handler = pin!(guarded(operation, handler(call)));
        tokio::select! {
            biased;
            outcome = &mut handler => return outcome,
            () = stop.cancelled() => cancellation.cancel(),
        }
        handler.await
    }

    fn decode_config(&self, config: &DynamicValue) -> Result<Value, Diagnostic> {
        decode(config, &self.config_type, "configuration", &format!("the provider {}", self.name))
    }
}

/// The value of a request, or the message that it cannot be read.
fn decode(value: &DynamicValue, ty: &Type, what: &str, of: &str) -> Result<Value, Diagnostic> {
    value.decode(ty).map_err(|error| {
        Diagnostic::error(format!("The {what} of {of} cannot be read"), format!("It does not fit the schema: {error}."))
            .at(error.path)
    })
}

#[async_trait]
impl Provider for Server {
    async fn get_metadata(&self, _: &Call, _: GetMetadataRequest) -> Result<GetMetadataResponse, CallError> {
        Ok(GetMetadataResponse {
            server_capabilities: CAPABILITIES,
            resources: self.resources.keys().cloned().collect(),
            ..GetMetadataResponse::default()
        })
    }

    async fn get_provider_schema(
        &self,
        _: &Call,
        _: GetProviderSchemaRequest,
    ) -> Result<GetProviderSchemaResponse, CallError> {
        Ok(GetProviderSchemaResponse {
            schema: Arc::clone(&self.schema),
            server_capabilities: CAPABILITIES,
            ..GetProviderSchemaResponse::default()
        })
    }

    async fn validate_provider_config(
        &self,
        _: &Call,
        request: ValidateProviderConfigRequest,
    ) -> Result<ValidateProviderConfigResponse, CallError> {
        let diagnostics = match self.decode_config(&request.config) {
            Ok(config) => validate::configuration(&self.schema.provider.block, &config),
            Err(diagnostic) => diagnostic.into(),
        };
        Ok(ValidateProviderConfigResponse { diagnostics })
    }

    async fn configure_provider(
        &self,
        call: &Call,
        request: ConfigureProviderRequest,
    ) -> Result<ConfigureProviderResponse, CallError> {
        let config = match self.decode_config(&request.config) {
            Ok(config) => config,
            Err(diagnostic) => return Ok(ConfigureProviderResponse { diagnostics: diagnostic.into() }),
        };
        let Some(configure) = &self.configure else { return Ok(ConfigureProviderResponse::default()) };
        let operation = Operation { name: "configuration", component: &self.name };
        let configured = self
            .run(call, operation, |call| {
                configure(ConfigureContext {
                    call,
                    config,
                    terraform_version: request.terraform_version,
                    client_capabilities: request.client_capabilities,
                })
            })
            .await;
        let diagnostics = match configured {
            Ok(configured) => {
                if !configured.diagnostics.has_errors() {
                    *self.data.write().unwrap_or_else(PoisonError::into_inner) = configured.data;
                }
                configured.diagnostics
            }
            Err(panic) => panic.into(),
        };
        Ok(ConfigureProviderResponse { diagnostics })
    }

    async fn stop_provider(&self, _: &Call, _: StopProviderRequest) -> Result<StopProviderResponse, CallError> {
        let mut stop = self.stop.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *stop).cancel();
        Ok(StopProviderResponse::default())
    }

    async fn validate_resource_config(
        &self,
        call: &Call,
        request: ValidateResourceConfigRequest,
    ) -> Result<ValidateResourceConfigResponse, CallError> {
        Ok(resource::validate(self, call, request).await)
    }

    async fn upgrade_resource_state(
        &self,
        call: &Call,
        request: UpgradeResourceStateRequest,
    ) -> Result<UpgradeResourceStateResponse, CallError> {
        Ok(resource::upgrade(self, call, request).await)
    }

    async fn read_resource(
        &self,
        call: &Call,
        request: ReadResourceRequest,
    ) -> Result<ReadResourceResponse, CallError> {
        Ok(resource::read(self, call, request).await)
    }

    async fn plan_resource_change(
        &self,
        call: &Call,
        request: PlanResourceChangeRequest,
    ) -> Result<PlanResourceChangeResponse, CallError> {
        Ok(resource::plan(self, call, request).await)
    }

    async fn apply_resource_change(
        &self,
        call: &Call,
        request: ApplyResourceChangeRequest,
    ) -> Result<ApplyResourceChangeResponse, CallError> {
        Ok(resource::apply(self, call, request).await)
    }

    async fn import_resource_state(
        &self,
        call: &Call,
        request: ImportResourceStateRequest,
    ) -> Result<ImportResourceStateResponse, CallError> {
        Ok(resource::import(self, call, request).await)
    }
}
