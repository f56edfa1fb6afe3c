//! Check, CheckConfig and Configure of a foreign provider.

use denobridge_pulumi::proto::pulumirpc::check_request::AutonamingOptions;
use denobridge_pulumi::proto::pulumirpc::check_request::autonaming_options::Mode;
use denobridge_pulumi::proto::pulumirpc::diff_response::DiffChanges;
use denobridge_pulumi::proto::pulumirpc::{CheckRequest, DiffRequest};
use serde_json::json;

use crate::bridged::{Foreign, provider_urn};
use crate::support::{UNKNOWN, object, secret};

#[tokio::test]
async fn a_name_is_made_up_and_kept() {
    let mut server = Foreign::server().await;
    let (first, failures) = server.check(json!({ "note": "n" })).await;
    assert_eq!(failures, []);
    let name = first["name"].as_str().expect("a name").to_owned();
    let suffix = name.strip_prefix("t-").expect("the resource's name first");
    assert!(suffix.len() == 7 && suffix.bytes().all(|byte| byte.is_ascii_hexdigit()), "{name}");
    assert_eq!(server.check(json!({ "note": "n" })).await.0["name"], name, "the same seed makes the same name");
    let again = |olds| CheckRequest {
        olds: Some(object(olds)),
        news: Some(object(json!({}))),
        random_seed: b"other".to_vec(),
        ..CheckRequest::default()
    };
    assert_eq!(server.check_with(again(json!({ "name": name }))).await.0["name"], name);
    assert_ne!(server.check_with(again(json!({}))).await.0["name"], name, "a replacement has another name");
    assert_eq!(server.check(json!({ "name": "mine" })).await.0["name"], "mine");
}

#[tokio::test]
async fn the_users_way_of_naming_counts() {
    let mut server = Foreign::server().await;
    let wish = |mode: Mode, name: &str| CheckRequest {
        news: Some(object(json!({}))),
        autonaming: Some(AutonamingOptions { proposed_name: name.to_owned(), mode: mode.into() }),
        ..CheckRequest::default()
    };
    assert_eq!(server.check_with(wish(Mode::Propose, "p")).await.0, json!({ "name": "p" }));
    assert_eq!(server.check_with(wish(Mode::Enforce, "e")).await.0, json!({ "name": "e" }));
    // The provider has a way of its own, since it does not require a name.
    assert_eq!(server.check_with(wish(Mode::Disable, "")).await, (json!({}), vec![]));
    assert_eq!(server.check_with(wish(Mode::Propose, &"x".repeat(256))).await, (json!({}), vec![]));
}

#[tokio::test]
async fn a_name_that_nobody_asked_for_is_dropped_where_it_is_wrong() {
    let mut server = Foreign::server().await;
    let (inputs, failures) = server.check(json!({ "namePrefix": "web-" })).await;
    assert_eq!((inputs, failures), (json!({ "namePrefix": "web-" }), vec![]));
    let (_, failures) = server.check(json!({ "namePrefix": "web-", "name": "web" })).await;
    let reason = "Conflicting configuration arguments: \"name\": conflicts with name_prefix";
    assert_eq!(failures, [("name".to_owned(), reason.to_owned())]);
    // What is wrong anyway is told once, and with the name.
    let (inputs, failures) = server.check(json!({ "sizeGb": "many" })).await;
    assert!(inputs["name"].is_string());
    assert_eq!(failures.len(), 1);
}

#[tokio::test]
async fn what_the_schema_lacks_is_passed_over_with_a_warning() {
    let mut server = Foreign::server().await;
    let given = json!({ "name": "a", "nottes": "x", "disk": { "sizeGB": 1, "sizeGb": 2 }, "__internal": 1 });
    let (inputs, failures) = server.check(given.clone()).await;
    assert_eq!((inputs, failures), (given.clone(), vec![]));
    let line = server.door.logged("nottes").await;
    assert_eq!(line.message, "`nottes` is passed over, since there is no such property; did you mean `note`?");
    let line = server.door.logged("sizeGB").await;
    assert_eq!(line.message, "`disk.sizeGB` is passed over, since there is no such property; did you mean `sizeGb`?");
    server.create(given).await;
    assert_eq!(server.acme.last("apply").config["disk"], json!([{ "size_gb": 2 }]));
}

