//! What Terraform's types cannot say, said in words at the attribute.

use denobridge_core::cty::{Type, Value};
use serde_json::{Value as Json, json};

use super::*;
use crate::typed::schema::read_object;

fn checker(properties: Json, more: Json) -> Checker {
    let mut schema = json!({ "type": "object", "properties": properties });
    if let (Some(schema), Json::Object(more)) = (schema.as_object_mut(), more) {
        schema.extend(more);
    }
    let place = Place::new("bucket.ts", "props");
    let properties = read_object(&schema, &place).unwrap();
    Checker::new(&schema, &properties, &place).unwrap()
}

fn value(json: &Json) -> Value {
    values::from_json(json).unwrap()
}

/// The problems of one property `p` with that schema, without its name.
fn rules(schema: Json, given: Json) -> Vec<String> {
    let checker = checker(json!({ "p": schema }), json!({}));
    checker.check(&value(&json!({ "p": given }))).into_iter().map(|problem| problem.rule).collect()
}

#[test]
fn rules_in_words() {
    let kinds = json!([
        { "type": "object", "properties": { "kind": { "const": "disk" }, "size": { "type": "integer", "minimum": 1 } }, "required": ["kind", "size"] },
        { "type": "object", "properties": { "kind": { "const": "net" }, "host": { "type": "string" } }, "required": ["kind", "host"] },
    ]);
    let cases = [
        (json!({ "type": "string", "minLength": 3 }), json!("ab"), "must have at least 3 characters"),
        (json!({ "type": "string", "maxLength": 1 }), json!("ab"), "must have at most 1 character"),
        (json!({ "type": "string", "pattern": "^[a-z]+$" }), json!("A"), "must match the pattern `^[a-z]+$`"),
        (json!({ "type": "string", "format": "ipv4" }), json!("x"), "must be an IPv4 address"),
        (json!({ "type": "string", "format": "email" }), json!("x"), "must be an e-mail address"),
        (json!({ "type": "integer", "minimum": 1 }), json!(0), "must be at least 1"),
        (json!({ "type": "number", "exclusiveMaximum": 10 }), json!(10), "must be less than 10"),
        (json!({ "type": "integer" }), json!(1.5), "must be a whole number"),
        (json!({ "type": "number", "multipleOf": 0.5 }), json!(0.7), "must be a multiple of 0.5"),
        (
            json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 }),
            json!([]),
            "must have at least 1 element",
        ),
        (
            json!({ "type": "array", "items": { "type": "string" }, "uniqueItems": true }),
            json!(["a", "a"]),
            "must not have an element twice",
        ),
        (
            json!({ "type": "object", "additionalProperties": { "type": "string" }, "maxProperties": 0 }),
            json!({ "a": "b" }),
            "must have at most 0 entries",
        ),
        (
            json!({ "type": "object", "additionalProperties": {}, "propertyNames": { "maxLength": 1 } }),
            json!({ "ab": 1 }),
            "has a name that must have at most 1 character",
        ),
        (json!({ "type": ["string", "integer"] }), json!(true), "must be a whole number or a string"),
        (
            json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] }),
            json!(true),
            "must be a string or a whole number",
        ),
        (
            json!({ "anyOf": [{ "type": "string", "minLength": 3 }, { "type": "integer" }] }),
            json!("a"),
            "must have at least 3 characters",
        ),
        (json!({ "oneOf": kinds }), json!({ "kind": "disk", "size": 0 }), "must be at least 1"),
        (json!({ "oneOf": kinds }), json!({ "kind": "net" }), "must have `host`"),
        (
            json!({ "oneOf": kinds }),
            json!({ "kind": "tape" }),
            "must be an object with `kind` \"disk\", `size` or an object with `kind` \"net\", `host`",
        ),
        (json!({ "not": { "type": "string" } }), json!("a"), "is what it must not be"),
        (json!({ "enum": ["a", 1] }), json!("b"), "must be \"a\" or 1"),
    ];
    for (schema, given, expected) in cases {
        assert_eq!(rules(schema.clone(), given.clone()), [expected], "{schema} {given}");
    }
}

