//! The life of a foreign provider's resources.

use denobridge_core::cty::{Type, Value};
use denobridge_pulumi::proto::Struct;
use denobridge_pulumi::proto::pulumirpc::diff_response::DiffChanges;
use denobridge_pulumi::proto::pulumirpc::property_diff::Kind;
use denobridge_pulumi::proto::pulumirpc::{DiffResponse, ErrorResourceInitFailed};
use serde_json::{Value as Json, json};

use crate::bridged::Foreign;
use crate::bridged_schema::schema;
use crate::support::{UNKNOWN, detail, json_of, object, secret, without_meta};

fn kinds(diff: &DiffResponse) -> Vec<(&str, Kind)> {
    diff.detailed_diff.iter().map(|(path, diff)| (path.as_str(), diff.kind())).collect()
}

/// A server as a provider of the older kind finds one: what nobody has set is false or empty.
fn found_server(name: &str) -> Value {
    let block = &schema().resources["acme_server"].block;
    let empty = denobridge_core::planning::empty_block(block);
    [
        ("id", Value::string("i-1")),
        ("name", Value::string(name)),
        ("name_prefix", Value::string("")),
        ("note", Value::string("")),
        ("enabled", Value::bool(false)),
        ("token", Value::string("generated-token")),
        ("serial", Value::number(7)),
    ]
    .into_iter()
    .fold(empty, |server, (name, value)| server.with_attribute(name, value))
}

#[tokio::test]
async fn a_resource_lives_and_settles() {
    let mut server = Foreign::server().await;
    let inputs = json!({ "name": "a", "disk": { "sizeGb": 5 }, "rules": [{ "port": 2, "ruleId": "b" }, { "port": 1, "ruleId": "a" }], "tags": ["x"] });
    let preview = server.create_with(inputs.clone(), true, 0.0).await.expect("previews");
    assert_eq!(preview.id, "");
    assert_eq!(json_of(&preview.properties.expect("outputs"))["serverId"], UNKNOWN);
    let created = server.create_with(inputs.clone(), false, 0.0).await.expect("creates");
    assert_eq!(created.id, "i-1");
    let outputs = created.properties.expect("outputs");
    let shown = without_meta(&outputs);
    assert_eq!((&shown["serverId"], &shown["token"]), (&json!("i-1"), &secret(json!("generated-token"))));
    assert_eq!(server.diff(&outputs, inputs.clone(), inputs.clone(), &[]).await.changes(), DiffChanges::DiffNone);
    let refreshed = server.read("i-1", Some(outputs.clone()), Some(inputs.clone())).await;
    assert_eq!((refreshed.id.as_str(), refreshed.properties.as_ref()), ("i-1", Some(&outputs)));
    assert_eq!(json_of(&refreshed.inputs.expect("inputs")), inputs);
    assert_eq!(server.check(inputs.clone()).await, (inputs.clone(), vec![]));
    let updated = server.update(&outputs, inputs, &[], 0.0).await.expect("updates");
    assert_eq!(updated, outputs, "neither a refresh nor an update without a change changes the state");
    server.delete(outputs, 0.0).await;
    let destroyed = server.acme.last("apply");
    assert_eq!((&destroyed.planned, &destroyed.config), (&Json::Null, &Json::Null));
    assert_eq!(destroyed.private, "going", "the plan of a destruction counts");
    assert_eq!(server.acme.last("plan").private, "kept");
}

#[tokio::test]
async fn elements_of_sets_are_shown_where_the_user_has_them() {
    let mut server = Foreign::server().await;
    let with = |ports: &[i64]| {
        let rules: Vec<_> = ports.iter().map(|port| json!({ "port": port, "ruleId": "r" })).collect();
        json!({ "name": "a", "rules": rules })
    };
    let outputs = server.create(with(&[3, 2, 1])).await;
    let order = json_of(&outputs)["rules"].as_array().expect("rules").clone();
    let place_of_two = order.iter().position(|rule| rule["port"] == 2).expect("there");
    let diff = server.diff(&outputs, with(&[3, 2, 1]), with(&[3, 1, 4, 9]), &[]).await;
    let gone = format!("rules[{place_of_two}]");
    let changes: Vec<_> = kinds(&diff).into_iter().map(|(path, kind)| (path.to_owned(), kind)).collect();
    // Of what goes the place is that in the outputs, of what comes that in the inputs.
    assert_eq!(changes, [(gone, Kind::Delete), ("rules[2]".to_owned(), Kind::Add), ("rules[3]".to_owned(), Kind::Add)]);
    // Order is no difference, and what is only computed anew is none either.
    assert_eq!(server.diff(&outputs, with(&[3, 2, 1]), with(&[1, 2, 3]), &[]).await.changes(), DiffChanges::DiffNone);
}