#[tokio::test]
async fn inputs_are_what_the_provider_takes() {
    let mut server = Foreign::server().await;
    let given = json!({ "name": 7, "note": true, "sizeGb": "9007199254740993", "enabled": "true", "password": "p" });
    let (inputs, failures) = server.check(given.clone()).await;
    assert_eq!(failures, []);
    assert_eq!(inputs["password"], secret(json!("p")));
    let config = server.acme.last("validate").config;
    assert_eq!((&config["name"], &config["note"], &config["enabled"]), (&json!("7"), &json!("true"), &json!(true)));
    assert_eq!(config["size_gb"].to_string(), "9007199254740993");
    // Blocks that are absent are empty, not null, and a group is always there.
    for (block, expected) in [("disk", json!([])), ("rule", json!([])), ("label", json!([]))] {
        assert_eq!(config[block], expected, "{block}");
    }
    assert_eq!((&config["group"], &config["timeouts"]), (&json!({ "text": null }), &json!(null)));
    let (_, failures) = server.check(json!({ "sizeGb": "", "disk": UNKNOWN, "tags": [null, ""] })).await;
    assert_eq!(failures, []);
    let config = server.acme.last("validate").config;
    assert_eq!((&config["size_gb"], &config["disk"]), (&json!(null), &json!(["(unknown)"])));
    assert_eq!(config["tag"], json!([null, ""]));
}

#[tokio::test]
async fn failures_are_in_the_words_of_the_program() {
    let mut server = Foreign::server().await;
    let (_, failures) = server.check(json!({ "note": "invalid", "password": "canary", "name": "a" })).await;
    let reasons: Vec<_> = failures.iter().map(|(property, reason)| format!("{property}: {reason}")).collect();
    assert_eq!(
        reasons,
        [
            ": Request failed: the API was called with \"(sensitive)\"",
            ": Wrong: \"namePrefix\" is wrong, `disk.0.sizeGb` too",
        ]
    );
}

#[tokio::test]
async fn settings_come_and_go_in_their_own_form() {
    let mut acme = Foreign::server().await;
    let credentials = json!({ "innerText": "a", "flag": "true" });
    for form in [credentials.clone(), json!(credentials.to_string())] {
        let given = json!({ "version": "1.2.3", "endPoint": "e", "name": "own", "credentials": form });
        let (inputs, failures) = acme.check_config("default", given.clone()).await;
        assert_eq!((inputs, failures), (given.clone(), vec![]));
        acme.configure(given).await;
        let config = acme.acme.last("configure").config;
        assert_eq!(config["credentials"], json!({ "inner_text": "a", "flag": true }));
        assert_eq!(config["name"], "own");
    }
    let diff = |news| DiffRequest {
        urn: provider_urn("default"),
        old_inputs: Some(object(json!({ "credentials": credentials.to_string() }))),
        news: Some(object(json!({ "credentials": news }))),
        ..DiffRequest::default()
    };
    let same = acme.door.client.diff_config(diff(credentials.clone())).await.expect("diffs").into_inner();
    assert_eq!(same.changes(), DiffChanges::DiffUnknown);
    let other = acme.door.client.diff_config(diff(json!({ "flag": false }))).await.expect("diffs").into_inner();
    assert_eq!((other.changes(), other.replaces.len()), (DiffChanges::DiffSome, 0));
}

