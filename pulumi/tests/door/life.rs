//! The life of a resource.

use denobridge_core::cty::{Type, Value};
use denobridge_pulumi::proto::pulumirpc::diff_response::DiffChanges;
use denobridge_pulumi::proto::pulumirpc::property_diff::Kind;
use denobridge_pulumi::proto::pulumirpc::{DeleteRequest, DiffResponse, UpdateRequest};
use serde_json::{Value as Json, json};

use crate::provider::{Demo, set_size};
use crate::support::{Door, UNKNOWN, json_of, object, secret, urn, without_meta};

fn inputs() -> Json {
    json!({
        "thingName": "a",
        "tags": { "k.dot": "v" },
        "props": { "list": ["x", 2, null], "snake_case": 0.1 },
        "rule": [{ "port": 80, "hostName": "h" }],
    })
}

fn changed(path: &str, value: Json) -> Json {
    let mut inputs = inputs();
    inputs[path] = value;
    inputs
}

fn kinds(diff: &DiffResponse) -> Vec<(&str, Kind)> {
    diff.detailed_diff.iter().map(|(path, diff)| (path.as_str(), diff.kind())).collect()
}

#[tokio::test]
async fn a_resource_is_created_and_nothing_changes_afterwards() {
    let mut door = Door::open().await;
    let created = door.create(inputs()).await.expect("creates");
    assert_eq!(created.id, "id-a");
    let outputs = created.properties.expect("outputs");
    assert_eq!(
        without_meta(&outputs),
        json!({
            "id": "id-a",
            "thingName": "a",
            "size": 1,
            "tags": { "k.dot": "v" },
            "props": { "list": ["x", 2, null], "snake_case": 0.1 },
            "rule": [{ "port": 80, "hostName": "h" }],
            "state": { "list": ["a", "b"], "exact": 9_007_199_254_740_992.0, "size": 1 },
            "token": secret(json!("t0ken")),
        })
    );
    let diff = door.diff(&outputs, inputs(), inputs(), &[]).await;
    assert_eq!(diff.changes(), DiffChanges::DiffNone);
    assert!(diff.detailed_diff.is_empty() && diff.has_detailed_diff);
}

#[tokio::test]
async fn a_preview_says_what_is_not_known_yet_and_touches_nothing() {
    let mut door = Door::open().await;
    let mut with_unknown = changed("size", json!(UNKNOWN));
    with_unknown["note"] = secret(json!(UNKNOWN));
    let preview = door.create_with(with_unknown, true, 0.0).await.expect("previews");
    assert_eq!(preview.id, "");
    let outputs = json_of(&preview.properties.expect("outputs"));
    for name in ["id", "state", "size"] {
        assert_eq!(outputs[name], UNKNOWN, "{name}");
    }
    assert_eq!(outputs["token"], secret(json!(UNKNOWN)));
    assert_eq!(outputs["note"], secret(json!(UNKNOWN)));
    assert!(!outputs.as_object().expect("object").contains_key("__meta"));
    assert!(door.demo.things.lock().expect("lock").is_empty());
}

#[tokio::test]
async fn changes_in_place_and_replacements_are_told_apart() {
    let mut door = Door::open().await;
    let outputs = door.create(inputs()).await.expect("creates").properties.expect("outputs");

    let news = changed("props", json!({ "list": ["x", 3, null], "snake_case": 0.1 }));
    let diff = door.diff(&outputs, inputs(), news.clone(), &[]).await;
    assert_eq!(diff.changes(), DiffChanges::DiffSome);
    assert_eq!(kinds(&diff), [("props.list[1]", Kind::Update)]);
    assert_eq!(diff.diffs, ["props"]);
    assert!(diff.replaces.is_empty());
    assert!(diff.delete_before_replace, "`replaceOnChanges` may make a replacement of it");

    let updated = door.update(&outputs, news.clone(), false).await.expect("updates").properties.expect("outputs");
    assert_eq!(json_of(&updated)["props"]["list"][1], 3);
    assert_eq!(door.demo.privates.lock().expect("lock").last().expect("applied"), "kept");
    let again = door.diff(&updated, news.clone(), news, &[]).await;
    assert_eq!(again.changes(), DiffChanges::DiffNone);

    let diff = door.diff(&outputs, inputs(), changed("thingName", json!("b")), &[]).await;
    assert_eq!(kinds(&diff), [("thingName", Kind::UpdateReplace)]);
    assert_eq!(diff.replaces, ["thingName"]);
    assert!(diff.delete_before_replace, "the provider was written for that order");
    let failure = door.update(&outputs, changed("thingName", json!("b")), false).await.expect_err("refuses");
    assert!(failure.message().contains("`thingName`"), "{}", failure.message());

    let diff = door.diff(&outputs, inputs(), changed("tags", json!({ "new": "v" })), &[]).await;
    assert_eq!(kinds(&diff), [("tags.new", Kind::Add), ("tags[\"k.dot\"]", Kind::Delete)]);
}

