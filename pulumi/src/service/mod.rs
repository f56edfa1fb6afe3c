//! The gRPC service that the engine calls: unpacks requests, runs them as tasks of their own, packs answers.
//!
//! A request runs as its own task, so that a panic in it becomes an error of that request alone, and so that an engine
//! which hangs up cancels the work instead of cutting it off between two steps.

mod functions;
mod mappings;
mod methods;
mod packages;
mod resources;
mod settings;
mod subjects;

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use denobridge_core::Call;
use denobridge_core::provider::StopProviderRequest;
use futures::Stream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tonic::{Request, Response, Status};

use crate::engine::EngineLog;
use crate::errors::{Failure, in_seconds};
use crate::instances::Instance;
use crate::lease::Leases;
use crate::lifecycle::{Limits, Surroundings};
use crate::package::{PackageSource, Parameter};
use crate::proto::pulumirpc::parameterize_request::Parameters;
use crate::proto::pulumirpc::resource_provider_server::ResourceProvider;
use crate::proto::pulumirpc::*;
use crate::recording::RecordedCall;
use crate::server::Options;

use packages::Packages;

/// How long an answer to Cancel waits for log lines to be sent; the engine gives Cancel five seconds.
const FLUSH_LIMIT: Duration = Duration::from_secs(1);

/// What all requests for a provider instance share.
pub(crate) struct Shared {
    options: Options,
    packages: Packages,
    engine: EngineLog,
    leases: Leases,
    /// Cancels everything that runs. Replaced by Cancel, which may come before anything else.
    running: Mutex<CancellationToken>,
    tasks: TaskTracker,
    /// Whether the provider has its settings.
    is_configured: AtomicBool,
}

impl Shared {
    pub(crate) fn new(options: Options, source: Arc<dyn PackageSource>) -> Self {
        let engine = EngineLog::new(options.engine_address.clone());
        let packages = Packages::new(source);
        let (leases, running) = (Leases::default(), Mutex::default());
        let (tasks, is_configured) = (TaskTracker::new(), AtomicBool::new(false));
        Self { options, packages, engine, leases, running, tasks, is_configured }
    }

    /// Tells everything that runs to stop, and the providers too. Closes what was opened once nothing runs that may still
    /// need it; what takes longer than the engine waits for is closed in the end, by [`Shared::shut_down`] or [`Shared::end`].
    pub(crate) async fn cancel(&self) {
        self.stop().await;
        let limit = self.options.shutdown_limit.saturating_sub(FLUSH_LIMIT);
        if self.nothing_runs_within(limit).await {
            self.close_leases().await;
        }
    }

    /// Stops everything and closes what was opened, at once: nobody is left who could be told how a call ends, and what
    /// does not heed being stopped ends with the process.
    pub(crate) async fn abandon(&self) {
        self.stop().await;
        self.close_leases().await;
    }

    async fn stop(&self) {
        self.cancel_calls();
        for package in self.packages.loaded() {
            // A provider that cannot be stopped is none of the engine's business.
            let _ = package.served.provider.stop_provider(&Call::new(), StopProviderRequest {}).await;
        }
    }

    /// Whether all that runs comes to its end in time.
    async fn nothing_runs_within(&self, limit: Duration) -> bool {
        // Closed says no more than that its end may be waited for.
        self.tasks.close();
        tokio::time::timeout(limit, self.tasks.wait()).await.is_ok()
    }

    fn cancel_calls(&self) {
        let running = std::mem::take(&mut *self.running.lock().unwrap_or_else(PoisonError::into_inner));
        running.cancel();
    }

    async fn close_leases(&self) {
        let limit = self.options.shutdown_limit.saturating_sub(FLUSH_LIMIT);
        for name in self.leases.close(limit).await {
            let limit = in_seconds(limit);
            let line = format!("{name}: what it opened was not closed within {limit}, and is left open");
            self.engine.line(LogSeverity::Warning, "", line);
        }
    }

    /// Cancels, and waits for what runs to say what became of it.
    pub(crate) async fn shut_down(&self) {
        let ended = async {
            self.stop().await;
            // Half of the time is for what runs; the other half must do to close what would else stay open.
            self.nothing_runs_within(self.options.shutdown_limit / 2).await;
            self.close_leases().await;
            self.wind_up().await;
        };
        // Whoever does not end in time ends with the process.
        let _ = tokio::time::timeout(self.options.shutdown_limit, ended).await;
    }

    /// The engine is done with this instance, but not with the process: the provider may be shared with others, so it is
    /// not told to stop.
    pub(crate) async fn end(&self) {
        self.cancel_calls();
        self.wind_up().await;
    }

