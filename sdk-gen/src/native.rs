//! The naming policy for scripts and for providers written with the framework: names as written.
//!
//! | what | rule |
//! |---|---|
//! | property | camel case of the attribute name; nothing is made plural, nothing is flattened |
//! | reserved property | the camel-case name with `Value` appended: `id` → `idValue`, `urn` → `urnValue` |
//! | token | `package:index:Name` |
//! | resource | Pascal case of the type name without the provider's prefix: `acme_web_server` → `WebServer` |
//! | data source, ephemeral resource, list resource | `get`, `open` or `list` before that |
//! | action | that with `Action` behind |
//! | function | camel case of the function name |
//!
//! Explicit names ([`crate::PackageOptions::component_names`], annotations of attributes) win over all of it.

use crate::case::{camel_case, pascal_case};

/// What a component of a provider is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ComponentKind {
    /// A managed resource; a resource in Pulumi.
    Resource,
    /// A data source; a function in Pulumi.
    DataSource,
    /// An ephemeral resource; a function in Pulumi.
    EphemeralResource,
    /// A function; a function in Pulumi.
    Function,
    /// An action; a resource in Pulumi that runs on create and when its triggers change.
    Action,
    /// A list resource; a function in Pulumi.
    ListResource,
}

impl std::fmt::Display for ComponentKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Resource => "resource",
            Self::DataSource => "data source",
            Self::EphemeralResource => "ephemeral resource",
            Self::Function => "function",
            Self::Action => "action",
            Self::ListResource => "list resource",
        })
    }
}

/// What names are reserved depends on where they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// The provider's configuration.
    Provider,
    /// The root block of a resource.
    Resource,
    /// An object inside a property.
    Nested,
}

/// The Pulumi name of a component (the last part of its token). `prefix` is the provider's type name.
#[must_use]
pub fn component_name(kind: ComponentKind, type_name: &str, prefix: &str) -> String {
    if kind == ComponentKind::Function {
        return camel_case(type_name);
    }
    let stripped = type_name.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('_'));
    let name = pascal_case(stripped.filter(|rest| !rest.is_empty()).unwrap_or(type_name));
    match kind {
        ComponentKind::Resource | ComponentKind::Function => name,
        ComponentKind::DataSource => format!("get{name}"),
        ComponentKind::EphemeralResource => format!("open{name}"),
        ComponentKind::Action => format!("{name}Action"),
        ComponentKind::ListResource => format!("list{name}"),
    }
}

/// The Pulumi name of an attribute or nested block that has no explicit one.
pub(crate) fn property_name(level: Level, terraform: &str) -> String {
    let name = camel_case(terraform);
    if is_reserved(level, &name) { format!("{name}Value") } else { name }
}

/// Whether Pulumi keeps the name for itself at that level.
pub(crate) fn is_reserved(level: Level, name: &str) -> bool {
    // `pulumi` is refused everywhere by the binder; the other names are fields that every resource or every provider
    // has already.
    name == "pulumi"
        || match level {
            Level::Nested => false,
            Level::Resource => matches!(name, "id" | "urn"),
            Level::Provider => {
                matches!(name, "id" | "urn" | "version" | "pluginDownloadURL" | "pluginChecksums" | "parameterization")
            }
        }
}

/// The name of a nested type: the name of what it is in, then the property that holds it.
pub(crate) fn type_name(parent: &str, property: &str) -> String {
    format!("{parent}{}", pascal_case(property))
}

/// Why Pulumi's schema does not allow a property name, if it does not.
pub(crate) fn property_name_problem(name: &str) -> Option<&'static str> {
    if !name.contains(|character: char| character.is_ascii_alphabetic()) {
        Some("it needs at least one ASCII letter")
    } else if name.contains(|character: char| character.is_whitespace() || character.is_control()) {
        Some("it contains a space or a character that cannot be printed")
    } else if name.starts_with("__") {
        Some("names that start with two underscores hold the engine's and the provider's own records")
    } else {
        None
    }
}
