use std::sync::{Arc, Mutex};

use serde_json::json;

use super::*;
use crate::cty::{Marks, Refinement, Type, Value};

fn recorded(placeholders: &Placeholders, value: &Value, ty: &Type) -> Json {
    let json = to_json(value, ty, placeholders);
    let text = json.to_string();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn values_are_read_as_they_were_recorded() {
    let ty = Type::object([
        ("any", Type::Dynamic),
        ("big", Type::Number),
        ("list", Type::list(Type::Bool)),
        ("map", Type::map(Type::String)),
        ("none", Type::String),
        ("pair", Type::tuple([Type::String, Type::Dynamic])),
        ("set", Type::set(Type::Number)),
        ("soon", Type::String),
        ("soon_something", Type::Dynamic),
    ]);
    let refinement = Refinement { not_null: true, ..Refinement::default() };
    let value = Value::object([
        ("any", Value::list(Type::Number, [Value::number(1)])),
        ("big", Value::number("123456789012345678901234567890.123".parse::<crate::cty::Number>().unwrap())),
        ("list", Value::list(Type::Bool, [Value::bool(true), Value::unknown(Type::Bool)])),
        ("map", Value::map(Type::String, [("$type", Value::string("a")), ("b", Value::null(Type::String))])),
        ("none", Value::null(Type::String)),
        ("pair", Value::tuple([Value::string("x"), Value::bool(false)])),
        ("set", Value::set(Type::Number, [Value::number(2), Value::number(1)])),
        ("soon", Value::unknown_refined(Type::String, refinement)),
        ("soon_something", Value::unknown(Type::Dynamic)),
    ]);
    let json = recorded(&Placeholders::default(), &value, &ty);
    assert_eq!(json["any"], json!({"$type": ["list", "number"], "$value": [1]}));
    assert_eq!(json["big"].to_string(), "123456789012345678901234567890.123");
    assert_eq!(json["list"], json!([true, {"$unknown": true}]));
    assert_eq!(json["map"], json!({"$$type": "a", "b": null}));
    assert_eq!(from_json(&json, &ty).unwrap(), value);
    let wrong = from_json(&json!({"list": [true, "maybe"]}), &ty).unwrap_err();
    assert!(wrong.starts_with(".list: [1]: "), "{wrong}");
}

#[test]
fn what_is_marked_gets_placeholders_of_its_type() {
    let placeholders = Placeholders::default();
    let ty =
        Type::object([("a", Type::map(Type::String)), ("b", Type::Number), ("c", Type::Bool), ("d", Type::Dynamic)]);
    let value = Value::object([
        ("a", Value::map(Type::String, [("k", Value::string("hunter2"))]).with_marks(Marks::SENSITIVE)),
        ("b", Value::number(80).with_marks(Marks::SECRET)),
        ("c", Value::bool(true).with_marks(Marks::SECRET)),
        ("d", Value::string("hunter2").with_marks(Marks::SECRET)),
    ]);
    let json = recorded(&placeholders, &value, &ty);
    let expected = json!({
        "a": {"k": "denobridge-secret-1"},
        "b": 900_000_001,
        "c": false,
        "d": {"$type": "string", "$value": "denobridge-secret-1"},
    });
    assert_eq!(json, expected);
    assert!(from_json(&json, &ty).is_ok(), "placeholders can be played");
    assert_eq!(recorded(&placeholders, &value, &ty), json, "the same secret has the same placeholder");
    let other = Value::bool(false).with_marks(Marks::SECRET);
    assert_eq!(recorded(&placeholders, &other, &Type::Bool), json!(true), "two bools are told apart");
}

#[test]
fn known_secrets_are_found_wherever_they_stand() {
    let placeholders = Placeholders::default();
    placeholders.text("pass\"word");
    placeholders.text("hunter2");
    placeholders.text("hunter2-and-more");
    placeholders.text("ab");
    placeholders.replace(&mut json!([1_234_567, 80]));
    let inner = json!({"p": "pass\"word", "n": 80}).to_string();
    let mut said = json!({
        "type_name": "ab",
        "message": "hunter2-and-more, xhunter2x, ab but not cab, 1234567 and 80",
        "text": inner,
        "twice": Json::from(inner.clone()).to_string(),
        "base64": "aHVudGVyMg==",
        "members": {"pass\"word": [1_234_567.0, 80, true]},
    });
    placeholders.mask(&mut said, &["type_name"]);
    let shown = serde_json::to_string_pretty(&said).unwrap();
    for secret in ["hunter2", "pass", "word", "aHVudGVyMg", "1234567"] {
        assert!(!shown.contains(secret), "{secret} in {shown}");
    }
    assert_eq!(said["type_name"], "ab");
    assert_eq!(
        said["message"],
        "denobridge-secret-3, xdenobridge-secret-2x, denobridge-secret-4 but not cab, 900000001 and 80"
    );
    assert_eq!(said["text"], json!({"p": "denobridge-secret-1", "n": 80}).to_string());
    assert_eq!(said["base64"], "ZGVub2JyaWRnZS1zZWNyZXQtMg==");
    assert_eq!(
        said["members"]["denobridge-secret-1"],
        json!([900_000_001, 80, true]),
        "short numbers are secret in their place"
    );
    let again = said.clone();
    placeholders.mask(&mut said, &[]);
    assert_eq!(said["text"], again["text"], "placeholders are not looked into");
}

#[test]
fn json_text_stays_json_text() {
    let placeholders = Placeholders::default();
    let secret = r#"{"token":"canary","level":[7,true]}"#;
    let placeholder = placeholders.text(secret);
    assert_eq!(placeholder, r#"{"token":"denobridge-secret-1","level":[900000001,false]}"#);
    assert_eq!(placeholders.text("canary"), "denobridge-secret-1", "what is in it has the same placeholder by itself");
    assert_eq!(placeholders.masked(&format!("got {secret}")), format!("got {placeholder}"));
}

/// Providers that are made with terraform-plugin-sdk have `{"schema_version":"1"}` in their private data.
#[test]
fn texts_that_are_short_numbers_are_secret_in_their_place_only() {
    let placeholders = Placeholders::default();
    assert_eq!(placeholders.text(r#"{"schema_version":"1"}"#), r#"{"schema_version":"denobridge-secret-1"}"#);
    assert_eq!(placeholders.text("1"), "denobridge-secret-1");
    placeholders.text("1234");
    let mut said = json!({"version": "1", "pin": "1234"});
    placeholders.mask(&mut said, &[]);
    assert_eq!(said, json!({"version": "1", "pin": "denobridge-secret-2"}));
}

#[test]
fn marks_come_back_to_what_was_asked_for() {
    let secret = |value: Value| value.with_marks(Marks::SECRET);
    let asked = Value::object([
        ("port", secret(Value::number(80))),
        ("list", Value::list(Type::String, [Value::string("a"), secret(Value::string("b"))])),
        ("gone", secret(Value::string("c"))),
    ]);
    let answered = Value::object([
        ("port", Value::number(80)),
        ("list", Value::list(Type::String, [Value::string("a"), Value::string("b")])),
        ("gone", Value::null(Type::String)),
    ]);
    let carried = carry_marks(&asked, answered);
    assert_eq!(
        format!("{carried:?}"),
        r#"{"gone": null(string), "list": list["a", (sensitive)], "port": (sensitive)}"#
    );
}

#[test]
fn differences_are_told_with_their_place() {
    let recorded = json!({"config": {"a": 1, "b": ["x", "y"], "gone": true}, "meta": "{\"v\":1}", "same": 2.0});
    let now = json!({"config": {"a": 1.0, "b": ["x", "z"], "t.1": 0}, "meta": "{\"v\":2}", "same": 2});
    let told: Vec<_> = differences(&recorded, &now).iter().map(ToString::to_string).collect();
    let expected = [
        r#"config.b[1]: recorded "y", now "z""#,
        "config.gone: recorded true, now nothing",
        r#"config["t.1"]: recorded nothing, now 0"#,
        "meta.v: recorded 1, now 2",
    ];
    assert_eq!(told, expected);
}

#[test]
fn what_is_hidden_is_the_same_as_anything_but_nothing() {
    let recorded = json!({"a": {"$hidden": true}, "b": {"$hidden": true}, "text": "{\"c\":{\"$hidden\":true}}"});
    let now = json!({"a": "whatever", "b": null, "text": "{\"c\":7}"});
    let told: Vec<_> = differences(&recorded, &now).iter().map(|difference| difference.path.clone()).collect();
    assert_eq!(told, ["b"]);
}

#[test]
fn a_line_is_a_call() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&lines);
    let recorder = Recorder::new("p1".to_owned(), move |line: &str| kept.lock().unwrap().push(line.to_owned()));
    recorder.placeholders().text("canary");
    let begun = recorder.begin();
    let error = CallError::Unavailable { message: "gone with canary".to_owned() };
    recorder.end(
        begun,
        Exchange {
            side: Side::Seam,
            procedure: "ReadResource".to_owned(),
            resource: Some("x_y".to_owned()),
            subject: None,
            request: json!({"type_name": "x_y", "current_state": {"a": "canary"}}),
            answer: Err(error_to_json(&error)),
        },
    );
    let line = lines.lock().unwrap().concat();
    let mut json: Json = serde_json::from_str(&line).unwrap();
    assert!(json["started_us"].as_u64() <= json["ended_us"].as_u64());
    for name in ["started_us", "ended_us"] {
        json.as_object_mut().unwrap().remove(name);
    }
    let expected = json!({
        "format": 1, "kind": "seam", "process": "p1", "call": 0, "procedure": "ReadResource", "resource": "x_y",
        "request": {"type_name": "x_y", "current_state": {"a": "denobridge-secret-1"}},
        "error": {"kind": "unavailable", "message": "gone with denobridge-secret-1"},
    });
    assert_eq!(json, expected);
    assert_eq!(error_from_json(&error_to_json(&error)), error);
}