    /// Waits for what runs, and closes what was opened.
    async fn wind_up(&self) {
        self.tasks.close();
        self.tasks.wait().await;
        // Also what was still being opened.
        self.close_leases().await;
        self.engine.flush(FLUSH_LIMIT).await;
    }

    /// The engine always configures a provider before it asks for anything else. But its connection to a plugin that was
    /// started by hand may be made anew after a long silence, and then belongs to no instance any more.
    fn require_configured(&self) -> Result<(), Failure> {
        let attached = self.options.engine_address.is_none();
        if attached && !self.is_configured.load(Ordering::Relaxed) {
            return Err(Failure::InvalidRequest(format!(
                "the connection to the plugin {} was made anew, after half an hour without a request or because it broke, \
                 and the plugin cannot tell which settings it is for; run the command again",
                self.options.plugin_name
            )));
        }
        Ok(())
    }

    fn child_token(&self) -> CancellationToken {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).child_token()
    }

    fn surroundings(&self, cancellation: CancellationToken, timeout: f64) -> Surroundings {
        // The engine's 0 is no limit; so is what is no duration at all.
        let timeout = Some(timeout).filter(|seconds| *seconds > 0.0);
        let timeout = timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Surroundings {
            engine: self.engine.clone(),
            cancellation,
            limits: Limits { timeout, grace: self.options.stop_grace },
        }
    }
}

/// The service. What it serves is with each request: the connection knows its instance.
#[derive(Clone)]
pub(crate) struct Service;

impl Service {
    /// Runs a request as a task of its own.
    async fn run<Q, T, F>(
        &self,
        procedure: &'static str,
        request: Request<Q>,
        work: impl FnOnce(Arc<Shared>, CancellationToken, Q) -> F,
    ) -> Result<Response<T>, Status>
    where
        Q: prost::Message,
        T: prost::Message + 'static,
        F: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        let shared = instance(&request)?;
        let recorder = shared.options.recorder.as_ref();
        let recorded = recorder
            .map(|recorder| RecordedCall::begin(recorder, procedure, &shared.packages.loaded(), request.get_ref()));
        let token = shared.child_token();
        // Dropped without being disarmed when the engine hangs up.
        let hung_up = token.clone().drop_guard();
        let answer = shared.tasks.spawn(work(Arc::clone(&shared), token, request.into_inner())).await;
        hung_up.disarm();
        let answer: Result<T, Status> = match answer {
            Ok(answer) => answer.map_err(Status::from),
            // What the panic said may hold anything; it is in the plugin's own log.
            Err(_) => Err(Failure::Bridge(format!("{procedure} panicked")).into()),
        };
        if let Some(recorded) = recorded {
            recorded.end(&shared.packages.loaded(), answer.as_ref());
        }
        answer.map(Response::new)
    }
}

/// The instance that a request is for.
fn instance<Q>(request: &Request<Q>) -> Result<Arc<Shared>, Status> {
    let instance = request.extensions().get::<Instance>().map(|instance| Arc::clone(&instance.0));
    instance.ok_or_else(|| Failure::Bridge("a request came over no connection".to_owned()).into())
}

/// An answer that needs no task of its own, recorded if anything is.
fn noted<T: prost::Message>(
    procedure: &'static str,
    request: &Request<impl prost::Message>,
    answer: T,
) -> Result<Response<T>, Status> {
    if let Some(recorder) = &instance(request)?.options.recorder {
        RecordedCall::begin(recorder, procedure, &[], request.get_ref()).end(&[], Ok(&answer));
    }
    Ok(Response::new(answer))
}

fn unimplemented<T>(procedure: &'static str) -> Result<Response<T>, Status> {
    Err(Failure::Unimplemented(procedure).into())
}

#[tonic::async_trait]
impl ResourceProvider for Service {
    async fn handshake(
        &self,
        request: Request<ProviderHandshakeRequest>,
    ) -> Result<Response<ProviderHandshakeResponse>, Status> {
        instance(&request)?.engine.set_address(&request.get_ref().engine_address);
        let response = ProviderHandshakeResponse {
            accept_secrets: true,
            accept_resources: true,
            supports_autonaming_configuration: true,
            ..ProviderHandshakeResponse::default()
        };
        noted("Handshake", &request, response)
    }

    async fn attach(&self, request: Request<PluginAttach>) -> Result<Response<()>, Status> {
        instance(&request)?.engine.set_address(&request.get_ref().address);
        noted("Attach", &request, ())
    }

    async fn get_plugin_info(&self, request: Request<()>) -> Result<Response<PluginInfo>, Status> {
        let instance = instance(&request)?;
        // Once it has become another package, a plugin has that package's version, as the Go bridge has it.
        let package = instance.packages.parameterized();
        let version =
            package.map_or_else(|| instance.options.plugin_version.clone(), |package| package.served.version.clone());
        noted("GetPluginInfo", &request, PluginInfo { version })
    }

