//! The tables that translate names at run time: Terraform's, Pulumi's and the scripts' names of everything in a package.
//!
//! A table exists for every object level that the schema describes: the root block, nested blocks, nested attributes and
//! object types inside attribute types. Keys of maps and whatever is inside dynamic values have no table and are never
//! renamed.

mod build;

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::Type;
use denobridge_core::schema::{Annotations, Nesting};

pub(crate) use build::{build_component, build_function, build_provider, own_inputs, wrap};

use crate::native::ComponentKind;

/// All names of a package.
#[derive(Clone, Debug, PartialEq)]
pub struct PackageNames {
    /// The Pulumi package.
    pub package: Arc<str>,
    /// The provider's configuration.
    pub provider: Arc<ObjectNames>,
    components: BTreeMap<Arc<str>, Arc<ComponentNames>>,
    tokens: BTreeMap<ComponentKind, BTreeMap<Arc<str>, Arc<str>>>,
}

/// The names of one component.
#[derive(Clone, Debug, PartialEq)]
pub struct ComponentNames {
    /// What it is.
    pub kind: ComponentKind,
    /// Its Pulumi token, such as `denobridge:index:Script`.
    pub token: Arc<str>,
    /// Its Terraform type name, such as `denobridge_resource`; of a function, its name.
    pub type_name: Arc<str>,
    /// Its root block; of a function, its parameters.
    pub fields: Arc<ObjectNames>,
    /// Inputs that it has in Pulumi only and that the provider does not get: [`TRIGGERS`](crate::native::TRIGGERS) of an action,
    /// [`INCLUDE_RESOURCE`](crate::native::INCLUDE_RESOURCE) and [`LIMIT`](crate::native::LIMIT) of a list.
    pub own: Arc<ObjectNames>,
    /// The fields of a function's parameters in their order, by Terraform name; the one for the rest of them is the last.
    /// A foreign provider's parameters may share a name or have none, so the signature does not name the fields.
    pub parameters: Arc<[Arc<str>]>,
    /// What it gives back.
    pub returns: Returns,
    /// Where its Pulumi id comes from.
    pub id: ResourceId,
}

/// What a component gives back under Pulumi.
#[derive(Clone, Debug, PartialEq)]
pub enum Returns {
    /// The outputs among its fields.
    Fields,
    /// An object of its own.
    Object(Arc<ObjectNames>),
    /// A value that is no object, and on the wire the only entry of one; the field has the entry's name.
    Value(Box<Field>),
}

/// Where the Pulumi id of a resource comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceId {
    /// The computed string attribute `id`, which is then no property: its [`Field::is_id`] is set.
    Computed,
    /// The attribute `id`, which is also a property under another name, since the configuration may set it or it is no
    /// string. In foreign providers it may be a number or a bool: its text is the id.
    Property,
    /// The schema has no attribute `id` that could be one: the door has to make an id up.
    Absent,
}

/// The names at one object level. Every name belongs to exactly one field, in each of the three languages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectNames {
    /// Sorted by Terraform name.
    fields: Vec<Field>,
    /// Positions in `fields`, sorted by Pulumi name.
    by_pulumi: Vec<usize>,
    /// Positions in `fields`, sorted by script name.
    by_script: Vec<usize>,
}

/// One attribute or nested block: its names and what there is to know for translating its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name in Terraform, which is its name in values and paths on our side of the seam.
    pub terraform: Arc<str>,
    /// Its name in Pulumi programs and in property values.
    pub pulumi: Arc<str>,
    /// Its name in scripts.
    pub script: Arc<str>,
    /// The type of its values on our side of the seam, as the schema implies it.
    pub ty: Type,
    /// Where further names are inside its value.
    pub shape: Shape,
    /// Which part of a schema it comes from.
    pub source: Source,
    /// The program must set it.
    pub required: bool,
    /// The program may set it.
    pub optional: bool,
    /// The provider may set it.
    pub computed: bool,
    /// Its value is a secret under Pulumi.
    pub sensitive: bool,
    /// It is an input that never reappears in outputs.
    pub write_only: bool,
    /// It is a list or set of at most one element, and under Pulumi that element by itself.
    pub flattened: bool,
    /// It is a nested block of which none is an empty output, rather than no output.
    pub kept_empty: bool,
    /// It is the Pulumi id of the resource and not a property.
    pub is_id: bool,
    /// What else the schema says of it.
    pub annotations: Option<Arc<Annotations>>,
}

/// Which part of a schema a field comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// An attribute of a plain type, or a member of an object type.
    Attribute,
    /// An attribute with attributes of its own.
    NestedAttribute(Nesting),
    /// A nested block. Absent list, set and map blocks are empty rather than null, and a group block is an object of
    /// nulls.
    Block(Nesting),
}

/// The structure of a value as far as names go. It mirrors the type, except that a list or map of nested blocks with
/// dynamic content, whose type is dynamic, still shows its structure here.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A string.
    String,
    /// A number.
    Number,
    /// A bool.
    Bool,
    /// Anything. Nothing inside is renamed.
    Dynamic,
    /// A list, in Pulumi an array.
    List(Arc<Shape>),
    /// A set, in Pulumi an array.
    Set(Arc<Shape>),
    /// A map, in Pulumi an object whose keys are never renamed.
    Map(Arc<Shape>),
    /// An object with a table of names.
    Object(Arc<ObjectNames>),
    /// A tuple, in Pulumi an array.
    Tuple(Arc<[Shape]>),
}

