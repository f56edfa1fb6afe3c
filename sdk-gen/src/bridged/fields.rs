//! The tables of names of a bridged provider, which both the schema and the translation of values read.

use std::collections::BTreeSet;
use std::sync::Arc;

use denobridge_core::cty::Type;
use denobridge_core::limits::MAX_DEPTH;
use denobridge_core::schema::{
    Annotations, Attribute, AttributeType, Block, FunctionParameter, FunctionSignature, NestedBlock, Nesting,
    ProviderSchema,
};

use super::naming::{camel, property_name, upper_first};
use super::{Repair, Repairs};
use crate::error::SchemaError;
use crate::names::{Field, ObjectNames, ResourceId, Returns, Shape, Source, wrap};
use crate::native::{self, ComponentKind};

/// What no property may be called.
const PULUMI: &str = "pulumi";

/// Builds tables.
pub(super) struct Builder<'o> {
    pub(super) package: &'o str,
    pub(super) prefix: &'o str,
    pub(super) repairs: &'o Repairs,
}

/// What stands in place of a name with which Pulumi refuses the package, wherever it is: one without a letter that everybody
/// can type, or the word that it keeps for itself.
fn usable(name: &str) -> Option<&'static str> {
    match name {
        PULUMI => Some("pulumiInfo"),
        _ if !name.contains(|c: char| c.is_ascii_alphabetic()) => Some("value"),
        _ => None,
    }
}

/// Gives every field a name of its own that Pulumi takes. Where several have the same, one keeps it whose Terraform name is
/// the ordinary way to write it, and the others are numbered.
fn make_distinct(fields: &mut [Field]) {
    for field in fields.iter_mut() {
        if let Some(name) = usable(&field.pulumi) {
            field.pulumi = name.into();
        }
    }
    let given: BTreeSet<Arc<str>> = fields.iter().map(|field| Arc::clone(&field.pulumi)).collect();
    let mut taken = BTreeSet::new();
    let ordinary = |name: &str| !name.contains("__") && !name.contains(char::is_uppercase) && name != PULUMI;
    for turn in [true, false] {
        for field in fields.iter_mut().filter(|field| ordinary(&field.terraform) == turn) {
            if taken.insert(Arc::clone(&field.pulumi)) {
                continue;
            }
            let free = (2..).map(|number| Arc::from(format!("{}{number}", field.pulumi)));
            if let Some(name) = free.into_iter().find(|name| !given.contains(name) && !taken.contains(name)) {
                taken.insert(Arc::clone(&name));
                field.pulumi = name;
            }
        }
    }
}

/// What it is that a type belongs to; that decides which members of objects are optional.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TypesOf {
    /// A provider of the older kind says nothing of what is optional inside types of attributes, so where nothing is
    /// said to be optional, everything is.
    Attributes,
    Functions,
}

