//! The table of `docs/reference/script-schema.md`, row by row.

use denobridge_core::cty::{Type, Value};
use denobridge_core::schema::{Attribute, AttributeType, Nesting};
use serde_json::{Value as Json, json};

use super::*;
use crate::scripted::values;
use crate::typed::TypedError;

fn read(schema: &Json) -> Result<Vec<Property>, TypedError> {
    read_object(schema, &Place::new("bucket.ts", "props"))
}

/// The only property of a schema, whose definitions may be `$defs`.
fn property(schema: &Json) -> Property {
    let whole = json!({
        "properties": { "p": schema },
        "required": ["p"],
        "$defs": {
            "Port": { "type": "integer" },
            "Tree": { "type": "object", "properties": { "children": { "type": "array", "items": { "$ref": "#/$defs/Tree" } } } },
        },
    });
    read(&whole).unwrap_or_else(|error| panic!("{schema}: {error}")).remove(0)
}

fn given(schema: &Json) -> Attribute {
    attribute(&property(schema), Role::Given)
}

/// The type, and the types of a union.
fn ty(schema: &Json) -> String {
    let attribute = given(schema);
    let ty = match &attribute.ty {
        AttributeType::Plain(ty) => ty.to_string(),
        AttributeType::Nested(nested) => {
            let inner: Vec<String> =
                nested.attributes.iter().map(|inner| format!("{}: {}", inner.name, inner.implied_type())).collect();
            format!("{:?} {{{}}}", nested.nesting, inner.join(", "))
        }
    };
    let annotations = attribute.annotations.as_ref().unwrap();
    let union: Vec<String> = annotations.union_of.iter().map(Type::to_string).collect();
    let whole = if annotations.whole_number { " whole" } else { "" };
    let union = if union.is_empty() { String::new() } else { format!(" of {}", union.join(" | ")) };
    format!("{ty}{union}{whole}")
}

#[test]
fn types() {
    let object = json!({ "type": "object", "properties": { "maxSize": { "type": "number" } } });
    let open = json!({ "type": "object", "properties": { "any": true } });
    let cases = [
        (json!({ "type": "string" }), "string"),
        (json!({ "type": "boolean" }), "bool"),
        (json!({ "type": "number" }), "number"),
        (json!({ "type": "integer" }), "number whole"),
        (object.clone(), "Single {max_size: number}"),
        (json!({ "properties": { "a": { "type": "string" } } }), "Single {a: string}"),
        (json!({ "type": "object", "additionalProperties": { "type": "string" } }), "map(string)"),
        (json!({ "type": "object", "additionalProperties": object }), "Map {max_size: number}"),
        (json!({ "type": "object", "additionalProperties": true }), "dynamic of map(dynamic)"),
        (json!({ "type": "object" }), "dynamic of map(dynamic)"),
        (json!({ "type": "array", "items": { "type": "string" } }), "list(string)"),
        (json!({ "type": "array", "items": object }), "List {max_size: number}"),
        (json!({ "type": "array", "items": { "type": "array", "items": { "type": "number" } } }), "list(list(number))"),
        (
            json!({ "type": "array", "items": { "type": "array", "items": object } }),
            "dynamic of list(list(map(dynamic)))",
        ),
        (json!({ "type": "array", "items": open }), "dynamic of list(map(dynamic))"),
        (json!({ "type": "array", "items": {} }), "dynamic of list(dynamic)"),
        (json!({ "type": "array" }), "dynamic of list(dynamic)"),
        (json!({ "type": "array", "prefixItems": [{ "type": "string" }] }), "dynamic of list(dynamic)"),
        (open, "Single {any: dynamic}"),
        (json!({ "enum": ["a", "b"] }), "string"),
        (json!({ "const": 3 }), "number whole"),
        (json!({ "enum": [1, 2.5] }), "number"),
        (json!({ "enum": [true] }), "bool"),
        (json!({ "enum": ["a", 1] }), "dynamic of string | number"),
        (json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }), "string"),
        (json!({ "type": ["string", "null"] }), "string"),
        (json!({ "oneOf": [{ "type": "string" }, { "type": "integer" }] }), "dynamic of string | number"),
        (json!({ "type": ["string", "boolean", "null"] }), "dynamic of string | bool"),
        (json!({ "anyOf": [{ "type": "string", "minLength": 2 }, { "type": "string", "pattern": "x" }] }), "string"),
        (json!({ "anyOf": [{ "const": "a" }, { "const": "b" }, { "type": "null" }] }), "string"),
        (json!({ "anyOf": [object, object] }), "dynamic of map(dynamic)"),
        (
            json!({ "anyOf": [{ "type": "array", "items": { "type": "string" } }, { "type": "string" }] }),
            "dynamic of list(string) | string",
        ),
        (json!({ "anyOf": [{ "type": "string" }, {}] }), "dynamic"),
        (json!({ "type": "string", "anyOf": [{ "minLength": 1 }, { "pattern": "x" }] }), "string"),
        (
            json!({ "allOf": [object, { "properties": { "b": { "type": "string" } } }] }),
            "Single {max_size: number, b: string}",
        ),
        (json!({ "$ref": "#/$defs/Port", "description": "d" }), "number whole"),
        (json!({ "$ref": "#/$defs/Tree" }), "Single {children: dynamic}"),
        (json!({}), "dynamic"),
        (json!(true), "dynamic"),
    ];
    for (schema, expected) in cases {
        assert_eq!(ty(&schema), expected, "{schema}");
    }
}

