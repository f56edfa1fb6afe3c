//! Every procedure of the seam as the recording layer forwards it: how request and answer become messages of protocol 6, and
//! which values in them tell what is secret.

use async_trait::async_trait;
use denobridge_core::provider::*;
use denobridge_core::{Call, CallError, Provider};
use prost::Message as _;

use super::layer::{Known, Of, Recording, keep_marked, keep_secret};
use crate::proto::tfplugin6 as pb;
use crate::wire6::{self, ComponentKind, host};

/// The encoded form of what converts without a doubt, or did.
fn bytes<M: prost::Message>(message: Result<M, CallError>) -> Option<Vec<u8>> {
    message.ok().map(|message| message.encode_to_vec())
}

/// An answer of nothing but diagnostics.
macro_rules! diagnostics {
    ($method:ident) => {
        |response, _| pb::$method::Response { diagnostics: wire6::diagnostics(response.diagnostics) }
    };
}

/// Methods that record: the kind of component, the member of the request that names it, its values, and how request and
/// answer become messages.
macro_rules! record {
    (
        components { $($method:ident $procedure:literal ($request:ident) -> $response:ident,
            $kind:ident $name:ident [$($value:ident)*], $ask:expr, $answer:expr;)* }
        provider { $($provider_method:ident $provider_procedure:literal
            ($provider_request:ident) -> $provider_response:ident, $provider_ask:expr;)* }
    ) => {
        #[async_trait]
        impl Layer for Recording {
            fn inner(&self) -> &dyn Provider {
                &*self.inner
            }

            $(
                async fn $method(&self, call: &Call, request: $request) -> Result<$response, CallError> {
                    let known = self.known(call).await;
                    let mut running = self.begin(call, $procedure, &request.$name);
                    let of = known.and_then(|known| self.of(known, ComponentKind::$kind, &request.$name));
                    $(keep_marked(&request.$value, &mut running.marked);)*
                    let ask: fn($request, &Of<'_>) -> Option<Vec<u8>> = $ask;
                    running.request = of.as_ref().and_then(|of| ask(request.clone(), of));
                    let answer = self.inner.$method(call, request).await;
                    let convert: fn($response, &Of<'_>) -> pb::$method::Response = $answer;
                    let message = |response: &$response| of.as_ref().map(|of| convert(response.clone(), of).encode_to_vec());
                    self.end(known, running, answer.as_ref().map(|response| vec![message(response)]));
                    answer
                }
            )*

            $(
                async fn $provider_method(
                    &self,
                    call: &Call,
                    request: $provider_request,
                ) -> Result<$provider_response, CallError> {
                    let known = self.known(call).await;
                    let mut running = self.begin(call, $provider_procedure, "");
                    keep_marked(&request.config, &mut running.marked);
                    let ask: fn($provider_request, &Known) -> Option<Vec<u8>> = $provider_ask;
                    running.request = known.and_then(|known| ask(request.clone(), known));
                    let answer = self.inner.$provider_method(call, request).await;
                    let message = |response: &$provider_response| {
                        let diagnostics = wire6::diagnostics(response.diagnostics.clone());
                        Some(pb::$provider_method::Response { diagnostics }.encode_to_vec())
                    };
                    self.end(known, running, answer.as_ref().map(|response| vec![message(response)]));
                    answer
                }
            )*

            async fn get_provider_schema(
                &self,
                call: &Call,
                request: GetProviderSchemaRequest,
            ) -> Result<GetProviderSchemaResponse, CallError> {
                let answer = self.inner.get_provider_schema(call, request).await;
                if let Ok(answer) = &answer {
                    self.schema.get_or_init(async || self.learn(answer.clone())).await;
                }
                answer
            }

            async fn call_function(
                &self,
                call: &Call,
                request: CallFunctionRequest,
            ) -> Result<CallFunctionResponse, CallError> {
                let known = self.known(call).await;
                let mut running = self.begin(call, "CallFunction", &request.name);
                let signature = known.and_then(|known| known.answer.schema.functions.get(&request.name));
                request.arguments.iter().for_each(|argument| keep_secret(argument, &self.recorder));
                running.request = signature.and_then(|signature| bytes(host::call_function(request.clone(), signature)));
                let answer = self.inner.call_function(call, request).await;
                let message = |response: &CallFunctionResponse| {
                    keep_secret(&response.result, &self.recorder);
                    let returns = &signature?.returns;
                    Some(wire6::call_function(response.clone(), returns).encode_to_vec())
                };
                self.end(known, running, answer.as_ref().map(|response| vec![message(response)]));
                answer
            }

            async fn list_resource(
                &self,
                call: &Call,
                request: ListResourceRequest,
            ) -> Result<ListResourceResponse, CallError> {
                let known = self.known(call).await.cloned();
                let mut running = self.begin(call, "ListResource", &request.type_name);
                let of = |kind| known.as_ref().and_then(|known| self.of(known, kind, &request.type_name));
                keep_marked(&request.config, &mut running.marked);
                let lists = of(ComponentKind::ListResource);
                running.request = lists.and_then(|of| bytes(host::list_resource(request.clone(), &of.types)));
                let listed = of(ComponentKind::Resource).map(|of| of.types.component);
                let message = move |event: &ListResourceEvent| {
                    listed.as_ref().map(|listed| wire6::list_resource_event(event.clone(), listed).encode_to_vec())
                };
                match self.inner.list_resource(call, request).await {
                    Ok(response) => {
                        let events = self.watched(response.events, known, running, message);
                        Ok(ListResourceResponse { events })
                    }
                    Err(error) => {
                        self.end(known.as_ref(), running, Err(&error));
                        Err(error)
                    }
                }
            }

            async fn invoke_action(
                &self,
                call: &Call,
                request: InvokeActionRequest,
            ) -> Result<InvokeActionResponse, CallError> {
                let known = self.known(call).await.cloned();
                let mut running = self.begin(call, "InvokeAction", &request.type_name);
                let of = known.as_ref().and_then(|known| self.of(known, ComponentKind::Action, &request.type_name));
                keep_marked(&request.config, &mut running.marked);
                running.request = of.and_then(|of| bytes(host::invoke_action(request.clone(), &of.types)));
                let message =
                    |event: &InvokeActionEvent| Some(wire6::invoke_action_event(event.clone()).encode_to_vec());
                match self.inner.invoke_action(call, request).await {
                    Ok(response) => {
                        let events = self.watched(response.events, known, running, message);
                        Ok(InvokeActionResponse { events })
                    }
                    Err(error) => {
                        self.end(known.as_ref(), running, Err(&error));
                        Err(error)
                    }
                }
            }
        }
    };
}

record! {
    components {
    validate_resource_config "ValidateResourceConfig" (ValidateResourceConfigRequest) -> ValidateResourceConfigResponse,
        Resource type_name [config],
        |request, of| bytes(host::validate_resource_config(request, &of.types)),
        diagnostics!(validate_resource_config);
    upgrade_resource_state "UpgradeResourceState" (UpgradeResourceStateRequest) -> UpgradeResourceStateResponse,
        Resource type_name [],
        |request, _| bytes(Ok(host::upgrade_resource_state(request))),
        |response, of| wire6::upgrade_resource_state(response, of.component());
    upgrade_resource_identity "UpgradeResourceIdentity" (UpgradeResourceIdentityRequest) -> UpgradeResourceIdentityResponse,
        Resource type_name [],
        |request, _| bytes(Ok(host::upgrade_resource_identity(request))),
        |response, of| wire6::upgrade_resource_identity(response, of.component());
    read_resource "ReadResource" (ReadResourceRequest) -> ReadResourceResponse,
        Resource type_name [current_state],
        |request, of| bytes(host::read_resource(request, &of.types)),
        |response, of| wire6::read_resource(response, of.component());
    plan_resource_change "PlanResourceChange" (PlanResourceChangeRequest) -> PlanResourceChangeResponse,
        Resource type_name [prior_state proposed_new_state config],
        |request, of| bytes(host::plan_resource_change(request, &of.types)),
        |response, of| wire6::plan_resource_change(response, of.component());
    apply_resource_change "ApplyResourceChange" (ApplyResourceChangeRequest) -> ApplyResourceChangeResponse,
        Resource type_name [prior_state planned_state config],
        |request, of| bytes(host::apply_resource_change(request, &of.types)),
        |response, of| wire6::apply_resource_change(response, of.component());
    import_resource_state "ImportResourceState" (ImportResourceStateRequest) -> ImportResourceStateResponse,
        Resource type_name [],
        |request, of| bytes(host::import_resource_state(request, &of.types)),
        |response, of| wire6::import_resource_state(response, |name| {
            of.known.components.find(&of.known.answer.schema, ComponentKind::Resource, name)
        });
    generate_resource_config "GenerateResourceConfig" (GenerateResourceConfigRequest) -> GenerateResourceConfigResponse,
        Resource type_name [state],
        |request, of| bytes(host::generate_resource_config(request, &of.types)),
        |response, of| wire6::generate_resource_config(response, of.component());
    move_resource_state "MoveResourceState" (MoveResourceStateRequest) -> MoveResourceStateResponse,
        Resource target_type_name [],
        |request, _| bytes(Ok(host::move_resource_state(request))),
        |response, of| wire6::move_resource_state(response, of.component());
    validate_data_resource_config "ValidateDataResourceConfig"
        (ValidateDataResourceConfigRequest) -> ValidateDataResourceConfigResponse,
        DataSource type_name [config],
        |request, of| bytes(host::validate_data_resource_config(request, &of.types)),
        diagnostics!(validate_data_resource_config);
    read_data_source "ReadDataSource" (ReadDataSourceRequest) -> ReadDataSourceResponse,
        DataSource type_name [config],
        |request, of| bytes(host::read_data_source(request, &of.types)),
        |response, of| wire6::read_data_source(response, of.component());
    validate_ephemeral_resource_config "ValidateEphemeralResourceConfig"
        (ValidateEphemeralResourceConfigRequest) -> ValidateEphemeralResourceConfigResponse,
        EphemeralResource type_name [config],
        |request, of| bytes(host::validate_ephemeral_resource_config(request, &of.types)),
        diagnostics!(validate_ephemeral_resource_config);
    open_ephemeral_resource "OpenEphemeralResource" (OpenEphemeralResourceRequest) -> OpenEphemeralResourceResponse,
        EphemeralResource type_name [config],
        |request, of| bytes(host::open_ephemeral_resource(request, &of.types)),
        |response, of| wire6::open_ephemeral_resource(response, of.component());
    renew_ephemeral_resource "RenewEphemeralResource" (RenewEphemeralResourceRequest) -> RenewEphemeralResourceResponse,
        EphemeralResource type_name [],
        |request, _| bytes(Ok(host::renew_ephemeral_resource(request))),
        |response, of| wire6::renew_ephemeral_resource(response, of.component());
    close_ephemeral_resource "CloseEphemeralResource" (CloseEphemeralResourceRequest) -> CloseEphemeralResourceResponse,
        EphemeralResource type_name [],
        |request, _| bytes(Ok(host::close_ephemeral_resource(request))),
        diagnostics!(close_ephemeral_resource);
    validate_list_resource_config "ValidateListResourceConfig"
        (ValidateListResourceConfigRequest) -> ValidateListResourceConfigResponse,
        ListResource type_name [config],
        |request, of| bytes(host::validate_list_resource_config(request, &of.types)),
        diagnostics!(validate_list_resource_config);
    validate_action_config "ValidateActionConfig" (ValidateActionConfigRequest) -> ValidateActionConfigResponse,
        Action type_name [config],
        |request, of| bytes(host::validate_action_config(request, &of.types)),
        diagnostics!(validate_action_config);
    plan_action "PlanAction" (PlanActionRequest) -> PlanActionResponse,
        Action type_name [config],
        |request, of| bytes(host::plan_action(request, &of.types)),
        |response, _| response.into();

    }
    provider {
    validate_provider_config "ValidateProviderConfig" (ValidateProviderConfigRequest) -> ValidateProviderConfigResponse,
        |request, known| bytes(host::validate_provider_config(&request, &known.answer.schema.provider.implied_type()));
    configure_provider "ConfigureProvider" (ConfigureProviderRequest) -> ConfigureProviderResponse,
        |request, known| bytes(host::configure_provider(request, &known.answer.schema.provider.implied_type()));
    }
}
