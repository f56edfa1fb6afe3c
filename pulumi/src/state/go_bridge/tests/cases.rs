//! Each kind of delta, and what is refused.

use denobridge_core::cty::{Marks, Number, Type};
use denobridge_core::schema::{Attribute, NestedBlock, Nesting};

use super::*;
use prost::Message as _;

use crate::Conventions;
use crate::property_value::wire;
use crate::proto::Struct;
use crate::state::KeptIdentity;

fn attribute(name: &str, ty: Type) -> Attribute {
    Attribute { optional: true, ..Attribute::new(name, ty) }
}

fn one(name: &str, ty: Type) -> Arc<ObjectNames> {
    names(Block { attributes: vec![attribute(name, ty)], ..Block::default() })
}

fn block(name: &str, nesting: Nesting, max_items: u64) -> NestedBlock {
    let block = Block { attributes: vec![attribute("in_block", Type::String)], ..Block::default() };
    NestedBlock { name: name.into(), nesting, block, min_items: 0, max_items }
}

/// The outputs of a state with one attribute or block, as JSON. They read back as that state.
fn written(names: &ObjectNames, value: Value) -> Json {
    let name = names.fields().next().expect("a field").terraform.clone();
    let value = Value::object([(name, value)]);
    let outputs = write(GoBridge, &value, names, &Kept::default()).outputs;
    let stored = read(GoBridge, &outputs, names).expect("reads");
    assert_eq!(state(&stored, names), value.without_marks_deep());
    shown(&PropertyValue::Object(outputs))
}

fn number(text: &str) -> Value {
    Value::number(text.parse::<Number>().expect("a number"))
}

#[test]
fn collections_say_what_they_are() {
    let maps = one("foo_bar", Type::map(Type::list(Type::String)));
    let value = Value::map(Type::list(Type::String), [("a_b", Value::list(Type::String, [Value::null(Type::String)]))]);
    assert_eq!(
        written(&maps, value),
        json!({ "fooBar": { "a_b": [null] }, DELTA: { "obj": { "ps": { "fooBar": { "map": { "el": { "a_b": { "arr": {} } } } } } } } })
    );
    let empty = written(&one("size", Type::set(Type::Number)), Value::set(Type::Number, []));
    assert_eq!(
        empty,
        json!({ "sizes": [], DELTA: { "obj": { "ps": { "sizes": { "arr": {} } }, "renamed": { "sizes": "size" } } } })
    );
    let objects = one("x", Type::object([("sha_256", Type::String), ("no", Type::Bool)]));
    let value = Value::object([("sha_256", Value::string("s")), ("no", Value::null(Type::Bool))]);
    assert_eq!(
        written(&objects, value),
        json!({
            "x": { "sha256": "s" },
            DELTA: { "obj": { "ps": { "x": { "obj": {
                "ps": { "no": { "secret": { "replace": { "raw": null } } } },
                "renamed": { "sha256": "sha_256" },
            } } } } },
        })
    );
}

