//! Identities, older versions, and objects of other resources (F49).

use std::sync::Arc;

use denobridge_core::cty::{Type, Value};
use serde_json::json;

use crate::erased::MoveSource;
use crate::host::{Host, HostOptions, MovedFrom, ResourceState, StoredState};
use crate::prelude::*;

#[derive(Model)]
struct Disk {
    #[tf(computed, keep)]
    id: Tf<String>,
    #[tf(required, replace)]
    region: Tf<String>,
    #[tf(required)]
    sizes: Tf<Vec<i64>>,
}

#[derive(Model)]
struct DiskIdentity {
    #[tf(required)]
    id: Tf<String>,
    region: Tf<String>,
}

/// Version 0: one size, as text.
#[derive(Model)]
struct TextDisk {
    #[tf(computed)]
    id: Tf<String>,
    region: Option<String>,
    size: Option<String>,
}

/// Version 1: one size.
#[derive(Model)]
struct NumberDisk {
    #[tf(computed)]
    id: Tf<String>,
    region: Option<String>,
    size: Option<i64>,
}

struct Disks;

fn to_number(old: TextDisk) -> Result<NumberDisk, Failure> {
    let size = old.size.map(|size| size.parse()).transpose()?;
    Ok(NumberDisk { id: old.id, region: old.region, size })
}

fn to_list(old: NumberDisk) -> Disk {
    Disk { id: old.id, region: old.region.into(), sizes: old.size.map(|size| vec![size]).into() }
}

#[resource]
impl Resource for Disks {
    type Model = Disk;
    type Identity = DiskIdentity;

    const VERSION: i64 = 2;
    const IDENTITY_VERSION: i64 = 1;

    fn upgrades(&self) -> Upgrades {
        Upgrades::default().step(0, to_number).step(1, |old| Ok(to_list(old)))
    }

    fn moves(&self) -> Moves<Disk> {
        Moves::default().from_model(MoveSource::of_type("old_disk"), |old| Ok(to_list(old)))
    }

    async fn create(&self, _: &Context, plan: Planned<'_, Self>) -> Outcome<Disk> {
        Ok(Disk { id: "d-1".into(), ..plan.state })
    }

    async fn read(&self, context: &Context, now: Stored<'_, Self>) -> Result<Option<Disk>, Failure> {
        // What was imported knows its identity and no more.
        let region = if now.state.region.is_null() { "eu".into() } else { now.state.region };
        let known = context.identity().and_then(|identity| identity.attribute("id")).cloned();
        if now.state.id.known().is_some_and(|id| id == "told") && known != Some(Value::string("told")) {
            return Err(Failure::new("No identity", "The context does not know it."));
        }
        let sizes = if now.state.sizes.is_null() { vec![1].into() } else { now.state.sizes };
        Ok(Some(Disk { region, sizes, ..now.state }))
    }

    async fn delete(&self, _: &Context, _: Removed<'_, Self>) -> Result<(), Failure> {
        Ok(())
    }
}

async fn host() -> Host {
    let provider = ProviderBuilder::new("test").add_resource("test_disk", Disks).build().unwrap();
    Host::start(Arc::new(provider), HostOptions::default()).await.unwrap()
}

fn disk(id: &str, sizes: &[i64]) -> Value {
    let disk = Disk { id: id.into(), region: "eu".into(), sizes: sizes.to_vec().into() };
    disk.to_value()
}

#[tokio::test]
async fn f49_a_typed_resource_is_imported_by_identity() {
    let host = host().await;
    let disks = host.resource("test_disk", "one").unwrap();
    let schema = disks.identity_schema().unwrap();
    let needed: Vec<bool> = schema.attributes.iter().map(|attribute| attribute.required_for_import).collect();
    assert_eq!((schema.version, needed), (1, vec![true, false]));
    let identity = Value::object([("id", Value::string("d-7")), ("region", Value::string("eu"))]);
    let imported = disks.import_by_identity(&identity).await.expect_some();
    assert_eq!(imported.value, disk("d-7", &[1]));
    assert_eq!(imported.identity, Some(identity));
    disks.import_by_identity(&Value::object([("region", Value::string("eu"))])).await.expect_error("\"id\"");
}

