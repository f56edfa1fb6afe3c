//! Identities, older versions, and objects of other resources (F49).

use std::sync::Arc;

use denobridge_core::cty::Value;
use serde_json::json;

use crate::erased::MoveSource;
use crate::host::{Host, HostOptions, MovedFrom};
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
