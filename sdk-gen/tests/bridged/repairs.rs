//! Repairs that no recorded provider needs, each on a provider that does.

use denobridge_core::cty::Type;
use denobridge_core::schema::{Attribute, Block, ProviderSchema, Schema};
use denobridge_sdk_gen::{BridgedOptions, Package, Repair, Repairs, ResourceId, SchemaError, generate_bridged};
use serde_json::{Value, json};

fn optional(name: &str, ty: Type) -> Attribute {
    Attribute { optional: true, ..Attribute::new(name, ty) }
}

fn provider(resources: Vec<(&str, Vec<Attribute>)>) -> ProviderSchema {
    let schema = |attributes| Schema { version: 0, block: Block { attributes, ..Block::default() } };
    let resources = resources.into_iter().map(|(name, attributes)| (name.into(), schema(attributes)));
    ProviderSchema { resources: resources.collect(), ..ProviderSchema::default() }
}

fn package(schema: &ProviderSchema, repairs: Repairs) -> Result<Package, SchemaError> {
    generate_bridged(schema, &BridgedOptions { repairs, ..BridgedOptions::new("test", "1.0.0") })
}

fn property(package: &Package, resource: &str, property: &str) -> Value {
    package.schema["resources"][resource]["properties"][property].clone()
}

#[test]
fn tuples_are_arrays() {
    let schema = provider(vec![("test_a", vec![optional("pair", Type::tuple([Type::String, Type::Number]))])]);
    let error = package(&schema, Repairs::none()).unwrap_err();
    assert_eq!(error, SchemaError::Tuple { place: "resource test_a, pair".to_owned() });
    let package = package(&schema, Repairs::from_iter([Repair::Tuples])).unwrap();
    let any = json!({"type": "array", "items": {"$ref": "pulumi.json#/Any"}});
    assert_eq!(property(&package, "test:index/a:A", "pair"), any);
}

#[test]
fn maps_of_dynamic_values_hold_anything() {
    let schema = provider(vec![("test_a", vec![optional("tags", Type::map(Type::Dynamic))])]);
    let values = |repairs| property(&package(&schema, repairs).unwrap(), "test:index/a:A", "tags");
    assert_eq!(values(Repairs::none())["additionalProperties"], json!({"type": "string"}));
    assert_eq!(values(Repairs::all())["additionalProperties"], json!({"$ref": "pulumi.json#/Any"}));
}

/// `test_foo` with `bar_baz` and `test_foo_bar` with `baz` both have a type `FooBarBaz`.
#[test]
fn types_of_one_name_are_told_apart() {
    let object = |name: &str| Type::object([(name, Type::String)]);
    let schema = provider(vec![
        ("test_foo", vec![optional("bar_baz", object("one"))]),
        ("test_foo_bar", vec![optional("baz", object("two"))]),
    ]);
    let shared = package(&schema, Repairs::none()).unwrap();
    let types = shared.schema["types"].as_object().unwrap();
    assert_eq!(types.keys().collect::<Vec<_>>(), ["test:index/FooBarBaz:FooBarBaz"]);
    let apart = package(&schema, Repairs::all()).unwrap();
    let reference = |resource, name| property(&apart, resource, name)["$ref"].clone();
    // Whose type it was keeps it.
    assert_eq!(reference("test:index/fooBar:FooBar", "baz"), "#/types/test:index/FooBarBaz:FooBarBaz");
    let renamed = "test:index/FooBarBazV2:FooBarBazV2";
    assert_eq!(reference("test:index/foo:Foo", "barBaz"), format!("#/types/{renamed}"));
    assert_eq!(apart.schema["types"][renamed]["properties"], json!({"one": {"type": "string"}}));
}

#[test]
fn numbers_are_ids() {
    let id = Attribute { computed: true, ..Attribute::new("id", Type::Number) };
    let schema = provider(vec![("test_dns_record", vec![id])]);
    let id = |repairs| {
        let package = package(&schema, repairs).unwrap();
        let names = package.names.resource("test:index/dnsRecord:DnsRecord").unwrap();
        (names.id, names.fields.by_terraform("id").unwrap().pulumi.to_string())
    };
    assert_eq!(id(Repairs::none()), (ResourceId::Absent, "dnsRecordId".to_owned()));
    assert_eq!(id(Repairs::all()), (ResourceId::Property, "dnsRecordId".to_owned()));
}
