//! Types of properties, and the named types that they refer to.

use std::collections::BTreeMap;

use denobridge_core::cty::{Type, Value, ValueKind};
use serde_json::json;

use super::docs::{self, Docs};
use super::spec::{ComplexTypeSpec, EnumTypeSpec, EnumValueSpec, ObjectTypeSpec, Properties, PropertySpec, TypeSpec};
use crate::case::pascal_case;
use crate::error::SchemaError;
use crate::names::{Field, ObjectNames, Shape};
use crate::native;

/// Collects the named types of a package.
pub(super) struct TypeWriter<'p> {
    package: &'p str,
    types: BTreeMap<String, ComplexTypeSpec>,
    /// What each type is for, by token in lower case.
    owners: BTreeMap<String, String>,
}

/// Whether programs write the values of a type or only read them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Input,
    OutputOnly,
}

/// An object type or attribute on the way down.
#[derive(Clone)]
struct Place<'s> {
    /// The name a type for this place gets.
    type_name: String,
    /// For messages.
    path: String,
    docs: Docs<'s>,
    side: Side,
}

impl<'p> TypeWriter<'p> {
    pub(super) fn new(package: &'p str) -> Self {
        Self { package, types: BTreeMap::new(), owners: BTreeMap::new() }
    }

    pub(super) fn finish(self) -> BTreeMap<String, ComplexTypeSpec> {
        self.types
    }

    /// The properties of a resource, function or provider called `name` in Pulumi and `path` in messages.
    pub(super) fn root(
        &mut self,
        name: &str,
        path: &str,
        fields: &ObjectNames,
        docs: Docs<'_>,
        side: Side,
    ) -> Result<Properties, SchemaError> {
        // Functions begin with a small letter, types do not.
        let parent = Place { type_name: pascal_case(name), path: format!("{path}, "), docs, side };
        fields.properties().map(|field| Ok((field.pulumi.to_string(), self.property(field, &parent)?))).collect()
    }

    fn property(&mut self, field: &Field, parent: &Place<'_>) -> Result<PropertySpec, SchemaError> {
        let entry = parent.docs.find(&field.terraform);
        let place = Place {
            type_name: native::type_name(&parent.type_name, &field.pulumi),
            path: format!("{}{}", parent.path, field.terraform),
            docs: entry.inside,
            side: if field.is_input() { parent.side } else { Side::OutputOnly },
        };
        Ok(PropertySpec {
            ty: self.field_type(field, &place)?,
            description: docs::description(&entry.description),
            deprecation_message: docs::deprecation(entry.deprecation),
            secret: field.sensitive,
            will_replace_on_changes: field.replaces(),
            default: None,
            language: None,
        })
    }

    fn field_type(&mut self, field: &Field, place: &Place<'_>) -> Result<TypeSpec, SchemaError> {
        if let Some(annotations) = &field.annotations {
            if !annotations.union_of.is_empty() {
                return Ok(TypeSpec::one_of(annotations.union_of.iter().map(verbatim)));
            }
            let primitive = matches!(field.shape, Shape::String | Shape::Number | Shape::Bool);
            if !annotations.enum_values.is_empty() && primitive {
                return self.enumeration(field, &annotations.enum_values, place);
            }
        }
        if field.shape == Shape::Number && field.is_whole() {
            return Ok(TypeSpec::integer());
        }
        match field.shape.element() {
            Some(element) if field.flattened => self.shape_type(element, place),
            _ => self.shape_type(&field.shape, place),
        }
    }

    fn shape_type(&mut self, shape: &Shape, place: &Place<'_>) -> Result<TypeSpec, SchemaError> {
        Ok(match shape {
            Shape::String => TypeSpec::string(),
            Shape::Number => TypeSpec::number(),
            Shape::Bool => TypeSpec::boolean(),
            Shape::Dynamic => TypeSpec::any(),
            Shape::List(element) | Shape::Set(element) => TypeSpec::array(self.shape_type(element, place)?),
            Shape::Map(element) => TypeSpec::map(self.shape_type(element, place)?),
            Shape::Object(names) => self.object(names, place)?,
            Shape::Tuple(elements) => {
                let elements = elements.iter().enumerate().map(|(index, element)| {
                    let mut place = place.clone();
                    place.type_name.push_str(&format!("Item{}", index + 1));
                    place.path.push_str(&format!("[{index}]"));
                    self.shape_type(element, &place)
                });
                TypeSpec::array(TypeSpec::one_of(elements.collect::<Result<Vec<_>, _>>()?))
            }
        })
    }

