//! The host against a provider made for each case: what it asks, what it accepts, what it keeps.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use denobridge_core::call::{Call, CallError};
use denobridge_core::cty::{Path, Type, Value};
use denobridge_core::diagnostics::{Diagnostic, Diagnostics};
use denobridge_core::planning::Action;
use denobridge_core::planning::rules::{Rule, Violation};
use denobridge_core::provider::*;
use denobridge_core::schema::{Attribute, Block, ProviderSchema, Schema};

use super::*;

mod apply;
mod kinds;
mod objects;
mod plan;
mod state;
mod twisted;

/// Changes the answer that a well-behaved provider would give.
type Twist<Request, Response> = Box<dyn Fn(&Request, Response) -> Response + Send + Sync>;

/// A provider of one resource, `fake_thing`, that behaves well unless a case puts something else in place.
struct Fake {
    plan: Twist<PlanResourceChangeRequest, PlanResourceChangeResponse>,
    apply: Twist<ApplyResourceChangeRequest, ApplyResourceChangeResponse>,
    read: Twist<ReadResourceRequest, ReadResourceResponse>,
    import: ImportResourceStateResponse,
    plan_destroy: bool,
    /// The requests in order, each with what tells it from others of its kind.
    asked: Arc<Mutex<Vec<String>>>,
}

impl Default for Fake {
    fn default() -> Self {
        Self {
            plan: Box::new(|_, response| response),
            apply: Box::new(|_, response| response),
            read: Box::new(|_, response| response),
            import: ImportResourceStateResponse::default(),
            plan_destroy: false,
            asked: Arc::default(),
        }
    }
}

fn schema() -> Schema {
    let attribute =
        |name: &str, optional, computed| Attribute { optional, computed, ..Attribute::new(name, Type::String) };
    let attributes = vec![
        attribute("name", true, false),
        attribute("id", false, true),
        Attribute { sensitive: true, ..attribute("pin", true, false) },
        Attribute { write_only: true, ..attribute("key", true, false) },
    ];
    Schema { version: 2, block: Block { attributes, ..Block::default() } }
}

fn thing(name: &str, id: Value) -> Value {
    let null = || Value::null(Type::String);
    Value::object([("name", Value::string(name)), ("id", id), ("pin", null()), ("key", null())])
}

fn config(name: &str) -> Value {
    thing(name, Value::null(Type::String))
}

fn state(name: &str, id: &str) -> ResourceState {
    ResourceState {
        value: thing(name, Value::string(id)),
        private: Bytes::from_static(b"p"),
        identity: None,
        tainted: false,
    }
}

fn decoded(value: &denobridge_core::DynamicValue) -> Value {
    value.decode(&schema().implied_type()).unwrap()
}

fn shown(value: &denobridge_core::DynamicValue) -> String {
    let value = decoded(value);
    if value.is_null() { "nothing".to_owned() } else { format!("{:?}", value.attribute("name").unwrap()) }
}

fn error(summary: &str) -> Diagnostics {
    Diagnostic::error(summary, "").into()
}

impl Fake {
    fn note(&self, text: String) {
        self.asked.lock().unwrap().push(text);
    }
}

#[async_trait]
impl Provider for Fake {
    async fn get_provider_schema(
        &self,
        _: &Call,
        _: GetProviderSchemaRequest,
    ) -> Result<GetProviderSchemaResponse, CallError> {
        let schema = ProviderSchema { resources: [("fake_thing".into(), schema())].into(), ..Default::default() };
        Ok(GetProviderSchemaResponse {
            schema: Arc::new(schema),
            server_capabilities: ServerCapabilities { plan_destroy: self.plan_destroy, ..Default::default() },
            diagnostics: Diagnostics::new(),
        })
    }

    async fn validate_resource_config(
        &self,
        _: &Call,
        request: ValidateResourceConfigRequest,
    ) -> Result<ValidateResourceConfigResponse, CallError> {
        self.note(format!("validate {}", shown(&request.config)));
        Ok(ValidateResourceConfigResponse::default())
    }

    async fn plan_resource_change(
        &self,
        _: &Call,
        request: PlanResourceChangeRequest,
    ) -> Result<PlanResourceChangeResponse, CallError> {
        self.note(format!("plan {} to {}", shown(&request.prior_state), shown(&request.config)));
        let proposed = decoded(&request.proposed_new_state);
        let planned = match proposed.attribute("id") {
            _ if proposed.is_null() => proposed,
            Some(id) if id.is_null() => proposed.with_attribute("id", Value::unknown(Type::String)),
            _ => proposed,
        };
        let planned = denobridge_core::planning::write_only_nulled(&schema().block, &planned);
        let response = PlanResourceChangeResponse {
            planned_state: planned.into(),
            planned_private: Bytes::from([&request.prior_private[..], b"+"].concat()),
            ..Default::default()
        };
        Ok((self.plan)(&request, response))
    }

    async fn apply_resource_change(
        &self,
        _: &Call,
        request: ApplyResourceChangeRequest,
    ) -> Result<ApplyResourceChangeResponse, CallError> {
        let private = String::from_utf8_lossy(&request.planned_private).into_owned();
        self.note(format!(
            "apply {} to {} with {private:?}",
            shown(&request.prior_state),
            shown(&request.planned_state)
        ));
        let planned = decoded(&request.planned_state);
        let new_state = match planned.attribute("id") {
            Some(id) if !id.is_known() => planned.with_attribute("id", Value::string("1")),
            _ => planned,
        };
        let response = ApplyResourceChangeResponse {
            new_state: new_state.into(),
            private: Bytes::from_static(b"stored"),
            ..Default::default()
        };
        Ok((self.apply)(&request, response))
    }

    async fn read_resource(&self, _: &Call, request: ReadResourceRequest) -> Result<ReadResourceResponse, CallError> {
        self.note(format!("read {}", shown(&request.current_state)));
        let response = ReadResourceResponse {
            new_state: request.current_state.clone(),
            private: request.private.clone(),
            ..Default::default()
        };
        Ok((self.read)(&request, response))
    }

    async fn import_resource_state(
        &self,
        _: &Call,
        request: ImportResourceStateRequest,
    ) -> Result<ImportResourceStateResponse, CallError> {
        self.note(format!("import {}", request.id));
        Ok(self.import.clone())
    }

    async fn upgrade_resource_state(
        &self,
        _: &Call,
        request: UpgradeResourceStateRequest,
    ) -> Result<UpgradeResourceStateResponse, CallError> {
        self.note(format!("upgrade from {}", request.version));
        let upgraded_state = denobridge_core::DynamicValue::Json(request.raw_state.json);
        Ok(UpgradeResourceStateResponse { upgraded_state, diagnostics: Diagnostics::new() })
    }
}

/// Runs a case with a host of a provider.
async fn with<T>(fake: Fake, case: impl AsyncFnOnce(ResourceHost<'_>) -> T) -> (T, Vec<String>) {
    let asked = Arc::clone(&fake.asked);
    let host = Host::start(Arc::new(fake), HostOptions::default()).await.unwrap();
    let result = case(host.resource("fake_thing", "x").unwrap()).await;
    let asked = asked.lock().unwrap().clone();
    (result, asked)
}

fn rules_of(report: &Report) -> Vec<Rule> {
    report.violations.iter().map(|violation| violation.rule).collect()
}

/// A provider that replaces whenever the name changes.
fn replacing() -> Fake {
    Fake {
        plan: Box::new(|_, response| PlanResourceChangeResponse {
            requires_replace: vec![Path::root().attribute("name")],
            ..response
        }),
        ..Fake::default()
    }
}
