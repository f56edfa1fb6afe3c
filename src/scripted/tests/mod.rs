//! The embedded provider driven as Terraform core drives it, with real scripts in Deno. The host holds every answer to core's
//! rules, so a test here also fails when an answer is one that core would refuse.

mod answers;
mod diagnostics;
mod example;
mod kinds;
mod life;
mod planning;
mod settings;
mod write_only;

use std::path::PathBuf;
use std::sync::Arc;

use denobridge_core::cty::{Type, Value};
use denobridge_core::provider::Layered;
use denobridge_core::provider::reencode::Reencode;
use denobridge_core::{Diagnostics, Provider, Severity};
use denobridge_framework::host::{Host, HostOptions, Plan, ResourceHost, ResourceState};
use serde_json::{Value as Json, json};

use super::{ACTION, DATA_SOURCE, EPHEMERAL_RESOURCE, FUNCTION, RESOURCE, Runtime, ScriptedOptions, provider};
use crate::children::{Watcher, WatcherProgram};
use crate::deno::testing::deno;

/// A provider with one script that plays what a test wants.
struct Stage {
    folder: tempfile::TempDir,
    host: Host,
}

impl Stage {
    async fn new() -> Self {
        Self::configured(&json!({})).await
    }

    /// With more of the provider's configuration than where Deno is.
    async fn configured(config: &Json) -> Self {
        Self::on(host(HostOptions::default()).await, config).await
    }

    /// With every value encoded and decoded again on its way, as it is between processes.
    async fn reencoded() -> Self {
        let provider = Arc::new(Layered(Reencode::new(embedded())));
        Self::on(Host::start(provider, HostOptions::default()).await.unwrap(), &json!({})).await
    }

    async fn on(host: Host, config: &Json) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("played.ts"), include_str!("../testdata/played.ts")).unwrap();
        let mut config = config.clone();
        config["deno_binary_path"] = json!(deno());
        let step = host.configure(&value(&config)).await;
        assert!(!step.report.failed(), "{:?}", step.report.diagnostics);
        Self { folder, host }
    }

    fn resource(&self) -> ResourceHost<'_> {
        self.host.resource(RESOURCE, "r").unwrap()
    }

    fn script(&self) -> PathBuf {
        self.folder.path().join("played.ts")
    }

    /// What the script answers from now on.
    fn answers(&self, answers: &Json) {
        std::fs::write(self.folder.path().join("answers.json"), answers.to_string()).unwrap();
    }

    /// The calls since the last time, with the process that each was made to.
    fn recorded(&self) -> Vec<Json> {
        let file = self.folder.path().join("calls.jsonl");
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let _ = std::fs::remove_file(file);
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The calls since the last time, as "method params".
    fn calls(&self) -> Vec<String> {
        let calls = self.recorded().into_iter();
        calls.map(|call| format!("{} {}", call["method"].as_str().unwrap(), call["params"])).collect()
    }

    /// The methods called since the last time.
    fn methods(&self) -> Vec<String> {
        self.calls().iter().map(|call| call.split(' ').next().unwrap().to_owned()).collect()
    }

    /// A configuration of the resource: this script, allowed to do what it needs, and `more`.
    fn config(&self, more: &[(&str, Value)]) -> Value {
        self.resource().config(&self.written(more)).unwrap()
    }

    /// The same as a user writes it, for any kind of component.
    fn written(&self, more: &[(&str, Value)]) -> Value {
        let folder = self.folder.path().to_str().unwrap();
        let allow = [format!("read={folder}"), format!("write={folder}")];
        let permissions = value(&json!({ "allow": allow }));
        let path = Value::string(self.script().to_str().unwrap());
        let config = Value::object([("path", path), ("permissions", permissions)]);
        more.iter().fold(config, |config, (name, value)| config.with_attribute(*name, value.clone()))
    }

    fn props(&self, props: &Json) -> Value {
        self.config(&[("props", value(props))])
    }

    async fn plan(&self, config: &Value, prior: Option<&ResourceState>) -> (Option<Plan>, Diagnostics) {
        let step = self.resource().plan(config, prior).await;
        (step.value, step.report.diagnostics)
    }

    async fn good_plan(&self, config: &Value, prior: Option<&ResourceState>) -> Plan {
        let (plan, diagnostics) = self.plan(config, prior).await;
        plan.unwrap_or_else(|| panic!("{diagnostics:#?}"))
    }

    /// Plans and applies.
    async fn apply(&self, config: &Value, prior: Option<&ResourceState>) -> (Option<ResourceState>, Diagnostics) {
        let plan = self.good_plan(config, prior).await;
        let step = self.resource().apply(&plan, config).await;
        (step.value, step.report.diagnostics)
    }

    async fn good_apply(&self, config: &Value, prior: Option<&ResourceState>) -> ResourceState {
        let (state, diagnostics) = self.apply(config, prior).await;
        assert!(!diagnostics.has_errors(), "{diagnostics:#?}");
        state.unwrap()
    }

    async fn refresh(&self, state: &ResourceState) -> (Option<ResourceState>, Diagnostics) {
        let step = self.resource().refresh(state).await;
        (step.value, step.report.diagnostics)
    }

    async fn destroy(&self, state: &ResourceState) -> (Option<ResourceState>, Diagnostics) {
        let step = self.resource().destroy(state).await;
        (step.value, step.report.diagnostics)
    }

    /// Diagnostics as text that is the same on every machine.
    fn text(&self, diagnostics: &Diagnostics) -> String {
        let text = diagnostics.iter().map(|diagnostic| {
            let severity = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            format!("{severity} at [{}]: {}\n{}", diagnostic.attribute, diagnostic.summary, diagnostic.detail)
        });
        let text = text.collect::<Vec<_>>().join("\n---\n");
        text.replace(self.folder.path().to_str().unwrap(), "FOLDER")
    }
}

async fn host(options: HostOptions) -> Host {
    Host::start(embedded(), options).await.unwrap()
}

fn embedded() -> Arc<dyn Provider> {
    let runtime = Runtime::with_watcher(Watcher::new(WatcherProgram::None));
    provider(ScriptedOptions { runtime, deno: Some(deno()) }).unwrap()
}

/// A value as a user writes it: objects and tuples.
fn value(json: &Json) -> Value {
    match json {
        Json::Array(items) => Value::tuple(items.iter().map(value)),
        Json::Object(members) => Value::object(members.iter().map(|(name, item)| (name.as_str(), value(item)))),
        Json::String(text) => Value::string(text),
        Json::Bool(value) => Value::bool(*value),
        Json::Null => Value::null(Type::Dynamic),
        Json::Number(number) => Value::number(number.to_string().parse::<denobridge_core::cty::Number>().unwrap()),
    }
}

/// An attribute of a state.
fn attribute<'s>(state: &'s ResourceState, name: &str) -> &'s Value {
    state.value.attribute(name).unwrap()
}
