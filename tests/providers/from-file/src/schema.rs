//! Schemas as the framework wants them, from what the file says.

use anyhow::{Context as _, Result, bail, ensure};
use denobridge_core::cty::{Type, Value, convert, json, type_json};
use denobridge_core::schema::{Description, DescriptionKind, IdentityAttribute, IdentitySchema, Nesting, Schema};
use denobridge_framework::schema::{
    AttributeDefinition, BlockDefinition, NestedBlockDefinition, SchemaDefinition, TypeDefinition,
};
use serde_json::Value as Json;

use crate::format::{AttributeSpec, BlockSpec, IdentityPart, NestedBlockSpec, NestingSpec};

/// The schema of a component.
///
/// # Errors
/// A type, a default or an attribute makes no sense; which one is named.
pub fn schema(version: i64, spec: &BlockSpec) -> Result<Schema> {
    Ok(SchemaDefinition { version, root: block(spec)? }.build())
}

/// A type as the file writes it.
///
/// # Errors
/// It is not one.
pub fn parse_type(json: &Json) -> Result<Type> {
    type_json::decode(json.to_string().as_bytes()).with_context(|| format!("{json} is no type"))
}

/// A value of that type; of a dynamic one, whatever the JSON implies.
///
/// # Errors
/// The JSON is not a value of the type.
pub fn parse_value(value: &Json, ty: &Type) -> Result<Value> {
    if ty.has_dynamic() {
        let given = json::from_json(value, &json::implied_type(value))?;
        return convert::convert(&given, ty).with_context(|| format!("{value} is not {ty}"));
    }
    json::from_json(value, ty).with_context(|| format!("{value} is not {ty}"))
}

/// The schema of an identity; none where it has no parts.
///
/// # Errors
/// A type makes no sense.
pub fn identity(parts: &std::collections::BTreeMap<String, IdentityPart>) -> Result<Option<IdentitySchema>> {
    let mut attributes = Vec::new();
    for (name, part) in parts {
        attributes.push(IdentityAttribute {
            name: name.as_str().into(),
            ty: parse_type(&part.ty).with_context(|| format!("identity, {name}"))?,
            required_for_import: !part.optional,
            optional_for_import: part.optional,
            description: String::new(),
        });
    }
    Ok((!attributes.is_empty()).then_some(IdentitySchema { version: 0, attributes }))
}

fn block(spec: &BlockSpec) -> Result<BlockDefinition> {
    let mut definition = BlockDefinition {
        description: markdown(&spec.description),
        deprecation: spec.deprecated.clone(),
        ..BlockDefinition::default()
    };
    for (name, spec) in &spec.attributes {
        definition.attributes.push(attribute(name, spec)?);
    }
    for (name, spec) in &spec.blocks {
        definition.blocks.push(nested_block(name, spec).with_context(|| format!("block {name}"))?);
    }
    Ok(definition)
}

fn nested_block(name: &str, spec: &NestedBlockSpec) -> Result<NestedBlockDefinition> {
    let definition = NestedBlockDefinition::new(name, nesting(spec.nesting), block(&spec.schema)?);
    Ok(definition.at_least(spec.min_items).at_most(spec.max_items))
}

fn attribute(name: &str, spec: &AttributeSpec) -> Result<AttributeDefinition> {
    settled(name, spec).with_context(|| format!("attribute {name}"))
}

fn settled(name: &str, spec: &AttributeSpec) -> Result<AttributeDefinition> {
    let ty = match (&spec.ty, &spec.nested) {
        (Some(ty), None) => TypeDefinition::Plain(parse_type(ty)?),
        (None, Some(nested)) => {
            let attributes: Result<Vec<_>> =
                nested.attributes.iter().map(|(name, spec)| attribute(name, spec)).collect();
            TypeDefinition::Nested(nesting(nested.nesting), attributes?)
        }
        _ => bail!("it needs either `type` or `nested`"),
    };
    let default = match (&spec.default, &ty) {
        (None, _) => None,
        (Some(value), TypeDefinition::Plain(ty)) => Some(parse_value(value, ty)?),
        (Some(_), TypeDefinition::Nested(..)) => bail!("an attribute with attributes of its own cannot have a default"),
    };
    ensure!(spec.value.is_none() || spec.computed, "it has a `value`, so it must be `computed`");
    let mut definition = AttributeDefinition::new(name, ty);
    definition.required = spec.required;
    definition.optional = spec.optional;
    definition.computed = spec.computed;
    definition.sensitive = spec.sensitive;
    definition.write_only = spec.write_only;
    definition.default = default;
    definition.replace = spec.replace;
    definition.keep = spec.keep;
    definition.description = markdown(&spec.description);
    definition.deprecation = spec.deprecated.clone();
    Ok(definition)
}

fn markdown(text: &str) -> Description {
    Description { text: text.to_owned(), kind: DescriptionKind::Markdown }
}

/// How several objects are held.
pub fn nesting(spec: NestingSpec) -> Nesting {
    match spec {
        NestingSpec::Single => Nesting::Single,
        NestingSpec::Group => Nesting::Group,
        NestingSpec::List => Nesting::List,
        NestingSpec::Set => Nesting::Set,
        NestingSpec::Map => Nesting::Map,
    }
}
