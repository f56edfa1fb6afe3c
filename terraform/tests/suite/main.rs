//! Runs the tiny provider as a plugin: from a raw gRPC client that does what a host does, and from the real Terraform.
// Helpers of tests may stop at the first wrong thing, as tests may.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(unix)]

mod connection;
mod go_client;
mod launch;
mod life;
mod procedures;
mod protocol5;
mod secrets;
mod streams;
mod support;
mod terraform;
