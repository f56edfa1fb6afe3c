//! Building the tables from a schema, and refusing schemas whose names would clash.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::Type;
use denobridge_core::limits::MAX_DEPTH;
use denobridge_core::schema::{
    Annotations, Attribute, AttributeType, Block, FunctionSignature, NestedBlock, Nesting, ProviderSchema, Schema,
};

use super::{ComponentNames, Field, ObjectNames, ResourceId, Returns, Shape, Source};
use crate::case::camel_case;
use crate::error::SchemaError;
use crate::native::{self, ComponentKind, Level};

/// The table of the provider's configuration.
pub(crate) fn build_provider(schema: &Schema) -> Result<Arc<ObjectNames>, SchemaError> {
    let place = Place { text: "provider configuration".to_owned(), level: Level::Provider, depth: 0 };
    block(&schema.block, &place)
}

/// The tables of a component with a schema. `all` is the schema of the provider that has it.
pub(crate) fn build_component(
    kind: ComponentKind,
    type_name: &Arc<str>,
    token: Arc<str>,
    schema: &Schema,
    all: &ProviderSchema,
) -> Result<Arc<ComponentNames>, SchemaError> {
    let place = Place::root(kind, type_name);
    let fields = block(&schema.block, &place)?;
    let id = if kind == ComponentKind::Resource { resource_id(&fields) } else { ResourceId::Absent };
    let returns = match kind {
        ComponentKind::ListResource => Returns::Object(list_result(type_name, all, &place)?),
        _ => Returns::Fields,
    };
    let (own, type_name) = (own_inputs(kind), Arc::clone(type_name));
    let parameters = Arc::default();
    Ok(Arc::new(ComponentNames { kind, token, type_name, fields, own, parameters, returns, id }))
}

/// The tables of a function.
pub(crate) fn build_function(
    name: &Arc<str>,
    token: Arc<str>,
    signature: &FunctionSignature,
) -> Result<Arc<ComponentNames>, SchemaError> {
    let kind = ComponentKind::Function;
    let place = Place::root(kind, name);
    let mut fields = Vec::new();
    for parameter in &signature.parameters {
        let (required, optional) = (!parameter.allow_null, parameter.allow_null);
        fields.push(Field { required, optional, ..member(&parameter.name, &parameter.ty, &place)? });
    }
    if let Some(rest) = &signature.variadic {
        fields.push(Field { optional: true, ..member(&rest.name, &Type::list(rest.ty.clone()), &place)? });
    }
    let returned = shape(&signature.returns, &place.inside("result")?)?;
    let returns = match returned {
        Shape::Object(names) => Returns::Object(names),
        shape => {
            let ty = signature.returns.without_optional();
            let field = Field::new(native::RESULT.into(), native::RESULT.into(), ty, shape);
            Returns::Value(Box::new(Field { computed: true, ..field }))
        }
    };
    let parameters = fields.iter().map(|field| Arc::clone(&field.terraform)).collect();
    let (fields, own, type_name) = (table(fields, &place)?, own_inputs(kind), Arc::clone(name));
    let id = ResourceId::Absent;
    Ok(Arc::new(ComponentNames { kind, token, type_name, fields, own, parameters, returns, id }))
}

/// What a component takes in Pulumi beside what its schema has.
pub(crate) fn own_inputs(kind: ComponentKind) -> Arc<ObjectNames> {
    let input = |terraform: &str, pulumi: &str, shape: Shape| Field {
        optional: true,
        ..Field::new(terraform.into(), pulumi.into(), shape.ty(), shape)
    };
    Arc::new(ObjectNames::new(match kind {
        ComponentKind::Action => vec![input("triggers", native::TRIGGERS, Shape::Dynamic)],
        ComponentKind::ListResource => vec![
            input("include_resource", native::INCLUDE_RESOURCE, Shape::Bool),
            input("limit", native::LIMIT, Shape::Number),
        ],
        _ => Vec::new(),
    }))
}