#[tokio::test]
async fn an_unknown_input_is_a_change_and_a_preview_of_it() {
    let mut door = Door::open().await;
    let outputs = door.create(inputs()).await.expect("creates").properties.expect("outputs");
    let news = changed("props", json!({ "list": UNKNOWN, "snake_case": 0.1 }));
    let diff = door.diff(&outputs, inputs(), news.clone(), &[]).await;
    assert_eq!(kinds(&diff), [("props.list", Kind::Update)]);
    let preview = door.update(&outputs, news, true).await.expect("previews").properties.expect("outputs");
    assert_eq!(json_of(&preview)["props"]["list"], UNKNOWN);
    assert_eq!(json_of(&preview)["state"], UNKNOWN);
    assert_eq!(json_of(&preview)["id"], "id-a");
}

#[tokio::test]
async fn ignored_changes_are_not_acted_on() {
    let mut door = Door::open().await;
    let outputs = door.create(inputs()).await.expect("creates").properties.expect("outputs");
    set_size(&door.demo, "id-a", 5);
    let with_size = changed("size", json!(1));
    let refreshed = door.read("id-a", Some(outputs), Some(with_size.clone())).await;
    let outputs = refreshed.properties.expect("outputs");
    let drift = door.diff(&outputs, with_size.clone(), with_size.clone(), &[]).await;
    assert_eq!(kinds(&drift), [("size", Kind::Update)]);
    let ignored = door.diff(&outputs, with_size.clone(), with_size.clone(), &["size"]).await;
    assert_eq!(ignored.changes(), DiffChanges::DiffNone);
    let request = UpdateRequest {
        urn: urn("t"),
        olds: Some(outputs),
        news: Some(object(changed("size", json!(1)))),
        ignore_changes: vec!["size".to_owned()],
        ..UpdateRequest::default()
    };
    let updated = door.client.update(request).await.expect("updates").into_inner().properties.expect("outputs");
    assert_eq!(json_of(&updated)["size"], 5);
}

#[tokio::test]
async fn ignoring_a_part_of_a_property_does_not_keep_a_secret_that_has_gone() {
    let mut door = Door::open().await;
    let with = |key: Json| changed("props", json!({ "key": key, "v": 1 }));
    let outputs = door.create(with(secret(json!("k")))).await.expect("creates").properties.expect("outputs");
    assert_eq!(json_of(&outputs)["props"], secret(json!({ "key": "k", "v": 1 })));
    for (key, expected) in [
        (json!("plain"), json!({ "key": "plain", "v": 1 })),
        (secret(json!("k2")), secret(json!({ "key": "k2", "v": 1 }))),
    ] {
        let request = UpdateRequest {
            urn: urn("t"),
            olds: Some(outputs.clone()),
            news: Some(object(with(key))),
            ignore_changes: vec!["props.v".to_owned()],
            ..UpdateRequest::default()
        };
        let updated = door.client.update(request).await.expect("updates").into_inner().properties.expect("outputs");
        assert_eq!(json_of(&updated)["props"], expected);
    }
}

