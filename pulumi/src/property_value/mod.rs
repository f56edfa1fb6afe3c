//! Pulumi's value model: what programs pass and states hold.
//!
//! [`PropertyValue`] is the decoded form of a protobuf `Struct` with Pulumi's conventions ([`wire`]).

pub mod wire;

use std::collections::BTreeMap;

use denobridge_sdk_gen::{PropertyPath, PropertyStep};

/// An object's properties by name. Names are arbitrary text: empty, dotted, quoted.
pub type PropertyMap = BTreeMap<String, PropertyValue>;

/// One value.
#[derive(Clone, Default, PartialEq)]
pub enum PropertyValue {
    /// Nothing.
    #[default]
    Null,
    /// A bool.
    Bool(bool),
    /// A double, Pulumi's only kind of number.
    Number(f64),
    /// Text.
    String(String),
    /// Text that is not UTF-8.
    Bytes(Vec<u8>),
    /// Values in order.
    Array(Vec<PropertyValue>),
    /// Values by name.
    Object(PropertyMap),
    /// A value that must not be shown and is stored encrypted.
    Secret(Box<PropertyValue>),
    /// A value that is not known yet.
    Unknown,
    /// A value with what it depends on.
    Output(Output),
    /// A text, file or download.
    Asset(Asset),
    /// Several assets together.
    Archive(Archive),
    /// Another resource.
    Resource(ResourceReference),
}

/// A value with what it depends on.
#[derive(Clone, Default, PartialEq)]
pub struct Output {
    /// The value; none while it is not known.
    pub value: Option<Box<PropertyValue>>,
    /// Whether it is a secret.
    pub secret: bool,
    /// URNs of the resources it depends on.
    pub dependencies: Vec<String>,
}

/// A text, file or download. With a hash alone, the engine holds the content.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asset {
    /// SHA-256 of the content in hexadecimal digits.
    pub hash: Option<String>,
    /// Where the content is.
    pub content: Option<AssetContent>,
}

/// Where the content of an asset is.
#[derive(Clone, PartialEq)]
pub enum AssetContent {
    /// Here.
    Text(String),
    /// In a file.
    Path(String),
    /// At an address.
    Uri(String),
}

/// Several assets together. With a hash alone, the engine holds the content.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Archive {
    /// SHA-256 of the content in hexadecimal digits.
    pub hash: Option<String>,
    /// Where the content is.
    pub content: Option<ArchiveContent>,
}

/// Where the content of an archive is.
#[derive(Clone, Debug, PartialEq)]
pub enum ArchiveContent {
    /// Assets and archives by name.
    Assets(PropertyMap),
    /// In an archive file or a folder.
    Path(String),
    /// At an address.
    Uri(String),
}

/// Another resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceReference {
    /// Its URN.
    pub urn: String,
    /// Its id; absent for components.
    pub id: Option<ResourceReferenceId>,
    /// Version of its package.
    pub package_version: String,
}

/// The id of a referenced resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceReferenceId {
    /// The resource does not exist yet.
    Unknown,
    /// The id.
    Known(String),
}

impl PropertyValue {
    /// The value as a secret; nothing is wrapped twice.
    #[must_use]
    pub fn into_secret(self) -> Self {
        match self {
            Self::Secret(_) => self,
            other => Self::Secret(Box::new(other)),
        }
    }

    /// The value inside secret and output wrappers; [`PropertyValue::Unknown`] for an output without a value.
    #[must_use]
    pub fn plain(&self) -> &Self {
        match self {
            Self::Secret(inner) => inner.plain(),
            Self::Output(Output { value: Some(inner), .. }) => inner.plain(),
            Self::Output(Output { value: None, .. }) => &Self::Unknown,
            other => other,
        }
    }

    /// Whether the value itself, not only a part of it, is a secret.
    #[must_use]
    pub fn is_secret(&self) -> bool {
        match self {
            Self::Secret(_) => true,
            Self::Output(output) => output.secret || output.value.as_deref().is_some_and(Self::is_secret),
            _ => false,
        }
    }

    /// Whether the value or any part of it is a secret.
    #[must_use]
    pub fn contains_secret(&self) -> bool {
        self.is_secret() || self.children().any(Self::contains_secret)
    }

    /// Whether the value or any part of it is not known yet.
    #[must_use]
    pub fn contains_unknown(&self) -> bool {
        match self {
            Self::Unknown => true,
            Self::Output(output) => output.value.as_deref().is_none_or(Self::contains_unknown),
            other => other.children().any(Self::contains_unknown),
        }
    }

