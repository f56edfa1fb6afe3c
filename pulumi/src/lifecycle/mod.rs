//! The life of a resource: each procedure of Pulumi's protocol by procedures of the seam, as Terraform core would call
//! them.

mod action;
mod autoname;
mod check;
mod configure;
mod create;
mod delete;
mod detailed_diff;
mod diff;
mod former;
mod found_inputs;
mod habits;
mod identity;
mod ignored;
mod invoke;
mod operation;
mod plan;
mod prior;
mod read;
mod stored_assets;
mod timeouts;
mod unasked;
mod unknown_properties;
mod update;

pub(crate) use autoname::Naming;
pub(crate) use configure::diff_config;
pub(crate) use invoke::Answer;
pub(crate) use operation::{Limits, Operation, Subject, Surroundings};

use denobridge_core::provider::ClientCapabilities;

/// What we can do, told with every request.
pub(crate) const CAPABILITIES: ClientCapabilities = ClientCapabilities {
    deferral_allowed: false,
    write_only_attributes_allowed: true,
    store_planned_private: false,
    computed_blocks_allowed: true,
};
