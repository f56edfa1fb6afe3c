//! A provider that keeps things in memory of nobody, and a host with integrations around it.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use denobridge_core::call::PulumiStep;
use denobridge_core::cty::{Path, Type, Value};
use denobridge_core::provider::*;
use denobridge_core::schema::{Attribute, Block, ProviderSchema, Schema};
use denobridge_core::{Call, CallError, Diagnostic, Diagnostics, DynamicValue, Provider, Severity};
use denobridge_integrations::configuration::{Configuration, FailMode};
use denobridge_integrations::process::Limits;
use denobridge_integrations::protocol::{HostKind, ShutdownReason};
use denobridge_integrations::run::{HostProcess, RunFolder};
use denobridge_integrations::{Engine, EngineOptions, Hooks, HooksOptions, Integrated};
use serde_json::Value as Json;

use super::support::{Fake, TestLauncher};

pub const ADDRESS: &str = "registry.terraform.io/acme/store";

/// Keeps things in memory of nobody: it answers as a provider does, and remembers what it was asked.
#[derive(Default)]
pub struct Store {
    pub asked: Mutex<Vec<&'static str>>,
    pub plans: Mutex<Vec<PlanResourceChangeRequest>>,
    /// Fails applies with this.
    pub broken: bool,
}

pub fn schema() -> Arc<ProviderSchema> {
    let attribute = |name: &str, change: fn(&mut Attribute)| {
        let mut attribute = Attribute::new(name, Type::String);
        change(&mut attribute);
        attribute
    };
    let attributes = vec![
        attribute("id", |attribute| attribute.computed = true),
        attribute("name", |attribute| attribute.required = true),
        attribute("place", |attribute| attribute.optional = true),
        attribute("token", |attribute| (attribute.optional, attribute.sensitive) = (true, true)),
    ];
    let schema = Schema { version: 0, block: Block { attributes, ..Block::default() } };
    let named = |name: &str| [(Arc::from(name), schema.clone())].into();
    Arc::new(ProviderSchema {
        resources: named("store_thing"),
        data_sources: named("store_thing"),
        actions: named("store_count"),
        ..ProviderSchema::default()
    })
}

pub fn ty() -> Type {
    schema().resources["store_thing"].implied_type()
}

pub fn thing(id: Value, name: &str, place: &str) -> Value {
    let token = Value::string("hunter2-hunter2");
    Value::object([("id", id), ("name", Value::string(name)), ("place", Value::string(place)), ("token", token)])
}

impl Store {
    pub fn note(&self, procedure: &'static str) {
        self.asked.lock().unwrap().push(procedure);
    }
}

#[async_trait]
impl Provider for Store {
    async fn get_provider_schema(
        &self,
        _: &Call,
        _: GetProviderSchemaRequest,
    ) -> Result<GetProviderSchemaResponse, CallError> {
        Ok(GetProviderSchemaResponse { schema: schema(), ..Default::default() })
    }

    async fn configure_provider(
        &self,
        _: &Call,
        _: ConfigureProviderRequest,
    ) -> Result<ConfigureProviderResponse, CallError> {
        self.note("configure");
        Ok(ConfigureProviderResponse::default())
    }

    async fn validate_resource_config(
        &self,
        _: &Call,
        _: ValidateResourceConfigRequest,
    ) -> Result<ValidateResourceConfigResponse, CallError> {
        Ok(ValidateResourceConfigResponse::default())
    }

    async fn read_resource(&self, _: &Call, request: ReadResourceRequest) -> Result<ReadResourceResponse, CallError> {
        self.note("read");
        let state = request.current_state.decode(&ty()).unwrap();
        // Somebody has moved it.
        let new_state = state.with_attribute("place", Value::string("attic")).into();
        Ok(ReadResourceResponse { new_state, ..Default::default() })
    }

    async fn import_resource_state(
        &self,
        _: &Call,
        request: ImportResourceStateRequest,
    ) -> Result<ImportResourceStateResponse, CallError> {
        let state = thing(Value::string(&request.id), "found", "cellar").into();
        let imported_resources = vec![ImportedResource { type_name: request.type_name, state, ..Default::default() }];
        Ok(ImportResourceStateResponse { imported_resources, ..Default::default() })
    }

