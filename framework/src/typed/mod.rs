//! Components whose values are Rust structs.
//!
//! ```
//! use denobridge_framework::prelude::*;
//!
//! #[derive(Model)]
//! struct Greeting {
//!     #[tf(computed, keep)]
//!     id: Tf<String>,
//!     #[tf(required)]
//!     name: Tf<String>,
//! }
//!
//! struct Greetings;
//!
//! #[resource]
//! impl Resource for Greetings {
//!     type Model = Greeting;
//!
//!     async fn create(&self, _: &Context, plan: Planned<'_, Self>) -> Outcome<Greeting> {
//!         let name = plan.state.name.need("name")?.clone();
//!         Ok(Greeting { id: name.into(), ..plan.state })
//!     }
//!
//!     async fn read(&self, _: &Context, now: Stored<'_, Self>) -> Result<Option<Greeting>, Failure> {
//!         Ok(Some(now.state))
//!     }
//!
//!     async fn delete(&self, _: &Context, _: Removed<'_, Self>) -> Result<(), Failure> {
//!         Ok(())
//!     }
//! }
//!
//! let provider = ProviderBuilder::new("hello").add_resource("hello_greeting", Greetings).build().unwrap();
//! # let _ = provider;
//! ```
//!
//! Behind the traits stands a bridge to [`crate::erased`]; the server knows no other kind of component.

mod action;
mod capability;
mod config;
mod data_source;
mod diff;
mod digits;
mod ephemeral_resource;
mod failure;
mod function;
mod identity;
mod list_resource;
mod parity;
mod private;
mod registration;
mod resource;
mod state_store;
#[doc(hidden)]
pub mod support;
mod values;

pub use action::{Action, Invocation};
pub use capability::Capability;
pub use config::Configuration;
pub use data_source::{Asked, DataSource};
pub use diff::{FieldChange, changes};
pub use ephemeral_resource::{Closing, EphemeralResource, Opening, Renewing};
pub use failure::{Failure, Incomplete, Outcome};
pub use function::{Function, FunctionFailure};
pub use identity::Identity;
pub use list_resource::{Find, Finds, ListResource, Search};
pub use private::Private;
pub use resource::{Change, Moved, Moves, Planned, Planning, Removed, Resource, Sought, Stored, Upgrades};
pub use state_store::StateStore;

#[cfg(test)]
mod tests;
