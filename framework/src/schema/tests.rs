mod factories;
mod lint;

use std::collections::BTreeMap;

use denobridge_core::cty::{Path, Type, Value};
use denobridge_core::schema::{Attribute, DescriptionKind, Nesting, Schema};
use proptest::prelude::*;

use super::*;
use crate::model::{Model, Secret, Tf};

/// A server.
#[derive(Model)]
#[allow(dead_code)]
struct Server {
    /// Its id.
    #[tf(computed, keep)]
    id: Tf<String>,
    /// What people call it.
    #[tf(required, replace)]
    name: String,
    #[tf(default = 1, description = "How many.", name = "count_of")]
    count: i64,
    #[tf(write_only)]
    password: Option<Secret<String>>,
    #[tf(one_of = ["small", "large"], deprecated = "Use count_of.")]
    size: Option<String>,
    tags: Option<BTreeMap<String, String>>,
    #[tf(nested = "set")]
    rules: Tf<Vec<Rule>>,
    /// Its disks.
    #[tf(blocks = "list", min = 1, max = 5)]
    disk: Vec<Disk>,
    #[tf(blocks = "single")]
    limits: Option<Rule>,
}

#[derive(Model)]
#[allow(dead_code)]
struct Rule {
    #[tf(required)]
    port: u16,
}

#[derive(Model)]
#[allow(dead_code)]
struct Disk {
    #[tf(required)]
    path: String,
    #[tf(blocks = "group")]
    part: Rule,
}

fn by_functions() -> Schema {
    let port = || number("port").required();
    resource([
        string("id").computed().keep().markdown("Its id."),
        string("name").required().replace().markdown("What people call it."),
        number("count_of").default(1).describe("How many."),
        string("password").write_only().sensitive(),
        string("size").one_of(["small", "large"]).deprecated("Use count_of."),
        map("tags", Type::String),
        nested_set("rules", [port()]),
    ])
    .markdown("A server.")
    .block(
        list_block("disk", [string("path").required()])
            .at_least(1)
            .at_most(5)
            .markdown("Its disks.")
            .block(group_block("part", [port()])),
    )
    .block(single_block("limits", [port()]))
    .build()
}

fn by_definitions() -> Schema {
    let plain = |name: &str, ty: Type| AttributeDefinition::new(name, TypeDefinition::Plain(ty));
    let markdown =
        |text: &str| denobridge_core::schema::Description { text: text.to_owned(), kind: DescriptionKind::Markdown };
    let port = || AttributeDefinition { required: true, ..plain("port", Type::Number) };
    let content = |attributes: Vec<AttributeDefinition>| BlockDefinition { attributes, ..BlockDefinition::default() };
    let part = NestedBlockDefinition::new("part", Nesting::Group, content(vec![port()]));
    let path = AttributeDefinition { required: true, ..plain("path", Type::String) };
    let disk = BlockDefinition {
        attributes: vec![path],
        blocks: vec![part],
        description: markdown("Its disks."),
        ..BlockDefinition::default()
    };
    let mut size = AttributeDefinition { deprecation: Some("Use count_of.".into()), ..plain("size", Type::String) };
    size.annotations.enum_values = vec![Value::string("small"), Value::string("large")];
    let root = BlockDefinition {
        attributes: vec![
            AttributeDefinition {
                computed: true,
                keep: true,
                description: markdown("Its id."),
                ..plain("id", Type::String)
            },
            AttributeDefinition {
                required: true,
                replace: true,
                description: markdown("What people call it."),
                ..plain("name", Type::String)
            },
            AttributeDefinition {
                default: Some(Value::number(1)),
                description: "How many.".into(),
                ..plain("count_of", Type::Number)
            },
            AttributeDefinition { write_only: true, sensitive: true, ..plain("password", Type::String) },
            size,
            plain("tags", Type::map(Type::String)),
            AttributeDefinition::new("rules", TypeDefinition::Nested(Nesting::Set, vec![port()])),
        ],
        blocks: vec![
            NestedBlockDefinition {
                min_items: 1,
                max_items: 5,
                ..NestedBlockDefinition::new("disk", Nesting::List, disk)
            },
            NestedBlockDefinition::new("limits", Nesting::Single, content(vec![port()])),
        ],
        description: markdown("A server."),
        ..BlockDefinition::default()
    };
    SchemaDefinition { version: 0, root }.build()
}

