//! The seam's procedures, each one question to the provider.

use async_trait::async_trait;
use denobridge_core::provider::{
    ApplyResourceChangeRequest, ApplyResourceChangeResponse, CallFunctionRequest, CallFunctionResponse,
    CloseEphemeralResourceRequest, CloseEphemeralResourceResponse, ConfigureProviderRequest, ConfigureProviderResponse,
    ConfigureStateStoreRequest, ConfigureStateStoreResponse, DeleteStateRequest, DeleteStateResponse,
    GenerateResourceConfigRequest, GenerateResourceConfigResponse, GetMetadataRequest, GetMetadataResponse,
    GetProviderSchemaRequest, GetProviderSchemaResponse, GetStatesRequest, GetStatesResponse,
    ImportResourceStateRequest, ImportResourceStateResponse, InvokeActionEvent, InvokeActionRequest,
    InvokeActionResponse, ListResourceEvent, ListResourceRequest, ListResourceResponse, LockStateRequest,
    LockStateResponse, MoveResourceStateRequest, MoveResourceStateResponse, OpenEphemeralResourceRequest,
    OpenEphemeralResourceResponse, PlanActionRequest, PlanActionResponse, PlanResourceChangeRequest,
    PlanResourceChangeResponse, Provider, ReadDataSourceRequest, ReadDataSourceResponse, ReadResourceRequest,
    ReadResourceResponse, ReadStateBytesRequest, ReadStateBytesResponse, RenewEphemeralResourceRequest,
    RenewEphemeralResourceResponse, StopProviderRequest, StopProviderResponse, UnlockStateRequest, UnlockStateResponse,
    UpgradeResourceIdentityRequest, UpgradeResourceIdentityResponse, UpgradeResourceStateRequest,
    UpgradeResourceStateResponse, ValidateActionConfigRequest, ValidateActionConfigResponse,
    ValidateDataResourceConfigRequest, ValidateDataResourceConfigResponse, ValidateEphemeralResourceConfigRequest,
    ValidateEphemeralResourceConfigResponse, ValidateListResourceConfigRequest, ValidateListResourceConfigResponse,
    ValidateProviderConfigRequest, ValidateProviderConfigResponse, ValidateResourceConfigRequest,
    ValidateResourceConfigResponse, ValidateStateStoreConfigRequest, ValidateStateStoreConfigResponse,
    WriteStateBytesRequest, WriteStateBytesResponse,
};
use denobridge_core::{Call, CallError, Diagnostic, Diagnostics};
use futures::StreamExt as _;
use tonic::Status;

use super::ForeignProvider;
use crate::streams::up_to_completion;
use crate::wire6::{ComponentKind, host};

/// A question about a component whose values need its types.
macro_rules! about {
    ($self:ident, $call:ident, $request:ident, $kind:ident, $procedure:ident, $name:literal) => {{
        let types = $self.types($call, ComponentKind::$kind, &$request.type_name).await?;
        let request = host::$procedure($request, &types)?;
        Ok($self.ask($call, $name, $self.transport.$procedure(request)).await?.into())
    }};
}

/// A question that holds no values.
macro_rules! plain {
    ($self:ident, $call:ident, $request:ident, $procedure:ident, $name:literal) => {
        Ok($self.ask($call, $name, $self.transport.$procedure(host::$procedure($request))).await?.into())
    };
}

#[async_trait]
impl Provider for ForeignProvider {
    async fn get_metadata(&self, call: &Call, _: GetMetadataRequest) -> Result<GetMetadataResponse, CallError> {
        Ok(self.ask(call, "GetMetadata", self.transport.get_metadata()).await?.into())
    }

    async fn get_provider_schema(
        &self,
        call: &Call,
        _: GetProviderSchemaRequest,
    ) -> Result<GetProviderSchemaResponse, CallError> {
        Ok(self.loaded(call).await?.answer.clone())
    }

    async fn validate_provider_config(
        &self,
        call: &Call,
        request: ValidateProviderConfigRequest,
    ) -> Result<ValidateProviderConfigResponse, CallError> {
        let request = host::validate_provider_config(&request, &self.loaded(call).await?.provider)?;
        Ok(self.ask(call, "ValidateProviderConfig", self.transport.validate_provider_config(request)).await?.into())
    }

    async fn configure_provider(
        &self,
        call: &Call,
        request: ConfigureProviderRequest,
    ) -> Result<ConfigureProviderResponse, CallError> {
        let request = host::configure_provider(request, &self.loaded(call).await?.provider)?;
        Ok(self.ask(call, "ConfigureProvider", self.transport.configure_provider(request)).await?.into())
    }

    async fn stop_provider(&self, _: &Call, _: StopProviderRequest) -> Result<StopProviderResponse, CallError> {
        self.stop().await
    }

