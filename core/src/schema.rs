//! The schema of a provider: what each component accepts and returns.
//!
//! Terraform's protocol 6 schema with our own types, plus [`Annotations`] that Terraform's wire drops and the Pulumi side
//! and validation read.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::cty::{Type, Value};

/// Text of a description is plain or Markdown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DescriptionKind {
    /// Plain text.
    #[default]
    Plain,
    /// Markdown.
    Markdown,
}

/// A description with its kind; empty text means none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The text.
    pub text: String,
    /// How to read it.
    pub kind: DescriptionKind,
}

impl From<&str> for Description {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), kind: DescriptionKind::Plain }
    }
}

/// A schema with the version that stored state carries.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// Version of the stored form; 0 is legal. Never negative on the wire.
    pub version: i64,
    /// The root block.
    pub block: Block,
}

/// A block: attributes and nested blocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// Attributes, in the order they were declared.
    pub attributes: Vec<Attribute>,
    /// Nested blocks, in the order they were declared.
    pub blocks: Vec<NestedBlock>,
    /// What the block is for.
    pub description: Description,
    /// `Some` when deprecated; the text may be empty.
    pub deprecation: Option<String>,
    /// The provider may fill the block when the configuration leaves it out (protocol 6.11).
    pub computed: bool,
}

/// An attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Its name in configuration and state.
    pub name: Arc<str>,
    /// A plain type, or nested attributes.
    pub ty: AttributeType,
    /// What it is for.
    pub description: Description,
    /// The configuration must set it.
    pub required: bool,
    /// The configuration may set it.
    pub optional: bool,
    /// The provider may set it.
    pub computed: bool,
    /// The value must not be shown.
    pub sensitive: bool,
    /// The value is given to the provider and never stored (Terraform 1.11).
    pub write_only: bool,
    /// `Some` when deprecated; the text may be empty.
    pub deprecation: Option<String>,
    /// What Terraform's wire does not carry.
    pub annotations: Option<Arc<Annotations>>,
}

/// The type of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum AttributeType {
    /// A type.
    Plain(Type),
    /// Attributes of its own.
    Nested(NestedObject),
}

/// Nested attributes.
#[derive(Clone, Debug, PartialEq)]
pub struct NestedObject {
    /// How many objects and how they are addressed; never [`Nesting::Group`].
    pub nesting: Nesting,
    /// The attributes of each object.
    pub attributes: Vec<Attribute>,
}

/// A nested block.
#[derive(Clone, Debug, PartialEq)]
pub struct NestedBlock {
    /// Its name in configuration and state.
    pub name: Arc<str>,
    /// How many blocks and how they are addressed.
    pub nesting: Nesting,
    /// The content of each block.
    pub block: Block,
    /// Fewest blocks for list and set; 0 means no bound.
    pub min_items: u64,
    /// Most blocks for list and set; 0 means no bound.
    pub max_items: u64,
}

/// How nested blocks or objects are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// One or none.
    Single,
    /// Always one, empty rather than null (blocks only).
    Group,
    /// Any number in order.
    List,
    /// Any number without order or duplicates.
    Set,
    /// Any number by label.
    Map,
}

/// Facts about an attribute that only our own readers know: the Pulumi door, sdk-gen and validation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotations {
    /// Name in scripts, where it is not the camel-case form of the attribute name.
    pub script_name: Option<Arc<str>>,
    /// Name in Pulumi programs, where it is not the camel-case form of the attribute name.
    pub pulumi_name: Option<Arc<str>>,
    /// The only values allowed; empty means any.
    pub enum_values: Vec<Value>,
    /// The types of a union; empty means none. The wire carries such an attribute as dynamic.
    pub union_of: Vec<Type>,
    /// Numbers that it takes have no fraction, which Terraform has no type for.
    pub whole_number: bool,
    /// A change of this attribute replaces the resource.
    pub replaces: bool,
    /// Under Pulumi a name is made up from the resource's name when none is given.
    pub autonamed: bool,
    /// What is planned when the configuration says nothing. The attribute is optional and computed.
    pub default: Option<Value>,
    /// A computed attribute that keeps its value for the life of the object, such as an id: once known it stays known in
    /// plans.
    pub keeps_state: bool,
}

impl Attribute {
    /// An attribute of a plain type, with no flag set.
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>, ty: Type) -> Self {
        Self::with_type(name, AttributeType::Plain(ty))
    }

    /// An attribute with attributes of its own, with no flag set.
    #[must_use]
    pub fn nested(name: impl Into<Arc<str>>, nesting: Nesting, attributes: Vec<Attribute>) -> Self {
        Self::with_type(name, AttributeType::Nested(NestedObject { nesting, attributes }))
    }

    fn with_type(name: impl Into<Arc<str>>, ty: AttributeType) -> Self {
        Self {
            name: name.into(),
            ty,
            description: Description::default(),
            required: false,
            optional: false,
            computed: false,
            sensitive: false,
            write_only: false,
            deprecation: None,
            annotations: None,
        }
    }

    /// The type its values have.
    #[must_use]
    pub fn implied_type(&self) -> Type {
        match &self.ty {
            AttributeType::Plain(ty) => ty.without_optional(),
            AttributeType::Nested(nested) => nested.implied_type(),
        }
    }
}

