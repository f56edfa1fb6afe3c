//! What a Pulumi package offers to programs, short enough to be kept in SDKs: so that when scripts have changed since an SDK
//! was made, it can be said what has.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;

/// The largest offer that is read, in bytes of JSON: thousands of components.
const LARGEST: u64 = 32 << 20;

/// Marks what must be given.
const REQUIRED: &str = "!";

/// What a package offers, by what people call it: `resource Bucket`, `function getZone`, `type BucketWebsite`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer(BTreeMap<String, Component>);

/// The properties of a component or a type, with their types as people say them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Component {
    /// What programs give; what they must give has a mark.
    #[serde(rename = "i", default, skip_serializing_if = "BTreeMap::is_empty")]
    inputs: BTreeMap<String, String>,
    /// What they get.
    #[serde(rename = "o", default, skip_serializing_if = "BTreeMap::is_empty")]
    outputs: BTreeMap<String, String>,
}

/// How a package differs from what an SDK was made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// What programs may use and cannot any more, a sentence each.
    pub breaking: Vec<String>,
    /// What they could use and the SDK does not know, a sentence each.
    pub new: Vec<String>,
}

impl Changes {
    /// Whether nothing has changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.breaking.is_empty() && self.new.is_empty()
    }
}

impl Offer {
    /// What the package schema offers.
    #[must_use]
    pub fn of(schema: &Json) -> Self {
        let mut offer = BTreeMap::new();
        let mut add = |kind: &str, token: &str, component| {
            offer.insert(format!("{kind} {}", last_part(token)), component);
        };
        for (token, resource) in members(&schema["resources"]) {
            add(
                "resource",
                token,
                Component {
                    inputs: properties(&resource["inputProperties"], &resource["requiredInputs"]),
                    outputs: properties(&resource["properties"], &Json::Null),
                },
            );
        }
        for (token, function) in members(&schema["functions"]) {
            let inputs = properties(&function["inputs"]["properties"], &function["inputs"]["required"]);
            add("function", token, Component { inputs, outputs: results(function) });
        }
        for (token, own) in members(&schema["types"]) {
            let values = own["enum"].as_array().into_iter().flatten();
            let mut inputs: BTreeMap<_, _> =
                values.map(|value| (value["value"].to_string(), "value".to_owned())).collect();
            inputs.extend(properties(&own["properties"], &own["required"]));
            add("type", token, Component { inputs, outputs: BTreeMap::new() });
        }
        let inputs = properties(&schema["config"]["variables"], &schema["config"]["required"]);
        if !inputs.is_empty() {
            offer.insert("the provider".to_owned(), Component { inputs, outputs: BTreeMap::new() });
        }
        Self(offer)
    }

    /// How `now` differs from this, which an SDK was made of.
    #[must_use]
    pub fn changes(&self, now: &Self) -> Changes {
        let mut changes = Changes::default();
        for (name, then) in &self.0 {
            match now.0.get(name) {
                Some(now) => then.compare(name, now, &mut changes),
                None => changes.breaking.push(format!("{name} is gone")),
            }
        }
        let new = now.0.keys().filter(|name| !self.0.contains_key(*name) && !name.starts_with("type "));
        changes.new.extend(new.map(|name| format!("{name} is new")));
        changes
    }
}

impl Component {
    fn compare(&self, name: &str, now: &Self, changes: &mut Changes) {
        let renamed = self.renamed(now);
        for (property, then) in &self.inputs {
            match now.inputs.get(property) {
                Some(now) if now == then => {}
                Some(now) => compare_input(name, property, then, now, changes),
                None => {
                    let hint = match renamed {
                        Some((from, to)) if from == property => format!("; is it `{to}` now?"),
                        _ => String::new(),
                    };
                    changes.breaking.push(format!("{name} takes no `{property}` any more{hint}"));
                }
            }
        }
        for (property, type_name) in now.inputs.iter().filter(|(property, _)| !self.inputs.contains_key(*property)) {
            match type_name.strip_suffix(REQUIRED) {
                Some(_) => changes.breaking.push(format!("{name} needs `{property}` now")),
                None => changes.new.push(format!("{name} takes `{property}` now")),
            }
        }
        self.compare_outputs(name, now, changes);
    }

