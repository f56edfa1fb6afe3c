//! Property values as protobuf `Struct`s: signatures for special objects, sentinels for unknown values.
//!
//! An object with the key [`SIGNATURE_KEY`] is special and its value says how. Nesting is bounded by [`MAX_NESTING`], and of
//! the records in a stored state by [`MAX_RECORD_NESTING`].

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use denobridge_sdk_gen::PropertyPath;
use prost_types::value::Kind;
use prost_types::{ListValue, Value};
use thiserror::Error;

use super::{
    Archive, ArchiveContent, Asset, AssetContent, Output, PropertyMap, PropertyValue, ResourceReference,
    ResourceReferenceId, Trail,
};
use crate::proto::Struct;

/// The key that makes an object special.
pub const SIGNATURE_KEY: &str = "4dabf18193072939515e22adb298388d";

/// How deeply a property may be nested: objects, arrays and secrets around its innermost value. What is deeper can be sent
/// but never be read again, and a state that is never read again is a resource that can never be deleted.
///
/// The raw state of a dynamic value says its type too, in JSON with two levels for each of the value's, and JSON is read up to
/// 128 levels.
pub const MAX_NESTING: usize = 60;

/// The same for what is kept beside outputs (names that begin with two underscores), which may take several levels to say
/// what to make of one. The Go implementation of protobuf reads more than 3,000.
pub const MAX_RECORD_NESTING: usize = 400;

mod signature {
    pub(super) const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";
    pub(super) const OUTPUT: &str = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
    pub(super) const RESOURCE: &str = "5cf8f73096256a8f31e491e813e4eb8e";
    pub(super) const ASSET: &str = "c44067f5952c0a294b673a41bacd8c17";
    pub(super) const ARCHIVE: &str = "0def7320c3a5731c473e5ecbe6d01bc7";
    pub(super) const BYTES: &str = "803fd3297a5875dc03ca845dda5d2a98";
}

/// The text that stands for an unknown value. It is the only one that the engine and we send.
pub const UNKNOWN: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/// Texts that stand for unknown values of one kind; accepted, never sent.
const UNKNOWN_OF_A_KIND: [&str; 6] = [
    "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
    "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    "030794c1-ac77-496b-92df-f27374a8bd58",
    "e48ece36-62e2-4504-bad9-02848725956a",
    "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
];

/// Whether a text stands for an unknown value.
#[must_use]
pub fn is_unknown(text: &str) -> bool {
    text == UNKNOWN || UNKNOWN_OF_A_KIND.contains(&text)
}

/// Whether an object in protobuf's JSON is a secret, or an output that is one.
pub(crate) fn is_secret_signature(members: &serde_json::Map<String, serde_json::Value>) -> bool {
    match members.get(SIGNATURE_KEY).and_then(serde_json::Value::as_str) {
        Some(signature::SECRET) => true,
        Some(signature::OUTPUT) => members.get("secret") == Some(&serde_json::Value::Bool(true)),
        _ => false,
    }
}

/// Why a message is not a property value.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the engine sent a property value that cannot be read{}: {problem}", at(&.trail.path()))]
pub struct WireError {
    trail: Trail,
    /// What is wrong there; never quotes a value.
    pub problem: WireProblem,
}

fn at(path: &PropertyPath) -> String {
    if path.is_root() { String::new() } else { format!(" at `{path}`") }
}

impl WireError {
    fn inside_key(self, name: &str) -> Self {
        Self { trail: self.trail.inside_key(name), ..self }
    }

    fn inside_index(self, index: usize) -> Self {
        Self { trail: self.trail.inside_index(index), ..self }
    }
}

/// What is wrong with a message.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum WireProblem {
    /// A special object of a kind that we do not know.
    #[error("unknown signature `{0}`")]
    Signature(String),
    /// A special object lacks a member, or the member has another type.
    #[error("the {kind} has no valid `{member}`")]
    Member {
        /// The kind of object.
        kind: &'static str,
        /// The member.
        member: &'static str,
    },
    /// Nested too deeply.
    #[error(
        "it is nested too deeply: this plugin reads up to {MAX_NESTING} levels of objects, lists and secrets. Make the \
         value flatter, or pass a part of it as JSON text, for example by `fn::toJSON`"
    )]
    TooDeep,
}

