//! A provider's schema.
//!
//! A component whose schema makes no sense is left out with a warning that names it and the attribute, so that one mistake
//! of a provider does not cost the user all of it. The provider's own configuration is nothing to do without: there it is
//! an error.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::{Type, type_json};
use denobridge_core::provider::GetProviderSchemaResponse;
use denobridge_core::schema::{
    Attribute, AttributeType, Block, Description, DescriptionKind, FunctionParameter, FunctionSignature,
    IdentityAttribute, IdentitySchema, NestedBlock, NestedObject, Nesting, ProviderSchema, Schema,
};
use denobridge_core::{Diagnostic, Diagnostics, limits};

use super::{diagnostics, server_capabilities};
use crate::proto::tfplugin6 as pb;

/// The whole schema of a provider. `identities` is its answer to a request of its own, where it knows that one.
pub(crate) fn provider_schema(
    response: pb::get_provider_schema::Response,
    identities: BTreeMap<String, pb::ResourceIdentitySchema>,
) -> GetProviderSchemaResponse {
    let mut messages = diagnostics(response.diagnostics);
    let provider = response.provider.map(schema).unwrap_or_else(|| Ok(Schema::default()));
    let provider = provider.unwrap_or_else(|fault| {
        messages.push(Diagnostic::error(SUMMARY, format!("Provider configuration: {fault}")));
        Schema::default()
    });
    let mut reader = Reader { messages: &mut messages };
    let actions = response.action_schemas.into_iter().filter_map(|(name, action)| Some((name, action.schema?)));
    let schema = ProviderSchema {
        provider,
        provider_meta: reader.component("provider_meta block", "", response.provider_meta, schema),
        resources: reader.components("resource", response.resource_schemas, schema),
        identities: reader.components("identity of the resource", identities, identity),
        data_sources: reader.components("data source", response.data_source_schemas, schema),
        ephemeral_resources: reader.components("ephemeral resource", response.ephemeral_resource_schemas, schema),
        list_resources: reader.components("list resource", response.list_resource_schemas, schema),
        state_stores: reader.components("state store", response.state_store_schemas, schema),
        actions: reader.components("action", actions, schema),
        functions: reader.components("function", response.functions, function),
    };
    GetProviderSchemaResponse {
        schema: Arc::new(schema),
        server_capabilities: server_capabilities(response.server_capabilities),
        diagnostics: messages,
    }
}

const SUMMARY: &str = "Provider has an invalid schema";

/// What is wrong, with the path to it.
type Fault = String;

struct Reader<'m> {
    messages: &'m mut Diagnostics,
}

impl Reader<'_> {
    fn components<W, S>(
        &mut self,
        kind: &str,
        components: impl IntoIterator<Item = (String, W)>,
        read: impl Fn(W) -> Result<S, Fault>,
    ) -> BTreeMap<Arc<str>, S> {
        let components = components.into_iter();
        let read = components.filter_map(|(name, wire)| {
            let schema = self.component(kind, &name, Some(wire), &read)?;
            Some((Arc::from(name), schema))
        });
        read.collect()
    }

    fn component<W, S>(
        &mut self,
        kind: &str,
        name: &str,
        wire: Option<W>,
        read: impl Fn(W) -> Result<S, Fault>,
    ) -> Option<S> {
        let fault = match read(wire?) {
            Ok(schema) => return Some(schema),
            Err(fault) => fault,
        };
        let whose = if name.is_empty() { kind.to_owned() } else { format!("{kind} {name}") };
        let detail = format!(
            "The {whose} is left out: {fault}. This is a bug in the provider; please report it to its developers."
        );
        self.messages.push(Diagnostic::warning(SUMMARY, detail));
        None
    }
}

fn schema(schema: pb::Schema) -> Result<Schema, Fault> {
    Ok(Schema { version: schema.version, block: block(schema.block.unwrap_or_default(), 0)? })
}

/// `depth` blocks and attributes are around this one. prost stops before our own limit does.
fn block(block: pb::schema::Block, depth: usize) -> Result<Block, Fault> {
    if depth > limits::MAX_DEPTH {
        return Err(format!("it is nested more than {} levels deep", limits::MAX_DEPTH));
    }
    let attributes = block.attributes.into_iter().map(|found| attribute(found, depth + 1));
    let blocks = block.block_types.into_iter().map(|found| nested_block(found, depth + 1));
    Ok(Block {
        attributes: attributes.collect::<Result<_, _>>()?,
        blocks: blocks.collect::<Result<_, _>>()?,
        description: description(block.description, block.description_kind),
        deprecation: deprecation(block.deprecated, block.deprecation_message),
        computed: block.computed,
    })
}

