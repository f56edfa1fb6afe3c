//! Every procedure of the door, through a real gRPC client, with a small provider behind it.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod attached;
mod bridged;
mod bridged_check;
mod bridged_identities;
mod bridged_kinds;
mod bridged_life;
mod bridged_package;
mod bridged_provider;
mod bridged_schema;
mod errors;
mod kinds;
mod kinds_provider;
mod life;
mod load;
mod process;
mod provider;
mod settings;
mod support;
