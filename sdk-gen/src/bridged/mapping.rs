//! What `pulumi convert` asks of a plugin: how Terraform's names become those of the package, as the JSON that the Go bridge
//! writes for it.

use std::sync::Arc;

use denobridge_core::schema::ProviderSchema;
use serde_json::{Map, Value, json};

use super::tokens::common_word;
use crate::names::{ComponentNames, Field, ObjectNames, PackageNames, Shape, Source};
use crate::native::ComponentKind;

/// The Go bridge's numbers for types.
mod shim {
    pub(super) const INVALID: u8 = 0;
    pub(super) const BOOL: u8 = 1;
    pub(super) const FLOAT: u8 = 3;
    pub(super) const STRING: u8 = 4;
    pub(super) const LIST: u8 = 5;
    pub(super) const MAP: u8 = 6;
    pub(super) const DYNAMIC: u8 = 8;
}

/// The provider's name in Terraform configurations, which may differ from that of the package: the first word of its
/// resources.
#[must_use]
pub fn mapped_provider(schema: &ProviderSchema, names: &PackageNames) -> String {
    common_word(schema.resources.keys()).unwrap_or_else(|| names.package.to_string())
}

/// The mapping of a package in this version.
#[must_use]
pub fn mapping(names: &PackageNames, version: &str) -> Value {
    let of_kind = |kind| {
        let components = names.components().filter(move |component| component.kind == kind);
        components.map(|component| (component.type_name.to_string(), component))
    };
    let schemas =
        |kind| of_kind(kind).map(|(name, component)| (name, object(&component.fields))).collect::<Map<_, _>>();
    json!({
        "provider": {
            "schema": object(&names.provider),
            "resources": schemas(ComponentKind::Resource),
            "dataSources": schemas(ComponentKind::DataSource),
        },
        "name": &*names.package,
        "version": version,
        "config": renamed(&names.provider),
        "resources": of_kind(ComponentKind::Resource)
            .map(|(name, component)| {
                (name, json!({"tok": &*component.token, "fields": renamed(&component.fields), "idFields": null}))
            })
            .collect::<Map<_, _>>(),
        "dataSources": of_kind(ComponentKind::DataSource).map(data_source).collect::<Map<_, _>>(),
    })
}

fn data_source((name, component): (String, &Arc<ComponentNames>)) -> (String, Value) {
    (name, json!({"tok": &*component.token, "fields": renamed(&component.fields)}))
}

/// Fields that are called otherwise than the rule for names says: the converter knows the rule.
fn renamed(names: &ObjectNames) -> Value {
    let reserved =
        |field: &&Field| matches!(&*field.terraform, "id" | "urn" | "pulumi") && field.pulumi != field.terraform;
    let fields = names.fields().filter(reserved);
    fields.map(|field| (field.terraform.to_string(), json!({"name": &*field.pulumi}))).collect::<Map<_, _>>().into()
}

fn object(names: &ObjectNames) -> Value {
    names.fields().map(|field| (field.terraform.to_string(), of_field(field))).collect::<Map<_, _>>().into()
}

fn of_field(field: &Field) -> Value {
    let is_plain = field.source == Source::Attribute;
    let mut schema = of_shape(&field.shape, is_plain);
    for (name, holds) in [
        ("optional", field.optional || (matches!(field.source, Source::Block(_)) && !field.required)),
        ("required", field.required),
        ("computed", field.computed),
        ("sensitive", field.sensitive),
    ] {
        if holds {
            schema.insert(name.to_owned(), true.into());
        }
    }
    if field.flattened {
        schema.insert("maxItems".to_owned(), 1.into());
    }
    schema.into()
}

/// A type. What a collection holds is a resource, in the Go bridge's sense, where attributes or blocks are nested; objects of
/// plain types are schemas that hold a resource.
fn of_shape(shape: &Shape, is_plain: bool) -> Map<String, Value> {
    let (number, element) = match shape {
        Shape::Bool => (shim::BOOL, None),
        Shape::Number => (shim::FLOAT, None),
        Shape::String => (shim::STRING, None),
        Shape::Dynamic => (shim::DYNAMIC, None),
        Shape::Tuple(_) => (shim::INVALID, None),
        Shape::Object(names) => (shim::MAP, Some(json!({"resource": object(names)}))),
        Shape::List(element) | Shape::Set(element) => match &**element {
            Shape::Object(names) if !is_plain => (shim::LIST, Some(json!({"resource": object(names)}))),
            other => (shim::LIST, Some(json!({"schema": of_shape(other, is_plain)}))),
        },
        Shape::Map(element) => (shim::MAP, Some(json!({"schema": of_shape(element, is_plain)}))),
    };
    let mut schema = Map::new();
    schema.insert("type".to_owned(), number.into());
    if let Some(element) = element {
        schema.insert("element".to_owned(), element);
    }
    schema
}
