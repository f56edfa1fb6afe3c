//! The plugin as a process: how it begins and how it ends.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use denobridge_pulumi::proto::pulumirpc::resource_provider_client::ResourceProviderClient;
use denobridge_pulumi::proto::pulumirpc::{CreateRequest, ErrorResourceInitFailed};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;
use tonic::transport::Channel;

use crate::support::{detail, object, urn};

/// The demo plugin, which `cargo test` builds as an example beside this test.
fn plugin() -> Command {
    let test = std::env::current_exe().expect("this test");
    let target = test.ancestors().nth(2).map(PathBuf::from).expect("target directory");
    let plugin = target.join("examples/pulumi-resource-demo");
    assert!(plugin.exists(), "{} is missing: run `cargo test -p denobridge-pulumi`", plugin.display());
    Command::new(plugin)
}

struct Plugin {
    child: Child,
    port: u16,
    begun: Instant,
}

impl Plugin {
    fn start(arguments: &[&str], input: Stdio) -> Self {
        let begun = Instant::now();
        let mut child = plugin().args(arguments).stdin(input).stdout(Stdio::piped()).spawn().expect("starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("stdout")).read_line(&mut line).expect("port line");
        Self { child, port: line.trim_end().parse().expect("a port and nothing else"), begun }
    }

    async fn client(&self) -> ResourceProviderClient<Channel> {
        ResourceProviderClient::connect(format!("http://127.0.0.1:{}", self.port)).await.expect("connects")
    }

    fn interrupt(&self) {
        kill(Pid::from_raw(i32::try_from(self.child.id()).expect("pid")), Signal::SIGINT).expect("signals");
    }

    /// Waits for the end, but not for long.
    fn ended(mut self, limit: Duration) -> ExitStatus {
        let begun = Instant::now();
        while begun.elapsed() < limit {
            if let Some(status) = self.child.try_wait().expect("waits") {
                return status;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.child.kill().expect("kills");
        panic!("still there after {limit:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_port_comes_at_once_and_an_interrupt_after_cancel_ends_it() {
    let plugin = Plugin::start(&["--logtostderr", "-v=9", "127.0.0.1:1"], Stdio::piped());
    assert!(plugin.begun.elapsed() < Duration::from_millis(500), "{:?}", plugin.begun.elapsed());
    let mut client = plugin.client().await;
    client.get_plugin_info(()).await.expect("answers");
    client.cancel(()).await.expect("cancels");
    plugin.interrupt();
    assert!(plugin.ended(Duration::from_secs(2)).success());
}

#[tokio::test(flavor = "multi_thread")]
async fn it_ends_with_the_engine_that_started_it() {
    let mut plugin = Plugin::start(&["127.0.0.1:1"], Stdio::piped());
    plugin.client().await.get_plugin_info(()).await.expect("answers");
    drop(plugin.child.stdin.take());
    assert!(plugin.ended(Duration::from_secs(2)).success());
}

#[tokio::test(flavor = "multi_thread")]
async fn it_ends_with_the_engine_also_in_mid_call() {
    let mut plugin = Plugin::start(&["127.0.0.1:1"], Stdio::piped());
    let mut client = plugin.client().await;
    // Whose creation does not heed a cancellation. Only for who can still be told it would be waited for.
    let properties = Some(object(json!({ "thingName": "stuck" })));
    let request = CreateRequest { urn: urn("t"), properties, ..CreateRequest::default() };
    let create = tokio::spawn(async move { client.create(request).await });
    tokio::time::sleep(Duration::from_millis(800)).await;
    drop(plugin.child.stdin.take());
    assert!(plugin.ended(Duration::from_millis(900)).success());
    create.await.expect("no panic").expect_err("was cut off");
}

#[tokio::test(flavor = "multi_thread")]
async fn started_by_hand_it_lives_until_it_is_interrupted() {
    let plugin = Plugin::start(&[], Stdio::null());
    std::thread::sleep(Duration::from_millis(300));
    plugin.client().await.get_plugin_info(()).await.expect("answers");
    plugin.interrupt();
    assert!(plugin.ended(Duration::from_secs(2)).success());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_in_mid_call_still_says_what_exists() {
    let plugin = Plugin::start(&["127.0.0.1:1"], Stdio::piped());
    let mut client = plugin.client().await;
    let properties = Some(object(json!({ "thingName": "slow" })));
    let request = CreateRequest { urn: urn("t"), properties, ..CreateRequest::default() };
    let create = tokio::spawn(async move { client.create(request).await });
    tokio::time::sleep(Duration::from_millis(800)).await;
    plugin.interrupt();
    let failure = create.await.expect("no panic").expect_err("was cancelled");
    let kept: ErrorResourceInitFailed = detail(&failure);
    assert_eq!(kept.id, "id-slow");
    assert!(plugin.ended(Duration::from_secs(3)).success());
}

#[test]
fn people_who_start_it_get_an_answer() {
    let answer = |argument: &str| plugin().arg(argument).output().expect("runs");
    let version = answer("--version");
    assert!(version.status.success());
    assert_eq!(String::from_utf8_lossy(&version.stdout), "1.2.3\n");
    assert!(
        String::from_utf8_lossy(&answer("--help").stdout).starts_with("pulumi-resource-demo 1.2.3 is a Pulumi plugin")
    );
    let refused = answer("install");
    assert!(!refused.status.success() && refused.stdout.is_empty(), "standard output is the engine's");
}
