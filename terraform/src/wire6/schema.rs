//! Schemas. Annotations stay behind: the wire has no place for them.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::{Type, type_json};
use denobridge_core::provider::GetProviderSchemaResponse;
use denobridge_core::schema::{
    Attribute, AttributeType, Block, Description, DescriptionKind, FunctionParameter, FunctionSignature,
    IdentitySchema, NestedBlock, NestedObject, Nesting, Schema,
};

use super::{diagnostics, server_capabilities};
use crate::proto::tfplugin6 as pb;

/// The whole schema.
pub(crate) fn provider_schema(response: &GetProviderSchemaResponse) -> pb::get_provider_schema::Response {
    let offered = &response.schema;
    let actions = offered
        .actions
        .iter()
        .map(|(name, action)| (name.to_string(), pb::ActionSchema { schema: Some(schema(action)) }));
    pb::get_provider_schema::Response {
        provider: Some(schema(&offered.provider)),
        provider_meta: offered.provider_meta.as_ref().map(schema),
        resource_schemas: schemas(&offered.resources),
        data_source_schemas: schemas(&offered.data_sources),
        ephemeral_resource_schemas: schemas(&offered.ephemeral_resources),
        list_resource_schemas: schemas(&offered.list_resources),
        state_store_schemas: schemas(&offered.state_stores),
        action_schemas: actions.collect(),
        functions: functions(&offered.functions),
        server_capabilities: Some(server_capabilities(response.server_capabilities)),
        diagnostics: diagnostics(response.diagnostics.clone()),
    }
}

/// The identities of all resources that have one.
pub(crate) fn identity_schemas(
    identities: &BTreeMap<Arc<str>, IdentitySchema>,
) -> BTreeMap<String, pb::ResourceIdentitySchema> {
    use pb::resource_identity_schema::IdentityAttribute;
    let attributes = |schema: &IdentitySchema| {
        schema
            .attributes
            .iter()
            .map(|attribute| IdentityAttribute {
                name: attribute.name.to_string(),
                r#type: type_bytes(&attribute.ty),
                required_for_import: attribute.required_for_import,
                optional_for_import: attribute.optional_for_import,
                description: attribute.description.clone(),
            })
            .collect()
    };
    identities
        .iter()
        .map(|(name, schema)| {
            let schema =
                pb::ResourceIdentitySchema { version: schema.version, identity_attributes: attributes(schema) };
            (name.to_string(), schema)
        })
        .collect()
}

/// The signatures of all functions.
pub(crate) fn functions(functions: &BTreeMap<Arc<str>, FunctionSignature>) -> BTreeMap<String, pb::Function> {
    functions.iter().map(|(name, signature)| (name.to_string(), function(signature))).collect()
}

fn function(signature: &FunctionSignature) -> pb::Function {
    pb::Function {
        parameters: signature.parameters.iter().map(parameter).collect(),
        variadic_parameter: signature.variadic.as_ref().map(parameter),
        r#return: Some(pb::function::Return { r#type: type_bytes(&signature.returns) }),
        summary: signature.summary.clone(),
        description: signature.description.text.clone(),
        description_kind: kind(&signature.description),
        deprecation_message: deprecation(signature.deprecation.as_ref(), "This function is deprecated."),
    }
}

fn parameter(parameter: &FunctionParameter) -> pb::function::Parameter {
    pb::function::Parameter {
        name: parameter.name.to_string(),
        r#type: type_bytes(&parameter.ty),
        allow_null_value: parameter.allow_null,
        allow_unknown_values: parameter.allow_unknown,
        description: parameter.description.text.clone(),
        description_kind: kind(&parameter.description),
    }
}

fn schemas(schemas: &BTreeMap<Arc<str>, Schema>) -> BTreeMap<String, pb::Schema> {
    schemas.iter().map(|(name, component)| (name.to_string(), schema(component))).collect()
}

fn schema(schema: &Schema) -> pb::Schema {
    pb::Schema { version: schema.version, block: Some(block(&schema.block)) }
}

fn block(block: &Block) -> pb::schema::Block {
    pb::schema::Block {
        // Terraform keeps the version beside the root block and ignores this one.
        version: 0,
        attributes: block.attributes.iter().map(attribute).collect(),
        block_types: block.blocks.iter().map(nested_block).collect(),
        description: block.description.text.clone(),
        description_kind: kind(&block.description),
        deprecated: block.deprecation.is_some(),
        deprecation_message: block.deprecation.clone().unwrap_or_default(),
        computed: block.computed,
    }
}

fn nested_block(nested: &NestedBlock) -> pb::schema::NestedBlock {
    use pb::schema::nested_block::NestingMode;
    let nesting = match nested.nesting {
        Nesting::Single => NestingMode::Single,
        Nesting::Group => NestingMode::Group,
        Nesting::List => NestingMode::List,
        Nesting::Set => NestingMode::Set,
        Nesting::Map => NestingMode::Map,
    };
    pb::schema::NestedBlock {
        type_name: nested.name.to_string(),
        block: Some(block(&nested.block)),
        nesting: nesting.into(),
        min_items: i64::try_from(nested.min_items).unwrap_or(i64::MAX),
        max_items: i64::try_from(nested.max_items).unwrap_or(i64::MAX),
    }
}

fn attribute(attribute: &Attribute) -> pb::schema::Attribute {
    let (ty, nested_type) = match &attribute.ty {
        AttributeType::Plain(ty) => (type_bytes(ty), None),
        AttributeType::Nested(nested) => (bytes::Bytes::new(), Some(object(nested))),
    };
    pb::schema::Attribute {
        name: attribute.name.to_string(),
        r#type: ty,
        nested_type,
        description: attribute.description.text.clone(),
        description_kind: kind(&attribute.description),
        required: attribute.required,
        optional: attribute.optional,
        computed: attribute.computed,
        sensitive: attribute.sensitive,
        write_only: attribute.write_only,
        deprecated: attribute.deprecation.is_some(),
        deprecation_message: attribute.deprecation.clone().unwrap_or_default(),
    }
}

// Two fields of the message are deprecated and stay empty.
#[allow(deprecated)]
fn object(nested: &NestedObject) -> pb::schema::Object {
    use pb::schema::object::NestingMode;
    let nesting = match nested.nesting {
        // Nested attributes know no group; a single object is what comes nearest.
        Nesting::Single | Nesting::Group => NestingMode::Single,
        Nesting::List => NestingMode::List,
        Nesting::Set => NestingMode::Set,
        Nesting::Map => NestingMode::Map,
    };
    pb::schema::Object {
        attributes: nested.attributes.iter().map(attribute).collect(),
        nesting: nesting.into(),
        min_items: 0,
        max_items: 0,
    }
}

fn type_bytes(ty: &Type) -> bytes::Bytes {
    type_json::encode(ty).into()
}

fn kind(description: &Description) -> i32 {
    match description.kind {
        DescriptionKind::Plain => pb::StringKind::Plain,
        DescriptionKind::Markdown => pb::StringKind::Markdown,
    }
    .into()
}

/// Functions have no flag: an empty message would mean that the function is not deprecated.
fn deprecation(message: Option<&String>, default: &str) -> String {
    match message {
        None => String::new(),
        Some(message) if message.is_empty() => default.to_owned(),
        Some(message) => message.clone(),
    }
}

#[cfg(test)]
mod tests;
