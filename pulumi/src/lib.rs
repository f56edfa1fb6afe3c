//! Pulumi's door: serves a provider to the Pulumi engine.

mod assets;
pub mod engine;
mod errors;
mod lifecycle;
pub mod package;
pub mod property_value;
pub mod proto;
pub mod state;
pub mod translate;