#[tokio::test]
async fn a_replacement_starts_from_nothing() {
    let mut server = Foreign::server().await;
    let (old, new) = (json!({ "name": "a" }), json!({ "name": "b" }));
    let outputs = server.create(old.clone()).await;
    let diff = server.diff(&outputs, old.clone(), new.clone(), &[]).await;
    assert_eq!(
        (kinds(&diff), diff.replaces.as_slice()),
        (vec![("name", Kind::UpdateReplace)], &["name".to_owned()][..])
    );
    assert!(!diff.delete_before_replace, "another name clashes with nothing");
    server.create_with(new, true, 0.0).await.expect("previews");
    let asked = server.acme.last("plan");
    assert_eq!((&asked.prior, &asked.planned["serial"], asked.private.len()), (&Json::Null, &Json::Null, 0));
}

#[tokio::test]
async fn what_keeps_its_given_name_goes_before_the_new_one_comes() {
    let mut server = Foreign::server().await;
    for (name, first) in [("given", true), ("t-0123abc", false)] {
        let old = json!({ "name": name, "note": "a" });
        let outputs = server.create(old.clone()).await;
        // The user's `replaceOnChanges` makes a replacement of it.
        let diff = server.diff(&outputs, old, json!({ "name": name, "note": "b" }), &[]).await;
        assert_eq!((kinds(&diff), diff.delete_before_replace), (vec![("note", Kind::Update)], first), "{name}");
    }
}

#[tokio::test]
async fn ignoring_means_the_same_in_diff_and_update() {
    let mut server = Foreign::server().await;
    let old = json!({ "name": "a", "note": "old", "tags": ["x"] });
    let outputs = server.create(old.clone()).await;
    let news = json!({ "name": "a", "note": "new", "tags": ["y", "z"] });
    // There is no second element that could stay as it is, so nothing is ignored there.
    let ignored = ["note", "tags[0]", "tags[1]"];
    let diff = server.diff(&outputs, old, news.clone(), &ignored).await;
    assert_eq!(kinds(&diff), [("tags[1]", Kind::Add)]);
    let updated = server.update(&outputs, news, &ignored, 0.0).await.expect("updates");
    let updated = json_of(&updated);
    assert_eq!((&updated["note"], &updated["tags"]), (&json!("old"), &json!(["x", "z"])));
}

#[tokio::test]
async fn ignoring_parts_of_a_set_changes_nothing_by_itself() {
    let mut server = Foreign::server().await;
    let with = |rules: [(i64, &str); 2]| json!({ "name": "a", "rules": rules.map(|(port, id)| json!({ "port": port, "ruleId": id })) });
    let old = with([(9, "z"), (2, "b")]);
    let outputs = server.create(old.clone()).await;
    assert_eq!(json_of(&outputs)["rules"][0]["port"], 2, "the state has another order than the program");
    for ignored in ["rules[0]", "rules[*].port", "rules[*].ruleId", "rules[1].port", "rules[*]"] {
        let diff = server.diff(&outputs, old.clone(), old.clone(), &[ignored]).await;
        assert_eq!(diff.changes(), DiffChanges::DiffNone, "{ignored}: {diff:?}");
        let updated = server.update(&outputs, old.clone(), &[ignored], 0.0).await.expect("updates");
        assert_eq!(updated, outputs, "{ignored}");
    }
    // What is not ignored still counts, and what goes is looked for where the program had it.
    let diff = server.diff(&outputs, old.clone(), with([(9, "z"), (3, "b")]), &["rules[0]"]).await;
    assert_eq!(kinds(&diff), [("rules[0]", Kind::Delete), ("rules[1]", Kind::Add)]);
    let diff = server.diff(&outputs, old.clone(), with([(9, "z"), (3, "c")]), &["rules[*].port"]).await;
    assert_eq!(kinds(&diff), [("rules[0]", Kind::Delete), ("rules[1]", Kind::Add)]);
    // Somebody else's change of it is not undone.
    let foreign = server.update(&outputs, with([(90, "z"), (2, "b")]), &[], 0.0).await.expect("updates");
    let diff = server.diff(&foreign, old.clone(), old, &["rules[*].port"]).await;
    assert_eq!(diff.changes(), DiffChanges::DiffNone, "{diff:?}");
}