    async fn validate_resource_config(
        &self,
        call: &Call,
        request: ValidateResourceConfigRequest,
    ) -> Result<ValidateResourceConfigResponse, CallError> {
        about!(self, call, request, Resource, validate_resource_config, "ValidateResourceConfig")
    }

    async fn read_resource(
        &self,
        call: &Call,
        request: ReadResourceRequest,
    ) -> Result<ReadResourceResponse, CallError> {
        about!(self, call, request, Resource, read_resource, "ReadResource")
    }

    async fn plan_resource_change(
        &self,
        call: &Call,
        request: PlanResourceChangeRequest,
    ) -> Result<PlanResourceChangeResponse, CallError> {
        about!(self, call, request, Resource, plan_resource_change, "PlanResourceChange")
    }

    async fn apply_resource_change(
        &self,
        call: &Call,
        request: ApplyResourceChangeRequest,
    ) -> Result<ApplyResourceChangeResponse, CallError> {
        about!(self, call, request, Resource, apply_resource_change, "ApplyResourceChange")
    }

    async fn import_resource_state(
        &self,
        call: &Call,
        request: ImportResourceStateRequest,
    ) -> Result<ImportResourceStateResponse, CallError> {
        about!(self, call, request, Resource, import_resource_state, "ImportResourceState")
    }

    async fn generate_resource_config(
        &self,
        call: &Call,
        request: GenerateResourceConfigRequest,
    ) -> Result<GenerateResourceConfigResponse, CallError> {
        about!(self, call, request, Resource, generate_resource_config, "GenerateResourceConfig")
    }

    async fn validate_data_resource_config(
        &self,
        call: &Call,
        request: ValidateDataResourceConfigRequest,
    ) -> Result<ValidateDataResourceConfigResponse, CallError> {
        about!(self, call, request, DataSource, validate_data_resource_config, "ValidateDataResourceConfig")
    }

    async fn read_data_source(
        &self,
        call: &Call,
        request: ReadDataSourceRequest,
    ) -> Result<ReadDataSourceResponse, CallError> {
        about!(self, call, request, DataSource, read_data_source, "ReadDataSource")
    }

    async fn validate_ephemeral_resource_config(
        &self,
        call: &Call,
        request: ValidateEphemeralResourceConfigRequest,
    ) -> Result<ValidateEphemeralResourceConfigResponse, CallError> {
        about!(
            self,
            call,
            request,
            EphemeralResource,
            validate_ephemeral_resource_config,
            "ValidateEphemeralResourceConfig"
        )
    }

    async fn open_ephemeral_resource(
        &self,
        call: &Call,
        request: OpenEphemeralResourceRequest,
    ) -> Result<OpenEphemeralResourceResponse, CallError> {
        about!(self, call, request, EphemeralResource, open_ephemeral_resource, "OpenEphemeralResource")
    }

    async fn validate_list_resource_config(
        &self,
        call: &Call,
        request: ValidateListResourceConfigRequest,
    ) -> Result<ValidateListResourceConfigResponse, CallError> {
        about!(self, call, request, ListResource, validate_list_resource_config, "ValidateListResourceConfig")
    }

    async fn validate_action_config(
        &self,
        call: &Call,
        request: ValidateActionConfigRequest,
    ) -> Result<ValidateActionConfigResponse, CallError> {
        about!(self, call, request, Action, validate_action_config, "ValidateActionConfig")
    }

    async fn plan_action(&self, call: &Call, request: PlanActionRequest) -> Result<PlanActionResponse, CallError> {
        about!(self, call, request, Action, plan_action, "PlanAction")
    }

    async fn validate_state_store_config(
        &self,
        call: &Call,
        request: ValidateStateStoreConfigRequest,
    ) -> Result<ValidateStateStoreConfigResponse, CallError> {
        about!(self, call, request, StateStore, validate_state_store_config, "ValidateStateStoreConfig")
    }

    async fn configure_state_store(
        &self,
        call: &Call,
        request: ConfigureStateStoreRequest,
    ) -> Result<ConfigureStateStoreResponse, CallError> {
        about!(self, call, request, StateStore, configure_state_store, "ConfigureStateStore")
    }

    async fn upgrade_resource_state(
        &self,
        call: &Call,
        request: UpgradeResourceStateRequest,
    ) -> Result<UpgradeResourceStateResponse, CallError> {
        plain!(self, call, request, upgrade_resource_state, "UpgradeResourceState")
    }

    async fn upgrade_resource_identity(
        &self,
        call: &Call,
        request: UpgradeResourceIdentityRequest,
    ) -> Result<UpgradeResourceIdentityResponse, CallError> {
        plain!(self, call, request, upgrade_resource_identity, "UpgradeResourceIdentity")
    }

    async fn move_resource_state(
        &self,
        call: &Call,
        request: MoveResourceStateRequest,
    ) -> Result<MoveResourceStateResponse, CallError> {
        plain!(self, call, request, move_resource_state, "MoveResourceState")
    }

