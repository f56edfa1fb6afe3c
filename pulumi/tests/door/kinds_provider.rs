//! A provider with one component of every kind, written with the framework. What it does is noted down in order, in
//! memory and, where the environment names a file, there as well.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use denobridge_core::cty::{Path, Type, Value};
use denobridge_core::schema::{
    Attribute, Block, Description, FunctionParameter, FunctionSignature, IdentityAttribute, IdentitySchema, Schema,
};
use denobridge_core::{Diagnostic, Diagnostics, Provider};
use denobridge_framework::erased::*;
use denobridge_framework::{BuildError, Context, PrivateData, ProviderBuilder};

/// Names the file.
pub const JOURNAL: &str = "KINDS_JOURNAL";

/// What has happened.
#[derive(Default)]
pub struct Journal {
    file: Option<PathBuf>,
    lines: Mutex<Vec<String>>,
}

impl Journal {
    pub fn from_environment() -> Arc<Self> {
        Arc::new(Self { file: std::env::var_os(JOURNAL).map(Into::into), ..Self::default() })
    }

    fn note(&self, line: impl Into<String>) {
        let line = line.into();
        if let Some(path) = &self.file {
            let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path).expect("opens");
            writeln!(file, "{line}").expect("writes");
        }
        self.lines.lock().expect("lock").push(line);
    }

    pub fn lines(&self) -> Vec<String> {
        self.lines.lock().expect("lock").clone()
    }
}

pub fn provider(journal: &Arc<Journal>) -> Result<Arc<dyn Provider>, BuildError> {
    let builder = ProviderBuilder::new("kinds")
        .config_schema(schema(vec![attribute("greeting", Type::String, "o")]))
        .resource("kinds_box", Box::new(Boxes))
        .list_resource("kinds_box", Box::new(Boxes))
        .data_source("kinds_word", Box::new(Words))
        .ephemeral_resource("kinds_token", Box::new(Tokens(Arc::clone(journal))))
        .action("kinds_greet", Box::new(Greetings(Arc::clone(journal))));
    let provider = functions().into_iter().fold(builder, |builder, (name, function)| builder.function(name, function));
    Ok(Arc::new(provider.build()?))
}

fn attribute(name: &str, ty: Type, flags: &str) -> Attribute {
    let mut attribute = Attribute::new(name, ty);
    attribute.required = flags.contains('r');
    attribute.optional = flags.contains('o');
    attribute.computed = flags.contains('c');
    attribute.sensitive = flags.contains('s');
    attribute
}

fn schema(attributes: Vec<Attribute>) -> Schema {
    Schema { version: 0, block: Block { attributes, ..Block::default() } }
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.attribute(name).and_then(Value::as_str).unwrap_or_default()
}

fn number(value: &Value, name: &str) -> Option<i64> {
    value.attribute(name).and_then(Value::as_number).and_then(|number| number.to_i64())
}

fn is_true(value: &Value, name: &str) -> bool {
    value.attribute(name).and_then(Value::as_bool).unwrap_or(false)
}

/// Boxes that are always there.
struct Boxes;

const SIZES: [i64; 3] = [1, 2, 3];

fn found_box(size: i64) -> Value {
    Value::object([
        ("id", Value::string(format!("box-{size}"))),
        ("inner_size", Value::number(size)),
        ("lock_code", Value::string("0000")),
    ])
}

fn box_schema() -> Schema {
    schema(vec![
        attribute("id", Type::String, "c"),
        attribute("inner_size", Type::Number, "o"),
        attribute("lock_code", Type::String, "cs"),
    ])
}

#[async_trait]
impl ErasedResource for Boxes {
    fn schema(&self) -> Schema {
        box_schema()
    }

    fn identity_schema(&self) -> Option<IdentitySchema> {
        let id = IdentityAttribute {
            name: "id".into(),
            ty: Type::String,
            required_for_import: true,
            optional_for_import: false,
            description: String::new(),
        };
        Some(IdentitySchema { version: 0, attributes: vec![id] })
    }

    async fn create(&self, _: &Context, request: Create<'_>) -> Outcome {
        Outcome::of(found_box(number(&request.planned, "inner_size").unwrap_or_default()))
    }

    async fn read(&self, _: &Context, request: Read<'_>) -> Outcome {
        Outcome::of(request.state)
    }

    async fn update(&self, _: &Context, request: Update<'_>) -> Outcome {
        Outcome::of(request.planned)
    }

    async fn delete(&self, _: &Context, _: Delete<'_>) -> Diagnostics {
        Diagnostics::new()
    }
}