#[tokio::test]
async fn the_users_limit_is_the_providers_for_one_apply() {
    let mut server = Foreign::server().await;
    let outputs =
        server.create_with(json!({ "name": "a" }), false, 90.0).await.expect("creates").properties.expect("outputs");
    let asked = server.acme.last("apply");
    let limits = json!({ "create": "90s", "read": null, "update": null, "delete": null });
    assert_eq!((&asked.config["timeouts"], &asked.planned["timeouts"]), (&limits, &limits));
    assert!(!without_meta(&outputs).to_string().contains("90s"), "{outputs:?}");
    let preview = server.create_with(json!({ "name": "a" }), true, 90.0).await.expect("previews").properties;
    assert!(!json_of(&preview.expect("outputs")).as_object().expect("object").contains_key("timeouts"));
    // What the program says stays, and counts.
    let said = json!({ "name": "a", "timeouts": { "update": "5m" } });
    let updated = server.update(&outputs, said.clone(), &[], 90.0).await.expect("updates");
    assert_eq!(server.acme.last("apply").config["timeouts"]["update"], "5m");
    assert_eq!(json_of(&updated)["timeouts"], said["timeouts"]);
    assert_eq!(server.diff(&updated, said.clone(), said, &[]).await.changes(), DiffChanges::DiffNone);
    server.delete(updated, 1.5).await;
    let timeouts = server.acme.last("apply").prior["timeouts"].clone();
    assert_eq!((&timeouts["delete"], &timeouts["update"]), (&json!("1500ms"), &json!("5m")));
}

#[tokio::test]
async fn what_exists_is_kept_and_no_secret_is_told() {
    let mut server = Foreign::server().await;
    let inputs = json!({ "name": "a", "note": "partial", "password": secret(json!("canary")) });
    let failure = server.create_with(inputs.clone(), false, 0.0).await.expect_err("fails");
    let kept: ErrorResourceInitFailed = detail(&failure);
    assert_eq!(kept.id, "i-1");
    assert_eq!(kept.reasons, ["provider acme: Half done: (sensitive) and (sensitive) do not work"]);
    assert!(!failure.message().contains("canary"), "{}", failure.message());
    let outputs = kept.properties.expect("outputs");
    assert_eq!(json_of(&outputs)["password"], secret(json!("canary")));
    assert_eq!(server.door.logged("sent").await.message, "[acme] sent (sensitive)");
    assert_eq!(server.door.logged("sending").await.message, "sending (sensitive)");
    // The process remembers: another resource's error may quote it too.
    let failure = server.create_with(json!({ "name": "b", "note": "fail", "password": "canary" }), false, 0.0).await;
    assert!(failure.expect_err("fails").message().ends_with("the API was called with \"(sensitive)\""));
    let said = json!({ "name": "a", "note": "twice" });
    let failure = server.update(&outputs, said, &[], 0.0).await.expect_err("fails");
    assert_eq!(failure.message(), "provider acme: update of \"t\" failed: Same: again");
}

#[tokio::test]
async fn warnings_of_a_plan_are_shown_on_update_too() {
    let mut server = Foreign::server().await;
    let outputs = server.create(json!({ "name": "a" })).await;
    server
        .update(&outputs, json!({ "name": "a", "note": "warn", "password": "canary" }), &[], 0.0)
        .await
        .expect("updates");
    assert_eq!(server.door.logged("Odd").await.message, "Odd value: the API was called with \"(sensitive)\"");
}

