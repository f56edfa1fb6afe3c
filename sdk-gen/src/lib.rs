//! From a provider's schema to its Pulumi package: the package schema that SDKs are generated from, and the name tables
//! that the Pulumi door translates with at run time. Both come from one walk over the same schema, so a program can
//! never use a name that the door does not know.
//!
//! - [`generate`] makes a [`Package`] of a provider schema and [`PackageOptions`].
//! - [`PackageNames`] maps tokens to Terraform type names; [`ObjectNames`] maps the names at one level of one schema.
//! - [`PropertyPath`] is a path in Pulumi's notation; [`ObjectNames::to_pulumi`] and [`ObjectNames::to_terraform`]
//!   translate paths.
//!
//! There are two policies for names: [`generate`] keeps names as written (see [`native`]), for scripts and for providers
//! written with the framework; [`generate_bridged`] gives foreign providers the names that the Go dynamic bridge gives
//! them. No IO happens here, and the same schema and options always give the same package.

mod bridged;
mod case;
mod error;
mod languages;
pub mod names;
pub mod native;
mod options;
mod package;
mod path;
mod translate;

pub use bridged::{BridgedOptions, Repair, Repairs, generate_bridged, mapped_provider, mapping, unparameterized};
pub use error::SchemaError;
pub use names::{ComponentNames, Field, ObjectNames, PackageNames, ResourceId, Returns, Shape, Source};
pub use native::ComponentKind;
pub use options::{BasePlugin, PackageOptions};
pub use package::{Package, PackageSchema, generate};
pub use path::{PropertyPath, PropertyPathError, PropertyStep};
pub use translate::TranslateError;
