//! The recipe that makes raw state of properties: a tree that goes along with the properties, as JSON has it in the
//! outputs.
//!
//! | JSON | the raw state of the property is |
//! |---|---|
//! | absent | what it looks like; not possible for an object, which may be a map or an object in Terraform |
//! | `{"obj": {"ps": {PROPERTY: DELTA}, "renamed": {PROPERTY: NAME}, "ignored": [PROPERTY]}}` | an object: each property by its nearest Terraform name, unless renamed or ignored. A delta for a property that is not there adds it |
//! | `{"map": {"el": {KEY: DELTA}}}` | a map: an object whose keys stay as they are |
//! | `{"arr": {"el": {"INDEX": DELTA}}}` | an array |
//! | `{"plu": {"i": DELTA}}` | an array of this one value; empty, if the property is null |
//! | `{"num": {}}` | the number that the text says |
//! | `{"replace": {"raw": JSON}}` | this, whatever the property is |
//!
//! Whatever holds the key `replace` is a secret as a whole: it may repeat a secret of the outputs.

use std::collections::BTreeMap;

use denobridge_sdk_gen::PropertyPath;
use serde_json::Value as Json;
use thiserror::Error;

use crate::property_value::{PropertyMap, PropertyValue, Trail};
use crate::state::raw;
use crate::translate::inputs;

/// Beside `raw`: the same JSON as text, where it has numbers that no double holds and `raw` therefore rounds. It is ours;
/// the Go bridge does not look at it.
pub(super) const TEXT: &str = "text";

/// How to make raw state of one property.
pub(super) enum Delta {
    /// It is what the property looks like.
    Natural,
    Object(ObjectDelta),
    Map(BTreeMap<String, Delta>),
    Array(BTreeMap<usize, Delta>),
    Plural(Box<Delta>),
    Number,
    Asset,
    Replace(Json),
}

/// How to make an object of properties.
#[derive(Default)]
pub(super) struct ObjectDelta {
    /// Properties that are no attributes.
    pub(super) ignored: Vec<String>,
    /// Terraform's name by property, where it is not the nearest one.
    pub(super) renamed: BTreeMap<String, String>,
    pub(super) parts: BTreeMap<String, Delta>,
}

/// Why a delta makes no raw state.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "the output `{key}` in the stored state does not fit the other outputs{}: {problem}. If the state was edited by hand, \
     take `{key}` out of the outputs of this resource too (`pulumi stack export`, edit, `pulumi stack import`): then \
     the other outputs alone say what the state is",
    at(&.trail.path()),
    key = super::DELTA
)]
pub struct DeltaError {
    trail: Trail,
    /// What is wrong; never quotes a value.
    pub problem: DeltaProblem,
}

