//! What is written, word for word, and what is refused. That states read back the same is tested with the translation.

use std::collections::BTreeMap;

use denobridge_core::cty::{Marks, Type, Value};
use denobridge_core::schema::{Attribute, Block, ProviderSchema, Schema};
use denobridge_sdk_gen::{ObjectNames, PackageOptions, generate};

use super::*;
use crate::Conventions::Own;
use crate::state;

fn write(value: &Value, names: &ObjectNames, kept: &Kept) -> PropertyMap {
    state::write(Own, value, names, kept).outputs
}

fn names() -> ObjectNames {
    let attributes = ["props", "plain_text"].map(|name| {
        let ty = if name == "props" { Type::Dynamic } else { Type::String };
        Attribute { optional: true, ..Attribute::new(name, ty) }
    });
    let block = Block { attributes: attributes.into(), ..Block::default() };
    let schema = ProviderSchema {
        resources: BTreeMap::from([("p_r".into(), Schema { version: 0, block })]),
        ..ProviderSchema::default()
    };
    let options = PackageOptions { name: "p".to_owned(), version: "1.0.0".to_owned(), ..PackageOptions::default() };
    let package = generate(&schema, &options).expect("a package");
    (*package.names.resource("p:index:R").expect("the resource").fields).clone()
}

fn value(props: Value) -> Value {
    Value::object([("props", props), ("plain_text", Value::null(Type::String))])
}

fn text(properties: &PropertyMap, name: &str) -> String {
    match properties.get(name).map(PropertyValue::plain) {
        Some(PropertyValue::String(text)) => text.clone(),
        other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn the_form_is_fixed() {
    let exact = Value::number("0.1000000000000000055".parse::<denobridge_core::cty::Number>().expect("a number"));
    let props = Value::object([("list", Value::list(Type::Number, [exact])), ("a/b", Value::bool(true))]);
    let written = write(&value(props), &names(), &Kept { schema_version: 2, private: "p".into(), ..Kept::default() });
    assert_eq!(
        text(&written, META),
        r#"{"form":1,"schemaVersion":2,"private":"cA==","types":{"props":["object",{"a/b":"bool","list":["list","number"]}]},"numbers":{"/props/list/0":"0.1000000000000000055"}}"#
    );
    assert!(!written.contains_key(SENSITIVE_META));
    assert!(!written.contains_key("plainText"));
}

#[test]
fn what_is_said_about_a_secret_is_a_secret() {
    let canary = Value::map(Type::list(Type::String), [("canary", Value::list(Type::String, []))]);
    let props = Value::object([("key_of_no_secret", canary.with_marks(Marks::SECRET))]);
    let written = write(&value(props), &names(), &Kept::default());
    assert_eq!(text(&written, META), r#"{"form":1,"schemaVersion":0}"#);
    assert!(written[SENSITIVE_META].is_secret());
    assert!(text(&written, SENSITIVE_META).contains("types"));
}

#[test]
fn private_data_is_a_secret_where_the_resource_has_one() {
    let private = Kept { private: "p".into(), private_is_secret: true, ..Kept::default() };
    let written = write(&value(Value::bool(true)), &names(), &private);
    assert_eq!(text(&written, META), r#"{"form":1,"schemaVersion":0}"#);
    assert_eq!(text(&written, SENSITIVE_META), r#"{"private":"cA=="}"#);
    assert_eq!(read(&written, &names()).expect("reads").kept, private);
    let marked = Value::bool(true).with_marks(Marks::SECRET);
    let written = write(&value(marked), &names(), &Kept { private_is_secret: false, ..private });
    assert!(written[SENSITIVE_META].is_secret());
}

#[test]
fn edited_states_are_refused_or_read_as_far_as_they_make_sense() {
    let with = |meta: &str| PropertyMap::from([(META.to_owned(), PropertyValue::from(meta))]);
    let error = |meta: &str| read(&with(meta), &names()).expect_err("refused").to_string();
    assert_eq!(
        error("nonsense"),
        "the output `__meta` in the stored state cannot be read: it is not a JSON object; was the state edited by hand?"
    );
    assert!(error(r#"{"form":2}"#).contains("written by a newer version of the plugin"));
    assert!(error(r#"{"form":1,"private":"%"}"#).contains("not base64"));
    // A type that no longer fits the edited value is passed over.
    let mut edited = with(r#"{"form":1,"types":{"props":["list","string"]},"numbers":{"/props":"12"}}"#);
    edited.insert("props".to_owned(), PropertyValue::Bool(true));
    let stored = read(&edited, &names()).expect("reads");
    assert_eq!(stored.value.attribute("props"), Some(&Value::bool(true)));
}