/// What a list finds: objects with what people call them, their identity if such objects have one, and, if it was asked
/// for, all there is to know about them.
fn list_result(type_name: &str, all: &ProviderSchema, place: &Place) -> Result<Arc<ObjectNames>, SchemaError> {
    let place = Place { level: Level::Nested, ..place.inside("results")? };
    let found = |terraform: &str, pulumi: &str, shape: Shape| Field {
        computed: true,
        ..Field::new(terraform.into(), pulumi.into(), shape.ty(), shape)
    };
    let mut fields = vec![found("display_name", "displayName", Shape::String)];
    if let Some(identity) = all.identities.get(type_name) {
        fields.push(found("identity", "identity", shape(&identity.implied_type(), &place.inside("identity")?)?));
    }
    if let Some(resource) = all.resources.get(type_name) {
        let object = Shape::Object(block(&resource.block, &place.inside("resource")?)?);
        // Only there if it was asked for.
        fields.push(Field { computed: false, optional: true, ..found("resource", "resource", object) });
    }
    let results = Shape::List(Arc::new(Shape::Object(Arc::new(ObjectNames::new(fields)))));
    Ok(Arc::new(ObjectNames::new(vec![found("results", "results", results)])))
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
    fn root(kind: ComponentKind, type_name: &str) -> Self {
        Self { text: format!("{kind} {type_name}"), level: kind.level(), depth: 0 }
    }

    fn inside(&self, name: &str) -> Result<Self, SchemaError> {
        let text = match self.level {
            Level::Nested => format!("{}.{name}", self.text),
            _ => format!("{}, {name}", self.text),
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

/// A field of a plain type that is neither required nor optional yet.
fn member(name: &Arc<str>, ty: &Type, place: &Place) -> Result<Field, SchemaError> {
    let shape = shape(ty, &place.inside(name)?)?;
    Ok(Field { ty: ty.without_optional(), shape, ..names(name, None, false, place)? })
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
            let members = object.attributes.iter().map(|(name, ty)| {
                let optional = object.optional.contains(name);
                Ok(Field { required: !optional, optional, ..member(name, ty, place)? })
            });
            Shape::Object(table(members.collect::<Result<_, _>>()?, place)?)
        }
        Type::Tuple(elements) => {
            let elements =
                elements.iter().enumerate().map(|(index, element)| shape(element, &place.inside(&index.to_string())?));
            Shape::Tuple(elements.collect::<Result<_, _>>()?)
        }
    })
}

/// What holds objects in that nesting.
pub(crate) fn wrap(nesting: Nesting, object: Shape) -> Shape {
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
    let script = script.unwrap_or_else(|| camel_case(terraform).into());
    Ok(Field { script, ..Field::new(Arc::clone(terraform), pulumi, Type::Dynamic, Shape::Dynamic) })
}

/// Sorts fields into a table; refuses names that stand for two of them.
fn table(mut fields: Vec<Field>, place: &Place) -> Result<Arc<ObjectNames>, SchemaError> {
    fields.sort_by(|left, right| left.terraform.cmp(&right.terraform));
    unique(fields.iter(), "Terraform", place, |field| field.terraform.to_string())?;
    // Generators for some languages drop what is no letter or digit and do not tell upper from lower case.
    unique(fields.iter(), "Pulumi programs", place, |field| {
        field
            .pulumi
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|character| character.to_ascii_lowercase())
            .collect()
    })?;
    // What has no name of its own in scripts is no script's: `id` may stand beside a script's `id` that is called otherwise.
    let is_scripts = |field: &&Field| field.annotations.as_ref().is_some_and(|given| given.script_name.is_some());
    unique(fields.iter().filter(is_scripts), "scripts", place, |field| field.script.to_string())?;
    Ok(Arc::new(ObjectNames::new(fields)))
}

fn unique<'f>(
    fields: impl Iterator<Item = &'f Field>,
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
