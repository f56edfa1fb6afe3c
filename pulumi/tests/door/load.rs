//! Many requests at once, and large ones.

use denobridge_pulumi::proto::pulumirpc::CreateRequest;
use serde_json::json;

use crate::support::{Door, json_of, object, urn};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_run_side_by_side() {
    let door = Door::open().await;
    let creates = (0..64).map(|index| {
        let mut client = door.client.clone();
        tokio::spawn(async move {
            let properties = Some(object(json!({ "thingName": format!("n{index}") })));
            client.create(CreateRequest { urn: urn("t"), properties, ..CreateRequest::default() }).await
        })
    });
    for create in creates.collect::<Vec<_>>() {
        create.await.expect("no panic").expect("creates");
    }
    assert_eq!(door.demo.things.lock().expect("lock").len(), 64);
}

#[tokio::test]
async fn large_and_deep_values_pass() {
    let mut door = Door::open().await;
    let large = "x".repeat(8 << 20);
    let mut deep = json!("bottom");
    for _ in 0..15 {
        deep = json!({ "a": [deep] });
    }
    let created = door.create(json!({ "thingName": "a", "props": { "large": large, "deep": deep } })).await;
    let outputs = json_of(&created.expect("creates").properties.expect("outputs"));
    assert_eq!(outputs["props"]["large"].as_str().map(str::len), Some(8 << 20));
    assert_eq!(outputs["props"]["deep"], deep);
}

#[tokio::test]
async fn values_that_are_too_deep_are_refused_and_crash_nothing() {
    let mut door = Door::open().await;
    let mut deep = json!("bottom");
    for _ in 0..200 {
        deep = json!({ "a": deep });
    }
    let failure = door.create(json!({ "thingName": "a", "props": deep })).await.expect_err("refused");
    assert!(failure.message().contains("nested too deeply"), "{}", failure.message());
    door.create(json!({ "thingName": "a" })).await.expect("creates");
}
