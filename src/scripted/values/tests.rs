use super::*;
use serde_json::json;

fn number(text: &str) -> Value {
    Value::number(Number::from_str(text).unwrap())
}

fn parsed(text: &str) -> Json {
    serde_json::from_str(text).unwrap()
}

/// One value of each kind that JSON cannot tell apart or hold.
fn awkward() -> Vec<(&'static str, Value)> {
    let strings = |items: &[&str]| items.iter().map(Value::string).collect::<Vec<_>>();
    vec![
        ("tuple", Value::tuple(strings(&["a", "b"]))),
        ("empty tuple", Value::tuple([])),
        ("empty list", Value::list(Type::String, [])),
        ("list", Value::list(Type::String, strings(&["a", "b"]))),
        ("set", Value::set(Type::String, strings(&["b", "a"]))),
        ("map", Value::map(Type::String, [("k", Value::string("v"))])),
        ("mixed", Value::tuple([Value::string("a"), Value::number(1), Value::null(Type::Dynamic)])),
        ("decimal", number("0.1")),
        ("big", number("9007199254740993")),
        ("thirty digits", number("123456789012345678901234567890")),
        ("typed null", Value::null(Type::String)),
        ("nested", Value::object([("s", Value::set(Type::Number, [Value::number(2), Value::number(1)]))])),
    ]
}

#[test]
fn values_that_come_back_as_sent_keep_their_type() {
    for (name, value) in awkward() {
        assert_eq!(reconcile(&value, &to_json(&value)).unwrap(), value, "{name}");
    }
}

#[test]
fn values_that_come_back_from_javascript_keep_their_digits() {
    for (sent, echoed) in [
        ("9007199254740993", "9007199254740992"),
        ("123456789012345678901234567890", "1.2345678901234568e+29"),
        ("0.1000000000000000055511151231257827", "0.1"),
        ("1000000000000000000000", "1e+21"),
    ] {
        assert_eq!(reconcile(&number(sent), &parsed(echoed)).unwrap(), number(sent), "{sent}");
    }
    assert_eq!(
        reconcile(&number("9007199254740993"), &parsed("9007199254740994")).unwrap(),
        number("9007199254740994")
    );
}

