//! A foreign provider of the older kind, as a process of its own would be: nothing but the wire form gets through, and it
//! cares for nothing but its protocol. What it is asked is noted down; what it does wrong is asked for by a `note`.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use denobridge_core::call::LogLevel;
use denobridge_core::cty::{Path, Type, Value, ValueKind, json};
use denobridge_core::planning::{computed_unknown, same_value, unknowns_as_null, write_only_nulled};
use denobridge_core::provider::*;
use denobridge_core::{Call, CallError, Diagnostic, Diagnostics, DynamicValue, Provider};
use denobridge_pulumi::{Conventions, PackageError, PackageSource, Parameter, ServedPackage};
use denobridge_sdk_gen::{BridgedOptions, generate_bridged};
use futures::StreamExt as _;
use serde_json::Value as Json;

use crate::bridged_identities::{self as identities, Identities};
use crate::bridged_schema::schema;

/// The provider, and what it was asked.
#[derive(Default)]
pub struct Acme {
    pub asked: Mutex<Vec<Asked>>,
    /// What a read finds; without it, what the state says.
    pub found: Mutex<Option<Value>>,
    pub identities: Identities,
}

/// One request.
#[derive(Clone, Debug)]
pub struct Asked {
    pub procedure: &'static str,
    pub prior: Json,
    pub config: Json,
    pub planned: Json,
    pub private: Bytes,
}

impl Acme {
    fn note(&self, procedure: &'static str, values: [(&DynamicValue, &Type); 3], private: &Bytes) -> [Value; 3] {
        let [prior, config, planned] = values.map(|(value, ty)| {
            assert!(!matches!(value, DynamicValue::Value(_)), "nothing but the wire form crosses to another process");
            if matches!(value, DynamicValue::Absent) {
                Value::null(ty.clone())
            } else {
                value.decode(ty).expect("conforms")
            }
        });
        let show = |value: &Value| shown(value);
        let asked = Asked {
            procedure,
            prior: show(&prior),
            config: show(&config),
            planned: show(&planned),
            private: private.clone(),
        };
        self.asked.lock().expect("lock").push(asked);
        [prior, config, planned]
    }

    /// The latest request of that kind.
    pub fn last(&self, procedure: &str) -> Asked {
        let asked = self.asked.lock().expect("lock");
        asked.iter().rev().find(|asked| asked.procedure == procedure).expect("was asked").clone()
    }

    pub fn count(&self, procedure: &str) -> usize {
        self.asked.lock().expect("lock").iter().filter(|asked| asked.procedure == procedure).count()
    }
}

/// A value as JSON, with what is not known as a text.
pub fn shown(value: &Value) -> Json {
    match value.kind() {
        ValueKind::Unknown(..) => "(unknown)".into(),
        ValueKind::Object(entries) | ValueKind::Map(_, entries) => {
            Json::Object(entries.iter().map(|(name, value)| (name.to_string(), shown(value))).collect())
        }
        ValueKind::List(..) | ValueKind::Set(..) | ValueKind::Tuple(_) => value.children().map(shown).collect(),
        _ => json::to_json(value, &value.ty()).expect("JSON"),
    }
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.attribute(name).and_then(Value::as_str).unwrap_or_default()
}

fn resource_type(name: &str) -> Type {
    schema().resources[name].implied_type()
}

fn about(value: &Value, diagnostics: &mut Diagnostics) {
    let quoted = format!("the API was called with {:?}", text(value, "password"));
    match text(value, "note") {
        "warn" => diagnostics.push(Diagnostic::warning("Odd value", quoted)),
        "fail" => diagnostics.push(Diagnostic::error("Request failed", quoted)),
        "twice" => diagnostics.extend([Diagnostic::error("Same", "again"), Diagnostic::error("Same", "again")]),
        _ => {}
    }
}

#[async_trait]
impl Provider for Acme {
    async fn get_provider_schema(
        &self,
        _: &Call,
        _: GetProviderSchemaRequest,
    ) -> Result<GetProviderSchemaResponse, CallError> {
        Ok(GetProviderSchemaResponse {
            schema: Arc::new(schema()),
            server_capabilities: ServerCapabilities { plan_destroy: true, ..ServerCapabilities::default() },
            diagnostics: Diagnostics::new(),
        })
    }

