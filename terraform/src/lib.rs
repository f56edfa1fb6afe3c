//! Terraform's door and wire: serves a provider to Terraform and OpenTofu as a plugin.
//!
//! ```no_run
//! # async fn example(provider: std::sync::Arc<dyn denobridge_core::Provider>) -> Result<(), denobridge_terraform::ServeError> {
//! use denobridge_terraform::{ServeOptions, serve};
//!
//! serve(provider, ServeOptions::new("registry.terraform.io/example/tiny")).await
//! # }
//! ```
//!
//! Wire types stay in this crate: `wire6` converts them to the seam's requests and back, by hand; `wire5` narrows what
//! differs to the older protocol's form.

pub mod install;
pub mod proto;
mod serve;
mod wire5;
mod wire6;

pub use serve::{Protocol, ServeError, ServeOptions, refuse_direct_start, serve, serve_debug, started_by_host};
