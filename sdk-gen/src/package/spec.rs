//! The parts of Pulumi's package schema that we write, in the order in which they appear. Maps are sorted by name, so
//! the same package is always the same text.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

/// Properties by their Pulumi name.
pub(crate) type Properties = BTreeMap<String, PropertySpec>;

/// A package.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PackageSpec {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) display_name: String,
    pub(crate) version: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) description: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) keywords: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) homepage: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) license: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) repository: String,
    #[serde(rename = "logoUrl", skip_serializing_if = "String::is_empty")]
    pub(crate) logo_url: String,
    #[serde(rename = "pluginDownloadURL", skip_serializing_if = "String::is_empty")]
    pub(crate) plugin_download_url: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) publisher: String,
    /// Whose work the package is based on.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) attribution: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) meta: Option<MetadataSpec>,
    pub(crate) config: ConfigSpec,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) types: BTreeMap<String, ComplexTypeSpec>,
    pub(crate) provider: ResourceSpec,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) resources: BTreeMap<String, ResourceSpec>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) functions: BTreeMap<String, FunctionSpec>,
    #[serde(skip_serializing_if = "serde_json::Value::is_null")]
    pub(crate) language: serde_json::Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parameterization: Option<ParameterizationSpec>,
}

/// How to read the package's tokens.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MetadataSpec {
    /// A regular expression whose first group is the module that SDKs see.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) module_format: Option<&'static str>,
    /// Whether SDKs are complete packages of their language: for Go, whether they are modules. Of parameterized packages they
    /// are in any case.
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) support_pack: bool,
}

/// The configuration of the provider that programs use without naming one.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct ConfigSpec {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) variables: Properties,
    /// The required ones, whatever the name says.
    #[serde(rename = "defaults", skip_serializing_if = "Vec::is_empty")]
    pub(crate) required: Vec<String>,
}

/// A resource or the provider.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResourceSpec {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) description: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) properties: Properties,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) required: Vec<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) input_properties: Properties,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) required_inputs: Vec<String>,
    /// What an existing resource may be looked up by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) state_inputs: Option<ObjectTypeSpec>,
    /// Tokens of functions that are methods, by their name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) methods: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deprecation_message: Option<String>,
}

/// A function.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FunctionSpec {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) inputs: Option<ObjectTypeSpec>,
    /// All inputs in the order in which SDKs take them; empty where SDKs take an object.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) multi_argument_inputs: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) outputs: Option<ReturnSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deprecation_message: Option<String>,
}

/// What a function returns.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ReturnSpec {
    /// An object.
    Object(ObjectTypeSpec),
    /// Something else.
    Value(TypeSpec),
}

/// A property of a resource or of an object type. A large provider has tens of thousands of them, so what few have is boxed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PropertySpec {
    #[serde(flatten)]
    pub(crate) ty: TypeSpec,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deprecation_message: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) secret: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) will_replace_on_changes: bool,
    /// What SDKs send where the program gives nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) default: Option<Box<serde_json::Value>>,
    /// What languages are told about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<Box<serde_json::Value>>,
}

/// A reference to a type. Exactly one constructor below made it, since not all combinations are legal.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TypeSpec {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    ty: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Box<TypeSpec>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_properties: Option<Box<TypeSpec>>,
    #[serde(rename = "$ref", skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    one_of: Vec<TypeSpec>,
}

impl TypeSpec {
    pub(crate) fn string() -> Self {
        Self { ty: Some("string"), ..Self::default() }
    }

    pub(crate) fn integer() -> Self {
        Self { ty: Some("integer"), ..Self::default() }
    }

    pub(crate) fn number() -> Self {
        Self { ty: Some("number"), ..Self::default() }
    }

    pub(crate) fn boolean() -> Self {
        Self { ty: Some("boolean"), ..Self::default() }
    }

    pub(crate) fn any() -> Self {
        Self { reference: Some("pulumi.json#/Any".to_owned()), ..Self::default() }
    }

    /// The provider itself, as an argument of its methods.
    pub(crate) fn provider() -> Self {
        Self { ty: Some("ref"), reference: Some("#/provider".to_owned()), ..Self::default() }
    }

    pub(crate) fn array(items: Self) -> Self {
        Self { ty: Some("array"), items: Some(Box::new(items)), ..Self::default() }
    }

    pub(crate) fn map(values: Self) -> Self {
        Self { ty: Some("object"), additional_properties: Some(Box::new(values)), ..Self::default() }
    }

    /// A type of this package.
    pub(crate) fn named(token: &str) -> Self {
        Self { reference: Some(format!("#/types/{token}")), ..Self::default() }
    }

