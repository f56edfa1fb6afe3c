//! What in a message of the engine is a secret: what it has wrapped as one, and what the package's schema calls one, which
//! the engine may have in clear.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use denobridge_core::recording::Placeholders;
use serde_json::Value as Json;

use super::messages::About;
use super::records::Records;
use crate::package::LoadedPackage;
use crate::property_value::wire::{SIGNATURE_KEY, is_secret_signature, is_unknown};

/// What a diff says of each property, by their names.
const DETAILED_DIFF: &str = "detailedDiff";

/// Replaces the secrets of one call.
pub(super) struct Concealing<'a> {
    placeholders: &'a Placeholders,
    /// Properties that are secret wherever they are.
    names: BTreeSet<String>,
    /// Whether this is an answer of ours, in which whole properties are secret that have only some secret in them.
    is_answer: bool,
}

impl<'a> Concealing<'a> {
    pub(super) fn new(
        placeholders: &'a Placeholders,
        packages: &[Arc<LoadedPackage>],
        about: &About,
        procedure: &str,
    ) -> Self {
        let mut names = BTreeSet::new();
        for package in packages {
            let known = package.secret_names();
            if matches!(procedure, "CheckConfig" | "DiffConfig" | "Configure") {
                names.extend(known.configuration.iter().cloned());
            }
            let token = about.token.as_deref().unwrap_or_default();
            names.extend(known.by_token.get(token).into_iter().flatten().cloned());
            names.extend(known.of_types.iter().cloned());
        }
        Self { placeholders, names, is_answer: false }
    }

    /// The same for the answer, once the request is recorded.
    pub(super) fn of_answer(self) -> Self {
        Self { is_answer: true, ..self }
    }

    /// Replaces the secrets in a request, a response or an error. Its own fields are no properties, whatever they are called,
    /// and what a diff says of a property is no value of it.
    pub(super) fn message(&self, json: &mut Json) {
        match json {
            Json::Object(fields) => {
                let fields = fields.iter_mut().filter(|(name, _)| *name != DETAILED_DIFF);
                fields.for_each(|(_, field)| self.part(field));
            }
            other => self.part(other),
        }
    }

    fn part(&self, json: &mut Json) {
        match json {
            Json::Array(items) => items.iter_mut().for_each(|item| self.part(item)),
            Json::Object(members) if is_secret_signature(members) => {
                if let Some(secret) = members.get_mut("value") {
                    self.secret(secret);
                }
            }
            Json::Object(members) => {
                let records = self.records();
                members.retain(|name, member| {
                    // Settings also come by names with the package before them.
                    match name.rsplit(':').next() {
                        Some(name) if self.names.contains(name) => self.secret(member),
                        _ if name.starts_with("__") => return records.conceal(member),
                        _ => self.part(member),
                    }
                    true
                });
            }
            _ => {}
        }
    }

    fn records(&self) -> Records<'_> {
        Records { placeholders: self.placeholders, is_answer: self.is_answer }
    }

    fn secret(&self, json: &mut Json) {
        match json {
            Json::String(text) if is_unknown(text) => {}
            Json::Array(items) => items.iter_mut().for_each(|item| self.secret(item)),
            Json::Object(members) if members.contains_key(SIGNATURE_KEY) => {
                // Of an asset, its text; its hash would tell which text it was.
                for name in ["value", "text", "hash", "assets"] {
                    if let Some(member) = members.get_mut(name) {
                        self.secret(member);
                    }
                }
            }
            Json::Object(members) => members.values_mut().for_each(|member| self.secret(member)),
            other => self.records().replace(other),
        }
    }
}

/// The names of a package's properties that its schema says are secret.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct SecretNames {
    configuration: BTreeSet<String>,
    /// Of resources and functions that have any.
    by_token: BTreeMap<String, BTreeSet<String>>,
    /// Of the types that properties have, whoever uses them.
    of_types: BTreeSet<String>,
}

impl SecretNames {
    pub(crate) fn of(schema: &Json) -> Self {
        let mut found = Self::default();
        collect(&schema["provider"], &mut found.configuration);
        collect(&schema["config"], &mut found.configuration);
        for (token, described) in ["resources", "functions"].into_iter().flat_map(|kind| members(&schema[kind])) {
            let mut names = BTreeSet::new();
            collect(described, &mut names);
            if !names.is_empty() {
                found.by_token.entry(token.clone()).or_default().append(&mut names);
            }
        }
        members(&schema["types"]).for_each(|(_, described)| collect(described, &mut found.of_types));
        found
    }
}

/// Adds the names of properties that are secret in what is described here.
fn collect(described: &Json, names: &mut BTreeSet<String>) {
    let lists = [
        &described["properties"],
        &described["inputProperties"],
        &described["variables"],
        &described["inputs"]["properties"],
        &described["outputs"]["properties"],
    ];
    for (name, property) in lists.into_iter().flat_map(members) {
        if property["secret"] == true {
            names.insert(name.clone());
        }
    }
}

