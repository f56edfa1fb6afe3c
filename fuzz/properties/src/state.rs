//! Stored states and identities on their way to the current version.

use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use bytes::Bytes;
use denobridge_core::cty::{Type, Value};
use denobridge_core::planning::rules;
use denobridge_core::provider::{
    RawState, UpgradeResourceIdentityRequest, UpgradeResourceIdentityResponse, UpgradeResourceStateRequest,
};
use denobridge_core::schema::{Attribute, Block, IdentityAttribute, IdentitySchema, NestedBlock, Nesting, Schema};
use denobridge_core::{Call, Diagnostic, Diagnostics, Provider};
use denobridge_framework::erased::{
    Create, Delete, ErasedResource, Outcome, Read, StateUpgrades, Update, Upgrade, UpgradeIdentity,
};
use denobridge_framework::{Context, ProviderBuilder};
use futures::executor::block_on;

const TYPE: &str = "fuzz_thing";

/// The version of the schema; a step leads there from 1, and none from 0.
const CURRENT: i64 = 2;

static PROVIDER: LazyLock<Arc<dyn Provider>> = LazyLock::new(|| {
    let built = ProviderBuilder::new("fuzz").resource(TYPE, Box::new(Thing)).build();
    Arc::new(built.unwrap())
});

/// A resource with attributes of every shape.
struct Thing;

fn attribute(name: &str, ty: Type, change: impl FnOnce(&mut Attribute)) -> Attribute {
    let mut attribute = Attribute::new(name, ty);
    change(&mut attribute);
    attribute
}

fn optional(name: &str, ty: Type) -> Attribute {
    attribute(name, ty, |attribute| attribute.optional = true)
}

fn schema() -> Schema {
    let nested = |name: &str, nesting| {
        let mut nested = Attribute::nested(name, nesting, vec![optional("text", Type::String)]);
        nested.optional = true;
        nested
    };
    let block = |name: &str, nesting, ty| NestedBlock {
        name: name.into(),
        nesting,
        block: Block { attributes: vec![optional("value", ty)], ..Block::default() },
        min_items: 0,
        max_items: 0,
    };
    let attributes = vec![
        attribute("id", Type::String, |attribute| attribute.computed = true),
        attribute("secret", Type::String, |attribute| (attribute.optional, attribute.sensitive) = (true, true)),
        attribute("key", Type::String, |attribute| (attribute.optional, attribute.write_only) = (true, true)),
        optional("any", Type::Dynamic),
        optional("sizes", Type::map(Type::list(Type::Number))),
        nested("list", Nesting::List),
        nested("set", Nesting::Set),
        nested("map", Nesting::Map),
    ];
    let blocks = vec![
        block("rule", Nesting::Set, Type::Bool),
        block("step", Nesting::List, Type::Number),
        block("one", Nesting::Single, Type::String),
    ];
    Schema { version: CURRENT, block: Block { attributes, blocks, ..Block::default() } }
}

#[async_trait]
impl ErasedResource for Thing {
    fn schema(&self) -> Schema {
        schema()
    }

    fn identity_schema(&self) -> Option<IdentitySchema> {
        let id = IdentityAttribute {
            name: "id".into(),
            ty: Type::list(Type::String),
            required_for_import: true,
            optional_for_import: false,
            description: String::new(),
        };
        Some(IdentitySchema { version: 1, attributes: vec![id] })
    }

    fn state_upgrades(&self) -> StateUpgrades {
        StateUpgrades::default().from_version(1, |state| Ok(serde_json::json!({ "any": state })))
    }

    async fn upgrade(&self, _: &Context, request: Upgrade) -> Outcome {
        Outcome::failed(Diagnostic::error("too old", request.version.to_string()))
    }

    async fn upgrade_identity(&self, _: &Context, _: UpgradeIdentity) -> Result<Value, Diagnostics> {
        Ok(Value::object([("id", Value::list(Type::String, [Value::string("old")]))]))
    }

    async fn create(&self, _: &Context, request: Create<'_>) -> Outcome {
        Outcome::of(request.planned)
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

/// A stored state or identity of any version (the first byte): what comes of it is an error, or an object that Terraform
/// core accepts.
pub fn raw_state(data: &[u8]) {
    let Some((version, stored)) = data.split_first() else { return };
    let version = i64::from(*version % 4);
    let raw = RawState { json: Bytes::copy_from_slice(stored), ..RawState::default() };
    let request = UpgradeResourceStateRequest { type_name: TYPE.into(), version, raw_state: raw.clone() };
    let response = block_on(PROVIDER.upgrade_resource_state(&Call::new(), request)).unwrap();
    if !response.diagnostics.has_errors() {
        let block = schema().block;
        let state = response.upgraded_state.decode(&block.implied_type()).unwrap().without_marks_deep();
        assert!(!state.is_null(), "neither a state nor an error");
        assert_eq!(rules::upgraded_state(&block, &state), []);
        assert!(version == 1 || version == CURRENT, "there is no way from version {version}");
    }
    let request = UpgradeResourceIdentityRequest { type_name: TYPE.into(), version, raw_identity: raw };
    identity(&block_on(PROVIDER.upgrade_resource_identity(&Call::new(), request)).unwrap());
}

fn identity(response: &UpgradeResourceIdentityResponse) {
    if !response.diagnostics.has_errors() {
        let schema = Thing.identity_schema().unwrap();
        let identity = response.upgraded_identity.decode(&schema.implied_type()).unwrap();
        assert_eq!(rules::identity_result(&schema, &identity, false), []);
    }
}
