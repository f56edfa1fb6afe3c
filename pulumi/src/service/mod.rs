//! The gRPC service that the engine calls: unpacks requests, runs them as tasks of their own, packs answers.
//!
//! A request runs as its own task, so that a panic in it becomes an error of that request alone, and so that an engine
//! which hangs up cancels the work instead of cutting it off between two steps.

mod functions;
mod packages;
mod resources;
mod settings;
mod subjects;

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use denobridge_core::Call;
use denobridge_core::provider::StopProviderRequest;
use futures::Stream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tonic::{Request, Response, Status};

use crate::engine::EngineLog;
use crate::errors::Failure;
use crate::lease::Leases;
use crate::lifecycle::{Limits, Surroundings};
use crate::package::{PackageSource, Parameter};
use crate::proto::pulumirpc::parameterize_request::Parameters;
use crate::proto::pulumirpc::resource_provider_server::ResourceProvider;
use crate::proto::pulumirpc::*;
use crate::server::Options;

use packages::Packages;

/// How long an answer to Cancel waits for log lines to be sent; the engine gives Cancel five seconds.
const FLUSH_LIMIT: Duration = Duration::from_secs(1);

/// What all requests share.
pub(crate) struct Shared {
    options: Options,
    packages: Packages,
    engine: EngineLog,
    leases: Leases,
    /// Cancels everything that runs. Replaced by Cancel: an attached plugin lives through many deployments.
    running: Mutex<CancellationToken>,
    tasks: TaskTracker,
}

impl Shared {
    pub(crate) fn new(options: Options, source: Arc<dyn PackageSource>) -> Self {
        let engine = EngineLog::new(options.engine_address.clone());
        let packages = Packages::new(source);
        let (leases, running) = (Leases::default(), Mutex::default());
        Self { options, packages, engine, leases, running, tasks: TaskTracker::new() }
    }

    /// Tells everything that runs to stop, and the providers too. Closes what was opened.
    pub(crate) async fn cancel(&self) {
        let running = std::mem::take(&mut *self.running.lock().unwrap_or_else(PoisonError::into_inner));
        running.cancel();
        for package in self.packages.loaded() {
            // A provider that cannot be stopped is none of the engine's business.
            let _ = package.served.provider.stop_provider(&Call::new(), StopProviderRequest {}).await;
        }
        self.close_leases().await;
    }

    async fn close_leases(&self) {
        let limit = self.options.shutdown_limit.saturating_sub(FLUSH_LIMIT);
        for name in self.leases.close(limit).await {
            let seconds = limit.as_secs_f64();
            let line = format!("{name}: what it opened was not closed within {seconds} seconds, and is left open");
            self.engine.line(LogSeverity::Warning, "", line);
        }
    }