/// What is wrong with a delta.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DeltaProblem {
    /// It is not of the form that the Go bridge and we write.
    #[error("its {0} cannot be read")]
    Form(&'static str),
    /// The property is of another kind than the delta is for.
    #[error("{expected} is required, but this is {found}")]
    Kind {
        /// What the delta is for.
        expected: &'static str,
        /// What there is.
        found: &'static str,
    },
    /// A delta for an element that there is not.
    #[error("there is no element {0}")]
    Index(usize),
    /// A property that the delta does not say enough about.
    #[error("it does not say what this is: an object may be a map or an object in Terraform")]
    Object,
    /// A property that cannot be in raw state.
    #[error("{0} cannot be a part of Terraform's state")]
    Unsupported(&'static str),
    /// A text that should be a number.
    #[error("a number is required, but the text is not one")]
    NotANumber,
}

fn at(path: &PropertyPath) -> String {
    if path.is_root() { String::new() } else { format!(" at `{path}`") }
}

impl DeltaError {
    pub(super) fn new(problem: DeltaProblem) -> Self {
        Self { trail: Trail::default(), problem }
    }

    pub(super) fn inside_key(self, key: &str) -> Self {
        Self { trail: self.trail.inside_key(key), ..self }
    }

    pub(super) fn inside_index(self, index: usize) -> Self {
        Self { trail: self.trail.inside_index(index), ..self }
    }
}

impl Delta {
    /// The delta as an output.
    pub(super) fn write(&self) -> PropertyValue {
        secreted(self.bare())
    }

    fn is_natural(&self) -> bool {
        matches!(self, Self::Natural)
    }

    fn bare(&self) -> PropertyValue {
        let (kind, content) = match self {
            Self::Natural => return PropertyValue::Object(PropertyMap::new()),
            Self::Object(object) => ("obj", object.bare()),
            Self::Map(parts) => ("map", members("el", parts.iter().map(|(key, part)| (key.clone(), part)))),
            Self::Array(parts) => ("arr", members("el", parts.iter().map(|(index, part)| (index.to_string(), part)))),
            Self::Plural(inner) => ("plu", PropertyMap::from([("i".to_owned(), inner.bare())])),
            Self::Number => ("num", PropertyMap::new()),
            Self::Asset => ("asset", PropertyMap::new()),
            Self::Replace(raw) => ("replace", replacement(raw)),
        };
        PropertyValue::Object(PropertyMap::from([(kind.to_owned(), PropertyValue::Object(content))]))
    }

    /// Reads a delta from an output.
    pub(super) fn read(property: &PropertyValue) -> Result<Self, DeltaError> {
        let PropertyValue::Object(entries) = property.plain() else { return form("content") };
        // At most one of them is there.
        for (kind, content) in entries {
            let parts = |name| parts(content, name, |key, part| Ok((key.to_owned(), Self::read(part)?)));
            return Ok(match kind.as_str() {
                "obj" => Self::Object(ObjectDelta {
                    ignored: texts(content, "ignored")?,
                    renamed: renamed(content)?,
                    parts: parts("ps")?,
                }),
                "map" => Self::Map(parts("el")?),
                "arr" => Self::Array(self::parts(content, "el", |key, part| {
                    let index = key.parse().map_err(|_| DeltaError::new(DeltaProblem::Form("index of an element")))?;
                    Ok((index, Self::read(part)?))
                })?),
                "plu" => Self::Plural(Box::new(match member(content, "i")? {
                    Some(inner) => Self::read(inner)?,
                    None => Self::Natural,
                })),
                "num" => Self::Number,
                "asset" => Self::Asset,
                "replace" => Self::Replace(replaced(content)?),
                _ => continue,
            });
        }
        Ok(Self::Natural)
    }
}

impl ObjectDelta {
    fn bare(&self) -> PropertyMap {
        let text = |text: &String| PropertyValue::String(text.clone());
        let mut content = members("ps", self.parts.iter().map(|(key, part)| (key.clone(), part)));
        if !self.renamed.is_empty() {
            let renamed = self.renamed.iter().map(|(key, name)| (key.clone(), text(name)));
            content.insert("renamed".to_owned(), PropertyValue::Object(renamed.collect()));
        }
        if !self.ignored.is_empty() {
            let ignored = self.ignored.iter().map(text);
            content.insert("ignored".to_owned(), PropertyValue::Array(ignored.collect()));
        }
        content
    }
}

/// What there is to say about parts, if there is anything.
fn members<'d>(name: &str, parts: impl Iterator<Item = (String, &'d Delta)>) -> PropertyMap {
    let parts: PropertyMap =
        parts.filter(|(_, part)| !part.is_natural()).map(|(key, part)| (key, part.bare())).collect();
    if parts.is_empty() {
        PropertyMap::new()
    } else {
        PropertyMap::from([(name.to_owned(), PropertyValue::Object(parts))])
    }
}

fn replacement(raw: &Json) -> PropertyMap {
    let mut exact = true;
    let property = rounded(raw, &mut exact);
    let mut content = PropertyMap::from([("raw".to_owned(), property)]);
    if !exact {
        content.insert(TEXT.to_owned(), PropertyValue::String(raw.to_string()));
    }
    content
}

