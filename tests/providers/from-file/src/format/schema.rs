//! Schemas in the file.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value as Json;

use super::Rule;

/// Attributes and blocks.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockSpec {
    /// Attributes by name.
    #[serde(default)]
    pub attributes: BTreeMap<String, AttributeSpec>,
    /// Nested blocks by name.
    #[serde(default)]
    pub blocks: BTreeMap<String, NestedBlockSpec>,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// What to use instead, for what is deprecated.
    pub deprecated: Option<String>,
}

/// An attribute. Without any of `required`, `optional` and `computed` it is optional.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttributeSpec {
    /// Its type as Terraform writes types in JSON, such as `"string"` or `["list", ["object", {"a": "number"}]]`.
    #[serde(rename = "type")]
    pub ty: Option<Json>,
    /// Attributes of its own, in place of a type. Only protocol 6 has them.
    pub nested: Option<NestedAttributes>,
    /// The configuration must set it.
    #[serde(default)]
    pub required: bool,
    /// The configuration may set it.
    #[serde(default)]
    pub optional: bool,
    /// The provider may set it.
    #[serde(default)]
    pub computed: bool,
    /// Its value must not be shown.
    #[serde(default)]
    pub sensitive: bool,
    /// Its value is given to the provider and stored nowhere.
    #[serde(default)]
    pub write_only: bool,
    /// What is planned when the configuration says nothing.
    pub default: Option<Json>,
    /// A change replaces the object.
    #[serde(default)]
    pub replace: bool,
    /// Once known, it stays known in plans.
    #[serde(default)]
    pub keep: bool,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// What to use instead, if it is deprecated.
    pub deprecated: Option<String>,
    /// What it becomes when it is applied and the configuration leaves it out; by itself null.
    pub value: Option<Rule>,
    /// `value` is known when the change is planned already. Only attributes of the resource itself can be.
    #[serde(default)]
    pub planned: bool,
}

/// Attributes of an attribute.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NestedAttributes {
    /// How objects of them are held; never `group`.
    pub nesting: NestingSpec,
    /// The attributes by name.
    pub attributes: BTreeMap<String, AttributeSpec>,
}

/// A nested block.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NestedBlockSpec {
    /// How blocks of this name are held.
    pub nesting: NestingSpec,
    /// What is in each.
    #[serde(default)]
    pub schema: BlockSpec,
    /// Fewest blocks; 0: no bound.
    #[serde(default)]
    pub min_items: u64,
    /// Most blocks; 0: no bound.
    #[serde(default)]
    pub max_items: u64,
}

/// How several objects are held.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NestingSpec {
    /// One or none.
    Single,
    /// Always one.
    Group,
    /// In order.
    List,
    /// Without order.
    Set,
    /// By label.
    Map,
}
