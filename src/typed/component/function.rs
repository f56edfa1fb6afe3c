//! A function of a package.
//!
//! Terraform calls functions of a provider that it has not configured, so their scripts have neither configuration nor
//! permissions.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::cty::{Type, Value};
use denobridge_core::provider::FunctionError;
use denobridge_core::schema::{FunctionParameter, FunctionSignature};
use denobridge_framework::Context;
use denobridge_framework::erased::{ErasedFunction, argument_error};

use crate::scripted::CallScript;
use crate::typed::error::SchemaFault;
use crate::typed::names::{camel_case, snake_case};
use crate::typed::schema::{Facts, Missing, Place, Shape, from_script, markdown, read_value, to_script};
use crate::typed::validation::ValueChecker;
use crate::typed::{FunctionDescription, ParameterDescription, TypedError, deprecation};

/// What all functions of a package are called with.
pub(in crate::typed) type FunctionScripts = Arc<CallScript>;

/// A function of a package.
pub(in crate::typed) struct TypedFunction {
    scripts: FunctionScripts,
    /// Where Deno finds the script.
    location: String,
    /// Its file in the package.
    file: String,
    /// Its name in the script.
    name: String,
    signature: FunctionSignature,
    parameters: Vec<Parameter>,
    variadic: Option<Parameter>,
    returns: Shape,
}

struct Parameter {
    shape: Shape,
    checker: ValueChecker,
}

/// How many arguments of the generic function come before those of the script's.
const GENERIC_ARGUMENTS: i64 = 2;

impl TypedFunction {
    /// Reads a function of a script. The name is Terraform's.
    pub fn read(
        file: &str,
        location: &str,
        (name, described): (&str, &FunctionDescription),
        scripts: FunctionScripts,
    ) -> Result<(String, Self), TypedError> {
        let place = Place::new(file, "functions").inside(name);
        let terraform = snake_case(name).ok_or_else(|| place.fault(SchemaFault::Unnameable))?;
        let mut names = BTreeMap::new();
        let mut read = |parameter: &ParameterDescription| parameter_of(parameter, &place, &mut names);
        let parameters = described.parameters.iter().map(&mut read).collect::<Result<Vec<_>, _>>()?;
        let variadic = described.variadic.as_ref().map(&mut read).transpose()?;
        let (returns, ..) = read_value(&described.returns, &place.inside("returns"))?;
        let returns = plain(returns);
        let description = described.description.as_deref();
        let (signatures, parameters): (Vec<_>, Vec<_>) = parameters.into_iter().unzip();
        let (last, variadic) =
            variadic.map_or((None, None), |(signature, parameter)| (Some(signature), Some(parameter)));
        let signature = FunctionSignature {
            parameters: signatures,
            variadic: last,
            returns: returns.ty(),
            summary: description.and_then(|text| text.lines().next()).unwrap_or(name).to_owned(),
            description: markdown(description),
            deprecation: deprecation(described.deprecated.as_ref()),
        };
        let (location, file, name) = (location.to_owned(), file.to_owned(), name.to_owned());
        Ok((terraform, Self { scripts, location, file, name, signature, parameters, variadic, returns }))
    }

    /// What the script gets for the arguments.
    fn arguments(&self, arguments: Vec<Value>) -> Result<Vec<Value>, FunctionError> {
        let converted = arguments.into_iter().enumerate().map(|(index, value)| {
            let Some(parameter) = self.parameters.get(index).or(self.variadic.as_ref()) else { return Ok(value) };
            let value = to_script(&parameter.shape, &value);
            match parameter.checker.check(&value).first() {
                Some(rule) => Err(argument_error(index, format!("the value {rule}"))),
                None => Ok(value),
            }
        });
        converted.collect()
    }
}

fn parameter_of(
    described: &ParameterDescription,
    place: &Place<'_>,
    names: &mut BTreeMap<String, String>,
) -> Result<(FunctionParameter, Parameter), TypedError> {
    let place = place.inside(&described.name);
    let name = snake_case(&described.name).ok_or_else(|| place.fault(SchemaFault::Unnameable))?;
    if let Some(other) = names.insert(name.clone(), described.name.clone()) {
        return Err(place.fault(SchemaFault::SameName { other, name }));
    }
    let (shape, Facts { description, .. }, nullable) = read_value(&described.schema, &place)?;
    let shape = plain(shape);
    let anything = serde_json::Value::Bool(true);
    let schema = if described.schema.is_null() { &anything } else { &described.schema };
    let checker = ValueChecker::new(schema, &place)?;
    let parameter = FunctionParameter {
        name: name.into(),
        ty: shape.ty(),
        allow_null: nullable || shape.ty() == Type::Dynamic,
        allow_unknown: false,
        description: markdown(described.description.as_deref().or(description.as_deref())),
    };
    Ok((parameter, Parameter { shape, checker }))
}

/// What can be a parameter or a result: the types of functions have neither optional members nor names of their own, so an
/// object with either is anything, and so is what holds one.
fn plain(shape: Shape) -> Shape {
    fn is_plain(shape: &Shape, in_collection: bool) -> bool {
        match shape {
            Shape::List(element) | Shape::Map(element) => is_plain(element, true),
            Shape::Object(properties) => properties.iter().all(|property| {
                property.required
                    && !property.nullable
                    && camel_case(&property.terraform) == *property.script
                    && is_plain(&property.shape, in_collection)
            }),
            Shape::Anything { .. } => !in_collection,
            _ => true,
        }
    }
    if is_plain(&shape, false) { shape } else { Shape::Anything { union_of: vec![shape.verbatim()] } }
}

#[async_trait]
impl ErasedFunction for TypedFunction {
    fn signature(&self) -> FunctionSignature {
        self.signature.clone()
    }

    async fn call(&self, context: &Context, arguments: Vec<Value>) -> Result<Value, FunctionError> {
        let mut generic = vec![Value::string(&self.location), Value::string(&self.name)];
        generic.extend(self.arguments(arguments)?);
        let result = self.scripts.call(context, generic).await.map_err(|error| {
            let argument = error.argument.map(|argument| argument - GENERIC_ARGUMENTS);
            FunctionError { argument: argument.filter(|argument| *argument >= 0), ..error }
        })?;
        let mut misfits = Vec::new();
        let value = from_script(&self.returns, &result, Missing::Misfits, &mut misfits);
        let Some(misfit) = misfits.first() else { return Ok(value) };
        let text = format!(
            "script {} answered {} with something else than its schema says: {}",
            self.file,
            self.name,
            misfit.clone().within("result")
        );
        Err(FunctionError { text, argument: None })
    }
}