    async fn renew_ephemeral_resource(
        &self,
        call: &Call,
        request: RenewEphemeralResourceRequest,
    ) -> Result<RenewEphemeralResourceResponse, CallError> {
        plain!(self, call, request, renew_ephemeral_resource, "RenewEphemeralResource")
    }

    async fn close_ephemeral_resource(
        &self,
        call: &Call,
        request: CloseEphemeralResourceRequest,
    ) -> Result<CloseEphemeralResourceResponse, CallError> {
        plain!(self, call, request, close_ephemeral_resource, "CloseEphemeralResource")
    }

    async fn lock_state(&self, call: &Call, request: LockStateRequest) -> Result<LockStateResponse, CallError> {
        plain!(self, call, request, lock_state, "LockState")
    }

    async fn unlock_state(&self, call: &Call, request: UnlockStateRequest) -> Result<UnlockStateResponse, CallError> {
        plain!(self, call, request, unlock_state, "UnlockState")
    }

    async fn delete_state(&self, call: &Call, request: DeleteStateRequest) -> Result<DeleteStateResponse, CallError> {
        plain!(self, call, request, delete_state, "DeleteState")
    }

    async fn get_states(&self, call: &Call, request: GetStatesRequest) -> Result<GetStatesResponse, CallError> {
        let request = host::get_states(&request);
        Ok(self.ask(call, "GetStates", self.transport.get_states(request)).await?.into())
    }

    async fn call_function(
        &self,
        call: &Call,
        request: CallFunctionRequest,
    ) -> Result<CallFunctionResponse, CallError> {
        let loaded = self.loaded(call).await?;
        let signature = loaded.schema().functions.get(&request.name).ok_or_else(|| CallError::Internal {
            message: format!("{} has no function {:?}", self.name, request.name),
        })?;
        let request = host::call_function(request, signature)?;
        Ok(self.ask(call, "CallFunction", self.transport.call_function(request)).await?.into())
    }

    async fn list_resource(
        &self,
        call: &Call,
        request: ListResourceRequest,
    ) -> Result<ListResourceResponse, CallError> {
        let types = self.types(call, ComponentKind::ListResource, &request.type_name).await?;
        let request = host::list_resource(request, &types)?;
        let events = self.ask(call, "ListResource", self.transport.list_resource(request)).await?;
        let events = events.map(|event| match event {
            Ok(event) => host::list_resource_event(event),
            Err(status) => {
                let diagnostics = broken_off("The list", &status);
                ListResourceEvent { diagnostics, ..ListResourceEvent::default() }
            }
        });
        Ok(ListResourceResponse { events: events.boxed() })
    }

    async fn invoke_action(
        &self,
        call: &Call,
        request: InvokeActionRequest,
    ) -> Result<InvokeActionResponse, CallError> {
        let types = self.types(call, ComponentKind::Action, &request.type_name).await?;
        let request = host::invoke_action(request, &types)?;
        let events = self.ask(call, "InvokeAction", self.transport.invoke_action(request)).await?;
        let events = events.filter_map(|event| {
            std::future::ready(match event {
                Ok(event) => host::invoke_action_event(event),
                Err(status) => Some(InvokeActionEvent::Completed(broken_off("The action", &status))),
            })
        });
        let unfinished = Diagnostic::error(
            "Action ended without a result",
            "The provider's stream of events ended before it said whether the action succeeded.",
        );
        Ok(InvokeActionResponse { events: up_to_completion(events, unfinished) })
    }

    async fn read_state_bytes(
        &self,
        call: &Call,
        request: ReadStateBytesRequest,
    ) -> Result<ReadStateBytesResponse, CallError> {
        let request = host::read_state_bytes(request);
        let chunks = self.ask(call, "ReadStateBytes", self.transport.read_state_bytes(request)).await?;
        let chunks = chunks.map(|chunk| match chunk {
            Ok(chunk) => host::read_state_chunk(chunk),
            Err(status) => Err(broken_off("The state", &status)),
        });
        Ok(ReadStateBytesResponse { chunks: chunks.boxed() })
    }

    async fn write_state_bytes(
        &self,
        call: &Call,
        request: WriteStateBytesRequest,
    ) -> Result<WriteStateBytesResponse, CallError> {
        let chunks = host::write_state_chunks(request);
        Ok(self.ask(call, "WriteStateBytes", self.transport.write_state_bytes(chunks)).await?.into())
    }
}

/// What to say when a stream ends with a status instead of a last event.
fn broken_off(what: &str, status: &Status) -> Diagnostics {
    let detail = format!("The connection to the provider ended with {:?}: {}", status.code(), status.message());
    Diagnostic::error(format!("{what} broke off"), detail).into()
}