#[test]
fn f27_three_styles_give_one_schema() {
    let schema = Server::schema(0);
    assert_eq!(schema, by_functions());
    assert_eq!(schema, by_definitions());
    assert_eq!(check("resource server", SchemaKind::Resource, &schema), []);
}

fn flags(attribute: &Attribute) -> String {
    let flags = [("r", attribute.required), ("o", attribute.optional), ("c", attribute.computed)];
    flags.iter().filter(|(_, set)| *set).map(|(name, _)| *name).collect()
}

#[test]
fn f29_flags_are_settled_and_contradictions_refused() {
    use SchemaFault::*;
    let table = [
        (string("a"), "o", vec![]),
        (string("a").required(), "r", vec![]),
        (string("a").optional(), "o", vec![]),
        (string("a").computed(), "c", vec![]),
        (string("a").optional().computed(), "oc", vec![]),
        (string("a").required().optional(), "r", vec![]),
        (string("a").required().computed(), "rc", vec![RequiredAndComputed]),
        (string("a").default("x"), "oc", vec![]),
        (string("a").optional().default("x"), "oc", vec![]),
        (string("a").optional().computed().default("x"), "oc", vec![]),
        (string("a").computed().default("x"), "c", vec![ComputedOnlyDefault]),
        (string("a").required().default("x"), "r", vec![RequiredDefault]),
        (string("a").write_only().default("x"), "o", vec![WriteOnlyDefault]),
        (string("a").write_only().computed(), "c", vec![WriteOnlyComputed]),
        (string("a").default(1), "oc", vec![DefaultType { wanted: Type::String, found: Type::Number }]),
        (string("a").keep(), "o", vec![KeepsWithoutComputed]),
    ];
    for (definition, expected, faults) in table {
        let schema = resource([definition.clone()]).build();
        let found: Vec<SchemaFault> =
            check("resource x", SchemaKind::Resource, &schema).into_iter().map(|problem| problem.fault).collect();
        assert_eq!(found, faults, "{definition:?}");
        assert_eq!(flags(&schema.block.attributes[0]), expected, "{definition:?}");
    }
}

#[test]
fn f31_all_faults_are_told_at_once_with_their_paths() {
    let schema = resource([
        string("Name").required(),
        string("count"),
        string("twice"),
        list("any", Type::Dynamic),
        nested_set("rules", [string("secret").write_only(), dynamic("free")]),
    ])
    .version(-1)
    .block(list_block("twice", [nested_list("deep", [string("9x")])]).at_least(3).at_most(2))
    .block(map_block("labels", [string("ok")]).at_least(1))
    .build();
    let problems = check("resource acme_thing", SchemaKind::Resource, &schema);
    let told: Vec<(String, SchemaFault)> =
        problems.iter().map(|problem| (problem.path.to_string(), problem.fault.clone())).collect();
    let at = |path: &str, fault| (path.to_owned(), fault);
    assert_eq!(
        told,
        [
            at("", SchemaFault::NegativeVersion(-1)),
            at("Name", SchemaFault::Name),
            at("count", SchemaFault::Reserved),
            at("any", SchemaFault::DynamicInCollection),
            at("rules.secret", SchemaFault::WriteOnlyInSet),
            at("rules.free", SchemaFault::DynamicInCollection),
            at("twice", SchemaFault::Duplicate),
            at("twice", SchemaFault::ItemBounds { min: 3, max: 2 }),
            at("twice.deep.9x", SchemaFault::Name),
            at("labels", SchemaFault::ItemBoundsNotAllowed),
        ]
    );
    assert_eq!(
        problems[8].to_string(),
        "resource acme_thing, twice.deep.9x: the name may have only lower-case letters, digits and underscores, and must \
         not begin with a digit"
    );
}

