//! Pulumi's door: serves a provider to the Pulumi engine.
//!
//! ```no_run
//! # async fn example(provider: std::sync::Arc<dyn denobridge_core::Provider>) -> Result<(), denobridge_pulumi::ServeError> {
//! denobridge_pulumi::plugin("tiny", "1.0.0").serve(provider).await
//! # }
//! ```
//!
//! [`Plugin::serve`] is the whole life of a plugin process with one provider. [`serve_packages`] is that of a plugin with
//! several packages; a [`PackageSource`] says which provider it serves as which package.
//! Everything behind the seam is asked as Terraform core would ask it, so a provider cannot tell Pulumi from Terraform.
//!
//! - [`property_value`]: Pulumi's values and their wire form; [`translate`]: to and from Terraform's values.
//! - [`state`]: how a resource is kept in Pulumi's state.
//! - `lifecycle`: what each procedure means; `service`: the procedures themselves; [`engine`]: the way back to the user.

mod assets;
mod configured;
mod conventions;
pub mod engine;
mod errors;
mod instances;
mod invocation;
mod lease;
mod lifecycle;
pub mod package;
mod plugin;
pub mod property_value;
pub mod proto;
mod recording;
pub mod server;
mod service;
pub mod state;
pub mod translate;
mod wording;

pub use conventions::Conventions;
pub use denobridge_sdk_gen::{ComponentKind, PackageOptions};
pub use invocation::{Invocation, plugin_name, started_as_plugin};
pub use package::{FormerType, PackageError, PackageSource, Parameter, ServedPackage};
pub use plugin::{OwnPackage, Plugin, plugin};
pub use recording::Player;
pub use server::{Ending, Options, PulumiServer, ServeError, serve_packages};
pub use translate::similar;
