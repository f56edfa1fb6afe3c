//! What goes wrong outside of any answer.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use denobridge_core::cty::{Type, Value};
use denobridge_core::provider::*;
use denobridge_core::{Call, CallError, Provider};
use denobridge_terraform::WireStatus;

use crate::cloud::Cloud;
use crate::format::{Fault, FaultSpec};

/// The faults of the file, around the provider.
pub struct Faulty {
    /// The provider inside.
    pub inner: Arc<dyn Provider>,
    /// What goes wrong and when.
    pub faults: Arc<Faults>,
}

/// What goes wrong and when.
pub struct Faults {
    /// In order; the first one whose condition is met happens.
    pub specs: Vec<FaultSpec>,
    /// Where conditions look.
    pub cloud: Arc<Cloud>,
}

impl Faults {
    /// The fault of this call, of those that `which` takes.
    fn of(&self, procedure: &str, operation: &str, which: impl Fn(&Fault) -> bool) -> Option<&Fault> {
        let call = self.cloud.call(&format!("{operation} {procedure}"));
        let nothing = Value::null(Type::Dynamic);
        let found = |spec: &&FaultSpec| {
            spec.procedure == procedure && which(&spec.then) && self.cloud.meets(&spec.when, call, &nothing)
        };
        self.specs.iter().find(found).map(|spec| &spec.then)
    }

    /// The status of gRPC to send in place of an answer to a procedure, whichever protocol spells its name.
    pub fn status(&self, procedure: &str) -> Option<WireStatus> {
        let procedure = match procedure {
            "GetSchema" => "GetProviderSchema",
            "PrepareProviderConfig" => "ValidateProviderConfig",
            "Configure" => "ConfigureProvider",
            "ValidateResourceTypeConfig" => "ValidateResourceConfig",
            "ValidateDataSourceConfig" => "ValidateDataResourceConfig",
            "Stop" => "StopProvider",
            procedure => procedure,
        };
        match self.of(procedure, "status", |fault| matches!(fault, Fault::Status { .. }))? {
            Fault::Status { code, message } => Some(WireStatus { code: *code, message: message.clone() }),
            _ => None,
        }
    }
}

/// Ends the process as a Go program that panics does.
pub fn panic(text: &str) -> ! {
    eprintln!(
        "panic: {text}\n\ngoroutine 1 [running]:\nmain.crash()\n\tprovider/main.go:42 +0x1d\nmain.main()\n\tprovider/main.go:7 +0x25"
    );
    std::process::exit(2)
}

impl Around for Faulty {
    fn inner(&self) -> &dyn Provider {
        &*self.inner
    }

    async fn around<T: Send>(
        &self,
        procedure: &'static str,
        _: &Call,
        answer: impl Future<Output = Result<T, CallError>> + Send,
    ) -> Result<T, CallError> {
        let happens = |fault: &Fault| !matches!(fault, Fault::Status { .. } | Fault::Empty);
        match self.faults.of(procedure, "fault", happens) {
            Some(Fault::Panic(text)) => panic(text),
            Some(Fault::Exit(code)) => std::process::exit(*code),
            Some(Fault::Hang) => std::future::pending().await,
            Some(Fault::Stderr(text)) => eprintln!("{text}"),
            Some(Fault::DelayMs(delay)) => tokio::time::sleep(Duration::from_millis(*delay)).await,
            Some(Fault::Status { .. } | Fault::Empty) | None => {}
        }
        answer.await
    }
}

/// A layer that answers with nothing where the file says so.
pub struct Empty {
    /// The provider inside.
    pub inner: Arc<dyn Provider>,
    /// What goes wrong and when.
    pub faults: Arc<Faults>,
}

macro_rules! empty_answers {
    ($($method:ident $name:literal ($request:ident) -> $response:ident;)*) => {
        #[async_trait]
        impl Layer for Empty {
            fn inner(&self) -> &dyn Provider {
                &*self.inner
            }
            $(
                async fn $method(&self, call: &Call, request: $request) -> Result<$response, CallError> {
                    match self.faults.of($name, "empty", |fault| matches!(fault, Fault::Empty)) {
                        Some(_) => Ok($response::default()),
                        None => self.inner.$method(call, request).await,
                    }
                }
            )*
        }
    };
}

empty_answers! {
    upgrade_resource_state "UpgradeResourceState" (UpgradeResourceStateRequest) -> UpgradeResourceStateResponse;
    read_resource "ReadResource" (ReadResourceRequest) -> ReadResourceResponse;
    plan_resource_change "PlanResourceChange" (PlanResourceChangeRequest) -> PlanResourceChangeResponse;
    apply_resource_change "ApplyResourceChange" (ApplyResourceChangeRequest) -> ApplyResourceChangeResponse;
    import_resource_state "ImportResourceState" (ImportResourceStateRequest) -> ImportResourceStateResponse;
    read_data_source "ReadDataSource" (ReadDataSourceRequest) -> ReadDataSourceResponse;
    open_ephemeral_resource "OpenEphemeralResource" (OpenEphemeralResourceRequest) -> OpenEphemeralResourceResponse;
    call_function "CallFunction" (CallFunctionRequest) -> CallFunctionResponse;
}