    /// What programs get. What they give as well has been told.
    fn compare_outputs(&self, name: &str, now: &Self, changes: &mut Changes) {
        let is_told = |property: &&String| self.inputs.contains_key(*property) || now.inputs.contains_key(*property);
        let all: BTreeSet<&String> = self.outputs.keys().chain(now.outputs.keys()).collect();
        for property in all.into_iter().filter(|property| !is_told(property)) {
            match (self.outputs.get(property), now.outputs.get(property)) {
                (Some(then), Some(now)) if then != now => {
                    changes.breaking.push(format!("`{property}` of {name} is {now} instead of {then}"));
                }
                (Some(_), None) => changes.breaking.push(format!("{name} has no `{property}` any more")),
                (None, Some(_)) => changes.new.push(format!("{name} has `{property}` now")),
                _ => {}
            }
        }
    }

    /// The property that seems to be called otherwise now: the only one that is gone, when the only new one has its type.
    fn renamed<'a>(&'a self, now: &'a Self) -> Option<(&'a String, &'a String)> {
        let mut gone = self.inputs.iter().filter(|(property, _)| !now.inputs.contains_key(*property));
        let mut new = now.inputs.iter().filter(|(property, _)| !self.inputs.contains_key(*property));
        let pair = (gone.next()?, new.next()?);
        let ((from, then), (to, now)) = pair;
        (gone.next().is_none() && new.next().is_none() && then == now).then_some((from, to))
    }
}

fn compare_input(name: &str, property: &str, then: &str, now: &str, changes: &mut Changes) {
    let bare = |type_name: &str| type_name.trim_end_matches(REQUIRED).to_owned();
    if bare(then) != bare(now) {
        changes.breaking.push(format!("`{property}` of {name} is {} instead of {}", bare(now), bare(then)));
    } else if now.ends_with(REQUIRED) {
        changes.breaking.push(format!("{name} needs `{property}` now"));
    } else {
        changes.new.push(format!("{name} does not need `{property}` any more"));
    }
}

fn members(object: &Json) -> impl Iterator<Item = (&String, &Json)> {
    object.as_object().into_iter().flatten()
}

fn properties(all: &Json, required: &Json) -> BTreeMap<String, String> {
    let required: BTreeSet<&str> = required.as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let mark = |name: &str| if required.contains(name) { REQUIRED } else { "" };
    members(all).map(|(name, spec)| (name.clone(), type_name(spec) + &default(spec) + mark(name))).collect()
}

/// What SDKs send where a program gives nothing.
fn default(spec: &Json) -> String {
    spec.get("default").map(|default| format!(" = {default}")).unwrap_or_default()
}

/// What a function returns: by name where it is an object, as one otherwise.
fn results(function: &Json) -> BTreeMap<String, String> {
    let outputs = [&function["outputs"], &function["returnType"]].into_iter().find(|outputs| !outputs.is_null());
    let Some(outputs) = outputs else { return BTreeMap::new() };
    match properties(&outputs["properties"], &Json::Null) {
        none if none.is_empty() => [("result".to_owned(), type_name(outputs))].into_iter().collect(),
        by_name => by_name,
    }
}

/// A type as people say it.
fn type_name(spec: &Json) -> String {
    if let Some(either) = spec["oneOf"].as_array() {
        return either.iter().map(type_name).collect::<Vec<_>>().join(" or ");
    }
    if let Some(reference) = spec["$ref"].as_str() {
        return match reference.strip_prefix("pulumi.json#/") {
            Some(own) => own.to_lowercase(),
            None => last_part(reference).to_owned(),
        };
    }
    match spec["type"].as_str().unwrap_or("any") {
        "array" => format!("array of {}", type_name(&spec["items"])),
        "object" if spec["additionalProperties"].is_object() => {
            format!("map of {}", type_name(&spec["additionalProperties"]))
        }
        primitive => primitive.to_owned(),
    }
}

