//! What we send.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value as Json};

use crate::Hook;

/// Params of `initialize`, the first call to every integration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Initialize {
    /// The version of this program.
    pub core_version: String,
    /// [`PROTOCOL_VERSION`](super::PROTOCOL_VERSION).
    pub protocol_version: u32,
    /// The hooks that the integration can be asked at.
    pub available_hooks: Vec<Hook>,
    /// Who asks the provider.
    pub host: Host,
    /// The run, as it is before anything has happened.
    pub run: Run,
    /// What the configuration file has for the integration itself.
    pub settings: Map<String, Json>,
}

/// Who asks the provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Host {
    /// `terraform`, `tofu` or `pulumi`, as far as it is known.
    pub name: String,
    /// Its version, where it says so.
    pub version: Option<String>,
    /// What kind of host it is.
    pub kind: HostKind,
}

/// What kind of host asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HostKind {
    /// Terraform, or what speaks its protocol.
    Terraform,
    /// The Pulumi engine.
    Pulumi,
}

/// One run of the user's command, as one provider process sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// The same for all provider processes of a run.
    pub id: Arc<str>,
    /// Grows with each event: of this process, or of the whole run where a program around the host asks (`denobridge run`).
    pub seq: u64,
    /// Who asks.
    pub host: HostKind,
    /// What the user asked for, as far as it can be told.
    pub operation: Operation,
    /// The stage that the provider is in.
    pub stage: Stage,
    /// Which walk of the stage this is, from 1: `terraform destroy` plans twice.
    pub pass: u32,
    /// Whether this is part of a plan, or of an apply (which may plan once more).
    pub phase: Phase,
    /// Terraform's workspace or Pulumi's stack, where it is known.
    pub workspace: Option<Arc<str>>,
    /// Pulumi's project, or the name of the root module's folder.
    pub project: Option<Arc<str>>,
    /// The provider that is asked; null where it is about all of them: a stage of a whole run.
    pub provider: Option<Provider>,
}

/// A provider, as integrations know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Provider {
    /// Its source address: `registry.terraform.io/hashicorp/random`.
    pub address: Arc<str>,
    /// What tells two configurations of one provider apart, where it is known: an alias or the name of an explicit provider.
    pub alias_hint: Option<Arc<str>>,
}

/// What the user asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// A plan or a preview.
    Plan,
    /// An apply or an update.
    Apply,
    /// Comparing states with real objects only.
    Refresh,
    /// Deleting everything.
    Destroy,
    /// Not known yet.
    Unknown,
}

/// A stage of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The provider is being made ready.
    Init,
    /// Finding out what to do.
    Plan,
    /// Doing it.
    Apply,
}

/// Which part of the host's work a call belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Finding out what to do.
    Plan,
    /// Doing it; plans made here repeat what was planned.
    Apply,
}

/// One instance of a component.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Resource {
    /// Its type, as the provider calls it.
    #[serde(rename = "type")]
    pub type_name: Arc<str>,
    /// The name that the user gave it, where it is known.
    pub name: Option<Arc<str>>,
    /// Terraform's address or the name that people know it by, where it is known.
    pub address: Option<Arc<str>>,
    /// How the address is known.
    pub address_source: AddressSource,
    /// The path of Terraform's module that it is in, where it is known.
    pub module_path: Option<Arc<str>>,
    /// Terraform's key of a deposed object; never known to a provider.
    pub deposed_key: Option<Arc<str>>,
    /// Pulumi's URN.
    pub urn: Option<Arc<str>>,
    /// The id in its state, where there is one that is not secret.
    pub id: Option<String>,
    /// Its identity, where it has one that may be told.
    pub identity: Option<Json>,
    /// The provider's source address.
    pub provider: Arc<str>,
}

/// How the address of a resource is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AddressSource {
    /// Pulumi says it.
    Urn,
    /// Terraform says it, in what it writes with `-json`.
    Stream,
    /// It is that of the only object in a local state file with this type and id: a guess.
    State,
    /// It is not known.
    None,
}

/// A state that may leave the process.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// The value; null where there is no object.
    pub value: Json,
    /// What was taken out since it is secret, or not for this integration: dotted paths with `[index]`.
    pub redacted: Vec<String>,
    /// What is not known yet.
    pub unknown: Vec<String>,
}

/// What will happen, or has happened, to an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// A new object.
    Create,
    /// A change in place.
    Update,
    /// The object goes and another takes its place.
    Replace,
    /// The object goes.
    Delete,
    /// Nothing.
    NoOp,
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiagnosticSeverity {
    /// It failed.
    Error,
    /// Worth knowing.
    Warning,
}

/// What the provider had to say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiagnosticMessage {
    /// How bad it is.
    pub severity: DiagnosticSeverity,
    /// One line.
    pub summary: String,
    /// More of it.
    pub detail: String,
    /// The attribute that it is about, as a dotted path; empty for the whole.
    pub attribute: String,
}