/// Reads an object; an absent one is empty.
///
/// # Errors
/// See [`WireProblem`].
pub fn decode(message: Option<Struct>) -> Result<PropertyMap, WireError> {
    let fields = message.unwrap_or_default().fields.into_iter();
    let fields = fields.map(|(key, value)| {
        let levels = if key.starts_with("__") { MAX_RECORD_NESTING } else { MAX_NESTING };
        match decode_value(value, levels) {
            Ok(value) => Ok((key, value)),
            // Where it is too deep is a long story.
            Err(WireError { problem: WireProblem::TooDeep, .. }) => {
                Err(WireError { trail: Trail::default(), problem: WireProblem::TooDeep }.inside_key(&key))
            }
            Err(error) => Err(error.inside_key(&key)),
        }
    });
    fields.collect()
}

/// Writes an object.
#[must_use]
pub fn encode(properties: &PropertyMap) -> Struct {
    Struct { fields: encode_fields(properties) }
}

fn encode_fields(properties: &PropertyMap) -> Fields {
    properties.iter().map(|(key, value)| (key.clone(), encode_value(value))).collect()
}

type Fields = BTreeMap<String, Value>;

fn fail<T>(problem: WireProblem) -> Result<T, WireError> {
    Err(WireError { trail: Trail::default(), problem })
}

/// Reads entries, in which `levels` more may be.
fn decode_fields(fields: Fields, levels: usize) -> Result<PropertyMap, WireError> {
    fields
        .into_iter()
        .map(|(key, value)| match decode_value(value, levels) {
            Ok(value) => Ok((key, value)),
            Err(error) => Err(error.inside_key(&key)),
        })
        .collect()
}

/// Reads a value, which may have so many levels.
fn decode_value(value: Value, levels: usize) -> Result<PropertyValue, WireError> {
    let inner = |levels: usize| match levels.checked_sub(1) {
        Some(inner) => Ok(inner),
        None => fail(WireProblem::TooDeep),
    };
    Ok(match value.kind {
        None | Some(Kind::NullValue(_)) => PropertyValue::Null,
        Some(Kind::BoolValue(value)) => PropertyValue::Bool(value),
        Some(Kind::NumberValue(value)) => PropertyValue::Number(value),
        Some(Kind::StringValue(text)) if is_unknown(&text) => PropertyValue::Unknown,
        Some(Kind::StringValue(text)) => PropertyValue::String(text),
        Some(Kind::ListValue(list)) => {
            let levels = inner(levels)?;
            let items = list.values.into_iter().enumerate();
            let items =
                items.map(|(index, value)| decode_value(value, levels).map_err(|error| error.inside_index(index)));
            PropertyValue::Array(items.collect::<Result<_, _>>()?)
        }
        Some(Kind::StructValue(object)) => decode_object(object.fields, inner(levels)?)?,
    })
}

fn decode_object(mut fields: Fields, levels: usize) -> Result<PropertyValue, WireError> {
    let Some(kind) = fields.get(SIGNATURE_KEY).and_then(as_text).map(str::to_owned) else {
        return decode_fields(fields, levels).map(PropertyValue::Object);
    };
    match kind.as_str() {
        signature::SECRET => match fields.remove("value") {
            Some(inner) => Ok(decode_value(inner, levels)?.into_secret()),
            None => fail(WireProblem::Member { kind: "secret", member: "value" }),
        },
        signature::OUTPUT => decode_output(fields, levels),
        signature::RESOURCE => decode_resource(&fields),
        signature::ASSET => Ok(PropertyValue::Asset(Asset {
            hash: text(&fields, "hash"),
            content: text(&fields, "text")
                .map(AssetContent::Text)
                .or_else(|| present(&fields, "path").map(AssetContent::Path))
                .or_else(|| present(&fields, "uri").map(AssetContent::Uri)),
        })),
        signature::ARCHIVE => decode_archive(fields, levels),
        signature::BYTES => match text(&fields, "value").and_then(|text| STANDARD.decode(text).ok()) {
            // Bytes that are text after all must not become a second form of the same value.
            Some(bytes) => Ok(match String::from_utf8(bytes) {
                Ok(text) => PropertyValue::String(text),
                Err(error) => PropertyValue::Bytes(error.into_bytes()),
            }),
            None => fail(WireProblem::Member { kind: "byte string", member: "value" }),
        },
        other => fail(WireProblem::Signature(other.to_owned())),
    }
}

