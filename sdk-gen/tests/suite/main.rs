//! The public face of the crate: packages, names, refusals.
#![allow(missing_docs, clippy::unwrap_used)] // Helpers of tests may stop at the first wrong thing, as tests do.

mod collisions;
mod golden;
mod kinds;
mod languages;
mod names;
mod package;
mod support;
