//! Installing providers from registries and mirrors on the loopback interface, and everything that goes wrong with them.

#![allow(clippy::unwrap_used, clippy::result_large_err)]

#[cfg(unix)]
mod cache;
mod configuration;
mod crowd;
mod faults;
mod go_bridge;
mod machine;
mod signatures;
mod terraform;
mod versions;
