//! A provider of the framework's own, which behaves well, whose answers can be changed on their way.

use std::sync::atomic::{AtomicUsize, Ordering};

use denobridge_core::provider::{Layer, Layered};
use futures::{StreamExt as _, stream};

use super::*;
use crate::server::tests::fixtures::{self, CANARY};

pub(super) type Change<T> = fn(T) -> T;

macro_rules! twisted {
    (
        streams: $($streamed:ident of $event:ty,)*;
        $($method:ident($request:ident) -> $response:ident by $change:ident;)*
    ) => {
        /// Changes answers of the provider inside.
        pub(super) struct Twisted {
            pub(super) inner: Arc<dyn Provider>,
            /// What is said to the nth validation of a data source's configuration.
            pub(super) validate: fn(usize) -> Diagnostics,
            pub(super) validations: AtomicUsize,
            /// What is answered to the nth call of a function.
            pub(super) call: fn(usize, CallFunctionResponse) -> CallFunctionResponse,
            pub(super) calls: AtomicUsize,
            $(pub(super) $change: Change<$response>,)*
            $(pub(super) $streamed: Change<Vec<$event>>,)*
        }

        impl Default for Twisted {
            fn default() -> Self {
                Self {
                    inner: Arc::new(fixtures::provider()),
                    validate: |_| Diagnostics::new(),
                    validations: AtomicUsize::new(0),
                    call: |_, response| response,
                    calls: AtomicUsize::new(0),
                    $($change: |response| response,)*
                    $($streamed: |events| events,)*
                }
            }
        }

        #[async_trait]
        impl Layer for Twisted {
            fn inner(&self) -> &dyn Provider {
                &*self.inner
            }

            $(
                async fn $method(&self, call: &Call, request: $request) -> Result<$response, CallError> {
                    Ok((self.$change)(self.inner.$method(call, request).await?))
                }
            )*

            async fn validate_data_resource_config(
                &self,
                _: &Call,
                _: ValidateDataResourceConfigRequest,
            ) -> Result<ValidateDataResourceConfigResponse, CallError> {
                let number = self.validations.fetch_add(1, Ordering::SeqCst);
                Ok(ValidateDataResourceConfigResponse { diagnostics: (self.validate)(number) })
            }

            async fn call_function(
                &self,
                call: &Call,
                request: CallFunctionRequest,
            ) -> Result<CallFunctionResponse, CallError> {
                let number = self.calls.fetch_add(1, Ordering::SeqCst);
                Ok((self.call)(number, self.inner.call_function(call, request).await?))
            }

            async fn invoke_action(
                &self,
                call: &Call,
                request: InvokeActionRequest,
            ) -> Result<InvokeActionResponse, CallError> {
                let events = self.inner.invoke_action(call, request).await?.events.collect().await;
                Ok(InvokeActionResponse { events: stream::iter((self.action)(events)).boxed() })
            }

            async fn list_resource(
                &self,
                call: &Call,
                request: ListResourceRequest,
            ) -> Result<ListResourceResponse, CallError> {
                let events = self.inner.list_resource(call, request).await?.events.collect().await;
                Ok(ListResourceResponse { events: stream::iter((self.list)(events)).boxed() })
            }

            async fn read_state_bytes(
                &self,
                call: &Call,
                request: ReadStateBytesRequest,
            ) -> Result<ReadStateBytesResponse, CallError> {
                let chunks = self.inner.read_state_bytes(call, request).await?.chunks.collect().await;
                Ok(ReadStateBytesResponse { chunks: stream::iter((self.chunks)(chunks)).boxed() })
            }
        }
    };
}

twisted! {
    streams:
        action of InvokeActionEvent,
        list of ListResourceEvent,
        chunks of Result<StateChunk, Diagnostics>,;
    read_data_source(ReadDataSourceRequest) -> ReadDataSourceResponse by read;
    open_ephemeral_resource(OpenEphemeralResourceRequest) -> OpenEphemeralResourceResponse by open;
    plan_action(PlanActionRequest) -> PlanActionResponse by plan_action;
    configure_state_store(ConfigureStateStoreRequest) -> ConfigureStateStoreResponse by configure;
    lock_state(LockStateRequest) -> LockStateResponse by lock;
    get_metadata(GetMetadataRequest) -> GetMetadataResponse by metadata;
    generate_resource_config(GenerateResourceConfigRequest) -> GenerateResourceConfigResponse by generate;
    move_resource_state(MoveResourceStateRequest) -> MoveResourceStateResponse by take_over;
    import_resource_state(ImportResourceStateRequest) -> ImportResourceStateResponse by import;
    read_resource(ReadResourceRequest) -> ReadResourceResponse by read_resource;
}

pub(super) async fn host_of(twisted: Twisted) -> Host {
    Host::start(Arc::new(Layered(twisted)), HostOptions::default()).await.unwrap()
}

/// A configuration of any of the fixtures' components, as a user writes it.
pub(super) fn written(does: &str) -> Value {
    Value::object([("does", Value::string(does)), ("secret", Value::string(CANARY))])
}

pub(super) fn id(value: &Value) -> Option<&str> {
    value.attribute("id").and_then(Value::as_str)
}
