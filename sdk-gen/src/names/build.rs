//! Building the tables from a schema, and refusing schemas whose names would clash.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::{ObjectType, Type};
use denobridge_core::limits::MAX_DEPTH;
use denobridge_core::schema::{Annotations, Attribute, AttributeType, Block, NestedBlock, Nesting, Schema};

use super::{ComponentNames, Field, ObjectNames, ResourceId, Shape, Source};
use crate::case::camel_case;
use crate::error::SchemaError;
use crate::native::{self, ComponentKind, Level};

/// The table of the provider's configuration.
pub(crate) fn build_provider(schema: &Schema) -> Result<Arc<ObjectNames>, SchemaError> {
    let place = Place { text: "provider configuration".to_owned(), level: Level::Provider, depth: 0 };
    block(&schema.block, &place)
}

/// The tables of a component.
pub(crate) fn build_component(
    kind: ComponentKind,
    type_name: &Arc<str>,
    token: Arc<str>,
    schema: &Schema,
) -> Result<Arc<ComponentNames>, SchemaError> {
    let place = Place { text: format!("{kind} {type_name}"), level: Level::Resource, depth: 0 };
    let fields = block(&schema.block, &place)?;
    let id = resource_id(&fields);
    Ok(Arc::new(ComponentNames { kind, token, type_name: Arc::clone(type_name), fields, id }))
}

fn resource_id(fields: &ObjectNames) -> ResourceId {
    match fields.by_terraform("id") {
        Some(field) if field.is_id => ResourceId::Computed,
        // Pulumi shows and stores ids in clear, so a sensitive attribute cannot be one.
        Some(field) if field.ty == Type::String && !field.sensitive && !field.write_only => ResourceId::Property,
        _ => ResourceId::Absent,
    }
}

/// Where in the schema the walk is.
struct Place {
    /// For messages.
    text: String,
    level: Level,
    depth: usize,
}

impl Place {
    fn inside(&self, name: &str) -> Result<Self, SchemaError> {
        let text = match self.level {
            Level::Nested => format!("{}.{name}", self.text),
            Level::Provider | Level::Resource => format!("{}, {name}", self.text),
        };
        if self.depth >= MAX_DEPTH {
            return Err(SchemaError::TooDeep { place: text });
        }
        Ok(Self { text, level: Level::Nested, depth: self.depth + 1 })
    }
}

fn block(block: &Block, place: &Place) -> Result<Arc<ObjectNames>, SchemaError> {
    let mut fields = attributes(&block.attributes, place)?;
    for nested in &block.blocks {
        fields.push(nested_block(nested, place)?);
    }
    table(fields, place)
}

fn attributes(attributes: &[Attribute], place: &Place) -> Result<Vec<Field>, SchemaError> {
    attributes.iter().map(|item| attribute(item, place)).collect()
}

fn attribute(attribute: &Attribute, place: &Place) -> Result<Field, SchemaError> {
    let inside = place.inside(&attribute.name)?;
    let (shape, source) = match &attribute.ty {
        AttributeType::Plain(ty) => (shape(ty, &inside)?, Source::Attribute),
        AttributeType::Nested(nested) => {
            let objects = table(attributes(&nested.attributes, &inside)?, &inside)?;
            (wrap(nested.nesting, Shape::Object(objects)), Source::NestedAttribute(nested.nesting))
        }
    };
    let ty = attribute.implied_type();
    let is_id = place.level == Level::Resource
        && &*attribute.name == "id"
        && ty == Type::String
        && attribute.computed
        && !attribute.required
        && !attribute.optional
        && !attribute.sensitive;
    let names = names(&attribute.name, attribute.annotations.as_deref(), is_id, place)?;
    Ok(Field {
        ty,
        shape,
        source,
        required: attribute.required,
        optional: attribute.optional,
        computed: attribute.computed,
        // Write-only values are kept nowhere in clear: under Pulumi, inputs are stored.
        sensitive: attribute.sensitive || attribute.write_only,
        write_only: attribute.write_only,
        is_id,
        annotations: attribute.annotations.clone(),
        ..names
    })
}

fn nested_block(nested: &NestedBlock, place: &Place) -> Result<Field, SchemaError> {
    let content = block(&nested.block, &place.inside(&nested.name)?)?;
    Ok(Field {
        ty: nested.implied_type(),
        shape: wrap(nested.nesting, Shape::Object(content)),
        source: Source::Block(nested.nesting),
        required: nested.min_items > 0,
        optional: nested.min_items == 0,
        computed: nested.block.computed,
        ..names(&nested.name, None, false, place)?
    })
}

