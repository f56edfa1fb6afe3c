//! The format of the file: what the provider consists of. `tests/providers/README.md` shows it by example.
//!
//! What does not belong into the file is an error that names its line.

mod replies;
mod schema;

use std::collections::BTreeMap;

use serde::Deserialize;

pub use replies::{Condition, DiagnosticSpec, Fault, FaultSpec, FunctionReply, Reply, Rule, SeveritySpec, Step};
pub use schema::{AttributeSpec, BlockSpec, NestedBlockSpec, NestingSpec};

/// A provider.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderFile {
    /// The version of the plugin protocol that it speaks: 5 or 6.
    #[serde(default = "six")]
    pub protocol: u8,
    /// What its configuration looks like.
    #[serde(default)]
    pub config: BlockSpec,
    /// What it says to its configuration when it is checked. Only `when` and `diagnostics` mean something.
    #[serde(default)]
    pub validate: Vec<Reply>,
    /// What it says to its configuration when it is configured. Only `when` and `diagnostics` mean something.
    #[serde(default)]
    pub configure: Vec<Reply>,
    /// Managed resources by type name.
    #[serde(default)]
    pub resources: BTreeMap<String, ResourceSpec>,
    /// Data sources by type name.
    #[serde(default)]
    pub data_sources: BTreeMap<String, DataSourceSpec>,
    /// Functions by name.
    #[serde(default)]
    pub functions: BTreeMap<String, FunctionSpec>,
    /// Ephemeral resources by type name.
    #[serde(default)]
    pub ephemeral_resources: BTreeMap<String, EphemeralResourceSpec>,
    /// What goes wrong outside of any answer.
    #[serde(default)]
    pub faults: Vec<FaultSpec>,
    /// End the process when a value that the protocol always has was not sent at all, as providers do that decode without
    /// looking.
    #[serde(default)]
    pub crash_on_absent_values: bool,
}

fn six() -> u8 {
    6
}

/// A managed resource.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResourceSpec {
    /// Version of the stored form.
    #[serde(default)]
    pub version: i64,
    /// Serve it that many times more, as `NAME_2` and so on: schemas can be made as large as needed.
    #[serde(default)]
    pub copies: usize,
    /// Attributes and blocks.
    #[serde(default)]
    pub schema: BlockSpec,
    /// What an object is called in the cloud and when it is imported, such as `{region}/{name}`; by itself `{id}`, if it has
    /// such an attribute. Two objects of one key cannot exist.
    pub key: Option<String>,
    /// Objects are not kept in the cloud: they are what their states say.
    #[serde(default)]
    pub stateless: bool,
    /// The object's identity, by attribute.
    #[serde(default)]
    pub identity: BTreeMap<String, IdentityPart>,
    /// What is said to a configuration.
    #[serde(default)]
    pub validate: Vec<Reply>,
    /// What is planned beyond what the schema says.
    #[serde(default)]
    pub plan: Vec<Reply>,
    /// What becomes of a creation.
    #[serde(default)]
    pub create: Vec<Reply>,
    /// What is found when the object is looked at.
    #[serde(default)]
    pub read: Vec<Reply>,
    /// What becomes of an update.
    #[serde(default)]
    pub update: Vec<Reply>,
    /// What becomes of a deletion.
    #[serde(default)]
    pub delete: Vec<Reply>,
    /// What becomes of an import.
    #[serde(default)]
    pub import: Vec<Reply>,
    /// Steps from older versions of the stored form, by the version that they start from.
    #[serde(default)]
    pub upgrades: BTreeMap<i64, UpgradeSpec>,
}

/// A part of an identity.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdentityPart {
    /// Its type, as Terraform writes types in JSON.
    #[serde(rename = "type")]
    pub ty: serde_json::Value,
    /// An import can do without it.
    #[serde(default)]
    pub optional: bool,
}

/// A step from one version of the stored form to the next.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UpgradeSpec {
    /// What must be stored: anything else is an error that shows both, so that a state which was made up again from other
    /// sources is noticed.
    pub expect: Option<serde_json::Value>,
    /// New names, by the old ones.
    #[serde(default)]
    pub rename: BTreeMap<String, String>,
    /// Attributes that there are no longer.
    #[serde(default)]
    pub remove: Vec<String>,
    /// Attributes that are set.
    #[serde(default)]
    pub set: BTreeMap<String, serde_json::Value>,
}

/// A data source.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSourceSpec {
    /// Attributes and blocks.
    #[serde(default)]
    pub schema: BlockSpec,
    /// What is said to a configuration.
    #[serde(default)]
    pub validate: Vec<Reply>,
    /// What is found.
    #[serde(default)]
    pub read: Vec<Reply>,
}

/// An ephemeral resource.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EphemeralResourceSpec {
    /// Attributes and blocks.
    #[serde(default)]
    pub schema: BlockSpec,
    /// Milliseconds until it wants to be renewed; by itself never.
    pub renew_after_ms: Option<u64>,
    /// What becomes of opening it.
    #[serde(default)]
    pub open: Vec<Reply>,
    /// What becomes of renewing it.
    #[serde(default)]
    pub renew: Vec<Reply>,
    /// What becomes of closing it.
    #[serde(default)]
    pub close: Vec<Reply>,
}

/// A function.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunctionSpec {
    /// Its parameters in order.
    #[serde(default)]
    pub parameters: Vec<ParameterSpec>,
    /// What takes all further arguments.
    pub variadic: Option<ParameterSpec>,
    /// The type of its result, as Terraform writes types in JSON.
    pub returns: serde_json::Value,
    /// What it does.
    #[serde(default)]
    pub description: String,
    /// The result; parameters can be referred to by name, and all of them are the list `arguments`.
    pub result: Rule,
    /// When it fails instead.
    #[serde(default)]
    pub errors: Vec<FunctionReply>,
}

/// A parameter of a function.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterSpec {
    /// Its name.
    pub name: String,
    /// Its type, as Terraform writes types in JSON.
    #[serde(rename = "type")]
    pub ty: serde_json::Value,
    /// Whether null may be passed.
    #[serde(default)]
    pub allow_null: bool,
    /// Whether unknown values may be passed.
    #[serde(default)]
    pub allow_unknown: bool,
    /// What it is.
    #[serde(default)]
    pub description: String,
}