impl PackageNames {
    pub(crate) fn new(
        package: Arc<str>,
        provider: Arc<ObjectNames>,
        components: impl IntoIterator<Item = Arc<ComponentNames>>,
    ) -> Self {
        let components: BTreeMap<_, _> =
            components.into_iter().map(|component| (Arc::clone(&component.token), component)).collect();
        let mut tokens: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for names in components.values() {
            tokens.entry(names.kind).or_default().insert(Arc::clone(&names.type_name), Arc::clone(&names.token));
        }
        Self { package, provider, components, tokens }
    }

    /// What the token names.
    #[must_use]
    pub fn component(&self, token: &str) -> Option<&Arc<ComponentNames>> {
        self.components.get(token)
    }

    /// The resource in Pulumi's sense (a resource or an action) that the token names.
    #[must_use]
    pub fn resource(&self, token: &str) -> Option<&Arc<ComponentNames>> {
        self.component(token).filter(|component| component.kind.is_resource())
    }

    /// The function in Pulumi's sense that the token names.
    #[must_use]
    pub fn function(&self, token: &str) -> Option<&Arc<ComponentNames>> {
        self.component(token).filter(|component| !component.kind.is_resource())
    }

    /// The token of a Terraform type, if the package offers it.
    #[must_use]
    pub fn token(&self, kind: ComponentKind, type_name: &str) -> Option<&Arc<str>> {
        self.tokens.get(&kind)?.get(type_name)
    }

    /// Everything in the package, by token.
    pub fn components(&self) -> impl ExactSizeIterator<Item = &Arc<ComponentNames>> {
        self.components.values()
    }
}

impl ObjectNames {
    /// A table. The caller guarantees that no name stands for two fields.
    pub(crate) fn new(mut fields: Vec<Field>) -> Self {
        fields.sort_by(|left, right| left.terraform.cmp(&right.terraform));
        let order = |name: fn(&Field) -> &Arc<str>| {
            let mut positions: Vec<usize> = (0..fields.len()).collect();
            positions.sort_by_key(|position| fields.get(*position).map(name));
            positions
        };
        let (by_pulumi, by_script) = (order(|field| &field.pulumi), order(|field| &field.script));
        Self { fields, by_pulumi, by_script }
    }

    /// The field with that Terraform name.
    #[must_use]
    pub fn by_terraform(&self, name: &str) -> Option<&Field> {
        let position = self.fields.binary_search_by(|field| (*field.terraform).cmp(name)).ok()?;
        self.fields.get(position)
    }

    /// The field with that Pulumi name.
    #[must_use]
    pub fn by_pulumi(&self, name: &str) -> Option<&Field> {
        self.look_up(&self.by_pulumi, name, |field| &field.pulumi)
    }

    /// The field with that script name.
    #[must_use]
    pub fn by_script(&self, name: &str) -> Option<&Field> {
        self.look_up(&self.by_script, name, |field| &field.script)
    }

    fn look_up(&self, order: &[usize], name: &str, key: impl Fn(&Field) -> &Arc<str>) -> Option<&Field> {
        let found =
            order.binary_search_by(|position| self.fields.get(*position).map(|field| &**key(field)).cmp(&Some(name)));
        order.get(found.ok()?).and_then(|position| self.fields.get(*position))
    }

    /// All fields, by Terraform name. The Pulumi id of a resource is among them.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = &Field> {
        self.fields.iter()
    }

    /// The fields that are Pulumi properties: all but the id.
    pub fn properties(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| !field.is_id)
    }

    /// The type of the objects.
    #[must_use]
    pub fn object_type(&self) -> Type {
        Type::object(self.fields.iter().map(|field| (Arc::clone(&field.terraform), field.ty.clone())))
    }
}

impl Field {
    /// A field with these names in Terraform and Pulumi (and Pulumi's in scripts), and nothing else set.
    pub(crate) fn new(terraform: Arc<str>, pulumi: Arc<str>, ty: Type, shape: Shape) -> Self {
        Self {
            terraform,
            script: Arc::clone(&pulumi),
            pulumi,
            ty,
            shape,
            source: Source::Attribute,
            required: false,
            optional: false,
            computed: false,
            sensitive: false,
            write_only: false,
            flattened: false,
            kept_empty: false,
            is_id: false,
            annotations: None,
        }
    }

    /// Whether programs may set it.
    #[must_use]
    pub fn is_input(&self) -> bool {
        (self.required || self.optional) && !self.is_id
    }

    /// Whether it is among the outputs.
    #[must_use]
    pub fn is_output(&self) -> bool {
        !self.write_only && !self.is_id
    }

    /// Whether a change of it is said to replace the resource.
    #[must_use]
    pub fn replaces(&self) -> bool {
        self.annotations.as_ref().is_some_and(|annotations| annotations.replaces)
    }

    /// Whether its numbers have no fraction.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.annotations.as_ref().is_some_and(|annotations| annotations.whole_number)
    }

    /// Whether a name is made up for it when the program gives none.
    #[must_use]
    pub fn is_autonamed(&self) -> bool {
        self.annotations.as_ref().is_some_and(|annotations| annotations.autonamed)
    }
}

impl Shape {
    /// The type of such values; dynamic blocks appear as lists and maps.
    #[must_use]
    pub fn ty(&self) -> Type {
        match self {
            Self::String => Type::String,
            Self::Number => Type::Number,
            Self::Bool => Type::Bool,
            Self::Dynamic => Type::Dynamic,
            Self::List(element) => Type::list(element.ty()),
            Self::Set(element) => Type::set(element.ty()),
            Self::Map(element) => Type::map(element.ty()),
            Self::Object(names) => names.object_type(),
            Self::Tuple(elements) => Type::tuple(elements.iter().map(Self::ty)),
        }
    }

    /// The shape of the elements of a list, set or map.
    #[must_use]
    pub fn element(&self) -> Option<&Shape> {
        match self {
            Self::List(element) | Self::Set(element) | Self::Map(element) => Some(element),
            _ => None,
        }
    }
}
