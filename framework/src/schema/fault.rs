//! What can be wrong with a schema.

use denobridge_core::cty::{Path, Type};
use thiserror::Error;

/// One thing that is wrong with the schema of a component.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{component}{}{path}: {fault}", if path.is_root() { "" } else { ", " })]
pub struct SchemaProblem {
    /// Whose schema: `resource example_thing`.
    pub component: String,
    /// Which attribute or block, from the root: `disk.path`. Root for the schema itself.
    pub path: Path,
    /// What is wrong.
    pub fault: SchemaFault,
}

/// What is wrong with a schema, an attribute or a block.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SchemaFault {
    /// The version is below zero.
    #[error("the schema version {0} is negative")]
    NegativeVersion(i64),
    /// Terraform's language cannot write the name.
    #[error("the name may have only lower-case letters, digits and underscores, and must not begin with a digit")]
    Name,
    /// Terraform gives the name a meaning of its own.
    #[error("the name is reserved by Terraform")]
    Reserved,
    /// Two attributes or blocks have the same name.
    #[error("the name is taken twice")]
    Duplicate,
    /// None of required, optional and computed.
    #[error("it is neither required nor optional nor computed")]
    NoFlag,
    /// Required and optional.
    #[error("it cannot be both required and optional")]
    RequiredAndOptional,
    /// Required and computed.
    #[error("it cannot be both required and computed: the configuration decides, or the provider does")]
    RequiredAndComputed,
    /// Required, with a default that could never be used.
    #[error("it is required, so its default would never be used")]
    RequiredDefault,
    /// A default for what cannot be configured.
    #[error("it is computed only, so there is no configuration for which its default could stand in")]
    ComputedOnlyDefault,
    /// A default for what is never planned.
    #[error("it is write-only, and a default would be planned and stored")]
    WriteOnlyDefault,
    /// A default of another type.
    #[error("its default is {found}, but its type is {wanted}")]
    DefaultType {
        /// The attribute's type.
        wanted: Type,
        /// The type of the default.
        found: Type,
    },
    /// A default that is null or not known.
    #[error("its default is null or not wholly known")]
    DefaultNotKnown,
    /// An allowed value of another type.
    #[error("one of its allowed values is {found}, but its type is {wanted}")]
    EnumType {
        /// The attribute's type.
        wanted: Type,
        /// The type of the allowed value.
        found: Type,
    },
    /// Keeps its state without being the provider's to set.
    #[error("it keeps its state in plans, but it is not computed")]
    KeepsWithoutComputed,
    /// Write-only and computed.
    #[error("it cannot be both write-only and computed: nothing of it may be stored")]
    WriteOnlyComputed,
    /// Write-only inside a set.
    #[error("it is write-only inside a set, whose elements are told apart by their values")]
    WriteOnlyInSet,
    /// Write-only where there is nothing to write to.
    #[error("only managed resources can have write-only attributes")]
    WriteOnlyKind,
    /// Dynamic inside a collection.
    #[error("dynamic inside a collection crashes Terraform when elements differ in type")]
    DynamicInCollection,
    /// Deeper than the codecs go.
    #[error("it is nested more than {0} levels deep")]
    TooDeep(usize),
    /// Group nesting of an attribute.
    #[error("attributes cannot be nested as a group, only blocks can")]
    GroupAttribute,
    /// More blocks needed than allowed.
    #[error("at least {min} blocks are needed, but at most {max} are allowed")]
    ItemBounds {
        /// The lower bound.
        min: u64,
        /// The upper bound.
        max: u64,
    },
    /// Bounds for a nesting that has none.
    #[error("group and map blocks cannot have bounds on their number")]
    ItemBoundsNotAllowed,
    /// Bounds of a single block other than none or exactly one.
    #[error("a single block is either required (exactly one) or has no bounds")]
    SingleItemBounds,
    /// A computed block that a configuration could be asked for.
    #[error("a computed block cannot be a group, have a lower bound, or hold anything that is not computed")]
    ComputedBlock,
    /// An identity attribute of a type that identities cannot have.
    #[error("identities hold only strings, numbers, bools and lists of them, not {0}")]
    IdentityType(Type),
    /// An identity attribute with no use at import.
    #[error("import must either require or accept it")]
    IdentityFlag,
    /// In the schema and not in the model.
    #[error("the schema has it, but the model {model} has no such field")]
    NotInModel {
        /// The Rust type.
        model: &'static str,
    },
    /// In the model and not in the schema.
    #[error("the model {model} has such a field, but the schema does not have it")]
    NotInSchema {
        /// The Rust type.
        model: &'static str,
    },
    /// Of different types in schema and model.
    #[error("its type in the schema is {schema}, but the model {model} holds {held}")]
    ModelType {
        /// The Rust type.
        model: &'static str,
        /// The type in the schema.
        schema: Type,
        /// The type of the field.
        held: Type,
    },
}