#[tokio::test]
async fn f46_the_identity_is_in_the_context() {
    let host = host().await;
    let disks = host.resource("test_disk", "one").unwrap();
    let config =
        Value::object([("region", Value::string("eu")), ("sizes", disk("", &[1]).attribute("sizes").unwrap().clone())]);
    let mut state = disks.converge(&config, None).await.expect_some().state;
    state.value = state.value.with_attribute("id", Value::string("told"));
    state.identity = Some(Value::object([("id", Value::string("told")), ("region", Value::string("eu"))]));
    assert_eq!(disks.refresh(&state).await.expect_some().identity, state.identity);
}

#[tokio::test]
async fn f49_typed_states_come_through_a_chain_of_versions() {
    let host = host().await;
    let disks = host.resource("test_disk", "one").unwrap();
    let config =
        Value::object([("region", Value::string("eu")), ("sizes", disk("", &[1]).attribute("sizes").unwrap().clone())]);
    let state = disks.converge(&config, None).await.expect_some().state;
    let mut stored = disks.store(&state).unwrap();
    stored.schema_version = 0;
    stored.attributes = json!({ "id": "d-1", "region": "eu", "size": "12", "gone": true });
    assert_eq!(disks.load(&stored).await.expect_some().value, disk("d-1", &[12]));
    stored.schema_version = 1;
    stored.attributes = json!({ "id": "d-1", "region": "eu", "size": 13 });
    assert_eq!(disks.load(&stored).await.expect_some().value, disk("d-1", &[13]));
    stored.schema_version = 0;
    stored.attributes = json!({ "id": "d-1", "region": "eu", "size": "big" });
    disks.load(&stored).await.expect_error("invalid digit");
    stored.attributes = json!({ "id": "d-1", "region": "eu", "size": ["big"] });
    disks.load(&stored).await.expect_error("A state of schema version 0 cannot be read");
}

#[tokio::test]
async fn f49_objects_of_another_resource_become_typed_ones() {
    let host = host().await;
    let disks = host.resource("test_disk", "one").unwrap();
    let source = MovedFrom {
        provider_address: "registry.terraform.io/acme/old".to_owned(),
        type_name: "old_disk".to_owned(),
        attributes: json!({ "id": "d-3", "region": "eu", "size": 5 }),
        ..MovedFrom::default()
    };
    let moved = disks.move_from(&source).await.expect_some();
    assert_eq!(moved.value, disk("d-3", &[5]));
    let other = MovedFrom { type_name: "other".to_owned(), ..source };
    disks.move_from(&other).await.expect_error("cannot make a test_disk of a other");
}

#[tokio::test]
async fn f49_a_typed_identity_of_an_older_version_keeps_what_has_the_same_name() {
    let host = host().await;
    let disks = host.resource("test_disk", "one").unwrap();
    let mut stored = StoredState {
        type_name: "test_disk".to_owned(),
        schema_version: 2,
        attributes: json!({ "id": "d-1", "region": "eu", "sizes": [1] }),
        private: String::new(),
        identity: Some(json!({ "id": "d-1", "gone": true })),
        identity_schema_version: 0,
        tainted: false,
    };
    let identity = Value::object([("id", Value::string("d-1")), ("region", Value::null(Type::String))]);
    assert_eq!(disks.load(&stored).await.expect_some().identity, Some(identity));
    stored.identity = Some(json!({ "id": ["d-1"] }));
    let refused = disks.load(&stored).await;
    assert_eq!(refused.report.diagnostics.errors().next().unwrap().summary, "The stored identity is too old");
}

/// Writes configurations and upgrades identities by code of its own.
struct Labels;

#[derive(Model)]
struct Label {
    #[tf(required)]
    text: Tf<String>,
    colour: Tf<String>,
    #[tf(computed)]
    id: Tf<String>,
}

#[derive(Model)]
struct LabelIdentity {
    #[tf(required)]
    id: Tf<String>,
}

#[resource]
impl Resource for Labels {
    type Model = Label;
    type Identity = LabelIdentity;

    const VERSION: i64 = 1;
    const IDENTITY_VERSION: i64 = 3;