#[tokio::test]
async fn a_secret_inside_of_a_setting_is_none_in_clear() {
    let mut acme = Foreign::server().await;
    let vault = json!({ "address": "a", "secretKey": "canary" });
    let given = json!({ "endPoint": "e", "apiKey": "canary", "vault": vault.to_string() });
    let (inputs, failures) = acme.check_config("default", given).await;
    assert_eq!(failures, []);
    assert_eq!((&inputs["apiKey"], &inputs["vault"]), (&secret(json!("canary")), &secret(json!(vault.to_string()))));
    let (inputs, _) = acme.check_config("default", json!({ "endPoint": "e", "vault": vault })).await;
    assert_eq!(inputs["vault"]["secretKey"], secret(json!("canary")));
    // As the engine sends it back, and with a secret that only the text knows of.
    let inside = json!({ "address": secret(json!("a")), "secretKey": "canary" }).to_string();
    for vault in [secret(json!(vault.to_string())), json!(inside)] {
        acme.configure(json!({ "endPoint": "e", "vault": vault })).await;
        assert_eq!(acme.acme.last("configure").config["vault"], json!([{ "address": "a", "secret_key": "canary" }]));
    }
}

#[tokio::test]
async fn wrong_settings_are_told_where_the_user_has_written_them() {
    let mut acme = Foreign::server().await;
    let (_, failures) = acme.check_config("default", json!({ "endPoit": "bad" })).await;
    assert_eq!(failures[0].0, "endPoit");
    assert!(failures[0].1.starts_with("there is no such property; did you mean `endPoint`?"), "{failures:?}");
    assert_eq!(failures[1].1, "the setting is required; try `pulumi config set acme:endPoint VALUE`");
    let (_, failures) = acme.check_config("explicit", json!({})).await;
    assert_eq!(failures[0].1, "the setting is required; set it where the program makes the provider");
    for (provider, place) in [
        ("default_1_2_3", "see `pulumi config get acme:endPoint`"),
        ("explicit", "argument `endPoint` of the provider \"explicit\""),
    ] {
        let (_, failures) = acme.check_config(provider, json!({ "endPoint": "bad" })).await;
        let reason = format!("Bad endpoint: \"endPoint\" must be an address ({place})");
        assert_eq!(failures, [("endPoint".to_owned(), reason)]);
    }
    let (_, failures) = acme.check_config("default", json!({ "endPoint": "e", "credentials": "{" })).await;
    assert_eq!(failures[0].1, "it must be JSON, and the text is not valid JSON");
}

#[tokio::test]
async fn settings_that_are_not_known_yet_do_not_reach_the_provider() {
    let mut acme = Foreign::server().await;
    let given = json!({ "endPoint": UNKNOWN });
    assert_eq!(acme.check_config("explicit", given.clone()).await, (given.clone(), vec![]));
    acme.configure(given).await;
    assert_eq!(acme.acme.count("configure"), 0);
    let preview = acme.create_with(json!({ "name": "a" }), true, 0.0).await.expect("previews");
    let outputs = crate::support::json_of(&preview.properties.expect("outputs"));
    assert_eq!((&outputs["name"], &outputs["serial"]), (&json!("a"), &json!(UNKNOWN)));
    assert_eq!((preview.id.as_str(), acme.acme.count("plan")), ("", 0));
    let zone = acme.invoke("getZone:getZone", json!({ "zoneName": "z" }), true).await.expect("answers");
    assert_eq!(crate::support::json_of(&zone.r#return.expect("result"))["records"], UNKNOWN);
    let failure = acme.create_with(json!({ "name": "a" }), false, 0.0).await.expect_err("cannot");
    assert!(failure.message().contains("settings of the provider are not known yet"), "{}", failure.message());
    // Functions need no settings.
    let joined = acme.invoke("join:join", json!({ "first": "a" }), true).await.expect("answers").r#return;
    assert_eq!(crate::support::json_of(&joined.expect("result")), json!({ "result": "a" }));
    acme.configure(json!({ "endPoint": "e" })).await;
    acme.create(json!({ "name": "a" })).await;
}
