//! The managed resource.

use async_trait::async_trait;
use denobridge_core::cty::{Type, Value};
use denobridge_core::schema::{IdentityAttribute, IdentitySchema, Schema};
use denobridge_core::{Diagnostic, Diagnostics};
use denobridge_framework::erased::*;
use denobridge_framework::{Context, PlanEdit};
use serde_json::json;

use super::components::{does, done, obey};
use super::{attribute, schema};

/// `does`, `secret`, `id`, `key` and the write-only `password`.
pub(super) struct Thing;

/// One of its objects.
pub(super) fn object(secret: Option<Value>, id: Value) -> Value {
    let null = || Value::null(Type::String);
    let secret = secret.unwrap_or_else(null);
    Value::object([("does", null()), ("secret", secret), ("id", id), ("key", null()), ("password", null())])
}

/// The object with its word among the private data, where a deletion and a read find it.
fn made(planned: Value) -> Value {
    done(planned)
}

#[async_trait]
impl ErasedResource for Thing {
    fn schema(&self) -> Schema {
        schema(vec![attribute("password", |a| (a.optional, a.write_only) = (true, true))])
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        if does(config) == "panic in validation" {
            panic!("deliberate")
        }
        Diagnostics::new()
    }

    fn identity_schema(&self) -> Option<IdentitySchema> {
        let id = IdentityAttribute {
            name: "id".into(),
            ty: Type::String,
            required_for_import: true,
            optional_for_import: false,
            description: String::new(),
        };
        Some(IdentitySchema { version: 1, attributes: vec![id] })
    }

    async fn modify_plan(&self, _: &Context, plan: &mut PlanEdit) -> Diagnostics {
        if does(plan.planned()) == "panic in planning" {
            panic!("deliberate")
        }
        Diagnostics::new()
    }

    async fn create(&self, context: &Context, request: Create<'_>) -> Outcome {
        if does(&request.config) == "slow" {
            context.call().log(denobridge_core::call::LogLevel::Info, "kinds", "waiting to be stopped");
            context.call().cancellation().cancelled().await;
            let stopped = Diagnostic::error("stopped", "The object is there in part.");
            return Outcome { state: Some(made(request.planned)), diagnostics: stopped.into() };
        }
        let diagnostics = obey(context, &request.config);
        if let Err(error) = request.private.set("secret", &request.config.attribute("password").and_then(Value::as_str))
        {
            return Outcome::failed(Diagnostic::error("", error.to_string()));
        }
        Outcome { state: Some(made(request.planned)), diagnostics }
    }

    async fn read(&self, context: &Context, request: Read<'_>) -> Outcome {
        let diagnostics = obey(context, &request.state);
        Outcome { state: Some(request.state), diagnostics }
    }

    async fn update(&self, context: &Context, request: Update<'_>) -> Outcome {
        let diagnostics = obey(context, &request.config);
        Outcome { state: Some(made(request.planned)), diagnostics }
    }

    async fn delete(&self, context: &Context, request: Delete<'_>) -> Diagnostics {
        obey(context, &request.prior)
    }

    async fn import(&self, context: &Context, request: Import<'_>) -> Outcome {
        let ImportTarget::Id(id) = request.target;
        let diagnostics = obey(context, &Value::object([("does", Value::string(id))]));
        Outcome { state: Some(done(object(None, Value::string(id)))), diagnostics }
    }

    async fn upgrade_identity(&self, _: &Context, request: UpgradeIdentity) -> Result<Value, Diagnostics> {
        if request.identity["id"] == json!("panic") {
            panic!("deliberate")
        }
        Ok(Value::object([("id", Value::string(request.identity["id"].as_str().unwrap_or_default()))]))
    }

    fn move_sources(&self) -> Vec<MoveSource> {
        vec![MoveSource::of_type("old_thing")]
    }

    async fn take_over(&self, _: &Context, request: Move<'_>) -> Outcome {
        let secret = &request.state["secret"];
        if request.state["does"] == json!("panic") {
            panic!("deliberate, with {secret}")
        }
        if request.state["does"] == json!("fail") {
            return Outcome::failed(Diagnostic::error("", format!("cannot use {secret}")));
        }
        Outcome::of(done(object(request.state["secret"].as_str().map(Value::string), Value::string("1"))))
    }

    fn generates_config(&self) -> bool {
        true
    }

    async fn generate_config(&self, context: &Context, state: Value) -> Outcome {
        let diagnostics = obey(context, &state);
        let null = || Value::null(Type::String);
        let config = state.with_attribute("id", null()).with_attribute("key", null());
        Outcome { state: Some(config), diagnostics }
    }

    async fn upgrade(&self, context: &Context, request: Upgrade) -> Outcome {
        let part = |name: &str| Value::string(request.state[name].as_str().unwrap_or_default());
        let secret = Some(part("secret"));
        let diagnostics = obey(context, &Value::object(["does", "secret"].map(|name| (name, part(name)))));
        Outcome { state: Some(done(object(secret, Value::string("1")))), diagnostics }
    }
}