#[test]
fn numbers_are_compared_exactly() {
    let limit = json!({ "type": "integer", "maximum": 9007199254740993u64 });
    assert_eq!(rules(limit.clone(), json!(9007199254740993u64)), [""; 0]);
    assert_eq!(rules(limit, json!(9007199254740994u64)), ["must be at most 9007199254740993"]);
}

#[test]
fn problems_are_at_the_attribute_and_quote_nothing() {
    let checker = checker(
        json!({
            "mainZone": { "type": "object", "properties": { "hostNames": { "type": "array", "items": { "type": "string", "minLength": 9 } } } },
            "apiToken": { "x-sensitive": true, "type": "string", "pattern": "^t-" },
        }),
        json!({}),
    );
    let given = json!({ "mainZone": { "hostNames": ["long enough", "canary-1"] }, "apiToken": "canary-2" });
    let found = diagnostics(&checker.check(&value(&given)));
    let told: Vec<String> = found.iter().map(|found| format!("[{}] {}", found.attribute, found.detail)).collect();
    assert_eq!(
        told,
        [
            "[main_zone[\"host_names\"]] `main_zone.host_names[1]` must have at least 9 characters.",
            "[api_token] `api_token` must match the pattern `^t-`.",
        ]
    );
}

#[test]
fn of_what_is_not_known_and_of_what_depends_on_it_nothing_is_said() {
    let checker = checker(
        json!({
            "zone": { "type": "object", "minProperties": 5, "properties": { "a": { "type": "string", "minLength": 3 }, "b": { "type": "string", "minLength": 3 } } },
            "other": { "type": "string", "minLength": 3 },
        }),
        json!({ "minProperties": 9 }),
    );
    let zone = Value::object([("a", Value::unknown(Type::String)), ("b", Value::string("x"))]);
    let given = Value::object([("zone", zone), ("other", Value::string("y"))]);
    let told: Vec<String> = checker.check(&given).iter().map(|problem| problem.path.to_string()).collect();
    assert_eq!(told, ["zone.b", "other"], "neither of the whole, nor of the zone, nor of a");
    let unknown = Value::object([("zone", Value::unknown(Type::Dynamic)), ("other", Value::string("long"))]);
    assert_eq!(checker.check(&unknown), []);
    assert_eq!(checker.check(&Value::unknown(Type::Dynamic)), []);
}

#[test]
fn what_the_attribute_says_is_not_said_twice() {
    let zone = json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] });
    let checker =
        checker(json!({ "zone": zone, "kind": { "enum": ["a", "b"] } }), json!({ "required": ["kind", "zone"] }));
    assert_eq!(checker.check(&value(&json!({ "zone": {} }))), []);
    assert_eq!(checker.check(&value(&json!({ "zone": { "name": "x" }, "kind": "c" }))), []);
    // Of conditions the attribute knows nothing.
    let checker = self::checker(
        json!({ "a": { "type": "string" }, "b": { "type": "string" } }),
        json!({ "dependentRequired": { "a": ["b"] } }),
    );
    let rules: Vec<String> =
        checker.check(&value(&json!({ "a": "x" }))).into_iter().map(|problem| problem.rule).collect();
    assert_eq!(rules, ["must have `b`"]);
}

#[test]
fn a_schema_that_is_none_is_refused_with_its_file() {
    let schema = json!({ "type": "object", "properties": { "p": { "type": "string", "pattern": "(" } } });
    let place = Place::new("bucket.ts", "props");
    let error = Checker::new(&schema, &[], &place).err().unwrap().to_string();
    assert!(error.starts_with("bucket.ts: props: the schema is not valid: "), "{error}");
    let remote = json!({ "$ref": "https://example.com/schema.json" });
    assert!(Checker::new(&remote, &[], &place).is_err(), "nothing is fetched");
}

#[test]
fn single_values_are_checked_too() {
    let schema = json!({ "$ref": "#/$defs/Ports", "$defs": { "Ports": { "type": "array", "items": { "type": "integer", "maximum": 9 } } } });
    let checker = ValueChecker::new(&schema, &Place::new("f.ts", "functions")).unwrap();
    assert_eq!(checker.check(&value(&json!([1, 10]))), ["`[1]` must be at most 9"]);
    assert_eq!(checker.check(&value(&json!("x"))), ["must be a list"]);
}