    async fn plan_resource_change(
        &self,
        _: &Call,
        request: PlanResourceChangeRequest,
    ) -> Result<PlanResourceChangeResponse, CallError> {
        self.note("plan");
        self.plans.lock().unwrap().push(request.clone());
        let prior = request.prior_state.decode(&ty()).unwrap();
        let proposed = request.proposed_new_state.decode(&ty()).unwrap();
        let planned =
            if prior.is_null() { proposed.with_attribute("id", Value::unknown(Type::String)) } else { proposed };
        let requires_replace = vec![Path::root().attribute("name")];
        Ok(PlanResourceChangeResponse { planned_state: planned.into(), requires_replace, ..Default::default() })
    }

    async fn apply_resource_change(
        &self,
        _: &Call,
        request: ApplyResourceChangeRequest,
    ) -> Result<ApplyResourceChangeResponse, CallError> {
        self.note("apply");
        if self.broken {
            let diagnostics = Diagnostic::error("no room", "for hunter2-hunter2").into();
            return Ok(ApplyResourceChangeResponse { diagnostics, ..Default::default() });
        }
        let planned = request.planned_state.decode(&ty()).unwrap();
        let new = if planned.is_null() { planned } else { planned.with_attribute("id", Value::string("id-1")) };
        Ok(ApplyResourceChangeResponse { new_state: new.into(), ..Default::default() })
    }

    async fn read_data_source(
        &self,
        _: &Call,
        request: ReadDataSourceRequest,
    ) -> Result<ReadDataSourceResponse, CallError> {
        self.note("read data source");
        Ok(ReadDataSourceResponse { state: request.config, ..Default::default() })
    }

    async fn invoke_action(&self, _: &Call, _: InvokeActionRequest) -> Result<InvokeActionResponse, CallError> {
        self.note("invoke");
        let events = [InvokeActionEvent::Progress("counting".into()), InvokeActionEvent::Completed(Diagnostics::new())];
        Ok(InvokeActionResponse { events: Box::pin(futures::stream::iter(events)) })
    }
}

/// What an engine needs that has these integrations.
pub fn engine_options(fakes: &[&Fake], folder: &tempfile::TempDir) -> EngineOptions {
    EngineOptions {
        configuration: Configuration {
            integrations: fakes.iter().map(|fake| Arc::new(fake.integration.clone())).collect(),
            report: Some(folder.path().join("report")),
        },
        launcher: Arc::new(TestLauncher),
        limits: Limits { grace: std::time::Duration::from_millis(300), ..Limits::default() },
        version: "0.1.0".into(),
        run: RunFolder::at(folder.path().join("run"), "run-1").unwrap(),
    }
}

/// A host with a provider about which integrations are asked.
pub struct Bed {
    pub store: Arc<Store>,
    pub hooks: Arc<Hooks>,
    pub provider: denobridge_core::provider::Layered<Integrated>,
    pub folder: Arc<tempfile::TempDir>,
}

impl Bed {
    pub fn new(fakes: &[&Fake]) -> Self {
        Self::of(fakes, Store::default(), Arc::new(tempfile::tempdir().unwrap()))
    }

    /// A process of the run of that folder.
    pub fn of(fakes: &[&Fake], store: Store, folder: Arc<tempfile::TempDir>) -> Self {
        Self::for_host(fakes, store, folder, HostKind::Terraform)
    }

    pub fn for_host(fakes: &[&Fake], store: Store, folder: Arc<tempfile::TempDir>, kind: HostKind) -> Self {
        let engine = Engine::new(engine_options(fakes, &folder));
        Self::with(engine, ADDRESS, store, folder, kind)
    }

    /// The provider of this address with an engine that there is already.
    pub fn with(
        engine: Arc<Engine>,
        address: &str,
        store: Store,
        folder: Arc<tempfile::TempDir>,
        kind: HostKind,
    ) -> Self {
        let hooks = Arc::new(Hooks::new(
            engine,
            HooksOptions {
                provider: address.into(),
                alias_hint: None,
                kind,
                host: HostProcess::of_process(),
                directory: folder.path().to_owned(),
            },
        ));
        let store = Arc::new(store);
        let provider = denobridge_core::provider::Layered(Integrated::new(Arc::clone(&store) as _, Arc::clone(&hooks)));
        Self { store, hooks, provider, folder }
    }

