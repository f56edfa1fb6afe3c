//! A provider with one component of every kind, each of which does what its configuration's `does` says.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use bytes::Bytes;
use denobridge_core::cty::{Type, Value};
use denobridge_core::provider::*;
use denobridge_core::schema::{
    Attribute, Block, FunctionParameter, FunctionSignature, IdentityAttribute, IdentitySchema, Schema,
};
use denobridge_core::{Diagnostic, Diagnostics};

use crate::erased::*;
use crate::{Context, PrivateData, ProviderBuilder};

/// A text that must never be seen.
pub(crate) const CANARY: &str = "canary-8f1d";

pub(crate) fn attribute(name: &str, change: impl FnOnce(&mut Attribute)) -> Attribute {
    let mut attribute = Attribute::new(name, Type::String);
    change(&mut attribute);
    attribute
}

/// `does` and `secret` are configured, `id` is computed.
pub(crate) fn schema() -> Schema {
    let attributes = vec![
        attribute("does", |a| a.required = true),
        attribute("secret", |a| (a.optional, a.sensitive) = (true, true)),
        attribute("id", |a| a.computed = true),
    ];
    Schema { version: 2, block: Block { attributes, ..Block::default() } }
}

pub(crate) fn config(does: &str) -> Value {
    object(does, Value::null(Type::String))
}

pub(crate) fn object(does: &str, id: Value) -> Value {
    Value::object([("does", Value::string(does)), ("secret", Value::string(CANARY)), ("id", id)])
}

pub(crate) fn done(config: &Value) -> Value {
    config.clone().with_attribute("id", Value::string("1"))
}

