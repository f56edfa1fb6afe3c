//! The seam: what a provider is, whoever asks and whoever does the work.
//!
//! [`Provider`] has one method per procedure of Terraform's protocol 6.11 with that protocol's meaning. A method that a
//! provider does not have answers [`CallError::Unimplemented`]. [`Layer`] wraps a provider in another and forwards what
//! it does not change; [`Around`] does one thing around every procedure. All of them come from the one table below, so a
//! procedure cannot be forgotten in any.

mod messages;
pub mod reencode;

use std::future::Future;
use std::sync::Arc;

use async_trait::async_trait;

use crate::call::{Call, CallError};

pub use messages::*;

/// The same thing around every procedure of a provider: counting, timing, a limit. What looks into requests or answers is a
/// [`Layer`].
///
/// ```
/// use std::future::Future;
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use denobridge_core::provider::{Around, Provider, Surrounded};
/// use denobridge_core::{Call, CallError};
///
/// struct Counted {
///     inner: Arc<dyn Provider>,
///     calls: AtomicUsize,
/// }
///
/// impl Around for Counted {
///     fn inner(&self) -> &dyn Provider {
///         &*self.inner
///     }
///
///     async fn around<T: Send>(
///         &self,
///         _procedure: &'static str,
///         _call: &Call,
///         answer: impl Future<Output = Result<T, CallError>> + Send,
///     ) -> Result<T, CallError> {
///         self.calls.fetch_add(1, Ordering::Relaxed);
///         answer.await
///     }
/// }
///
/// fn counted(inner: Arc<dyn Provider>) -> impl Provider {
///     Surrounded(Counted { inner, calls: AtomicUsize::new(0) })
/// }
/// # let _ = counted;
/// ```
pub trait Around: Send + Sync {
    /// The provider inside.
    fn inner(&self) -> &dyn Provider;

    /// What happens around one call. `procedure` is one of [`PROCEDURES`]; nothing is asked before `answer` is awaited, and
    /// nothing at all if it is dropped.
    fn around<T: Send>(
        &self,
        procedure: &'static str,
        call: &Call,
        answer: impl Future<Output = Result<T, CallError>> + Send,
    ) -> impl Future<Output = Result<T, CallError>> + Send;
}