/// JSON as a property; `exact` becomes false where that loses digits.
fn rounded(raw: &Json, exact: &mut bool) -> PropertyValue {
    match raw {
        Json::Null => PropertyValue::Null,
        Json::Bool(value) => PropertyValue::Bool(*value),
        Json::String(text) => PropertyValue::String(text.clone()),
        Json::Number(number) => {
            let double = number.as_str().parse::<f64>().ok().filter(|double| double.is_finite());
            *exact &= double.is_some_and(|double| raw::number(double) == *raw);
            // A number beyond the doubles is a text: providers take that for a number.
            double.map_or_else(|| PropertyValue::from(number.as_str()), PropertyValue::Number)
        }
        Json::Array(items) => PropertyValue::Array(items.iter().map(|item| rounded(item, exact)).collect()),
        Json::Object(entries) => {
            PropertyValue::Object(entries.iter().map(|(key, value)| (key.clone(), rounded(value, exact))).collect())
        }
    }
}

fn replaced(content: &PropertyValue) -> Result<Json, DeltaError> {
    match member(content, TEXT)?.map(PropertyValue::plain) {
        None => Ok(member(content, "raw")?.map_or(Json::Null, raw::natural)),
        Some(PropertyValue::String(text)) => {
            serde_json::from_str(text).map_err(|_| DeltaError::new(DeltaProblem::Form("`replace`")))
        }
        Some(_) => form("`replace`"),
    }
}

/// Makes secrets of all objects with the key `replace`.
fn secreted(value: PropertyValue) -> PropertyValue {
    match value {
        PropertyValue::Object(entries) if entries.contains_key("replace") => {
            PropertyValue::Object(entries).into_secret()
        }
        PropertyValue::Object(entries) => {
            PropertyValue::Object(entries.into_iter().map(|(key, value)| (key, secreted(value))).collect())
        }
        other => other,
    }
}

fn form<T>(what: &'static str) -> Result<T, DeltaError> {
    Err(DeltaError::new(DeltaProblem::Form(what)))
}

fn member<'d>(content: &'d PropertyValue, name: &str) -> Result<Option<&'d PropertyValue>, DeltaError> {
    match content.plain() {
        PropertyValue::Object(content) => Ok(content.get(name)),
        _ => form("content"),
    }
}

fn parts<K: Ord>(
    content: &PropertyValue,
    name: &'static str,
    read: impl Fn(&str, &PropertyValue) -> Result<(K, Delta), DeltaError>,
) -> Result<BTreeMap<K, Delta>, DeltaError> {
    match member(content, name)?.map(PropertyValue::plain) {
        None | Some(PropertyValue::Null) => Ok(BTreeMap::new()),
        Some(PropertyValue::Object(parts)) => {
            parts.iter().map(|(key, part)| read(key, part).map_err(|error| error.inside_key(key))).collect()
        }
        Some(_) => form("parts"),
    }
}

fn renamed(content: &PropertyValue) -> Result<BTreeMap<String, String>, DeltaError> {
    let names = match member(content, "renamed")?.map(PropertyValue::plain) {
        None | Some(PropertyValue::Null) => return Ok(BTreeMap::new()),
        Some(PropertyValue::Object(names)) => names,
        Some(_) => return form("`renamed`"),
    };
    let names = names.iter().map(|(key, name)| match name.plain() {
        PropertyValue::String(name) => Ok((key.clone(), name.clone())),
        _ => form("`renamed`"),
    });
    names.collect()
}

fn texts(content: &PropertyValue, name: &'static str) -> Result<Vec<String>, DeltaError> {
    let items = match member(content, name)?.map(PropertyValue::plain) {
        None | Some(PropertyValue::Null) => return Ok(Vec::new()),
        Some(PropertyValue::Array(items)) => items,
        Some(_) => return form("`ignored`"),
    };
    let items = items.iter().map(|item| match item.plain() {
        PropertyValue::String(text) => Ok(text.clone()),
        _ => form("`ignored`"),
    });
    items.collect()
}

/// Whether the double is the number, digit for digit as people write it.
pub(super) fn is_exactly(double: f64, number: &denobridge_core::cty::Number) -> bool {
    inputs::exact(double).as_ref() == Some(number)
}