fn members(object: &Json) -> impl Iterator<Item = (&String, &Json)> {
    object.as_object().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";

    #[test]
    fn secrets_are_found_by_their_wrappers_and_by_their_names() {
        let placeholders = Placeholders::default();
        let names = ["token".to_owned()].into_iter().collect();
        let concealing = Concealing { placeholders: &placeholders, names, is_answer: false };
        let unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
        let mut message = json!({
            "news": {
                "a": {SIGNATURE_KEY: SECRET, "value": ["hunter2", 12.0, {"b": unknown, "c": true}]},
                "token": "canary",
                "name": "visible",
                "__sensitive_meta": {SIGNATURE_KEY: SECRET, "value": "{\"private\":\"hidden\",\"version\":1}"},
            },
            "variables": {"p:config:token": "canary"},
        });
        concealing.message(&mut message);
        let expected = json!({
            "news": {
                "a": {
                    SIGNATURE_KEY: SECRET,
                    "value": ["denobridge-secret-1", 900_000_001, {"b": unknown, "c": false}],
                },
                "token": "denobridge-secret-2",
                "name": "visible",
                "__sensitive_meta": {SIGNATURE_KEY: SECRET, "value": "{\"private\":\"denobridge-secret-3\",\"version\":1}"},
            },
            "variables": {"p:config:token": "denobridge-secret-2"},
        });
        assert_eq!(message, expected);
    }

    #[test]
    fn the_schema_says_what_is_secret() {
        let secret = |name: &str| json!({"properties": {name: {"secret": true}, "visible": {"secret": false}}});
        let schema = json!({
            "provider": {"inputProperties": {"token": {"secret": true}}},
            "config": {"variables": {"key": {"secret": true}}},
            "resources": {"p:index:A": secret("password"), "p:index:B": {"properties": {"visible": {}}}},
            "functions": {"p:index:f": {"inputs": secret("pin"), "outputs": secret("answer")}},
            "types": {"p:index:T": secret("inner")},
        });
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        let expected = SecretNames {
            configuration: names(&["token", "key"]),
            by_token: [
                ("p:index:A".to_owned(), names(&["password"])),
                ("p:index:f".to_owned(), names(&["pin", "answer"])),
            ]
            .into(),
            of_types: names(&["inner"]),
        };
        assert_eq!(SecretNames::of(&schema), expected);
    }

    /// A diff of a secret is none, and a message is about a resource, whatever the resource's properties are called.
    #[test]
    fn fields_of_a_message_are_no_properties() {
        let placeholders = Placeholders::default();
        let names = ["password".to_owned(), "name".to_owned()].into_iter().collect();
        let concealing = Concealing { placeholders: &placeholders, names, is_answer: true };
        let diff = json!({"password": {"kind": "UPDATE", "inputDiff": true}});
        let mut answer = json!({"name": "visible", "detailedDiff": diff, "properties": {"name": "canary"}});
        concealing.message(&mut answer);
        let properties = json!({"name": "denobridge-secret-1"});
        assert_eq!(answer, json!({"name": "visible", "detailedDiff": diff, "properties": properties}));
    }

    /// An answer has whole properties that are secret because something in them is.
    #[test]
    fn what_was_recorded_in_clear_does_not_tell_the_secret_beside_it() {
        let placeholders = Placeholders::default();
        placeholders.text("hunter2");
        placeholders.replace(&mut json!(12));
        placeholders.mask(&mut json!({"mode": "visible", "note": "for hunter2"}), &[]);
        let concealing = Concealing { placeholders: &placeholders, names: BTreeSet::new(), is_answer: true };
        let record = "{\"hidden\":\"hunter2\",\"mode\":\"visible\",\"version\":1}";
        let mut answer = json!({"properties": {
            "props": {SIGNATURE_KEY: SECRET, "value": {
                "new": "never seen", "mode": "visible", "note": "for hunter2", "on": true, "none": null, "empty": "",
                "password": "hunter2", "pin": 12.0, "size": 1.5,
            }},
            "__meta": {SIGNATURE_KEY: SECRET, "value": record},
        }});
        concealing.message(&mut answer);
        let hidden = json!({"$hidden": true});
        let expected = json!({"properties": {
            "props": {SIGNATURE_KEY: SECRET, "value": {
                "new": "denobridge-secret-2", "mode": hidden, "note": hidden, "on": hidden, "none": null, "empty": "",
                "password": "denobridge-secret-1", "pin": 900_000_001, "size": hidden,
            }},
            "__meta": {
                SIGNATURE_KEY: SECRET,
                "value": "{\"hidden\":\"denobridge-secret-1\",\"mode\":{\"$hidden\":true},\"version\":1}",
            },
        }});
        assert_eq!(answer, expected);
        assert_eq!(placeholders.masked("it was never seen, but visible"), "it was denobridge-secret-2, but visible");
    }
}
