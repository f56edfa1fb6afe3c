//! Registration, and what becomes of components that do not fit.

use std::sync::Arc;

use denobridge_core::cty::{Type, Value};
use denobridge_core::provider::*;
use denobridge_core::schema::{Attribute, Block, Schema};
use denobridge_core::{Call, Provider};

use super::fixtures::*;
use super::summaries;
use crate::erased::{DataRead, ErasedCapability, ErasedDataSource, function};
use crate::hub::{Component, ComponentKind, Hub, HubError, Registered};
use crate::{BuildError, Context, ProviderBuilder};

fn lookup() -> Arc<dyn ErasedDataSource> {
    Arc::new(Lookup)
}

#[test]
fn f8_registering_again_is_nothing_and_another_replaces_or_is_refused() {
    for (hub, expected) in [
        (Hub::new(), Ok(Registered::Replaced)),
        (Hub::strict(), Err(HubError::Taken { kind: ComponentKind::DataSource, name: "a".into() })),
    ] {
        let first = lookup();
        assert_eq!(hub.register("a", first.clone()), Ok(Registered::Added));
        assert_eq!(hub.register("a", first), Ok(Registered::Unchanged));
        assert_eq!(hub.register("a", lookup()), expected);
    }
}

#[tokio::test]
async fn f8_a_replaced_component_comes_with_a_warning() {
    let hub = Arc::new(Hub::new());
    hub.register("test_a", lookup()).unwrap();
    hub.register("test_a", lookup()).unwrap();
    let provider = ProviderBuilder::new("test").hub(hub).build().unwrap();
    let schema = provider.get_provider_schema(&Call::new(), GetProviderSchemaRequest {}).await.unwrap();
    assert_eq!(summaries(&schema.diagnostics), ["A component was replaced"]);
    assert!(!schema.diagnostics.has_errors());
}

#[test]
fn f9_components_are_found_by_kind_and_name() {
    let hub = Hub::new();
    hub.register("a", lookup()).unwrap();
    hub.register("f", function(signature(), repeat)).unwrap();
    assert!(hub.get(ComponentKind::DataSource, "a").is_some());
    assert!(hub.get(ComponentKind::Resource, "a").is_none());
    assert_eq!(hub.list(None).len(), 2);
    assert_eq!(hub.list(Some(ComponentKind::Function)).len(), 1);
    assert!(hub.list(Some(ComponentKind::Action)).is_empty());
}

#[test]
fn f10_private_hubs_do_not_see_each_other_and_the_process_has_one() {
    let (one, other) = (Hub::new(), Hub::new());
    one.register("a", lookup()).unwrap();
    assert!(other.list(None).is_empty());
    assert!(Arc::ptr_eq(Hub::process(), Hub::process()));
    assert!(Hub::process().get(ComponentKind::DataSource, "a").is_none());
}

/// Three settings, two of which must be there.
struct Metrics;

impl ErasedCapability for Metrics {
    fn settings(&self) -> Block {
        let attributes = ["endpoint", "key"].map(|name| attribute(name, |a| a.optional = true));
        Block { attributes: attributes.into(), ..Block::default() }
    }
}

fn with_metrics() -> ProviderBuilder {
    let region = attribute("region", |a| a.optional = true);
    let schema = Schema { version: 0, block: Block { attributes: vec![region], ..Block::default() } };
    let lookup: Box<dyn ErasedDataSource> = Box::new(Owner);
    ProviderBuilder::new("test").config_schema(schema).capability("metrics", Box::new(Metrics)).component_of(
        "metrics",
        "test_lookup",
        lookup,
    )
}

/// Returns the capability that it belongs to.
struct Owner;

#[async_trait::async_trait]
impl ErasedDataSource for Owner {
    fn schema(&self) -> Schema {
        schema()
    }

    async fn read(&self, context: &Context, config: Value) -> DataRead {
        DataRead::of(config.with_attribute("id", Value::string(context.capability().unwrap_or_default())))
    }
}

fn error_of(builder: ProviderBuilder) -> BuildError {
    builder.build().map(|_| ()).unwrap_err()
}

#[tokio::test]
async fn f11_capabilities_add_to_the_configuration_and_clashes_name_both_owners() {
    let schema = with_metrics().build().unwrap().get_provider_schema(&Call::new(), GetProviderSchemaRequest {}).await;
    let schema = schema.unwrap().schema;
    let names: Vec<&str> = schema.provider.block.attributes.iter().map(|attribute| &*attribute.name).collect();
    assert_eq!(names, ["region", "endpoint", "key"]);
    let error = error_of(with_metrics().capability("statistics", Box::new(Metrics))).to_string();
    assert!(
        error.contains("the capability metrics and the capability statistics") && error.contains("endpoint"),
        "{error}"
    );
    let own = Attribute { optional: true, ..Attribute::new("key", Type::String) };
    let own = Schema { version: 0, block: Block { attributes: vec![own], ..Block::default() } };
    let error = error_of(with_metrics().config_schema(own)).to_string();
    assert!(error.contains("the provider itself and the capability metrics"), "{error}");
}