    fn object(&mut self, names: &ObjectNames, place: &Place<'_>) -> Result<TypeSpec, SchemaError> {
        let inside = Place { path: format!("{}.", place.path), ..place.clone() };
        let mut properties = Properties::new();
        let (mut for_inputs, mut for_outputs) = (Vec::new(), Vec::new());
        // What is only given back has no write-only parts.
        let kept = |field: &&Field| !(field.write_only && place.side == Side::OutputOnly);
        for field in names.properties().filter(kept) {
            properties.insert(field.pulumi.to_string(), self.property(field, &inside)?);
            if field.required {
                for_inputs.push(field.pulumi.to_string());
            }
            if (field.required || field.computed) && !field.write_only {
                for_outputs.push(field.pulumi.to_string());
            }
        }
        for_inputs.sort();
        for_outputs.sort();
        let spec = match place.side {
            Side::OutputOnly => ObjectTypeSpec { properties, required: for_outputs, ..ObjectTypeSpec::default() },
            // There is one list for both directions. What inputs need decides, except that a write-only property is
            // never in outputs; TypeScript alone can tell the directions apart.
            Side::Input => {
                let required: Vec<_> = for_inputs.iter().filter(|name| for_outputs.contains(name)).cloned().collect();
                let language = (for_inputs != for_outputs)
                    .then(|| json!({"nodejs": {"requiredInputs": for_inputs, "requiredOutputs": for_outputs}}));
                ObjectTypeSpec { properties, required, language, ..ObjectTypeSpec::default() }
            }
        };
        self.add(ComplexTypeSpec::Object(spec), place)
    }

    fn enumeration(&mut self, field: &Field, values: &[Value], place: &Place<'_>) -> Result<TypeSpec, SchemaError> {
        let ty = if field.is_whole() { TypeSpec::integer() } else { self.shape_type(&field.shape, place)? };
        let error = |problem: String| SchemaError::InvalidEnum { attribute: place.path.clone(), problem };
        let mut specs: Vec<EnumValueSpec> = Vec::new();
        for (index, value) in values.iter().enumerate() {
            if value.ty() != field.ty {
                return Err(error(format!("value {} is not a {}", index + 1, field.ty)));
            }
            let value = match value.kind() {
                ValueKind::String(text) => json!(&**text),
                ValueKind::Bool(value) => json!(value),
                // The number keeps all its digits: serde_json is built with arbitrary precision.
                ValueKind::Number(number) => {
                    number.to_string().parse().map_err(|_| error(format!("value {} has no JSON form", index + 1)))?
                }
                _ => return Err(error(format!("value {} is null or unknown", index + 1))),
            };
            if specs.iter().any(|spec| spec.value == value) {
                return Err(error(format!("value {} is given twice", index + 1)));
            }
            let nameless = value.as_str().is_some_and(|text| !text.contains(|c: char| c.is_ascii_alphanumeric()));
            specs.push(EnumValueSpec { name: nameless.then(|| format!("Value{}", index + 1)), value });
        }
        self.add(ComplexTypeSpec::Enum(EnumTypeSpec { ty, values: specs }), place)
    }

    fn add(&mut self, spec: ComplexTypeSpec, place: &Place<'_>) -> Result<TypeSpec, SchemaError> {
        let token = native::token(self.package, &place.type_name);
        if let Some(first) = self.owners.insert(token.to_lowercase(), place.path.clone()) {
            return Err(SchemaError::TokenCollision { first, second: place.path.clone(), token });
        }
        let reference = TypeSpec::named(&token);
        self.types.insert(token, spec);
        Ok(reference)
    }
}

/// The type of one member of a union. The wire carries unions as dynamic values, in which nothing is renamed, so the
/// attributes of objects get no named type: its names would promise a translation that does not happen.
fn verbatim(ty: &Type) -> TypeSpec {
    match ty {
        Type::String => TypeSpec::string(),
        Type::Number => TypeSpec::number(),
        Type::Bool => TypeSpec::boolean(),
        Type::Dynamic => TypeSpec::any(),
        Type::List(element) | Type::Set(element) => TypeSpec::array(verbatim(element)),
        Type::Map(element) => TypeSpec::map(verbatim(element)),
        Type::Object(_) => TypeSpec::map(TypeSpec::any()),
        Type::Tuple(elements) => TypeSpec::array(TypeSpec::one_of(elements.iter().map(verbatim))),
    }
}
