//! Messages of the protocols as the JSON of recordings, and back.
//!
//! The JSON is protobuf's own, by the names in the protocol files, but for what nobody could read in it: values are as
//! [`denobridge_core::recording::to_json`] has them, stored state and types are JSON, and private data is text.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use denobridge_core::DynamicValue;
use denobridge_core::cty::{Value, msgpack};
use denobridge_core::recording::{self, Placeholders};
use prost::Message as _;
use prost_reflect::{
    DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, MethodDescriptor, SerializeOptions,
};
use serde_json::{Map, Value as Json, json};

use super::shapes::{About, Shape};
use super::stored;

static POOL: LazyLock<Result<DescriptorPool, String>> = LazyLock::new(|| {
    let descriptors: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
    DescriptorPool::decode(descriptors).map_err(|error| error.to_string())
});

/// The procedure of that name, of protocol 5 or 6.
///
/// # Errors
/// There is none.
pub(super) fn method(protocol: u32, procedure: &str) -> Result<MethodDescriptor, String> {
    let service = format!("tfplugin{protocol}.Provider");
    let service = POOL.as_ref().map_err(Clone::clone)?.get_service_by_name(&service);
    let method = service.and_then(|service| service.methods().find(|method| method.name() == procedure));
    method.ok_or_else(|| format!("protocol {protocol} has no procedure {procedure}"))
}

/// What to do about secrets.
pub(super) struct Secrets<'a> {
    pub placeholders: &'a Placeholders,
    /// Values of the same component in which parts are marked.
    pub marked: &'a [Value],
}

impl Secrets<'_> {
    /// The value with marks on whatever is secret in it, by its schema or by other values of the component.
    pub(super) fn marked(&self, shape: &Shape<'_>, value: Value) -> Value {
        self.marked.iter().fold(shape.marked(value), |value, from| recording::carry_marks(from, value))
    }
}

/// A message as it is recorded. Without `secrets` it is shown as it is, which is for what holds placeholders already.
///
/// # Errors
/// The bytes are no such message.
pub(super) fn to_json(
    bytes: &[u8],
    descriptor: &MessageDescriptor,
    about: About<'_>,
    secrets: Option<&Secrets<'_>>,
) -> Result<Json, String> {
    let message = DynamicMessage::decode(descriptor.clone(), bytes).map_err(|error| error.to_string())?;
    let mut json = plain_json(&message)?;
    walk(descriptor, &mut json, about, &mut |leaf, json| {
        *json = readable(leaf, std::mem::take(json), secrets);
        Ok(())
    })?;
    Ok(json)
}

fn plain_json(message: &DynamicMessage) -> Result<Json, String> {
    let options = SerializeOptions::new().use_proto_field_name(true).stringify_64_bit_integers(false);
    message.serialize_with_options(serde_json::value::Serializer, &options).map_err(|error| error.to_string())
}

/// Fields that say who asks and what the asker can do, which is another when we ask what the Go bridge asked.
pub(super) const ASKER: [&str; 2] = ["terraform_version", "client_capabilities"];

/// An encoded message without the fields of [`ASKER`].
pub(super) fn without_asker(bytes: &[u8], descriptor: MessageDescriptor) -> Option<Vec<u8>> {
    let mut message = DynamicMessage::decode(descriptor, bytes).ok()?;
    ASKER.iter().for_each(|field| message.clear_field_by_name(field));
    Some(message.encode_to_vec())
}

/// The bytes of a recorded message.
///
/// # Errors
/// The JSON is no such message; says where.
pub(super) fn from_json(mut json: Json, descriptor: &MessageDescriptor, about: About<'_>) -> Result<Bytes, String> {
    walk(descriptor, &mut json, about, &mut |leaf, json| {
        *json = encoded(&leaf, std::mem::take(json)).map_err(|error| format!("{}: {error}", leaf.field))?;
        Ok(())
    })?;
    let message = DynamicMessage::deserialize(descriptor.clone(), json).map_err(|error| error.to_string())?;
    Ok(message.encode_to_vec().into())
}

/// What is not left as protobuf's JSON has it.
struct Leaf<'a> {
    field: &'a str,
    kind: LeafKind,
    shape: Option<Shape<'a>>,
}

enum LeafKind {
    Value,
    RawState,
    Bytes,
}

