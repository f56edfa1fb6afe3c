use super::*;
use crate::planning::rules::*;
use crate::planning::{Action, unknowns_as_null, write_only_nulled};
use crate::provider::{Deferred, ImportedResource};
use crate::schema::{IdentityAttribute, IdentitySchema};

fn schema() -> Block {
    block(vec![attribute("name", Type::String, "o"), attribute("key", Type::String, "ow")], Vec::new())
}

fn value(name: Value, key: Value) -> Value {
    object([("name", name), ("key", key)])
}

#[test]
fn r1_conformance() {
    let cases = [
        (value(text("a"), none()), vec![]),
        (Value::null(Type::Dynamic), vec![]),
        (text("a"), vec!["R1 an object is required, but received string"]),
        (object([("name", none())]), vec![r#"R1 missing attribute "key""#]),
        (value(Value::bool(true), none()), vec!["R1 name: string is required, but received bool"]),
        (value(Value::null(Type::Number), none()), vec!["R1 name: string is required, but received number"]),
        (value(none(), none()).with_attribute("z", none()), vec![r#"R1 unsupported attribute "z""#]),
    ];
    for (value, wrong) in cases {
        assert_eq!(shown(&object_conforms(&schema(), &value)), wrong, "{value:?}");
    }
    let deep = block(vec![attribute("x", Type::list(Type::object([("n", Type::Number)])), "o")], Vec::new());
    let wrong = object([("x", Value::list(Type::Dynamic, [object([("n", text("1"))])]))]);
    assert_eq!(shown(&object_conforms(&deep, &wrong)), ["R1 x[0].n: number is required, but received string"]);
}

#[test]
fn r1_nested_blocks() {
    let with = |nesting, attributes| block(Vec::new(), vec![nested_block("x", nesting, attributes)]);
    let good = object([("x", items(Nesting::List, [item(none(), none())]))]);
    assert_eq!(shown(&object_conforms(&with(Nesting::List, plain_and_computed()), &good)), [""; 0]);
    assert_eq!(object_conforms(&with(Nesting::Set, plain_and_computed()), &good).len(), 1);
    let dynamic = vec![attribute("any", Type::Dynamic, "o")];
    let tuple = object([("x", Value::tuple([object([("any", text("a"))]), object([("any", Value::bool(true))])]))]);
    assert_eq!(shown(&object_conforms(&with(Nesting::List, dynamic.clone()), &tuple)), [""; 0]);
    let wrong = object([("x", Value::tuple([object([("other", text("a"))])]))]);
    assert_eq!(object_conforms(&with(Nesting::List, dynamic), &wrong).len(), 2);
}

#[test]
fn r6_write_only() {
    assert_eq!(shown(&write_only_null(&schema(), &value(text("a"), none()))), [""; 0]);
    let broken = value(text("a"), text("hunter2"));
    let found = shown(&write_only_null(&schema(), &broken));
    assert_eq!(found, ["R6 key: write-only attributes must be null in everything returned"]);
    assert_eq!(write_only_nulled(&schema(), &broken), value(text("a"), none()));
    let inside = block(
        vec![nested("n", Nesting::List, "o", vec![attribute("key", Type::String, "ow")])],
        vec![nested_block("b", Nesting::Map, vec![attribute("key", Type::String, "ow")])],
    );
    let key = |key| object([("key", key)]);
    let ty = Type::object([("key", Type::String)]);
    let deep =
        object([("n", Value::list(ty.clone(), [key(text("s"))])), ("b", Value::map(ty, [("k", key(text("s")))]))]);
    let places: Vec<_> = write_only_null(&inside, &deep).iter().map(|found| found.path.to_string()).collect();
    assert_eq!(places, ["n[0].key", "b[\"k\"].key"]);
    assert!(write_only_null(&inside, &write_only_nulled(&inside, &deep)).is_empty());
}

#[test]
fn a_configured_null_of_some_type_stays_of_it() {
    let any = block(vec![attribute("any", Type::Dynamic, "ow")], Vec::new());
    for (configured, stored) in [
        (none(), none()),
        (Value::null(Type::Dynamic), Value::null(Type::Dynamic)),
        (text("hunter2"), Value::null(Type::Dynamic)),
        (unknown(), Value::null(Type::Dynamic)),
    ] {
        assert_eq!(write_only_nulled(&any, &object([("any", configured)])), object([("any", stored)]));
    }
}

#[test]
fn r10_known_after_apply() {
    let open = value(unknown(), none());
    let found = known_after_apply(Action::Update, &open);
    assert_eq!((found.len(), found[0].path.to_string()), (1, "name".to_owned()));
    assert_eq!(unknowns_as_null(&open), value(none(), none()));
    let (null, there) = (Value::null(schema().implied_type()), value(none(), none()));
    assert_eq!(shown(&known_after_apply(Action::Delete, &null)), [""; 0]);
    assert_eq!(shown(&known_after_apply(Action::Create, &there)), [""; 0]);
    assert_eq!(
        shown(&known_after_apply(Action::Delete, &there)),
        ["R10 after a delete, the provider returned a non-null object"]
    );
    assert_eq!(
        shown(&known_after_apply(Action::Update, &null)),
        ["R10 the provider returned a null object although nothing was to be deleted"]
    );
}

#[test]
fn r13_r14_stored_state() {
    let null = Value::null(schema().implied_type());
    let broken = value(unknown(), text("s"));
    for check in [read_result, upgraded_state] {
        assert_eq!(shown(&check(&schema(), &null)), [""; 0]);
        assert_eq!(shown(&check(&schema(), &value(text("a"), none()))), [""; 0]);
        assert_eq!(check(&schema(), &broken).len(), 2, "an unknown and a write-only value");
    }
}

#[test]
fn r13_import() {
    let found = |name: &str| ImportedResource { type_name: name.into(), ..Default::default() };
    let there = value(text("a"), none());
    let check = |found: &[ImportedResource], state: &Value, by_identity| {
        shown(&imported(&schema(), found, state, true, by_identity))
    };
    assert_eq!(check(&[found("t")], &there, false), [""; 0]);
    assert_eq!(check(&[], &there, false), ["R13 the import returned no resources"]);
    assert_eq!(check(&[found("t"), found("t")], &there, false), ["R13 the import returned more than one resource"]);
    assert_eq!(check(&[found("")], &there, false), ["R13 the import did not say of which type the resource is"]);
    assert_eq!(check(&[found("t")], &there, true), ["R13 the import by identity returned no identity"]);
    assert_eq!(check(&[found("t")], &Value::null(Type::Dynamic), false), ["R13 the import returned a null resource"]);
}

#[test]
fn r15_data_and_ephemeral() {
    assert_eq!(shown(&data_result(&schema(), &value(text("a"), none()))), [""; 0]);
    assert_eq!(
        shown(&data_result(&schema(), &Value::null(schema().implied_type()))),
        ["R15 the provider returned a null object"]
    );
    assert_eq!(data_result(&schema(), &value(unknown(), none())).len(), 1);
    let computed = block(plain_and_computed(), Vec::new());
    let config = item(text("a"), none());
    assert_eq!(shown(&ephemeral_result(&computed, &config, &item(text("a"), unknown()))), [""; 0]);
    assert_eq!(
        shown(&ephemeral_result(&computed, &config, &item(text("b"), none()))),
        [r#"R15 name: planned value "b" does not match config value "a""#]
    );
}

#[test]
fn r16_identity() {
    let attribute = IdentityAttribute {
        name: "id".into(),
        ty: Type::String,
        required_for_import: true,
        optional_for_import: false,
        description: String::new(),
    };
    let identity = IdentitySchema { version: 0, attributes: vec![attribute] };
    let check = |value: &Value, may_be_unknown| shown(&identity_result(&identity, value, may_be_unknown));
    assert_eq!(check(&object([("id", text("1"))]), false), [""; 0]);
    assert_eq!(check(&Value::null(Type::Dynamic), false), [""; 0]);
    assert_eq!(check(&object([("id", unknown())]), true), [""; 0]);
    assert_eq!(check(&object([("id", unknown())]), false), ["R16 id: the identity contains an unknown value"]);
    assert_eq!(check(&object([("id", Value::bool(true))]), false), ["R16 id: string is required, but received bool"]);
    let secret = object([("id", text("1").with_marks(crate::cty::Marks::SECRET))]);
    assert_eq!(check(&secret, false), ["R16 an identity cannot be sensitive"]);
}

#[test]
fn r17_deferral() {
    assert!(deferral(false, None).is_empty());
    assert!(deferral(true, Some(Deferred::Unknown)).is_empty());
    assert_eq!(shown(&deferral(false, Some(Deferred::AbsentPrerequisite))).len(), 1);
}

#[test]
fn a_violation_as_a_diagnostic_names_resource_path_and_rule() {
    let found = known_after_apply(Action::Create, &value(unknown(), none()));
    let diagnostic = found[0].to_diagnostic("denobridge_resource.x");
    assert_eq!(diagnostic.summary, "Provider returned invalid result object after apply");
    assert_eq!(diagnostic.attribute.to_string(), "name");
    for part in ["denobridge_resource.x", "name:", "R10"] {
        assert!(diagnostic.detail.contains(part), "{part} in {}", diagnostic.detail);
    }
}
