//! A provider with one resource whose objects live in memory. What it does wrong on purpose is asked for by the name of
//! the thing.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use denobridge_core::cty::{Path, Type, Value, ValueKind, json};
use denobridge_core::planning::{same_value, write_only_nulled};
use denobridge_core::provider::*;
use denobridge_core::schema::{Attribute, Block, NestedBlock, Nesting, ProviderSchema, Schema};
use denobridge_core::{Call, CallError, Diagnostic, Diagnostics, DynamicValue, Provider};
use denobridge_pulumi::{Conventions, PackageError, PackageSource, Parameter, ServedPackage};
use denobridge_sdk_gen::{PackageOptions, generate};

pub const TOKEN: &str = "demo:index:Thing";

/// The provider and everything that exists.
#[derive(Default)]
pub struct Demo {
    pub things: Mutex<BTreeMap<String, Value>>,
    pub settings: Mutex<Option<Value>>,
    pub passwords: Mutex<Vec<String>>,
    pub privates: Mutex<Vec<Bytes>>,
    pub stops: Mutex<u32>,
    pub schema_version: i64,
}

fn attribute(name: &str, ty: Type, flags: &str) -> Attribute {
    let mut attribute = Attribute::new(name, ty);
    attribute.required = flags.contains('r');
    attribute.optional = flags.contains('o');
    attribute.computed = flags.contains('c');
    attribute.sensitive = flags.contains('s');
    attribute.write_only = flags.contains('w');
    attribute
}

pub fn thing() -> Block {
    Block {
        attributes: vec![
            attribute("id", Type::String, "c"),
            attribute("thing_name", Type::String, "r"),
            attribute("size", Type::Number, "oc"),
            attribute("tags", Type::map(Type::String), "o"),
            attribute("props", Type::Dynamic, "o"),
            attribute("state", Type::Dynamic, "c"),
            attribute("token", Type::String, "cs"),
            attribute("note", Type::String, "os"),
            attribute("password", Type::String, "ow"),
            attribute("password_version", Type::Number, "o"),
        ],
        blocks: vec![NestedBlock {
            name: "rule".into(),
            nesting: Nesting::List,
            block: Block {
                attributes: vec![attribute("port", Type::Number, "r"), attribute("host_name", Type::String, "o")],
                ..Block::default()
            },
            min_items: 0,
            max_items: 0,
        }],
        ..Block::default()
    }
}

fn provider_schema(version: i64) -> ProviderSchema {
    let settings = Block {
        attributes: vec![
            attribute("endpoint", Type::String, "r"),
            attribute("regions", Type::list(Type::String), "o"),
            attribute("api_key", Type::String, "os"),
        ],
        ..Block::default()
    };
    ProviderSchema {
        provider: Schema { version: 0, block: settings },
        resources: [("demo_thing".into(), Schema { version, block: thing() })].into(),
        ..ProviderSchema::default()
    }
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.attribute(name).and_then(Value::as_str).unwrap_or_default()
}

fn differs(left: &Value, right: &Value, name: &str) -> bool {
    !matches!((left.attribute(name), right.attribute(name)), (Some(left), Some(right)) if same_value(left, right))
}

impl Demo {
    fn ty() -> Type {
        thing().implied_type()
    }

    fn decode(value: &DynamicValue) -> Value {
        value.decode(&Self::ty()).expect("conforms")
    }

    /// What a script would answer: a list and a number that no double holds.
    fn state_of(planned: &Value) -> Value {
        let size = planned.attribute("size").cloned().unwrap_or_else(|| Value::null(Type::Number));
        let exact: denobridge_core::cty::Number = "9007199254740993".parse().expect("number");
        Value::object([
            ("list", Value::list(Type::String, [Value::string("a"), Value::string("b")])),
            ("exact", Value::number(exact)),
            ("size", size),
        ])
    }
}

#[async_trait]
impl Provider for Demo {
    async fn get_provider_schema(
        &self,
        _: &Call,
        _: GetProviderSchemaRequest,
    ) -> Result<GetProviderSchemaResponse, CallError> {
        Ok(GetProviderSchemaResponse {
            schema: Arc::new(provider_schema(self.schema_version)),
            server_capabilities: ServerCapabilities { plan_destroy: true, ..ServerCapabilities::default() },
            diagnostics: Diagnostics::new(),
        })
    }

    async fn validate_provider_config(
        &self,
        _: &Call,
        _: ValidateProviderConfigRequest,
    ) -> Result<ValidateProviderConfigResponse, CallError> {
        Ok(ValidateProviderConfigResponse::default())
    }

