//! A layer that panics in the first call of every procedure, outside of what the framework guards.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use denobridge_core::provider::*;
use denobridge_core::{Call, CallError, Provider};

pub(super) struct Fuses {
    inner: Arc<dyn Provider>,
    blown: Mutex<BTreeSet<&'static str>>,
}

impl Fuses {
    pub(super) fn around(provider: impl Provider + 'static) -> Self {
        Self { inner: Arc::new(provider), blown: Mutex::default() }
    }

    fn blow(&self, procedure: &'static str) {
        let first = self.blown.lock().unwrap_or_else(PoisonError::into_inner).insert(procedure);
        assert!(!first, "the fuse of {procedure}");
    }
}

macro_rules! fuses {
    ($($method:ident($request:ident) -> $response:ident;)*) => {
        #[async_trait]
        impl Layer for Fuses {
            fn inner(&self) -> &dyn Provider {
                &*self.inner
            }

            $(
                async fn $method(&self, call: &Call, request: $request) -> Result<$response, CallError> {
                    self.blow(stringify!($method));
                    self.inner.$method(call, request).await
                }
            )*
        }
    };
}

fuses! {
    get_metadata(GetMetadataRequest) -> GetMetadataResponse;
    get_provider_schema(GetProviderSchemaRequest) -> GetProviderSchemaResponse;
    upgrade_resource_identity(UpgradeResourceIdentityRequest) -> UpgradeResourceIdentityResponse;
    validate_provider_config(ValidateProviderConfigRequest) -> ValidateProviderConfigResponse;
    configure_provider(ConfigureProviderRequest) -> ConfigureProviderResponse;
    stop_provider(StopProviderRequest) -> StopProviderResponse;
    validate_resource_config(ValidateResourceConfigRequest) -> ValidateResourceConfigResponse;
    upgrade_resource_state(UpgradeResourceStateRequest) -> UpgradeResourceStateResponse;
    read_resource(ReadResourceRequest) -> ReadResourceResponse;
    plan_resource_change(PlanResourceChangeRequest) -> PlanResourceChangeResponse;
    apply_resource_change(ApplyResourceChangeRequest) -> ApplyResourceChangeResponse;
    import_resource_state(ImportResourceStateRequest) -> ImportResourceStateResponse;
    generate_resource_config(GenerateResourceConfigRequest) -> GenerateResourceConfigResponse;
    move_resource_state(MoveResourceStateRequest) -> MoveResourceStateResponse;
    validate_data_resource_config(ValidateDataResourceConfigRequest) -> ValidateDataResourceConfigResponse;
    read_data_source(ReadDataSourceRequest) -> ReadDataSourceResponse;
    validate_ephemeral_resource_config(ValidateEphemeralResourceConfigRequest)
        -> ValidateEphemeralResourceConfigResponse;
    open_ephemeral_resource(OpenEphemeralResourceRequest) -> OpenEphemeralResourceResponse;
    renew_ephemeral_resource(RenewEphemeralResourceRequest) -> RenewEphemeralResourceResponse;
    close_ephemeral_resource(CloseEphemeralResourceRequest) -> CloseEphemeralResourceResponse;
    call_function(CallFunctionRequest) -> CallFunctionResponse;
    validate_list_resource_config(ValidateListResourceConfigRequest) -> ValidateListResourceConfigResponse;
    list_resource(ListResourceRequest) -> ListResourceResponse;
    validate_action_config(ValidateActionConfigRequest) -> ValidateActionConfigResponse;
    plan_action(PlanActionRequest) -> PlanActionResponse;
    invoke_action(InvokeActionRequest) -> InvokeActionResponse;
    validate_state_store_config(ValidateStateStoreConfigRequest) -> ValidateStateStoreConfigResponse;
    configure_state_store(ConfigureStateStoreRequest) -> ConfigureStateStoreResponse;
    read_state_bytes(ReadStateBytesRequest) -> ReadStateBytesResponse;
    write_state_bytes(WriteStateBytesRequest) -> WriteStateBytesResponse;
    lock_state(LockStateRequest) -> LockStateResponse;
    unlock_state(UnlockStateRequest) -> UnlockStateResponse;
    get_states(GetStatesRequest) -> GetStatesResponse;
    delete_state(DeleteStateRequest) -> DeleteStateResponse;
}
