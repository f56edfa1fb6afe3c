//! Terraform's door and wire.

pub mod proto;