#[async_trait]
impl ErasedListResource for Boxes {
    fn schema(&self) -> Schema {
        schema(vec![attribute("at_least", Type::Number, "o"), attribute("limit", Type::String, "o")])
    }

    async fn list(&self, _: &Context, query: ListQuery, found: &Found) -> Diagnostics {
        let least = number(&query.config, "at_least").unwrap_or_default();
        if least > 9 {
            return Diagnostic::error("Too large", "there are no such boxes")
                .at(Path::root().attribute("at_least"))
                .into();
        }
        for size in SIZES.into_iter().filter(|size| *size >= least) {
            let object = found_box(size);
            let identity = Value::object([("id", object.attribute("id").cloned().expect("id"))]);
            let object = Some(object).filter(|_| query.include_object);
            let display_name = format!("Box of size {size}");
            if !found.push(Listed { identity, display_name, object, diagnostics: Diagnostics::new() }).await {
                break;
            }
        }
        Diagnostics::new()
    }
}

/// Looks words up.
struct Words;

#[async_trait]
impl ErasedDataSource for Words {
    fn schema(&self) -> Schema {
        let letter = Type::object([("letter_code", Type::Number), ("as_text", Type::String)]);
        schema(vec![
            attribute("the_word", Type::String, "r"),
            attribute("pass_phrase", Type::String, "os"),
            attribute("word_length", Type::Number, "c"),
            attribute("all_letters", Type::list(letter), "c"),
            attribute("secret_meaning", Type::String, "cs"),
            attribute("nothing", Type::String, "c"),
        ])
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        match text(config, "the_word") {
            "rude" => Diagnostic::error("Rude word", "mind `the_word`").at(Path::root().attribute("the_word")).into(),
            "odd" => Diagnostic::warning("Odd word", "is it one?").at(Path::root().attribute("the_word")).into(),
            _ => Diagnostics::new(),
        }
    }

    async fn read(&self, _: &Context, config: Value) -> DataRead {
        let word = text(&config, "the_word").to_owned();
        if word == "unheard" {
            let error = Diagnostic::error("Unknown word", "nobody has heard it");
            return DataRead::failed(error.at(Path::root().attribute("the_word")));
        }
        let letters = word.chars().map(|letter| {
            Value::object([
                ("letter_code", Value::number(i64::from(u32::from(letter)))),
                ("as_text", Value::string(letter.to_string())),
            ])
        });
        let letter = Type::object([("letter_code", Type::Number), ("as_text", Type::String)]);
        let length = Value::number(i64::try_from(word.chars().count()).expect("short"));
        let found = config
            .with_attribute("word_length", length)
            .with_attribute("all_letters", Value::list(letter, letters.collect::<Vec<_>>()))
            .with_attribute("secret_meaning", Value::string(format!("the meaning of {word}")))
            .with_attribute("nothing", Value::null(Type::String));
        DataRead::of(found)
    }
}

/// Hands out tokens.
struct Tokens(Arc<Journal>);

#[async_trait]
impl ErasedEphemeralResource for Tokens {
    fn schema(&self) -> Schema {
        schema(vec![
            attribute("owner_name", Type::String, "r"),
            attribute("renew_after", Type::Number, "o"),
            attribute("access_token", Type::String, "c"),
        ])
    }

    async fn open(&self, _: &Context, config: Value, private: &mut PrivateData) -> Opened {
        let owner = text(&config, "owner_name").to_owned();
        if owner == "nobody" {
            let diagnostics = Diagnostic::error("No owner", "somebody has to own it").into();
            return Opened { diagnostics, ..Opened::default() };
        }
        self.0.note(format!("opened for {owner}"));
        private.set("owner", &owner).expect("set");
        private.set("renewals", &0).expect("set");
        let after = number(&config, "renew_after").and_then(|after| u64::try_from(after).ok());
        Opened {
            result: Some(config.with_attribute("access_token", Value::string(format!("token-of-{owner}")))),
            renew_at: after.map(|after| SystemTime::now() + Duration::from_millis(after)),
            ..Opened::default()
        }
    }

    async fn renew(&self, _: &Context, private: &mut PrivateData) -> Renewed {
        let owner: String = private.get("owner").expect("readable").expect("there");
        let renewals: u32 = private.get("renewals").expect("readable").expect("there");
        private.set("renewals", &(renewals + 1)).expect("set");
        self.0.note(format!("renewed for {owner}"));
        if owner == "unlucky" {
            let diagnostics = Diagnostic::error("Not renewed", "the `owner_name` has left").into();
            return Renewed { diagnostics, ..Renewed::default() };
        }
        Renewed { renew_at: Some(SystemTime::now()), ..Renewed::default() }
    }