    /// How many objects, arrays, secrets and other wrappers there are around the innermost value.
    #[must_use]
    pub fn nesting(&self) -> usize {
        let deepest = self.children().map(Self::nesting).max();
        let container = matches!(self, Self::Array(_) | Self::Object(_));
        deepest.map_or(usize::from(container), |deepest| deepest + 1)
    }

    /// Whether this is null inside all wrappers.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self.plain(), Self::Null)
    }

    /// The same value with no secret wrapper anywhere: for comparisons.
    #[must_use]
    pub fn without_secrets(&self) -> Self {
        match self {
            Self::Secret(inner) => inner.without_secrets(),
            Self::Output(Output { value: Some(inner), .. }) => inner.without_secrets(),
            Self::Output(Output { value: None, .. }) => Self::Unknown,
            Self::Array(items) => Self::Array(items.iter().map(Self::without_secrets).collect()),
            Self::Object(entries) => {
                Self::Object(entries.iter().map(|(key, value)| (key.clone(), value.without_secrets())).collect())
            }
            other => other.clone(),
        }
    }

    /// The part at `path`, through secrets and outputs.
    #[must_use]
    pub fn find(&self, path: &PropertyPath) -> Option<&Self> {
        path.steps().iter().try_fold(self, |value, step| match (step, value.plain()) {
            (PropertyStep::Name(name), Self::Object(entries)) => entries.get(&**name),
            (PropertyStep::Index(index), Self::Array(items)) => items.get(*index),
            _ => None,
        })
    }

    /// What to call this kind of value in a message.
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Bytes(_) => "a string that is not UTF-8",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
            Self::Secret(inner) => inner.kind_name(),
            Self::Unknown => "a value that is not known yet",
            Self::Output(Output { value: Some(inner), .. }) => inner.kind_name(),
            Self::Output(_) => "a value that is not known yet",
            Self::Asset(_) => "an asset",
            Self::Archive(_) => "an archive",
            Self::Resource(_) => "a resource",
        }
    }

    pub(crate) fn children(&self) -> Box<dyn Iterator<Item = &Self> + '_> {
        match self {
            Self::Array(items) => Box::new(items.iter()),
            Self::Object(entries) => Box::new(entries.values()),
            Self::Secret(inner) => Box::new(std::iter::once(&**inner)),
            Self::Output(Output { value: Some(inner), .. }) => Box::new(std::iter::once(&**inner)),
            Self::Archive(Archive { content: Some(ArchiveContent::Assets(assets)), .. }) => Box::new(assets.values()),
            _ => Box::new(std::iter::empty()),
        }
    }
}

/// Collects the steps to a place while an error travels up from it: the path is only built where something is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trail(Vec<PropertyStep>);

impl Trail {
    /// The place is inside this property of what is being looked at.
    pub(crate) fn inside_key(mut self, name: &str) -> Self {
        self.0.push(PropertyStep::Name(name.into()));
        self
    }

    /// The place is inside this element of what is being looked at.
    pub(crate) fn inside_index(mut self, index: usize) -> Self {
        self.0.push(PropertyStep::Index(index));
        self
    }

    /// The path from the outermost value that was looked at.
    pub(crate) fn path(&self) -> PropertyPath {
        self.0.iter().rev().cloned().collect()
    }
}

impl From<&str> for PropertyValue {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl std::fmt::Debug for PropertyValue {
    /// For logs and test failures: a secret never shows what it is.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::String(text) => write!(f, "{text:?}"),
            Self::Bytes(bytes) => write!(f, "({} bytes)", bytes.len()),
            Self::Array(items) => f.debug_list().entries(items).finish(),
            Self::Object(entries) => f.debug_map().entries(entries).finish(),
            Self::Secret(_) => f.write_str("[secret]"),
            Self::Unknown => f.write_str("[unknown]"),
            Self::Output(output) if output.secret => f.write_str("[secret]"),
            Self::Output(Output { value: Some(inner), .. }) => inner.fmt(f),
            Self::Output(_) => f.write_str("[unknown]"),
            Self::Asset(asset) => asset.fmt(f),
            Self::Archive(archive) => archive.fmt(f),
            Self::Resource(reference) => reference.fmt(f),
        }
    }
}

impl std::fmt::Debug for AssetContent {
    /// A text asset may be long and private: only its length is shown.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => write!(f, "Text({} bytes)", text.len()),
            Self::Path(path) => write!(f, "Path({path:?})"),
            Self::Uri(uri) => write!(f, "Uri({uri:?})"),
        }
    }
}
