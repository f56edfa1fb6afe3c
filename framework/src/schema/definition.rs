//! Definitions in full: what a schema says before its flags are settled.

use std::sync::Arc;

use denobridge_core::cty::{Type, Value};
use denobridge_core::schema::{
    Annotations, Attribute, AttributeType, Block, Description, DescriptionKind, NestedBlock, NestedObject, Nesting,
    Schema,
};

use crate::model::ToValue;

/// An attribute as its author declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributeDefinition {
    /// Its name in configuration and state.
    pub name: Arc<str>,
    /// A plain type, or attributes of its own.
    pub ty: TypeDefinition,
    /// The configuration must set it. Wins over `optional`.
    pub required: bool,
    /// The configuration may set it. Also when no flag is given at all.
    pub optional: bool,
    /// The provider may set it.
    pub computed: bool,
    /// The value must not be shown.
    pub sensitive: bool,
    /// The value is given to the provider and never stored.
    pub write_only: bool,
    /// What is planned when the configuration says nothing. Makes the attribute optional and computed.
    pub default: Option<Value>,
    /// A change replaces the object.
    pub replace: bool,
    /// Once known, it stays known in plans, as an id does.
    pub keep: bool,
    /// What it is for.
    pub description: Description,
    /// `Some` when deprecated: what to use instead.
    pub deprecation: Option<String>,
    /// Further facts that Terraform's wire does not carry. `replaces`, `default` and `keeps_state` are set from the fields
    /// above.
    pub annotations: Annotations,
}

/// The type of an attribute as its author declares it.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeDefinition {
    /// A type.
    Plain(Type),
    /// Attributes of its own.
    Nested(Nesting, Vec<AttributeDefinition>),
}

impl AttributeDefinition {
    /// An attribute without any flag.
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>, ty: TypeDefinition) -> Self {
        Self {
            name: name.into(),
            ty,
            required: false,
            optional: false,
            computed: false,
            sensitive: false,
            write_only: false,
            default: None,
            replace: false,
            keep: false,
            description: Description::default(),
            deprecation: None,
            annotations: Annotations::default(),
        }
    }

    /// The configuration must set it.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// The configuration may set it.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// The provider may set it.
    #[must_use]
    pub fn computed(mut self) -> Self {
        self.computed = true;
        self
    }

    /// The value must not be shown.
    #[must_use]
    pub fn sensitive(mut self) -> Self {
        self.sensitive = true;
        self
    }

    /// The value is given to the provider and never stored.
    #[must_use]
    pub fn write_only(mut self) -> Self {
        self.write_only = true;
        self
    }

    /// What is planned when the configuration says nothing.
    #[must_use]
    #[allow(clippy::needless_pass_by_value)] // reads as a declaration: `.default(1)`
    pub fn default(mut self, value: impl ToValue) -> Self {
        self.default = Some(value.to_value());
        self
    }

    /// A change replaces the object.
    #[must_use]
    pub fn replace(mut self) -> Self {
        self.replace = true;
        self
    }

    /// Once known, it stays known in plans.
    #[must_use]
    pub fn keep(mut self) -> Self {
        self.keep = true;
        self
    }

    /// What it is for, in plain text.
    #[must_use]
    pub fn describe(mut self, text: impl Into<String>) -> Self {
        self.description = Description { text: text.into(), kind: DescriptionKind::Plain };
        self
    }

    /// What it is for, in Markdown.
    #[must_use]
    pub fn markdown(mut self, text: impl Into<String>) -> Self {
        self.description = Description { text: text.into(), kind: DescriptionKind::Markdown };
        self
    }

    /// It should not be used any more, and what to use instead.
    #[must_use]
    pub fn deprecated(mut self, instead: impl Into<String>) -> Self {
        self.deprecation = Some(instead.into());
        self
    }

    /// The only values allowed.
    #[must_use]
    pub fn one_of<V: ToValue>(mut self, values: impl IntoIterator<Item = V>) -> Self {
        self.annotations.enum_values = values.into_iter().map(|value| value.to_value()).collect();
        self
    }

    /// The attribute with its flags settled.
    #[must_use]
    pub fn build(self) -> Attribute {
        let can_default = !self.required && !self.write_only && (self.optional || !self.computed);
        let defaults = can_default && self.default.is_some();
        let none = !(self.required || self.optional || self.computed);
        let annotations =
            Annotations { replaces: self.replace, keeps_state: self.keep, default: self.default, ..self.annotations };
        Attribute {
            name: self.name,
            ty: self.ty.build(),
            description: self.description,
            required: self.required,
            optional: !self.required && (self.optional || defaults || none),
            computed: self.computed || defaults,
            sensitive: self.sensitive,
            write_only: self.write_only,
            deprecation: self.deprecation,
            annotations: (annotations != Annotations::default()).then(|| Arc::new(annotations)),
        }
    }
}

impl TypeDefinition {
    fn build(self) -> AttributeType {
        match self {
            Self::Plain(ty) => AttributeType::Plain(ty),
            Self::Nested(nesting, attributes) => {
                let attributes = attributes.into_iter().map(AttributeDefinition::build).collect();
                AttributeType::Nested(NestedObject { nesting, attributes })
            }
        }
    }
}

