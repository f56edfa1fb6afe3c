//! What integrations answer and tell.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::Action;

/// Result of `initialize`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object with `name`, `version` and `subscribed_hooks`")]
pub struct Initialized {
    /// What the integration calls itself.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The hooks that it wants to be asked at, in either spelling. Names that we do not know are warned about once.
    pub subscribed_hooks: Vec<String>,
    /// What it does not want to be asked about.
    #[serde(default)]
    pub filter: Option<Filter>,
}

/// What an integration wants to be asked about. What it leaves open is not restricted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Filter {
    /// Types of components.
    #[serde(default)]
    pub types: Option<Vec<String>>,
    /// Actions, at the hooks that have one.
    #[serde(default)]
    pub actions: Option<Vec<Action>>,
}

/// Result of every hook.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object with `status`")]
pub struct HookResult {
    /// What the integration makes of it.
    pub status: Status,
    /// One line for the user.
    #[serde(default)]
    pub message: Option<String>,
    /// Further lines.
    #[serde(default)]
    pub messages: Option<Vec<String>>,
    /// Facts for the report, under names of the integration's own.
    #[serde(default)]
    pub metadata: Option<Map<String, Json>>,
    /// What is to become of the operation.
    #[serde(default)]
    pub action: Option<RequestedAction>,
}

/// What an integration makes of what it is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nothing to say against it.
    Pass,
    /// Worth a warning.
    Warn,
    /// It must not be.
    Fail,
}

/// What is to become of the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RequestedAction {
    /// It must end; counts only for integrations that are `hard`.
    Halt,
}

/// Params of the notification `log` from the child.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LogMessage {
    /// `trace`, `debug`, `info`, `warn` or `error`.
    pub level: String,
    /// The text.
    pub message: String,
}