fn nested_block(nested: pb::schema::NestedBlock, depth: usize) -> Result<NestedBlock, Fault> {
    use pb::schema::nested_block::NestingMode;
    let name = nested.type_name.clone();
    let nesting = match nested.nesting() {
        NestingMode::Single => Nesting::Single,
        NestingMode::Group => Nesting::Group,
        NestingMode::List => Nesting::List,
        NestingMode::Set => Nesting::Set,
        NestingMode::Map => Nesting::Map,
        NestingMode::Invalid => return Err(format!("the block {name} has no nesting mode that we know")),
    };
    Ok(NestedBlock {
        nesting,
        block: block(nested.block.unwrap_or_default(), depth).map_err(within(&name))?,
        // A negative bound is none.
        min_items: u64::try_from(nested.min_items).unwrap_or(0),
        max_items: u64::try_from(nested.max_items).unwrap_or(0),
        name: name.into(),
    })
}

fn attribute(attribute: pb::schema::Attribute, depth: usize) -> Result<Attribute, Fault> {
    let name = attribute.name;
    let ty = match attribute.nested_type {
        Some(nested) => AttributeType::Nested(object(nested, &name, depth)?),
        None => AttributeType::Plain(type_of(&attribute.r#type).map_err(within(&name))?),
    };
    Ok(Attribute {
        name: name.into(),
        ty,
        description: description(attribute.description, attribute.description_kind),
        required: attribute.required,
        optional: attribute.optional,
        computed: attribute.computed,
        sensitive: attribute.sensitive,
        write_only: attribute.write_only,
        deprecation: deprecation(attribute.deprecated, attribute.deprecation_message),
        annotations: None,
    })
}

fn object(nested: pb::schema::Object, name: &str, depth: usize) -> Result<NestedObject, Fault> {
    use pb::schema::object::NestingMode;
    if depth > limits::MAX_DEPTH {
        return Err(format!("it is nested more than {} levels deep", limits::MAX_DEPTH));
    }
    let nesting = match nested.nesting() {
        NestingMode::Single => Nesting::Single,
        NestingMode::List => Nesting::List,
        NestingMode::Set => Nesting::Set,
        NestingMode::Map => Nesting::Map,
        NestingMode::Invalid => return Err(format!("the attribute {name} has no nesting mode that we know")),
    };
    let attributes = nested.attributes.into_iter().map(|found| attribute(found, depth + 1).map_err(within(name)));
    Ok(NestedObject { nesting, attributes: attributes.collect::<Result<_, _>>()? })
}

fn identity(schema: pb::ResourceIdentitySchema) -> Result<IdentitySchema, Fault> {
    let attributes = schema.identity_attributes.into_iter().map(|attribute| {
        Ok(IdentityAttribute {
            ty: type_of(&attribute.r#type).map_err(within(&attribute.name))?,
            name: attribute.name.into(),
            required_for_import: attribute.required_for_import,
            optional_for_import: attribute.optional_for_import,
            description: attribute.description,
        })
    });
    Ok(IdentitySchema { version: schema.version, attributes: attributes.collect::<Result<_, Fault>>()? })
}

fn function(function: pb::Function) -> Result<FunctionSignature, Fault> {
    let returns = function.r#return.unwrap_or_default();
    Ok(FunctionSignature {
        parameters: function.parameters.into_iter().map(parameter).collect::<Result<_, _>>()?,
        variadic: function.variadic_parameter.map(parameter).transpose()?,
        returns: type_of(&returns.r#type).map_err(within("its result"))?,
        summary: function.summary,
        description: description(function.description, function.description_kind),
        deprecation: deprecation(false, function.deprecation_message),
    })
}

fn parameter(parameter: pb::function::Parameter) -> Result<FunctionParameter, Fault> {
    Ok(FunctionParameter {
        ty: type_of(&parameter.r#type).map_err(within(&parameter.name))?,
        name: parameter.name.into(),
        allow_null: parameter.allow_null_value,
        allow_unknown: parameter.allow_unknown_values,
        description: description(parameter.description, parameter.description_kind),
    })
}

fn type_of(json: &[u8]) -> Result<Type, Fault> {
    type_json::decode(json).map_err(|error| format!("its type makes no sense ({error})"))
}

/// Puts a name before a fault that is further inside.
fn within(name: &str) -> impl Fn(Fault) -> Fault {
    move |fault| format!("{name}: {fault}")
}

fn description(text: String, kind: i32) -> Description {
    let markdown = kind == i32::from(pb::StringKind::Markdown);
    Description { text, kind: if markdown { DescriptionKind::Markdown } else { DescriptionKind::Plain } }
}

/// A message alone also says that something is deprecated: functions have no flag.
fn deprecation(deprecated: bool, message: String) -> Option<String> {
    (deprecated || !message.is_empty()).then_some(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute_of(name: &str, ty: &str) -> pb::schema::Attribute {
        pb::schema::Attribute {
            name: name.to_owned(),
            r#type: ty.to_owned().into(),
            required: true,
            ..pb::schema::Attribute::default()
        }
    }

    fn schema_of(attributes: Vec<pb::schema::Attribute>) -> pb::Schema {
        pb::Schema { version: 2, block: Some(pb::schema::Block { attributes, ..pb::schema::Block::default() }) }
    }

    #[test]
    fn a_schema_survives_the_wire() {
        let flagged = |name: &str, flag: fn(&mut Attribute)| {
            let mut attribute = Attribute::new(name, Type::list(Type::Number));
            flag(&mut attribute);
            attribute
        };
        let attributes = vec![
            flagged("a", |a| a.required = true),
            flagged("b", |a| (a.optional, a.computed) = (true, true)),
            flagged("c", |a| (a.sensitive, a.write_only) = (true, true)),
            flagged("d", |a| a.deprecation = Some(String::new())),
            Attribute::nested("e", Nesting::Map, vec![flagged("f", |a| a.description = "what".into())]),
        ];
        let inner = Block { attributes: vec![flagged("g", |a| a.optional = true)], ..Block::default() };
        let nested =
            |nesting| NestedBlock { name: "n".into(), nesting, block: inner.clone(), min_items: 1, max_items: 3 };
        let blocks = [Nesting::Single, Nesting::Group, Nesting::List, Nesting::Set, Nesting::Map].map(nested);
        let schema = Schema { version: 4, block: Block { attributes, blocks: blocks.into(), ..Block::default() } };
        let function = FunctionSignature {
            parameters: Vec::new(),
            variadic: None,
            returns: Type::Dynamic,
            summary: "short".to_owned(),
            description: "long".into(),
            deprecation: Some("use another".to_owned()),
        };
        let offered = ProviderSchema {
            provider: schema.clone(),
            provider_meta: Some(schema.clone()),
            resources: [("x_a".into(), schema.clone())].into(),
            identities: [("x_a".into(), IdentitySchema { version: 1, attributes: Vec::new() })].into(),
            data_sources: [("x_b".into(), schema.clone())].into(),
            ephemeral_resources: [("x_c".into(), schema.clone())].into(),
            list_resources: [("x_d".into(), schema.clone())].into(),
            state_stores: [("x_e".into(), schema.clone())].into(),
            actions: [("x_f".into(), schema)].into(),
            functions: [("f".into(), function)].into(),
        };
        let sent = GetProviderSchemaResponse { schema: Arc::new(offered), ..GetProviderSchemaResponse::default() };
        let identities = crate::wire6::identity_schemas(&sent.schema.identities);
        assert_eq!(provider_schema(crate::wire6::provider_schema(&sent), identities), sent);
    }

    #[test]
    fn a_component_that_makes_no_sense_is_left_out_and_named() {
        let mut odd = attribute_of("rules", "");
        odd.nested_type = Some(pb::schema::Object {
            attributes: vec![attribute_of("port", "\"nombre\"")],
            nesting: pb::schema::object::NestingMode::List.into(),
            ..pb::schema::Object::default()
        });
        let resource_schemas = [
            ("x_good".to_owned(), schema_of(vec![attribute_of("a", "\"string\"")])),
            ("x_bad".to_owned(), schema_of(vec![odd])),
        ];
        let response = pb::get_provider_schema::Response {
            resource_schemas: resource_schemas.into(),
            ..pb::get_provider_schema::Response::default()
        };
        let read = provider_schema(response, BTreeMap::new());
        assert_eq!(read.schema.resources.keys().map(|name| &**name).collect::<Vec<_>>(), ["x_good"]);
        let said: Vec<_> = read.diagnostics.iter().collect();
        assert_eq!(said.len(), 1);
        let start = "The resource x_bad is left out: rules: port: its type makes no sense";
        assert!(said[0].detail.starts_with(start), "{}", said[0].detail);
        assert!(!read.diagnostics.has_errors());
    }
}
