//! Packages, their schema, and the provider's own configuration.

use denobridge_core::cty::Value;
use denobridge_pulumi::proto::pulumirpc::parameterize_request::{Parameters, ParametersArgs, ParametersValue};
use denobridge_pulumi::proto::pulumirpc::{
    CheckRequest, ConfigureErrorMissingKeys, ConfigureRequest, GetSchemaRequest, ParameterizeRequest, PluginAttach,
    ProviderHandshakeRequest,
};
use serde_json::json;
use tonic::Code;

use crate::support::{Door, UNKNOWN, detail, json_of, object, secret};

const PROVIDER: &str = "urn:pulumi:dev::project::pulumi:providers:demo::default";

#[tokio::test]
async fn the_handshake_says_what_we_take() {
    let mut door = Door::open().await;
    let answer = door.client.handshake(ProviderHandshakeRequest::default()).await.expect("shakes").into_inner();
    assert!(answer.accept_secrets && answer.accept_resources && !answer.accept_outputs);
    door.client.attach(PluginAttach { address: String::new() }).await.expect("attaches");
    assert_eq!(door.client.get_plugin_info(()).await.expect("info").into_inner().version, "9.9.9");
}

#[tokio::test]
async fn packages_are_kept_by_name() {
    let mut door = Door::open().await;
    let arguments = |words: &[&str]| ParameterizeRequest {
        parameters: Some(Parameters::Args(ParametersArgs { args: words.iter().map(ToString::to_string).collect() })),
    };
    let first = door.client.parameterize(arguments(&["first"])).await.expect("parameterizes").into_inner();
    assert_eq!((first.name.as_str(), first.version.as_str()), ("first", "1.2.3"));
    let value = ParametersValue { name: "second".to_owned(), version: "9.9.9".to_owned(), value: b"second".to_vec() };
    let second = ParameterizeRequest { parameters: Some(Parameters::Value(value)) };
    for _ in 0..2 {
        let answer = door.client.parameterize(second.clone()).await.expect("parameterizes").into_inner();
        assert_eq!((answer.name.as_str(), answer.version.as_str()), ("second", "1.2.3"));
    }
    for name in ["first", "second", ""] {
        let request = GetSchemaRequest { subpackage_name: name.to_owned(), ..GetSchemaRequest::default() };
        let schema = door.client.get_schema(request).await.expect("schema").into_inner().schema;
        let schema: serde_json::Value = serde_json::from_str(&schema).expect("JSON");
        assert_eq!(schema["name"], if name.is_empty() { "demo" } else { name });
        assert!(schema["resources"].get(format!("{}:index:Thing", schema["name"].as_str().expect("name"))).is_some());
    }
    let failure = door.client.parameterize(arguments(&[])).await.expect_err("refuses");
    assert_eq!((failure.code(), failure.message()), (Code::InvalidArgument, "name one package"));
    let request = GetSchemaRequest { subpackage_name: "third".to_owned(), ..GetSchemaRequest::default() };
    let failure = door.client.get_schema(request).await.expect_err("refuses");
    assert_eq!(
        failure.message(),
        "this plugin process does not serve the package third; it serves first, second, demo"
    );
}

async fn check(door: &mut Door, news: serde_json::Value) -> (serde_json::Value, Vec<(String, String)>) {
    let request = CheckRequest { urn: PROVIDER.to_owned(), news: Some(object(news)), ..CheckRequest::default() };
    let answer = door.client.check_config(request).await.expect("checks").into_inner();
    let failures = answer.failures.into_iter().map(|failure| (failure.property, failure.reason)).collect();
    (json_of(&answer.inputs.expect("inputs")), failures)
}

#[tokio::test]
async fn settings_come_back_as_they_came() {
    let mut door = Door::open().await;
    let given = json!({ "version": "1.2.3", "endpoint": UNKNOWN, "regions": "[\"a\"]", "apiKey": "canary" });
    let (inputs, failures) = check(&mut door, given.clone()).await;
    assert_eq!(failures, []);
    let mut expected = given;
    expected["apiKey"] = secret(json!("canary"));
    assert_eq!(inputs, expected);
}

#[tokio::test]
async fn wrong_settings_are_named() {
    let mut door = Door::open().await;
    let (_, failures) = check(&mut door, json!({ "regions": { "a": 1 }, "nope": 1, "__internal": {} })).await;
    let failures: Vec<_> = failures.iter().map(|(name, reason)| format!("{name}: {reason}")).collect();
    assert_eq!(
        failures,
        [
            "regions: an array is required, but this is an object",
            "nope: there is no such property; there are: apiKey, endpoint, regions",
            "endpoint: the setting is required; try `pulumi config set demo:endpoint VALUE`",
        ]
    );
    let (_, failures) = check(&mut door, json!({ "endpoint": "e", "regions": "a, b" })).await;
    assert_eq!(failures, [("regions".to_owned(), "it must be JSON, and the text is not valid JSON".to_owned())]);
}

#[tokio::test]
async fn settings_reach_the_provider_in_every_form() {
    let mut door = Door::open().await;
    for regions in [json!(["a", "b"]), json!("[\"a\",\"b\"]"), json!(secret(json!("[\"a\",\"b\"]")))] {
        let args = json!({ "version": "1.2.3", "endpoint": secret(json!("e")), "regions": regions });
        let request = ConfigureRequest { args: Some(object(args)), ..ConfigureRequest::default() };
        let answer = door.client.configure(request).await.expect("configures").into_inner();
        assert!(answer.accept_secrets && answer.supports_preview);
        let settings = door.demo.settings.lock().expect("lock").take().expect("configured");
        assert_eq!(settings.attribute("endpoint").and_then(Value::as_str), Some("e"));
        let regions = settings.attribute("regions").expect("regions").as_elements().expect("list").to_vec();
        assert_eq!(regions.len(), 2);
    }
}

#[tokio::test]
async fn missing_settings_are_told_in_the_form_that_the_command_line_explains() {
    let mut door = Door::open().await;
    let request = ConfigureRequest {
        args: Some(object(json!({}))),
        urn: Some(PROVIDER.to_owned()),
        ..ConfigureRequest::default()
    };
    let failure = door.client.configure(request).await.expect_err("refuses");
    let missing: ConfigureErrorMissingKeys = detail(&failure);
    assert_eq!(missing.missing_keys[0].name, "demo:endpoint");
}
