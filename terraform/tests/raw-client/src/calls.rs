//! Every procedure of protocol 6.11, called in an order in which a host calls them.

use std::collections::BTreeMap;

use bytes::Bytes;
use denobridge_core::DynamicValue;
use denobridge_core::cty::{Type, Value, json};
use denobridge_terraform::proto::tfplugin6 as pb;
use futures::{TryStreamExt as _, stream};
use pb::invoke_action::event::Type as Event;
use serde_json::Value as Json;
use tonic::Status;

use crate::schema::{identity_type_of, type_of};
use crate::{Client, Plugin};

/// What to ask a provider about. Of a kind that is left out, its procedures are called with empty requests. Values are in
/// Terraform's JSON form; attributes that are left out are null.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The provider's configuration.
    pub provider: Json,
    /// A resource type, and a configuration of it.
    pub resource: Option<(&'static str, Json)>,
    /// What an object of that type is imported by.
    pub import_id: &'static str,
    /// A type whose objects the resource takes over, and the state of one.
    pub moved: Option<(&'static str, Json)>,
    /// A data source, and a configuration of it.
    pub data_source: Option<(&'static str, Json)>,
    /// An ephemeral resource, and a configuration of it.
    pub ephemeral_resource: Option<(&'static str, Json)>,
    /// An action, and a configuration of it.
    pub action: Option<(&'static str, Json)>,
    /// A list resource, and a configuration of it.
    pub list_resource: Option<(&'static str, Json)>,
    /// A state store, and a configuration of it.
    pub state_store: Option<(&'static str, Json)>,
    /// A function, and its arguments.
    pub function: Option<(&'static str, Vec<Value>)>,
}

/// What came of one call.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The answer, as a debugger shows it; of a stream all of its messages.
    pub text: String,
    /// What a person reads of it: diagnostics, progress, a function's error.
    pub said: Vec<String>,
    /// Whether any of that is an error.
    pub failed: bool,
}

/// The answers by the protocol's name of the procedure. Of a procedure that is called more than once, the last.
pub type Answers = BTreeMap<&'static str, Result<Answer, Status>>;

impl Answer {
    fn of<R: std::fmt::Debug>(response: &R, diagnostics: &[pb::Diagnostic]) -> Self {
        let said = diagnostics.iter().map(|said| format!("{}: {}", said.summary, said.detail)).collect();
        let failed = diagnostics.iter().any(|said| said.severity() == pb::diagnostic::Severity::Error);
        Self { text: format!("{response:?}"), said, failed }
    }
}

/// Calls every procedure; what is made on the way is deleted again.
pub async fn every_procedure(plugin: &Plugin, script: &Script) -> Answers {
    let mut walk = Walk {
        client: plugin.provider().await,
        schema: Default::default(),
        identities: Default::default(),
        answers: Answers::new(),
    };
    walk.provider(script).await;
    walk.resource(script).await;
    walk.data_and_functions(script).await;
    walk.ephemeral_resource(script).await;
    walk.action(script).await;
    walk.list_resource(script).await;
    walk.state_store(script).await;
    walk.stop().await;
    walk.answers
}

struct Walk {
    client: Client,
    schema: pb::get_provider_schema::Response,
    identities: pb::get_resource_identity_schemas::Response,
    answers: Answers,
}

/// Makes a call that is answered once, notes the answer and gives it back.
macro_rules! ask {
    ($walk:ident, $name:literal, $procedure:ident $request:tt) => {{
        let request = pb::$procedure::Request $request;
        match $walk.client.$procedure(request).await {
            Ok(response) => {
                let response = response.into_inner();
                $walk.answers.insert($name, Ok(Answer::of(&response, &response.diagnostics)));
                response
            }
            Err(status) => {
                $walk.answers.insert($name, Err(status));
                Default::default()
            }
        }
    }};
}

/// A component's name and a configuration of it, of its schema's type; an empty name and nothing where the kind is left out.
fn configured(
    schemas: &BTreeMap<String, pb::Schema>,
    given: &Option<(&'static str, Json)>,
) -> (String, Type, Option<pb::DynamicValue>) {
    let Some((name, config)) = given else { return (String::new(), Type::Dynamic, None) };
    let schema = schemas.get(*name).unwrap_or_else(|| panic!("the provider has no {name}"));
    let ty = type_of(schema);
    let config = encoded(config, &ty);
    ((*name).to_owned(), ty, config)
}

/// The value with all its attributes, in the form in which Terraform sends values.
fn encoded(value: &Json, ty: &Type) -> Option<pb::DynamicValue> {
    let value = json::from_json(&complete(value, ty), ty).unwrap();
    let msgpack = DynamicValue::from(value).to_msgpack(ty).unwrap();
    Some(pb::DynamicValue { msgpack, json: Bytes::new() })
}

/// The object with null for what is left out, and no blocks where there are none.
fn complete(value: &Json, ty: &Type) -> Json {
    match (value, ty) {
        (Json::Object(given), Type::Object(object)) => {
            let attribute = |(name, ty): (&std::sync::Arc<str>, &Type)| {
                (name.to_string(), complete(given.get(&**name).unwrap_or(&Json::Null), ty))
            };
            Json::Object(object.attributes.iter().map(attribute).collect())
        }
        (Json::Array(items), Type::List(element) | Type::Set(element)) => {
            Json::Array(items.iter().map(|item| complete(item, element)).collect())
        }
        (value, _) => value.clone(),
    }
}

fn null(ty: &Type) -> Option<pb::DynamicValue> {
    crate::wire(&Value::null(ty.clone()))
}

/// A state as it is stored.
fn stored(state: &Option<pb::DynamicValue>, ty: &Type) -> Option<pb::RawState> {
    let value = DynamicValue::MessagePack(state.as_ref()?.msgpack.clone()).decode(ty).unwrap();
    let json = json::to_json(&value, ty).unwrap().to_string();
    Some(pb::RawState { json: json.into(), ..Default::default() })
}

impl Walk {
    async fn provider(&mut self, script: &Script) {
        self.schema = ask!(self, "GetProviderSchema", get_provider_schema {});
        self.identities = ask!(self, "GetResourceIdentitySchemas", get_resource_identity_schemas {});
        ask!(self, "GetMetadata", get_metadata {});
        ask!(self, "GetFunctions", get_functions {});
        let ty = self.schema.provider.as_ref().map_or(Type::Dynamic, type_of);
        let config = encoded(&script.provider, &ty);
        ask!(self, "ValidateProviderConfig", validate_provider_config { config: config.clone() });
        let terraform_version = "1.14.0".to_owned();
        ask!(self, "ConfigureProvider", configure_provider { terraform_version, config, client_capabilities: None });
    }

    async fn resource(&mut self, script: &Script) {
        let (type_name, ty, config) = configured(&self.schema.resource_schemas, &script.resource);
        let name = || type_name.clone();
        ask!(
            self,
            "ValidateResourceConfig",
            validate_resource_config { type_name: name(), config: config.clone(), client_capabilities: None }
        );
        let planned = ask!(
            self,
            "PlanResourceChange",
            plan_resource_change {
                type_name: name(),
                prior_state: null(&ty),
                proposed_new_state: config.clone(),
                config: config.clone(),
                ..Default::default()
            }
        );
        let applied = ask!(
            self,
            "ApplyResourceChange",
            apply_resource_change {
                type_name: name(),
                prior_state: null(&ty),
                planned_state: planned.planned_state,
                config: config.clone(),
                planned_private: planned.planned_private,
                planned_identity: planned.planned_identity,
                ..Default::default()
            }
        );
        let (state, private, identity) = (applied.new_state, applied.private, applied.new_identity);
        ask!(
            self,
            "ReadResource",
            read_resource {
                type_name: name(),
                current_state: state.clone(),
                private: private.clone(),
                current_identity: identity.clone(),
                ..Default::default()
            }
        );
        let version = self.schema.resource_schemas.get(&type_name).map_or(0, |schema| schema.version);
        let raw_state = stored(&state, &ty);
        ask!(self, "UpgradeResourceState", upgrade_resource_state { type_name: name(), version, raw_state });
        let old = script.resource.as_ref().map(|(_, state)| state.to_string().into());
        let raw_state = old.map(|json| pb::RawState { json, ..Default::default() });
        ask!(
            self,
            "UpgradeResourceState from version 0",
            upgrade_resource_state { type_name: name(), version: 0, raw_state }
        );
        let known = self.identities.identity_schemas.get(&type_name);
        let raw_identity = known.and_then(|schema| {
            stored(&identity.as_ref().and_then(|identity| identity.identity_data.clone()), &identity_type_of(schema))
        });
        let version = known.map_or(0, |schema| schema.version);
        ask!(self, "UpgradeResourceIdentity", upgrade_resource_identity { type_name: name(), version, raw_identity });
        ask!(self, "GenerateResourceConfig", generate_resource_config { type_name: name(), state: state.clone() });
        let id = script.import_id.to_owned();
        ask!(self, "ImportResourceState", import_resource_state { type_name: name(), id, ..Default::default() });
        let (source, moved) = script.moved.clone().unwrap_or_default();
        let source_state = Some(pb::RawState { json: moved.to_string().into(), ..Default::default() });
        ask!(
            self,
            "MoveResourceState",
            move_resource_state {
                source_type_name: source.to_owned(),
                source_state,
                target_type_name: name(),
                ..Default::default()
            }
        );
        self.destroy(&type_name, &ty, state, private, identity).await;
    }

    /// Plans and makes the deletion; under names of its own among the answers.
    async fn destroy(
        &mut self,
        type_name: &str,
        ty: &Type,
        state: Option<pb::DynamicValue>,
        private: Bytes,
        identity: Option<pb::ResourceIdentityData>,
    ) {
        let planned = ask!(
            self,
            "PlanResourceChange of a deletion",
            plan_resource_change {
                type_name: type_name.to_owned(),
                prior_state: state.clone(),
                proposed_new_state: null(ty),
                config: null(ty),
                prior_private: private,
                prior_identity: identity.clone(),
                ..Default::default()
            }
        );
        ask!(
            self,
            "ApplyResourceChange of a deletion",
            apply_resource_change {
                type_name: type_name.to_owned(),
                prior_state: state,
                planned_state: null(ty),
                config: null(ty),
                planned_private: planned.planned_private,
                planned_identity: identity,
                ..Default::default()
            }
        );
    }

    async fn data_and_functions(&mut self, script: &Script) {
        let (type_name, _, config) = configured(&self.schema.data_source_schemas, &script.data_source);
        ask!(
            self,
            "ValidateDataResourceConfig",
            validate_data_resource_config { type_name: type_name.clone(), config: config.clone() }
        );
        ask!(self, "ReadDataSource", read_data_source { type_name, config, ..Default::default() });
        let (name, arguments) = script.function.clone().unwrap_or_default();
        let arguments = arguments.iter().flat_map(crate::wire).collect();
        let request = pb::call_function::Request { name: name.to_owned(), arguments };
        let answer = self.client.call_function(request).await.map(|response| {
            let response = response.into_inner();
            let said = response.error.iter().map(|error| error.text.clone()).collect();
            Answer { text: format!("{response:?}"), failed: response.error.is_some(), said }
        });
        self.answers.insert("CallFunction", answer);
    }

    async fn ephemeral_resource(&mut self, script: &Script) {
        let schemas = &self.schema.ephemeral_resource_schemas;
        let (type_name, _, config) = configured(schemas, &script.ephemeral_resource);
        let name = || type_name.clone();
        ask!(
            self,
            "ValidateEphemeralResourceConfig",
            validate_ephemeral_resource_config { type_name: name(), config: config.clone() }
        );
        let open = ask!(
            self,
            "OpenEphemeralResource",
            open_ephemeral_resource { type_name: name(), config, client_capabilities: None }
        );
        let renewed =
            ask!(self, "RenewEphemeralResource", renew_ephemeral_resource { type_name: name(), private: open.private });
        ask!(self, "CloseEphemeralResource", close_ephemeral_resource { type_name: name(), private: renewed.private });
    }

    async fn action(&mut self, script: &Script) {
        let schemas = self.schema.action_schemas.iter();
        let schemas = schemas.filter_map(|(name, action)| Some((name.clone(), action.schema.clone()?))).collect();
        let (action_type, _, config) = configured(&schemas, &script.action);
        let name = || action_type.clone();
        ask!(self, "ValidateActionConfig", validate_action_config { action_type: name(), config: config.clone() });
        ask!(
            self,
            "PlanAction",
            plan_action { action_type: name(), config: config.clone(), client_capabilities: None }
        );
        let request = pb::invoke_action::Request { action_type: name(), config, client_capabilities: None };
        let events = match self.client.invoke_action(request).await {
            Ok(events) => events.into_inner().try_collect::<Vec<_>>().await,
            Err(status) => Err(status),
        };
        let answer = events.map(|events| {
            let mut answer = Answer { text: format!("{events:?}"), ..Answer::default() };
            for event in events.into_iter().filter_map(|event| event.r#type) {
                match event {
                    Event::Progress(progress) => answer.said.push(progress.message),
                    Event::Completed(completed) => {
                        let end = Answer::of(&(), &completed.diagnostics);
                        answer.said.extend(end.said);
                        answer.failed = end.failed;
                    }
                }
            }
            answer
        });
        self.answers.insert("InvokeAction", answer);
    }

    async fn list_resource(&mut self, script: &Script) {
        let (type_name, _, config) = configured(&self.schema.list_resource_schemas, &script.list_resource);
        let (include, limit) = (crate::wire(&Value::bool(true)), crate::wire(&Value::number(10)));
        ask!(
            self,
            "ValidateListResourceConfig",
            validate_list_resource_config {
                type_name: type_name.clone(),
                config: config.clone(),
                include_resource_object: include,
                limit
            }
        );
        let request = pb::list_resource::Request { type_name, config, include_resource_object: true, limit: 10 };
        let events = match self.client.list_resource(request).await {
            Ok(events) => events.into_inner().try_collect::<Vec<_>>().await,
            Err(status) => Err(status),
        };
        let answer = events.map(|events| {
            let said: Vec<_> = events.iter().flat_map(|event| event.diagnostic.clone()).collect();
            Answer::of(&events, &said)
        });
        self.answers.insert("ListResource", answer);
    }

    async fn state_store(&mut self, script: &Script) {
        let (type_name, _, config) = configured(&self.schema.state_store_schemas, &script.state_store);
        let name = || type_name.clone();
        let state_id = || "default".to_owned();
        ask!(
            self,
            "ValidateStateStoreConfig",
            validate_state_store_config { type_name: name(), config: config.clone() }
        );
        let capabilities = Some(pb::StateStoreClientCapabilities { chunk_size: 4 });
        ask!(self, "ConfigureStateStore", configure_state_store { type_name: name(), config, capabilities });
        let operation = "apply".to_owned();
        let lock = ask!(self, "LockState", lock_state { type_name: name(), state_id: state_id(), operation });
        self.write_state(&type_name).await;
        self.read_state(&type_name).await;
        ask!(self, "GetStates", get_states { type_name: name() });
        ask!(self, "DeleteState", delete_state { type_name: name(), state_id: state_id() });
        let lock_id = lock.lock_id;
        ask!(self, "UnlockState", unlock_state { type_name: name(), state_id: state_id(), lock_id });
    }

    async fn write_state(&mut self, type_name: &str) {
        let chunk = |bytes: &'static str, start: i64, meta| pb::write_state_bytes::RequestChunk {
            meta,
            bytes: bytes.into(),
            total_length: 6,
            range: Some(pb::StateByteRange { start, end: start + bytes.len() as i64 - 1 }),
        };
        let meta = pb::RequestChunkMeta { type_name: type_name.to_owned(), state_id: "default".to_owned() };
        let chunks = stream::iter([chunk("abcd", 0, Some(meta)), chunk("ef", 4, None)]);
        let answer = self.client.write_state_bytes(chunks).await.map(|response| {
            let response = response.into_inner();
            Answer::of(&response, &response.diagnostics)
        });
        self.answers.insert("WriteStateBytes", answer);
    }

    async fn read_state(&mut self, type_name: &str) {
        let (type_name, state_id) = (type_name.to_owned(), "default".to_owned());
        let request = pb::read_state_bytes::Request { type_name, state_id };
        let chunks = match self.client.read_state_bytes(request).await {
            Ok(chunks) => chunks.into_inner().try_collect::<Vec<_>>().await,
            Err(status) => Err(status),
        };
        let answer = chunks.map(|chunks| {
            let said: Vec<_> = chunks.iter().flat_map(|chunk| chunk.diagnostics.clone()).collect();
            Answer::of(&chunks, &said)
        });
        self.answers.insert("ReadStateBytes", answer);
    }

    async fn stop(&mut self) {
        let answer = self.client.stop_provider(pb::stop_provider::Request {}).await.map(|response| {
            let error = response.into_inner().error;
            Answer { text: error.clone(), failed: !error.is_empty(), said: vec![error] }
        });
        self.answers.insert("StopProvider", answer);
    }
}