pub(crate) fn does(value: &Value) -> String {
    value.attribute("does").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// What every component does before its work: panic, fail or tell a secret.
pub(crate) fn obey(word: &str) -> Diagnostics {
    match word {
        "panic" => panic!("deliberate"),
        "fail" => Diagnostic::error("", format!("cannot use {CANARY}")).into(),
        _ => Diagnostics::new(),
    }
}

pub(crate) fn validated(config: &Value) -> Diagnostics {
    match does(config).as_str() {
        "panic in validate" => panic!("deliberate"),
        "invalid" => Diagnostic::error("invalid", format!("not {CANARY}")).into(),
        _ => Diagnostics::new(),
    }
}

pub(crate) struct Lookup;

#[async_trait]
impl ErasedDataSource for Lookup {
    fn schema(&self) -> Schema {
        schema()
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        validated(config)
    }

    async fn read(&self, context: &Context, config: Value) -> DataRead {
        match does(&config).as_str() {
            "unknown" => DataRead::of(config.with_attribute("id", Value::unknown(Type::String))),
            "null" => DataRead::of(Value::null(config.ty())),
            "defer" => DataRead { deferred: Some(Deferred::AbsentPrerequisite), ..DataRead::default() },
            "meta" => {
                let meta = context.provider_meta().and_then(|meta| meta.attribute("team")).cloned();
                DataRead::of(config.with_attribute("id", meta.unwrap_or_else(|| Value::string("none"))))
            }
            word => DataRead { state: Some(done(&config)), diagnostics: obey(word), deferred: None },
        }
    }
}

pub(crate) struct Token;

#[async_trait]
impl ErasedEphemeralResource for Token {
    fn schema(&self) -> Schema {
        schema()
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        validated(config)
    }

    async fn open(&self, _: &Context, config: Value, private: &mut PrivateData) -> Opened {
        let word = does(&config);
        private.set("word", &word).unwrap();
        let renew_at = Some(SystemTime::UNIX_EPOCH + Duration::from_secs(60));
        let result =
            if word == "other" { done(&config).with_attribute("does", Value::string("?")) } else { done(&config) };
        Opened { result: Some(result), renew_at, deferred: None, diagnostics: obey(&word) }
    }

    async fn renew(&self, _: &Context, private: &mut PrivateData) -> Renewed {
        let word: String = private.get("word").unwrap().unwrap();
        private.set("renewed", &true).unwrap();
        Renewed { renew_at: None, diagnostics: obey(word.trim_start_matches("later ")) }
    }

    async fn close(&self, _: &Context, private: &PrivateData) -> Diagnostics {
        let word: String = private.get("word").unwrap().unwrap();
        obey(word.trim_start_matches("later "))
    }
}

pub(crate) struct Reboot;

#[async_trait]
impl ErasedAction for Reboot {
    fn schema(&self) -> Schema {
        schema()
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        validated(config)
    }

    async fn plan(&self, _: &Context, config: &Value) -> ActionPlan {
        let deferred = match does(config).as_str() {
            "defer" => Some(Deferred::ProviderConfigUnknown),
            "defer wrongly" => Some(Deferred::AbsentPrerequisite),
            _ => None,
        };
        ActionPlan { deferred, diagnostics: obey(&does(config)) }
    }

    async fn invoke(&self, context: &Context, config: Value, progress: &Progress) -> Diagnostics {
        progress.report("one");
        tokio::task::yield_now().await;
        progress.report(format!("two {CANARY}"));
        if does(&config) == "slow" {
            context.call().cancellation().cancelled().await;
            return Diagnostic::error("stopped", "").into();
        }
        obey(&does(&config))
    }
}

pub(crate) struct Things;

#[async_trait]
impl ErasedListResource for Things {
    fn schema(&self) -> Schema {
        let attributes = vec![attribute("does", |a| a.required = true)];
        Schema { version: 0, block: Block { attributes, ..Block::default() } }
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        validated(config)
    }

    async fn list(&self, _: &Context, query: ListQuery, found: &Found) -> Diagnostics {
        for number in 0..5 {
            let identity = Value::object([("id", Value::string(number.to_string()))]);
            let identity = if does(&query.config) == "no identity" { Value::null(identity.ty()) } else { identity };
            let object = query.include_object.then(|| object("x", Value::string(number.to_string())));
            let display_name = format!("thing {number}");
            let listed = Listed { identity, display_name, object, diagnostics: Diagnostics::new() };
            if !found.push(listed).await {
                return Diagnostics::new();
            }
        }
        obey(&does(&query.config))
    }
}

#[derive(Default)]
pub(crate) struct Store {
    pub(crate) word: Mutex<String>,
    pub(crate) states: Mutex<BTreeMap<String, Bytes>>,
}

impl Store {
    fn obey(&self) -> Diagnostics {
        let word = self.word.lock().unwrap().clone();
        obey(word.trim_start_matches("later "))
    }

    fn tried<T>(&self, result: T) -> Result<T, Diagnostics> {
        let said = self.obey();
        if said.has_errors() { Err(said) } else { Ok(result) }
    }
}

#[async_trait]
impl ErasedStateStore for Store {
    fn schema(&self) -> Schema {
        schema()
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        validated(config)
    }

    async fn configure(&self, _: &Context, config: Value) -> Diagnostics {
        *self.word.lock().unwrap() = does(&config);
        obey(&does(&config))
    }

    async fn read(&self, _: &Context, state_id: &str) -> Result<Option<Bytes>, Diagnostics> {
        let state = self.states.lock().unwrap().get(state_id).cloned();
        self.tried(state)
    }

    async fn write(&self, _: &Context, state_id: &str, state: Bytes) -> Diagnostics {
        self.states.lock().unwrap().insert(state_id.to_owned(), state);
        self.obey()
    }

    async fn lock(&self, _: &Context, state_id: &str, operation: &str) -> Result<String, Diagnostics> {
        self.tried(format!("{state_id} for {operation}"))
    }

    async fn unlock(&self, _: &Context, _: &str, lock_id: &str) -> Diagnostics {
        if lock_id.is_empty() { Diagnostic::error("no lock", "").into() } else { self.obey() }
    }

    async fn list(&self, _: &Context) -> Result<Vec<String>, Diagnostics> {
        let names = self.states.lock().unwrap().keys().cloned().collect();
        self.tried(names)
    }

    async fn delete(&self, _: &Context, state_id: &str) -> Diagnostics {
        self.states.lock().unwrap().remove(state_id);
        self.obey()
    }
}

/// A resource with an identity that reads as it is.
#[derive(Default)]
pub(crate) struct Object {
    pub(crate) identity: bool,
}

#[async_trait]
impl ErasedResource for Object {
    fn schema(&self) -> Schema {
        schema()
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        validated(config)
    }

    fn identity_schema(&self) -> Option<IdentitySchema> {
        let id = IdentityAttribute {
            name: "id".into(),
            ty: Type::String,
            required_for_import: true,
            optional_for_import: false,
            description: String::new(),
        };
        self.identity.then(|| IdentitySchema { version: 1, attributes: vec![id] })
    }

    async fn modify_plan(&self, _: &Context, plan: &mut crate::PlanEdit) -> Diagnostics {
        obey(does(plan.planned()).trim_start_matches("plan "))
    }

    async fn create(&self, _: &Context, request: Create<'_>) -> Outcome {
        let diagnostics = obey(&does(&request.config));
        Outcome { state: (!diagnostics.has_errors()).then(|| done(&request.planned)), diagnostics }
    }

    async fn read(&self, context: &Context, request: Read<'_>) -> Outcome {
        match does(&request.state).as_str() {
            "rename" => Outcome::of(request.state.with_attribute("id", Value::string("2"))),
            "wait" => {
                context.call().cancellation().cancelled().await;
                Outcome::of(request.state)
            }
            word => Outcome { diagnostics: obey(word), state: Some(request.state) },
        }
    }

    async fn update(&self, _: &Context, request: Update<'_>) -> Outcome {
        let diagnostics = obey(&does(&request.config));
        Outcome { state: Some(request.planned), diagnostics }
    }

    async fn delete(&self, _: &Context, request: Delete<'_>) -> Diagnostics {
        obey(&does(&request.prior))
    }

    async fn import(&self, _: &Context, request: Import<'_>) -> Outcome {
        let ImportTarget::Id(id) = request.target;
        Outcome { diagnostics: obey(id), state: Some(object("x", Value::string(id))) }
    }

    async fn import_by_identity(&self, _: &Context, request: ImportIdentity<'_>) -> Outcome {
        let id = request.identity.attribute("id").unwrap().clone();
        Outcome { diagnostics: obey(id.as_str().unwrap()), state: Some(object("x", id)) }
    }

    async fn upgrade_identity(&self, _: &Context, request: UpgradeIdentity) -> Result<Value, Diagnostics> {
        let name = request.identity["name"].as_str().unwrap();
        obey(name);
        Ok(Value::object([("id", Value::string(name))]))
    }

    async fn defer(&self, _: &Context, value: Option<&Value>) -> Option<Deferred> {
        value.is_some_and(|value| does(value) == "defer").then_some(Deferred::ResourceConfigUnknown)
    }

    fn move_sources(&self) -> Vec<MoveSource> {
        let named = MoveSource { provider_address: Some("other/old".to_owned()), ..MoveSource::of_type("old_thing") };
        vec![named, MoveSource::of_type("panic")]
    }

    async fn take_over(&self, _: &Context, request: Move<'_>) -> Outcome {
        obey(request.type_name);
        request.private.set("from", &request.type_name).unwrap();
        Outcome::of(object("moved", Value::string(request.state["name"].as_str().unwrap())))
    }

    async fn generate_config(&self, _: &Context, state: Value) -> Outcome {
        obey(&does(&state));
        Outcome::of(crate::plan::config_of(&self.schema().block, &state))
    }

    fn state_upgrades(&self) -> StateUpgrades {
        StateUpgrades::default()
            .from_version(0, |mut state| {
                obey(state["was"].as_str().unwrap_or_default());
                state["v1"] = state["was"].take();
                Ok(state)
            })
            .from_version(1, |mut state| {
                state["does"] = state["v1"].take();
                Ok(state)
            })
    }
}

fn parameter(name: &str, ty: Type) -> FunctionParameter {
    FunctionParameter { name: name.into(), ty, allow_null: false, allow_unknown: false, description: "".into() }
}

/// `repeat(text, count, rest...)`.
pub(crate) fn signature() -> FunctionSignature {
    FunctionSignature {
        parameters: vec![parameter("text", Type::String), parameter("count", Type::Number)],
        variadic: Some(parameter("rest", Type::String)),
        returns: Type::String,
        summary: "Repeats".to_owned(),
        description: "".into(),
        deprecation: None,
    }
}

pub(crate) fn repeat(arguments: Vec<Value>) -> Result<Value, FunctionError> {
    let text = arguments[0].as_str().unwrap();
    match text {
        "panic" => panic!("deliberate"),
        "number" => Ok(Value::number(1)),
        "wrong rest" => Err(argument_error(3, "not that")),
        _ => {
            let count: usize = arguments[1].as_number().unwrap().to_string().parse().unwrap();
            Ok(Value::string(text.repeat(count)))
        }
    }
}

pub(crate) fn builder() -> ProviderBuilder {
    let team = attribute("team", |a| a.optional = true);
    let meta = Schema { version: 0, block: Block { attributes: vec![team], ..Block::default() } };
    ProviderBuilder::new("test")
        .meta_schema(meta)
        .resource("test_object", Box::new(Object { identity: true }))
        .resource("test_plain", Box::new(Object::default()))
        .data_source("test_lookup", Box::new(Lookup))
        .ephemeral_resource("test_token", Box::new(Token))
        .action("test_reboot", Box::new(Reboot))
        .list_resource("test_object", Box::new(Things))
        .state_store("test_store", Box::<Store>::default())
        .function("repeat", function(signature(), repeat))
        .function("repeat_later", async_function(signature(), async |arguments| repeat(arguments)))
}

pub(crate) fn provider() -> impl denobridge_core::Provider {
    builder().build().unwrap()
}

pub(crate) fn details(diagnostics: &Diagnostics) -> String {
    diagnostics.iter().map(|diagnostic| format!("{}: {}\n", diagnostic.summary, diagnostic.detail)).collect()
}
