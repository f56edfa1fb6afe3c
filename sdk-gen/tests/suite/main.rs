//! The public face of the crate: packages, names, refusals.
#![allow(missing_docs)]

mod collisions;
mod names;
mod package;
mod support;
