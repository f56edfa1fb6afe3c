//! What Terraform core does around a provider's answers: the proposed new state it sends, and the rules it holds every
//! answer to. The embedded hosts (the Pulumi door, `denobridge try`, the test kit) do the same.
//!
//! Everything here is a pure function of a schema and values, and none of it can panic: a value that does not conform to
//! its schema is an input like any other, since it is what a faulty provider sends.
//!
//! - [`conform_config`]: from what a user wrote to a configuration that fits a schema.
//! - [`unset_computed_blocks`], [`proposed_new_state`]: what a plan request carries.
//! - [`computed_unknown`]: the plan that can be made without asking.
//! - [`decide_action`]: what a plan amounts to.
//! - [`rules`]: what is wrong with an answer.
//! - [`mark_sensitive`]: what of a value must not be shown.

mod action;
mod compare;
mod computed;
mod config;
mod conformance;
mod empty;
mod proposed_new_state;
pub mod rules;
mod sensitive;
#[cfg(test)]
mod tests;
mod write_only;

pub use action::{Action, Decision, decide_action};
pub use compare::{same_value, unknown_paths, unknowns_as_null};
pub use computed::computed_unknown;
pub use config::{ConfigProblem, conform_config};
pub use empty::{empty_block, unset_computed_blocks};
pub use proposed_new_state::proposed_new_state;
pub use sensitive::{is_sensitive, mark_sensitive};
pub use write_only::{write_only_nulled, write_only_paths};
