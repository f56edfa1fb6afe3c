//! For tests only: a provider registry, a network mirror, and what goes wrong with them, on the loopback interface.
//!
//! ```no_run
//! # async fn example() {
//! use denobridge_registry_testing::{Authority, Package, Registry, SigningKey};
//!
//! let authority = Authority::new();
//! let registry = Registry::start(&authority).await;
//! registry.publish(&Package::new("acme/random", "1.2.3"), &[&SigningKey::new()]);
//! // SSL_CERT_FILE=authority.certificate() … HOST/acme/random
//! println!("{}/acme/random", registry.host());
//! # }
//! ```
//!
//! Keys and certificates are made when they are needed; nothing secret is in the repository.

mod authority;
mod keys;
mod package;
mod proxy;
mod registry;
mod server;

pub use authority::Authority;
pub use keys::SigningKey;
pub use package::{Package, platform};
pub use proxy::Proxy;
pub use registry::Registry;
pub use server::{Fault, Reply, Request, Server};
