//! Write a Terraform provider in Rust.
//!
//! Layers, outermost first:
//!
//! - [`provider`]: the builder that puts a provider together, and the [`denobridge_core::Provider`] that comes out of it. It
//!   decodes, checks and dispatches every request ([`server`]), so that components never see a wire value.
//! - [`erased`]: what a component is to that server: object-safe traits with a run-time schema and values in and out.
//!   Components made at run time (scripts) implement them directly.
//! - [`typed`]: what a component is to who writes it in Rust: traits whose values are structs of their own ([`model`]), with
//!   defaults for everything but the work itself. [`prelude`] has what such a provider needs, and
//!   `examples/minimal` is one.
//! - [`hub`]: where components are registered that are found ([`discovery`]) or made while the program runs.
//! - [`composite`]: kinds of components that a program adds by itself. What it wants done around every call is a
//!   [`denobridge_core::provider::Layer`] or [`denobridge_core::provider::Around`] of the whole provider.
//! - [`schema`]: writing schemas down, and checking them.
//! - [`documentation`]: Markdown pages for the Terraform registry, written from schemas.
//!
//! Whatever a component does (an error, a panic, an unknown value after apply), the process survives and the user gets a
//! diagnostic that says which component and which operation it was.

// The derives refer to this crate by its name, in its own tests too.
#[allow(unused_extern_crates)]
extern crate self as denobridge_framework;

mod blocking;
pub mod composite;
pub mod context;
pub mod discovery;
pub mod documentation;
pub mod erased;
mod explained;
mod guard;
pub mod host;
pub mod hub;
pub mod instances;
pub mod model;
pub mod plan;
pub mod prelude;
pub mod private;
pub mod provider;
pub mod schema;
mod server;
pub mod typed;
pub mod validate;

pub use blocking::blocking;
pub use composite::Composite;
pub use context::Context;
pub use denobridge_core::mask;
pub use erased::{ErasedResource, Outcome};
pub use explained::explained;
pub use hub::Hub;
pub use instances::Lifecycle;
pub use plan::{PlanEdit, PlanKind, PlanModifier};
pub use private::{PrivateData, PrivateDataError};
pub use provider::{BuildError, ConfigureContext, ProviderBuilder, ProviderData};
