//! Writing down what a component accepts and returns.
//!
//! Three ways to the same [`Schema`](denobridge_core::schema::Schema), equal to the last byte:
//!
//! - short functions ([`string`], [`number`], [`list_block`], [`resource`], …), the shortest where no Rust type stands behind;
//! - the definitions in full ([`AttributeDefinition`] and its kin), for schemas that a program puts together;
//! - a derive on the Rust type that holds the values ([`crate::Model`]), which is what providers in Rust use.
//!
//! ```
//! use denobridge_framework::schema::{list_block, number, resource, string};
//!
//! let server = resource([
//!     string("id").computed().keep(),
//!     string("name").required().replace().describe("What people call it."),
//!     number("size").default(1),
//! ])
//! .block(list_block("disk", [string("path").required()]).at_most(5))
//! .build();
//! assert!(server.block.attribute("size").unwrap().computed);
//! ```
//!
//! What the flags come to: none of them means optional; required wins over optional; a default makes an attribute optional
//! *and* computed. What contradicts itself is not repaired but found by [`check`], which a provider's build runs over every
//! component and which reports everything at once. [`check_value`] holds a value against a schema. [`lint`] has advice for
//! schemas that are without fault: descriptions that are missing, names that do not fit.

mod check;
mod definition;
mod factory;
mod fault;
mod lint;
mod value;

pub use check::{SchemaKind, check, check_identity, is_reserved};
pub use definition::{AttributeDefinition, BlockDefinition, NestedBlockDefinition, SchemaDefinition, TypeDefinition};
pub use factory::{
    attribute, bool, data_source, dynamic, group_block, identity, list, list_block, map, map_block, nested_list,
    nested_map, nested_set, nested_single, number, object, provider, resource, set, set_block, single_block, string,
    tuple,
};
pub use fault::{SchemaFault, SchemaProblem};
pub use lint::{Advice, SchemaAdvice, lint};
pub use value::check_value;

#[cfg(test)]
mod tests;