#[tokio::test]
async fn write_only_inputs_are_secrets_in_inputs_and_nowhere_else() {
    let mut door = Door::open().await;
    let mut with_password = changed("password", json!("p4ss"));
    with_password["passwordVersion"] = json!(1);
    let checked = door.check(with_password.clone()).await;
    assert!(checked.failures.is_empty(), "{:?}", checked.failures);
    let checked = json_of(&checked.inputs.expect("inputs"));
    assert_eq!(checked["password"], secret(json!("p4ss")));
    let outputs = door.create(checked.clone()).await.expect("creates").properties.expect("outputs");
    assert_eq!(*door.demo.passwords.lock().expect("lock"), ["p4ss"]);
    assert!(!json_of(&outputs).to_string().contains("p4ss"));

    // As in Terraform, the provider cannot see that the value has changed; the version tells.
    let mut news = checked.clone();
    news["password"] = secret(json!("other"));
    let diff = door.diff(&outputs, checked.clone(), news.clone(), &[]).await;
    assert_eq!(diff.changes(), DiffChanges::DiffNone);
    news["passwordVersion"] = json!(2);
    let diff = door.diff(&outputs, checked, news, &[]).await;
    assert_eq!(kinds(&diff), [("password", Kind::Update), ("passwordVersion", Kind::Update)]);
    assert!(diff.detailed_diff["password"].input_diff);
}

#[tokio::test]
async fn secrets_stay_secret_where_they_are() {
    secrets_stay(Door::open().await).await;
}

#[tokio::test]
async fn secrets_stay_secret_where_the_provider_cannot_see_marks() {
    secrets_stay(Door::open_reencoded().await).await;
}

async fn secrets_stay(mut door: Door) {
    let with_secrets = json!({
        "thingName": "a",
        "props": { "open": 1, "closed": secret(json!({ "deep": ["canary"] })), "9007199254740993": true },
        "tags": { "k": secret(json!("canary")) },
        "note": "canary",
    });
    let checked = door.check(with_secrets).await;
    let inputs = json_of(&checked.inputs.expect("inputs"));
    assert_eq!(inputs["note"], secret(json!("canary")));
    let outputs = door.create(inputs.clone()).await.expect("creates").properties.expect("outputs");
    let json = json_of(&outputs);
    // What programs read is a secret as a whole: Pulumi YAML loses or shows secrets that are inside something.
    let props = json!({ "open": 1, "closed": { "deep": ["canary"] }, "9007199254740993": true });
    assert_eq!(json["props"], secret(props));
    assert_eq!(json["tags"], secret(json!({ "k": "canary" })));
    assert_eq!(json["note"], secret(json!("canary")));
    assert!(!json["__meta"].to_string().contains("canary"));
    assert!(!json["__meta"].to_string().contains("private"));

    // They stay so through a refresh, which gives back a state without marks.
    let refreshed = door.read("id-a", Some(outputs.clone()), Some(inputs.clone())).await;
    assert_eq!(refreshed.properties.as_ref(), Some(&outputs));
    assert_eq!(json_of(&refreshed.inputs.expect("inputs")), inputs);
    // What has drifted is as secret among the inputs as the program has said it, and all secret in the outputs.
    {
        let mut things = door.demo.things.lock().expect("lock");
        let thing = things.get_mut("id-a").expect("there");
        let tags = Value::map(Type::String, [("k", Value::string("other")), ("new", Value::string("x"))]);
        *thing = thing.clone().with_attribute("tags", tags);
    }
    let drifted = door.read("id-a", Some(outputs.clone()), Some(inputs.clone())).await;
    assert_eq!(json_of(&drifted.inputs.expect("inputs"))["tags"], json!({ "k": secret(json!("other")), "new": "x" }));
    let tags = &json_of(&drifted.properties.expect("outputs"))["tags"];
    assert_eq!(*tags, secret(json!({ "k": "other", "new": "x" })));
    // What is taken from the state because its changes are ignored stays secret too.
    let mut changed = inputs.clone();
    changed["props"] = json!({ "open": 2, "closed": { "deep": ["plain"] } });
    changed["tags"] = json!({});
    let request = UpdateRequest {
        id: "id-a".to_owned(),
        urn: urn("t"),
        olds: Some(outputs.clone()),
        news: Some(object(changed)),
        ignore_changes: vec!["props.closed".to_owned()],
        preview: true,
        ..UpdateRequest::default()
    };
    let kept = door.client.update(request).await.expect("previews").into_inner().properties.expect("outputs");
    assert_eq!(json_of(&kept)["props"], secret(json!({ "open": 2, "closed": { "deep": ["canary"] } })));
    // A secret is no difference.
    let mut plain = inputs.clone();
    plain["tags"] = json!({ "k": "canary" });
    let diff = door.diff(&outputs, inputs, plain, &[]).await;
    assert_eq!(diff.changes(), DiffChanges::DiffNone);
}

