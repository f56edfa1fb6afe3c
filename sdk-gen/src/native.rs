//! The naming policy for scripts and for providers written with the framework: names as written.
//!
//! | what | rule |
//! |---|---|
//! | property | camel case of the attribute name; nothing is made plural, nothing is flattened |
//! | reserved property | the camel-case name with `Value` appended ([`is_reserved`]): `id` → `idValue`, `urn`, `get`, `getProvider` likewise of resources; `triggers` → `triggersValue` of actions; `limit` → `limitValue` of lists; `opts` → `optsValue` of functions; `items` → `itemsValue` in objects; `constructor` → `constructorValue` everywhere |
//! | token | `package:index:Name` |
//! | resource | Pascal case of the type name without the provider's prefix: `acme_web_server` → `WebServer` |
//! | data source, ephemeral resource, list resource | `get`, `open` or `list` before that |
//! | action | that with `Action` behind |
//! | function | camel case of the function name |
//! | reserved name of a component | that with `Resource` or `Function` behind ([`free_name`]): `provider` → `ProviderResource`, `import` → `importFunction` |
//!
//! Explicit names ([`crate::PackageOptions::component_names`], annotations of attributes) win over all of it.

use crate::case::{camel_case, pascal_case};
use crate::languages;

/// The input of every action that makes it run again when it changes. The provider does not get it.
pub const TRIGGERS: &str = "triggers";

/// The input of every list that asks for whole objects rather than their identities.
pub const INCLUDE_RESOURCE: &str = "includeResource";

/// The input of every list that says how many objects are wanted at most.
pub const LIMIT: &str = "limit";

/// The limit of a list that names none; Terraform's is the same.
pub const DEFAULT_LIMIT: i64 = 100;

/// The only entry of the result of a function that is not an object. Any name would do: SDKs take the entry there is.
pub const RESULT: &str = "result";

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

impl ComponentKind {
    /// Whether it is a resource in Pulumi; the others are functions.
    #[must_use]
    pub fn is_resource(self) -> bool {
        matches!(self, Self::Resource | Self::Action)
    }

    /// Where its root block stands, which decides what names it may not use.
    #[must_use]
    pub fn level(self) -> Level {
        match self {
            Self::Resource => Level::Resource,
            Self::Action => Level::Action,
            Self::ListResource => Level::List,
            Self::DataSource | Self::EphemeralResource | Self::Function => Level::Function,
        }
    }
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
pub enum Level {
    /// The provider's configuration.
    Provider,
    /// The root block of a resource.
    Resource,
    /// The root block of an action, which is a resource with `triggers` in Pulumi.
    Action,
    /// The inputs or the result of a function.
    Function,
    /// The root block of a list resource, which is a function with a `limit` in Pulumi.
    List,
    /// An object inside a property.
    Nested,
}

/// The Pulumi name of a component (the last part of its token). `prefix` is the provider's type name.
#[must_use]
pub fn component_name(kind: ComponentKind, type_name: &str, prefix: &str) -> String {
    free_name(kind, plain_component_name(kind, type_name, prefix))
}

/// The name that a component has in Pulumi if it is to have this one: itself, or with what the component is behind it where
/// SDKs have something of that name already.
#[must_use]
pub fn free_name(kind: ComponentKind, name: String) -> String {
    let taken = languages::is_taken_by_packages(&name);
    if kind.is_resource() {
        return if taken { format!("{name}Resource") } else { name };
    }
    let reserved = languages::is_reserved_in_javascript(&name) || languages::python::is_used_by_functions(&name);
    if taken || reserved { format!("{name}Function") } else { name }
}

fn plain_component_name(kind: ComponentKind, type_name: &str, prefix: &str) -> String {
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
    free_property_name(level, camel_case(terraform))
}

/// The name that a property has in Pulumi if it is to have this one: itself, or with `Value` behind it where that is reserved.
#[must_use]
pub fn free_property_name(level: Level, name: String) -> String {
    if is_reserved(level, &name) { format!("{name}Value") } else { name }
}

/// Whether a property can have the name at that level.
#[must_use]
pub fn is_property_name(level: Level, name: &str) -> bool {
    !is_reserved(level, name) && property_name_problem(name).is_none()
}

/// Whether Pulumi or one of its SDKs keeps the name of a property at that level for itself.
#[must_use]
pub fn is_reserved(level: Level, name: &str) -> bool {
    // `pulumi` is refused everywhere by the binder; the other names are fields that every resource or every provider
    // has already.
    name == "pulumi"
        || languages::is_taken_in_objects(name)
        || languages::python::is_taken(level, name)
        || match level {
            Level::Nested | Level::Function => false,
            Level::Resource => matches!(name, "id" | "urn") || languages::is_taken_in_resources(name),
            Level::Action => matches!(name, "id" | "urn" | TRIGGERS) || languages::is_taken_in_resources(name),
            Level::List => matches!(name, INCLUDE_RESOURCE | LIMIT),
            Level::Provider => {
                let own = ["id", "urn", "version", "pluginDownloadURL", "pluginChecksums", "parameterization"];
                own.contains(&name) || languages::is_reserved_in_javascript(name)
            }
        }
}

/// The name of a nested type: the name of what it is in, then the property that holds it. What a token cannot hold
/// separates words, as an underscore does.
pub(crate) fn type_name(parent: &str, property: &str) -> String {
    let words: String =
        property.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '_' }).collect();
    format!("{parent}{}", pascal_case(&words))
}