    async fn close(&self, _: &Context, private: &PrivateData) -> Diagnostics {
        let owner: String = private.get("owner").expect("readable").expect("there");
        let renewals: u32 = private.get("renewals").expect("readable").expect("there");
        self.0.note(format!("closed for {owner} after {renewals} renewals"));
        if owner == "unlucky" {
            return Diagnostic::warning("Left behind", "the `owner_name` has left a mess").into();
        }
        Diagnostics::new()
    }
}

/// Greets people.
struct Greetings(Arc<Journal>);

#[async_trait]
impl ErasedAction for Greetings {
    fn schema(&self) -> Schema {
        schema(vec![
            attribute("who_is_met", Type::String, "r"),
            attribute("pass_word", Type::String, "os"),
            attribute("triggers", Type::String, "o"),
            attribute("fails", Type::Bool, "o"),
        ])
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        match text(config, "who_is_met") {
            "" => Diagnostics::new(),
            who if who.contains(' ') => {
                let error = Diagnostic::error("Not a name", "one word is enough");
                error.at(Path::root().attribute("who_is_met")).into()
            }
            _ => Diagnostics::new(),
        }
    }

    async fn plan(&self, _: &Context, config: &Value) -> ActionPlan {
        if text(config, "who_is_met") == "stranger" {
            let error = Diagnostic::error("A stranger", "who is that?").at(Path::root().attribute("who_is_met"));
            return ActionPlan { diagnostics: error.into(), ..ActionPlan::default() };
        }
        self.0.note(format!("planned to greet {}", text(config, "who_is_met")));
        ActionPlan::default()
    }

    async fn invoke(&self, context: &Context, config: Value, progress: &Progress) -> Diagnostics {
        let who = text(&config, "who_is_met");
        progress.report(format!("waving at {who}"));
        if who == "crowd" {
            // Goes on for a while after it is told to stop.
            context.call().cancellation().cancelled().await;
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        }
        if is_true(&config, "fails") {
            self.0.note(format!("did not greet {who}"));
            return Diagnostic::error("Not heard", "shout").at(Path::root().attribute("who_is_met")).into();
        }
        self.0.note(format!("greeted {who}, {:?}", text(&config, "triggers")));
        Diagnostics::new()
    }
}

fn parameter(name: &str, ty: Type) -> FunctionParameter {
    let description = Description::default();
    FunctionParameter { name: name.into(), ty, allow_null: false, allow_unknown: false, description }
}

fn signature(parameters: Vec<FunctionParameter>, returns: Type) -> FunctionSignature {
    FunctionSignature {
        parameters,
        variadic: None,
        returns,
        summary: String::new(),
        description: Description::default(),
        deprecation: None,
    }
}

fn functions() -> Vec<(&'static str, Box<dyn ErasedFunction>)> {
    let strings = |values: &[Value]| -> Vec<String> {
        values.iter().map(|value| value.as_str().unwrap_or_default().to_owned()).collect()
    };
    let join = FunctionSignature {
        variadic: Some(parameter("all_parts", Type::String)),
        ..signature(vec![parameter("put_between", Type::String)], Type::String)
    };
    let join = function(join, move |arguments| {
        let mut parts = strings(&arguments);
        let between = parts.remove(0);
        match parts.iter().position(|part| part == "bad") {
            Some(position) => Err(argument_error(position + 1, "it must not be \"bad\"")),
            None => Ok(Value::string(parts.join(&between))),
        }
    });
    let result = Type::object([("zone_name", Type::String), ("box_number", Type::Number)]);
    let split = function(signature(vec![parameter("full_id", Type::String)], result), |arguments| {
        let id = arguments[0].as_str().unwrap_or_default();
        match id.split_once('/').map(|(zone, number)| (zone, number.parse::<i64>())) {
            Some((zone, Ok(number))) => {
                Ok(Value::object([("zone_name", Value::string(zone)), ("box_number", Value::number(number))]))
            }
            _ => Err(argument_error(0, "`full_id` is ZONE/NUMBER")),
        }
    });
    let any = FunctionParameter { allow_null: true, ..parameter("any_value", Type::Dynamic) };
    let echo = function(signature(vec![any], Type::Dynamic), |mut arguments| Ok(arguments.remove(0)));
    vec![("join_parts", join), ("split_id", split), ("echo", echo)]
}
