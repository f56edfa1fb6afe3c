//! What is a function in Pulumi: data sources, ephemeral resources, list resources and functions.

use denobridge_core::schema::{Description, FunctionParameter, FunctionSignature, Schema};

use super::defaults;
use super::docs::{self, Docs};
use super::spec::{FunctionSpec, ObjectTypeSpec, Properties, PropertySpec, ReturnSpec, TypeSpec};
use super::types::{Side, TypeWriter};
use super::{own_properties, place_of, pulumi_names, select};
use crate::error::SchemaError;
use crate::languages;
use crate::names::{ComponentNames, Field, ObjectNames, Returns};
use crate::native::{ComponentKind, RESULT};

/// A data source, an ephemeral resource or a list resource as a function called `name`.
pub(super) fn of_schema(
    name: &str,
    names: &ComponentNames,
    schema: &Schema,
    types: &mut TypeWriter<'_>,
) -> Result<FunctionSpec, SchemaError> {
    let fields = &names.fields;
    let all = types.root(name, &place_of(names), fields, Docs::Block(&schema.block), Side::Input)?;
    let mut inputs = select(fields, &all, Field::is_input);
    inputs.extend(own_properties(names, types)?);
    defaults::add(&mut inputs, fields);
    let inputs = object(inputs, pulumi_names(fields, |field| field.required));
    let outputs = match &names.returns {
        Returns::Fields => {
            let mut properties = select(fields, &all, Field::is_output);
            if names.kind == ComponentKind::EphemeralResource {
                // What was opened is a secret, whatever the schema says of it, apart from what the program has said.
                fields.properties().filter(|field| !field.is_input()).for_each(|field| {
                    properties.entry(field.pulumi.to_string()).and_modify(|property| property.secret = true);
                });
            }
            let required = pulumi_names(fields, |field| field.is_output() && (field.required || field.computed));
            Some(ReturnSpec::Object(object(properties, required)))
        }
        returns => Some(returned(name, names, returns, types)?),
    };
    Ok(FunctionSpec {
        description: docs::description(&schema.block.description),
        inputs: Some(inputs).filter(|inputs| !inputs.properties.is_empty()),
        outputs,
        deprecation_message: docs::deprecation(schema.block.deprecation.as_deref()),
        ..FunctionSpec::default()
    })
}

/// A provider's function as a function called `name`.
pub(super) fn of_signature(
    name: &str,
    names: &ComponentNames,
    signature: &FunctionSignature,
    types: &mut TypeWriter<'_>,
) -> Result<FunctionSpec, SchemaError> {
    let fields = &names.fields;
    let mut inputs = types.root(name, &place_of(names), fields, Docs::None, Side::Input)?;
    for parameter in parameters(signature) {
        if let Some(property) = fields.by_terraform(&parameter.name).and_then(|field| inputs.get_mut(&*field.pulumi)) {
            property.description = docs::description(&parameter.description);
        }
    }
    let inputs = object(inputs, pulumi_names(fields, |field| field.required));
    Ok(FunctionSpec {
        description: described(signature),
        inputs: Some(inputs).filter(|inputs| !inputs.properties.is_empty()),
        multi_argument_inputs: positions(signature, fields),
        outputs: Some(returned(name, names, &names.returns, types)?),
        deprecation_message: docs::deprecation(signature.deprecation.as_deref()),
    })
}

/// See [`crate::PackageOptions::primitive_results_in_objects`]. The answer to a call has that form anyway.
pub(super) fn put_primitive_result_in_object(function: &mut FunctionSpec) {
    let primitives = [TypeSpec::string(), TypeSpec::number(), TypeSpec::integer(), TypeSpec::boolean()];
    if let Some(ReturnSpec::Value(ty)) = &function.outputs
        && primitives.contains(ty)
    {
        let property = PropertySpec { ty: ty.clone(), ..PropertySpec::default() };
        let properties = Properties::from([(RESULT.to_owned(), property)]);
        function.outputs = Some(ReturnSpec::Object(object(properties, vec![RESULT.to_owned()])));
    }
}

fn parameters(signature: &FunctionSignature) -> impl Iterator<Item = &FunctionParameter> {
    signature.parameters.iter().chain(&signature.variadic)
}

/// The inputs in the order of the parameters, so that SDKs take arguments by position; what takes all further arguments
/// is an array at the end. None where an argument that may be left out comes before one that may not, or is called by a
/// word that a language keeps for itself: then SDKs take one object, in which both are fine.
fn positions(signature: &FunctionSignature, fields: &ObjectNames) -> Vec<String> {
    let in_order: Vec<&Field> =
        parameters(signature).filter_map(|parameter| fields.by_terraform(&parameter.name)).collect();
    let reserved = in_order.iter().any(|field| languages::is_keyword(&field.pulumi));
    if reserved || !in_order.is_sorted_by_key(|field| !field.required) {
        return Vec::new();
    }
    in_order.iter().map(|field| field.pulumi.to_string()).collect()
}

/// The summary, and the description where that is more than the summary again.
fn described(signature: &FunctionSignature) -> String {
    let summary = signature.summary.trim();
    let details = docs::description(&signature.description);
    if summary.is_empty() || details.starts_with(summary) {
        return details;
    }
    let summary = docs::description(&Description::from(summary));
    if details.is_empty() { summary } else { format!("{summary}\n\n{details}") }
}

fn returned(
    name: &str,
    names: &ComponentNames,
    returns: &Returns,
    types: &mut TypeWriter<'_>,
) -> Result<ReturnSpec, SchemaError> {
    // A function's parameters and its result may have types of one name; what a list finds is called so already.
    let suffix = if names.kind == ComponentKind::Function { "Result" } else { "" };
    let (name, place) = (format!("{name}{suffix}"), format!("the result of the {}", place_of(names)));
    let fields = match returns {
        Returns::Fields => &names.fields,
        Returns::Object(fields) => fields,
        Returns::Value(field) => {
            let field = ObjectNames::new(vec![(**field).clone()]);
            let mut properties = types.root(&name, &place, &field, Docs::None, Side::OutputOnly)?;
            let ty = properties.pop_first().map(|(_, PropertySpec { ty, .. })| ty);
            return Ok(ReturnSpec::Value(ty.unwrap_or_default()));
        }
    };
    let properties = types.root(&name, &place, fields, Docs::None, Side::OutputOnly)?;
    Ok(ReturnSpec::Object(object(properties, pulumi_names(fields, |field| field.required || field.computed))))
}

fn object(properties: Properties, required: Vec<String>) -> ObjectTypeSpec {
    ObjectTypeSpec { properties, required, ..ObjectTypeSpec::default() }
}
