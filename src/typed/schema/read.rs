//! Reading JSON Schema.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::Type;
use denobridge_sdk_gen::native::{self, Level};
use serde_json::{Map, Value as Json};

use super::flat::{Document, Flat};
use super::shape::{Facts, Property, Shape};
use super::{Missing, Place, from_script, with_defaults};
use crate::scripted::values;
use crate::typed::TypedError;
use crate::typed::error::SchemaFault;
use crate::typed::names::{camel_case, snake_case};

/// The properties of a schema that must be an object's.
pub(in crate::typed) fn read_object(schema: &Json, place: &Place<'_>) -> Result<Vec<Property>, TypedError> {
    let reader = Reader { document: Document { root: schema } };
    let flat = reader.document.flat(schema, &[], place)?;
    let is_object = flat.keywords.get("type").is_none_or(|name| name == "object") && !flat.recursive;
    if !is_object || flat.keywords.contains_key("prefixItems") || flat.keywords.contains_key("items") {
        return Err(place.fault(SchemaFault::NoObject));
    }
    reader.properties(&flat, place)
}

/// The structure of any schema, such as that of a parameter.
pub(in crate::typed) fn read_value(schema: &Json, place: &Place<'_>) -> Result<(Shape, Facts, bool), TypedError> {
    // Of what nothing is said, nothing is known.
    let schema = if schema.is_null() { &Json::Bool(true) } else { schema };
    let part = Reader { document: Document { root: schema } }.value(schema, &[], place)?;
    Ok((part.shape, part.facts, part.nullable))
}

struct Reader<'d> {
    document: Document<'d>,
}

/// What a schema comes to.
struct Part {
    shape: Shape,
    facts: Facts,
    nullable: bool,
}

