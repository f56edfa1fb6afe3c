//! Terraform's type system and values ("cty"), the only form in which values exist between the doors and the workers.
//!
//! [`Type`] and [`Value`] are immutable and cheap to clone. Codecs: [`msgpack`] for the wire, [`json`] for stored state,
//! [`type_json`] for types. [`convert`] and [`unify`] follow go-cty; vectors written by go-cty itself hold them to it.

mod canonical;
mod conform;
pub mod convert;
mod failure;
pub mod json;
mod marks;
pub mod msgpack;
mod number;
mod path;
mod refinement;
mod set;
mod ty;
pub mod type_json;
pub mod unify;
mod value;

pub use marks::Marks;
pub use number::{Number, NumberError};
pub use path::{Path, PathStep};
pub use refinement::Refinement;
pub use ty::{ObjectType, Type};
pub use value::{Value, ValueKind};
