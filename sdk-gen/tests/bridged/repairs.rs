//! Repairs that no recorded provider needs, each on a provider that does.

use denobridge_core::cty::Type;
use denobridge_core::schema::{Attribute, Block, IdentityAttribute, IdentitySchema, ProviderSchema, Schema};
use denobridge_sdk_gen::{BridgedOptions, Package, Repair, Repairs, ResourceId, SchemaError, Shape, generate_bridged};
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
    package.schema.to_value()["resources"][resource]["properties"][property].clone()
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
    let shared = shared.schema.to_value();
    let types = shared["types"].as_object().unwrap();
    assert_eq!(types.keys().collect::<Vec<_>>(), ["test:index/FooBarBaz:FooBarBaz"]);
    let apart = package(&schema, Repairs::all()).unwrap();
    let reference = |resource, name| property(&apart, resource, name)["$ref"].clone();
    // Whose type it was keeps it.
    assert_eq!(reference("test:index/fooBar:FooBar", "baz"), "#/types/test:index/FooBarBaz:FooBarBaz");
    let renamed = "test:index/FooBarBazV2:FooBarBazV2";
    assert_eq!(reference("test:index/foo:Foo", "barBaz"), format!("#/types/{renamed}"));
    assert_eq!(apart.schema.to_value()["types"][renamed]["properties"], json!({"one": {"type": "string"}}));
}

#[test]
fn kinds_that_the_go_bridge_does_not_offer_are_offered() {
    let component = |attributes| Schema { version: 0, block: Block { attributes, ..Block::default() } };
    let computed = Attribute { computed: true, ..Attribute::new("secret_text", Type::String) };
    let object = optional("rules", Type::list(Type::object([("port", Type::Number)])));
    let identity = IdentityAttribute {
        name: "zone_name".into(),
        ty: Type::String,
        required_for_import: true,
        optional_for_import: false,
        description: String::new(),
    };
    let mut schema = provider(vec![
        ("test_a", vec![object.clone()]),
        // Whose names are taken, the new ones are numbered.
        ("test_b_action", vec![object.clone()]),
    ]);
    schema.identities = [("test_a".into(), IdentitySchema { version: 0, attributes: vec![identity] })].into();
    schema.ephemeral_resources =
        [("test_token".into(), component(vec![optional("for_user", Type::String), computed]))].into();
    schema.actions = [("test_b".into(), component(vec![optional("id", Type::String), object]))].into();
    schema.list_resources = [("test_a".into(), component(vec![optional("limit", Type::Number)]))].into();
    let without =
        package(&schema, Repairs::from_iter(Repair::ALL.into_iter().filter(|repair| *repair != Repair::NewKinds)));
    let (without, with) = (without.unwrap(), package(&schema, Repairs::all()).unwrap());
    let found = crate::difference::differences(&without.schema.to_value(), &with.schema.to_value());
    let places: Vec<_> = found.iter().map(|found| found.split(": {").next().unwrap()).collect();
    assert_eq!(
        places,
        [
            "/types/test:index/BActionV2Rule:BActionV2Rule",
            "/types/test:index/listAResult:listAResult",
            "/types/test:index/listAResultIdentity:listAResultIdentity",
            "/types/test:index/listAResultResource:listAResultResource",
            "/types/test:index/listAResultResourceRule:listAResultResourceRule",
            "/resources/test:index/bActionV2:BActionV2",
            "/functions/test:index/listA:listA",
            "/functions/test:index/openToken:openToken",
        ]
    );
    let type_name = |token: &str| with.names.component(token).expect(token).type_name.to_string();
    assert_eq!(type_name("test:index/openToken:openToken"), "test_token");
    assert_eq!(type_name("test:index/bActionV2:BActionV2"), "test_b");
    assert_eq!(type_name("test:index/listA:listA"), "test_a");
    let with = with.schema.to_value();
    let function = |token: &str| with["functions"][token].clone();
    let opened = function("test:index/openToken:openToken")["outputs"]["properties"].clone();
    assert_eq!(opened, json!({ "forUser": { "type": "string" }, "secretText": { "type": "string", "secret": true } }));
    let listed = function("test:index/listA:listA")["inputs"]["properties"].clone();
    assert_eq!(listed.as_object().unwrap().keys().collect::<Vec<_>>(), ["includeResource", "limit", "limitValue"]);
    let action = &with["resources"]["test:index/bActionV2:BActionV2"]["inputProperties"];
    assert_eq!(action.as_object().unwrap().keys().collect::<Vec<_>>(), ["idValue", "rules", "triggers"]);
}

#[test]
fn attributes_never_share_a_property() {
    let inner = Type::object(["fooBar", "foo_bar", "pulumi", "pulumi_info", "é"].map(|name| (name, Type::String)));
    let attributes =
        vec![optional("foo__bar", Type::Number), optional("foo_bar", Type::String), optional("inner", inner)];
    let mut schema = provider(vec![("test_a", attributes)]);
    schema.provider.block.attributes = vec![optional("pulumi", Type::String)];
    let names = |package: &Package, pointer: &str| -> Vec<String> {
        package.schema.to_value().pointer(pointer).unwrap().as_object().unwrap().keys().cloned().collect()
    };
    let (resource, object) = ("/resources/test:index~1a:A/properties", "/types/test:index~1AInner:AInner/properties");
    let lost = package(&schema, Repairs::none()).unwrap();
    assert_eq!(names(&lost, resource), ["fooBar", "inner"]);
    assert_eq!(names(&lost, object), ["fooBar", "pulumi", "pulumiInfo", "é"]);
    assert_eq!(names(&lost, "/config/variables"), ["pulumi"]);
    let kept = package(&schema, Repairs::from_iter([Repair::PropertyNames])).unwrap();
    assert_eq!(names(&kept, resource), ["fooBar", "fooBar2", "inner"]);
    assert_eq!(property(&kept, "test:index/a:A", "fooBar"), json!({"type": "string"}));
    assert_eq!(property(&kept, "test:index/a:A", "fooBar2"), json!({"type": "number"}));
    assert_eq!(names(&kept, object), ["fooBar", "fooBar2", "pulumiInfo", "pulumiInfo2", "value"]);
    let inner = kept.names.resource("test:index/a:A").unwrap().fields.by_terraform("inner").unwrap().shape.clone();
    let Shape::Object(inner) = inner else { panic!("no object: {inner:?}") };
    let pulumi = |terraform: &str| inner.by_terraform(terraform).unwrap().pulumi.to_string();
    // Whose name it was keeps it.
    assert_eq!([pulumi("pulumi"), pulumi("pulumi_info")], ["pulumiInfo2", "pulumiInfo"]);
    assert_eq!(names(&kept, "/config/variables"), ["pulumiInfo"]);
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