#[test]
fn what_is_required_and_what_is_not() {
    let flags = |schema: &Json| {
        let attribute = given(schema);
        (attribute.required, attribute.optional, attribute.computed)
    };
    assert_eq!(flags(&json!({ "type": "string" })), (true, false, false));
    assert_eq!(flags(&json!({ "type": ["string", "null"] })), (false, true, false));
    assert_eq!(flags(&json!({ "type": "string", "default": "a" })), (false, true, true));
    let optional = read(&json!({ "properties": { "p": { "type": "string" } } })).unwrap().remove(0);
    assert!(attribute(&optional, Role::Given).optional);
    let found = attribute(&property(&json!({ "type": "string" })), Role::Found { sensitive: true });
    assert_eq!((found.required, found.computed, found.sensitive), (false, true, true));
    let secret = attribute(
        &property(&json!({ "type": "object", "properties": { "a": { "type": "string" } } })),
        Role::GivenOnce,
    );
    let AttributeType::Nested(nested) = &secret.ty else { panic!("{secret:?}") };
    assert!(secret.write_only && secret.required && nested.nesting == Nesting::Single);
    assert!(nested.attributes[0].write_only && nested.attributes[0].optional);
}

#[test]
fn what_is_said_beside_the_type() {
    let attribute = given(&json!({
        "type": "string", "title": "T", "x-deprecated": "Use q.", "x-sensitive": true, "x-replaces": true,
        "x-autonamed": true, "enum": ["a", "b", null], "default": "b",
    }));
    let annotations = attribute.annotations.as_ref().unwrap();
    assert_eq!(attribute.description.text, "T");
    assert_eq!(attribute.deprecation.as_deref(), Some("Use q."));
    assert!(attribute.sensitive && annotations.replaces && annotations.autonamed);
    assert_eq!(annotations.enum_values, [Value::string("a"), Value::string("b")]);
    assert_eq!(annotations.default, Some(Value::string("b")));
    let described = given(
        &json!({ "anyOf": [{ "type": "string", "description": "in" }, { "type": "null" }], "description": "out", "deprecated": true }),
    );
    assert_eq!((described.description.text.as_str(), described.deprecation.as_deref()), ("out", Some("")));
    // What is secret inside of something that is no attribute of its own makes the whole secret.
    for schema in [
        json!({ "type": "array", "items": { "type": "string", "x-sensitive": true } }),
        json!({ "anyOf": [{ "type": "string" }, { "type": "object", "properties": { "key": { "x-sensitive": true } } }] }),
        json!({ "type": "array", "items": { "type": "object", "properties": { "any": true, "key": { "type": "string", "x-sensitive": true } } } }),
    ] {
        assert!(given(&schema).sensitive, "{schema}");
    }
}