    async fn validate_provider_config(
        &self,
        _: &Call,
        request: ValidateProviderConfigRequest,
    ) -> Result<ValidateProviderConfigResponse, CallError> {
        let ty = schema().provider.implied_type();
        let none = DynamicValue::Absent;
        let [_, config, _] =
            self.note("validate_provider", [(&none, &ty), (&request.config, &ty), (&none, &ty)], &Bytes::new());
        let mut diagnostics = Diagnostics::new();
        if text(&config, "end_point") == "bad" {
            let error = Diagnostic::error("Bad endpoint", "\"end_point\" must be an address");
            diagnostics.push(error.at(Path::root().attribute("end_point")));
        }
        Ok(ValidateProviderConfigResponse { diagnostics })
    }

    async fn configure_provider(
        &self,
        _: &Call,
        request: ConfigureProviderRequest,
    ) -> Result<ConfigureProviderResponse, CallError> {
        let ty = schema().provider.implied_type();
        let none = DynamicValue::Absent;
        self.note("configure", [(&none, &ty), (&request.config, &ty), (&none, &ty)], &Bytes::new());
        Ok(ConfigureProviderResponse::default())
    }

    async fn validate_resource_config(
        &self,
        _: &Call,
        request: ValidateResourceConfigRequest,
    ) -> Result<ValidateResourceConfigResponse, CallError> {
        let ty = resource_type(&request.type_name);
        let none = DynamicValue::Absent;
        let [_, config, _] = self.note("validate", [(&none, &ty), (&request.config, &ty), (&none, &ty)], &Bytes::new());
        let mut diagnostics = Diagnostics::new();
        if !text(&config, "name").is_empty() && !text(&config, "name_prefix").is_empty() {
            let error =
                Diagnostic::error("Conflicting configuration arguments", "\"name\": conflicts with name_prefix");
            diagnostics.push(error.at(Path::root().attribute("name")));
        }
        if text(&config, "note") == "invalid" {
            about(&config.clone().with_attribute("note", Value::string("fail")), &mut diagnostics);
            diagnostics.push(Diagnostic::error("Wrong", "\"name_prefix\" is wrong, `disk.0.size_gb` too"));
        }
        Ok(ValidateResourceConfigResponse { diagnostics })
    }

    async fn plan_resource_change(
        &self,
        _: &Call,
        request: PlanResourceChangeRequest,
    ) -> Result<PlanResourceChangeResponse, CallError> {
        let ty = resource_type(&request.type_name);
        let values = [(&request.prior_state, &ty), (&request.config, &ty), (&request.proposed_new_state, &ty)];
        let [prior, config, proposed] = self.note("plan", values, &request.prior_private);
        let block = &schema().resources[&request.type_name].block;
        let mut diagnostics = Diagnostics::new();
        about(&config, &mut diagnostics);
        let mut planned = write_only_nulled(block, &computed_unknown(block, &proposed));
        let mut requires_replace = Vec::new();
        let changes = !prior.is_null() && !proposed.is_null();
        for attribute in block.attributes.iter().filter(|_| changes) {
            let name = &attribute.name;
            let (before, after) = (prior.attribute(name).expect("there"), planned.attribute(name).expect("there"));
            // As the older SDK does, which has no nulls in its state.
            let zero = |value: &Value| matches!(value.as_str(), Some("")) || matches!(value.as_bool(), Some(false));
            if after.is_null() && zero(before) {
                planned = planned.clone().with_attribute(Arc::clone(name), before.clone());
            } else if !same_value(before, after) && ["name", "key"].contains(&&**name) {
                requires_replace.push(Path::root().attribute(Arc::clone(name)));
            }
        }
        let planned_identity = self.identities.planned(request.prior_identity, &request.type_name, &proposed);
        Ok(PlanResourceChangeResponse {
            planned_state: planned.into(),
            planned_identity,
            requires_replace,
            planned_private: if proposed.is_null() { Bytes::from_static(b"going") } else { request.prior_private },
            diagnostics,
            legacy_type_system: true,
            ..PlanResourceChangeResponse::default()
        })
    }

