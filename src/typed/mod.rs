//! Typed packages: a folder of scripts that say what they are becomes one provider, with attributes for every prop.
//!
//! ```text
//! folder ─► collect ─► Description of each script ─► component ─► provider ─► either tool
//! ```
//!
//! A typed component has no life cycle of its own. It puts what it is given into the form that the generic component of its
//! kind takes ([`crate::scripted`]), and what that answers into attributes.

mod collect;
mod description;
mod package;

pub use collect::{CollectError, Collected, Collector, CollectorOptions, LIMIT_VARIABLE, Outcome};
pub use description::{Deprecation, Description, FunctionDescription, Kind, ParameterDescription};
pub use package::{PackageScript, ScriptPackage};
