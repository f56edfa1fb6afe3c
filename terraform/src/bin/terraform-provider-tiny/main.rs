//! A provider with one small component of every kind, written against the seam alone. This crate's tests run it, from a
//! raw gRPC client and from the real Terraform; it is also the shortest example of what a worker has to do.

mod note;
mod schema;
mod store;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use bytes::Bytes;
use denobridge_core::call::LogLevel;
use denobridge_core::cty::{Type, Value};
use denobridge_core::provider::*;
use denobridge_core::schema::{ProviderSchema, Schema};
use denobridge_core::{Call, CallError, Diagnostic, Diagnostics, DynamicValue, Provider};
use denobridge_terraform::install::{self, DevOverride, Installed};
use denobridge_terraform::{Protocol, ServeOptions, refuse_direct_start, serve, serve_debug, started_by_host};
use futures::StreamExt as _;
use futures::stream;

const ADDRESS: &str = "registry.terraform.io/example/tiny";

#[tokio::main]
async fn main() -> ExitCode {
    let options = match std::env::var("TINY_PROTOCOL").as_deref() {
        Ok("5") => ServeOptions::new(ADDRESS).with_protocols([Protocol::V5]),
        _ => ServeOptions::new(ADDRESS),
    };
    let schema = if std::env::var_os("TINY_NESTED").is_some() { schema::with_nested() } else { schema::provider() };
    let provider = Arc::new(Tiny { schema: Arc::new(schema), states: store::States::default() });
    let asked_for = |option: &str| std::env::args().any(|argument| argument == option);
    if asked_for("--install") {
        return installed();
    }
    let served = if asked_for("--debug") {
        serve_debug(provider, options).await
    } else if started_by_host() {
        serve(provider, options).await
    } else {
        return refuse_direct_start("terraform-provider-tiny");
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Names this program in the CLI configuration.
fn installed() -> ExitCode {
    let written = DevOverride::of_this_program(ADDRESS)
        .and_then(|provider| install::write(&provider, &install::configuration_file()?));
    match written {
        Ok(Installed::Written(path) | Installed::Unchanged(path)) => {
            println!("{} names this provider", path.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

struct Tiny {
    schema: Arc<ProviderSchema>,
    states: store::States,
}

/// A value of a component's type. The hosts of the tests send nothing else.
fn decode(value: &DynamicValue, schema: &Schema) -> Result<Value, CallError> {
    value.decode(&schema.implied_type()).map_err(|error| CallError::Internal { message: error.to_string() })
}

impl Tiny {
    fn resource(&self, type_name: &str) -> &Schema {
        &self.schema.resources[type_name]
    }
}

#[async_trait]
impl Provider for Tiny {
    async fn get_provider_schema(
        &self,
        _: &Call,
        _: GetProviderSchemaRequest,
    ) -> Result<GetProviderSchemaResponse, CallError> {
        Ok(GetProviderSchemaResponse { schema: Arc::clone(&self.schema), ..GetProviderSchemaResponse::default() })
    }

    async fn configure_provider(
        &self,
        call: &Call,
        request: ConfigureProviderRequest,
    ) -> Result<ConfigureProviderResponse, CallError> {
        call.log_sink().log(LogLevel::Info, "tiny", "configured", &[("version", &request.terraform_version)]);
        Ok(ConfigureProviderResponse::default())
    }

    async fn validate_resource_config(
        &self,
        _: &Call,
        request: ValidateResourceConfigRequest,
    ) -> Result<ValidateResourceConfigResponse, CallError> {
        #[allow(clippy::panic)] // What this resource is for.
        if &*request.type_name == "tiny_bomb" {
            panic!("the bomb went off");
        }
        Ok(ValidateResourceConfigResponse::default())
    }

    async fn upgrade_resource_state(
        &self,
        _: &Call,
        request: UpgradeResourceStateRequest,
    ) -> Result<UpgradeResourceStateResponse, CallError> {
        let upgraded_state = DynamicValue::Json(request.raw_state.json);
        Ok(UpgradeResourceStateResponse { upgraded_state, ..UpgradeResourceStateResponse::default() })
    }

    async fn read_resource(&self, _: &Call, request: ReadResourceRequest) -> Result<ReadResourceResponse, CallError> {
        let state = decode(&request.current_state, self.resource(&request.type_name))?;
        Ok(ReadResourceResponse {
            new_state: note::read(state).into(),
            private: request.private,
            new_identity: request.current_identity,
            ..ReadResourceResponse::default()
        })
    }

    async fn plan_resource_change(
        &self,
        _: &Call,
        request: PlanResourceChangeRequest,
    ) -> Result<PlanResourceChangeResponse, CallError> {
        let schema = self.resource(&request.type_name);
        let prior = decode(&request.prior_state, schema)?;
        let proposed = decode(&request.proposed_new_state, schema)?;
        Ok(note::plan(&prior, proposed, request.prior_private))
    }

    async fn apply_resource_change(
        &self,
        call: &Call,
        request: ApplyResourceChangeRequest,
    ) -> Result<ApplyResourceChangeResponse, CallError> {
        let schema = self.resource(&request.type_name);
        let planned = decode(&request.planned_state, schema)?;
        if &*request.type_name == "tiny_slow" {
            call.cancellation().cancelled().await;
            let new_state = planned.with_attribute("id", Value::string("half done"));
            let diagnostics = Diagnostic::error("Stopped", "The resource exists in part.").into();
            return Ok(ApplyResourceChangeResponse { new_state: new_state.into(), diagnostics, ..Default::default() });
        }
        Ok(note::apply(&decode(&request.prior_state, schema)?, planned))
    }

    async fn import_resource_state(
        &self,
        _: &Call,
        request: ImportResourceStateRequest,
    ) -> Result<ImportResourceStateResponse, CallError> {
        let state = note::found(&request.id);
        let imported = ImportedResource { type_name: request.type_name, state: state.into(), ..Default::default() };
        Ok(ImportResourceStateResponse { imported_resources: vec![imported], ..Default::default() })
    }

    async fn read_data_source(
        &self,
        _: &Call,
        request: ReadDataSourceRequest,
    ) -> Result<ReadDataSourceResponse, CallError> {
        let config = decode(&request.config, &self.schema.data_sources[&request.type_name])?;
        let length = config.attribute("text").and_then(Value::as_str).map_or(0, |text| text.chars().count());
        let state = config.with_attribute("length", Value::number(length as i64));
        Ok(ReadDataSourceResponse { state: state.into(), ..Default::default() })
    }

    async fn open_ephemeral_resource(
        &self,
        _: &Call,
        request: OpenEphemeralResourceRequest,
    ) -> Result<OpenEphemeralResourceResponse, CallError> {
        let config = decode(&request.config, &self.schema.ephemeral_resources[&request.type_name])?;
        Ok(OpenEphemeralResourceResponse {
            renew_at: Some(SystemTime::UNIX_EPOCH + Duration::from_millis(1_500)),
            result: config.with_attribute("token", Value::string("t0ken")).into(),
            private: Bytes::from_static(b"opened"),
            ..Default::default()
        })
    }

    async fn renew_ephemeral_resource(
        &self,
        _: &Call,
        request: RenewEphemeralResourceRequest,
    ) -> Result<RenewEphemeralResourceResponse, CallError> {
        Ok(RenewEphemeralResourceResponse { private: request.private, ..Default::default() })
    }

    async fn close_ephemeral_resource(
        &self,
        _: &Call,
        _: CloseEphemeralResourceRequest,
    ) -> Result<CloseEphemeralResourceResponse, CallError> {
        Ok(CloseEphemeralResourceResponse::default())
    }

    async fn call_function(&self, _: &Call, request: CallFunctionRequest) -> Result<CallFunctionResponse, CallError> {
        let decoded = request.arguments.first().unwrap_or(&DynamicValue::Absent).decode(&Type::String);
        let argument = decoded.map_err(|error| CallError::Internal { message: error.to_string() })?;
        Ok(match argument.as_str() {
            Some("") => CallFunctionResponse {
                error: Some(FunctionError { text: "nothing to shout".to_owned(), argument: Some(0) }),
                ..Default::default()
            },
            text => CallFunctionResponse {
                result: Value::string(text.unwrap_or_default().to_uppercase()).into(),
                error: None,
            },
        })
    }

    async fn list_resource(&self, _: &Call, request: ListResourceRequest) -> Result<ListResourceResponse, CallError> {
        let event = |path: &str| ListResourceEvent {
            identity: note::identity(path).into(),
            display_name: path.to_owned(),
            resource_object: request.include_resource_object.then(|| note::found(path).into()),
            diagnostics: Diagnostics::new(),
        };
        let count = usize::try_from(request.limit).unwrap_or(0);
        let events: Vec<_> = ["a.txt", "b.txt"].into_iter().take(count).map(event).collect();
        Ok(ListResourceResponse { events: stream::iter(events).boxed() })
    }

    async fn plan_action(&self, _: &Call, _: PlanActionRequest) -> Result<PlanActionResponse, CallError> {
        Ok(PlanActionResponse::default())
    }

    async fn invoke_action(&self, _: &Call, request: InvokeActionRequest) -> Result<InvokeActionResponse, CallError> {
        let progress = stream::iter(["ding", "dong"]).map(|text| InvokeActionEvent::Progress(text.to_owned()));
        let events = match &*request.type_name {
            "tiny_ring" => progress.chain(stream::iter([InvokeActionEvent::Completed(Diagnostics::new())])).boxed(),
            #[allow(clippy::panic)] // What this action is for.
            "tiny_crash" => progress.chain(stream::once(async { panic!("the bell broke") })).boxed(),
            _ => progress.boxed(),
        };
        Ok(InvokeActionResponse { events })
    }

    async fn configure_state_store(
        &self,
        _: &Call,
        request: ConfigureStateStoreRequest,
    ) -> Result<ConfigureStateStoreResponse, CallError> {
        Ok(ConfigureStateStoreResponse { chunk_size: request.chunk_size.min(4), ..Default::default() })
    }

    async fn read_state_bytes(
        &self,
        _: &Call,
        request: ReadStateBytesRequest,
    ) -> Result<ReadStateBytesResponse, CallError> {
        Ok(ReadStateBytesResponse { chunks: self.states.read(&request.state_id) })
    }

    async fn write_state_bytes(
        &self,
        _: &Call,
        request: WriteStateBytesRequest,
    ) -> Result<WriteStateBytesResponse, CallError> {
        self.states.write(request.state_id, request.chunks).await;
        Ok(WriteStateBytesResponse::default())
    }

    async fn get_states(&self, _: &Call, _: GetStatesRequest) -> Result<GetStatesResponse, CallError> {
        Ok(GetStatesResponse { state_ids: self.states.names(), ..Default::default() })
    }
}
