use super::*;
use crate::cty::{Marks, Number, Refinement};
use crate::planning::Action;
use crate::planning::rules::{apply_result, final_plan};

fn check(schema: &Block, planned: &Value, actual: &Value) -> Vec<String> {
    shown(&apply_result(schema, planned, actual))
}

fn one(value: &Value) -> Value {
    object([("x", value.clone())])
}

/// Checks one attribute of a type.
fn check_value(planned: &Value, actual: &Value) -> Vec<String> {
    let schema = block(vec![attribute("x", Type::Dynamic, "oc")], Vec::new());
    check(&schema, &one(planned), &one(actual))
}

#[test]
fn r11_existence() {
    let schema = block(plain_and_computed(), Vec::new());
    let (null, some) = (Value::null(schema.implied_type()), item(none(), none()));
    assert_eq!(check(&schema, &null, &some), ["R11 root object was absent, but now present"]);
    assert_eq!(check(&schema, &some, &null), ["R11 root object was present, but now absent"]);
    assert_eq!(check(&schema, &null, &null), [""; 0]);
}

#[test]
fn r11_values() {
    let list = |items: Vec<Value>| Value::list(Type::String, items);
    let set = |items: Vec<Value>| Value::set(Type::String, items);
    let map = |key| Value::map(Type::String, [(key, text("v"))]);
    let cases = [
        (text("a"), text("a"), vec![]),
        (text("a"), text("b"), vec![r#"R11 x: was "a", but now "b""#]),
        (text("a"), none(), vec![r#"R11 x: was "a", but now null"#]),
        (none(), text("a"), vec![r#"R11 x: was null, but now "a""#]),
        (none(), none(), vec![]),
        (text("a"), unknown(), vec!["R11 x: was known, but now unknown"]),
        (unknown(), text("a"), vec![]),
        (unknown(), none(), vec![]),
        (unknown(), Value::bool(true), vec!["R11 x: wrong final value type: string is required, but received bool"]),
        (Value::unknown(Type::Dynamic), Value::bool(true), vec![]),
        (Value::null(Type::Dynamic), Value::bool(true), vec![]),
        (list(vec![text("a"), unknown()]), list(vec![text("a"), text("b")]), vec![]),
        (list(vec![text("a")]), list(vec![]), vec!["R11 x: element 0 has vanished"]),
        (list(vec![]), list(vec![text("a")]), vec!["R11 x: new element 0 has appeared"]),
        (list(vec![text("a")]), list(vec![text("b")]), vec![r#"R11 x[0]: was "a", but now "b""#]),
        (map("k"), map("l"), vec![r#"R11 x: element "k" has vanished"#, r#"R11 x: new element "l" has appeared"#]),
        (
            set(vec![text("a")]),
            set(vec![text("b")]),
            vec![r#"R11 x: planned set element "a" does not correlate with any element in actual"#],
        ),
        (
            set(vec![text("a")]),
            set(vec![text("a"), text("b")]),
            vec![
                r#"R11 x: actual set element "b" does not correlate with any element in plan"#,
                "R11 x: length changed from 1 to 2",
            ],
        ),
        // An unknown element may become equal to another one.
        (set(vec![text("a"), unknown()]), set(vec![text("a")]), vec![]),
    ];
    for (planned, actual, wrong) in cases {
        assert_eq!(check_value(&planned, &actual), wrong, "{planned:?} became {actual:?}");
    }
}

#[test]
fn r11_refinements() {
    let prefix = |prefix: &str| Refinement { string_prefix: Some(prefix.into()), ..Refinement::not_null() };
    let between = Refinement {
        number_min: Some((Number::from(1), true)),
        number_max: Some((Number::from(2), false)),
        ..Refinement::default()
    };
    let lengths = Refinement { length_min: Some(1), length_max: Some(2), ..Refinement::default() };
    let list = |count: usize| Value::list(Type::String, vec![text("a"); count]);
    let cases = [
        (Type::String, prefix("b-"), text("b-1"), true),
        (Type::String, prefix("b-"), text("c-1"), false),
        (Type::String, prefix("b-"), none(), false),
        (Type::Number, between.clone(), Value::number(1), true),
        (Type::Number, between.clone(), Value::number(2), false),
        (Type::Number, between.clone(), Value::number(0), false),
        (Type::Number, between, Value::null(Type::Number), true),
        (Type::list(Type::String), lengths.clone(), list(2), true),
        (Type::list(Type::String), lengths.clone(), list(0), false),
        (Type::list(Type::String), lengths, list(3), false),
    ];
    for (ty, refinement, actual, fits) in cases {
        let planned = Value::unknown_refined(ty, refinement);
        let found = check_value(&planned, &actual);
        assert_eq!(found.is_empty(), fits, "{planned:?} became {actual:?}: {found:?}");
    }
}

#[test]
fn r11_sensitive_values_are_never_shown() {
    let vague = ["R11 x: inconsistent values for sensitive attribute"];
    let schema = block(vec![attribute("x", Type::String, "os")], Vec::new());
    assert_eq!(check(&schema, &one(&text("hunter2")), &one(&text("b"))), vague);
    assert_eq!(check_value(&text("hunter2").with_marks(Marks::SENSITIVE), &text("b")), vague);
    let inner = vec![attribute("pin", Type::String, "os")];
    let schema = block(Vec::new(), vec![nested_block("x", Nesting::Set, inner)]);
    let pins = |pin| one(&Value::set(Type::object([("pin", Type::String)]), [object([("pin", text(pin))])]));
    let found = check(&schema, &pins("hunter2"), &pins("hunter3"));
    assert!(found.len() == 1 && !found[0].contains("hunter"), "{found:?}");
}

#[test]
fn r11_blocks() {
    let schema = |nesting| block(Vec::new(), vec![nested_block("x", nesting, plain_and_computed())]);
    for nesting in [Nesting::List, Nesting::Set, Nesting::Map] {
        let planned = one(&items(nesting, [item(text("a"), unknown())]));
        let filled = one(&items(nesting, [item(text("a"), text("1"))]));
        let schema = schema(nesting);
        assert_eq!(check(&schema, &planned, &filled), [""; 0], "{nesting:?}");
        let more = one(&items(nesting, [item(text("a"), text("1")), item(text("b"), text("2"))]));
        assert!(!check(&schema, &planned, &more).is_empty(), "{nesting:?}");
        let unknown = one(&Value::unknown(nesting.wrap(item_type())));
        assert_eq!(check(&schema, &unknown, &more), [""; 0], "{nesting:?}");
    }
    let (two, one_left) = (
        one(&items(Nesting::List, [item(none(), none()), item(none(), none())])),
        one(&items(Nesting::List, [item(none(), none())])),
    );
    assert_eq!(check(&schema(Nesting::List), &two, &one_left), ["R11 x: block count changed from 2 to 1"]);
    let gone = one(&Value::null(item_type()));
    let there = one(&item(text("a"), none()));
    assert_eq!(check(&schema(Nesting::Single), &there, &gone), ["R11 x: was present, but now absent"]);
    assert_eq!(check(&schema(Nesting::Single), &one(&Value::unknown(item_type())), &gone), [""; 0]);
}

#[test]
fn r11_computed_blocks_are_not_null_after_apply() {
    let mut blocks = nested_block("x", Nesting::List, plain_and_computed());
    blocks.block.computed = true;
    let schema = block(Vec::new(), vec![blocks]);
    let ty = Type::list(item_type());
    let unknown = one(&Value::unknown(ty.clone()));
    assert_eq!(check(&schema, &unknown, &one(&Value::null(ty))), ["R11 x: null block value after apply"]);
    assert_eq!(check(&schema, &unknown, &one(&items(Nesting::List, [item(none(), none())]))), [""; 0]);
}

#[test]
fn r9_final_plan() {
    let schema = block(plain_and_computed(), Vec::new());
    let first = item(text("a"), unknown());
    let last = |first_action, last_action, last: &Value| {
        shown(&final_plan(&schema, (first_action, &first), (last_action, last)))
    };
    let same = item(text("a"), text("1"));
    assert_eq!(last(Action::Update, Action::Update, &same), [""; 0]);
    assert_eq!(last(Action::Update, Action::NoOp, &same), [""; 0]);
    assert_eq!(last(Action::Update, Action::Replace, &same), ["R9 the planned action changed from update to replace"]);
    assert_eq!(last(Action::Create, Action::Create, &item(text("b"), unknown())), [r#"R9 name: was "a", but now "b""#]);
}
