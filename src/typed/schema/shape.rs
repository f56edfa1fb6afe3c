//! What a schema comes to: the structure that attributes and values have, and what is said about each property.

use std::sync::Arc;

use denobridge_core::cty::{Type, Value};

use crate::typed::names::pascal_case;

/// The structure of values.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::typed) enum Shape {
    /// Text.
    Text,
    /// True or false.
    Flag,
    /// A number.
    Number {
        /// Without a fraction.
        whole: bool,
    },
    /// An array of one kind of element.
    List(Box<Shape>),
    /// An object whose names are the program's.
    Map(Box<Shape>),
    /// An object whose names are the schema's.
    Object(Arc<[Property]>),
    /// Anything that Terraform has no type for. Nothing in it is renamed.
    Anything {
        /// The types that it may have; empty for any.
        union_of: Vec<Type>,
    },
}

/// A property of an object.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::typed) struct Property {
    /// Its name in scripts.
    pub script: Arc<str>,
    /// Its name in Terraform.
    pub terraform: Arc<str>,
    /// Its name in Pulumi, which is that in scripts unless that cannot be one there.
    pub pulumi: Arc<str>,
    /// What its values are.
    pub shape: Shape,
    /// The schema requires it to be there.
    pub required: bool,
    /// The schema allows null.
    pub nullable: bool,
    /// What else there is to say.
    pub facts: Facts,
}

/// What a schema says of a value beside its structure.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::typed) struct Facts {
    /// Markdown.
    pub description: Option<String>,
    /// `Some` when deprecated; the text may be empty.
    pub deprecation: Option<String>,
    /// It must not be shown.
    pub sensitive: bool,
    /// A change of it replaces the object.
    pub replaces: bool,
    /// Under Pulumi a name is made up where none is given.
    pub autonamed: bool,
    /// What it is where nothing is given, with Terraform's names.
    pub default: Option<Value>,
    /// The only values that it may have; empty for any.
    pub allowed: Vec<Value>,
}

impl Property {
    /// Puts words in front of its name in Terraform, where it is a property of a whole and cannot have its own.
    pub fn prefix_in_terraform(&mut self, words: &str) {
        self.terraform = format!("{words}_{}", self.terraform.trim_start_matches('_')).into();
    }

    /// The same in Pulumi.
    pub fn prefix_in_pulumi(&mut self, words: &str) {
        self.pulumi = format!("{words}{}", pascal_case(&self.script)).into();
    }

    /// Whether programs must give it.
    pub fn must_be_given(&self) -> bool {
        self.required && !self.nullable && self.facts.default.is_none()
    }

    /// What stands for it where nothing is given: null where the schema wants it to be there all the same.
    pub fn is_null_if_absent(&self) -> bool {
        self.required && self.nullable
    }
}

impl Shape {
    /// Of anything at all.
    pub fn anything() -> Self {
        Self::Anything { union_of: Vec::new() }
    }

    /// The type of its values.
    pub fn ty(&self) -> Type {
        match self {
            Self::Text => Type::String,
            Self::Flag => Type::Bool,
            Self::Number { .. } => Type::Number,
            Self::List(element) => Type::list(element.ty()),
            Self::Map(element) => Type::map(element.ty()),
            Self::Object(properties) => object_type(properties),
            Self::Anything { .. } => Type::Dynamic,
        }
    }

    /// The type of its values where nothing is renamed, as a member of a union.
    pub fn verbatim(&self) -> Type {
        match self {
            Self::List(element) => Type::list(element.verbatim()),
            Self::Map(element) => Type::map(element.verbatim()),
            // Which members it has is checked by validation.
            Self::Object(_) => Type::map(Type::Dynamic),
            other => other.ty(),
        }
    }

    /// Whether it is anything somewhere.
    pub fn has_anything(&self) -> bool {
        self.any(&|shape| matches!(shape, Self::Anything { .. }))
    }

    /// Whether it has an object with names of its own somewhere.
    pub fn has_object(&self) -> bool {
        self.any(&|shape| matches!(shape, Self::Object(_)))
    }

    fn any(&self, wanted: &dyn Fn(&Self) -> bool) -> bool {
        wanted(self)
            || match self {
                Self::List(element) | Self::Map(element) => element.any(wanted),
                Self::Object(properties) => properties.iter().any(|property| property.shape.any(wanted)),
                _ => false,
            }
    }

    /// Whether a part of it must not be shown.
    pub fn has_sensitive(&self) -> bool {
        match self {
            Self::List(element) | Self::Map(element) => element.has_sensitive(),
            Self::Object(properties) => {
                properties.iter().any(|property| property.facts.sensitive || property.shape.has_sensitive())
            }
            _ => false,
        }
    }

    /// The properties of an object, or of the objects that it holds.
    pub fn properties(&self) -> Option<&Arc<[Property]>> {
        match self {
            Self::Object(properties) => Some(properties),
            Self::List(element) | Self::Map(element) => element.properties(),
            _ => None,
        }
    }

    /// What it is, for messages: `a number`.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Flag => "a boolean",
            Self::Number { whole: true } => "a whole number",
            Self::Number { whole: false } => "a number",
            Self::List(_) => "an array",
            Self::Map(_) | Self::Object(_) => "an object",
            Self::Anything { .. } => "anything",
        }
    }
}

/// The type of objects with these properties.
fn object_type(properties: &[Property]) -> Type {
    Type::object(properties.iter().map(|property| (Arc::clone(&property.terraform), property.shape.ty())))
}
