//! What the provider says and does, in the file.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value as Json;

/// Where a value comes from.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// It is always this.
    Constant(Json),
    /// It is the value of another attribute of the same object, or else of the resource.
    Copy(String),
    /// It is text with the values of other attributes in it: `thing-{name}`.
    Text(String),
    /// It is how often the counter of that name has been asked, from 1. Counters live in the cloud; the name may have
    /// values of other attributes in it.
    Counter(String),
    /// It is what the object's private data have under that key.
    Private(String),
    /// It is a text of that many bytes.
    Bytes(usize),
    /// It is null.
    Null,
}

/// When a reply or a fault counts. All that is given must be true.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// There is a file of that name in the cloud's folder.
    pub file: Option<String>,
    /// There is no file of that name in the cloud's folder.
    pub no_file: Option<String>,
    /// It is this call of the operation in the process, counted from 1.
    pub call: Option<usize>,
    /// Attributes (of the configuration; where there is none, of the state) that have these values.
    #[serde(default)]
    pub attributes: BTreeMap<String, Json>,
}

/// A reply of an operation. The first one whose condition is met is given; if there is none, the operation does its work.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// When it is given; by itself always.
    #[serde(default)]
    pub when: Condition,
    /// Attributes of the resulting state that differ from what they would be.
    #[serde(default)]
    pub set: BTreeMap<String, Rule>,
    /// What is said. Errors leave what `state` and `set` say in place: both are answered.
    #[serde(default)]
    pub diagnostics: Vec<DiagnosticSpec>,
    /// There is no object: it is gone, was not made, or cannot be found.
    #[serde(default)]
    pub gone: bool,
    /// Of an update: the object is as before.
    #[serde(default)]
    pub unchanged: bool,
    /// Private data that are set.
    #[serde(default)]
    pub private: BTreeMap<String, Json>,
    /// Of a plan: what forces a replacement.
    #[serde(default)]
    pub replace: Vec<Vec<Step>>,
    /// Milliseconds that pass before.
    #[serde(default)]
    pub delay_ms: u64,
}

/// A diagnostic.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiagnosticSpec {
    /// How bad it is.
    pub severity: SeveritySpec,
    /// One line.
    pub summary: String,
    /// What happened.
    #[serde(default)]
    pub detail: String,
    /// What it is about.
    #[serde(default)]
    pub path: Vec<Step>,
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeveritySpec {
    /// It did not work.
    Error,
    /// It may be wrong.
    Warning,
}

/// A step of a path: `{"attribute": "disk"}`, `{"index": 0}` or `{"key": "a"}`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// An attribute or block.
    Attribute(String),
    /// An element of a list.
    Index(i64),
    /// An element of a map.
    Key(String),
}

/// When a function fails, and how.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunctionReply {
    /// When; `attributes` are parameters.
    #[serde(default)]
    pub when: Condition,
    /// What it says.
    pub text: String,
    /// The argument that it is about, counted from 0.
    pub argument: Option<i64>,
}

/// What goes wrong outside of any answer, and when.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultSpec {
    /// The procedure as protocol 6 spells it, such as `ReadResource`.
    pub procedure: String,
    /// When. Attributes cannot be told here.
    #[serde(default)]
    pub when: Condition,
    /// What.
    pub then: Fault,
}

/// What goes wrong.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The process ends as a Go program does that panics with this text.
    Panic(String),
    /// The process ends with this code.
    Exit(i32),
    /// There never is an answer.
    Hang,
    /// A status of gRPC in place of an answer.
    Status {
        /// The status, such as 13 for Internal.
        code: i32,
        /// Its text.
        message: String,
    },
    /// An answer with nothing in it.
    Empty,
    /// Lines on standard error, and then the ordinary answer.
    Stderr(String),
    /// The ordinary answer after that many milliseconds.
    DelayMs(u64),
}