impl Reader<'_> {
    fn properties(&self, flat: &Flat, place: &Place<'_>) -> Result<Vec<Property>, TypedError> {
        let required: Vec<&str> = array(&flat.keywords, "required").iter().filter_map(Json::as_str).collect();
        let mut names: BTreeMap<String, &String> = BTreeMap::new();
        let mut properties = Vec::new();
        for (script, schema) in object(&flat.keywords, "properties").into_iter().flatten() {
            let place = place.inside(script);
            let terraform = snake_case(script).ok_or_else(|| place.fault(SchemaFault::Unnameable))?;
            let Part { shape, mut facts, nullable } = self.value(schema, &flat.followed, &place)?;
            let shape = settled(shape, &mut facts);
            facts.default = self.default(schema, flat, &shape, &place)?;
            if let Some(other) = names.insert(terraform.clone(), script) {
                let (other, name) = (other.clone(), terraform);
                return Err(place.fault(SchemaFault::SameName { other, name }));
            }
            properties.push(Property {
                pulumi: script.as_str().into(),
                script: script.as_str().into(),
                terraform: terraform.into(),
                shape,
                required: required.contains(&script.as_str()),
                nullable,
                facts,
            });
        }
        Ok(properties)
    }

    fn default(
        &self,
        schema: &Json,
        around: &Flat,
        shape: &Shape,
        place: &Place<'_>,
    ) -> Result<Option<denobridge_core::cty::Value>, TypedError> {
        let flat = self.document.flat(schema, &around.followed, place)?;
        let Some(default) = flat.keywords.get("default").filter(|default| !default.is_null()) else { return Ok(None) };
        let wrong = |reason: String| place.fault(SchemaFault::Default(reason));
        let value = values::from_json(default).map_err(|error| wrong(error.to_string()))?;
        let mut misfits = Vec::new();
        let value = from_script(shape, &value, Missing::IsNull, &mut misfits);
        match misfits.first() {
            Some(misfit) => Err(wrong(misfit.to_string())),
            None => Ok(Some(with_defaults(shape, &value))),
        }
    }

    fn value(&self, schema: &Json, followed: &[String], place: &Place<'_>) -> Result<Part, TypedError> {
        let flat = self.document.flat(schema, followed, place)?;
        let mut facts = facts(&flat.keywords);
        if flat.recursive {
            return Ok(Part { shape: Shape::anything(), facts, nullable: flat.nullable });
        }
        let shape = match self.by_values(&flat, &mut facts) {
            Some(shape) => shape,
            None => self.by_type(&flat, &mut facts, place)?,
        };
        Ok(Part { shape, facts, nullable: flat.nullable })
    }

    /// What `enum` and `const` say.
    fn by_values(&self, flat: &Flat, facts: &mut Facts) -> Option<Shape> {
        let values: Vec<&Json> = match flat.keywords.get("const") {
            Some(value) => vec![value],
            None => flat.keywords.get("enum")?.as_array()?.iter().collect(),
        };
        let mut shapes: Vec<Shape> = values.iter().map(|value| shape_of(value)).collect();
        let is_one = |shape: &Shape| shapes.iter().all(|other| other.ty() == shape.ty());
        match shapes.first()? {
            first @ (Shape::Text | Shape::Number { .. }) if is_one(first) => {
                let whole = flat.keywords.get("type").is_some_and(|name| name == "integer")
                    || shapes.iter().all(|shape| matches!(shape, Shape::Number { whole: true }));
                let shape = if first.ty() == Type::Number { Shape::Number { whole } } else { Shape::Text };
                facts.allowed = values.iter().filter_map(|value| values::from_json(value).ok()).collect();
                facts.allowed.dedup();
                Some(shape)
            }
            Shape::Flag if is_one(&Shape::Flag) => Some(Shape::Flag),
            _ => Some(union(std::mem::take(&mut shapes))),
        }
    }

    fn by_type(&self, flat: &Flat, facts: &mut Facts, place: &Place<'_>) -> Result<Shape, TypedError> {
        let keywords = &flat.keywords;
        if let Some(Json::Array(types)) = keywords.get("type") {
            let shapes = types.iter().filter_map(Json::as_str).map(|name| simple(name).unwrap_or_else(Shape::anything));
            return Ok(union(shapes.collect()));
        }
        let name = keywords.get("type").and_then(Json::as_str);
        let is_described = keywords.contains_key("properties") || keywords.contains_key("items");
        let branches = [array(keywords, "anyOf"), array(keywords, "oneOf")].concat();
        // Beside a type, alternatives say something about its values and are validated.
        let decides = name.is_none_or(|name| name == "object") && !is_described;
        if decides && !branches.is_empty() {
            return self.alternatives(&branches, flat, facts, place);
        }
        match name {
            Some("object") => self.object(flat, facts, place),
            Some("array") => self.array(flat, facts, place),
            Some(name) => Ok(simple(name).unwrap_or_else(Shape::anything)),
            None if keywords.contains_key("properties") || keywords.contains_key("additionalProperties") => {
                self.object(flat, facts, place)
            }
            None if keywords.contains_key("items") || keywords.contains_key("prefixItems") => {
                self.array(flat, facts, place)
            }
            None => Ok(Shape::anything()),
        }
    }

    /// One primitive type, if all alternatives are of it, and otherwise a union.
    fn alternatives(
        &self,
        branches: &[Json],
        flat: &Flat,
        facts: &mut Facts,
        place: &Place<'_>,
    ) -> Result<Shape, TypedError> {
        let parts = branches
            .iter()
            .filter(|branch| **branch != Json::Bool(false))
            .map(|branch| self.value(branch, &flat.followed, place))
            .collect::<Result<Vec<_>, _>>()?;
        facts.sensitive |= parts.iter().any(|part| part.facts.sensitive || part.shape.has_sensitive());
        let closed = parts.iter().all(|part| !part.facts.allowed.is_empty());
        let allowed: Vec<_> = parts.iter().flat_map(|part| part.facts.allowed.clone()).collect();
        let shape = union(parts.into_iter().map(|part| part.shape).collect());
        if closed && matches!(shape, Shape::Text | Shape::Number { .. }) {
            facts.allowed = allowed;
        }
        Ok(shape)
    }

    fn object(&self, flat: &Flat, facts: &mut Facts, place: &Place<'_>) -> Result<Shape, TypedError> {
        if object(&flat.keywords, "properties").is_some_and(|properties| !properties.is_empty()) {
            let properties = self.properties(flat, place)?.into_iter();
            let properties = properties.map(|property| Property { pulumi: inner_name(&property.script), ..property });
            return Ok(Shape::Object(properties.collect()));
        }
        let anything = || Shape::Anything { union_of: vec![Type::map(Type::Dynamic)] };
        match flat.keywords.get("additionalProperties") {
            Some(schema @ Json::Object(_)) => {
                let element = self.value(schema, &flat.followed, &place.elements())?;
                facts.sensitive |= element.facts.sensitive;
                Ok(Shape::Map(Box::new(element.shape)))
            }
            _ => Ok(anything()),
        }
    }

    fn array(&self, flat: &Flat, facts: &mut Facts, place: &Place<'_>) -> Result<Shape, TypedError> {
        let items = flat.keywords.get("items").filter(|_| !flat.keywords.contains_key("prefixItems"));
        match items {
            Some(schema @ (Json::Object(_) | Json::Bool(true))) => {
                let element = self.value(schema, &flat.followed, &place.elements())?;
                facts.sensitive |= element.facts.sensitive;
                Ok(Shape::List(Box::new(element.shape)))
            }
            _ => {
                let parts = array(&flat.keywords, "prefixItems");
                for part in parts {
                    facts.sensitive |= self.value(part, &flat.followed, &place.elements())?.facts.sensitive;
                }
                Ok(Shape::Anything { union_of: vec![Type::list(Type::Dynamic)] })
            }
        }
    }
}

