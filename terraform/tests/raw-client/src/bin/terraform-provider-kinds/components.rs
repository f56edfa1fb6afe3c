//! The components that are not managed resources.

use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use denobridge_core::call::LogLevel;
use denobridge_core::cty::{Type, Value};
use denobridge_core::schema::{FunctionParameter, FunctionSignature, Schema};
use denobridge_core::{Diagnostic, Diagnostics};
use denobridge_framework::erased::*;
use denobridge_framework::provider::Configured;
use denobridge_framework::{ConfigureContext, Context, PrivateData};

use super::schema;

/// What is made, and secret.
const MADE: &str = "c4nary-made";

pub(super) fn text_of(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn does(value: &Value) -> &str {
    text_of(value.attribute("does"))
}

/// The configuration with what is computed filled in.
pub(super) fn done(config: Value) -> Value {
    config.with_attribute("id", Value::string("1")).with_attribute("key", Value::string(MADE))
}

/// All that must not be seen of a value, as an author without care would write it into a message.
fn secrets_of(value: &Value) -> String {
    let parts = value.as_entries().into_iter().flatten();
    parts.map(|(name, value)| format!(" {name}={}", value.as_str().unwrap_or_default())).collect()
}

/// What every component does before its work: it logs, and panics or fails if it is told to.
pub(super) fn obey(context: &Context, value: &Value) -> Diagnostics {
    let secrets = secrets_of(value);
    context.call().log(LogLevel::Trace, "kinds", &format!("working with{secrets}"));
    match does(value) {
        "panic" => panic!("deliberate, with{secrets}"),
        "fail" => Diagnostic::error("", format!("cannot use{secrets}")).into(),
        _ => Diagnostics::new(),
    }
}

pub(super) async fn configure(context: ConfigureContext) -> Configured {
    let secrets = secrets_of(&context.config);
    context.call.log(LogLevel::Trace, "kinds", &format!("configured with{secrets}"));
    match does(&context.config) {
        "panic" => panic!("deliberate, with{secrets}"),
        "fail" => Configured { diagnostics: Diagnostic::error("", secrets).into(), ..Configured::default() },
        _ => Configured::default(),
    }
}

pub(super) fn shout_signature() -> FunctionSignature {
    let text = FunctionParameter {
        name: "text".into(),
        ty: Type::String,
        allow_null: false,
        allow_unknown: false,
        description: "".into(),
    };
    FunctionSignature {
        parameters: vec![text],
        variadic: None,
        returns: Type::String,
        summary: "Shouts".to_owned(),
        description: "".into(),
        deprecation: None,
    }
}

/// Whether a validation is to panic: the other components panic later.
fn validated(config: &Value) -> Diagnostics {
    if does(config) == "panic in validation" {
        panic!("deliberate, with{}", secrets_of(config))
    }
    Diagnostics::new()
}

pub(super) struct Lookup;

#[async_trait]
impl ErasedDataSource for Lookup {
    fn schema(&self) -> Schema {
        schema(Vec::new())
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        validated(config)
    }

    async fn read(&self, context: &Context, config: Value) -> DataRead {
        let diagnostics = obey(context, &config);
        DataRead { state: Some(done(config)), deferred: None, diagnostics }
    }
}

pub(super) struct Token;

impl Token {
    fn again(&self, context: &Context, private: &PrivateData) -> Diagnostics {
        let word: String = private.get("does").ok().flatten().unwrap_or_default();
        obey(context, &Value::object([("does", Value::string(word.trim_start_matches("later ")))]))
    }
}

#[async_trait]
impl ErasedEphemeralResource for Token {
    fn schema(&self) -> Schema {
        schema(Vec::new())
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        validated(config)
    }

    async fn open(&self, context: &Context, config: Value, private: &mut PrivateData) -> Opened {
        let diagnostics = obey(context, &config);
        let kept = private.set("does", &does(&config)).and_then(|()| private.set("secret", &secrets_of(&config)));
        if let Err(error) = kept {
            return Opened { diagnostics: Diagnostic::error("", error.to_string()).into(), ..Opened::default() };
        }
        let renew_at = Some(SystemTime::UNIX_EPOCH + Duration::from_secs(60));
        Opened { result: Some(done(config)), renew_at, deferred: None, diagnostics }
    }

    async fn renew(&self, context: &Context, private: &mut PrivateData) -> Renewed {
        Renewed { renew_at: None, diagnostics: self.again(context, private) }
    }

    async fn close(&self, context: &Context, private: &PrivateData) -> Diagnostics {
        self.again(context, private)
    }
}

pub(super) struct Reboot;

#[async_trait]
impl ErasedAction for Reboot {
    fn schema(&self) -> Schema {
        schema(Vec::new())
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        validated(config)
    }

    async fn plan(&self, _: &Context, config: &Value) -> ActionPlan {
        if does(config) == "panic in planning" {
            panic!("deliberate, with{}", secrets_of(config))
        }
        ActionPlan::default()
    }

    async fn invoke(&self, context: &Context, config: Value, progress: &Progress) -> Diagnostics {
        progress.report(format!("going on with{}", secrets_of(&config)));
        if does(&config) == "slow" {
            context.call().cancellation().cancelled().await;
            return Diagnostic::error("stopped", "").into();
        }
        obey(context, &config)
    }
}

pub(super) struct Things;

#[async_trait]
impl ErasedListResource for Things {
    fn schema(&self) -> Schema {
        schema(Vec::new())
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        validated(config)
    }

    async fn list(&self, context: &Context, query: ListQuery, found: &Found) -> Diagnostics {
        for number in 0..3 {
            let id = Value::string(number.to_string());
            let object = super::resource::object(query.config.attribute("secret").cloned(), id.clone());
            let listed = Listed {
                identity: Value::object([("id", id)]),
                display_name: format!("thing {number}"),
                object: query.include_object.then_some(object),
                diagnostics: Diagnostics::new(),
            };
            if !found.push(listed).await {
                break;
            }
        }
        obey(context, &query.config)
    }
}