fn member(name: &Arc<str>, ty: &Type, object: &ObjectType, place: &Place) -> Result<Field, SchemaError> {
    let optional = object.optional.contains(name);
    Ok(Field {
        ty: ty.without_optional(),
        shape: shape(ty, &place.inside(name)?)?,
        required: !optional,
        optional,
        ..names(name, None, false, place)?
    })
}

/// The structure of a type.
fn shape(ty: &Type, place: &Place) -> Result<Shape, SchemaError> {
    Ok(match ty {
        Type::String => Shape::String,
        Type::Number => Shape::Number,
        Type::Bool => Shape::Bool,
        Type::Dynamic => Shape::Dynamic,
        Type::List(element) => Shape::List(Arc::new(shape(element, &place.inside("*")?)?)),
        Type::Set(element) => Shape::Set(Arc::new(shape(element, &place.inside("*")?)?)),
        Type::Map(element) => Shape::Map(Arc::new(shape(element, &place.inside("*")?)?)),
        Type::Object(object) => {
            let members = object.attributes.iter().map(|(name, ty)| member(name, ty, object, place));
            Shape::Object(table(members.collect::<Result<_, _>>()?, place)?)
        }
        Type::Tuple(elements) => {
            let elements =
                elements.iter().enumerate().map(|(index, element)| shape(element, &place.inside(&index.to_string())?));
            Shape::Tuple(elements.collect::<Result<_, _>>()?)
        }
    })
}

fn wrap(nesting: Nesting, object: Shape) -> Shape {
    match nesting {
        Nesting::Single | Nesting::Group => object,
        Nesting::List => Shape::List(Arc::new(object)),
        Nesting::Set => Shape::Set(Arc::new(object)),
        Nesting::Map => Shape::Map(Arc::new(object)),
    }
}

/// A field with its three names and nothing else set.
fn names(
    terraform: &Arc<str>,
    annotations: Option<&Annotations>,
    is_id: bool,
    place: &Place,
) -> Result<Field, SchemaError> {
    let explicit = annotations.and_then(|annotations| annotations.pulumi_name.clone());
    let pulumi = match explicit {
        _ if is_id => Arc::clone(terraform),
        Some(name) if native::is_reserved(place.level, &name) => {
            return Err(SchemaError::ReservedName {
                place: place.text.clone(),
                attribute: terraform.to_string(),
                name: name.to_string(),
            });
        }
        Some(name) => name,
        None => native::property_name(place.level, terraform).into(),
    };
    if let Some(problem) = native::property_name_problem(&pulumi) {
        return Err(SchemaError::InvalidName {
            place: place.text.clone(),
            attribute: terraform.to_string(),
            name: pulumi.to_string(),
            problem,
        });
    }
    let script = annotations.and_then(|annotations| annotations.script_name.clone());
    Ok(Field {
        terraform: Arc::clone(terraform),
        pulumi,
        script: script.unwrap_or_else(|| camel_case(terraform).into()),
        ty: Type::Dynamic,
        shape: Shape::Dynamic,
        source: Source::Attribute,
        required: false,
        optional: false,
        computed: false,
        sensitive: false,
        write_only: false,
        flattened: false,
        is_id: false,
        annotations: None,
    })
}

/// Sorts fields into a table; refuses names that stand for two of them.
fn table(mut fields: Vec<Field>, place: &Place) -> Result<Arc<ObjectNames>, SchemaError> {
    fields.sort_by(|left, right| left.terraform.cmp(&right.terraform));
    unique(&fields, "Terraform", place, |field| field.terraform.to_string())?;
    // Generators for some languages drop what is no letter or digit and do not tell upper from lower case.
    unique(&fields, "Pulumi programs", place, |field| {
        field
            .pulumi
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|character| character.to_ascii_lowercase())
            .collect()
    })?;
    unique(&fields, "scripts", place, |field| field.script.to_string())?;
    Ok(Arc::new(ObjectNames::new(fields)))
}

fn unique(
    fields: &[Field],
    language: &'static str,
    place: &Place,
    key: impl Fn(&Field) -> String,
) -> Result<(), SchemaError> {
    let mut seen: BTreeMap<String, &Field> = BTreeMap::new();
    for field in fields {
        if let Some(first) = seen.insert(key(field), field) {
            let name = match language {
                "scripts" => &field.script,
                "Terraform" => &field.terraform,
                _ => &field.pulumi,
            };
            return Err(SchemaError::NameCollision {
                place: place.text.clone(),
                first: first.terraform.to_string(),
                second: field.terraform.to_string(),
                name: name.to_string(),
                language,
            });
        }
    }
    Ok(())
}