    pub async fn configure(&self, applies: bool) -> Diagnostics {
        let client_capabilities = ClientCapabilities { deferral_allowed: applies, ..Default::default() };
        let request = ConfigureProviderRequest { client_capabilities, ..Default::default() };
        self.provider.configure_provider(&Call::new(), request).await.unwrap().diagnostics
    }

    pub async fn plan(&self, prior: Option<Value>, proposed: Option<Value>) -> PlanResourceChangeResponse {
        self.plan_in(&Call::new(), prior, proposed).await
    }

    /// A plan of a change of what there is, as part of a step of Pulumi's.
    pub async fn pulumi(&self, verb: &'static str, preview: bool, proposed: Value) {
        self.plan_in(&pulumi_call(verb, preview), Some(made("a")), Some(proposed)).await;
    }

    pub async fn plan_in(
        &self,
        call: &Call,
        prior: Option<Value>,
        proposed: Option<Value>,
    ) -> PlanResourceChangeResponse {
        let proposed = or_null(proposed);
        let request = PlanResourceChangeRequest {
            type_name: "store_thing".into(),
            prior_state: or_null(prior),
            config: proposed.clone(),
            proposed_new_state: proposed,
            ..Default::default()
        };
        self.provider.plan_resource_change(call, request).await.unwrap()
    }

    pub async fn apply(&self, prior: Option<Value>, planned: Option<Value>) -> ApplyResourceChangeResponse {
        self.apply_in(&Call::new(), prior, planned).await
    }

    pub async fn apply_in(
        &self,
        call: &Call,
        prior: Option<Value>,
        planned: Option<Value>,
    ) -> ApplyResourceChangeResponse {
        let planned = or_null(planned);
        let request = ApplyResourceChangeRequest {
            type_name: "store_thing".into(),
            prior_state: or_null(prior),
            config: planned.clone(),
            planned_state: planned,
            ..Default::default()
        };
        self.provider.apply_resource_change(call, request).await.unwrap()
    }

    pub async fn read(&self, state: Value) -> ReadResourceResponse {
        let request =
            ReadResourceRequest { type_name: "store_thing".into(), current_state: state.into(), ..Default::default() };
        self.provider.read_resource(&Call::new(), request).await.unwrap()
    }

    pub async fn finish(&self) {
        self.hooks.finish().await;
        self.hooks.engine().shutdown(ShutdownReason::Complete).await;
    }

    pub fn report(&self) -> Vec<Json> {
        let text = std::fs::read_to_string(self.folder.path().join("report/run-1.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn or_null(value: Option<Value>) -> DynamicValue {
    value.unwrap_or_else(|| Value::null(ty())).into()
}

pub fn made(name: &str) -> Value {
    thing(Value::string("id-1"), name, "hall")
}

pub fn new(name: &str) -> Value {
    thing(Value::null(Type::String), name, "hall")
}

pub fn hard(on: Json) -> Fake {
    let mut fake = Fake::new(on);
    fake.integration.fail_mode = FailMode::Hard;
    fake
}

/// `SEVERITY summary | detail` of each.
pub fn told(diagnostics: &Diagnostics) -> Vec<String> {
    let word = |severity| if severity == Severity::Error { "error" } else { "warning" };
    diagnostics.iter().map(|one| format!("{} {} | {}", word(one.severity), one.summary, one.detail)).collect()
}

/// Hook, and action where there is one, of everything that was asked between the beginning and the end.
pub fn asked(fake: &Fake) -> Vec<String> {
    let events = fake.received().into_iter().filter(|line| line["params"].get("run").is_some());
    let events = events.filter(|line| line["method"] != "initialize");
    let event = |line: Json| match line["params"]["action"].as_str() {
        Some(action) => format!("{} {action}", line["method"].as_str().unwrap()),
        None => line["method"].as_str().unwrap().to_owned(),
    };
    events.map(event).collect()
}

pub fn pulumi_call(verb: &'static str, preview: bool) -> Call {
    pulumi_call_of("web", verb, preview)
}

pub fn pulumi_call_of(name: &str, verb: &'static str, preview: bool) -> Call {
    let urn = format!("urn:pulumi:dev::shop::store:index:Thing::{name}");
    let call = Call::new().with_subject(urn).with_preview(preview);
    call.with_extension(Arc::new(PulumiStep { verb }))
}
