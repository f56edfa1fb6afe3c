//! The provider's configuration.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use denobridge_core::Call;
use denobridge_core::call::{LogLevel, LogSink};
use denobridge_core::cty::{Type, Value};
use denobridge_framework::host::{HostOptions, Plan, ResourceState, Step};
use serde_json::{Value as Json, json};
use tokio_util::sync::CancellationToken;

use super::{RESOURCE, Stage, host, value};
use crate::deno::testing::deno;

async fn configured(config: &Json) -> String {
    let host = host(HostOptions::default()).await;
    let step = host.configure(&value(config)).await;
    let lines = step
        .report
        .diagnostics
        .iter()
        .map(|diagnostic| format!("[{}] {}: {}", diagnostic.attribute, diagnostic.summary, diagnostic.detail));
    lines.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn limits_that_make_no_sense_are_named() {
    let text = |limits: Json| async move { configured(&json!({ "deno_binary_path": deno(), "limits": limits })).await };
    assert_eq!(
        text(json!({ "start_timeout": 0 })).await,
        "[limits.start_timeout] Invalid limit: `limits.start_timeout` must be 0.001 or more and at most 1000000000, in seconds."
    );
    let text_of_processes = text(json!({ "max_processes_per_script": 1.5 })).await;
    assert!(text_of_processes.contains("must be a whole number above 0"), "{text_of_processes}");
    assert!(text(json!({ "call_timeout": -1 })).await.contains("must be 0 (no limit) or more"));
    assert_eq!(text(json!({ "call_timeout": 0, "idle_timeout": 0.5, "max_message_bytes": 1000000 })).await, "");
}

#[tokio::test]
async fn what_is_wrong_with_the_configuration_is_told_when_it_is_validated() {
    use denobridge_core::provider::ValidateProviderConfigRequest;
    let provider = super::embedded();
    for (wrong, attribute) in [
        (json!({ "limits": { "start_timeout": 0 } }), "limits.start_timeout"),
        (json!({ "transport": "smoke" }), "transport"),
        (json!({ "deno_version": "newest" }), "deno_version"),
        (json!({ "remote": { "url": "ftp://example.com" } }), "remote.url"),
    ] {
        let block = super::super::schema::provider().block;
        let config = denobridge_core::planning::conform_config(&block, &value(&wrong)).unwrap();
        let request = ValidateProviderConfigRequest { config: config.into() };
        let answer = provider.validate_provider_config(&Call::new(), request).await.unwrap();
        let places: Vec<_> = answer.diagnostics.iter().map(|diagnostic| diagnostic.attribute.to_string()).collect();
        assert_eq!(places, [attribute], "{wrong}");
    }
}

#[tokio::test]
async fn a_limit_that_is_hit_is_named() {
    let stage = Stage::configured(&json!({ "limits": { "call_timeout": 0.2 } })).await;
    let text = std::fs::read_to_string(stage.script()).unwrap();
    let hang = "if (method === \"modifyPlan\") await new Promise((done) => setTimeout(done, 60_000));\n    let answers";
    std::fs::write(stage.script(), text.replace("let answers", hang)).unwrap();
    let (_, diagnostics) = stage.plan(&stage.props(&json!({})), None).await;
    let text = stage.text(&diagnostics);
    assert!(text.contains("200ms") && text.contains("call_timeout"), "{text}");
}

#[tokio::test]
async fn no_deno_is_an_error_once_a_script_is_to_run() {
    let host = host(HostOptions::default()).await;
    let step = host.configure(&value(&json!({ "deno_binary_path": "/nonexistent/deno" }))).await;
    assert!(!step.report.failed(), "{:?}", step.report.diagnostics);
    let resource = host.resource(RESOURCE, "r").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("a.ts");
    std::fs::write(&script, "").unwrap();
    let config = resource.config(&value(&json!({ "path": script }))).unwrap();
    let step = resource.plan(&config, None).await;
    let diagnostic = step.report.diagnostics.iter().next().unwrap();
    assert_eq!(diagnostic.summary, "Failed to start Deno");
    let detail = diagnostic.detail.replace(folder.path().to_str().unwrap(), "DIR");
    insta::assert_snapshot!(detail, @r#"
    Deno was not found.

    To run DIR/a.ts: `deno_binary_path` names "/nonexistent/deno", which is not an executable file.

    Correct the path, or leave it out to use the "deno" that is on PATH.
    "#);
}

#[tokio::test]
async fn a_deno_that_is_not_known_yet_is_waited_for() {
    let host = host(HostOptions::default()).await;
    let config = Value::object([("deno_binary_path", Value::unknown(Type::String))]);
    let step = host.configure(&config).await;
    assert!(!step.report.failed(), "{:?}", step.report.diagnostics);
    let resource = host.resource(RESOURCE, "r").unwrap();
    let config = resource.config(&value(&json!({ "path": "a.ts" }))).unwrap();
    assert!(resource.plan(&config, None).await.value.is_some());
}

/// The names of what a script sees of the environment.
async fn environment_of_a_script(config: &Json) -> BTreeSet<String> {
    let stage = Stage::configured(config).await;
    let text = std::fs::read_to_string(stage.script()).unwrap();
    let names = "state: { names: Object.keys(Deno.env.toObject()) }";
    std::fs::write(stage.script(), text.replace("state: { made: true } } };", &format!("{names} }} }};"))).unwrap();
    let config = stage.config(&[("permissions", value(&json!({ "all": true })))]);
    let state = stage.good_apply(&config, None).await;
    let names = state.value.attribute("state").and_then(|state| state.attribute("names")).unwrap();
    names.as_elements().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_script_inherits_what_it_needs_and_what_is_named() {
    let all = environment_of_a_script(&json!({})).await;
    let mut expected = environment_of_a_script(&json!({ "inherit_environment": [] })).await;
    assert!(expected.contains("PATH") && expected.is_subset(&all), "{expected:?}");
    let named = all.difference(&expected).next().expect("this process has further variables").clone();
    let found = environment_of_a_script(&json!({ "inherit_environment": [named] })).await;
    expected.insert(named);
    assert_eq!(found, expected);
}

/// Keeps every line, with its fields.
#[derive(Default)]
struct Kept(std::sync::Mutex<Vec<String>>);

impl LogSink for Kept {
    fn enabled(&self, _: LogLevel) -> bool {
        true
    }

    fn log(&self, level: LogLevel, module: &str, message: &str, fields: &[(&str, &str)]) {
        self.0.lock().unwrap().push(format!("{level:?} {module}: {message} {fields:?}"));
    }
}

#[tokio::test]
async fn what_scripts_write_is_in_the_log_of_the_call_and_secrets_are_not() {
    let mut stage = Stage::new().await;
    let kept = Arc::new(Kept::default());
    stage.host = stage.host.with_call(Call::new().with_log(kept.clone()));
    let text = std::fs::read_to_string(stage.script()).unwrap();
    let says = "console.error(`asked ${method} ${JSON.stringify(params)}`);\n    let answers";
    std::fs::write(stage.script(), text.replace("let answers", says)).unwrap();
    stage.answers(&json!({ "create": { "result": { "id": "x", "sensitiveState": { "token": "canary-state" } } } }));
    let secret = ("write_only_props", value(&json!({ "password": "canary-props" })));
    let state = stage.good_apply(&stage.config(&[secret]), None).await;
    stage.refresh(&state).await;
    stage.destroy(&state).await;
    let lines = kept.0.lock().unwrap();
    assert!(lines.iter().any(|line| line.starts_with("Debug script: ") && line.contains("asked create")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("json-rpc: call") && line.contains("create")), "{lines:#?}");
    let canary = lines.iter().find(|line| line.contains("canary"));
    assert_eq!(canary, None);
}

impl Stage {
    /// From now on the script takes so long for a creation.
    fn slow_creation(&self, milliseconds: u32) {
        let text = std::fs::read_to_string(self.script()).unwrap();
        let pause = format!("await new Promise((done) => setTimeout(done, {milliseconds}))");
        let slow = format!("if (method === \"create\") {pause};\n    let answers");
        std::fs::write(self.script(), text.replace("let answers", &slow)).unwrap();
    }

    /// Carries out a plan, in a call that is cancelled some time `after` it has begun.
    async fn interrupted_apply(&self, plan: &Plan, config: &Value, after: Duration) -> Step<Option<ResourceState>> {
        let cancellation = CancellationToken::new();
        let host = self.host.with_call(Call::new().with_cancellation(cancellation.clone()));
        let resource = host.resource(RESOURCE, "r").unwrap();
        let interrupt = async {
            tokio::time::sleep(after).await;
            cancellation.cancel();
        };
        tokio::join!(interrupt, resource.apply(plan, config)).1
    }
}

#[tokio::test]
async fn what_a_creation_makes_after_an_interruption_is_recorded() {
    let stage = Stage::new().await;
    stage.slow_creation(600);
    let config = stage.props(&json!({}));
    let plan = stage.good_plan(&config, None).await;
    let step = stage.interrupted_apply(&plan, &config, Duration::from_millis(200)).await;
    assert!(!step.report.failed(), "{:?}", step.report.diagnostics);
    assert!(step.value.is_some_and(|state| !state.tainted));
}

#[tokio::test]
async fn a_call_that_is_cancelled_or_late_ends() {
    let mut stage = Stage::configured(&json!({ "limits": { "stop_timeout": 0.5 } })).await;
    stage.slow_creation(60_000);
    let config = stage.props(&json!({}));
    let plan = stage.good_plan(&config, None).await;
    let began = Instant::now();

    let step = stage.interrupted_apply(&plan, &config, Duration::from_millis(300)).await;
    assert!(step.value.is_none());
    let text = stage.text(&step.report.diagnostics);
    assert!(text.contains("was cancelled") && text.contains("whether it took effect is not known"), "{text}");
    assert!(text.contains("still running 500ms later") && text.contains("raise `stop_timeout`"), "{text}");

    stage.host = stage.host.with_call(Call::new().with_deadline(Some(Instant::now() + Duration::from_millis(500))));
    let step = stage.resource().apply(&plan, &config).await;
    let text = stage.text(&step.report.diagnostics);
    assert!(text.contains("did not answer in time") && !text.contains("call_timeout"), "{text}");
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn a_call_that_was_cancelled_before_its_time_was_up_needs_no_advice_about_time() {
    let stage = Stage::configured(&json!({ "limits": { "call_timeout": 3, "stop_timeout": 60 } })).await;
    stage.slow_creation(60_000);
    let config = stage.props(&json!({}));
    let plan = stage.good_plan(&config, None).await;
    let step = stage.interrupted_apply(&plan, &config, Duration::from_millis(300)).await;
    let text = stage.text(&step.report.diagnostics);
    assert!(text.contains("took longer than 3s") && !text.contains("raise"), "{text}");
}
