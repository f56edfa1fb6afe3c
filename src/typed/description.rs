//! What a script answers to `schema`: `docs/reference/script-schema.md`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;

/// What a script says of itself. Schemas are JSON Schema, draft 2020-12, as the script wrote them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Description {
    /// What the script is.
    pub kind: Kind,
    /// What the component is called, in PascalCase; without it the name of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it should no longer be used, and what instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Deprecation>,
    /// What a program gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub props: Option<Json>,
    /// What a program gives and no state keeps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_only_props: Option<Json>,
    /// What comes back: a state or a result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Json>,
    /// The secret part of what comes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitive_state: Option<Json>,
    /// The functions of a script of functions, by name.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "BTreeMap::is_empty")]
    pub functions: BTreeMap<String, FunctionDescription>,
    /// What the script's `list` takes, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<Json>,
    /// The version of what is stored.
    #[serde(default, deserialize_with = "or_default")]
    pub state_version: u32,
}

/// What a script is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Objects whose life it manages.
    Resource,
    /// Something to be read.
    Datasource,
    /// Something that is there while it is needed.
    Ephemeral,
    /// Something to be done.
    Action,
    /// Results that follow from arguments alone.
    Function,
}

/// `true`, or a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Deprecation {
    /// Whether it is.
    Flag(bool),
    /// It is, and this is what to do.
    Sentence(String),
}

/// A function of a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionDescription {
    /// Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it should no longer be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Deprecation>,
    /// What it takes, in order.
    #[serde(default, deserialize_with = "or_default")]
    pub parameters: Vec<ParameterDescription>,
    /// What takes all further arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variadic: Option<ParameterDescription>,
    /// JSON Schema of the result.
    #[serde(default)]
    pub returns: Json,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ParameterDescription {
    /// Its name.
    pub name: String,
    /// Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// JSON Schema of its values.
    #[serde(default)]
    pub schema: Json,
}

/// A member of an answer that is `null` counts as left out.
fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_null_or_unknown_counts_as_left_out() {
        let read = |answer| serde_json::from_value::<Description>(answer).unwrap();
        let bare = read(json!({ "kind": "function" }));
        let members = [
            "name",
            "description",
            "deprecated",
            "props",
            "state",
            "functions",
            "list",
            "stateVersion",
            "sensitiveState",
        ];
        let mut nulls = json!({ "kind": "function", "icon": "a.png" });
        members.into_iter().for_each(|name| nulls[name] = Json::Null);
        assert_eq!(read(nulls), bare);
        let function = json!({ "parameters": null, "variadic": null, "deprecated": "Use another." });
        let described = read(json!({ "kind": "function", "functions": { "f": function } }));
        assert_eq!(described.functions["f"].deprecated, Some(Deprecation::Sentence("Use another.".to_owned())));
    }
}