fn decode_output(mut fields: Fields, levels: usize) -> Result<PropertyValue, WireError> {
    let value = match fields.remove("value") {
        Some(inner) => Some(Box::new(decode_value(inner, levels)?)),
        None => None,
    };
    let secret = matches!(fields.get("secret").and_then(|value| value.kind.as_ref()), Some(Kind::BoolValue(true)));
    let dependencies = match fields.get("dependencies").and_then(|value| value.kind.as_ref()) {
        Some(Kind::ListValue(list)) => list.values.iter().filter_map(as_text).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    Ok(PropertyValue::Output(Output { value, secret, dependencies }))
}

fn decode_resource(fields: &Fields) -> Result<PropertyValue, WireError> {
    let Some(urn) = text(fields, "urn") else {
        return fail(WireProblem::Member { kind: "resource reference", member: "urn" });
    };
    let id = text(fields, "id").map(|id| {
        if id.is_empty() || is_unknown(&id) { ResourceReferenceId::Unknown } else { ResourceReferenceId::Known(id) }
    });
    let package_version = text(fields, "packageVersion").unwrap_or_default();
    Ok(PropertyValue::Resource(ResourceReference { urn, id, package_version }))
}

fn decode_archive(mut fields: Fields, levels: usize) -> Result<PropertyValue, WireError> {
    let hash = text(&fields, "hash");
    let content = match fields.remove("assets").and_then(|value| value.kind) {
        Some(Kind::StructValue(assets)) => Some(ArchiveContent::Assets(decode_fields(assets.fields, levels)?)),
        _ => present(&fields, "path")
            .map(ArchiveContent::Path)
            .or_else(|| present(&fields, "uri").map(ArchiveContent::Uri)),
    };
    Ok(PropertyValue::Archive(Archive { hash, content }))
}

fn as_text(value: &Value) -> Option<&str> {
    match &value.kind {
        Some(Kind::StringValue(text)) => Some(text),
        _ => None,
    }
}

fn text(fields: &Fields, member: &str) -> Option<String> {
    fields.get(member).and_then(as_text).map(str::to_owned)
}

/// A member that says something: SDKs write the places that do not apply as empty text.
fn present(fields: &Fields, member: &str) -> Option<String> {
    text(fields, member).filter(|text| !text.is_empty())
}

fn encode_value(value: &PropertyValue) -> Value {
    let kind = match value {
        PropertyValue::Null => Kind::NullValue(0),
        PropertyValue::Bool(value) => Kind::BoolValue(*value),
        PropertyValue::Number(value) => Kind::NumberValue(*value),
        PropertyValue::String(text) => Kind::StringValue(text.clone()),
        PropertyValue::Unknown => Kind::StringValue(UNKNOWN.to_owned()),
        PropertyValue::Array(items) => Kind::ListValue(ListValue { values: items.iter().map(encode_value).collect() }),
        PropertyValue::Object(entries) => struct_kind(encode_fields(entries)),
        PropertyValue::Bytes(bytes) => special(signature::BYTES, [("value", Some(text_value(STANDARD.encode(bytes))))]),
        PropertyValue::Secret(inner) => special(signature::SECRET, [("value", Some(encode_value(inner)))]),
        PropertyValue::Output(output) => encode_output(output),
        PropertyValue::Asset(asset) => encode_asset(asset),
        PropertyValue::Archive(archive) => encode_archive(archive),
        PropertyValue::Resource(reference) => encode_resource(reference),
    };
    Value { kind: Some(kind) }
}

fn encode_output(output: &Output) -> Kind {
    let dependencies = ListValue { values: output.dependencies.iter().map(|urn| text_value(urn.as_str())).collect() };
    special(
        signature::OUTPUT,
        [
            ("value", output.value.as_deref().map(encode_value)),
            ("secret", output.secret.then_some(Value { kind: Some(Kind::BoolValue(true)) })),
            (
                "dependencies",
                (!output.dependencies.is_empty()).then_some(Value { kind: Some(Kind::ListValue(dependencies)) }),
            ),
        ],
    )
}

fn encode_asset(asset: &Asset) -> Kind {
    let content = match &asset.content {
        Some(AssetContent::Text(text)) => ("text", Some(text_value(text.as_str()))),
        Some(AssetContent::Path(path)) => ("path", Some(text_value(path.as_str()))),
        Some(AssetContent::Uri(uri)) => ("uri", Some(text_value(uri.as_str()))),
        None => ("text", None),
    };
    special(signature::ASSET, [("hash", asset.hash.as_deref().map(text_value)), content])
}

fn encode_archive(archive: &Archive) -> Kind {
    let content = match &archive.content {
        Some(ArchiveContent::Assets(assets)) => {
            ("assets", Some(Value { kind: Some(struct_kind(encode_fields(assets))) }))
        }
        Some(ArchiveContent::Path(path)) => ("path", Some(text_value(path.as_str()))),
        Some(ArchiveContent::Uri(uri)) => ("uri", Some(text_value(uri.as_str()))),
        None => ("path", None),
    };
    special(signature::ARCHIVE, [("hash", archive.hash.as_deref().map(text_value)), content])
}

fn encode_resource(reference: &ResourceReference) -> Kind {
    let id = reference.id.as_ref().map(|id| match id {
        ResourceReferenceId::Unknown => text_value(UNKNOWN),
        ResourceReferenceId::Known(id) => text_value(id.as_str()),
    });
    let version = (!reference.package_version.is_empty()).then(|| text_value(reference.package_version.as_str()));
    special(
        signature::RESOURCE,
        [("urn", Some(text_value(reference.urn.as_str()))), ("id", id), ("packageVersion", version)],
    )
}

fn text_value(text: impl Into<String>) -> Value {
    Value { kind: Some(Kind::StringValue(text.into())) }
}

fn special<const N: usize>(signature: &str, members: [(&str, Option<Value>); N]) -> Kind {
    let mut fields = Fields::from([(SIGNATURE_KEY.to_owned(), text_value(signature))]);
    fields.extend(members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    struct_kind(fields)
}

fn struct_kind(fields: Fields) -> Kind {
    Kind::StructValue(prost_types::Struct { fields })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use prost::Message as _;

    use super::*;

    fn any_value() -> impl Strategy<Value = PropertyValue> {
        let text = "[ -~é\u{0}]{0,6}";
        let leaf = prop_oneof![
            Just(PropertyValue::Null),
            Just(PropertyValue::Unknown),
            any::<bool>().prop_map(PropertyValue::Bool),
            any::<i32>().prop_map(|number| PropertyValue::Number(f64::from(number) / 8.0)),
            text.prop_map(PropertyValue::String),
            Just(PropertyValue::Bytes(vec![0xff, 0x00])),
            (proptest::option::of("[0-9a-f]{4}"), "[a-z]{1,4}", 0..4).prop_map(|(hash, place, which)| {
                PropertyValue::Asset(Asset {
                    hash,
                    content: match which {
                        0 => Some(AssetContent::Text(place)),
                        1 => Some(AssetContent::Path(place)),
                        2 => Some(AssetContent::Uri(place)),
                        _ => None,
                    },
                })
            }),
            (any::<bool>(), "[a-z]{1,4}").prop_map(|(known, id)| PropertyValue::Resource(ResourceReference {
                urn: "urn:pulumi:s::p::t::n".to_owned(),
                id: Some(if known { ResourceReferenceId::Known(id) } else { ResourceReferenceId::Unknown }),
                package_version: String::new(),
            })),
        ];
        leaf.prop_recursive(4, 32, 4, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(PropertyValue::Array),
                proptest::collection::btree_map(text, inner.clone(), 0..4).prop_map(PropertyValue::Object),
                inner.clone().prop_map(PropertyValue::into_secret),
                (proptest::option::of(inner.clone()), any::<bool>()).prop_map(|(value, secret)| {
                    PropertyValue::Output(Output {
                        value: value.map(Box::new),
                        secret,
                        dependencies: vec!["urn:a".to_owned()],
                    })
                }),
                proptest::collection::btree_map("[a-z]{1,3}", inner, 0..3).prop_map(|assets| {
                    PropertyValue::Archive(Archive { hash: None, content: Some(ArchiveContent::Assets(assets)) })
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn values_survive_the_wire(value in proptest::collection::btree_map("[ -~]{0,6}", any_value(), 0..4)) {
            prop_assert_eq!(decode(Some(encode(&value))).expect("decodes"), value);
        }
    }

    fn object(members: &[(&str, Value)]) -> Struct {
        let fields = members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Struct { fields: BTreeMap::from([("p".to_owned(), Value { kind: Some(struct_kind(fields)) })]) }
    }

    #[test]
    fn every_unknown_sentinel_is_understood_at_any_depth() {
        for sentinel in UNKNOWN_OF_A_KIND.iter().chain([&UNKNOWN]) {
            let decoded = decode(Some(object(&[("q", text_value(*sentinel))]))).expect("decodes");
            assert_eq!(decoded["p"], PropertyValue::Object(BTreeMap::from([("q".to_owned(), PropertyValue::Unknown)])));
        }
        let encoded = encode(&BTreeMap::from([("p".to_owned(), PropertyValue::Unknown)]));
        assert_eq!(as_text(&encoded.fields["p"]), Some(UNKNOWN));
    }

    #[test]
    fn broken_special_objects_are_named_errors() {
        let unknown = decode(Some(object(&[(SIGNATURE_KEY, text_value("beef"))]))).expect_err("unknown signature");
        assert_eq!(
            unknown.to_string(),
            "the engine sent a property value that cannot be read at `p`: unknown signature `beef`"
        );
        let bare = decode(Some(object(&[(SIGNATURE_KEY, text_value(signature::SECRET))]))).expect_err("no value");
        assert_eq!(bare.problem, WireProblem::Member { kind: "secret", member: "value" });
    }

    #[test]
    fn a_secret_never_shows_in_debug_output() {
        let value = PropertyValue::Object(BTreeMap::from([("a".to_owned(), PropertyValue::from("x").into_secret())]));
        assert_eq!(format!("{value:?}"), r#"{"a": [secret]}"#);
    }

    #[test]
    fn depth_is_bounded() {
        for (name, most) in [("p", MAX_NESTING), ("__p", MAX_RECORD_NESTING)] {
            let nested = |levels| {
                let value = (0..levels).fold(PropertyValue::Null, |value, _| PropertyValue::Array(vec![value]));
                BTreeMap::from([(name.to_owned(), value)])
            };
            let decoded = |levels| {
                let message = encode(&nested(levels)).encode_to_vec();
                decode(Some(Struct::decode(message.as_slice()).expect("a message")))
            };
            assert_eq!(nested(most)[name].nesting(), most);
            assert_eq!(decoded(most), Ok(nested(most)));
            for deeper in [most + 1, 600] {
                let error = decoded(deeper).expect_err("too deep");
                assert_eq!((&error.problem, error.trail.path().to_string()), (&WireProblem::TooDeep, name.to_owned()));
            }
        }
    }
}
