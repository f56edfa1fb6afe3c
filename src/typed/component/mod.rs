//! Typed components. Each stands before the generic component of its kind ([`crate::scripted`]), which does all the work: it
//! gets the object that a user of the generic component would write, and what it makes of that becomes attributes.
//!
//! ```text
//! attributes ─► layout ─► props, state, … ─► generic component ─► script
//!            ◄─        ◄─ state, paths    ◄─
//! ```

mod action;
mod data_source;
mod ephemeral;
mod function;
mod layout;
mod list;
mod messages;
mod name;
mod resource;
mod results;
mod script;

pub(super) use action::TypedAction;
pub(super) use data_source::TypedDataSource;
pub(super) use ephemeral::TypedEphemeral;
pub(super) use function::{FunctionScripts, TypedFunction};
pub(super) use layout::{Layout, Outline};
pub(super) use list::TypedList;
pub(super) use name::{ComponentName, kind_name};
pub(super) use resource::TypedResource;
pub(super) use script::{PackageData, Script};

use std::sync::Arc;

use super::TypedError;
use super::schema::{Place, Property};
use super::validation::Checker;

/// A component of a package.
pub(super) struct Component {
    /// Its script.
    pub script: Arc<Script>,
    /// Its attributes.
    pub layout: Layout,
    /// What is checked of its props.
    pub props: Option<Checker>,
    /// What is checked of its write-only props.
    pub write_only: Option<Checker>,
}

/// Makes the checker of a member of the description.
pub(super) fn checker(
    schema: Option<&serde_json::Value>,
    properties: &[Property],
    place: &Place<'_>,
) -> Result<Option<Checker>, TypedError> {
    schema.map(|schema| Checker::new(schema, properties, place)).transpose()
}
