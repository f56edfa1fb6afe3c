//! Messages of Pulumi's protocol as JSON, and back.

use std::sync::LazyLock;

use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, MethodDescriptor, SerializeOptions};
use serde_json::{Value as Json, json};
use tonic::Status;

use crate::proto::google::rpc;

static POOL: LazyLock<Result<DescriptorPool, String>> = LazyLock::new(|| {
    let descriptors: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
    DescriptorPool::decode(descriptors).map_err(|error| error.to_string())
});

/// What a request is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct About {
    /// The type of resource, or the function.
    pub token: Option<String>,
    /// The resource.
    pub urn: Option<String>,
}

impl About {
    pub(super) fn of(request: &Json) -> Self {
        let text = |name: &str| request[name].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        let urn = text("urn");
        // The third part of a URN is the type, behind the types of all parents.
        let in_urn = urn.as_deref().and_then(|urn| urn.split("::").nth(2)?.rsplit('$').next().map(str::to_owned));
        Self { token: text("tok").or_else(|| text("type")).or(in_urn), urn }
    }
}

fn method(procedure: &str) -> Result<MethodDescriptor, String> {
    let service = POOL.as_ref().map_err(Clone::clone)?.get_service_by_name("pulumirpc.ResourceProvider");
    let method = service.and_then(|service| service.methods().find(|method| method.name() == procedure));
    method.ok_or_else(|| format!("Pulumi's protocol has no procedure {procedure}"))
}

pub(super) fn request_to_json(procedure: &str, bytes: &[u8]) -> Result<Json, String> {
    to_json(method(procedure)?.input(), bytes)
}

pub(super) fn response_to_json(procedure: &str, bytes: &[u8]) -> Result<Json, String> {
    to_json(method(procedure)?.output(), bytes)
}

fn to_json(descriptor: MessageDescriptor, bytes: &[u8]) -> Result<Json, String> {
    let message = DynamicMessage::decode(descriptor, bytes).map_err(|error| error.to_string())?;
    let options = SerializeOptions::new().use_proto_field_name(true).stringify_64_bit_integers(false);
    message.serialize_with_options(serde_json::value::Serializer, &options).map_err(|error| error.to_string())
}

/// The bytes of a recorded request.
pub(super) fn request_from_json(procedure: &str, request: &Json) -> Result<Vec<u8>, String> {
    let message = DynamicMessage::deserialize(method(procedure)?.input(), request.clone());
    message
        .map(|message| message.encode_to_vec())
        .map_err(|error| format!("the recorded request cannot be read: {error}"))
}

/// A status with its details, as far as it is known what they are.
pub(super) fn status_to_json(status: &Status) -> Json {
    let details = rpc::Status::decode(status.details()).map(|status| status.details).unwrap_or_default();
    let details = details.iter().map(|detail| {
        let name = detail.type_url.rsplit('/').next().unwrap_or_default();
        let descriptor = POOL.as_ref().ok().and_then(|pool| pool.get_message_by_name(name));
        let message = descriptor.and_then(|descriptor| to_json(descriptor, &detail.value).ok());
        json!({"type": name, "value": message})
    });
    let code = format!("{:?}", status.code());
    json!({"code": code, "message": status.message(), "details": details.collect::<Vec<_>>()})
}