#[test]
fn an_identity_is_flat_and_useful_at_import() {
    let schema = identity([string("region"), map("tags", Type::String).required()]);
    assert!(schema.attributes[0].optional_for_import && schema.attributes[1].required_for_import);
    let problems = check_identity("identity of x", &schema);
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].path, Path::root().attribute("tags"));
    assert_eq!(problems[0].fault, SchemaFault::IdentityType(Type::map(Type::String)));
}

fn any_type() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![Just(Type::String), Just(Type::Number), Just(Type::Bool)];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(Type::list),
            inner.clone().prop_map(Type::set),
            inner.clone().prop_map(Type::map),
            prop::collection::btree_map("[a-z]{1,3}", inner, 1..3).prop_map(Type::object),
        ]
    })
}

/// A value of a type, with one element in each collection.
fn sample(ty: &Type) -> Value {
    match ty {
        Type::String | Type::Dynamic => Value::string("x"),
        Type::Number => Value::number(1),
        Type::Bool => Value::bool(true),
        Type::List(element) => Value::list((**element).clone(), [sample(element)]),
        Type::Set(element) => Value::set((**element).clone(), [sample(element)]),
        Type::Map(element) => Value::map((**element).clone(), [("k", sample(element))]),
        Type::Object(object) => Value::object(object.attributes.iter().map(|(name, ty)| (name.clone(), sample(ty)))),
        Type::Tuple(parts) => Value::tuple(parts.iter().map(sample)),
    }
}

proptest! {
    #[test]
    fn f32_values_of_generated_schemas_are_held_to_them(ty in any_type(), nested in any_type(), max in 1u64..3) {
        let block = resource([
            attribute("needed", ty.clone()).required(),
            attribute("free", ty.clone()),
            nested_list("objects", [attribute("part", nested.clone()).required()]),
        ])
        .block(list_block("item", [attribute("part", nested.clone()).required()]).at_least(1).at_most(max))
        .build()
        .block;
        let part_type = Type::object([("part", nested.clone())]);
        let part = |value: Value| Value::object([("part", value)]);
        let of = |items: Vec<Value>| Value::list(part_type.clone(), items);
        let good = Value::object([
            ("needed", sample(&ty)),
            ("free", Value::null(ty.clone())),
            ("objects", of(vec![part(sample(&nested))])),
            ("item", of(vec![part(sample(&nested)); usize::try_from(max).unwrap()])),
        ]);
        let told = |value: &Value| -> Vec<String> {
            check_value(&block, value).iter().map(|problem| problem.attribute.to_string()).collect()
        };
        prop_assert_eq!(told(&good), Vec::<String>::new());
        prop_assert_eq!(told(&good.clone().with_attribute("needed", Value::unknown(ty.clone()))), Vec::<String>::new());
        prop_assert_eq!(told(&good.clone().with_attribute("needed", Value::null(ty.clone()))), vec!["needed"]);
        prop_assert_eq!(told(&good.clone().with_attribute("item", of(vec![]))), vec!["item"]);
        let many = of(vec![part(sample(&nested)); usize::try_from(max).unwrap() + 1]);
        prop_assert_eq!(told(&good.clone().with_attribute("item", many)), vec!["item"]);
        let hollow = of(vec![part(Value::null(nested.clone()))]);
        prop_assert_eq!(told(&good.clone().with_attribute("objects", hollow)), vec!["objects[0].part"]);
        let other = Value::tuple([Value::bool(true)]);
        prop_assert_eq!(told(&good.clone().with_attribute("needed", other)), vec!["needed"]);
    }
}

#[test]
fn only_allowed_values_pass() {
    let block = resource([string("size").one_of(["small", "large"])]).build().block;
    let check = |size: Value| check_value(&block, &Value::object([("size", size)]));
    assert!(check(Value::string("small")).is_empty());
    assert!(check(Value::unknown(Type::String)).is_empty());
    let found = check(Value::string("huge"));
    assert_eq!(found.iter().next().unwrap().detail, "\"size\" must be one of \"small\", \"large\".");
}