    async fn apply_resource_change(
        &self,
        call: &Call,
        request: ApplyResourceChangeRequest,
    ) -> Result<ApplyResourceChangeResponse, CallError> {
        let ty = resource_type(&request.type_name);
        let values = [(&request.prior_state, &ty), (&request.config, &ty), (&request.planned_state, &ty)];
        // A provider on the first SDK dies of what is absent rather than null.
        for value in [&request.prior_state, &request.config, &request.planned_state] {
            assert!(matches!(value, DynamicValue::MessagePack(_)), "{value:?}");
        }
        let [_, config, planned] = self.note("apply", values, &request.planned_private);
        self.identities.note("apply", request.planned_identity);
        if planned.is_null() {
            return Ok(ApplyResourceChangeResponse { new_state: planned.into(), ..Default::default() });
        }
        let mut state = planned;
        let computed =
            [("id", Value::string("i-1")), ("token", Value::string("generated-token")), ("serial", Value::number(7))];
        for (name, value) in computed {
            if state.attribute(name).is_some_and(|value| !value.is_known()) {
                // The id of a record is a number.
                let fits = state.attribute(name).is_some_and(|unknown| unknown.ty() == value.ty());
                state = state.with_attribute(name, if fits { value } else { Value::number(42) });
            }
        }
        let mut diagnostics = Diagnostics::new();
        if text(&config, "note") == "partial" {
            let said = format!("{} and {} do not work", text(&config, "password"), text(&state, "token"));
            diagnostics.push(Diagnostic::error("Half done", said));
        }
        call.log(LogLevel::Warn, "acme", &format!("sent {}", text(&config, "password")));
        call.progress_sink().progress(&format!("sending {}", text(&config, "password")));
        let new_identity = identities::of_object(&request.type_name, &state);
        Ok(ApplyResourceChangeResponse {
            new_state: unknowns_as_null(&state).into(),
            new_identity,
            private: Bytes::from_static(b"kept"),
            diagnostics,
            legacy_type_system: true,
        })
    }

    async fn read_resource(&self, _: &Call, request: ReadResourceRequest) -> Result<ReadResourceResponse, CallError> {
        let ty = resource_type(&request.type_name);
        let none = DynamicValue::Absent;
        let [prior, ..] =
            self.note("read", [(&request.current_state, &ty), (&none, &ty), (&none, &ty)], &request.private);
        let found = self.found.lock().expect("lock").clone().unwrap_or(prior);
        let new_identity = self.identities.note("read", request.current_identity);
        Ok(ReadResourceResponse {
            new_state: found.into(),
            private: request.private,
            new_identity,
            ..Default::default()
        })
    }

    async fn import_resource_state(
        &self,
        _: &Call,
        request: ImportResourceStateRequest,
    ) -> Result<ImportResourceStateResponse, CallError> {
        let schema = schema();
        let ty = resource_type(&request.type_name);
        let identity = request.identity.map(|identity| {
            let ty = schema.identities[&request.type_name].implied_type();
            let identity = identity.decode(&ty).expect("conforms");
            self.note(
                "identity",
                [
                    (
                        &DynamicValue::MessagePack(
                            DynamicValue::from(identity.clone()).to_msgpack(&ty).expect("encodes"),
                        ),
                        &ty,
                    ),
                    (&DynamicValue::Absent, &ty),
                    (&DynamicValue::Absent, &ty),
                ],
                &Bytes::new(),
            );
            DynamicValue::from(identity)
        });
        let found = self.found.lock().expect("lock").clone();
        let state = found.filter(|_| request.id != "gone").unwrap_or_else(|| Value::null(ty));
        let imported =
            ImportedResource { type_name: request.type_name, state: state.into(), identity, ..Default::default() };
        Ok(ImportResourceStateResponse { imported_resources: vec![imported], ..Default::default() })
    }

    async fn upgrade_resource_identity(
        &self,
        _: &Call,
        request: UpgradeResourceIdentityRequest,
    ) -> Result<UpgradeResourceIdentityResponse, CallError> {
        Ok(identities::upgraded(&request))
    }

    async fn validate_data_resource_config(
        &self,
        _: &Call,
        _: ValidateDataResourceConfigRequest,
    ) -> Result<ValidateDataResourceConfigResponse, CallError> {
        let warning = Diagnostic::warning("Deprecated", "use another").at(Path::root().attribute("zone_name"));
        Ok(ValidateDataResourceConfigResponse { diagnostics: warning.into() })
    }

    async fn read_data_source(
        &self,
        _: &Call,
        request: ReadDataSourceRequest,
    ) -> Result<ReadDataSourceResponse, CallError> {
        let ty = schema().data_sources["acme_zone"].implied_type();
        let config = request.config.decode(&ty).expect("conforms");
        let records = Value::list(Type::String, ["a", "b"].map(Value::string));
        let state = config.with_attribute("record", records).with_attribute("api_key", Value::string("canary"));
        Ok(ReadDataSourceResponse { state: state.into(), ..Default::default() })
    }