impl NestedObject {
    /// The type of one object.
    #[must_use]
    pub fn object_type(&self) -> Type {
        Type::object(self.attributes.iter().map(|attribute| (Arc::clone(&attribute.name), attribute.implied_type())))
    }

    /// The type of the whole attribute.
    #[must_use]
    pub fn implied_type(&self) -> Type {
        self.nesting.wrap(self.object_type())
    }
}

impl NestedBlock {
    /// The type of all blocks of this name together. Where the content holds a dynamic attribute, list blocks are a
    /// tuple and map blocks an object decided by the value, which is what Terraform core makes of them; as a type
    /// constraint that is dynamic.
    #[must_use]
    pub fn implied_type(&self) -> Type {
        let content = self.block.implied_type();
        if content.has_dynamic() && matches!(self.nesting, Nesting::List | Nesting::Map) {
            return Type::Dynamic;
        }
        self.nesting.wrap(content)
    }
}

impl Nesting {
    /// The type that holds objects of type `element` in this nesting.
    #[must_use]
    pub fn wrap(self, element: Type) -> Type {
        match self {
            Self::Single | Self::Group => element,
            Self::List => Type::list(element),
            Self::Set => Type::set(element),
            Self::Map => Type::map(element),
        }
    }
}

impl Block {
    /// The type that values of this block have.
    #[must_use]
    pub fn implied_type(&self) -> Type {
        let attributes =
            self.attributes.iter().map(|attribute| (Arc::clone(&attribute.name), attribute.implied_type()));
        let blocks = self.blocks.iter().map(|block| (Arc::clone(&block.name), block.implied_type()));
        Type::object(attributes.chain(blocks))
    }

    /// The attribute of that name.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| &*attribute.name == name)
    }

    /// The nested block of that name.
    #[must_use]
    pub fn nested_block(&self, name: &str) -> Option<&NestedBlock> {
        self.blocks.iter().find(|block| &*block.name == name)
    }
}

impl Schema {
    /// The type that values of this schema have.
    #[must_use]
    pub fn implied_type(&self) -> Type {
        self.block.implied_type()
    }
}

/// The schema of a resource's identity: a flat object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IdentitySchema {
    /// Version of the stored form.
    pub version: i64,
    /// Attributes of primitive types or lists of them.
    pub attributes: Vec<IdentityAttribute>,
}

/// One part of an identity.
#[derive(Clone, Debug, PartialEq)]
pub struct IdentityAttribute {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub ty: Type,
    /// Import needs it.
    pub required_for_import: bool,
    /// Import accepts it.
    pub optional_for_import: bool,
    /// What it is.
    pub description: String,
}

impl IdentitySchema {
    /// The type that identities have.
    #[must_use]
    pub fn implied_type(&self) -> Type {
        Type::object(self.attributes.iter().map(|attribute| (Arc::clone(&attribute.name), attribute.ty.clone())))
    }
}

/// The signature of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionSignature {
    /// Positional parameters.
    pub parameters: Vec<FunctionParameter>,
    /// What takes all further arguments.
    pub variadic: Option<FunctionParameter>,
    /// The type of the result.
    pub returns: Type,
    /// One line on what it does.
    pub summary: String,
    /// What it does.
    pub description: Description,
    /// `Some` when deprecated; the text may be empty.
    pub deprecation: Option<String>,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionParameter {
    /// Its name, for documentation and messages.
    pub name: Arc<str>,
    /// Its type; Terraform converts arguments to it.
    pub ty: Type,
    /// Whether null may be passed.
    pub allow_null: bool,
    /// Whether unknown values may be passed; without it Terraform answers unknown without a call.
    pub allow_unknown: bool,
    /// What it is.
    pub description: Description,
}

/// Everything a provider offers. Crosses the seam as an `Arc`, so asking again costs nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProviderSchema {
    /// The provider's own configuration.
    pub provider: Schema,
    /// The `provider_meta` block of modules, if the provider has one.
    pub provider_meta: Option<Schema>,
    /// Managed resources by type name.
    pub resources: BTreeMap<Arc<str>, Schema>,
    /// Identities of managed resources by type name.
    pub identities: BTreeMap<Arc<str>, IdentitySchema>,
    /// Data sources by type name.
    pub data_sources: BTreeMap<Arc<str>, Schema>,
    /// Ephemeral resources by type name.
    pub ephemeral_resources: BTreeMap<Arc<str>, Schema>,
    /// List resources by type name.
    pub list_resources: BTreeMap<Arc<str>, Schema>,
    /// State stores by type name.
    pub state_stores: BTreeMap<Arc<str>, Schema>,
    /// Actions by type name.
    pub actions: BTreeMap<Arc<str>, Schema>,
    /// Functions by name.
    pub functions: BTreeMap<Arc<str>, FunctionSignature>,
}