/// The token of a resource, function or type. Everything is in the root module.
pub(crate) fn token(package: &str, name: &str) -> String {
    format!("{package}:index:{name}")
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

/// Why a component cannot have a name, if it cannot. Case does not matter to the reserved names.
pub(crate) fn component_name_problem(name: &str) -> Option<&'static str> {
    if languages::is_taken_by_packages(name) {
        Some("the name is reserved")
    } else if !name.starts_with(|character: char| character.is_ascii_alphabetic()) {
        Some("it has to start with an ASCII letter")
    } else if !name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_') {
        Some("only ASCII letters, digits and underscores are allowed")
    } else {
        None
    }
}

/// Why a package cannot have a name, if it cannot.
pub(crate) fn package_name_problem(name: &str) -> Option<&'static str> {
    if matches!(name, "pulumi" | "input") {
        Some("the name is reserved")
    } else if !name.starts_with(|character: char| character.is_ascii_alphabetic()) {
        Some("it has to start with an ASCII letter")
    } else if !name.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '-' | '_')) {
        Some("only ASCII letters, digits, hyphens and underscores are allowed")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_kind() {
        let cases = [
            (ComponentKind::Resource, "WebServer"),
            (ComponentKind::DataSource, "getWebServer"),
            (ComponentKind::EphemeralResource, "openWebServer"),
            (ComponentKind::Action, "WebServerAction"),
            (ComponentKind::ListResource, "listWebServer"),
        ];
        for (kind, expected) in cases {
            assert_eq!(component_name(kind, "acme_web_server", "acme"), expected);
        }
        // Functions have no prefix, not even one that looks like it.
        assert_eq!(component_name(ComponentKind::Function, "acme_parse_id", "acme"), "acmeParseId");
    }

    #[test]
    fn a_prefix_is_a_whole_word_and_never_the_whole_name() {
        assert_eq!(component_name(ComponentKind::Resource, "acmecorp_thing", "acme"), "AcmecorpThing");
        assert_eq!(component_name(ComponentKind::Resource, "acme", "acme"), "Acme");
        assert_eq!(component_name(ComponentKind::Resource, "acme_", "acme"), "Acme");
        assert_eq!(component_name(ComponentKind::Resource, "acme_my-token", "acme"), "MyToken");
    }

    #[test]
    fn type_names_hold_only_what_tokens_can() {
        assert_eq!(type_name("Script", "writeOnlyProps"), "ScriptWriteOnlyProps");
        assert_eq!(type_name("Script", "a.b größe"), "ScriptABGrE");
    }
}
