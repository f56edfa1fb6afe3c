//! What the package of a foreign provider is asked besides its resources.

use denobridge_pulumi::proto::pulumirpc::parameterize_request::{Parameters, ParametersArgs};
use denobridge_pulumi::proto::pulumirpc::*;
use serde_json::{Value as Json, json};
use tonic::Code;

use crate::bridged::Foreign;
use crate::support::{UNKNOWN, json_of, secret};

fn terraform_config(package: &str) -> CallRequest {
    CallRequest { tok: format!("pulumi:providers:{package}/terraformConfig"), ..CallRequest::default() }
}

async fn parameterize(foreign: &mut Foreign) {
    let parameters = Some(Parameters::Args(ParametersArgs::default()));
    foreign.door.client.parameterize(ParameterizeRequest { parameters }).await.expect("is the package");
}

#[tokio::test]
async fn a_program_can_have_the_configuration_in_terraforms_names() {
    let mut foreign = Foreign::server().await;
    let error = foreign.door.client.call(terraform_config("acme")).await.unwrap_err();
    assert_eq!(error.message(), "the provider acme has not been configured yet");
    foreign.configure(json!({"endPoint": "e", "credentials": {"innerText": "t"}, "apiKey": secret(json!("k"))})).await;
    let answer = foreign.door.client.call(terraform_config("acme")).await.expect("answers").into_inner();
    let expected = json!({"result": {
        "end_point": secret(json!("e")),
        "name": secret(Json::Null),
        "credentials": secret(json!({"inner_text": "t", "flag": null})),
        "api_key": secret(json!("k")),
        "vault": secret(json!([])),
    }});
    assert_eq!(json_of(&answer.r#return.expect("a result")), expected);
    let unknown = CallRequest { tok: "acme:index/server:Server/reboot".to_owned(), ..CallRequest::default() };
    assert_eq!(foreign.door.client.call(unknown).await.unwrap_err().code(), Code::Unimplemented);
}

#[tokio::test]
async fn a_configuration_that_is_not_known_yet_is_not_handed_out() {
    let mut foreign = Foreign::server().await;
    foreign.configure(json!({"endPoint": UNKNOWN})).await;
    let error = foreign.door.client.call(terraform_config("acme")).await.unwrap_err();
    let expected =
        "terraformConfig of the provider acme needs all its settings, and some are known only after `pulumi up`";
    assert_eq!(error.message(), expected);
}

#[tokio::test]
async fn pulumi_convert_learns_the_names() {
    let mut foreign = Foreign::server().await;
    let question = GetMappingsRequest { key: "terraform".to_owned() };
    assert_eq!(foreign.door.client.get_mappings(question.clone()).await.unwrap_err().code(), Code::Unimplemented);
    parameterize(&mut foreign).await;
    let known = foreign.door.client.get_mappings(question).await.expect("answers").into_inner();
    assert_eq!(known.providers, ["acme"]);
    let other = foreign.door.client.get_mappings(GetMappingsRequest { key: "other".to_owned() }).await;
    assert!(other.expect("answers").into_inner().providers.is_empty());

    let question = |provider: &str| GetMappingRequest { key: "tf".to_owned(), provider: provider.to_owned() };
    let error = foreign.door.client.get_mapping(question("aws")).await.unwrap_err();
    assert_eq!(error.message(), r#"this package stands for the provider "acme", not "aws""#);
    let mapping = foreign.door.client.get_mapping(question("acme")).await.expect("answers").into_inner();
    let mapping: Json = serde_json::from_slice(&mapping.data).expect("JSON");
    let renamed = json!({"tok": "acme:index/server:Server", "fields": {"id": {"name": "serverId"}}, "idFields": null});
    assert_eq!(mapping["resources"]["acme_server"], renamed);
    assert_eq!(mapping["dataSources"]["acme_zone"]["tok"], "acme:index/getZone:getZone");
    let server = &mapping["provider"]["resources"]["acme_server"];
    let number = json!({"type": 3, "optional": true});
    assert_eq!(server["size_gb"], number);
    let disk = json!({"type": 5, "element": {"resource": {"size_gb": number}}, "optional": true, "maxItems": 1});
    assert_eq!(server["disk"], disk);
    assert_eq!(server["tag"], json!({"type": 5, "element": {"schema": {"type": 4}}, "optional": true}));
    let key = json!({"type": 4, "optional": true, "sensitive": true});
    assert_eq!(mapping["provider"]["schema"]["api_key"], key);
}

#[tokio::test]
async fn a_plugin_has_the_version_of_what_it_has_become() {
    let mut foreign = Foreign::server().await;
    let plugin = foreign.door.client.get_plugin_info(()).await.expect("answers").into_inner();
    parameterize(&mut foreign).await;
    let package = foreign.door.client.get_plugin_info(()).await.expect("answers").into_inner();
    assert_ne!(plugin.version, "1.2.3");
    assert_eq!(package.version, "1.2.3");
}
