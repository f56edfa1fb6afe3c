//! The life of an object.

use denobridge_core::planning::Action;
use serde_json::{Value as Json, json};

use super::{Stage, json_of};

fn bucket() -> Json {
    json!({
        "kind": "resource",
        "props": {
            "type": "object",
            "properties": {
                "bucketName": { "type": "string", "x-replaces": true },
                "maxSize": { "type": "integer", "minimum": 1, "default": 10 },
                "class": { "enum": ["hot", "cold"] },
                "owner": { "type": ["string", "null"] },
                "rules": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": { "fromPort": { "type": "integer", "maximum": 65535 }, "note": { "type": "string" } },
                        "required": ["fromPort"],
                    },
                },
                "source": { "anyOf": [{ "type": "string" }, { "type": "object", "properties": { "gitUrl": { "type": "string" } }, "required": ["gitUrl"] }] },
                "region": { "type": "string" },
            },
            "required": ["bucketName", "owner", "maxSize"],
        },
        "state": {
            "type": "object",
            "properties": { "etag": { "type": "string" }, "region": { "type": "string" }, "sizes": { "type": "array", "items": { "type": "number" } } },
            "required": ["etag", "region"],
        },
        "sensitiveState": { "type": "object", "properties": { "accessKey": { "type": "string" } } },
        "writeOnlyProps": { "type": "object", "properties": { "masterPassword": { "type": "string", "minLength": 3 } } },
    })
}

fn created() -> Json {
    json!({ "result": {
        "id": "b-1",
        "state": { "etag": "e1", "region": "eu", "sizes": [1, 2.5] },
        "sensitiveState": { "accessKey": "canary-key" },
    } })
}

