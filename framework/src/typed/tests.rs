mod digits;
mod functions;
mod history;
mod kinds;

use std::sync::Arc;

use denobridge_core::cty::{Type, Value};
use denobridge_core::planning::Action;
use denobridge_core::schema::Schema;

use super::changes;
use crate::host::{Host, HostOptions, Step};
use crate::prelude::*;
use crate::schema::{SchemaFault, list, number, resource as resource_schema, string};

#[derive(Model)]
struct Thing {
    #[tf(computed, keep)]
    id: Tf<String>,
    #[tf(required)]
    name: Tf<String>,
}

/// Only what must be written.
struct Things;

#[resource]
impl Resource for Things {
    type Model = Thing;
    type Private = u32;

    async fn create(&self, _: &Context, plan: Planned<'_, Self>) -> Outcome<Thing> {
        *plan.private += 1;
        let thing = Thing { id: "id-1".into(), ..plan.state };
        if thing.name.need("name")? == "half" {
            return Err(Failure::new("Half made", "The rest is missing.").leaving(thing));
        }
        Ok(thing)
    }

    async fn read(&self, _: &Context, now: Stored<'_, Self>) -> Result<Option<Thing>, Failure> {
        Ok(Some(Thing { name: format!("made {} times", now.private).into(), ..now.state }))
    }

    async fn delete(&self, _: &Context, _: Removed<'_, Self>) -> Result<(), Failure> {
        Ok(())
    }
}

async fn host() -> Host {
    let provider = ProviderBuilder::new("test").add_resource("test_thing", Things).build().unwrap();
    Host::start(Arc::new(provider), HostOptions::default()).await.unwrap()
}

fn named(name: &str) -> Value {
    Value::object([("name", Value::string(name))])
}

fn done<T>(step: Step<T>) -> T {
    assert!(!step.report.failed(), "{:?}", step.report);
    step.value
}

#[tokio::test]
async fn f3_without_an_update_any_change_replaces_and_import_goes_by_id() {
    let host = host().await;
    let thing = host.resource("test_thing", "one").unwrap();
    let config = thing.config(&named("a")).unwrap();
    let plan = done(thing.plan(&config, None).await).unwrap();
    let state = done(thing.apply(&plan, &config).await).unwrap();
    let refreshed = done(thing.refresh(&state).await).unwrap();
    assert_eq!(refreshed.value.attribute("name"), Some(&Value::string("made 1 times")), "private data were kept");

    let config = thing.config(&named("b")).unwrap();
    let plan = done(thing.plan(&config, Some(&state)).await).unwrap();
    assert_eq!(plan.action, Action::Replace);
    assert_eq!(plan.requires_replace, [Path::root().attribute("name")]);

    let imported = done(thing.import("id-7").await).unwrap();
    assert_eq!(imported.value.attribute("id"), Some(&Value::string("id-7")));

    let mut stored = thing.store(&state).unwrap();
    stored.attributes["gone"] = serde_json::json!(1);
    assert_eq!(done(thing.load(&stored).await).unwrap().value, state.value);
}

#[tokio::test]
async fn what_failed_halfway_is_kept() {
    let host = host().await;
    let thing = host.resource("test_thing", "one").unwrap();
    let config = thing.config(&named("half")).unwrap();
    let plan = done(thing.plan(&config, None).await).unwrap();
    let step = thing.apply(&plan, &config).await;
    assert_eq!(step.report.diagnostics.errors().next().unwrap().summary, "Half made");
    assert!(step.value.unwrap().tainted);
}

struct HandWritten(Schema);

#[resource]
impl Resource for HandWritten {
    type Model = Thing;

    fn schema(&self) -> Schema {
        self.0.clone()
    }

    async fn create(&self, _: &Context, plan: Planned<'_, Self>) -> Outcome<Thing> {
        Ok(plan.state)
    }

    async fn read(&self, _: &Context, now: Stored<'_, Self>) -> Result<Option<Thing>, Failure> {
        Ok(Some(now.state))
    }

    async fn delete(&self, _: &Context, _: Removed<'_, Self>) -> Result<(), Failure> {
        Ok(())
    }
}

#[test]
fn f2_a_schema_that_disagrees_with_its_model_is_refused_with_all_faults() {
    let schema = resource_schema([number("id").computed(), list("Tags", Type::Dynamic)]).build();
    let error = ProviderBuilder::new("test").add_resource("test_thing", HandWritten(schema)).build().err().unwrap();
    let BuildError::Schema { problems, .. } = &error else { panic!("{error}") };
    let told: Vec<(String, SchemaFault)> =
        problems.iter().map(|problem| (problem.path.to_string(), problem.fault.clone())).collect();
    let at = |path: &str, fault| (path.to_owned(), fault);
    assert_eq!(
        told,
        [
            at("Tags", SchemaFault::Name),
            at("Tags", SchemaFault::DynamicInCollection),
            at("id", SchemaFault::ModelType { model: "Thing", schema: Type::Number, held: Type::String }),
            at("Tags", SchemaFault::NotInModel { model: "Thing" }),
            at("name", SchemaFault::NotInSchema { model: "Thing" }),
        ]
    );
    let text = error.to_string();
    assert!(text.starts_with("provider test has 5 faults in its schemas:\n  - resource test_thing, Tags: "), "{text}");
    let agreed = resource_schema([string("id").computed(), string("name")]).build();
    assert!(ProviderBuilder::new("test").add_resource("test_thing", HandWritten(agreed)).build().is_ok());
}

#[test]
fn f45_changes_are_told_with_old_and_new() {
    let object = |a: i64, b: i64| Value::object([("a", Value::number(a)), ("b", Value::number(b))]);
    let changed = changes(&object(1, 2), &object(1, 3));
    assert_eq!(changed.len(), 1);
    assert_eq!(
        (&*changed[0].name, &changed[0].old, &changed[0].new),
        ("b", &Some(Value::number(2)), &Some(Value::number(3)))
    );
    let null = Value::null(object(1, 2).ty());
    assert_eq!(changes(&null, &object(1, 2)).len(), 2);
    assert_eq!(changes(&object(1, 2), &object(1, 2)), []);
}