    async fn validate_ephemeral_resource_config(
        &self,
        _: &Call,
        _: ValidateEphemeralResourceConfigRequest,
    ) -> Result<ValidateEphemeralResourceConfigResponse, CallError> {
        Ok(ValidateEphemeralResourceConfigResponse::default())
    }

    async fn open_ephemeral_resource(
        &self,
        _: &Call,
        request: OpenEphemeralResourceRequest,
    ) -> Result<OpenEphemeralResourceResponse, CallError> {
        let config =
            request.config.decode(&schema().ephemeral_resources["acme_login"].implied_type()).expect("conforms");
        let result = config.with_attribute("pass_phrase", Value::string("canary"));
        Ok(OpenEphemeralResourceResponse { result: result.into(), ..Default::default() })
    }

    async fn validate_action_config(
        &self,
        _: &Call,
        _: ValidateActionConfigRequest,
    ) -> Result<ValidateActionConfigResponse, CallError> {
        Ok(ValidateActionConfigResponse::default())
    }

    async fn plan_action(&self, _: &Call, _: PlanActionRequest) -> Result<PlanActionResponse, CallError> {
        Ok(PlanActionResponse::default())
    }

    async fn invoke_action(&self, _: &Call, _: InvokeActionRequest) -> Result<InvokeActionResponse, CallError> {
        let events = [
            InvokeActionEvent::Progress("going down".to_owned()),
            InvokeActionEvent::Completed(Diagnostic::warning("Slow", "it took long").into()),
        ];
        Ok(InvokeActionResponse { events: futures::stream::iter(events).boxed() })
    }

    async fn validate_list_resource_config(
        &self,
        _: &Call,
        _: ValidateListResourceConfigRequest,
    ) -> Result<ValidateListResourceConfigResponse, CallError> {
        Ok(ValidateListResourceConfigResponse::default())
    }

    async fn list_resource(&self, _: &Call, request: ListResourceRequest) -> Result<ListResourceResponse, CallError> {
        let events = (1..=request.limit.min(9)).map(|number| {
            let identity = identities::identity(Value::string("k"));
            let object = Value::object([("id", Value::number(number)), ("key", Value::string("k"))]);
            ListResourceEvent {
                display_name: format!("record {number}"),
                identity,
                resource_object: request.include_resource_object.then(|| object.into()),
                ..ListResourceEvent::default()
            }
        });
        Ok(ListResourceResponse { events: futures::stream::iter(events.collect::<Vec<_>>()).boxed() })
    }

    async fn call_function(&self, _: &Call, request: CallFunctionRequest) -> Result<CallFunctionResponse, CallError> {
        let arguments: Vec<Value> = request
            .arguments
            .iter()
            .map(|argument| argument.decode(&Type::Dynamic).or_else(|_| argument.decode(&Type::String)).expect("reads"))
            .collect();
        if let Some(position) = arguments.iter().position(|argument| argument.as_str() == Some("wrong")) {
            let error = FunctionError { text: "\"wrong\" is wrong".to_owned(), argument: i64::try_from(position).ok() };
            return Ok(CallFunctionResponse { error: Some(error), ..Default::default() });
        }
        let joined = arguments.iter().map(|argument| argument.as_str().unwrap_or("?").to_owned()).collect::<Vec<_>>();
        Ok(CallFunctionResponse { result: Value::string(joined.join("/")).into(), error: None })
    }
}

/// Where the package comes from.
pub struct Bridged(pub Arc<Acme>);

#[async_trait]
impl PackageSource for Bridged {
    async fn resolve(&self, _: &Call, _: Parameter) -> Result<ServedPackage, PackageError> {
        let package = generate_bridged(&schema(), &BridgedOptions::new("acme", "1.2.3"));
        let package = package.map_err(|error| PackageError::Unavailable(error.to_string()))?;
        let provider: Arc<dyn Provider> = Arc::new(Layered(reencode::Reencode::new(Arc::clone(&self.0) as _)));
        let (name, version) = ("acme".to_owned(), "1.2.3".to_owned());
        let (conventions, takes_over) = (Conventions::GoBridge, Vec::new());
        Ok(ServedPackage { provider, package, name, version, conventions, takes_over })
    }
}