#[tokio::test]
async fn nothing_is_secret_where_nothing_is_secret() {
    let mut door = Door::open().await;
    let plain = changed("thingName", json!("plain"));
    let outputs = door.create(plain).await.expect("creates").properties.expect("outputs");
    let json = json_of(&outputs);
    assert!(!json.to_string().contains(crate::support::SIGNATURE), "{json}");
    let meta: Json = serde_json::from_str(json["__meta"].as_str().expect("text")).expect("JSON");
    assert_eq!(meta["private"], "a2VwdA==");
    assert_eq!(meta["numbers"]["/state/exact"], "9007199254740993");
    assert_eq!(meta["types"]["state"][0], "object");
}

#[tokio::test]
async fn a_refresh_finds_drift_and_settles() {
    drift_settles(Door::open().await).await;
}

#[tokio::test]
async fn a_refresh_settles_over_the_wire_too() {
    drift_settles(Door::open_reencoded().await).await;
}

async fn drift_settles(mut door: Door) {
    let given = changed("size", json!(1));
    let outputs = door.create(given.clone()).await.expect("creates").properties.expect("outputs");
    let unchanged = door.read("id-a", Some(outputs.clone()), Some(given.clone())).await;
    assert_eq!(unchanged.id, "id-a");
    assert_eq!(unchanged.properties.as_ref(), Some(&outputs));
    assert_eq!(json_of(&unchanged.inputs.expect("inputs")), given);

    set_size(&door.demo, "id-a", 7);
    let drifted = door.read("id-a", Some(outputs), Some(given.clone())).await;
    let found = drifted.properties.expect("outputs");
    assert_eq!(json_of(&found)["size"], 7);
    assert_eq!(json_of(drifted.inputs.as_ref().expect("inputs"))["size"], 7);
    let diff = door.diff(&found, given.clone(), given, &[]).await;
    assert_eq!(kinds(&diff), [("size", Kind::Update)]);
    let again = door.read("id-a", Some(found.clone()), drifted.inputs.as_ref().map(json_of)).await;
    assert_eq!(again.properties, Some(found));
    assert_eq!(again.inputs, drifted.inputs);
}

#[tokio::test]
async fn what_is_gone_is_gone_and_deleting_it_again_is_fine() {
    let mut door = Door::open().await;
    let outputs = door.create(inputs()).await.expect("creates").properties.expect("outputs");
    let request = || DeleteRequest {
        id: "id-a".to_owned(),
        urn: urn("t"),
        properties: Some(outputs.clone()),
        ..DeleteRequest::default()
    };
    door.client.delete(request()).await.expect("deletes");
    assert!(door.demo.things.lock().expect("lock").is_empty());
    assert_eq!(door.demo.privates.lock().expect("lock").last().expect("applied"), "destroy");
    door.client.delete(request()).await.expect("deletes again");
    let gone = door.read("id-a", Some(outputs), Some(inputs())).await;
    assert_eq!((gone.id.as_str(), gone.properties, gone.inputs), ("", None, None));
}

#[tokio::test]
async fn an_import_gives_outputs_and_inputs_that_pass_check_and_change_nothing() {
    let mut door = Door::open().await;
    door.create(inputs()).await.expect("creates");
    let imported = door.read("id-a", Some(object(json!({}))), None).await;
    assert_eq!(imported.id, "id-a");
    let outputs = imported.properties.expect("outputs");
    let given = json_of(&imported.inputs.expect("inputs"));
    let mut expected = inputs();
    expected["size"] = json!(1);
    assert_eq!(given, expected);
    assert!(door.check(given.clone()).await.failures.is_empty());
    assert_eq!(door.diff(&outputs, given.clone(), given, &[]).await.changes(), DiffChanges::DiffNone);
    let nothing = door.read("id-b", Some(object(json!({}))), None).await;
    assert_eq!((nothing.id.as_str(), nothing.properties), ("", None));
}