macro_rules! procedures {
    ($($(#[$doc:meta])* $method:ident $name:literal ($request:ident) -> $response:ident;)*) => {
        /// A provider: the worker behind the seam, or a layer around one.
        ///
        /// Every method returns what the provider has to say, errors included, as diagnostics inside the response; a
        /// response can hold state *and* diagnostics. `Err` means that there was no answer at all.
        #[async_trait]
        pub trait Provider: Send + Sync {
            $(
                $(#[$doc])*
                async fn $method(&self, call: &Call, request: $request) -> Result<$response, CallError> {
                    let _ = (call, request);
                    Err(CallError::Unimplemented { procedure: $name })
                }
            )*
        }

        /// A provider around a provider. Override what the layer looks at; the rest goes through untouched.
        #[async_trait]
        pub trait Layer: Send + Sync {
            /// The provider inside.
            fn inner(&self) -> &dyn Provider;
            $(
                $(#[$doc])*
                async fn $method(&self, call: &Call, request: $request) -> Result<$response, CallError> {
                    self.inner().$method(call, request).await
                }
            )*
        }

        /// A [`Layer`] as the [`Provider`] that it makes.
        pub struct Layered<L>(pub L);

        #[async_trait]
        impl<L: Layer> Provider for Layered<L> {
            $(
                async fn $method(&self, call: &Call, request: $request) -> Result<$response, CallError> {
                    self.0.$method(call, request).await
                }
            )*
        }

        /// The names of all procedures, as the protocol spells them.
        pub const PROCEDURES: &[&str] = &[$($name),*];

        /// [`Around`] as the [`Provider`] that it makes.
        pub struct Surrounded<A>(pub A);

        #[async_trait]
        impl<A: Around> Provider for Surrounded<A> {
            $(
                async fn $method(&self, call: &Call, request: $request) -> Result<$response, CallError> {
                    self.0.around($name, call, self.0.inner().$method(call, request)).await
                }
            )*
        }

        #[async_trait]
        impl<P: Provider + ?Sized> Provider for Arc<P> {
            $(
                async fn $method(&self, call: &Call, request: $request) -> Result<$response, CallError> {
                    (**self).$method(call, request).await
                }
            )*
        }
    };
}

procedures! {
    /// Names of all components and the server's capabilities.
    get_metadata "GetMetadata" (GetMetadataRequest) -> GetMetadataResponse;
    /// The whole schema, resource identities and functions included.
    get_provider_schema "GetProviderSchema" (GetProviderSchemaRequest) -> GetProviderSchemaResponse;
    /// Brings a stored identity to the current version.
    upgrade_resource_identity "UpgradeResourceIdentity" (UpgradeResourceIdentityRequest) -> UpgradeResourceIdentityResponse;
    /// Checks the provider's configuration; unknown values are possible.
    validate_provider_config "ValidateProviderConfig" (ValidateProviderConfigRequest) -> ValidateProviderConfigResponse;
    /// Hands the provider its configuration.
    configure_provider "ConfigureProvider" (ConfigureProviderRequest) -> ConfigureProviderResponse;
    /// Asks the provider to end running work soon. The caller also cancels the calls themselves.
    stop_provider "StopProvider" (StopProviderRequest) -> StopProviderResponse;
    /// Checks a resource's configuration. Called often: must be pure and cheap.
    validate_resource_config "ValidateResourceConfig" (ValidateResourceConfigRequest) -> ValidateResourceConfigResponse;
    /// Brings stored state to the current version; called for every stored object, also at the same version.
    upgrade_resource_state "UpgradeResourceState" (UpgradeResourceStateRequest) -> UpgradeResourceStateResponse;
    /// Looks at the real object. Null new state: it is gone.
    read_resource "ReadResource" (ReadResourceRequest) -> ReadResourceResponse;
    /// Says what apply would do.
    plan_resource_change "PlanResourceChange" (PlanResourceChangeRequest) -> PlanResourceChangeResponse;
    /// Creates (prior null), updates or deletes (planned null).
    apply_resource_change "ApplyResourceChange" (ApplyResourceChangeRequest) -> ApplyResourceChangeResponse;
    /// Finds an existing object by id or identity.
    import_resource_state "ImportResourceState" (ImportResourceStateRequest) -> ImportResourceStateResponse;
    /// Writes configuration for an existing object.
    generate_resource_config "GenerateResourceConfig" (GenerateResourceConfigRequest) -> GenerateResourceConfigResponse;
    /// Takes over the state of another resource type.
    move_resource_state "MoveResourceState" (MoveResourceStateRequest) -> MoveResourceStateResponse;
    /// Checks a data source's configuration.
    validate_data_resource_config "ValidateDataResourceConfig" (ValidateDataResourceConfigRequest) -> ValidateDataResourceConfigResponse;
    /// Reads a data source.
    read_data_source "ReadDataSource" (ReadDataSourceRequest) -> ReadDataSourceResponse;
    /// Checks an ephemeral resource's configuration.
    validate_ephemeral_resource_config "ValidateEphemeralResourceConfig" (ValidateEphemeralResourceConfigRequest) -> ValidateEphemeralResourceConfigResponse;
    /// Opens an ephemeral resource.
    open_ephemeral_resource "OpenEphemeralResource" (OpenEphemeralResourceRequest) -> OpenEphemeralResourceResponse;
    /// Keeps an ephemeral resource open.
    renew_ephemeral_resource "RenewEphemeralResource" (RenewEphemeralResourceRequest) -> RenewEphemeralResourceResponse;
    /// Closes an ephemeral resource.
    close_ephemeral_resource "CloseEphemeralResource" (CloseEphemeralResourceRequest) -> CloseEphemeralResourceResponse;
    /// Calls a function; works before the provider is configured.
    call_function "CallFunction" (CallFunctionRequest) -> CallFunctionResponse;
    /// Checks a list resource's configuration.
    validate_list_resource_config "ValidateListResourceConfig" (ValidateListResourceConfigRequest) -> ValidateListResourceConfigResponse;
    /// Lists existing objects.
    list_resource "ListResource" (ListResourceRequest) -> ListResourceResponse;
    /// Checks an action's configuration.
    validate_action_config "ValidateActionConfig" (ValidateActionConfigRequest) -> ValidateActionConfigResponse;
    /// Says whether an action could run.
    plan_action "PlanAction" (PlanActionRequest) -> PlanActionResponse;
    /// Runs an action.
    invoke_action "InvokeAction" (InvokeActionRequest) -> InvokeActionResponse;
    /// Checks a state store's configuration.
    validate_state_store_config "ValidateStateStoreConfig" (ValidateStateStoreConfigRequest) -> ValidateStateStoreConfigResponse;
    /// Hands a state store its configuration.
    configure_state_store "ConfigureStateStore" (ConfigureStateStoreRequest) -> ConfigureStateStoreResponse;
    /// Reads a state in chunks.
    read_state_bytes "ReadStateBytes" (ReadStateBytesRequest) -> ReadStateBytesResponse;
    /// Writes a state in chunks.
    write_state_bytes "WriteStateBytes" (WriteStateBytesRequest) -> WriteStateBytesResponse;
    /// Locks a state.
    lock_state "LockState" (LockStateRequest) -> LockStateResponse;
    /// Unlocks a state.
    unlock_state "UnlockState" (UnlockStateRequest) -> UnlockStateResponse;
    /// Names of all states.
    get_states "GetStates" (GetStatesRequest) -> GetStatesResponse;
    /// Deletes a state.
    delete_state "DeleteState" (DeleteStateRequest) -> DeleteStateResponse;
}
