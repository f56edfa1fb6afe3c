//! A plugin that was started by hand: each connection of the engine's is a provider instance.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use denobridge_core::Call;
use denobridge_core::cty::Value;
use denobridge_pulumi::proto::pulumirpc::*;
use denobridge_pulumi::{PackageError, PackageSource, Parameter, ServedPackage, plugin};
use serde_json::json;
use tonic::Code;

use crate::kinds_provider::{self, Journal};
use crate::provider::{Demo, Source};
use crate::support::{connect, object, start, urn};

/// Makes a demo for whoever asks.
#[derive(Default)]
struct Demos(Mutex<Vec<Arc<Demo>>>);

#[async_trait]
impl PackageSource for Demos {
    async fn resolve(&self, call: &Call, parameter: Parameter) -> Result<ServedPackage, PackageError> {
        let demo = Arc::new(Demo::default());
        self.0.lock().expect("lock").push(Arc::clone(&demo));
        Source { demo, reencoded: false }.resolve(call, parameter).await
    }
}

impl Demos {
    fn endpoints(&self) -> Vec<String> {
        let endpoint = |demo: &Arc<Demo>| {
            let settings = demo.settings.lock().expect("lock").clone().expect("configured");
            settings.attribute("endpoint").and_then(Value::as_str).expect("text").to_owned()
        };
        self.0.lock().expect("lock").iter().map(endpoint).collect()
    }

    fn things(&self) -> Vec<usize> {
        self.0.lock().expect("lock").iter().map(|demo| demo.things.lock().expect("lock").len()).collect()
    }
}

fn settings(endpoint: &str) -> ConfigureRequest {
    ConfigureRequest { args: Some(object(json!({ "endpoint": endpoint }))), ..ConfigureRequest::default() }
}

fn creation(name: &str) -> CreateRequest {
    CreateRequest { urn: urn(name), properties: Some(object(json!({ "thingName": name }))), ..CreateRequest::default() }
}

#[tokio::test]
async fn instances_with_different_settings_do_not_mix() {
    let demos = Arc::new(Demos::default());
    let (address, _end) = start(Arc::clone(&demos) as _, None);
    let (mut east, mut west) = (connect(address).await, connect(address).await);
    east.configure(settings("east")).await.expect("configures");
    west.configure(settings("west")).await.expect("configures");
    assert_eq!(demos.endpoints(), ["east", "west"]);
    for name in ["a", "b"] {
        east.create(creation(name)).await.expect("creates");
    }
    west.create(creation("c")).await.expect("creates");
    assert_eq!(demos.things(), [2, 1]);
}

#[tokio::test]
async fn an_interrupt_of_one_deployment_leaves_the_others_alone() {
    let demos = Arc::new(Demos::default());
    let (address, _end) = start(Arc::clone(&demos) as _, None);
    let (mut east, mut west) = (connect(address).await, connect(address).await);
    east.configure(settings("east")).await.expect("configures");
    west.configure(settings("west")).await.expect("configures");
    let mut running = west.clone();
    let slow = tokio::spawn(async move { running.create(creation("slow")).await });
    tokio::time::sleep(Duration::from_millis(200)).await;
    east.cancel(()).await.expect("cancels");
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!slow.is_finished(), "another connection was interrupted");
    west.cancel(()).await.expect("cancels");
    slow.await.expect("no panic").expect_err("was interrupted");
}

#[tokio::test]
async fn a_connection_that_belongs_to_no_instance_is_refused() {
    let (address, _end) = start(Arc::new(Demos::default()), None);
    // As a gRPC client makes it after half an hour of silence.
    let failure = connect(address).await.create(creation("a")).await.expect_err("refuses");
    assert_eq!(failure.code(), Code::InvalidArgument);
    assert_eq!(
        failure.message(),
        "the connection to the plugin demo was made anew, after half an hour without a request or because it broke, and \
         the plugin cannot tell which settings it is for; run the command again"
    );
}

#[tokio::test]
async fn a_plugin_that_the_engine_has_started_keeps_its_settings_over_connections() {
    let demos = Arc::new(Demos::default());
    let (address, _end) = start(Arc::clone(&demos) as _, Some("127.0.0.1:1".to_owned()));
    connect(address).await.configure(settings("east")).await.expect("configures");
    connect(address).await.create(creation("a")).await.expect("creates");
    assert_eq!((demos.endpoints(), demos.things()), (vec!["east".to_owned()], vec![1]));
}

async fn opened(
    address: SocketAddr,
    owner: &str,
) -> resource_provider_client::ResourceProviderClient<tonic::transport::Channel> {
    let mut client = connect(address).await;
    let args = Some(object(json!({})));
    client.configure(ConfigureRequest { args, ..ConfigureRequest::default() }).await.expect("configures");
    let args = Some(object(json!({ "ownerName": owner })));
    let request = InvokeRequest { tok: "kinds:index:openToken".to_owned(), args, ..InvokeRequest::default() };
    let answer = client.invoke(request).await.expect("opens").into_inner();
    assert!(answer.failures.is_empty(), "{:?}", answer.failures);
    client
}

#[tokio::test]
async fn what_was_opened_over_a_connection_is_closed_with_it() {
    let journal: Arc<Journal> = Arc::default();
    let noted = Arc::clone(&journal);
    let source = plugin("kinds", "1.2.3").source_of_each(move || kinds_provider::provider(&noted));
    let (address, _end) = start(Arc::new(source), None);
    let (first, _second) = (opened(address, "first").await, opened(address, "second").await);
    let closed = |owner: &str| journal.lines().iter().any(|line| line.starts_with(&format!("closed for {owner}")));
    assert!(!closed("first"));
    drop(first);
    for _ in 0..100 {
        if closed("first") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(closed("first") && !closed("second"), "{:?}", journal.lines());
}
