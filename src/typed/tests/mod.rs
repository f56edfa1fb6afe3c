//! Typed packages driven as Terraform core drives them, with real scripts in Deno. The host holds every answer to core's rules.

mod configuration;
mod kinds;
mod life;
mod moved;
mod names;
mod planning;

use std::path::PathBuf;
use std::sync::Arc;

use denobridge_core::cty::{Type, Value};
use denobridge_core::{Diagnostics, Provider, Severity};
use denobridge_framework::host::{Host, HostOptions, Plan, ResourceHost, ResourceState};
use serde_json::{Value as Json, json};

use super::{PackageScript, ScriptPackage, TypedError, provider};
use crate::children::{Watcher, WatcherProgram};
use crate::deno::testing::deno;
use crate::scripted::{Runtime, ScriptedOptions};

/// A package with one script that plays what a test wants.
struct Stage {
    folder: tempfile::TempDir,
    host: Host,
}

fn package(scripts: Vec<PackageScript>) -> ScriptPackage {
    ScriptPackage {
        name: "infra".to_owned(),
        version: "1.0.0".to_owned(),
        description: None,
        config: None,
        config_file: Some("/dev/null".to_owned()),
        scripts,
    }
}

fn script(file: &str, location: &str, asks: &[String], description: Json) -> PackageScript {
    PackageScript {
        file: file.to_owned(),
        location: location.to_owned(),
        description: serde_json::from_value(description).unwrap(),
        asks: asks.to_vec(),
    }
}

fn served(package: &ScriptPackage) -> Result<Arc<dyn Provider>, TypedError> {
    let runtime = Runtime::with_watcher(Watcher::new(WatcherProgram::None));
    provider(package, ScriptedOptions { runtime, deno: Some(deno()) })
}

impl Stage {
    /// The script says that of itself, and everything that it asks for is granted.
    async fn new(description: Json) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let asks = Self::asks(&folder);
        let package = Self::package(&folder, &asks, description);
        Self::on(folder, &package, &json!({ "permissions": { "all": true } })).await
    }

    fn asks(folder: &tempfile::TempDir) -> Vec<String> {
        let folder = folder.path().to_str().unwrap();
        vec![format!("read={folder}"), format!("write={folder}")]
    }

    fn package(folder: &tempfile::TempDir, asks: &[String], description: Json) -> ScriptPackage {
        let path = folder.path().join("played.ts");
        package(vec![script("bucket.ts", path.to_str().unwrap(), asks, description)])
    }

    async fn on(folder: tempfile::TempDir, package: &ScriptPackage, config: &Json) -> Self {
        let stage = Self::unconfigured(folder, package).await;
        let diagnostics = stage.configure(config).await;
        assert!(!diagnostics.has_errors(), "{diagnostics:#?}");
        stage
    }

    async fn unconfigured(folder: tempfile::TempDir, package: &ScriptPackage) -> Self {
        std::fs::write(folder.path().join("played.ts"), include_str!("../../scripted/testdata/played.ts")).unwrap();
        let host = Host::start(served(package).unwrap(), HostOptions::default()).await.unwrap();
        Self { folder, host }
    }

    async fn configure(&self, config: &Json) -> Diagnostics {
        let mut config = config.clone();
        config["deno"]["deno_binary_path"] = json!(deno());
        self.host.configure(&value(&config)).await.report.diagnostics
    }

    fn resource(&self) -> ResourceHost<'_> {
        self.host.resource("infra_bucket", "r").unwrap()
    }

    fn script(&self) -> PathBuf {
        self.folder.path().join("played.ts")
    }

    /// What the script answers from now on.
    fn answers(&self, answers: &Json) {
        std::fs::write(self.folder.path().join("answers.json"), answers.to_string()).unwrap();
    }

    /// The calls since the last time, as "method params".
    fn calls(&self) -> Vec<String> {
        let file = self.folder.path().join("calls.jsonl");
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let _ = std::fs::remove_file(file);
        let calls = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
        calls.map(|call| format!("{} {}", call["method"].as_str().unwrap(), call["params"])).collect()
    }

    fn config(&self, given: &Json) -> Value {
        self.resource().config(&value(given)).unwrap_or_else(|problems| panic!("{problems:#?}"))
    }

    async fn plan(&self, config: &Value, prior: Option<&ResourceState>) -> (Option<Plan>, Diagnostics) {
        let step = self.resource().plan(config, prior).await;
        (step.value, step.report.diagnostics)
    }

    async fn good_plan(&self, config: &Value, prior: Option<&ResourceState>) -> Plan {
        let (plan, diagnostics) = self.plan(config, prior).await;
        assert!(!diagnostics.has_errors(), "{diagnostics:#?}");
        plan.unwrap()
    }

    /// Plans and applies.
    async fn apply(&self, config: &Value, prior: Option<&ResourceState>) -> (Option<ResourceState>, Diagnostics) {
        let plan = self.good_plan(config, prior).await;
        let step = self.resource().apply(&plan, config).await;
        (step.value, step.report.diagnostics)
    }

    async fn good_apply(&self, given: &Json, prior: Option<&ResourceState>) -> ResourceState {
        let (state, diagnostics) = self.apply(&self.config(given), prior).await;
        assert!(!diagnostics.has_errors(), "{diagnostics:#?}");
        state.unwrap()
    }

    async fn refresh(&self, state: &ResourceState) -> (Option<ResourceState>, Diagnostics) {
        let step = self.resource().refresh(state).await;
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
        text.collect::<Vec<_>>().join("\n---\n").replace(self.folder.path().to_str().unwrap(), "FOLDER")
    }
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

/// A state as JSON; attributes that are null are left out.
fn json_of(state: &ResourceState) -> Json {
    let entries = state.value.as_entries().unwrap().iter().filter(|(_, value)| !value.is_null());
    entries.map(|(name, value)| (name.to_string(), crate::scripted::values::to_json(value))).collect()
}