/// What can be an attribute of that structure: Terraform has no dynamic parts in collections, and no named attributes in a
/// collection of collections. Such a whole is anything, with the names that it has in scripts.
fn settled(shape: Shape, facts: &mut Facts) -> Shape {
    match shape {
        Shape::List(_) | Shape::Map(_) => {
            let element = match &shape {
                Shape::List(element) | Shape::Map(element) => element,
                _ => return shape,
            };
            let element = match &**element {
                Shape::Object(_) => Some(&**element),
                other => Some(other).filter(|other| !other.has_object()),
            };
            if element.is_some_and(|element| !element.has_anything()) {
                return shape;
            }
            facts.sensitive |= shape.has_sensitive();
            Shape::Anything { union_of: vec![shape.verbatim()] }
        }
        other => other,
    }
}

/// One shape for alternatives: a primitive where all are of that type, and otherwise a union of their types.
fn union(shapes: Vec<Shape>) -> Shape {
    let first = shapes.first().map(Shape::ty);
    let is_one = first.is_some_and(|first| first.is_primitive() && shapes.iter().all(|shape| shape.ty() == first));
    match shapes.first() {
        Some(Shape::Number { .. }) if is_one => {
            Shape::Number { whole: shapes.iter().all(|shape| matches!(shape, Shape::Number { whole: true })) }
        }
        Some(first) if is_one => first.clone(),
        _ => {
            let mut union_of: Vec<Type> = Vec::new();
            for shape in &shapes {
                let types = match shape {
                    // An alternative of which nothing is known leaves nothing to say of the whole.
                    Shape::Anything { union_of } if union_of.is_empty() => return Shape::anything(),
                    Shape::Anything { union_of } => union_of.clone(),
                    other => vec![other.verbatim()],
                };
                for ty in types {
                    if !union_of.contains(&ty) {
                        union_of.push(ty);
                    }
                }
            }
            Shape::Anything { union_of }
        }
    }
}

/// What a type is about which nothing more is said.
fn simple(name: &str) -> Option<Shape> {
    Some(match name {
        "string" => Shape::Text,
        "boolean" => Shape::Flag,
        "number" => Shape::Number { whole: false },
        "integer" => Shape::Number { whole: true },
        "object" => Shape::Anything { union_of: vec![Type::map(Type::Dynamic)] },
        "array" => Shape::Anything { union_of: vec![Type::list(Type::Dynamic)] },
        _ => return None,
    })
}

fn shape_of(value: &Json) -> Shape {
    match value {
        Json::String(_) => Shape::Text,
        Json::Bool(_) => Shape::Flag,
        Json::Number(number) => Shape::Number { whole: number.is_i64() || number.is_u64() },
        Json::Array(_) => Shape::Anything { union_of: vec![Type::list(Type::Dynamic)] },
        Json::Object(_) => Shape::Anything { union_of: vec![Type::map(Type::Dynamic)] },
        Json::Null => Shape::anything(),
    }
}

fn facts(keywords: &Map<String, Json>) -> Facts {
    let text = |name: &str| keywords.get(name).and_then(Json::as_str).filter(|text| !text.is_empty());
    let flag = |name: &str| keywords.get(name).and_then(Json::as_bool).unwrap_or(false);
    let deprecation = text("x-deprecated").map(str::to_owned);
    let is_deprecated = flag("deprecated") || flag("x-deprecated");
    Facts {
        description: text("description").or_else(|| text("title")).map(str::to_owned),
        deprecation: deprecation.or_else(|| is_deprecated.then(String::new)),
        sensitive: flag("x-sensitive"),
        replaces: flag("x-replaces"),
        autonamed: flag("x-autonamed"),
        default: None,
        allowed: Vec::new(),
    }
}

/// The name in Pulumi of a property that is inside of another. What the names at the root may be is the component's affair.
fn inner_name(script: &str) -> Arc<str> {
    if native::is_property_name(Level::Nested, script) {
        return script.into();
    }
    format!("{}Value", camel_case(&snake_case(script).unwrap_or_default())).into()
}

fn array<'k>(keywords: &'k Map<String, Json>, name: &str) -> &'k [Json] {
    keywords.get(name).and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn object<'k>(keywords: &'k Map<String, Json>, name: &str) -> Option<&'k Map<String, Json>> {
    keywords.get(name).and_then(Json::as_object)
}
