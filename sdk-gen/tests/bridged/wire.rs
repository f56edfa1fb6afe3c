//! Recorded replies to GetProviderSchema as schemas.
//!
//! Only what schemas need of the messages is declared. The protocols give the same numbers to the same fields, apart
//! from attributes, each of which is therefore read twice: what both have, and what one of them has.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::type_json;
use denobridge_core::schema::{
    Attribute, AttributeType, Block, Description, DescriptionKind, FunctionParameter, FunctionSignature, NestedBlock,
    NestedObject, Nesting, ProviderSchema, Schema,
};
use prost::Message;

#[derive(Clone, PartialEq, Message)]
struct ReplyMessage {
    #[prost(message, optional, tag = "1")]
    provider: Option<SchemaMessage>,
    #[prost(btree_map = "string, message", tag = "2")]
    resources: BTreeMap<String, SchemaMessage>,
    #[prost(btree_map = "string, message", tag = "3")]
    data_sources: BTreeMap<String, SchemaMessage>,
    #[prost(btree_map = "string, message", tag = "7")]
    functions: BTreeMap<String, FunctionMessage>,
    #[prost(btree_map = "string, message", tag = "8")]
    ephemeral_resources: BTreeMap<String, SchemaMessage>,
    #[prost(btree_map = "string, message", tag = "9")]
    list_resources: BTreeMap<String, SchemaMessage>,
    #[prost(btree_map = "string, message", tag = "11")]
    actions: BTreeMap<String, ActionMessage>,
}

#[derive(Clone, PartialEq, Message)]
struct ActionMessage {
    #[prost(message, optional, tag = "1")]
    schema: Option<SchemaMessage>,
}

#[derive(Clone, PartialEq, Message)]
struct SchemaMessage {
    #[prost(int64, tag = "1")]
    version: i64,
    #[prost(message, optional, tag = "2")]
    block: Option<BlockMessage>,
}

#[derive(Clone, PartialEq, Message)]
struct BlockMessage {
    #[prost(bytes = "vec", repeated, tag = "2")]
    attributes: Vec<Vec<u8>>,
    #[prost(message, repeated, tag = "3")]
    blocks: Vec<NestedBlockMessage>,
    #[prost(string, tag = "4")]
    description: String,
    #[prost(int32, tag = "5")]
    description_kind: i32,
    #[prost(bool, tag = "6")]
    deprecated: bool,
}

#[derive(Clone, PartialEq, Message)]
struct AttributeMessage {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(bytes, tag = "2")]
    ty: Vec<u8>,
    #[prost(string, tag = "3")]
    description: String,
    #[prost(bool, tag = "4")]
    required: bool,
    #[prost(bool, tag = "5")]
    optional: bool,
    #[prost(bool, tag = "6")]
    computed: bool,
    #[prost(bool, tag = "7")]
    sensitive: bool,
    #[prost(int32, tag = "8")]
    description_kind: i32,
    #[prost(bool, tag = "9")]
    deprecated: bool,
}

/// What else an attribute has in protocol 5.
#[derive(Clone, PartialEq, Message)]
struct Attribute5Message {
    #[prost(bool, tag = "10")]
    write_only: bool,
}

/// What else an attribute has in protocol 6.
#[derive(Clone, PartialEq, Message)]
struct Attribute6Message {
    #[prost(message, optional, tag = "10")]
    nested: Option<ObjectMessage>,
    #[prost(bool, tag = "11")]
    write_only: bool,
}

#[derive(Clone, PartialEq, Message)]
struct ObjectMessage {
    #[prost(bytes = "vec", repeated, tag = "1")]
    attributes: Vec<Vec<u8>>,
    #[prost(int32, tag = "3")]
    nesting: i32,
}

#[derive(Clone, PartialEq, Message)]
struct NestedBlockMessage {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, optional, tag = "2")]
    block: Option<BlockMessage>,
    #[prost(int32, tag = "3")]
    nesting: i32,
    #[prost(int64, tag = "4")]
    min_items: i64,
    #[prost(int64, tag = "5")]
    max_items: i64,
}

#[derive(Clone, PartialEq, Message)]
struct FunctionMessage {
    #[prost(message, repeated, tag = "1")]
    parameters: Vec<ParameterMessage>,
    #[prost(message, optional, tag = "2")]
    variadic: Option<ParameterMessage>,
    #[prost(message, optional, tag = "3")]
    returns: Option<ReturnMessage>,
    #[prost(string, tag = "4")]
    summary: String,
    #[prost(string, tag = "5")]
    description: String,
    #[prost(string, tag = "7")]
    deprecation: String,
}