#[test]
fn one_block_by_itself_is_an_array_in_terraform() {
    let names = names(Block { blocks: vec![block("one", Nesting::List, 1)], ..Block::default() });
    let object = Value::object([("in_block", Value::string("x"))]);
    let value = Value::list(object.ty(), [object.clone()]);
    assert_eq!(
        written(&names, value),
        json!({ "one": { "inBlock": "x" }, DELTA: { "obj": { "ps": { "one": { "plu": { "i": { "obj": {} } } } } } } })
    );
    assert_eq!(
        written(&names, Value::list(object.ty(), [])),
        json!({ DELTA: { "obj": { "ps": { "one": { "secret": { "replace": { "raw": [] } } } } } } })
    );
    // Where the property is null, the Go bridge says that there is no element.
    let null = json!({ "one": null, DELTA: { "obj": { "ps": { "one": { "plu": { "i": {} } } } } } });
    let stored = read(GoBridge, &properties(&null), &names).expect("reads");
    assert_eq!(stored.raw, r#"{"one":[]}"#);
}

#[test]
fn blocks_of_which_there_are_none_are_empty_outputs() {
    let list = names(Block { blocks: vec![block("one", Nesting::List, 0)], ..Block::default() });
    let expected =
        json!({ "ones": [], DELTA: { "obj": { "ps": { "ones": { "arr": {} } }, "renamed": { "ones": "one" } } } });
    assert_eq!(written(&list, Value::list(Type::object([("in_block", Type::String)]), [])), expected);
    let map = names(Block { blocks: vec![block("one", Nesting::Map, 0)], ..Block::default() });
    let expected = json!({ "one": {}, DELTA: { "obj": { "ps": { "one": { "map": {} } } } } });
    assert_eq!(written(&map, Value::map::<&str>(Type::object([("in_block", Type::String)]), [])), expected);
}

#[test]
fn a_set_keeps_the_order_in_which_it_is_stored() {
    let object = Type::object([("a", Type::String), ("b", Type::String)]);
    let inner = Type::list(Type::set(Type::String));
    let attributes = vec![attribute("size", Type::set(object.clone())), attribute("x", inner)];
    let names = names(Block { attributes, ..Block::default() });
    let element = |a: &str, b: Value| Value::object([("a", Value::string(a)), ("b", b)]);
    let sizes = [element("1", Value::null(Type::String)), element("2", Value::string("two"))];
    let texts = Value::set(Type::String, ["a", "b", "c"].map(Value::string));
    let value = Value::object([
        ("size", Value::set(object, sizes).with_marks(Marks::SECRET)),
        ("x", Value::list(texts.ty(), [texts])),
    ]);
    let mut outputs = write(GoBridge, &value, &names, &Kept::default()).outputs;
    let kept = |stored: Json, outputs: &mut PropertyMap| {
        crate::state::keep_order(GoBridge, outputs, &properties(&stored), &names);
        shown(&PropertyValue::Object(outputs.clone()))
    };
    let before = shown(&PropertyValue::Object(outputs.clone()));
    let others = json!({ "sizes": [{ "a": "2" }, { "a": "1" }], "xes": [["c", "b"]] });
    assert_eq!(kept(others, &mut outputs), before);
    let stored = json!({ "sizes": [{ "a": "2", "b": "two" }, { "a": "1" }], "xes": [["c", "a", "b"]] });
    let after = kept(stored.clone(), &mut outputs);
    assert_eq!(after["sizes"], json!({ "secret": stored["sizes"] }));
    assert_eq!(after["xes"], stored["xes"]);
    let read = read(GoBridge, &outputs, &names).expect("reads");
    assert_eq!(state(&read, &names), value.without_marks_deep());
}

#[test]
fn numbers_keep_their_digits() {
    let names = one("size", Type::Number);
    let plain = json!({ "size": 0.1, DELTA: { "obj": {} } });
    assert_eq!(written(&names, number("0.1")), plain);
    let long = "12345678901234567890123";
    assert_eq!(
        written(&names, number(long)),
        json!({
            "size": serde_json::from_str::<Json>("12345678901234568000000").expect("JSON"),
            DELTA: { "obj": { "ps": { "size": { "secret": { "replace": {
                "raw": serde_json::from_str::<Json>("12345678901234568000000").expect("JSON"),
                "text": long,
            } } } } } },
        })
    );
    let beyond = format!("1{}", "0".repeat(400));
    assert_eq!(
        written(&names, number(&beyond)),
        json!({ "size": beyond, DELTA: { "obj": { "ps": { "size": { "num": {} } } } } })
    );
}

#[test]
fn dynamic_values_keep_their_types() {
    let names = one("any", Type::Dynamic);
    let replaced = |raw: Json| json!({ "obj": { "ps": { "any": { "secret": { "replace": { "raw": raw } } } } } });
    let list = Value::list(Type::String, [Value::string("a")]);
    let raw = json!({ "value": ["a"], "type": ["list", "string"] });
    assert_eq!(written(&names, list), json!({ "any": ["a"], DELTA: replaced(raw) }));
    assert_eq!(written(&names, Value::null(Type::Dynamic)), json!({ DELTA: replaced(Json::Null) }));
    let null = json!({ "value": null, "type": "string" });
    assert_eq!(written(&names, Value::null(Type::String)), json!({ DELTA: replaced(null) }));
}

#[test]
fn timeouts_that_are_not_set_are_in_no_state() {
    let timeouts = Block { attributes: vec![attribute("create", Type::String)], ..Block::default() };
    let timeouts =
        NestedBlock { name: "timeouts".into(), nesting: Nesting::Single, block: timeouts, min_items: 0, max_items: 0 };
    let attributes = vec![attribute("x", Type::String)];
    let names = names(Block { attributes, blocks: vec![timeouts], ..Block::default() });
    let with = |timeouts: Value| {
        let value = Value::object([("x", Value::string("x")), ("timeouts", timeouts)]);
        let outputs = write(GoBridge, &value, &names, &Kept::default()).outputs;
        let raw = read(GoBridge, &outputs, &names).expect("reads").raw;
        (shown(&outputs[DELTA]), String::from_utf8(raw.to_vec()).expect("text"))
    };
    let unset = with(Value::null(Type::object([("create", Type::String)])));
    assert_eq!(unset, (json!({ "obj": {} }), r#"{"x":"x"}"#.to_owned()));
    let set = with(Value::object([("create", Value::null(Type::String))]));
    assert_eq!(set.1, r#"{"timeouts":{"create":null},"x":"x"}"#);
}

#[test]
fn what_repeats_values_is_a_secret_even_by_its_name() {
    let names = one("replace", Type::map(Type::String));
    let value = Value::map(Type::String, [("a", Value::string("b"))]);
    let expected = json!({ "obj": { "ps": { "secret": { "replace": { "map": {} } } } } });
    assert_eq!(written(&names, value)[DELTA], expected);
}

#[test]
fn a_secret_of_the_outputs_is_one_as_a_whole_and_the_delta_is_none() {
    let names = one("x", Type::list(Type::String));
    let value = Value::list(Type::String, [Value::string("a").with_marks(Marks::SECRET)]);
    let expected = json!({ "xes": { "secret": ["a"] }, DELTA: { "obj": { "ps": { "xes": { "arr": {} } }, "renamed": { "xes": "x" } } } });
    assert_eq!(written(&names, value), expected);
}

#[test]
fn schema_version_and_private_data_are_a_record_where_there_are_any() {
    let names = one("x", Type::String);
    let value = Value::object([("x", Value::string("a"))]);
    let kept =
        |schema_version, private: &'static str| Kept { schema_version, private: private.into(), ..Kept::default() };
    let identity = |schema_version| KeptIdentity { schema_version, raw: json!({ "key": "k" }) };
    for (kept, expected) in [
        (kept(0, ""), None),
        (kept(3, ""), Some(r#"{"schema_version":"3"}"#)),
        (kept(3, "{}"), Some(r#"{"private_state":"e30=","schema_version":"3"}"#)),
        (Kept { identity: Some(identity(0)), ..kept(0, "") }, Some(r#"{"identity":{"key":"k"}}"#)),
        (
            Kept { identity: Some(identity(2)), ..kept(3, "") },
            Some(r#"{"schema_version":"3","identity":{"key":"k"},"identity_schema_version":"2"}"#),
        ),
    ] {
        let outputs = write(GoBridge, &value, &names, &kept).outputs;
        assert_eq!(outputs.get(META), expected.map(PropertyValue::from).as_ref());
        assert_eq!(read(GoBridge, &outputs, &names).expect("reads").kept, kept);
    }
}

#[test]
fn states_without_a_delta_are_read_by_the_schema() {
    let names = one("foo_bar", Type::String);
    let outputs = properties(&json!({ META: "{\"schema_version\":\"1\"}", "fooBar": "x", "wasThere": { "a": 1 } }));
    let stored = read(GoBridge, &outputs, &names).expect("reads");
    assert_eq!(stored.raw, r#"{"foo_bar":"x","was_there":{"a":1}}"#);
    assert_eq!(stored.kept.schema_version, 1);
}

#[test]
fn states_of_another_schema_are_rebuilt_as_they_were() {
    let old = one("old_name", Type::list(Type::Number));
    let value = Value::object([("old_name", Value::list(Type::Number, [number("1")]))]);
    let outputs = write(GoBridge, &value, &old, &Kept::default()).outputs;
    let stored = read(GoBridge, &outputs, &one("new_name", Type::String)).expect("reads");
    assert_eq!(stored.raw, r#"{"old_name":[1]}"#);
}

fn refused(outputs: &Json) -> String {
    let names = one("x", Type::list(Type::String));
    match read(GoBridge, &properties(outputs), &names) {
        Ok(stored) => panic!("reads as {:?}", stored.raw),
        Err(StateError::Delta(error)) => error.to_string(),
        Err(other) => other.to_string(),
    }
}

#[test]
fn deltas_that_do_not_fit_say_where_and_what_to_do() {
    let delta = |x: Json, delta: Json| json!({ "x": x, DELTA: { "obj": { "ps": { "x": delta } } } });
    assert_eq!(
        refused(&delta(json!("edited"), json!({ "arr": {} }))),
        "the output `__pulumi_raw_state_delta` in the stored state does not fit the other outputs at `x`: an array is \
         required, but this is a string. If the state was edited by hand, take `__pulumi_raw_state_delta` out of the \
         outputs of this resource too (`pulumi stack export`, edit, `pulumi stack import`): then the other outputs alone \
         say what the state is"
    );
    for (outputs, expected) in [
        (delta(json!({}), json!({})), "at `x`: it does not say what this is"),
        (delta(json!([]), json!({ "arr": { "el": { "1": { "num": {} } } } })), "at `x`: there is no element 1"),
        (delta(json!(["a"]), json!({ "arr": { "el": { "0": { "num": {} } } } })), "at `x[0]`: a number is required"),
        (delta(json!("a"), json!({ "map": {} })), "at `x`: an object is required, but this is a string"),
        (delta(json!("a"), json!({ "asset": { "kind": 1 } })), "at `x`: an asset cannot be a part"),
        (delta(json!("a"), json!("b")), "at `x`: its content cannot be read"),
        (json!({ META: "{\"private_state\":\"%\"}" }), "`private_state` is not base64"),
        (json!({ META: "{\"schema_version\":\"x\"}" }), "`schema_version` is not a whole number"),
    ] {
        let message = refused(&outputs);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn properties_that_are_no_attributes_are_ignored() {
    let outputs = json!({ "x": "a", "extra": {}, DELTA: { "obj": { "ignored": ["extra", "extra"] } } });
    let stored = read(GoBridge, &properties(&outputs), &one("x", Type::String)).expect("reads");
    assert_eq!(stored.raw, r#"{"x":"a"}"#);
}

/// Terraform's names that differ only in what property names cannot say: no recipe tells them apart.
#[test]
fn a_state_that_no_recipe_rebuilds_is_kept_as_a_whole() {
    let object = Type::object([("a_b", Type::String), ("aB", Type::String)]);
    // Without the repair that tells them apart, both attributes are the property `aB`.
    let names = names_with(Block { attributes: vec![attribute("x", object)], ..Block::default() }, Repairs::none());
    let value = Value::object([("a_b", Value::string("1")), ("aB", Value::string("2"))]);
    let outputs = written(&names, value);
    assert_eq!(outputs[DELTA]["secret"]["replace"]["raw"], json!({ "x": { "a_b": "1", "aB": "2" } }));
}

/// The delta takes three levels for each of the value's.
#[test]
fn the_delta_of_a_deep_value_is_whole_and_is_read_again() {
    let deep = (0..59).fold(Type::String, |ty, _| Type::map(ty));
    let value = (0..59).fold(Value::string("x"), |value, _| Value::map(value.ty(), [("k", value)]));
    let names = one("deep", deep);
    let outputs = write(GoBridge, &Value::object([("deep", value)]), &names, &Kept::default()).outputs;
    assert_eq!(outputs[DELTA].nesting(), 179);
    let message = wire::encode(&outputs).encode_to_vec();
    let received = wire::decode(Some(Struct::decode(message.as_slice()).expect("a message"))).expect("decodes");
    assert_eq!(received, outputs);
    assert_eq!(
        read(GoBridge, &received, &names).expect("reads").raw,
        read(GoBridge, &outputs, &names).expect("reads").raw
    );
}

/// The examples of `docs/reference/stored-state.md` are true.
#[test]
fn the_documented_examples_read_as_they_say() {
    let text = include_str!("../../../../../docs/reference/stored-state.md");
    let blocks: Vec<Json> = text
        .split("```json\n")
        .skip(1)
        .filter_map(|rest| serde_json::from_str(rest.split("```").next()?).ok())
        .collect();
    let [own, foreign, raw] = blocks.as_slice() else { panic!("{} examples", blocks.len()) };
    let stored = read(Conventions::Own, &properties(own), &one("state", Type::Dynamic)).expect("reads");
    let size = stored.value.attribute("state").and_then(|state| state.attribute("size"));
    assert_eq!(size, Some(&number("12345678901234567001")));
    let stored = read(GoBridge, &properties(foreign), &one("x", Type::String)).expect("reads");
    assert_eq!(serde_json::from_slice::<Json>(&stored.raw).expect("JSON"), *raw);
    assert_eq!(stored.kept, Kept { schema_version: 3, private: "{\"a\":1}".into(), ..Kept::default() });
}
