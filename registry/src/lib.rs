//! Finds Terraform providers: in registries and mirrors, as the user has configured it for Terraform or OpenTofu; verifies
//! what it downloads, and keeps it.
//!
//! [`Installer::install`] is the way in: it takes an address and a version constraint, and returns the path of an
//! executable that may be trusted. [`LocalProvider`] is for providers that are given by their path.
//!
//! Each module reads as the specification of one thing: [`address`] and [`constraint`] are what users write,
//! [`environment`] and `cli_config` what they have configured, `source` the places that providers come from,
//! `verification` and `signature` what must hold, `cache` what is kept, and `installer` how it all goes together.
//!
//! Knows nothing of providers' protocols or of Pulumi.

#![expect(clippy::result_large_err, reason = "an installation fails once in a run, and boxes would hide what it says")]

pub mod address;
mod cache;
mod cli_config;
pub mod constraint;
pub mod environment;
mod error;
mod executable;
mod hashes;
mod http;
mod installer;
pub mod limits;
mod platform;
mod signature;
mod source;
mod verification;

pub use address::ProviderAddress;
pub use cache::CACHE_VARIABLE;
pub use cli_config::ConfigurationError;
pub use constraint::VersionConstraint;
pub use environment::Environment;
pub use error::InstallError;
pub use executable::{EXECUTABLE_PREFIX, LocalProvider, is_local_path, local_candidates};
pub use hashes::{PackageHash, Sum, UnknownHash};
pub use http::FetchError;
pub use installer::{InstalledProvider, Installer, Requirement};
pub use platform::Platform;
pub use signature::KeyError;
pub use verification::{ENFORCE_EXPIRATION, ENFORCE_VALIDATION, VerificationError};
