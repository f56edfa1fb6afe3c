//! The other kinds of components.

use denobridge_core::cty::{Type, Value};
use serde_json::{Value as Json, json};

use super::{Stage, package, script, served, value};
use crate::scripted::values::to_json;

fn zone(kind: &str) -> Json {
    json!({
        "kind": kind,
        "name": if kind == "datasource" { "GetZone" } else { "Zone" },
        "props": {
            "type": "object",
            "properties": { "zoneName": { "type": "string", "minLength": 2 }, "depth": { "type": "integer", "default": 1 }, "region": { "type": "string" } },
            "required": ["zoneName"],
        },
        "state": {
            "type": "object",
            "properties": { "region": { "type": "string" }, "hostNames": { "type": "array", "items": { "type": "string" } } },
            "required": ["hostNames"],
        },
        "sensitiveState": { "type": "object", "properties": { "apiKey": { "type": "string" } } },
    })
}

#[tokio::test]
async fn a_data_source_finds_its_result_in_attributes() {
    let stage = Stage::new(zone("datasource")).await;
    let answer =
        json!({ "result": { "result": { "hostNames": ["a"], "region": "eu" }, "sensitiveResult": { "apiKey": "k" } } });
    stage.answers(&json!({ "read": answer }));
    let zone = stage.host.data_source("infra_zone", "z").unwrap();
    let config = zone.config(&value(&json!({ "zone_name": "ab" }))).unwrap();
    let found = zone.read(&config).await.expect_some();
    let expected = json!({ "api_key": "k", "depth": 1, "host_names": ["a"], "region": "eu", "zone_name": "ab" });
    assert_eq!(to_json(&found), expected);
    assert_eq!(stage.calls(), [r#"read {"props":{"depth":1,"zoneName":"ab"}}"#]);
    // Of what the program gives the script's own word does not count.
    let config = zone.config(&value(&json!({ "zone_name": "ab", "region": "us" }))).unwrap();
    assert_eq!(zone.read(&config).await.expect_some().attribute("region"), Some(&Value::string("us")));
    let short = zone.config(&value(&json!({ "zone_name": "a" }))).unwrap();
    let said = zone.validate(&short).await.report.diagnostics;
    assert_eq!(
        stage.text(&said),
        "error at [zone_name]: Value not allowed\n`zone_name` must have at least 2 characters."
    );
    stage.answers(&json!({ "read": { "result": { "result": { "hostNames": "a" } } } }));
    let said = zone.read(&config).await.report.diagnostics;
    assert!(stage.text(&said).contains("says: `result.hostNames` must be an array, not a string."), "{said:#?}");
}

#[tokio::test]
async fn an_ephemeral_resource_is_closed_also_where_its_result_does_not_fit() {
    let stage = Stage::new(zone("ephemeral")).await;
    let zone = stage.host.ephemeral_resource("infra_zone", "z").unwrap();
    let config = zone.config(&value(&json!({ "zone_name": "ab" }))).unwrap();
    stage
        .answers(&json!({ "open": { "result": { "result": { "hostNames": ["a"] }, "privateData": { "lease": 1 } } } }));
    let open = zone.open(&config).await.expect_some();
    assert_eq!(open.value.attribute("host_names").map(to_json), Some(json!(["a"])));
    zone.close(open).await.expect_ok();
    assert_eq!(
        stage.calls(),
        [r#"open {"props":{"depth":1,"zoneName":"ab"}}"#, r#"close {"privateData":{"lease":1}}"#]
    );
    stage.answers(&json!({ "open": { "result": { "result": {}, "privateData": { "lease": 2 } } } }));
    let said = zone.open(&config).await.report.diagnostics;
    assert!(stage.text(&said).contains("`result.hostNames` must be an array, and it is not there."), "{said:#?}");
    assert_eq!(stage.calls()[1], r#"close {"privateData":{"lease":2}}"#);
}

#[tokio::test]
async fn an_action_is_told_its_props() {
    let stage = Stage::new(zone("action")).await;
    let action = stage.host.action("infra_zone", "a").unwrap();
    let config = action.config(&value(&json!({ "zone_name": "ab", "depth": 3 }))).unwrap();
    action.invoke(&config).await.expect_ok();
    assert_eq!(stage.calls(), [r#"invoke {"props":{"depth":3,"zoneName":"ab"}}"#]);
    let said = json!([{ "severity": "error", "summary": "s", "detail": "d", "propPath": ["props", "zoneName"] }]);
    stage.answers(&json!({ "invoke": { "result": { "diagnostics": said } } }));
    let diagnostics = action.invoke(&config).await.report.diagnostics;
    assert_eq!(stage.text(&diagnostics), "error at [zone_name]: s\nd");
}

#[tokio::test]
async fn a_list_finds_objects_by_id_and_with_their_attributes() {
    let description = json!({
        "kind": "resource",
        "props": { "properties": { "bucketName": { "type": "string" } } },
        "state": { "properties": { "etag": { "type": "string" } } },
        "list": { "properties": { "namePrefix": { "type": "string" }, "limit": { "type": "integer" } } },
    });
    let stage = Stage::new(description).await;
    let objects = json!([{ "id": "a", "props": { "bucketName": "n" }, "state": { "etag": "e" } }, { "id": "b" }]);
    stage.answers(&json!({ "list": { "result": { "objects": objects } } }));
    let list = stage.host.list_resource("infra_bucket", "l").unwrap();
    let config = list.config(&value(&json!({ "name_prefix": "n", "limit": 3 }))).unwrap();
    let found = list.list(&config, true, 10).await.expect_ok();
    assert_eq!(
        stage.calls(),
        [r#"list {"props":{"limit":3,"namePrefix":"n"},"includeObject":true,"limit":10,"cursor":null}"#]
    );
    assert_eq!(found[0].identity, Value::object([("id", Value::string("a"))]));
    let object = found[0].object.as_ref().unwrap();
    assert_eq!(to_json(object), json!({ "bucket_name": "n", "etag": "e", "id": "a" }));
    assert!(found[1].object.is_none());
    let one = list.list(&config, false, 1).await.expect_ok();
    assert_eq!(one.len(), 1);
}

#[tokio::test]
async fn functions_have_types_and_need_no_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text.ts");
    let text = include_str!("../../scripted/testdata/played.ts");
    let answers = r#"({ call: { result: { result: params.function === "joinAll" ? params.arguments?.join("-") : params.arguments?.[0] } } })"#;
    let text = text
        .replace("method !== \"health\"", "false")
        .replace("let answers: any = {};", &format!("let answers: any = {answers};"));
    std::fs::write(&path, text).unwrap();
    let point = json!({ "type": "object", "properties": { "xPos": { "type": "number" }, "label": { "type": "string" } }, "required": ["xPos", "label"] });
    let description = json!({
        "kind": "function",
        "functions": {
            "joinAll": {
                "description": "Joins.\nAll.",
                "parameters": [{ "name": "firstWord", "schema": { "type": "string", "maxLength": 3 } }],
                "variadic": { "name": "words", "schema": { "type": ["string", "null"] } },
                "returns": { "type": "string" },
            },
            "same": { "parameters": [{ "name": "point", "schema": point }], "returns": point },
            "wrong": { "parameters": [{ "name": "value", "schema": { "type": "string" } }], "returns": { "type": "integer" } },
        },
    });
    let package = package(vec![script("text.ts", path.to_str().unwrap(), &[], description)]);
    let host = denobridge_framework::host::Host::start(served(&package).unwrap(), Default::default()).await.unwrap();
    let signature = &host.schema().functions["join_all"];
    assert_eq!((&*signature.parameters[0].name, signature.summary.as_str()), ("first_word", "Joins."));
    assert!(signature.variadic.as_ref().unwrap().allow_null);
    let join = host.function("join_all").unwrap();
    let words = [Value::string("a"), Value::string("b"), Value::string("c")];
    assert_eq!(join.call(&words).await.expect_some(), Value::string("a-b-c"));
    let step = join.call(&[Value::string("long")]).await;
    step.expect_error("the value must have at most 3 characters");
    let point = Value::object([("x_pos", Value::number(1)), ("label", Value::string("l"))]);
    let same = host.function("same").unwrap();
    assert_eq!(
        host.schema().functions["same"].returns,
        Type::object([("x_pos", Type::Number), ("label", Type::String)])
    );
    assert_eq!(same.call(std::slice::from_ref(&point)).await.expect_some(), point);
    let step = host.function("wrong").unwrap().call(&[Value::string("x")]).await;
    step.expect_error(
        "script text.ts answered wrong with something else than its schema says: `result` must be a whole number",
    );
}