    async fn create(&self, _: &Context, plan: Planned<'_, Self>) -> Outcome<Label> {
        Ok(Label { id: "l-1".into(), ..plan.state })
    }

    async fn read(&self, _: &Context, now: Stored<'_, Self>) -> Result<Option<Label>, Failure> {
        Ok(Some(now.state))
    }

    async fn delete(&self, _: &Context, _: Removed<'_, Self>) -> Result<(), Failure> {
        Ok(())
    }

    async fn upgrade_identity(
        &self,
        _: &Context,
        version: i64,
        identity: serde_json::Value,
    ) -> Result<LabelIdentity, Failure> {
        let number = identity["number"].as_i64().ok_or_else(|| Failure::new("No number", "It has no number."))?;
        Ok(LabelIdentity { id: format!("l-{number} of version {version}").into() })
    }

    async fn generate_config(&self, _: &Context, state: Label) -> Result<Label, Failure> {
        match state.text.need("text")?.as_str() {
            "secret" => Err(Failure::new("Not to be written", "It is a secret.")),
            // White is what a label is without a colour.
            _ if state.colour.known().is_some_and(|colour| colour == "white") => {
                Ok(Label { colour: Tf::Null, id: Tf::Null, ..state })
            }
            _ => Ok(Label { id: Tf::Null, ..state }),
        }
    }
}

async fn labels() -> Host {
    let provider = ProviderBuilder::new("test").add_resource("test_label", Labels).build().unwrap();
    Host::start(Arc::new(provider), HostOptions::default()).await.unwrap()
}

fn label(text: &str, colour: Option<&str>) -> ResourceState {
    let label = Label { text: text.into(), colour: colour.map(str::to_owned).into(), id: "l-1".into() };
    ResourceState { value: label.to_value(), private: bytes::Bytes::new(), identity: None, tainted: false }
}

#[tokio::test]
async fn f49_a_typed_resource_writes_configurations_by_its_own_rules() {
    let host = labels().await;
    let labels = host.resource("test_label", "one").unwrap();
    let written = |config: &Value| (config.attribute("colour").cloned(), config.attribute("id").cloned());
    let null = || Some(Value::null(Type::String));
    let white = labels.generate_config(&label("a", Some("white"))).await.expect_some();
    assert_eq!(written(&white), (null(), null()));
    let red = labels.generate_config(&label("a", Some("red"))).await.expect_some();
    assert_eq!(written(&red), (Some(Value::string("red")), null()));
    assert_eq!(labels.generate_config(&label("secret", None)).await.expect_error("It is a secret."), None);

    // Who writes none by its own rules leaves it to core.
    let host = self::host().await;
    let disks = host.resource("test_disk", "one").unwrap();
    let state = ResourceState { value: disk("d-1", &[1]), ..label("", None) };
    disks.generate_config(&state).await.expect_error("leaves it to core");
}

#[tokio::test]
async fn f49_a_typed_identity_is_upgraded_by_its_own_rules() {
    let host = labels().await;
    let labels = host.resource("test_label", "one").unwrap();
    let mut stored = labels.store(&label("a", None)).unwrap();
    stored.identity = Some(json!({ "number": 7 }));
    stored.identity_schema_version = 2;
    let identity = Value::object([("id", Value::string("l-7 of version 2"))]);
    assert_eq!(labels.load(&stored).await.expect_some().identity, Some(identity));
    stored.identity = Some(json!({ "id": "l-7" }));
    labels.load(&stored).await.expect_error("It has no number.");
}

#[tokio::test]
async fn f3_a_state_of_an_older_version_keeps_what_has_the_same_name() {
    let host = labels().await;
    let labels = host.resource("test_label", "one").unwrap();
    let mut stored = labels.store(&label("a", None)).unwrap();
    stored.schema_version = 0;
    stored.attributes = json!({ "text": "a", "id": "l-1", "gone": [1] });
    assert_eq!(labels.load(&stored).await.expect_some().value, label("a", None).value);
    stored.attributes = json!({ "text": ["a"] });
    labels.load(&stored).await.expect_error("does not fit version 1");
}
