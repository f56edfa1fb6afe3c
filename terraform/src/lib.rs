//! Terraform's door and wire, both ways: [`serve`] a provider to Terraform and OpenTofu as a plugin, or [`launch`] one that
//! somebody else wrote.
//!
//! ```no_run
//! # async fn example(provider: std::sync::Arc<dyn denobridge_core::Provider>) -> Result<(), denobridge_terraform::ServeError> {
//! use denobridge_terraform::{ServeOptions, serve};
//!
//! serve(provider, ServeOptions::new("registry.terraform.io/example/tiny")).await
//! # }
//! ```
//!
//! Between a host and a provider there is room for a [`tap`]: it passes on what both say, byte for byte, and asks the layers of
//! an observer about a copy.
//!
//! Wire types stay in this crate: `wire6` converts them to the seam's requests and back, by hand, and `wire6::host` the other
//! way round; `wire5` has what differs in the older protocol.

mod client;
mod cookie;
pub mod install;
pub mod launch;
mod log_variable;
pub mod proto;
pub mod recording;
mod serve;
mod streams;
pub mod tap;
mod tls;
mod wire5;
mod wire6;

pub use client::{DEFAULT_STOP_GRACE, ForeignProvider};
pub use launch::{LaunchError, LaunchOptions, attach, launch};
pub use serve::{
    FAREWELL_LIMIT, Protocol, ServeError, ServeOptions, Statuses, WireStatus, refuse_direct_start, serve, serve_debug,
    started_by_host,
};
pub use tap::{Observer, TapError, TapOptions, tap};
