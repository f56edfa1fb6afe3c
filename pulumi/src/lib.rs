//! Pulumi's door: serves a provider to the Pulumi engine.
//!
//! [`serve`] is the whole life of a plugin process; a [`PackageSource`] says which provider it serves as which package.
//! Everything behind the seam is asked as Terraform core would ask it, so a provider cannot tell Pulumi from Terraform.
//!
//! - [`property_value`]: Pulumi's values and their wire form; [`translate`]: to and from Terraform's values.
//! - [`state`]: how a resource is kept in Pulumi's state.
//! - `lifecycle`: what each procedure means; `service`: the procedures themselves; [`engine`]: the way back to the user.

mod assets;
pub mod engine;
mod errors;
mod lifecycle;
pub mod package;
pub mod property_value;
pub mod proto;
pub mod server;
mod service;
pub mod state;
pub mod translate;
mod wording;

pub use package::{PackageError, PackageSource, Parameter, ServedPackage};
pub use server::{Ending, Options, PulumiServer, ServeError, engine_address, serve};
