//! Pulumi's door: serves a provider to the Pulumi engine.

pub mod proto;
