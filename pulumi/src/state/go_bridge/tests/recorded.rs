//! States that the Go bridge has written: they read, and are written again as they were.

use denobridge_core::cty::Type;
use denobridge_core::schema::Attribute;

use super::*;

// The schemas that the stacks were made with are recorded for the tests of packages.
#[path = "../../../../../sdk-gen/tests/bridged/wire.rs"]
mod wire;

/// What is stored after reading and writing.
fn written_again(outputs: &PropertyMap, names: &ObjectNames) -> PropertyMap {
    let stored = read(GoBridge, outputs, names).expect("reads");
    let value = crate::translate::align::with_marks_of(&state(&stored, names), &stored.value);
    write(GoBridge, &value, names, &stored.kept).outputs
}

fn check_stack(reply: &[u8], provider: &str, resources: &str) -> usize {
    let schema = wire::provider_schema(reply, 5);
    let package = generate_bridged(&schema, &BridgedOptions::new(provider, "0.0.0")).expect("a package");
    let resources: Vec<Json> = serde_json::from_str(resources).expect("JSON");
    for resource in &resources {
        let token = resource["type"].as_str().expect("a token");
        let names = &package.names.resource(token).expect("a resource").fields;
        let outputs = properties(&resource["outputs"]);
        let again = written_again(&outputs, names);
        assert_eq!(shown(&PropertyValue::Object(again)), shown(&PropertyValue::Object(outputs)), "{token}");
    }
    resources.len()
}

#[test]
fn stacks_are_written_again_as_they_were() {
    let time = include_bytes!("../../../../../sdk-gen/tests/bridged/data/time/provider-schema.pb");
    assert_eq!(check_stack(time, "time", include_str!("data/time.json")), 5);
    let random = include_bytes!("../../../../../sdk-gen/tests/bridged/data/random/provider-schema.pb");
    assert_eq!(check_stack(random, "random", include_str!("data/random.json")), 8);
}

/// The resource of the Go bridge's own test provider.
fn primitive() -> Block {
    let required = |name: &str, ty: Type| Attribute { required: true, ..Attribute::new(name, ty) };
    let computed = |name: &str, ty: Type| Attribute { computed: true, ..Attribute::new(name, ty) };
    let optional = |name: &str| Attribute { optional: true, computed: true, ..Attribute::new(name, Type::String) };
    let attributes = vec![
        required("attr_string_required", Type::String),
        required("attr_bool_required", Type::Bool),
        required("attr_int_required", Type::Number),
        required("attr_number_required", Type::Number),
        computed("attr_string_computed", Type::String),
        computed("attr_bool_computed", Type::Bool),
        computed("attr_int_computed", Type::Number),
        computed("attr_number_computed", Type::Number),
        optional("attr_string_default"),
        optional("attr_string_default_overridden"),
        Attribute { optional: true, write_only: true, ..Attribute::new("attr_string_write_only", Type::String) },
        computed("id", Type::String),
    ];
    Block { attributes, ..Block::default() }
}

/// There the engine took no secrets, so none are marked.
#[test]
fn replies_of_the_go_bridge_are_written_as_it_has_them() {
    let names = names(primitive());
    for reply in [
        include_str!("data/primitive-create.json"),
        include_str!("data/primitive-update.json"),
        include_str!("data/primitive-read.json"),
        include_str!("data/primitive-import.json"),
    ] {
        let reply: Json = serde_json::from_str(reply).expect("JSON");
        let again = written_again(&properties(&reply["properties"]), &names);
        assert_eq!(shown(&PropertyValue::Object(again).without_secrets()), reply["properties"]);
    }
}
