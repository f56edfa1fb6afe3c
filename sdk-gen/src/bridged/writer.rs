//! The parts of the package schema that describe one component or the provider's configuration.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::fields::function_type_name;
use super::naming::type_token;
use super::references::References;
use super::text;
use super::types::{Object, Objects, Side, is_optional, name_inside, visible};
use super::{Repair, Repairs};
use crate::error::SchemaError;
use crate::names::{Field, ObjectNames, Shape};
use crate::package::docs::{Docs, Entry};
use crate::package::spec::{ObjectTypeSpec, Properties, PropertySpec, TypeSpec};

/// What is the same for the whole package.
#[derive(Clone, Copy)]
pub(super) struct Context<'c> {
    pub(super) package: &'c str,
    pub(super) references: &'c References,
    pub(super) repairs: &'c Repairs,
}

/// How a property is described depends on where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Of a resource or the configuration.
    TopLevel,
    /// An argument or a result of a data source, which the Go bridge describes not at all.
    DataSource,
    /// Inside an object, where descriptions end their last line.
    Nested,
}

/// Writes properties and types of one module.
pub(super) struct Writer<'c, 's> {
    pub(super) context: Context<'c>,
    /// The module that types are in: `index` or `config`.
    pub(super) module: &'static str,
    pub(super) objects: Objects<'s>,
}

impl Context<'_> {
    /// A description, cleaned.
    pub(super) fn describe(self, text: &str) -> String {
        text::clean(text, self.references)
    }

    /// What is said of something deprecated.
    pub(super) fn deprecation(self, text: Option<&str>) -> Option<String> {
        let own_words = text.filter(|text| !text.is_empty() && self.repairs.contains(Repair::Deprecations));
        text.map(|_| own_words.map_or_else(|| "Deprecated".to_owned(), |text| self.describe(text)))
    }

    pub(super) fn property(self, field: &Field, entry: &Entry<'_>, place: Place, ty: TypeSpec) -> PropertySpec {
        const WRITE_ONLY: &str = "**NOTE:** This field is write-only and its value will not be updated in state as part of read operations.\n";
        let described = place != Place::DataSource || self.repairs.contains(Repair::Descriptions);
        let mut description = if described { self.describe(&entry.description.text) } else { String::new() };
        if field.write_only {
            description.insert_str(0, WRITE_ONLY);
        }
        PropertySpec {
            ty,
            description: if place == Place::Nested { text::lines(&description) } else { description },
            deprecation_message: self.deprecation(entry.deprecation),
            secret: field.sensitive,
            will_replace_on_changes: false,
            default: None,
            language: None,
        }
    }
}

impl<'c, 's> Writer<'c, 's> {
    pub(super) fn new(context: Context<'c>, module: &'static str) -> Self {
        let objects = Objects::new(context.repairs.contains(Repair::DistinctTypes));
        Self { context, module, objects }
    }

    /// The properties of something called `parent`, of those fields that `keep` picks.
    pub(super) fn properties(
        &self,
        parent: &str,
        fields: &ObjectNames,
        docs: Docs<'_>,
        place: Place,
        keep: impl Fn(&Field) -> bool,
    ) -> Properties {
        let kept = fields.fields().filter(|field| keep(field));
        let property = |field: &Field| {
            let entry = docs.find(&field.terraform);
            let ty = self.ty(&name_inside(parent, field), visible(field));
            (field.pulumi.to_string(), self.context.property(field, &entry, place, ty))
        };
        kept.map(property).collect()
    }

    pub(super) fn ty(&self, name: &str, shape: &Shape) -> TypeSpec {
        match shape {
            Shape::String => TypeSpec::string(),
            Shape::Number => TypeSpec::number(),
            Shape::Bool => TypeSpec::boolean(),
            Shape::Dynamic => TypeSpec::any(),
            Shape::List(element) | Shape::Set(element) => TypeSpec::array(self.ty(name, element)),
            Shape::Map(element) => match &**element {
                Shape::Dynamic if !self.context.repairs.contains(Repair::DynamicMaps) => {
                    TypeSpec::map(TypeSpec::string())
                }
                element => TypeSpec::map(self.ty(name, element)),
            },
            Shape::Object(table) => TypeSpec::named(&self.token(&self.objects.name(name, table))),
            Shape::Tuple(_) => TypeSpec::array(TypeSpec::any()),
        }
    }

    fn token(&self, name: &str) -> String {
        type_token(self.context.package, self.module, name)
    }

    /// The named types of the module.
    pub(super) fn types(&self) -> BTreeMap<String, ObjectTypeSpec> {
        let types = self.objects.types();
        types.map(|(plain, name, object)| (self.token(&name), self.object(plain, object))).collect()
    }

    fn object(&self, name: &str, object: &Object<'_>) -> ObjectTypeSpec {
        ObjectTypeSpec {
            properties: self.properties(name, &object.table, object.docs, Place::Nested, |_| true),
            required: object.required.clone(),
            language: object.language(),
            ..ObjectTypeSpec::default()
        }
    }
}

/// The names of the properties that cannot be missing, in the order of Terraform's names.
pub(super) fn required(fields: &ObjectNames, side: Side, keep: impl Fn(&Field) -> bool) -> Vec<String> {
    let kept = fields.fields().filter(|field| keep(field) && !is_optional(field, side));
    kept.map(|field| field.pulumi.to_string()).collect()
}

/// The types of a function, which are named by other rules than those of resources: arrays keep the plural.
pub(super) struct FunctionTypes<'c> {
    pub(super) package: &'c str,
    pub(super) types: BTreeMap<String, ObjectTypeSpec>,
}

impl FunctionTypes<'_> {
    pub(super) fn ty(&mut self, name: &str, shape: &Shape) -> Result<TypeSpec, SchemaError> {
        Ok(match shape {
            Shape::String => TypeSpec::string(),
            Shape::Number => TypeSpec::number(),
            Shape::Bool => TypeSpec::boolean(),
            Shape::Dynamic => TypeSpec::any(),
            Shape::List(element) | Shape::Set(element) => TypeSpec::array(self.ty(name, element)?),
            Shape::Map(element) => TypeSpec::map(self.ty(name, element)?),
            Shape::Tuple(_) => TypeSpec::array(TypeSpec::any()),
            Shape::Object(table) => self.named(name, table)?,
        })
    }

    fn named(&mut self, name: &str, table: &Arc<ObjectNames>) -> Result<TypeSpec, SchemaError> {
        let object = self.object(name, table)?;
        let token = type_token(self.package, "index", name);
        let reference = TypeSpec::named(&token);
        match self.types.insert(token.clone(), object) {
            None => Ok(reference),
            Some(_) => {
                let (first, second) = (format!("a type of {name}"), format!("another type of {name}"));
                Err(SchemaError::TokenCollision { first, second, token })
            }
        }
    }

    /// An object that is called `name` and whose type has no token of its own.
    pub(super) fn object(&mut self, name: &str, table: &ObjectNames) -> Result<ObjectTypeSpec, SchemaError> {
        let mut object = ObjectTypeSpec::default();
        for field in table.fields() {
            let ty = self.ty(&function_type_name(name, &field.pulumi), &field.shape)?;
            object.properties.insert(field.pulumi.to_string(), PropertySpec { ty, ..PropertySpec::default() });
            if !field.optional {
                object.required.push(field.pulumi.to_string());
            }
        }
        Ok(object)
    }
}
