//! Who may connect, and what the handshake says.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use denobridge_terraform::proto::tfplugin6 as pb;
use tokio::process::Command;

use super::support::{COOKIE, ClientCertificate, PROGRAM, Plugin, client, soon};

async fn answers(plugin: &Plugin, shown: Option<&ClientCertificate>) -> bool {
    // With TLS 1.3 a client learns only from its first read that it was refused.
    match plugin.try_connect(shown).await {
        Err(_) => false,
        Ok(channel) => {
            let request = pb::get_provider_schema::Request {};
            soon("an answer or a refusal", client(channel).get_provider_schema(request)).await.is_ok()
        }
    }
}

/// F60: the socket is for its owner only.
#[tokio::test]
async fn f60_the_handshake_has_the_six_fields_that_hosts_expect() {
    let plugin = Plugin::start(PROGRAM).await;
    assert_eq!(plugin.fields.len(), 6, "{:?}", plugin.fields);
    assert_eq!(plugin.fields[..3], ["1", "6", "unix"]);
    assert_eq!(plugin.fields[4], "grpc");
    assert!(!plugin.fields[5].ends_with('='));
    assert_eq!(std::fs::metadata(plugin.socket()).unwrap().permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn the_hosts_p_521_certificate_is_accepted() {
    let plugin = Plugin::start(PROGRAM).await;
    let schema = plugin.provider().await.get_provider_schema(pb::get_provider_schema::Request {}).await.unwrap();
    assert!(schema.get_ref().resource_schemas.contains_key("tiny_note"));
}

/// F60: a client with another certificate is refused.
#[tokio::test]
async fn f60_another_certificate_of_the_same_kind_is_refused() {
    let plugin = Plugin::start(PROGRAM).await;
    assert!(!answers(&plugin, Some(&ClientCertificate::new())).await);
    // The refusal is about that client alone.
    plugin.provider().await.get_provider_schema(pb::get_provider_schema::Request {}).await.unwrap();
}

#[tokio::test]
async fn f60_a_client_without_a_certificate_is_refused() {
    let plugin = Plugin::start(PROGRAM).await;
    assert!(!answers(&plugin, None).await);
}

#[tokio::test]
async fn a_host_may_do_without_tls() {
    let plugin = Plugin::start_plain(PROGRAM).await;
    assert_eq!(plugin.fields[5], "");
    assert!(answers(&plugin, None).await);
}

#[tokio::test]
async fn multiplexing_is_declined_when_asked_for() {
    let plugin = Plugin::start_with(PROGRAM, &[("PLUGIN_MULTIPLEX_GRPC", "true")]).await;
    assert_eq!(plugin.fields.last().map(String::as_str), Some("false"));
    assert_eq!(plugin.fields.len(), 7);
}

/// F59: the cookie is checked before anything else.
#[tokio::test]
async fn f59_a_person_is_told_what_a_plugin_is() {
    for cookie in [None, Some("another")] {
        let mut command = Command::new(PROGRAM);
        command.env_clear().stdin(Stdio::null());
        command.envs(cookie.map(|value| (COOKIE.0, value)));
        let output = soon("the help", command.output()).await.unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty());
        let help = String::from_utf8(output.stderr).unwrap();
        assert!(help.starts_with("terraform-provider-tiny is a plugin: "), "{help}");
    }
}

#[tokio::test]
async fn a_broken_environment_is_named() {
    let mut command = Command::new(PROGRAM);
    command.env_clear().env(COOKIE.0, COOKIE.1).env("PLUGIN_CLIENT_CERT", "nonsense");
    let output = soon("the error", command.output()).await.unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("PLUGIN_CLIENT_CERT is not a certificate in PEM form"), "{error}");
}