/// Params of the hooks about an instance. Which members are there depends on the hook; those that a hook does not have are
/// absent, states that it has are null where there is no object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstanceEvent {
    /// What is or was planned (`post_plan_resource`, `pre_apply_resource`, `post_apply_resource`).
    pub action: Option<Action>,
    /// The state before, in its place in the message.
    pub prior_state: Option<State>,
    /// What the user's configuration makes of it (`pre_plan_resource`).
    pub proposed_state: Option<State>,
    /// What the provider makes of that.
    pub planned_state: Option<State>,
    /// What came of it.
    pub new_state: Option<State>,
    /// Configuration of a data source, ephemeral resource or action.
    pub config: Option<State>,
    /// Paths whose change makes a replacement necessary (`post_plan_resource`).
    pub requires_replace: Option<Vec<String>>,
    /// Paths that differ from the stored state (`post_refresh_resource`).
    pub drift: Option<Vec<String>>,
    /// Whether the state comes from an import (`pre_` and `post_refresh_resource`).
    pub import: Option<bool>,
    /// What the provider had to say (post hooks).
    pub diagnostics: Option<Vec<DiagnosticMessage>>,
    /// How long the provider took, in milliseconds (post hooks).
    pub duration_ms: Option<u64>,
}

/// How many instances had what happen to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// New objects.
    pub create: u64,
    /// Changes in place.
    pub update: u64,
    /// Replacements, which count here only.
    pub replace: u64,
    /// Objects that went.
    pub delete: u64,
    /// Instances without a change.
    pub no_op: u64,
    /// Data sources that were read.
    pub read: u64,
    /// What failed or was denied.
    pub failed: u64,
}

/// Params of the hooks about a stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StageEvent {
    /// The run.
    pub run: Run,
    /// What the user asked for.
    pub operation: Operation,
    /// Terraform's workspace or Pulumi's stack, where it is known.
    pub workspace: Option<Arc<str>>,
    /// What was counted (complete hooks).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
    /// How long the stage took, in milliseconds (complete hooks).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// One line for people: `2 to create, 1 to delete` (complete hooks).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// What is planned, with Terraform's addresses, where Terraform has said it (`plan_stage_complete`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<PlannedChange>>,
}

impl StageEvent {
    /// What is told of a stage of the run, before anything has been counted.
    pub(crate) fn of(run: Run) -> Self {
        Self {
            operation: run.operation,
            workspace: run.workspace.clone(),
            run,
            counts: None,
            duration_ms: None,
            summary: None,
            changes: None,
        }
    }
}

/// A change that is planned, as Terraform tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedChange {
    /// Terraform's address.
    pub address: Arc<str>,
    /// What is to happen.
    pub action: Action,
}

/// What is sent at one hook.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// About an instance.
    Instance {
        /// The run.
        run: Run,
        /// The instance.
        resource: Resource,
        /// The rest.
        event: Box<InstanceEvent>,
    },
    /// About a stage.
    Stage(StageEvent),
}

/// Params of `shutdown`, the last call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Shutdown {
    /// Why.
    pub reason: ShutdownReason,
}

/// Why an integration is shut down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShutdownReason {
    /// The operation is over.
    Complete,
    /// The user or the host stopped it.
    Interrupted,
    /// Something of ours failed.
    Error,
}

impl Event {
    /// The params, as they are sent.
    #[must_use]
    pub fn params(&self) -> Json {
        // No member has a map with keys that are not texts, the only thing that JSON cannot have.
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl Serialize for Event {
    /// The params: `redacted` and `unknown` have a list of paths for each state that is in the message.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (run, resource, event) = match self {
            Self::Stage(stage) => return stage.serialize(serializer),
            Self::Instance { run, resource, event } => (run, resource, event),
        };
        let states = event.states();
        let mut params = serializer.serialize_map(None)?;
        params.serialize_entry("run", run)?;
        params.serialize_entry("resource", resource)?;
        add(&mut params, "action", event.action.as_ref())?;
        for (name, state) in states {
            add(&mut params, name, state.map(|state| &state.value))?;
        }
        params.serialize_entry(
            "redacted",
            &Paths(states.map(|(name, state)| (name, state.map(|state| &*state.redacted)))),
        )?;
        params.serialize_entry(
            "unknown",
            &Paths(states.map(|(name, state)| (name, state.map(|state| &*state.unknown)))),
        )?;
        add(&mut params, "requires_replace", event.requires_replace.as_ref())?;
        add(&mut params, "drift", event.drift.as_ref())?;
        add(&mut params, "import", event.import.as_ref())?;
        add(&mut params, "diagnostics", event.diagnostics.as_ref())?;
        add(&mut params, "duration_ms", event.duration_ms.as_ref())?;
        params.end()
    }
}

impl InstanceEvent {
    /// The states that a message can have, by the names of their members.
    fn states(&self) -> [(&'static str, Option<&State>); STATES] {
        [
            ("prior_state", self.prior_state.as_ref()),
            ("proposed_state", self.proposed_state.as_ref()),
            ("planned_state", self.planned_state.as_ref()),
            ("new_state", self.new_state.as_ref()),
            ("config", self.config.as_ref()),
        ]
    }
}

const STATES: usize = 5;

/// Paths in each state that there is.
struct Paths<'p>([(&'static str, Option<&'p [String]>); STATES]);

impl Serialize for Paths<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        for (name, paths) in self.0 {
            add(&mut members, name, paths)?;
        }
        members.end()
    }
}

/// A member, if there is one.
fn add<M: SerializeMap, T: Serialize>(members: &mut M, name: &str, value: Option<T>) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| members.serialize_entry(name, &value))
}
