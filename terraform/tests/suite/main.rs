//! Runs the tiny provider as a plugin: from a raw gRPC client that does what a host does, and from the real Terraform.

mod connection;
mod life;
mod procedures;
mod streams;
mod support;
mod terraform;
