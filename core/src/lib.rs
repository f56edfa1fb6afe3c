//! What every other room stands on: Terraform's value model, the provider schema, diagnostics, and the seam between the
//! doors (Terraform, Pulumi, `denobridge try`) and the workers (scripts, foreign providers, providers written in Rust).
//!
//! Rules of this room: no IO, no wire types (prost and tonic stay in the doors), and no input can make it panic. Every
//! decoder checks [`limits`] before it recurses or allocates.

pub mod calendar;
pub mod call;
pub mod cty;
pub mod diagnostics;
pub mod dynamic_value;
pub mod limits;
pub mod mask;
pub mod planning;
pub mod provider;
pub mod recording;
pub mod schema;

pub use call::{Call, CallError};
pub use diagnostics::{Diagnostic, Diagnostics, Severity};
pub use dynamic_value::DynamicValue;
pub use provider::Provider;
