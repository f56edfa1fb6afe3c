//! The provider that layers are put around: what it is asked for is what the host has sent.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use denobridge_core::provider::{
    ApplyResourceChangeRequest, ApplyResourceChangeResponse, ConfigureProviderRequest, ConfigureProviderResponse,
    ImportResourceStateRequest, ImportResourceStateResponse, InvokeActionRequest, InvokeActionResponse, Layer,
    OpenEphemeralResourceRequest, OpenEphemeralResourceResponse, PlanResourceChangeRequest, PlanResourceChangeResponse,
    ReadDataSourceRequest, ReadDataSourceResponse, ReadResourceRequest, ReadResourceResponse,
};
use denobridge_core::{Call, CallError, Provider};
use tonic::transport::Channel;

use super::passing::Passing;
use crate::client::ForeignProvider;
use crate::launch::Process;
use crate::proto::tfplugin6 as pb;

/// A provider to which a call with a [`Passing`] is passed on as it came. A layer may ask it for more, such as its schema.
#[derive(Clone)]
pub(super) struct Wired {
    foreign: Arc<ForeignProvider>,
    channel: Channel,
}

impl Wired {
    pub(super) fn new(name: String, protocol: u32, channel: Channel, process: Process, stop_grace: Duration) -> Self {
        let foreign = ForeignProvider::new(name, protocol, channel.clone(), Some(process), stop_grace);
        Self { foreign: Arc::new(foreign), channel }
    }

    pub(super) fn foreign(&self) -> &ForeignProvider {
        &self.foreign
    }

    pub(super) fn channel(&self) -> &Channel {
        &self.channel
    }
}

macro_rules! passed_on {
    ($($procedure:ident $name:literal ($request:ident) -> $response:ident;)*) => {
        #[async_trait]
        impl Layer for Wired {
            fn inner(&self) -> &dyn Provider {
                &*self.foreign
            }

            $(
                async fn $procedure(&self, call: &Call, request: $request) -> Result<$response, CallError> {
                    let Some(passing) = call.extension::<Passing>() else {
                        return self.foreign.$procedure(call, request).await;
                    };
                    let said = |answer: &pb::$procedure::Response| answer.diagnostics.len();
                    Ok(passing.one(self, $name, said).await?.into())
                }
            )*

            async fn invoke_action(
                &self,
                call: &Call,
                request: InvokeActionRequest,
            ) -> Result<InvokeActionResponse, CallError> {
                match call.extension::<Passing>() {
                    Some(passing) => Ok(InvokeActionResponse { events: passing.events(self).await? }),
                    None => self.foreign.invoke_action(call, request).await,
                }
            }
        }
    };
}

passed_on! {
    configure_provider "ConfigureProvider" (ConfigureProviderRequest) -> ConfigureProviderResponse;
    read_resource "ReadResource" (ReadResourceRequest) -> ReadResourceResponse;
    plan_resource_change "PlanResourceChange" (PlanResourceChangeRequest) -> PlanResourceChangeResponse;
    apply_resource_change "ApplyResourceChange" (ApplyResourceChangeRequest) -> ApplyResourceChangeResponse;
    import_resource_state "ImportResourceState" (ImportResourceStateRequest) -> ImportResourceStateResponse;
    read_data_source "ReadDataSource" (ReadDataSourceRequest) -> ReadDataSourceResponse;
    open_ephemeral_resource "OpenEphemeralResource" (OpenEphemeralResourceRequest) -> OpenEphemeralResourceResponse;
}