#[tokio::test]
async fn f12_f17_components_need_their_capability() {
    let unknown = error_of(with_metrics().component_of("nothing", "f", function(signature(), repeat)));
    assert!(
        matches!(&unknown, BuildError::UnknownCapability { capability, .. } if capability == "nothing"),
        "{unknown}"
    );

    let provider = with_metrics().build().unwrap();
    let schema = provider.get_provider_schema(&Call::new(), GetProviderSchemaRequest {}).await.unwrap();
    assert!(schema.schema.data_sources.contains_key("test_lookup"));
    let read = || {
        let (type_name, config) = ("test_lookup".into(), config("x").into());
        let request = ReadDataSourceRequest { type_name, config, ..Default::default() };
        async { provider.read_data_source(&Call::new(), request).await }
    };
    let configure = |key: Value| {
        let config =
            Value::object([("region", Value::null(Type::String)), ("endpoint", Value::string("e")), ("key", key)]);
        let request = ConfigureProviderRequest { config: config.into(), ..Default::default() };
        async { provider.configure_provider(&Call::new(), request).await.unwrap() }
    };
    let unconfigured = read().await.unwrap().diagnostics;
    assert!(details(&unconfigured).contains("Set \"endpoint\", \"key\""), "{unconfigured:?}");
    configure(Value::null(Type::String)).await;
    let half = read().await.unwrap().diagnostics;
    assert!(details(&half).contains("Set \"key\" in the configuration"), "{half:?}");
    configure(Value::string("k")).await;
    let response = read().await.unwrap();
    let state = response.state.decode(&schema_type()).unwrap();
    assert_eq!(state.attribute("id"), Some(&Value::string("metrics")));
}

fn schema_type() -> Type {
    schema().implied_type()
}

#[tokio::test]
async fn f25_components_come_until_the_schema_is_served() {
    let hub = Arc::new(Hub::new());
    let provider = ProviderBuilder::new("test").hub(Arc::clone(&hub)).build().unwrap();
    hub.register("test_lookup", lookup()).unwrap();
    let schema = provider.get_provider_schema(&Call::new(), GetProviderSchemaRequest {}).await.unwrap();
    assert!(schema.schema.data_sources.contains_key("test_lookup"));
    let late = hub.register("test_late", lookup()).unwrap_err();
    assert!(matches!(late, HubError::TooLate { .. }), "{late}");
}

/// Describes itself as its number says: with a panic, or with a schema that Terraform refuses.
struct Broken(u8);

#[async_trait::async_trait]
impl ErasedDataSource for Broken {
    fn schema(&self) -> Schema {
        assert_ne!(self.0, 0, "no schema");
        let attributes = vec![attribute("count", |a| a.optional = true)];
        Schema { version: 0, block: Block { attributes, ..Block::default() } }
    }

    async fn read(&self, _: &Context, config: Value) -> DataRead {
        DataRead::of(config)
    }
}

#[tokio::test]
async fn f52_f54_one_broken_component_is_a_warning_and_the_others_are_served() {
    let hub = Arc::new(Hub::new());
    let broken = |number| Component::DataSource(Arc::new(Broken(number)));
    let list: Box<dyn crate::erased::ErasedListResource> = Box::new(Things);
    hub.register("test_panics", broken(0)).unwrap();
    hub.register("test_reserved", broken(1)).unwrap();
    hub.register("not a name", function(signature(), repeat)).unwrap();
    hub.register("test_alone", list).unwrap();
    hub.register("test_lookup", lookup()).unwrap();
    let provider = ProviderBuilder::new("test").hub(hub).build().unwrap();
    let schema = provider.get_provider_schema(&Call::new(), GetProviderSchemaRequest {}).await.unwrap();
    assert!(!schema.diagnostics.has_errors());
    assert_eq!(schema.diagnostics.len(), 4, "{:?}", schema.diagnostics);
    for named in
        ["data source test_panics", "data source test_reserved", "function not a name", "list resource test_alone"]
    {
        assert!(summaries(&schema.diagnostics).iter().any(|summary| summary.contains(named)), "{named}");
    }
    assert!(schema.schema.data_sources.keys().map(|name| &**name).eq(["test_lookup"]));
    let metadata = provider.get_metadata(&Call::new(), GetMetadataRequest {}).await.unwrap();
    assert!(metadata.data_sources.iter().eq(schema.schema.data_sources.keys()));
    assert!(metadata.list_resources.is_empty() && metadata.functions.is_empty());
}

#[tokio::test]
async fn f54_names_and_capabilities_agree_for_every_kind() {
    let provider = provider();
    let metadata = provider.get_metadata(&Call::new(), GetMetadataRequest {}).await.unwrap();
    let response = provider.get_provider_schema(&Call::new(), GetProviderSchemaRequest {}).await.unwrap();
    let schema = &response.schema;
    assert_eq!(metadata.server_capabilities, response.server_capabilities);
    assert!(metadata.resources.iter().eq(schema.resources.keys()));
    assert!(metadata.data_sources.iter().eq(schema.data_sources.keys()));
    assert!(metadata.functions.iter().eq(schema.functions.keys()));
    assert!(metadata.ephemeral_resources.iter().eq(schema.ephemeral_resources.keys()));
    assert!(metadata.actions.iter().eq(schema.actions.keys()));
    assert!(metadata.list_resources.iter().eq(schema.list_resources.keys()));
    assert!(metadata.state_stores.iter().eq(schema.state_stores.keys()));
    assert!(schema.identities.keys().map(|name| &**name).eq(["test_object"]));
}

#[test]
fn f52_what_the_builder_was_given_must_be_without_fault() {
    let error = error_of(ProviderBuilder::new("test").data_source("test_x", Box::new(Broken(0))));
    assert!(error.to_string().contains("panicked while describing itself"), "{error}");
    let error = error_of(ProviderBuilder::new("test").data_source("test_x", Box::new(Broken(1))));
    assert!(matches!(error, BuildError::Schema { .. }), "{error}");
    let error = error_of(ProviderBuilder::new("test").list_resource("test_x", Box::new(Things)));
    assert!(error.to_string().contains("no managed resource of that name with an identity"), "{error}");
}