    async fn parameterize(
        &self,
        request: Request<ParameterizeRequest>,
    ) -> Result<Response<ParameterizeResponse>, Status> {
        self.run("Parameterize", request, |shared, token, request| async move {
            let parameter = match request.parameters {
                None => return Err(Failure::InvalidRequest("Parameterize was called without a parameter".to_owned())),
                Some(Parameters::Args(arguments)) => Parameter::Arguments(arguments.args),
                Some(Parameters::Value(value)) => {
                    Parameter::Value { name: value.name, version: value.version, value: value.value.into() }
                }
            };
            let call = shared.general_call(token);
            let package = shared.packages.parameterize(&call, parameter).await?;
            Ok(ParameterizeResponse { name: package.served.name.clone(), version: package.served.version.clone() })
        })
        .await
    }

    async fn get_schema(&self, request: Request<GetSchemaRequest>) -> Result<Response<GetSchemaResponse>, Status> {
        self.run("GetSchema", request, |shared, token, request| async move {
            let name = request.subpackage_name;
            let call = shared.general_call(token);
            let package = shared.packages.named(&call, Some(name.as_str()).filter(|name| !name.is_empty())).await?;
            Ok(GetSchemaResponse { schema: package.served.package.schema.text().to_owned() })
        })
        .await
    }

    async fn check_config(&self, request: Request<CheckRequest>) -> Result<Response<CheckResponse>, Status> {
        self.run("CheckConfig", request, settings::check).await
    }

    async fn diff_config(&self, request: Request<DiffRequest>) -> Result<Response<DiffResponse>, Status> {
        self.run("DiffConfig", request, |_, _, request| settings::diff(request)).await
    }

    async fn configure(&self, request: Request<ConfigureRequest>) -> Result<Response<ConfigureResponse>, Status> {
        self.run("Configure", request, settings::configure).await
    }

    async fn check(&self, request: Request<CheckRequest>) -> Result<Response<CheckResponse>, Status> {
        self.run("Check", request, resources::check).await
    }

    async fn diff(&self, request: Request<DiffRequest>) -> Result<Response<DiffResponse>, Status> {
        self.run("Diff", request, resources::diff).await
    }

    async fn create(&self, request: Request<CreateRequest>) -> Result<Response<CreateResponse>, Status> {
        self.run("Create", request, resources::create).await
    }

    async fn read(&self, request: Request<ReadRequest>) -> Result<Response<ReadResponse>, Status> {
        self.run("Read", request, resources::read).await
    }

    async fn update(&self, request: Request<UpdateRequest>) -> Result<Response<UpdateResponse>, Status> {
        self.run("Update", request, resources::update).await
    }

    async fn delete(&self, request: Request<DeleteRequest>) -> Result<Response<()>, Status> {
        self.run("Delete", request, resources::delete).await
    }

    async fn invoke(&self, request: Request<InvokeRequest>) -> Result<Response<InvokeResponse>, Status> {
        self.run("Invoke", request, functions::invoke).await
    }

    /// May come twice, before anything else, and while requests run.
    async fn cancel(&self, request: Request<()>) -> Result<Response<()>, Status> {
        let shared = instance(&request)?;
        shared.cancel().await;
        shared.engine.forget_warnings();
        shared.engine.flush(FLUSH_LIMIT).await;
        noted("Cancel", &request, ())
    }

    async fn call(&self, request: Request<CallRequest>) -> Result<Response<CallResponse>, Status> {
        self.run("Call", request, methods::call).await
    }

    async fn construct(&self, _: Request<ConstructRequest>) -> Result<Response<ConstructResponse>, Status> {
        unimplemented("Construct")
    }

    async fn get_mapping(&self, request: Request<GetMappingRequest>) -> Result<Response<GetMappingResponse>, Status> {
        self.run("GetMapping", request, |shared, _, request| async move { mappings::get(&shared, &request) }).await
    }

    async fn get_mappings(
        &self,
        request: Request<GetMappingsRequest>,
    ) -> Result<Response<GetMappingsResponse>, Status> {
        self.run("GetMappings", request, |shared, _, request| async move { mappings::list(&shared, &request) }).await
    }

    type ListStream = Pin<Box<dyn Stream<Item = Result<ListResponse, Status>> + Send>>;

    async fn list(&self, _: Request<ListRequest>) -> Result<Response<Self::ListStream>, Status> {
        unimplemented("List")
    }
}

impl Shared {
    /// A call about no resource in particular.
    fn general_call(&self, cancellation: CancellationToken) -> Call {
        let log = self.engine.about("");
        Call::new().with_cancellation(cancellation).with_progress(Arc::clone(&log) as _).with_log(log)
    }
}
