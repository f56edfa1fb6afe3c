//! What a package of scripts comes to once it has been read: everything that a provider can be made of.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::Description;

/// A package of scripts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScriptPackage {
    /// What its provider and its Pulumi package are called: letters of a to z, digits and single dashes.
    pub name: String,
    /// Three numbers, no `v`.
    pub version: String,
    /// What it is for, in Markdown.
    pub description: Option<String>,
    /// JSON Schema of what the provider takes as its scripts' `config`.
    pub config: Option<Json>,
    /// The Deno configuration of all scripts, as the attribute `config_file` of the generic resource takes it.
    pub config_file: Option<String>,
    /// Its scripts, in the order of their files.
    pub scripts: Vec<PackageScript>,
}

/// A script that says what it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PackageScript {
    /// Its path in the package, with `/`.
    pub file: String,
    /// Where Deno finds it, as the attribute `path` of the generic resource takes it: an absolute path or a URL.
    pub location: String,
    /// What it says of itself.
    pub description: Description,
    /// The permissions that the package asks for it: flags of Deno without their `--allow-`.
    pub asks: Vec<String>,
}