#[test]
fn what_is_sent() {
    let value = Value::object([
        ("big", number("9007199254740993")),
        ("decimal", number("0.1")),
        ("set", Value::set(Type::String, [Value::string("b"), Value::string("a")])),
        ("none", Value::null(Type::String)),
        ("map", Value::map(Type::Bool, [("k", Value::bool(true))])),
    ]);
    let sent = to_json(&value).to_string();
    assert_eq!(sent, r#"{"big":9007199254740993,"decimal":0.1,"map":{"k":true},"none":null,"set":["a","b"]}"#);
}

#[test]
fn unknown_parts_are_null_and_named() {
    let value = Value::object([
        ("a", Value::unknown(Type::String)),
        ("b", Value::tuple([Value::number(1), Value::unknown(Type::Dynamic)])),
        ("c", Value::map(Type::String, [("x.y", Value::unknown(Type::String))])),
    ]);
    let (json, unknown) = to_json_with_unknowns(&value, "nextProps");
    assert_eq!(json, json!({"a": null, "b": [1, null], "c": {"x.y": null}}));
    let expected = [json!(["nextProps", "a"]), json!(["nextProps", "b", 1]), json!(["nextProps", "c", "x.y"])];
    assert_eq!(unknown.into_iter().map(Json::from).collect::<Vec<_>>(), expected);
}

#[test]
fn arrays_of_one_type_are_lists_and_others_tuples() {
    let ty = |json: Json| from_json(&json).unwrap().ty().to_string();
    assert_eq!(ty(json!(["a", "b"])), "list(string)");
    assert_eq!(ty(json!([{"x": 1}, {"x": 2}])), "list(object({x = number}))");
    assert_eq!(ty(json!([])), "tuple([])");
    assert_eq!(ty(json!([1, "a"])), "tuple([number, string])");
    assert_eq!(ty(json!([{"x": 1}, {"x": "a"}])), "tuple([object({x = number}), object({x = string})])");
    assert_eq!(ty(json!([null, null])), "tuple([dynamic, dynamic])");
    assert_eq!(ty(json!([{"x": null}])), "tuple([object({x = dynamic})])");
    assert_eq!(ty(json!({"a": [[1], [2]]})), "object({a = list(list(number))})");
}

#[test]
fn what_differs_takes_the_kind_of_collection_that_was_there() {
    let merged = |prior: Value, json: Json| reconcile(&prior, &json).unwrap();
    let strings = |items: &[&str]| items.iter().map(Value::string).collect::<Vec<_>>();
    let set = Value::set(Type::String, strings(&["a", "b"]));
    assert_eq!(merged(set.clone(), json!(["c", "a"])), Value::set(Type::String, strings(&["a", "c"])));
    assert_eq!(merged(set.clone(), json!(["b", "a", "a"])), set);
    assert_eq!(merged(set, json!([1])), Value::list(Type::Number, [Value::number(1)]));
    let map = Value::map(Type::Number, [("k", Value::number(1))]);
    let wanted = Value::map(Type::Number, [("k", Value::number(1)), ("l", Value::number(2))]);
    assert_eq!(merged(map, json!({"k": 1, "l": 2})), wanted);
    let tuple = Value::tuple([Value::list(Type::String, strings(&["a"])), Value::number(1)]);
    let wanted = Value::tuple([Value::list(Type::String, strings(&["a"])), Value::number(2), Value::string("x")]);
    assert_eq!(merged(tuple, json!([["a"], 2, "x"])), wanted);
    let object = Value::object([("keep", Value::set(Type::String, strings(&["a"]))), ("change", Value::number(1))]);
    let wanted = Value::object([
        ("keep", Value::set(Type::String, strings(&["a"]))),
        ("change", Value::string("x")),
        ("new", Value::bool(true)),
    ]);
    assert_eq!(merged(object, json!({"keep": ["a"], "change": "x", "new": true})), wanted);
    assert_eq!(merged(Value::null(Type::set(Type::String)), json!(["a"])), Value::set(Type::String, strings(&["a"])));
    assert_eq!(merged(Value::string("5"), json!(5)), Value::number(5));
}

#[test]
fn absent_null_and_empty_are_three_things() {
    let prior = Value::object([("a", Value::null(Type::Dynamic))]);
    assert_eq!(reconcile(&prior, &json!({"a": null})).unwrap(), prior);
    assert_eq!(reconcile(&prior, &json!({})).unwrap(), Value::object::<&str>([]));
    assert_eq!(reconcile(&prior, &json!({"a": ""})).unwrap(), Value::object([("a", Value::string(""))]));
}

#[test]
fn too_much_is_an_error() {
    let deep = (0..DEEPEST + 1).fold(Json::Null, |json, _| json!([json]));
    assert_eq!(from_json(&deep), Err(ValueError::TooDeep));
    assert_eq!(reconcile(&Value::null(Type::Dynamic), &deep), Err(ValueError::TooDeep));
    let long = parsed("1e999999");
    assert!(matches!(from_json(&long), Err(ValueError::Number(_))));
}

#[test]
fn text_is_compared_and_kept_in_normal_form() {
    let composed = Value::object([("caf\u{e9}", Value::string("\u{e9}"))]);
    assert_eq!(reconcile(&composed, &json!({"cafe\u{301}": "e\u{301}"})).unwrap(), composed);
    assert_eq!(from_json(&json!({"cafe\u{301}": "e\u{301}"})).unwrap(), composed);
}

#[test]
fn differences_are_named_as_users_write_them() {
    let sent =
        Value::object([("a", Value::tuple([Value::object([("b", Value::number(1))])])), ("c", Value::bool(true))]);
    let difference = |json: Json| first_difference(&sent, &json, "props");
    assert_eq!(difference(json!({"a": [{"b": 1}], "c": true})), None);
    assert_eq!(difference(json!({"a": [{"b": 2}], "c": true})).as_deref(), Some("props.a[0].b"));
    assert_eq!(difference(json!({"a": [{"b": 1}], "c": true, "d": 1})).as_deref(), Some("props.d"));
    assert_eq!(difference(json!({"a": [{"b": 1}]})).as_deref(), Some("props.c"));
}
