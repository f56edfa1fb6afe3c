//! Typed packages: a folder of scripts that say what they are becomes one provider, with attributes for every prop.
//!
//! ```text
//! folder ─► collect ─► Description of each script ─► component ─► provider ─► either tool
//! ```
//!
//! A typed component has no life cycle of its own. It puts what it is given into the form that the generic component of its
//! kind takes ([`crate::scripted`]), and what that answers into attributes.

mod advice;
mod collect;
mod component;
mod configuration;
mod description;
mod error;
pub mod folder;
mod location;
mod names;
mod offer;
mod package;
mod packages;
mod parameter;
mod permissions;
mod provider;
mod recorded;
mod release;
mod remote;
mod schema;
#[cfg(test)]
mod tests;
mod validation;

pub use collect::{CollectError, Collected, Collector, CollectorOptions, LIMIT_VARIABLE, Outcome};
pub use description::{Deprecation, Description, FunctionDescription, Kind, ParameterDescription};
pub use error::{SchemaFault, TypedError};
pub use location::{WantedScripts, is_url};
pub use package::{PackageScript, ScriptPackage};
pub use packages::{ScriptPackages, told_permissions};
pub use parameter::ScriptParameter;
pub use provider::{component_names, provider, type_prefix};
pub use recorded::RecordedScripts;
pub use release::Release;

/// What is said of something deprecated; `None` for what is not, and an empty text where nothing more is said.
fn deprecation(given: Option<&Deprecation>) -> Option<String> {
    match given? {
        Deprecation::Flag(false) => None,
        Deprecation::Flag(true) => Some(String::new()),
        Deprecation::Sentence(text) => Some(text.clone()),
    }
}
