//! Why a provider's schema cannot become a Pulumi package.

use denobridge_core::limits::MAX_DEPTH;
use thiserror::Error;

use crate::native::ComponentKind;

/// Why a schema and options do not make a package. Every message names what to change.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SchemaError {
    /// Two things at one level would have the same name.
    #[error(
        "{place}: {first:?} and {second:?} would both be called {name:?} in {language}; give one of them a name of its own"
    )]
    NameCollision {
        /// The component and the path inside it.
        place: String,
        /// One Terraform name.
        first: String,
        /// The other.
        second: String,
        /// What both would be called.
        name: String,
        /// Where they would be called so.
        language: &'static str,
    },
    /// A name was asked for that Pulumi keeps for itself.
    #[error(
        "{place}: {attribute:?} cannot be called {name:?} in Pulumi programs, the name is reserved; choose another"
    )]
    ReservedName {
        /// The component and the path inside it.
        place: String,
        /// The Terraform name.
        attribute: String,
        /// The name asked for.
        name: String,
    },
    /// A property name that Pulumi's schema does not allow.
    #[error("{place}: {attribute:?} cannot be called {name:?} in Pulumi programs: {problem}; choose another name")]
    InvalidName {
        /// The component and the path inside it.
        place: String,
        /// The Terraform name.
        attribute: String,
        /// The name it would have.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A name that no token can hold or that Pulumi keeps for itself.
    #[error(
        "the {kind} {type_name:?} cannot be called {name:?} in Pulumi: {problem}; give it a name in the package options"
    )]
    InvalidComponentName {
        /// What it is.
        kind: ComponentKind,
        /// Its Terraform name.
        type_name: String,
        /// The name it would have.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Two things would have the same token; Pulumi does not tell upper from lower case here.
    #[error("{first} and {second} would both have the Pulumi token {token:?}; give one of them a name of its own")]
    TokenCollision {
        /// One of them.
        first: String,
        /// The other.
        second: String,
        /// The token of the second.
        token: String,
    },
    /// Something would be called like a class that SDKs have for something else.
    #[error(
        "{first} and {second} would both have the class {class:?} in generated SDKs; give one of them a name of its own"
    )]
    ClassCollision {
        /// One of them.
        first: String,
        /// The other.
        second: String,
        /// The class of the second.
        class: String,
    },
    /// The list of allowed values is not usable.
    #[error("{attribute}: the allowed values are not usable: {problem}")]
    InvalidEnum {
        /// The component and the path of the attribute.
        attribute: String,
        /// What is wrong.
        problem: String,
    },
    /// A component whose name does not start as the others do.
    #[error("token '{type_name}' missing package prefix '{prefix}'")]
    MissingPrefix {
        /// Its Terraform name.
        type_name: String,
        /// What the names of the others start with.
        prefix: String,
    },
    /// A name that Pulumi keeps for itself, with nothing left to call it instead.
    #[error("{place}: {attribute:?} is a reserved name in Pulumi, and all that it could be called is taken: {tried}")]
    NoFreeName {
        /// The component.
        place: String,
        /// The reserved name.
        attribute: String,
        /// What was tried.
        tried: String,
    },
    /// A tuple, without the repair that makes it an array.
    #[error("{place}: tuples have no type in Pulumi; switch on the repair \"tuples\" to have arrays instead")]
    Tuple {
        /// The component and the path inside it.
        place: String,
    },
    /// Something is to be offered and not to be offered.
    #[error("tokens cannot be both included and excluded: {tokens}")]
    IncludedAndExcluded {
        /// Their Terraform names.
        tokens: String,
    },
    /// The schema is nested too deeply.
    #[error("{place}: the schema is nested more than {MAX_DEPTH} levels deep")]
    TooDeep {
        /// The component and the path inside it.
        place: String,
    },
    /// The package cannot be called that.
    #[error("a Pulumi package cannot be called {name:?}: {problem}")]
    InvalidPackageName {
        /// The name.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A version that is not three numbers with an optional pre-release and build part.
    #[error("{version:?} is not a version of the package {package:?}: write MAJOR.MINOR.PATCH without a leading `v`")]
    InvalidVersion {
        /// The package or plugin.
        package: String,
        /// The version.
        version: String,
    },
    /// The package schema has no JSON form.
    #[error("the schema of the package {package:?} cannot be written as JSON: {message}")]
    Json {
        /// The package.
        package: String,
        /// What serde_json says.
        message: String,
    },
}