#[tokio::test]
async fn what_is_write_only_is_an_input_and_nothing_else() {
    let mut server = Foreign::server().await;
    let (inputs, failures) = server.check(json!({ "name": "a", "keyWo": "canary", "keyWoVersion": 1 })).await;
    assert_eq!((failures, &inputs["keyWo"]), (vec![], &secret(json!("canary"))));
    let outputs = server.create(inputs.clone()).await;
    let asked = server.acme.last("apply");
    assert_eq!((&asked.config["key_wo"], &asked.planned["key_wo"]), (&json!("canary"), &Json::Null));
    assert!(!json_of(&outputs).to_string().contains("canary"), "{outputs:?}");
    let mut news = inputs.clone();
    news["keyWo"] = secret(json!("other"));
    assert_eq!(server.diff(&outputs, inputs.clone(), news.clone(), &[]).await.changes(), DiffChanges::DiffNone);
    news["keyWoVersion"] = json!(2);
    let diff = server.diff(&outputs, inputs, news, &[]).await;
    assert_eq!(kinds(&diff), [("keyWo", Kind::Update), ("keyWoVersion", Kind::Update)]);
}

#[tokio::test]
async fn an_import_takes_what_matters_for_inputs() {
    let mut server = Foreign::server().await;
    *server.acme.found.lock().expect("lock") = Some(found_server("a"));
    let imported = server.import("i-1").await.expect("imports");
    assert_eq!(imported.id, "i-1");
    let (outputs, inputs) = (imported.properties.expect("outputs"), json_of(&imported.inputs.expect("inputs")));
    assert_eq!(inputs, json!({ "name": "a" }));
    assert_eq!(server.check(inputs.clone()).await, (inputs.clone(), vec![]));
    assert_eq!(server.diff(&outputs, inputs.clone(), inputs, &[]).await.changes(), DiffChanges::DiffNone);
    // A zero that the provider would not keep by itself matters.
    let zero = found_server("a").with_attribute("size_gb", Value::number(0));
    *server.acme.found.lock().expect("lock") = Some(zero);
    let imported = server.import("i-1").await.expect("imports");
    let inputs = json_of(&imported.inputs.expect("inputs"));
    assert_eq!((&inputs["sizeGb"], &inputs["enabled"]), (&json!(0), &json!(false)));
    let gone = server.import("gone").await.expect("answers");
    assert_eq!((gone.id.as_str(), gone.properties), ("", None));
}