    async fn configure_provider(
        &self,
        _: &Call,
        request: ConfigureProviderRequest,
    ) -> Result<ConfigureProviderResponse, CallError> {
        let ty = provider_schema(0).provider.implied_type();
        let config = request.config.decode(&ty).expect("conforms");
        *self.settings.lock().expect("lock") = Some(config);
        Ok(ConfigureProviderResponse::default())
    }

    async fn stop_provider(&self, _: &Call, _: StopProviderRequest) -> Result<StopProviderResponse, CallError> {
        *self.stops.lock().expect("lock") += 1;
        Ok(StopProviderResponse::default())
    }

    async fn validate_resource_config(
        &self,
        call: &Call,
        request: ValidateResourceConfigRequest,
    ) -> Result<ValidateResourceConfigResponse, CallError> {
        let config = Self::decode(&request.config);
        let mut diagnostics = Diagnostics::new();
        if text(&config, "thing_name") == "bad" {
            let path = Path::root().attribute("rule").index(0).attribute("host_name");
            diagnostics.push(Diagnostic::error("Bad host", "it is bad").at(path));
            diagnostics.push(Diagnostic::error("Bad thing", "all of it"));
        }
        if text(&config, "thing_name") == "old" {
            let path = Path::root().attribute("thing_name");
            diagnostics.push(Diagnostic::warning("Old name", "choose another").at(path));
        }
        call.log(denobridge_core::call::LogLevel::Debug, "demo", "validated");
        Ok(ValidateResourceConfigResponse { diagnostics })
    }

    async fn upgrade_resource_state(
        &self,
        _: &Call,
        request: UpgradeResourceStateRequest,
    ) -> Result<UpgradeResourceStateResponse, CallError> {
        let mut raw: serde_json::Value = serde_json::from_slice(&request.raw_state.json).expect("JSON");
        if request.version < self.schema_version {
            // Version 0 called it `label`.
            let object = raw.as_object_mut().expect("object");
            if let Some(label) = object.remove("old_label") {
                object.insert("thing_name".to_owned(), label);
            }
        }
        let upgraded = json::from_json(&raw, &Self::ty()).expect("conforms");
        Ok(UpgradeResourceStateResponse { upgraded_state: upgraded.into(), diagnostics: Diagnostics::new() })
    }

    async fn plan_resource_change(
        &self,
        _: &Call,
        request: PlanResourceChangeRequest,
    ) -> Result<PlanResourceChangeResponse, CallError> {
        let prior = Self::decode(&request.prior_state);
        let mut planned = Self::decode(&request.proposed_new_state);
        if planned.is_null() {
            let planned_private = Bytes::from_static(b"destroy");
            return Ok(PlanResourceChangeResponse {
                planned_state: planned.into(),
                planned_private,
                ..PlanResourceChangeResponse::default()
            });
        }
        planned = write_only_nulled(&thing(), &planned);
        if text(&planned, "thing_name") == "panic" {
            panic!("on purpose");
        }
        if planned.attribute("size").is_some_and(Value::is_null) {
            planned = planned.with_attribute("size", Value::number(1));
        }
        let mut requires_replace = Vec::new();
        if prior.is_null() {
            for name in ["id", "token"] {
                planned = planned.with_attribute(name, Value::unknown(Type::String));
            }
            planned = planned.with_attribute("state", Value::unknown(Type::Dynamic));
        } else if !same_value(&prior, &planned) {
            planned = planned.with_attribute("state", Value::unknown(Type::Dynamic));
            if differs(&prior, &planned, "thing_name") {
                requires_replace.push(Path::root().attribute("thing_name"));
            }
        }
        if text(&planned, "thing_name") == "misplanned" {
            planned = planned.with_attribute("tags", Value::map(Type::String, [("added", Value::string("x"))]));
        }
        Ok(PlanResourceChangeResponse {
            planned_state: planned.into(),
            requires_replace,
            planned_private: request.prior_private,
            ..PlanResourceChangeResponse::default()
        })
    }

