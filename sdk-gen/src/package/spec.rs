//! The parts of Pulumi's package schema that we write, in the order in which they appear. Maps are sorted by name, so
//! the same package is always the same text.

use std::collections::BTreeMap;

use serde::Serialize;

/// Properties by their Pulumi name.
pub(super) type Properties = BTreeMap<String, PropertySpec>;

/// A package.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PackageSpec {
    pub(super) name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) display_name: String,
    pub(super) version: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) description: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) keywords: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) homepage: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) license: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) repository: String,
    #[serde(rename = "pluginDownloadURL", skip_serializing_if = "String::is_empty")]
    pub(super) plugin_download_url: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) publisher: String,
    pub(super) config: ConfigSpec,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) types: BTreeMap<String, ComplexTypeSpec>,
    pub(super) provider: ResourceSpec,
    pub(super) resources: BTreeMap<String, ResourceSpec>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) functions: BTreeMap<String, FunctionSpec>,
    pub(super) language: serde_json::Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parameterization: Option<ParameterizationSpec>,
}

/// The configuration of the provider that programs use without naming one.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct ConfigSpec {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) variables: Properties,
    /// The required ones, whatever the name says.
    #[serde(rename = "defaults", skip_serializing_if = "Vec::is_empty")]
    pub(super) required: Vec<String>,
}

/// A resource or the provider.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResourceSpec {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) description: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) properties: Properties,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) required: Vec<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) input_properties: Properties,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) required_inputs: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deprecation_message: Option<String>,
}

/// A function.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FunctionSpec {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) inputs: Option<ObjectTypeSpec>,
    /// All inputs in the order in which SDKs take them; empty where SDKs take an object.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) multi_argument_inputs: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) outputs: Option<ReturnSpec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deprecation_message: Option<String>,
}

/// What a function returns.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum ReturnSpec {
    /// An object.
    Object(ObjectTypeSpec),
    /// Something else.
    Value(TypeSpec),
}

/// A property of a resource or of an object type.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PropertySpec {
    #[serde(flatten)]
    pub(super) ty: TypeSpec,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deprecation_message: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) secret: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) will_replace_on_changes: bool,
}

/// A reference to a type. Exactly one constructor below made it, since not all combinations are legal.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TypeSpec {
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
    pub(super) fn string() -> Self {
        Self { ty: Some("string"), ..Self::default() }
    }

    pub(super) fn integer() -> Self {
        Self { ty: Some("integer"), ..Self::default() }
    }

    pub(super) fn number() -> Self {
        Self { ty: Some("number"), ..Self::default() }
    }

    pub(super) fn boolean() -> Self {
        Self { ty: Some("boolean"), ..Self::default() }
    }

    pub(super) fn any() -> Self {
        Self { reference: Some("pulumi.json#/Any".to_owned()), ..Self::default() }
    }

    pub(super) fn array(items: Self) -> Self {
        Self { ty: Some("array"), items: Some(Box::new(items)), ..Self::default() }
    }

    pub(super) fn map(values: Self) -> Self {
        Self { ty: Some("object"), additional_properties: Some(Box::new(values)), ..Self::default() }
    }

    /// A type of this package.
    pub(super) fn named(token: &str) -> Self {
        Self { reference: Some(format!("#/types/{token}")), ..Self::default() }
    }

    /// One of several types; anything at all where one of them is anything or there are none.
    pub(super) fn one_of(types: impl IntoIterator<Item = Self>) -> Self {
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

    pub(super) fn is_string(&self) -> bool {
        self.ty == Some("string")
    }
}

/// An object type or an enumeration.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum ComplexTypeSpec {
    /// An object type.
    Object(ObjectTypeSpec),
    /// An enumeration.
    Enum(EnumTypeSpec),
}

/// An object type. It serves inputs and outputs alike, with one list of required properties.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ObjectTypeSpec {
    /// Always `object`.
    #[serde(rename = "type")]
    pub(super) ty: &'static str,
    pub(super) properties: Properties,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) required: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) language: Option<serde_json::Value>,
}

/// An enumeration.
#[derive(Clone, Debug, Serialize)]
pub(super) struct EnumTypeSpec {
    #[serde(flatten)]
    pub(super) ty: TypeSpec,
    #[serde(rename = "enum")]
    pub(super) values: Vec<EnumValueSpec>,
}

/// A value of an enumeration.
#[derive(Clone, Debug, Serialize)]
pub(super) struct EnumValueSpec {
    /// Only where generators cannot derive one from the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    pub(super) value: serde_json::Value,
}

/// The plugin behind the package.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ParameterizationSpec {
    pub(super) base_provider: BaseProviderSpec,
    /// Base64.
    pub(super) parameter: String,
}

/// Name and version of a plugin.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BaseProviderSpec {
    pub(super) name: String,
    pub(super) version: String,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // The signature that serde wants.
fn is_false(value: &bool) -> bool {
    !*value
}