fn last_part(token: &str) -> &str {
    token.rsplit([':', '/']).next().unwrap_or(token)
}

// Compressed, since it is in every program's dependencies, and in every provider's state.
impl Serialize for Offer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = serde_json::to_vec(&self.0).map_err(serde::ser::Error::custom)?;
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        let compressed = encoder.write_all(&json).and_then(|()| encoder.finish());
        STANDARD.encode(compressed.map_err(serde::ser::Error::custom)?).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Offer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let compressed = STANDARD.decode(text).map_err(serde::de::Error::custom)?;
        let reader = ZlibDecoder::new(compressed.as_slice()).take(LARGEST);
        serde_json::from_reader(reader).map(Self).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema() -> Json {
        json!({
            "resources": {"infra:index:Bucket": {
                "inputProperties": {
                    "name": {"type": "string"},
                    "size": {"type": "integer"},
                    "website": {"$ref": "#/types/infra:index:BucketWebsite"},
                },
                "requiredInputs": ["name"],
                "properties": {"name": {"type": "string"}, "arn": {"type": "string"}},
            }},
            "functions": {"infra:index:getZone": {
                "inputs": {"properties": {"name": {"type": "string"}}, "required": ["name"]},
                "outputs": {"properties": {"records": {"type": "array", "items": {"$ref": "pulumi.json#/Any"}}}},
            }},
            "types": {"infra:index:BucketWebsite": {
                "properties": {"index": {"oneOf": [{"type": "string"}, {"type": "integer"}]}},
            }},
        })
    }

    fn told(change: impl FnOnce(&mut Json)) -> String {
        let mut now = schema();
        change(&mut now);
        let Changes { breaking, new } = Offer::of(&schema()).changes(&Offer::of(&now));
        let breaking = breaking.into_iter().map(|line| format!("- {line}"));
        breaking.chain(new.into_iter().map(|line| format!("+ {line}"))).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_has_changed_is_said() {
        let bucket = |now: &mut Json| now["resources"]["infra:index:Bucket"].take();
        let all = [
            told(|_| {}),
            told(|now| {
                now["resources"]["infra:index:Bucket"]["inputProperties"]["tags"] =
                    json!({"type": "object", "additionalProperties": {"type": "string"}})
            }),
            told(|now| now["resources"]["infra:index:Bucket"]["requiredInputs"] = json!(["name", "size"])),
            told(|now| now["resources"]["infra:index:Bucket"]["requiredInputs"] = json!([])),
            told(|now| now["resources"]["infra:index:Bucket"]["inputProperties"]["size"] = json!({"type": "string"})),
            told(|now| {
                let mut changed = bucket(now);
                changed["inputProperties"] = json!({
                    "title": {"type": "string"}, "size": {"type": "integer"},
                    "website": {"$ref": "#/types/infra:index:BucketWebsite"},
                });
                changed["requiredInputs"] = json!(["title"]);
                now["resources"]["infra:index:Bucket"] = changed;
            }),
            told(|now| now["resources"]["infra:index:Bucket"]["properties"] = json!({"name": {"type": "string"}})),
            told(|now| now["functions"] = json!({})),
            told(|now| now["functions"]["infra:index:getHost"] = json!({})),
            told(|now| now["types"]["infra:index:BucketWebsite"]["properties"]["index"] = json!({"type": "string"})),
        ];
        insta::assert_snapshot!(all.join("\n--\n"));
    }

    #[test]
    fn is_kept_in_short() {
        let offer = Offer::of(&schema());
        let kept = serde_json::to_string(&offer).unwrap();
        assert_eq!(serde_json::from_str::<Offer>(&kept).unwrap(), offer);
        assert!(serde_json::from_str::<Offer>("\"eA==\"").is_err());
    }
}