    async fn apply_resource_change(
        &self,
        call: &Call,
        request: ApplyResourceChangeRequest,
    ) -> Result<ApplyResourceChangeResponse, CallError> {
        self.privates.lock().expect("lock").push(request.planned_private.clone());
        let planned = Self::decode(&request.planned_state);
        let prior = Self::decode(&request.prior_state);
        if planned.is_null() {
            self.things.lock().expect("lock").remove(text(&prior, "id"));
            return Ok(ApplyResourceChangeResponse { new_state: planned.into(), ..Default::default() });
        }
        let config = Self::decode(&request.config);
        self.passwords.lock().expect("lock").push(text(&config, "password").to_owned());
        let name = text(&planned, "thing_name").to_owned();
        let mut actual = planned.clone().without_marks_deep();
        if prior.is_null() {
            actual = actual.with_attribute("id", Value::string(format!("id-{name}")));
            let token = if name == "plain" { Value::null(Type::String) } else { Value::string("t0ken") };
            actual = actual.with_attribute("token", token);
        }
        if !actual.attribute("state").is_some_and(Value::is_wholly_known) {
            let state = Self::state_of(&actual);
            actual = actual.with_attribute("state", state);
        }
        let mut diagnostics = Diagnostics::new();
        match name.as_str() {
            "partial" => diagnostics.push(Diagnostic::error("Half done", "the other half is missing")),
            "refused" => {
                let error = Diagnostic::error("Refused", "").at(Path::root().attribute("thing_name"));
                return Ok(ApplyResourceChangeResponse {
                    new_state: prior.into(),
                    diagnostics: error.into(),
                    ..Default::default()
                });
            }
            "deep" => {
                let deep = (0..61).fold(Value::bool(true), |inner, _| Value::object([("a", inner)]));
                actual = actual.with_attribute("state", deep);
            }
            "liar" => actual = actual.with_attribute("size", Value::number(77)),
            "slow" => {
                tokio::select! {
                    () = call.cancellation().cancelled() => {}
                    () = tokio::time::sleep(Duration::from_secs(60)) => {}
                }
                diagnostics.push(Diagnostic::error("Interrupted", "stopped half-way"));
            }
            "stuck" => tokio::time::sleep(Duration::from_secs(60)).await,
            _ => {}
        }
        call.progress_sink().progress("almost there");
        self.things.lock().expect("lock").insert(text(&actual, "id").to_owned(), actual.clone());
        Ok(ApplyResourceChangeResponse {
            new_state: actual.into(),
            private: Bytes::from_static(b"kept"),
            diagnostics,
            ..ApplyResourceChangeResponse::default()
        })
    }

    async fn read_resource(&self, _: &Call, request: ReadResourceRequest) -> Result<ReadResourceResponse, CallError> {
        let current = Self::decode(&request.current_state);
        let found = self.things.lock().expect("lock").get(text(&current, "id")).cloned();
        let new_state = found.unwrap_or_else(|| Value::null(Self::ty()));
        Ok(ReadResourceResponse { new_state: new_state.into(), private: request.private, ..Default::default() })
    }

    async fn import_resource_state(
        &self,
        _: &Call,
        request: ImportResourceStateRequest,
    ) -> Result<ImportResourceStateResponse, CallError> {
        let nothing = thing().attributes.into_iter().map(|attribute| {
            let ty = attribute.implied_type();
            (attribute.name, Value::null(ty))
        });
        let rules = Value::list(thing().blocks[0].block.implied_type(), []);
        let state = Value::object(nothing.chain([("rule".into(), rules)]));
        let state = state.with_attribute("id", Value::string(&request.id));
        let imported = ImportedResource { type_name: request.type_name, state: state.into(), ..Default::default() };
        Ok(ImportResourceStateResponse { imported_resources: vec![imported], ..Default::default() })
    }
}

/// Where the demo package comes from.
pub struct Source {
    pub demo: Arc<Demo>,
    /// Everything at the seam is encoded and decoded again, as on a wire: no marks, no typed nulls come through.
    pub reencoded: bool,
}

#[async_trait]
impl PackageSource for Source {
    async fn resolve(&self, _: &Call, parameter: Parameter) -> Result<ServedPackage, PackageError> {
        let name = match parameter {
            Parameter::None => "demo".to_owned(),
            Parameter::Arguments(arguments) => match arguments.as_slice() {
                [name] => name.clone(),
                _ => return Err(PackageError::InvalidParameter("name one package".to_owned())),
            },
            Parameter::Value { value, .. } => String::from_utf8_lossy(&value).into_owned(),
        };
        let schema = provider_schema(self.demo.schema_version);
        let options = PackageOptions {
            name: name.clone(),
            version: "1.2.3".to_owned(),
            type_prefix: Some("demo".to_owned()),
            ..PackageOptions::default()
        };
        let package = generate(&schema, &options).map_err(|error| PackageError::Unavailable(error.to_string()))?;
        let provider: Arc<dyn Provider> = if self.reencoded {
            Arc::new(Layered(reencode::Reencode::new(Arc::clone(&self.demo) as _)))
        } else {
            Arc::clone(&self.demo) as _
        };
        let (version, conventions) = ("1.2.3".to_owned(), Conventions::Own);
        Ok(ServedPackage { provider, package, name, version, conventions, takes_over: Vec::new() })
    }
}

/// The size of a thing, as it is "in the cloud".
pub fn set_size(demo: &Demo, id: &str, size: i64) {
    let mut things = demo.things.lock().expect("lock");
    let thing = things.get_mut(id).expect("exists");
    *thing = thing.clone().with_attribute("size", Value::number(size));
    assert!(matches!(thing.kind(), ValueKind::Object(_)));
}
