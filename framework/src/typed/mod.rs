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

mod bridge;
mod config;
mod diff;
mod failure;
mod parity;
mod planning;
mod private;
mod resource;

pub use config::Configuration;
pub use diff::{FieldChange, changes};
pub use failure::{Failure, Incomplete, Outcome};
pub use planning::Planning;
pub use private::Private;
pub use resource::{Change, Planned, Removed, Resource, Stored};

#[cfg(test)]
mod tests;