#[tokio::test]
async fn an_import_may_go_by_identity() {
    let mut record = Foreign::open("record:Record").await;
    let found = Value::object([("id", Value::number(42)), ("key", Value::string("k"))]);
    *record.acme.found.lock().expect("lock") = Some(found);
    for id in [r#"{"zone_name": "z", "key": "k"}"#, r#"{"zoneName": "z", "key": "k"}"#] {
        let imported = record.import(id).await.expect("imports");
        assert_eq!(imported.id, "42");
        assert_eq!(record.acme.last("identity").prior, json!({ "zone_name": "z", "key": "k" }));
    }
    let failure = record.import(r#"{"zone": "z"}"#).await.expect_err("refuses");
    assert!(failure.message().contains("`zone_name` is missing"), "{}", failure.message());
    let failure = record.import(r#"{"zone_name": "z", "keys": "z"}"#).await.expect_err("refuses");
    assert!(
        failure.message().contains("there is no attribute `keys` in it; did you mean `key`?"),
        "{}",
        failure.message()
    );
    assert_eq!(record.import("42").await.expect("imports").id, "42");
}

/// Terraform keeps what a provider says of an object's identity, and sends it with each later request; so do we.
#[tokio::test]
async fn identities_are_kept_and_sent_back() {
    let mut record = Foreign::open("record:Record").await;
    let inputs = json!({ "key": "k" });
    let outputs = record.create(inputs.clone()).await;
    let not_yet = json!({ "zone_name": "z", "key": "(unknown)" });
    assert_eq!(record.acme.identities.taken(), [("apply", not_yet)]);
    let identity = json!({ "zone_name": "z", "key": "k" });
    let meta = |outputs: &Struct| -> Json {
        serde_json::from_str(json_of(outputs)["__meta"].as_str().expect("a record")).expect("JSON")
    };
    assert_eq!((&meta(&outputs)["identity"], &meta(&outputs)["identity_schema_version"]), (&identity, &json!("1")));
    let refreshed = record.read("42", Some(outputs.clone()), Some(inputs.clone())).await;
    assert_eq!(record.acme.identities.taken(), [("read", identity.clone())]);
    assert_eq!(refreshed.properties.as_ref(), Some(&outputs));
    record.update(&outputs, inputs.clone(), &[], 0.0).await.expect("updates");
    assert_eq!(record.acme.identities.taken(), [("plan", identity.clone()), ("apply", identity.clone())]);
    // One of an older version is brought up to date, and what cannot be read is said.
    let with = |outputs: &Struct, identity: Json| {
        let mut outputs = json_of(outputs);
        let mut meta: Json = serde_json::from_str(outputs["__meta"].as_str().expect("a record")).expect("JSON");
        meta.as_object_mut().expect("an object").extend(identity.as_object().expect("an object").clone());
        outputs["__meta"] = meta.to_string().into();
        object(outputs)
    };
    let older = with(&outputs, json!({ "identity": { "record_key": "k" }, "identity_schema_version": "0" }));
    let refreshed = record.read("42", Some(older), Some(inputs.clone())).await;
    assert_eq!(
        (record.acme.identities.taken(), refreshed.properties.as_ref()),
        (vec![("read", identity.clone())], Some(&outputs))
    );
    for (broken, said) in [
        (json!({ "identity": { "key": [] } }), "the identity in the stored state cannot be read"),
        (
            json!({ "identity_schema_version": "9" }),
            "created by a newer provider version (its schema has version 9, this one's 1)",
        ),
    ] {
        let failure = record.update(&with(&outputs, broken), inputs.clone(), &[], 0.0).await.expect_err("refuses");
        assert!(failure.message().contains(said), "{}", failure.message());
    }
    record.acme.identities.taken();
    record.delete(outputs.clone(), 0.0).await;
    assert_eq!(record.acme.identities.taken(), [("plan", identity)]);
    // A state that somebody else has written has none.
    let without = with(&outputs, json!({ "identity": null }));
    record.update(&without, inputs, &[], 0.0).await.expect("updates");
    assert_eq!(record.acme.identities.taken().len(), 1, "only what was planned");
}

#[tokio::test]
async fn an_id_is_the_text_of_id_and_one_that_is_stored_stays() {
    let mut record = Foreign::open("record:Record").await;
    let created = record.create_with(json!({ "key": "k" }), false, 0.0).await.expect("creates");
    assert_eq!(created.id, "42");
    let outputs = created.properties.expect("outputs");
    assert_eq!(json_of(&outputs)["recordId"], 42);
    for (stored, expected) in [("missing ID", "missing ID"), ("41", "42")] {
        let read = record.read(stored, Some(outputs.clone()), Some(json!({ "key": "k" }))).await;
        assert_eq!(read.id, expected);
    }
    // Without any id, the name of the resource is one.
    let mut label = Foreign::open("label:Label").await;
    let created = label.create_with(json!({ "text": "x" }), false, 0.0).await.expect("creates");
    assert_eq!(created.id, "t");
    let read = label.read("missing ID", created.properties, Some(json!({ "text": "x" }))).await;
    assert_eq!(read.id, "missing ID");
}

#[tokio::test]
async fn what_a_program_knows_is_no_stored_state() {
    let mut server = Foreign::server().await;
    *server.acme.found.lock().expect("lock") = Some(found_server("a"));
    let known = json!({ "name": "a" });
    let got = server.read("i-1", Some(object(known.clone())), Some(known)).await;
    assert_eq!(json_of(&got.properties.expect("outputs"))["serial"], 7);
    assert_eq!(server.acme.last("read").prior["id"], "i-1");
}

#[tokio::test]
async fn a_refresh_says_what_has_become_of_the_inputs() {
    let mut server = Foreign::server().await;
    let inputs = json!({ "name": "a", "note": "n", "password": secret(json!("p")) });
    let outputs = server.create(inputs.clone()).await;
    let drifted = found_server("a")
        .with_attribute("note", Value::string("else"))
        .with_attribute("password", Value::string("other"));
    let drifted = drifted.with_attribute("tag", Value::list(Type::String, [Value::string("new")]));
    *server.acme.found.lock().expect("lock") = Some(drifted);
    let read = server.read("i-1", Some(outputs), Some(inputs)).await;
    let inputs = json_of(&read.inputs.expect("inputs"));
    assert_eq!(inputs, json!({ "name": "a", "note": "else", "password": secret(json!("other")) }));
    let again = server.read("i-1", read.properties.clone(), Some(inputs.clone())).await;
    assert_eq!((again.properties, json_of(&again.inputs.expect("inputs"))), (read.properties, inputs));
}
