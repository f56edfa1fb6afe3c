//! Why a package of scripts cannot be a provider.

use std::fmt;

use denobridge_framework::BuildError;
use thiserror::Error;

/// Why a package of scripts cannot be a provider. Each names the file that has to be corrected.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TypedError {
    /// A schema says something that no attribute can be.
    #[error("{file}: {place}: {fault}")]
    Schema {
        /// The script, or `denobridge.json`.
        file: String,
        /// The property, with the member of the description that it is in: `props.zone.name`.
        place: String,
        /// What is wrong with it.
        fault: SchemaFault,
    },
    /// A component has no name that both tools take.
    #[error(
        "{file}: {name:?} cannot be the name of a {kind}: it must begin with a letter and have letters and digits only"
    )]
    Name {
        /// The script.
        file: String,
        /// What the script is.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// Two components of a kind have the same name.
    #[error("{first} and {second} are both the {kind} {name:?}. Give one of them another `name`.")]
    SameName {
        /// The script that comes first.
        first: String,
        /// The other.
        second: String,
        /// What both are.
        kind: &'static str,
        /// Terraform's name for both.
        name: String,
    },
    /// A package whose name is none.
    #[error(
        "{name:?} cannot be the name of a package: it must have letters of a to z, digits and single dashes, and begin with a letter"
    )]
    PackageName {
        /// The name.
        name: String,
    },
    /// What came out is no provider, which is a fault of ours.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// What is wrong with a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaFault {
    /// The schema of a whole must be that of an object.
    NoObject,
    /// The schema is neither an object nor `true`.
    NoSchema,
    /// No value fits it.
    Never,
    /// A reference into another document.
    ForeignReference(String),
    /// A reference to nothing.
    UnknownReference(String),
    /// The library that validates values does not take it.
    Invalid(String),
    /// Terraform has no name like it.
    Unnameable,
    /// Another property has the same name in Terraform.
    SameName {
        /// The other property.
        other: String,
        /// The name in Terraform.
        name: String,
    },
    /// A prop and a member of the state have one name and two types.
    TwoTypes {
        /// The other place.
        other: String,
    },
    /// It is in two places that must not share a name.
    Twice {
        /// The other place.
        other: &'static str,
    },
    /// The default does not fit the schema.
    Default(String),
    /// A write-only property cannot say whether it has changed.
    ReplacingSecret,
}

impl fmt::Display for SchemaFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoObject => f.write_str("it must be the schema of an object, with `properties`"),
            Self::NoSchema => f.write_str("a schema is an object or `true`"),
            Self::Never => f.write_str("no value fits this schema"),
            Self::ForeignReference(reference) => {
                write!(f, "`$ref` to {reference:?}: only what is in the same schema can be referred to, with \"#/$defs/…\"")
            }
            Self::UnknownReference(reference) => write!(f, "`$ref` to {reference:?}, which is not there"),
            Self::Invalid(reason) => write!(f, "the schema is not valid: {reason}"),
            Self::Unnameable => f.write_str(
                "Terraform cannot have an attribute of that name: letters of a to z, digits and underscores make one, and no \
                 digit begins it",
            ),
            Self::SameName { other, name } => {
                write!(f, "it is {name:?} in Terraform, and so is {other:?}. Rename one of them")
            }
            Self::TwoTypes { other } => {
                write!(f, "it is also {other}, with another type. Give both the same type, or rename one of them")
            }
            Self::Twice { other } => write!(f, "it is also in {other}. A name may be in one of them only"),
            Self::Default(reason) => write!(f, "the default does not fit: {reason}"),
            Self::ReplacingSecret => f.write_str(
                "`x-replaces` cannot be for a write-only property, of which nobody knows what it was before. Let \
                 \"modifyPlan\" answer `requiresReplacement`",
            ),
        }
    }
}