#[tokio::test]
async fn get_starts_from_what_the_program_knows() {
    let mut door = Door::open().await;
    door.create(inputs()).await.expect("creates");
    let known = json!({ "thingName": "a" });
    let found = door.read("id-a", Some(object(known.clone())), Some(known)).await;
    assert_eq!(json_of(&found.properties.expect("outputs"))["size"], 1);
}

#[tokio::test]
async fn older_state_is_upgraded_and_newer_state_refused() {
    let mut door = Door::open_with(Demo { schema_version: 1, ..Demo::default() }, false).await;
    let old = object(json!({ "id": "id-a", "oldLabel": "a", "size": 1, "__meta": "{\"form\":1,\"schemaVersion\":0}" }));
    let given = json!({ "thingName": "a" });
    let diff = door.diff(&old, given.clone(), given.clone(), &[]).await;
    assert_eq!(diff.changes(), DiffChanges::DiffNone, "{diff:?}");
    let newer = object(json!({ "id": "id-a", "__meta": "{\"form\":1,\"schemaVersion\":2}" }));
    let failure = door.update(&newer, given, false).await.expect_err("refuses");
    assert!(failure.message().contains("created by a newer provider version"), "{}", failure.message());
}

#[tokio::test]
async fn assets_are_their_text() {
    let mut door = Door::open().await;
    let signature = "c44067f5952c0a294b673a41bacd8c17";
    let file = tempfile::NamedTempFile::new().expect("file");
    std::fs::write(file.path(), "abc").expect("writes");
    let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let asset = json!({ crate::support::SIGNATURE: signature, "hash": hash, "path": file.path() });
    let given = json!({ "thingName": "a", "props": { "content": asset } });
    assert!(door.check(given.clone()).await.failures.is_empty());
    let outputs = door.create(given).await.expect("creates").properties.expect("outputs");
    assert_eq!(json_of(&outputs)["props"]["content"], "abc");
    // Diff gets the hash alone.
    let elided = |hash: &str| {
        let asset = json!({ crate::support::SIGNATURE: signature, "hash": hash });
        json!({ "thingName": "a", "props": { "content": asset } })
    };
    let diff = door.diff(&outputs, elided(hash), elided(hash), &[]).await;
    assert_eq!(diff.changes(), DiffChanges::DiffNone);
    let diff = door.diff(&outputs, elided(hash), elided("00"), &[]).await;
    assert_eq!(kinds(&diff), [("props.content", Kind::Update)]);
    let archive = json!({ crate::support::SIGNATURE: "0def7320c3a5731c473e5ecbe6d01bc7", "path": "x.zip" });
    let failures = door.check(json!({ "thingName": "a", "props": { "content": archive } })).await.failures;
    assert_eq!(failures[0].reason, "an archive cannot be passed to the provider (at `props.content`)");
}

#[tokio::test]
async fn a_number_that_no_double_holds_survives_import_and_text_inputs() {
    let mut door = Door::open().await;
    let exact = json!({ "thingName": "a", "size": "9007199254740993" });
    let outputs = door.create(exact.clone()).await.expect("creates").properties.expect("outputs");
    assert_eq!(json_of(&outputs)["size"].as_f64(), Some(9_007_199_254_740_992.0));
    assert_eq!(door.diff(&outputs, exact.clone(), exact, &[]).await.changes(), DiffChanges::DiffNone);
    // The import can only give the double, which means the same as long as nobody changes it.
    let imported = door.read("id-a", Some(object(json!({}))), None).await;
    let (outputs, given) = (imported.properties.expect("outputs"), json_of(&imported.inputs.expect("inputs")));
    assert_eq!(door.diff(&outputs, given.clone(), given, &[]).await.changes(), DiffChanges::DiffNone);
    let other = json!({ "thingName": "a", "size": 3 });
    assert_eq!(kinds(&door.diff(&outputs, other.clone(), other, &[]).await), [("size", Kind::Update)]);
}