#[tokio::test]
async fn an_object_lives_by_its_attributes() {
    let stage = Stage::new(bucket()).await;
    stage.answers(&json!({ "create": created() }));
    let given = json!({
        "bucket_name": "a", "class": "hot", "rules": [{ "from_port": 80 }, { "from_port": 443, "note": "tls" }],
        "source": { "gitUrl": "x" }, "master_password": "canary-password",
    });
    let state = stage.good_apply(&given, None).await;
    assert_eq!(
        json_of(&state),
        json!({
            "access_key": "canary-key", "bucket_name": "a", "class": "hot", "etag": "e1", "id": "b-1", "max_size": 10,
            "region": "eu", "rules": [{ "from_port": 80, "note": null }, { "from_port": 443, "note": "tls" }], "sizes": [1, 2.5],
            "source": { "gitUrl": "x" }, "write_only_props_version": 1,
        })
    );
    let props = r#"{"bucketName":"a","class":"hot","maxSize":10,"owner":null,"rules":[{"fromPort":80},{"fromPort":443,"note":"tls"}],"source":{"gitUrl":"x"}}"#;
    assert_eq!(
        stage.calls().last().unwrap(),
        &format!(r#"create {{"props":{props},"writeOnlyProps":{{"masterPassword":"canary-password"}}}}"#)
    );
    let (read, diagnostics) = stage.refresh(&state).await;
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    assert_eq!(read.as_ref().map(|read| &read.value), Some(&state.value));
    let sent = stage.calls().remove(0);
    assert!(sent.contains(&format!(r#""props":{props}"#)), "what was not given is not sent: {sent}");
    assert!(sent.contains(r#""state":{"etag":"e1","region":"eu","sizes":[1,2.5]}"#), "{sent}");
    assert!(sent.contains(r#""sensitiveState":{"accessKey":"canary-key"}"#), "{sent}");
    assert_eq!(stage.good_plan(&stage.config(&given), read.as_ref()).await.action, Action::NoOp);
    stage.calls();

    let mut changed = given.clone();
    changed["class"] = json!("cold");
    stage.answers(&json!({ "update": { "result": { "state": { "etag": "e2", "region": "us" } } } }));
    let state = stage.good_apply(&changed, read.as_ref()).await;
    assert_eq!((&json_of(&state)["etag"], &json_of(&state)["region"]), (&json!("e2"), &json!("us")));
    let sent = stage.calls().pop().unwrap();
    assert!(sent.contains(&format!(r#""currentProps":{props}"#)) && sent.contains(r#""class":"cold""#), "{sent}");

    let mut renamed = changed.clone();
    renamed["bucket_name"] = json!("b");
    assert_eq!(stage.good_plan(&stage.config(&renamed), Some(&state)).await.action, Action::Replace);
    stage.calls();
    let left = stage.resource().destroy(&state).await;
    assert!(left.value.is_none() && left.report.diagnostics.is_empty());
    assert!(stage.calls().pop().unwrap().starts_with(r#"delete {"id":"b-1","#));
}

#[tokio::test]
async fn another_write_only_value_is_a_change() {
    let stage = Stage::new(bucket()).await;
    stage.answers(
        &json!({ "create": created(), "update": { "result": { "state": { "etag": "e2", "region": "eu" } } } }),
    );
    let state = stage.good_apply(&json!({ "bucket_name": "a", "master_password": "one-1" }), None).await;
    let config = stage.config(&json!({ "bucket_name": "a", "master_password": "one-1" }));
    assert_eq!(stage.good_plan(&config, Some(&state)).await.action, Action::NoOp);
    let state = stage.good_apply(&json!({ "bucket_name": "a", "master_password": "two-2" }), Some(&state)).await;
    assert_eq!(json_of(&state)["write_only_props_version"], json!(2));
    assert!(stage.calls().pop().unwrap().contains(r#""nextWriteOnlyProps":{"masterPassword":"two-2"}"#));
    assert!(!format!("{state:?}").contains("two-2"));
}

#[tokio::test]
async fn a_prop_that_the_script_sets_goes_back_to_nobody_as_a_prop() {
    let stage = Stage::new(bucket()).await;
    stage.answers(
        &json!({ "create": created(), "update": { "result": { "state": { "etag": "e2", "region": "eu" } } } }),
    );
    let state = stage.good_apply(&json!({ "bucket_name": "a" }), None).await;
    assert_eq!(json_of(&state)["region"], json!("eu"));
    stage.calls();
    let state = stage.good_apply(&json!({ "bucket_name": "a", "class": "hot" }), Some(&state)).await;
    let sent = stage.calls().pop().unwrap();
    assert!(sent.contains(r#""nextProps":{"bucketName":"a","class":"hot","maxSize":10,"owner":null}"#), "{sent}");
    assert!(sent.contains(r#""currentProps":{"bucketName":"a","maxSize":10,"owner":null}"#), "{sent}");
    // Given by the program, it is the program's, whatever the script answers.
    let state = stage.good_apply(&json!({ "bucket_name": "a", "region": "us" }), Some(&state)).await;
    assert_eq!(json_of(&state)["region"], json!("us"));
    assert!(
        stage
            .calls()
            .pop()
            .unwrap()
            .contains(r#""nextProps":{"bucketName":"a","maxSize":10,"owner":null,"region":"us"}"#)
    );
    let (state, _) = stage.refresh(&state).await;
    assert_eq!(json_of(&state.unwrap())["region"], json!("us"));
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_an_error_and_the_object_is_recorded() {
    let stage = Stage::new(bucket()).await;
    stage.answers(
        &json!({ "create": { "result": { "id": "b-1", "state": { "region": 5, "etag": "e", "extra": 1 } } } }),
    );
    let (state, diagnostics) = stage.apply(&stage.config(&json!({ "bucket_name": "a" })), None).await;
    insta::assert_snapshot!(stage.text(&diagnostics), @r#"
    error at []: The answer does not fit the schema
    Script bucket.ts answered "create" with something else than its schema says: `state.region` must be a string, not a number.

    The object is recorded without it.

    Correct what the script answers, or what it says of itself in "schema".
    ---
    warning at []: A part of the answer is not kept
    Script bucket.ts answered "create" with `state.extra`, which its schema does not name. No attribute holds it, so it is not kept.

    Name it in the schema, or leave it out of the answer.
    "#);
    let state = state.unwrap();
    assert!(state.tainted);
    assert_eq!((&json_of(&state)["id"], &json_of(&state)["etag"]), (&json!("b-1"), &json!("e")));
}

#[tokio::test]
async fn what_a_script_lacks_of_its_state_is_named() {
    let stage = Stage::new(bucket()).await;
    stage.answers(&json!({ "create": created() }));
    let state = stage.good_apply(&json!({ "bucket_name": "a" }), None).await;
    stage.answers(&json!({ "read": { "result": { "props": { "bucketName": "a" }, "state": { "region": "eu" } } } }));
    let (kept, diagnostics) = stage.refresh(&state).await;
    assert!(
        stage.text(&diagnostics).contains("`state.etag` must be a string, and it is not there."),
        "{diagnostics:#?}"
    );
    assert_eq!(kept.map(|kept| kept.value), Some(state.value));
}

#[tokio::test]
async fn drift_is_seen_and_what_is_gone_is_gone() {
    let stage = Stage::new(bucket()).await;
    stage.answers(&json!({ "create": created() }));
    let given = json!({ "bucket_name": "a", "class": "hot" });
    let state = stage.good_apply(&given, None).await;
    let found = json!({ "props": { "bucketName": "a", "class": "cold", "maxSize": 10 }, "state": { "etag": "e9", "region": "eu" } });
    stage.answers(&json!({ "read": { "result": found } }));
    let (read, diagnostics) = stage.refresh(&state).await;
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    let read = read.unwrap();
    assert_eq!((&json_of(&read)["class"], &json_of(&read)["etag"]), (&json!("cold"), &json!("e9")));
    assert_eq!(stage.good_plan(&stage.config(&given), Some(&read)).await.action, Action::Update);
    stage.answers(&json!({ "read": { "result": { "exists": false } } }));
    assert!(stage.refresh(&read).await.0.is_none());
}

#[tokio::test]
async fn an_object_is_imported_by_its_id_alone() {
    let stage = Stage::new(bucket()).await;
    let found = json!({ "props": { "bucketName": "a", "maxSize": 10 }, "state": { "etag": "e1", "region": "eu" } });
    stage.answers(&json!({ "read": { "result": found } }));
    let step = stage.resource().import("b-1").await;
    assert!(!step.report.failed(), "{:#?}", step.report.diagnostics);
    let state = step.value.unwrap();
    assert_eq!(
        json_of(&state),
        json!({ "bucket_name": "a", "etag": "e1", "id": "b-1", "max_size": 10, "region": "eu" })
    );
    assert_eq!(stage.calls(), [r#"read {"id":"b-1","props":null,"state":null,"sensitiveState":null}"#]);
    assert_eq!(stage.good_plan(&stage.config(&json!({ "bucket_name": "a" })), Some(&state)).await.action, Action::NoOp);
    stage.answers(&json!({}));
    stage.refresh(&state).await;
    assert!(
        stage.calls()[0].contains(r#""props":{"bucketName":"a","maxSize":10,"owner":null}"#),
        "the region is the script's"
    );
}

#[tokio::test]
async fn secrets_are_kept_out_of_what_is_said() {
    let stage = Stage::new(bucket()).await;
    let message = "leaks canary-password and canary-key";
    stage.answers(&json!({ "create": created(), "delete": { "error": { "code": 1, "message": message } } }));
    let state = stage.good_apply(&json!({ "bucket_name": "a", "master_password": "canary-password" }), None).await;
    let said = stage.resource().destroy(&state).await.report.diagnostics;
    assert!(said.has_errors() && !stage.text(&said).contains("canary-key"), "{said:#?}");
    stage.answers(&json!({ "create": { "error": { "code": 1, "message": message } } }));
    let config = stage.config(&json!({ "bucket_name": "a", "master_password": "canary-password" }));
    let (_, said) = stage.apply(&config, None).await;
    assert!(said.has_errors() && !stage.text(&said).contains("canary-password"), "{said:#?}");
}
