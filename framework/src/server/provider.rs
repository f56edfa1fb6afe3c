//! The procedures of the provider itself.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};

use denobridge_core::cty::{Type, Value};
use denobridge_core::provider::*;
use denobridge_core::{Call, Diagnostic, Diagnostics, DynamicValue};

use super::{Server, Settings, decode, forbidden_deferral, schema_check};
use crate::guard::{Operation, message_of};
use crate::mask::Secrets;
use crate::provider::{ConfigureContext, Configured};

/// There is no log while a provider is built, so the first request tells what was discovered then.
fn tell_discovery(server: &Server, call: &Call) {
    let discovery = server.0.discovery.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(discovery) = discovery {
        discovery.log(&**call.log_sink());
    }
}

pub(super) async fn metadata(server: &Server, call: &Call, _: GetMetadataRequest) -> GetMetadataResponse {
    tell_discovery(server, call);
    let catalog = server.catalog();
    fn names<T>(components: &BTreeMap<Arc<str>, T>) -> Vec<Arc<str>> {
        components.keys().cloned().collect()
    }
    GetMetadataResponse {
        server_capabilities: catalog.server_capabilities,
        diagnostics: catalog.diagnostics.clone(),
        data_sources: names(&catalog.data_sources),
        resources: names(&catalog.resources),
        functions: names(&catalog.functions),
        ephemeral_resources: names(&catalog.ephemeral_resources),
        list_resources: names(&catalog.list_resources),
        state_stores: names(&catalog.state_stores),
        actions: names(&catalog.actions),
    }
}

pub(super) async fn schema(server: &Server, call: &Call, _: GetProviderSchemaRequest) -> GetProviderSchemaResponse {
    tell_discovery(server, call);
    let catalog = server.catalog();
    GetProviderSchemaResponse {
        schema: Arc::clone(&catalog.schema),
        server_capabilities: catalog.server_capabilities,
        diagnostics: catalog.diagnostics.clone(),
    }
}

pub(super) async fn stop(server: &Server, _: &Call, _: StopProviderRequest) -> StopProviderResponse {
    let mut stop = server.0.stop.lock().unwrap_or_else(PoisonError::into_inner);
    std::mem::take(&mut *stop).cancel();
    StopProviderResponse::default()
}

pub(super) async fn validate(
    server: &Server,
    _: &Call,
    request: ValidateProviderConfigRequest,
) -> ValidateProviderConfigResponse {
    let diagnostics = match decode_config(server, &request.config) {
        Ok(config) => checked(server, &config),
        Err(diagnostic) => diagnostic.into(),
    };
    ValidateProviderConfigResponse { diagnostics }
}

/// First the schema, then the provider's own rules and those of its capabilities.
fn checked(server: &Server, config: &Value) -> Diagnostics {
    let mut found = schema_check::configuration(server.config_block(), config);
    if found.has_errors() {
        return found;
    }
    if let Some(validate) = &server.0.validate {
        found.extend(judgement(server.name(), || validate(config)));
    }
    for (name, capability) in &server.catalog().capabilities {
        found.extend(judgement(name, || capability.validate(config)));
    }
    let operation = Operation { name: "validation", component: server.name() };
    server.said(operation, &Secrets::of(server.config_block(), config), found)
}

fn judgement(component: &str, validate: impl FnOnce() -> Diagnostics) -> Diagnostics {
    let operation = Operation { name: "validation", component };
    catch_unwind(AssertUnwindSafe(validate))
        .unwrap_or_else(|panic| operation.error(format_args!("The provider panicked: {}", message_of(&*panic))).into())
}

fn decode_config(server: &Server, config: &DynamicValue) -> Result<Value, Diagnostic> {
    let ty = server.catalog().config_type.as_ref().unwrap_or(&Type::Dynamic);
    decode(config, ty, "configuration", &format!("the provider {}", server.name()))
}

pub(super) async fn configure(
    server: &Server,
    call: &Call,
    request: ConfigureProviderRequest,
) -> ConfigureProviderResponse {
    let config = match decode_config(server, &request.config) {
        Ok(config) => config,
        Err(diagnostic) => return ConfigureProviderResponse { diagnostics: diagnostic.into() },
    };
    let operation = Operation { name: "configuration", component: server.name() };
    let block = server.config_block();
    let secrets = Secrets::of(block, &config);
    let mut settings = match judged(server, &config) {
        Ok(settings) => settings,
        Err(panic) => {
            let diagnostic = operation.error(format_args!("The provider panicked: {panic}"));
            return ConfigureProviderResponse { diagnostics: server.said(operation, &secrets, diagnostic.into()) };
        }
    };
    if let Some(diagnostic) = forbidden_deferral(operation, request.client_capabilities, settings.deferred) {
        return ConfigureProviderResponse { diagnostics: diagnostic.into() };
    }
    settings.secrets = secrets.clone();
    let configured = match &server.0.configure {
        Some(configure) => {
            let (terraform_version, client_capabilities) = (request.terraform_version, request.client_capabilities);
            server
                .run(call, operation, &secrets, |call| {
                    configure(ConfigureContext { call, config, terraform_version, client_capabilities })
                })
                .await
                .unwrap_or_else(|panic| Configured { data: None, diagnostics: panic.into() })
        }
        None => Configured::default(),
    };
    if !configured.diagnostics.has_errors() {
        settings.data = configured.data;
        *server.0.configured.write().unwrap_or_else(PoisonError::into_inner) = settings;
    }
    ConfigureProviderResponse { diagnostics: server.said(operation, &secrets, configured.diagnostics) }
}

/// What can be told from the configuration alone, or what the provider's code panicked with.
fn judged(server: &Server, config: &Value) -> Result<Settings, String> {
    catch_unwind(AssertUnwindSafe(|| {
        let capabilities = server.catalog().capabilities.iter();
        let missing = capabilities
            .filter(|(_, capability)| !capability.is_configured(config))
            .map(|(name, capability)| (Arc::clone(name), capability.missing_settings(config)));
        Settings {
            missing: Some(missing.collect()),
            deferred: server.0.defer.as_ref().and_then(|defer| defer(config)),
            ..Settings::default()
        }
    }))
    .map_err(|panic| message_of(&*panic).to_owned())
}
