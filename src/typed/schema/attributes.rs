//! Attributes of Terraform's schema, with what only Pulumi and our own checks read as annotations.

use std::sync::Arc;

use denobridge_core::cty::Type;
use denobridge_core::schema::{
    Annotations, Attribute, AttributeType, Description, DescriptionKind, NestedObject, Nesting,
};

use super::shape::{Property, Shape};

/// Who sets an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::typed) enum Role {
    /// The program, for good.
    Given,
    /// The program, and nothing keeps it.
    GivenOnce,
    /// The script.
    Found {
        /// Among what must not be shown.
        sensitive: bool,
    },
    /// The program, or the script where the program says nothing.
    GivenOrFound {
        /// Among what must not be shown.
        sensitive: bool,
    },
}

/// The attribute of a property.
pub(in crate::typed) fn attribute(property: &Property, role: Role) -> Attribute {
    let facts = &property.facts;
    let mut attribute = match nested(&property.shape) {
        Some((nesting, properties)) => Attribute {
            ty: AttributeType::Nested(NestedObject {
                nesting,
                attributes: properties.iter().map(|inner| self::attribute(inner, inside(role))).collect(),
            }),
            ..Attribute::new(Arc::clone(&property.terraform), Type::Dynamic)
        },
        None => Attribute::new(Arc::clone(&property.terraform), property.shape.ty()),
    };
    let has_default = facts.default.is_some() && matches!(role, Role::Given | Role::GivenOrFound { .. });
    match role {
        Role::Found { .. } => attribute.computed = true,
        Role::Given | Role::GivenOnce | Role::GivenOrFound { .. } => {
            attribute.required = property.must_be_given();
            attribute.optional = !attribute.required;
            attribute.write_only = role == Role::GivenOnce;
            let may_be_found = matches!(role, Role::GivenOrFound { .. }) || has_default;
            attribute.computed = may_be_found && attribute.optional;
        }
    }
    if let Role::Found { sensitive } | Role::GivenOrFound { sensitive } = role {
        attribute.sensitive = sensitive;
    }
    attribute.sensitive |= facts.sensitive;
    attribute.description = markdown(facts.description.as_deref());
    attribute.deprecation.clone_from(&facts.deprecation);
    attribute.annotations = Some(Arc::new(annotations(property, role, has_default)));
    attribute
}

/// The attribute of something that nobody gives back, such as an action: a default is filled in on the way to the script and
/// shows nowhere.
pub(in crate::typed) fn only_given(attribute: Attribute) -> Attribute {
    let ty = match attribute.ty {
        AttributeType::Nested(nested) => AttributeType::Nested(NestedObject {
            attributes: nested.attributes.into_iter().map(only_given).collect(),
            ..nested
        }),
        plain => plain,
    };
    Attribute { ty, computed: false, ..attribute }
}

/// A text in Markdown; empty for none.
pub(in crate::typed) fn markdown(text: Option<&str>) -> Description {
    Description { text: text.unwrap_or_default().to_owned(), kind: DescriptionKind::Markdown }
}

fn annotations(property: &Property, role: Role, has_default: bool) -> Annotations {
    let facts = &property.facts;
    Annotations {
        script_name: Some(Arc::clone(&property.script)),
        pulumi_name: Some(Arc::clone(&property.pulumi)),
        // What a script answers is not held to them: a value that is new to us is no reason to lose an object.
        enum_values: if matches!(role, Role::Found { .. }) { Vec::new() } else { facts.allowed.clone() },
        union_of: match &property.shape {
            Shape::Anything { union_of } => union_of.clone(),
            _ => Vec::new(),
        },
        replaces: facts.replaces && matches!(role, Role::Given | Role::GivenOrFound { .. }),
        autonamed: facts.autonamed && matches!(role, Role::Given | Role::GivenOrFound { .. }),
        default: facts.default.clone().filter(|_| has_default),
        whole_number: matches!(property.shape, Shape::Number { whole: true }),
        ..Annotations::default()
    }
}

/// How what is inside of an attribute is set: it is the program's or the script's as a whole.
fn inside(role: Role) -> Role {
    match role {
        Role::GivenOrFound { .. } => Role::Given,
        Role::Found { .. } => Role::Found { sensitive: false },
        other => other,
    }
}

/// The properties that become attributes of their own, and how they are held.
fn nested(shape: &Shape) -> Option<(Nesting, &Arc<[Property]>)> {
    match shape {
        Shape::Object(properties) => Some((Nesting::Single, properties)),
        Shape::List(element) => Some((Nesting::List, of_object(element)?)),
        Shape::Map(element) => Some((Nesting::Map, of_object(element)?)),
        _ => None,
    }
}

fn of_object(shape: &Shape) -> Option<&Arc<[Property]>> {
    match shape {
        Shape::Object(properties) => Some(properties),
        _ => None,
    }
}
