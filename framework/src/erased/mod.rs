//! Components without their types: object-safe traits with a run-time schema, values in and values out.
//!
//! The server knows components only by these traits. A typed layer stands on top of them; components that are made at
//! run time, such as scripts, implement them directly.

mod resource;

pub use resource::{Create, Delete, ErasedResource, Import, ImportTarget, Outcome, Read, Update, Upgrade};