/// The content of a block as its author declares it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockDefinition {
    /// Attributes in order.
    pub attributes: Vec<AttributeDefinition>,
    /// Nested blocks in order.
    pub blocks: Vec<NestedBlockDefinition>,
    /// What it is for.
    pub description: Description,
    /// `Some` when deprecated: what to use instead.
    pub deprecation: Option<String>,
    /// The provider may fill it when the configuration leaves it out (protocol 6.11).
    pub computed: bool,
}

impl BlockDefinition {
    /// A block of these attributes.
    #[must_use]
    pub fn of(attributes: impl IntoIterator<Item = AttributeDefinition>) -> Self {
        Self { attributes: attributes.into_iter().collect(), ..Self::default() }
    }

    /// The block with all flags settled.
    #[must_use]
    pub fn build(self) -> Block {
        Block {
            attributes: self.attributes.into_iter().map(AttributeDefinition::build).collect(),
            blocks: self.blocks.into_iter().map(NestedBlockDefinition::build).collect(),
            description: self.description,
            deprecation: self.deprecation,
            computed: self.computed,
        }
    }
}

/// A nested block as its author declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct NestedBlockDefinition {
    /// Its name in configuration and state.
    pub name: Arc<str>,
    /// How many there are and how they are addressed.
    pub nesting: Nesting,
    /// What is in each.
    pub content: BlockDefinition,
    /// Fewest blocks of a list or set, or 1 for a required single block; 0 means no bound.
    pub min_items: u64,
    /// Most blocks of a list or set; 0 means no bound.
    pub max_items: u64,
}

impl NestedBlockDefinition {
    /// Blocks of that content, in any number that the nesting allows.
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>, nesting: Nesting, content: BlockDefinition) -> Self {
        Self { name: name.into(), nesting, content, min_items: 0, max_items: 0 }
    }

    /// There must be no fewer.
    #[must_use]
    pub fn at_least(mut self, count: u64) -> Self {
        self.min_items = count;
        self
    }

    /// There must be no more.
    #[must_use]
    pub fn at_most(mut self, count: u64) -> Self {
        self.max_items = count;
        self
    }

    /// A block inside each of these blocks.
    #[must_use]
    pub fn block(mut self, block: NestedBlockDefinition) -> Self {
        self.content.blocks.push(block);
        self
    }

    /// What it is for, in plain text.
    #[must_use]
    pub fn describe(mut self, text: impl Into<String>) -> Self {
        self.content.description = Description { text: text.into(), kind: DescriptionKind::Plain };
        self
    }

    /// What it is for, in Markdown.
    #[must_use]
    pub fn markdown(mut self, text: impl Into<String>) -> Self {
        self.content.description = Description { text: text.into(), kind: DescriptionKind::Markdown };
        self
    }

    /// It should not be used any more, and what to use instead.
    #[must_use]
    pub fn deprecated(mut self, instead: impl Into<String>) -> Self {
        self.content.deprecation = Some(instead.into());
        self
    }

    /// The provider may fill it when the configuration leaves it out.
    #[must_use]
    pub fn computed(mut self) -> Self {
        self.content.computed = true;
        self
    }

    /// The block with all flags settled.
    #[must_use]
    pub fn build(self) -> NestedBlock {
        // Terraform wants both bounds of a required single block to be one.
        let required_single = self.nesting == Nesting::Single && self.min_items == 1 && self.max_items == 0;
        NestedBlock {
            name: self.name,
            nesting: self.nesting,
            block: self.content.build(),
            min_items: self.min_items,
            max_items: if required_single { 1 } else { self.max_items },
        }
    }
}

/// The schema of a component as its author declares it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchemaDefinition {
    /// Version of the stored form.
    pub version: i64,
    /// What is in it.
    pub root: BlockDefinition,
}

impl SchemaDefinition {
    /// A nested block.
    #[must_use]
    pub fn block(mut self, block: NestedBlockDefinition) -> Self {
        self.root.blocks.push(block);
        self
    }

    /// Version of the stored form.
    #[must_use]
    pub fn version(mut self, version: i64) -> Self {
        self.version = version;
        self
    }

    /// What the component is for, in plain text.
    #[must_use]
    pub fn describe(mut self, text: impl Into<String>) -> Self {
        self.root.description = Description { text: text.into(), kind: DescriptionKind::Plain };
        self
    }

    /// What the component is for, in Markdown.
    #[must_use]
    pub fn markdown(mut self, text: impl Into<String>) -> Self {
        self.root.description = Description { text: text.into(), kind: DescriptionKind::Markdown };
        self
    }

    /// It should not be used any more, and what to use instead.
    #[must_use]
    pub fn deprecated(mut self, instead: impl Into<String>) -> Self {
        self.root.deprecation = Some(instead.into());
        self
    }

    /// The schema with all flags settled.
    #[must_use]
    pub fn build(self) -> Schema {
        Schema { version: self.version, block: self.root.build() }
    }
}
