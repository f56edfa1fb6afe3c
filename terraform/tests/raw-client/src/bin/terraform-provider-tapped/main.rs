//! A tap before the provider that `TAP_PROGRAM` names, with the observer that `TAP_OBSERVER` asks for.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::process::ExitCode;
use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::provider::*;
use denobridge_core::{Call, CallError, Diagnostic, Diagnostics, Provider};
use denobridge_terraform::launch::PlainSpawner;
use denobridge_terraform::{LaunchOptions, Observer, TapOptions, tap};
use futures::StreamExt as _;

#[tokio::main]
async fn main() -> ExitCode {
    let silent = Arc::clone(Call::new().log_sink());
    let program = std::env::var_os("TAP_PROGRAM").unwrap_or_default();
    let observer: Option<Arc<dyn Observer>> = match std::env::var("TAP_OBSERVER").unwrap_or_default().as_str() {
        "" => None,
        "quiet" => Some(Arc::new(Seeing(Manner::Quiet))),
        "loud" => Some(Arc::new(Seeing(Manner::Loud))),
        _ => Some(Arc::new(Seeing(Manner::Refusing))),
    };
    let launch = LaunchOptions::new("example/tapped", program, silent, Arc::new(PlainSpawner));
    match tap(TapOptions { provider_type: "tapped".to_owned(), launch, observer }).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// What an observer makes of what it sees.
#[derive(Clone, Copy, PartialEq)]
enum Manner {
    /// Nothing.
    Quiet,
    /// A warning with every answer.
    Loud,
    /// An error in place of every answer.
    Refusing,
}

struct Seeing(Manner);

#[async_trait]
impl Observer for Seeing {
    fn mount(&self, provider: Arc<dyn Provider>) -> Arc<dyn Provider> {
        Arc::new(Layered(Seen { inner: provider, manner: self.0 }))
    }

    fn wants_plans_of_deletions(&self) -> bool {
        self.0 == Manner::Refusing
    }

    async fn stopping(&self) {
        eprintln!("the observer hears of the stop");
    }

    async fn finish(&self) {
        eprintln!("the observer finishes");
    }
}

struct Seen {
    inner: Arc<dyn Provider>,
    manner: Manner,
}

impl Seen {
    fn refusal(&self) -> Option<Diagnostics> {
        (self.manner == Manner::Refusing).then(|| Diagnostic::error("refused", "by the observer").into())
    }

    fn remark(&self, diagnostics: &mut Diagnostics) {
        if self.manner == Manner::Loud {
            diagnostics.push(Diagnostic::warning("seen", "by the observer"));
        }
    }
}

macro_rules! seen {
    ($($procedure:ident($request:ident) -> $response:ident;)*) => {
        #[async_trait]
        impl Layer for Seen {
            fn inner(&self) -> &dyn Provider {
                &*self.inner
            }

            $(
                async fn $procedure(&self, call: &Call, request: $request) -> Result<$response, CallError> {
                    if let Some(diagnostics) = self.refusal() {
                        #[allow(clippy::needless_update)] // Some answers have nothing but diagnostics.
                        return Ok($response { diagnostics, ..Default::default() });
                    }
                    let mut answer = self.inner.$procedure(call, request).await?;
                    self.remark(&mut answer.diagnostics);
                    Ok(answer)
                }
            )*

            async fn invoke_action(
                &self,
                call: &Call,
                request: InvokeActionRequest,
            ) -> Result<InvokeActionResponse, CallError> {
                if let Some(diagnostics) = self.refusal() {
                    let end = InvokeActionEvent::Completed(diagnostics);
                    return Ok(InvokeActionResponse { events: futures::stream::once(async { end }).boxed() });
                }
                let answer = self.inner.invoke_action(call, request).await?;
                let seen = Self { inner: Arc::clone(&self.inner), manner: self.manner };
                let events = answer.events.map(move |event| match event {
                    InvokeActionEvent::Completed(mut diagnostics) => {
                        seen.remark(&mut diagnostics);
                        InvokeActionEvent::Completed(diagnostics)
                    }
                    other => other,
                });
                Ok(InvokeActionResponse { events: events.boxed() })
            }
        }
    };
}

seen! {
    configure_provider(ConfigureProviderRequest) -> ConfigureProviderResponse;
    read_resource(ReadResourceRequest) -> ReadResourceResponse;
    plan_resource_change(PlanResourceChangeRequest) -> PlanResourceChangeResponse;
    apply_resource_change(ApplyResourceChangeRequest) -> ApplyResourceChangeResponse;
    import_resource_state(ImportResourceStateRequest) -> ImportResourceStateResponse;
    read_data_source(ReadDataSourceRequest) -> ReadDataSourceResponse;
    open_ephemeral_resource(OpenEphemeralResourceRequest) -> OpenEphemeralResourceResponse;
}