#[test]
fn names_in_three_languages() {
    let properties =
        read(&json!({ "properties": { "maxSize": {}, "max_count": {}, "URLPath": {}, "__x": {} } })).unwrap();
    let names: Vec<_> = properties.iter().map(|p| (&*p.script, &*p.terraform, &*p.pulumi)).collect();
    assert_eq!(
        names,
        [
            ("maxSize", "max_size", "maxSize"),
            ("max_count", "max_count", "max_count"),
            ("URLPath", "url_path", "URLPath"),
            ("__x", "__x", "__x"),
        ]
    );
}

#[test]
fn what_cannot_be_is_named() {
    let error = |schema: Json| read(&schema).unwrap_err().to_string();
    let of = |schema: Json| error(json!({ "properties": { "zone": schema } }));
    insta::assert_snapshot!(error(json!({ "type": "string" })), @"bucket.ts: props: it must be the schema of an object, with `properties`");
    insta::assert_snapshot!(error(json!({ "properties": { "maxSize": {}, "max_size": {} } })), @r#"bucket.ts: props.max_size: it is "max_size" in Terraform, and so is "maxSize". Rename one of them"#);
    insta::assert_snapshot!(of(json!({ "properties": { "größe": {} } })), @"bucket.ts: props.zone.größe: Terraform cannot have an attribute of that name: letters of a to z, digits and underscores make one, and no digit begins it");
    insta::assert_snapshot!(of(json!(false)), @"bucket.ts: props.zone: no value fits this schema");
    insta::assert_snapshot!(of(json!(5)), @"bucket.ts: props.zone: a schema is an object or `true`");
    insta::assert_snapshot!(of(json!({ "$ref": "https://example.com/zone.json" })), @r##"bucket.ts: props.zone: `$ref` to "https://example.com/zone.json": only what is in the same schema can be referred to, with "#/$defs/…""##);
    insta::assert_snapshot!(of(json!({ "$ref": "#/$defs/Zone" })), @r##"bucket.ts: props.zone: `$ref` to "#/$defs/Zone", which is not there"##);
    insta::assert_snapshot!(of(json!({ "type": "object", "properties": { "size": { "type": "integer" } }, "default": { "size": "big" } })), @"bucket.ts: props.zone: the default does not fit: `size` must be a whole number, not a string");
}

/// A schema with a nested object, a list of them, a map, and anything.
fn thing() -> Vec<Property> {
    let zone = json!({
        "type": "object",
        "properties": {
            "zoneName": { "type": "string" },
            "maxSize": { "type": "integer", "default": 3 },
            "owner": { "type": ["string", "null"] },
        },
        "required": ["zoneName", "owner"],
    });
    read(&json!({
        "properties": {
            "mainZone": zone,
            "zones": { "type": "array", "items": zone },
            "byName": { "type": "object", "additionalProperties": zone },
            "labels": { "type": "object", "additionalProperties": { "type": "string" } },
            "any": true,
        },
        "required": ["mainZone"],
    }))
    .unwrap()
}

fn value(json: &Json) -> Value {
    values::from_json(json).unwrap()
}

#[test]
fn values_change_their_names_and_nothing_else_on_the_way() {
    let shape = Shape::Object(thing().into());
    let script = json!({
        "any": { "maxSize": [1, "a"] },
        "byName": { "keyOne": { "maxSize": 5, "owner": "me", "zoneName": "b" } },
        "labels": { "camelCase": "x" },
        "mainZone": { "maxSize": 12345678901234567890u64, "owner": null, "zoneName": "a" },
        "zones": [{ "owner": null, "zoneName": "c" }],
    });
    let mut misfits = Vec::new();
    let typed = from_script(&shape, &value(&script), Missing::Misfits, &mut misfits);
    assert_eq!(misfits, []);
    assert_eq!(typed.ty().without_optional(), typed.ty());
    assert!(typed.ty().conforms_to(&shape.ty()));
    let main = typed.attribute("main_zone").unwrap();
    assert_eq!(main.attribute("zone_name"), Some(&Value::string("a")));
    assert_eq!(main.attribute("max_size").unwrap().as_number().unwrap().to_string(), "12345678901234567890");
    assert_eq!(
        typed.attribute("labels").unwrap().as_entries().unwrap().keys().next().map(|key| &**key),
        Some("camelCase")
    );
    assert_eq!(values::to_json(&to_script(&shape, &typed)), script);
    let filled = with_defaults(&shape, &typed);
    let zones = filled.attribute("zones").unwrap().as_elements().unwrap();
    assert_eq!(zones[0].attribute("max_size"), Some(&Value::number(3)));
}

#[test]
fn what_is_not_given_is_not_there_unless_the_schema_wants_it() {
    let properties = thing();
    let zone = Value::object([
        ("zone_name", Value::unknown(Type::String)),
        ("max_size", Value::null(Type::Number)),
        ("owner", Value::null(Type::String)),
    ]);
    let object = Value::object([("main_zone", zone), ("labels", Value::null(Type::map(Type::String)))]);
    let (json, unknown) = values::to_json_with_unknowns(&script_object(&properties, &object, &|_| true), "props");
    assert_eq!(json, json!({ "mainZone": { "owner": null, "zoneName": null } }));
    assert_eq!(json!(unknown), json!([["props", "mainZone", "zoneName"]]));
}

#[test]
fn what_does_not_fit_is_named_and_the_rest_is_kept() {
    let shape = Shape::Object(thing().into());
    let script = json!({
        "mainZone": { "maxSize": 1.5, "owner": 5 },
        "zones": [{ "zoneName": "a", "owner": null }, "b"],
        "byName": { "k": { "zoneName": [], "owner": null } },
        "labels": [],
    });
    let mut misfits = Vec::new();
    let typed = from_script(&shape, &value(&script), Missing::Misfits, &mut misfits);
    let told: Vec<String> = misfits.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "`mainZone.zoneName` must be a string, and it is not there",
            "`mainZone.maxSize` must be a whole number, not a number with a fraction",
            "`mainZone.owner` must be a string, not a number",
            "`zones[1]` must be an object, not a string",
            "`byName[\"k\"].zoneName` must be a string, not an array",
            "`labels` must be an object, not an array",
        ]
    );
    assert!(typed.ty().conforms_to(&shape.ty()));
    assert_eq!(
        typed.attribute("zones").unwrap().as_elements().unwrap()[0].attribute("zone_name"),
        Some(&Value::string("a"))
    );
}

#[test]
fn places_are_those_of_attributes() {
    let properties = thing();
    let at = |steps: &[&str]| {
        let steps: Vec<String> = steps.iter().map(|step| (*step).to_owned()).collect();
        located(&properties, &steps).path.to_string()
    };
    assert_eq!(at(&["mainZone", "zoneName"]), "main_zone.zone_name");
    assert_eq!(at(&["zones", "1", "maxSize"]), "zones[1].max_size");
    assert_eq!(at(&["byName", "keyOne", "maxSize"]), "by_name[\"keyOne\"].max_size");
    assert_eq!(at(&["any", "maxSize", "0"]), "any[\"maxSize\"][0]");
    assert_eq!(at(&["mainZone", "nothing"]), "main_zone");
    assert_eq!(at(&[]), "");
}