    /// Cancels, and waits for what runs to say what became of it.
    pub(crate) async fn shut_down(&self) {
        let ended = async {
            self.cancel().await;
            self.tasks.close();
            self.tasks.wait().await;
            // What was still being opened then.
            self.close_leases().await;
            self.engine.flush(FLUSH_LIMIT).await;
        };
        // Whoever does not end in time ends with the process.
        let _ = tokio::time::timeout(self.options.shutdown_limit, ended).await;
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

/// The service.
#[derive(Clone)]
pub(crate) struct Service(Arc<Shared>);

impl Service {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self(shared)
    }

    /// Runs a request as a task of its own.
    async fn run<T, F>(
        &self,
        procedure: &'static str,
        work: impl FnOnce(Arc<Shared>, CancellationToken) -> F,
    ) -> Result<Response<T>, Status>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        let token = self.0.child_token();
        // Dropped without being disarmed when the engine hangs up.
        let hung_up = token.clone().drop_guard();
        let answer = self.0.tasks.spawn(work(Arc::clone(&self.0), token)).await;
        hung_up.disarm();
        match answer {
            Ok(Ok(answer)) => Ok(Response::new(answer)),
            Ok(Err(failure)) => Err(failure.into()),
            // What the panic said may hold anything; it is in the plugin's own log.
            Err(_) => Err(Failure::Bridge(format!("{procedure} panicked")).into()),
        }
    }
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
        self.0.engine.set_address(&request.get_ref().engine_address);
        Ok(Response::new(ProviderHandshakeResponse {
            accept_secrets: true,
            accept_resources: true,
            ..ProviderHandshakeResponse::default()
        }))
    }

    async fn attach(&self, request: Request<PluginAttach>) -> Result<Response<()>, Status> {
        self.0.engine.set_address(&request.get_ref().address);
        Ok(Response::new(()))
    }

    async fn get_plugin_info(&self, _: Request<()>) -> Result<Response<PluginInfo>, Status> {
        Ok(Response::new(PluginInfo { version: self.0.options.plugin_version.clone() }))
    }

    async fn parameterize(
        &self,
        request: Request<ParameterizeRequest>,
    ) -> Result<Response<ParameterizeResponse>, Status> {
        self.run("Parameterize", |shared, token| async move {
            let parameter = match request.into_inner().parameters {
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
        self.run("GetSchema", |shared, token| async move {
            let name = request.into_inner().subpackage_name;
            let call = shared.general_call(token);
            let package = shared.packages.named(&call, Some(name.as_str()).filter(|name| !name.is_empty())).await?;
            Ok(GetSchemaResponse { schema: package.served.package.schema.to_string() })
        })
        .await
    }

    async fn check_config(&self, request: Request<CheckRequest>) -> Result<Response<CheckResponse>, Status> {
        self.run("CheckConfig", |shared, token| settings::check(shared, token, request.into_inner())).await
    }

    async fn diff_config(&self, request: Request<DiffRequest>) -> Result<Response<DiffResponse>, Status> {
        self.run("DiffConfig", |_, _| settings::diff(request.into_inner())).await
    }

    async fn configure(&self, request: Request<ConfigureRequest>) -> Result<Response<ConfigureResponse>, Status> {
        self.run("Configure", |shared, token| settings::configure(shared, token, request.into_inner())).await
    }

    async fn check(&self, request: Request<CheckRequest>) -> Result<Response<CheckResponse>, Status> {
        self.run("Check", |shared, token| resources::check(shared, token, request.into_inner())).await
    }

    async fn diff(&self, request: Request<DiffRequest>) -> Result<Response<DiffResponse>, Status> {
        self.run("Diff", |shared, token| resources::diff(shared, token, request.into_inner())).await
    }

    async fn create(&self, request: Request<CreateRequest>) -> Result<Response<CreateResponse>, Status> {
        self.run("Create", |shared, token| resources::create(shared, token, request.into_inner())).await
    }

    async fn read(&self, request: Request<ReadRequest>) -> Result<Response<ReadResponse>, Status> {
        self.run("Read", |shared, token| resources::read(shared, token, request.into_inner())).await
    }

    async fn update(&self, request: Request<UpdateRequest>) -> Result<Response<UpdateResponse>, Status> {
        self.run("Update", |shared, token| resources::update(shared, token, request.into_inner())).await
    }

    async fn delete(&self, request: Request<DeleteRequest>) -> Result<Response<()>, Status> {
        self.run("Delete", |shared, token| resources::delete(shared, token, request.into_inner())).await
    }

    async fn invoke(&self, request: Request<InvokeRequest>) -> Result<Response<InvokeResponse>, Status> {
        self.run("Invoke", |shared, token| functions::invoke(shared, token, request.into_inner())).await
    }

    /// May come twice, before anything else, and while requests run.
    async fn cancel(&self, _: Request<()>) -> Result<Response<()>, Status> {
        self.0.cancel().await;
        self.0.engine.forget_warnings();
        self.0.engine.flush(FLUSH_LIMIT).await;
        Ok(Response::new(()))
    }

    async fn call(&self, _: Request<CallRequest>) -> Result<Response<CallResponse>, Status> {
        unimplemented("Call")
    }

    async fn construct(&self, _: Request<ConstructRequest>) -> Result<Response<ConstructResponse>, Status> {
        unimplemented("Construct")
    }

    async fn get_mapping(&self, _: Request<GetMappingRequest>) -> Result<Response<GetMappingResponse>, Status> {
        unimplemented("GetMapping")
    }

    async fn get_mappings(&self, _: Request<GetMappingsRequest>) -> Result<Response<GetMappingsResponse>, Status> {
        unimplemented("GetMappings")
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