    /// One of several types; anything at all where one of them is anything or there are none.
    pub(crate) fn one_of(types: impl IntoIterator<Item = Self>) -> Self {
        let mut distinct: Vec<Self> = Vec::new();
        for ty in types {
            if !distinct.contains(&ty) {
                distinct.push(ty);
            }
        }
        match distinct.len() {
            0 => Self::any(),
            _ if distinct.contains(&Self::any()) => Self::any(),
            1 => distinct.remove(0),
            _ => Self { one_of: distinct, ..Self::default() },
        }
    }

    pub(crate) fn is_string(&self) -> bool {
        self.ty == Some("string")
    }

    pub(crate) fn is_array(&self) -> bool {
        self.items.is_some()
    }

    pub(crate) fn is_map(&self) -> bool {
        self.additional_properties.is_some()
    }

    /// The types that this is one of; none where it is a single one.
    pub(crate) fn alternatives(&self) -> &[Self] {
        &self.one_of
    }

    /// The token of the type of this package that this refers to.
    pub(crate) fn token(&self) -> Option<&str> {
        self.reference.as_deref()?.strip_prefix("#/types/")
    }

    /// The types that this is made of.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Self> {
        self.items.as_deref().into_iter().chain(self.additional_properties.as_deref()).chain(&self.one_of)
    }

    /// The same, to be changed.
    pub(crate) fn parts_mut(&mut self) -> impl Iterator<Item = &mut Self> {
        let inside = self.items.as_deref_mut().into_iter().chain(self.additional_properties.as_deref_mut());
        inside.chain(&mut self.one_of)
    }
}

/// An object type or an enumeration.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ComplexTypeSpec {
    /// An object type.
    Object(ObjectTypeSpec),
    /// An enumeration.
    Enum(EnumTypeSpec),
}

/// An object type. It serves inputs and outputs alike, with one list of required properties.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ObjectTypeSpec {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) description: String,
    /// `object`, except for arguments of methods.
    #[serde(rename = "type")]
    pub(crate) ty: Cow<'static, str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) properties: Properties,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) required: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<serde_json::Value>,
}

/// An enumeration.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EnumTypeSpec {
    #[serde(flatten)]
    pub(crate) ty: TypeSpec,
    #[serde(rename = "enum")]
    pub(crate) values: Vec<EnumValueSpec>,
}

/// A value of an enumeration.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EnumValueSpec {
    /// Only where generators cannot derive one from the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    pub(crate) value: serde_json::Value,
}

/// The plugin behind the package.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ParameterizationSpec {
    pub(crate) base_provider: BaseProviderSpec,
    /// Base64.
    pub(crate) parameter: String,
}

/// Name and version of a plugin.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct BaseProviderSpec {
    pub(crate) name: String,
    pub(crate) version: String,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // The signature that serde wants.
fn is_false(value: &bool) -> bool {
    !*value
}

impl Default for ObjectTypeSpec {
    fn default() -> Self {
        Self {
            description: String::new(),
            ty: Cow::Borrowed("object"),
            properties: Properties::new(),
            required: Vec::new(),
            language: None,
        }
    }
}

impl TypeSpec {
    /// Replaces a type wherever it stands in this one.
    pub(crate) fn replace(&mut self, from: &Self, to: &Self) {
        if self == from {
            self.clone_from(to);
        }
        self.parts_mut().for_each(|ty| ty.replace(from, to));
    }
}

impl ObjectTypeSpec {
    /// Whether the other type is the same apart from what is said of it.
    pub(crate) fn has_shape_of(&self, other: &Self) -> bool {
        self.required == other.required
            && self.properties.len() == other.properties.len()
            && self.properties.iter().zip(&other.properties).all(|((name, property), (other_name, other))| {
                name == other_name && property.ty == other.ty && property.secret == other.secret
            })
    }

    /// Visits the types of the properties.
    pub(crate) fn for_each_type(&mut self, visit: &mut impl FnMut(&mut TypeSpec)) {
        self.properties.values_mut().for_each(|property| visit(&mut property.ty));
    }
}

impl ResourceSpec {
    /// Visits the types of the properties.
    pub(crate) fn for_each_type(&mut self, visit: &mut impl FnMut(&mut TypeSpec)) {
        let properties = self.properties.values_mut().chain(self.input_properties.values_mut());
        properties.for_each(|property| visit(&mut property.ty));
        self.state_inputs.iter_mut().for_each(|state| state.for_each_type(visit));
    }
}

impl FunctionSpec {
    /// Visits the types of arguments and results.
    pub(crate) fn for_each_type(&mut self, visit: &mut impl FnMut(&mut TypeSpec)) {
        self.inputs.iter_mut().for_each(|inputs| inputs.for_each_type(visit));
        match &mut self.outputs {
            Some(ReturnSpec::Object(object)) => object.for_each_type(visit),
            Some(ReturnSpec::Value(ty)) => visit(ty),
            None => {}
        }
    }
}