type Visit<'v> = &'v mut dyn FnMut(Leaf<'_>, &mut Json) -> Result<(), String>;

fn walk(descriptor: &MessageDescriptor, json: &mut Json, about: About<'_>, visit: Visit<'_>) -> Result<(), String> {
    let Json::Object(members) = json else { return Ok(()) };
    // Imported resources say their own.
    let own = ["type_name", "target_type_name", "action_type"].iter().find_map(|field| members.get(*field)?.as_str());
    let own = own.unwrap_or(about.name).to_owned();
    let about = About { name: &own, ..about };
    for field in descriptor.fields() {
        let Some(member) = members.get_mut(field.name()) else { continue };
        if field.is_map() {
            let Kind::Message(entry) = field.kind() else { continue };
            let inside = entry.map_entry_value_field().kind();
            if let (Kind::Message(inside), Json::Object(entries)) = (inside, member) {
                entries.values_mut().try_for_each(|entry| walk(&inside, entry, about, visit))?;
            }
        } else if let (true, Json::Array(items)) = (field.is_list(), &mut *member) {
            let mut items = items.iter_mut().enumerate();
            items.try_for_each(|(index, item)| walk_field(&field, item, index, about, visit))?;
        } else {
            walk_field(&field, member, 0, about, visit)?;
        }
    }
    Ok(())
}

fn walk_field(
    field: &FieldDescriptor,
    json: &mut Json,
    index: usize,
    about: About<'_>,
    visit: Visit<'_>,
) -> Result<(), String> {
    let kind = match field.kind() {
        Kind::Bytes => LeafKind::Bytes,
        Kind::Message(message) => match message.name() {
            "DynamicValue" => LeafKind::Value,
            "RawState" => LeafKind::RawState,
            _ => return walk(&message, json, about, visit),
        },
        _ => return Ok(()),
    };
    let shape = about.shape(field.name(), index);
    visit(Leaf { field: field.name(), kind, shape }, json)
}

fn is_private(field: &str) -> bool {
    field.ends_with("private")
}

pub(super) fn bytes_of(json: &Json) -> Bytes {
    json.as_str().and_then(|text| STANDARD.decode(text).ok()).unwrap_or_default().into()
}

fn readable(leaf: Leaf<'_>, json: Json, secrets: Option<&Secrets<'_>>) -> Json {
    match leaf.kind {
        LeafKind::Value => readable_value(leaf.shape, &json, secrets),
        LeafKind::RawState => stored::readable(leaf.shape.as_ref(), json, secrets),
        LeafKind::Bytes if leaf.field == "type" => serde_json::from_slice(&bytes_of(&json)).unwrap_or(json),
        LeafKind::Bytes => {
            let bytes = bytes_of(&json);
            match (secrets, std::str::from_utf8(&bytes)) {
                (Some(secrets), _) => secrets.placeholders.bytes(&bytes).into(),
                (None, Ok(text)) if is_private(leaf.field) => text.into(),
                _ => json,
            }
        }
    }
}

/// What stands where a value cannot be read: what it holds is not known to be no secret.
pub(super) fn unreadable() -> Json {
    json!({"$unreadable": true})
}

fn readable_value(shape: Option<Shape<'_>>, json: &Json, secrets: Option<&Secrets<'_>>) -> Json {
    let Some(shape) = shape else { return unreadable() };
    let encoded = match json.get("json") {
        Some(text) => DynamicValue::Json(bytes_of(text)),
        None => DynamicValue::MessagePack(bytes_of(&json["msgpack"])),
    };
    let ty = shape.ty();
    let Ok(value) = encoded.decode(&ty) else { return unreadable() };
    match secrets {
        None => recording::to_json(&value, &ty, &Placeholders::default()),
        Some(secrets) => recording::to_json(&secrets.marked(&shape, value), &ty, secrets.placeholders),
    }
}

fn encoded(leaf: &Leaf<'_>, json: Json) -> Result<Json, String> {
    match leaf.kind {
        LeafKind::Value => {
            let shape = leaf.shape.as_ref().ok_or("the schema has no type for it")?;
            let ty = shape.ty();
            let value = recording::from_json(&json, &ty)?;
            let bytes = msgpack::encode(&value, &ty).map_err(|error| error.to_string())?;
            Ok(json!({"msgpack": STANDARD.encode(bytes)}))
        }
        LeafKind::RawState => {
            let mut members = if let Json::Object(members) = json { members } else { Map::new() };
            if let Some(state) = members.get_mut("json") {
                *state = STANDARD.encode(state.to_string()).into();
            }
            Ok(Json::Object(members))
        }
        LeafKind::Bytes if leaf.field == "type" => Ok(STANDARD.encode(json.to_string()).into()),
        LeafKind::Bytes => Ok(STANDARD.encode(json.as_str().unwrap_or_default()).into()),
    }
}
