//! F61: a secret in every sensitive position of every procedure, with every detail logged, is found nowhere that people read.

use denobridge_raw_client::{Plugin, every_procedure};

use super::support::{CANARY, PROGRAM, said, script};

/// Runs a plugin through every procedure and looks at all that it wrote and said.
async fn nothing_is_seen(words: &[&str]) -> String {
    let plugin = Plugin::start_with(PROGRAM, &[("TF_LOG", "TRACE")]).await;
    let mut texts = String::new();
    for word in words {
        texts.push_str(&said(&every_procedure(&plugin, &script(word)).await));
    }
    let (stdout, stderr) = plugin.output_to_end().await;
    assert!(stderr.contains("working with"), "the components log at this level: {stderr}");
    for (place, text) in [("standard output", &stdout), ("standard error", &stderr), ("messages", &texts)] {
        let seen: Vec<&str> = text.lines().filter(|line| line.contains(CANARY)).collect();
        assert!(seen.is_empty(), "{place}: {seen:#?}");
    }
    texts
}

#[tokio::test]
async fn f61_no_secret_is_seen_when_all_goes_well() {
    let texts = nothing_is_seen(&["x"]).await;
    assert!(texts.contains("InvokeAction: going on with does=x id= key= secret=(sensitive)"), "{texts}");
}

#[tokio::test]
async fn f61_no_secret_is_seen_when_everything_fails() {
    let texts = nothing_is_seen(&["fail", "later fail"]).await;
    assert!(texts.contains("cannot use does=fail id= key= secret=(sensitive)"), "{texts}");
}

#[tokio::test]
async fn f61_no_secret_is_seen_when_everything_panics() {
    let texts = nothing_is_seen(&["x", "panic", "panic in validation", "panic in planning", "later panic"]).await;
    assert!(texts.contains("deliberate, with does=panic"), "{texts}");
}