#[derive(Clone, PartialEq, Message)]
struct ParameterMessage {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(bytes, tag = "2")]
    ty: Vec<u8>,
    #[prost(bool, tag = "3")]
    allow_null: bool,
    #[prost(bool, tag = "4")]
    allow_unknown: bool,
    #[prost(string, tag = "5")]
    description: String,
}

#[derive(Clone, PartialEq, Message)]
struct ReturnMessage {
    #[prost(bytes, tag = "1")]
    ty: Vec<u8>,
}

/// The schema in a recorded reply of that protocol.
pub fn provider_schema(reply: &[u8], protocol: u8) -> ProviderSchema {
    let reply = ReplyMessage::decode(reply).expect("a reply");
    let wire = Wire { protocol };
    let schemas = |schemas: BTreeMap<String, SchemaMessage>| {
        schemas.into_iter().map(|(name, message)| (name.into(), wire.schema(message))).collect()
    };
    let functions = reply.functions.into_iter().map(|(name, message)| (name.into(), function(message)));
    let actions = reply.actions.into_iter().filter_map(|(name, action)| Some((name, action.schema?)));
    ProviderSchema {
        provider: reply.provider.map(|message| wire.schema(message)).unwrap_or_default(),
        resources: schemas(reply.resources),
        data_sources: schemas(reply.data_sources),
        functions: functions.collect(),
        ephemeral_resources: schemas(reply.ephemeral_resources),
        list_resources: schemas(reply.list_resources),
        actions: schemas(actions.collect()),
        ..ProviderSchema::default()
    }
}

/// The protocol of a recording.
struct Wire {
    protocol: u8,
}

impl Wire {
    fn schema(&self, message: SchemaMessage) -> Schema {
        Schema { version: message.version, block: self.block(message.block.unwrap_or_default()) }
    }

    fn block(&self, message: BlockMessage) -> Block {
        Block {
            attributes: message.attributes.iter().map(|bytes| self.attribute(bytes)).collect(),
            blocks: message.blocks.into_iter().map(|nested| self.nested_block(nested)).collect(),
            description: description(message.description, message.description_kind),
            deprecation: message.deprecated.then(String::new),
            computed: false,
        }
    }

    fn attribute(&self, bytes: &[u8]) -> Attribute {
        let message = AttributeMessage::decode(bytes).expect("an attribute");
        let (nested, write_only) = if self.protocol == 5 {
            (None, Attribute5Message::decode(bytes).expect("an attribute").write_only)
        } else {
            let rest = Attribute6Message::decode(bytes).expect("an attribute");
            (rest.nested, rest.write_only)
        };
        let ty = match nested {
            Some(object) => AttributeType::Nested(NestedObject {
                nesting: nesting(object.nesting),
                attributes: object.attributes.iter().map(|bytes| self.attribute(bytes)).collect(),
            }),
            None => AttributeType::Plain(type_json::decode(&message.ty).expect("a type")),
        };
        Attribute {
            name: Arc::from(message.name),
            ty,
            description: description(message.description, message.description_kind),
            required: message.required,
            optional: message.optional,
            computed: message.computed,
            sensitive: message.sensitive,
            write_only,
            deprecation: message.deprecated.then(String::new),
            annotations: None,
        }
    }

    fn nested_block(&self, message: NestedBlockMessage) -> NestedBlock {
        NestedBlock {
            name: Arc::from(message.name),
            nesting: nesting(message.nesting),
            block: self.block(message.block.unwrap_or_default()),
            min_items: message.min_items.unsigned_abs(),
            max_items: message.max_items.unsigned_abs(),
        }
    }
}

fn function(message: FunctionMessage) -> FunctionSignature {
    FunctionSignature {
        parameters: message.parameters.into_iter().map(parameter).collect(),
        variadic: message.variadic.map(parameter),
        returns: type_json::decode(&message.returns.unwrap_or_default().ty).expect("a type"),
        summary: message.summary,
        description: Description::from(message.description.as_str()),
        deprecation: Some(message.deprecation).filter(|text| !text.is_empty()),
    }
}

fn parameter(message: ParameterMessage) -> FunctionParameter {
    FunctionParameter {
        name: Arc::from(message.name),
        ty: type_json::decode(&message.ty).expect("a type"),
        allow_null: message.allow_null,
        allow_unknown: message.allow_unknown,
        description: Description::from(message.description.as_str()),
    }
}

fn description(text: String, kind: i32) -> Description {
    Description { text, kind: if kind == 1 { DescriptionKind::Markdown } else { DescriptionKind::Plain } }
}

fn nesting(number: i32) -> Nesting {
    match number {
        1 => Nesting::Single,
        2 => Nesting::List,
        3 => Nesting::Set,
        4 => Nesting::Map,
        5 => Nesting::Group,
        _ => panic!("no nesting has the number {number}"),
    }
}
