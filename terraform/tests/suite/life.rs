//! From the first call to the end of the process.

use std::process::Stdio;
use std::time::Duration;

use denobridge_core::Call;
use denobridge_core::provider::{ConfigureProviderRequest, Provider as _};
use denobridge_terraform::attach;
use denobridge_terraform::launch::parse_reattach;
use denobridge_terraform::proto::health::health_check_response::ServingStatus;
use denobridge_terraform::proto::health::{HealthCheckRequest, health_client::HealthClient};
use denobridge_terraform::proto::plugin::grpc_broker_client::GrpcBrokerClient;
use denobridge_terraform::proto::plugin::grpc_controller_client::GrpcControllerClient;
use denobridge_terraform::proto::plugin::grpc_stdio_client::GrpcStdioClient;
use denobridge_terraform::proto::plugin::{ConnInfo, Empty};
use denobridge_terraform::proto::tfplugin6 as pb;
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::Command;
use tonic::Code;

use super::support::{COOKIE, PROGRAM, Plugin, soon, start_debug};

fn signal(plugin: &Plugin, signal: Signal) {
    let process = i32::try_from(plugin.child.id().unwrap()).unwrap();
    kill_process(Pid::from_raw(process).unwrap(), signal).unwrap();
}

#[tokio::test]
async fn health_answers_for_the_plugin_only() {
    let plugin = Plugin::start(PROGRAM).await;
    let mut health = HealthClient::new(plugin.connect().await);
    let check = |service: &str| HealthCheckRequest { service: service.to_owned() };
    let answered = health.check(check("plugin")).await.unwrap().into_inner();
    assert_eq!(answered.status(), ServingStatus::Serving);
    assert_eq!(health.check(check("other")).await.unwrap_err().code(), Code::NotFound);
}

#[tokio::test]
async fn shutdown_ends_open_streams_and_the_process_and_removes_the_socket() {
    let mut plugin = Plugin::start(PROGRAM).await;
    let channel = plugin.connect().await;
    let mut stdio = GrpcStdioClient::new(channel.clone()).stream_stdio(()).await.unwrap().into_inner();
    let announced = futures::stream::pending::<ConnInfo>();
    let mut broker = GrpcBrokerClient::new(channel.clone()).start_stream(announced).await.unwrap().into_inner();
    let still_open = tokio::time::timeout(Duration::from_millis(200), stdio.message()).await;
    assert!(still_open.is_err(), "the stream of standard output ended early");

    GrpcControllerClient::new(channel).shutdown(Empty {}).await.unwrap();
    assert_eq!(soon("the end of standard output", stdio.message()).await.unwrap(), None);
    assert_eq!(soon("the end of the broker", broker.message()).await.unwrap(), None);
    // Hosts kill after two seconds.
    let status = tokio::time::timeout(Duration::from_secs(2), plugin.child.wait()).await.unwrap().unwrap();
    assert_eq!(status.code(), Some(0));
    assert!(!plugin.socket().parent().unwrap().exists());
}

#[tokio::test]
async fn an_interrupt_is_ignored_and_a_termination_is_an_orderly_end() {
    let mut plugin = Plugin::start(PROGRAM).await;
    let mut provider = plugin.provider().await;
    signal(&plugin, Signal::INT);
    provider.get_provider_schema(pb::get_provider_schema::Request {}).await.unwrap();
    signal(&plugin, Signal::TERM);
    let status = soon("the end", plugin.child.wait()).await.unwrap();
    assert_eq!(status.code(), Some(0));
    assert!(!plugin.socket().exists());
}

#[tokio::test]
async fn a_plugin_whose_host_is_gone_ends() {
    // The shell is the host: it goes away after the handshake and never connects.
    let mut host = Command::new("sh")
        .args(["-c", "\"$0\" & sleep 1", PROGRAM])
        .env(COOKIE.0, COOKIE.1)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(host.stdout.take().unwrap());
    let mut line = String::new();
    soon("the handshake", output.read_line(&mut line)).await.unwrap();
    // A host that does not say what it speaks gets the oldest version.
    assert!(line.starts_with("1|5|unix|"), "{line}");
    // The pipe closes when the last process that has it ends.
    soon("the end of the plugin", output.read_to_string(&mut line)).await.unwrap();
    soon("the end of the host", host.wait()).await.unwrap();
}

/// F62: configurable log level, JSON lines.
#[tokio::test]
async fn f62_log_lines_are_json_at_the_level_that_the_user_asked_for() {
    for (level, expected) in [("INFO", true), ("WARN", false)] {
        let plugin = Plugin::start_with(PROGRAM, &[("TF_LOG", level)]).await;
        let mut provider = plugin.provider().await;
        provider.configure_provider(pb::configure_provider::Request::default()).await.unwrap();
        let stderr = plugin.stderr_to_end().await;
        assert_eq!(stderr.contains("{\"@level\":\"info\",\"@message\":\"configured\",\"@module\":\"tiny\""), expected);
    }
}

/// F13: a host configures a plugin once.
#[tokio::test]
async fn f13_a_second_configuration_is_an_error() {
    let plugin = Plugin::start(PROGRAM).await;
    let mut provider = plugin.provider().await;
    let request = pb::configure_provider::Request::default();
    assert!(provider.configure_provider(request.clone()).await.unwrap().get_ref().diagnostics.is_empty());
    let again = provider.configure_provider(request).await.unwrap().into_inner();
    assert_eq!(again.diagnostics[0].summary, "Provider already configured");
}

/// F13: in debug mode one process serves many commands, each of which configures it.
#[tokio::test]
async fn f13_in_debug_mode_a_second_configuration_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let (_server, reattach) = start_debug(folder.path()).await;
    let running = parse_reattach(&reattach).unwrap().remove("registry.terraform.io/example/tiny").unwrap();
    let provider = soon("attaching", attach("example/tiny", &running)).await.unwrap();
    for version in ["1.11.0", "1.14.0"] {
        let request = ConfigureProviderRequest { terraform_version: version.to_owned(), ..Default::default() };
        let said = provider.configure_provider(&Call::new(), request).await.unwrap().diagnostics;
        assert!(said.is_empty(), "{said:?}");
    }
}