impl Builder<'_> {
    /// The table of a block.
    pub(super) fn block(&self, block: &Block, place: &str, depth: usize) -> Result<Arc<ObjectNames>, SchemaError> {
        Ok(self.table(self.block_fields(block, place, depth)?))
    }

    /// The table of the provider's configuration.
    pub(super) fn configuration(&self, block: &Block, place: &str) -> Result<Arc<ObjectNames>, SchemaError> {
        self.block(block, place, 0)
    }

    /// The table of these fields.
    fn table(&self, mut fields: Vec<Field>) -> Arc<ObjectNames> {
        if self.repairs.contains(Repair::PropertyNames) {
            make_distinct(&mut fields);
        }
        Arc::new(ObjectNames::new(fields))
    }

    fn block_fields(&self, block: &Block, place: &str, depth: usize) -> Result<Vec<Field>, SchemaError> {
        let blocks = block.blocks.iter().map(|nested| &*nested.name);
        let taken = block.attributes.iter().map(|attribute| &*attribute.name).chain(blocks).collect();
        let mut fields = Vec::with_capacity(block.attributes.len() + block.blocks.len());
        for attribute in &block.attributes {
            fields.push(self.attribute(attribute, &taken, place, depth)?);
        }
        for nested in &block.blocks {
            fields.push(self.nested_block(nested, &taken, place, depth)?);
        }
        Ok(fields)
    }

    fn attribute(
        &self,
        attribute: &Attribute,
        taken: &BTreeSet<&str>,
        place: &str,
        depth: usize,
    ) -> Result<Field, SchemaError> {
        let inside = inside(place, &attribute.name, depth)?;
        let (shape, source) = match &attribute.ty {
            AttributeType::Plain(ty) => (self.shape(ty, TypesOf::Attributes, &inside, depth + 1)?, Source::Attribute),
            AttributeType::Nested(nested) => {
                let taken = nested.attributes.iter().map(|attribute| &*attribute.name).collect();
                let fields = nested.attributes.iter().map(|member| self.attribute(member, &taken, &inside, depth + 1));
                let object = self.table(fields.collect::<Result<_, _>>()?);
                (wrap(nested.nesting, Shape::Object(object)), Source::NestedAttribute(nested.nesting))
            }
        };
        Ok(Field {
            ty: attribute.implied_type(),
            source,
            required: attribute.required,
            optional: attribute.optional,
            computed: attribute.computed,
            sensitive: attribute.sensitive || attribute.write_only,
            write_only: attribute.write_only,
            ..field(&attribute.name, taken, shape, false)
        })
    }

    fn nested_block(
        &self,
        nested: &NestedBlock,
        taken: &BTreeSet<&str>,
        place: &str,
        depth: usize,
    ) -> Result<Field, SchemaError> {
        let content = self.block(&nested.block, &inside(place, &nested.name, depth)?, depth + 1)?;
        let flattened = nested.max_items == 1 && matches!(nested.nesting, Nesting::List | Nesting::Set);
        Ok(Field {
            ty: nested.implied_type(),
            source: Source::Block(nested.nesting),
            required: nested.min_items > 0,
            optional: nested.min_items == 0,
            kept_empty: !flattened,
            ..field(&nested.name, taken, wrap(nested.nesting, Shape::Object(content)), flattened)
        })
    }

    fn shape(&self, ty: &Type, of: TypesOf, place: &str, depth: usize) -> Result<Shape, SchemaError> {
        check_depth(place, depth)?;
        let element = |ty: &Type| Ok(Arc::new(self.shape(ty, of, place, depth + 1)?));
        Ok(match ty {
            Type::String => Shape::String,
            Type::Number => Shape::Number,
            Type::Bool => Shape::Bool,
            Type::Dynamic => Shape::Dynamic,
            Type::List(ty) => Shape::List(element(ty)?),
            Type::Set(ty) => Shape::Set(element(ty)?),
            Type::Map(ty) => Shape::Map(element(ty)?),
            Type::Object(object) => {
                let taken = object.attributes.keys().map(|name| &**name).collect();
                let all_optional = of == TypesOf::Attributes && object.optional.is_empty();
                let members = object.attributes.iter().map(|(name, ty)| {
                    let shape = self.shape(ty, of, &inside(place, name, depth)?, depth + 1)?;
                    let optional = all_optional || object.optional.contains(name);
                    let member = field(name, &taken, shape, false);
                    Ok(Field { ty: ty.without_optional(), optional, required: !optional, ..member })
                });
                Shape::Object(self.table(members.collect::<Result<_, SchemaError>>()?))
            }
            Type::Tuple(elements) if self.repairs.contains(Repair::Tuples) => {
                let elements = elements.iter().map(|ty| self.shape(ty, of, place, depth + 1));
                Shape::Tuple(elements.collect::<Result<_, _>>()?)
            }
            Type::Tuple(_) => return Err(SchemaError::Tuple { place: place.to_owned() }),
        })
    }

    /// The table of a resource, and where its Pulumi id comes from.
    pub(super) fn resource(
        &self,
        type_name: &str,
        block: &Block,
        place: &str,
    ) -> Result<(Arc<ObjectNames>, ResourceId), SchemaError> {
        let mut fields = self.block_fields(block, place, 0)?;
        let taken: BTreeSet<_> = fields.iter().map(|field| Arc::clone(&field.terraform)).collect();
        let mut id = ResourceId::Absent;
        for field in &mut fields {
            match &*field.terraform {
                "id" => {
                    let computed_only = field.computed && !field.optional && !field.required;
                    if computed_only && field.ty == Type::String {
                        field.is_id = true;
                        id = ResourceId::Computed;
                        continue;
                    }
                    field.pulumi = self.first_free(&self.id_names(type_name), &taken, place, "id")?;
                    id = self.id_of(field);
                }
                "urn" => field.pulumi = self.first_free(&[format!("{}_urn", self.package)], &taken, place, "urn")?,
                PULUMI => field.pulumi = self.first_free(&["pulumi_info".to_owned()], &taken, place, PULUMI)?,
                "name" if field.ty == Type::String && (field.optional || field.required) => {
                    let autonamed = Annotations { autonamed: true, ..Annotations::default() };
                    field.annotations = Some(Arc::new(autonamed));
                }
                _ => {}
            }
        }
        Ok((self.table(fields), id))
    }

    /// The table of a component of a kind that the Go bridge does not offer. What Pulumi keeps for itself there is renamed
    /// as for scripts.
    pub(super) fn of_kind(
        &self,
        kind: ComponentKind,
        block: &Block,
        place: &str,
    ) -> Result<Arc<ObjectNames>, SchemaError> {
        let mut fields = self.block_fields(block, place, 0)?;
        for field in fields.iter_mut().filter(|field| native::is_reserved(kind.level(), &field.pulumi)) {
            field.pulumi = format!("{}Value", field.pulumi).into();
        }
        Ok(Arc::new(ObjectNames::new(fields)))
    }

    /// What a list finds: objects with what people call them, their identity if such objects have one, and, if it was
    /// asked for, all there is to know about them.
    pub(super) fn list_result(
        &self,
        type_name: &str,
        all: &ProviderSchema,
        place: &str,
    ) -> Result<Arc<ObjectNames>, SchemaError> {
        let found = |terraform: &str, pulumi: &str, shape: Shape| Field {
            computed: true,
            ..Field::new(terraform.into(), pulumi.into(), shape.ty(), shape)
        };
        let mut fields = vec![found("display_name", "displayName", Shape::String)];
        if let Some(identity) = all.identities.get(type_name) {
            let identity =
                self.shape(&identity.implied_type(), TypesOf::Functions, &inside(place, "identity", 0)?, 1)?;
            fields.push(found("identity", "identity", identity));
        }
        if let Some(resource) = all.resources.get(type_name) {
            let (object, _) = self.resource(type_name, &resource.block, &inside(place, "resource", 0)?)?;
            // Only there if it was asked for.
            let resource = found("resource", "resource", Shape::Object(object));
            fields.push(Field { computed: false, optional: true, ..resource });
        }
        let results = Shape::List(Arc::new(Shape::Object(Arc::new(ObjectNames::new(fields)))));
        Ok(Arc::new(ObjectNames::new(vec![found("results", "results", results)])))
    }

    fn id_names(&self, type_name: &str) -> [String; 4] {
        let package = self.package.replace('-', "_");
        let stripped = type_name.strip_prefix(self.prefix).filter(|rest| !rest.is_empty()).unwrap_or(type_name);
        let resource = stripped.trim_start_matches('_');
        [
            format!("{resource}_id"),
            format!("{package}_{resource}_id"),
            "resource_id".to_owned(),
            format!("{package}_id"),
        ]
    }

    fn id_of(&self, field: &Field) -> ResourceId {
        let given = field.required || (field.optional && field.computed);
        let text = matches!(field.ty, Type::String | Type::Number | Type::Bool) && !field.sensitive;
        let repaired = text && self.repairs.contains(Repair::ResourceIds);
        if given || repaired { ResourceId::Property } else { ResourceId::Absent }
    }

    fn first_free(
        &self,
        candidates: &[String],
        taken: &BTreeSet<Arc<str>>,
        place: &str,
        attribute: &str,
    ) -> Result<Arc<str>, SchemaError> {
        let free = candidates.iter().find(|candidate| !taken.contains(candidate.as_str()));
        free.map(|name| camel(name).into()).ok_or_else(|| SchemaError::NoFreeName {
            place: place.to_owned(),
            attribute: attribute.to_owned(),
            tried: candidates.join(", "),
        })
    }

    /// The parameters of a function in their order, and what it returns.
    pub(super) fn function(
        &self,
        signature: &FunctionSignature,
        place: &str,
    ) -> Result<(Vec<Field>, Returns), SchemaError> {
        let mut fields: Vec<Field> = Vec::new();
        for (index, parameter) in signature.parameters.iter().enumerate() {
            let required = !parameter.allow_null || signature.parameters.iter().skip(index).any(|p| !p.allow_null);
            let field = self.parameter(parameter, parameter.ty.clone(), &fields, place)?;
            fields.push(Field { required, optional: !required, ..field });
        }
        if let Some(rest) = &signature.variadic {
            let field = self.parameter(rest, Type::list(rest.ty.clone()), &fields, place)?;
            fields.push(Field { optional: true, ..field });
        }
        let returns = match self.shape(&signature.returns, TypesOf::Functions, &inside(place, "result", 0)?, 1)? {
            Shape::Object(names) => Returns::Object(names),
            shape => {
                let ty = signature.returns.without_optional();
                let field = Field::new(native::RESULT.into(), native::RESULT.into(), ty, shape);
                Returns::Value(Box::new(Field { computed: true, ..field }))
            }
        };
        Ok((fields, returns))
    }

    /// Terraform's names of parameters are documentation: they may be missing or the same.
    fn parameter(
        &self,
        parameter: &FunctionParameter,
        ty: Type,
        before: &[Field],
        place: &str,
    ) -> Result<Field, SchemaError> {
        let camel = camel(&parameter.name);
        let repaired = usable(&camel).filter(|_| self.repairs.contains(Repair::PropertyNames)).map(str::to_owned);
        let base = if camel.is_empty() { format!("arg{}", before.len() + 1) } else { repaired.unwrap_or(camel) };
        let taken = |name: &str| before.iter().any(|field| &*field.pulumi == name);
        let numbered = (2..).map(|number| format!("{base}{number}"));
        let name: Arc<str> =
            std::iter::once(base.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or_default().into();
        let shape = self.shape(&ty, TypesOf::Functions, &inside(place, &parameter.name, 0)?, 1)?;
        let known = parameter.name.is_empty() || before.iter().any(|field| field.terraform == parameter.name);
        let terraform = if known { Arc::clone(&name) } else { Arc::clone(&parameter.name) };
        Ok(Field::new(terraform, name, ty.without_optional(), shape))
    }
}

/// A field with its names and its shape. Arrays are in the plural, unless they are one object by itself.
fn field(name: &Arc<str>, taken: &BTreeSet<&str>, shape: Shape, flattened: bool) -> Field {
    let is_array = matches!(shape, Shape::List(_) | Shape::Set(_)) && !flattened;
    let pulumi: Arc<str> = property_name(name, is_array.then_some(taken)).into();
    let ty = Type::Dynamic;
    Field { flattened, script: camel(name).into(), ..Field::new(Arc::clone(name), pulumi, ty, shape) }
}

fn inside(place: &str, name: &str, depth: usize) -> Result<String, SchemaError> {
    let separator = if depth == 0 { ", " } else { "." };
    let inside = format!("{place}{separator}{name}");
    check_depth(&inside, depth)?;
    Ok(inside)
}

fn check_depth(place: &str, depth: usize) -> Result<(), SchemaError> {
    if depth >= MAX_DEPTH { Err(SchemaError::TooDeep { place: place.to_owned() }) } else { Ok(()) }
}

/// The name of the type of a function's parameter or of a member of one.
pub(super) fn function_type_name(parent: &str, property: &str) -> String {
    format!("{parent}{}", upper_first(property))
}
