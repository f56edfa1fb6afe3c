//! denobridge: one program, two front doors, one seam.

pub mod bridged;
pub mod children;
pub mod cli;
pub mod contracts;
pub mod deno;
mod files;
pub mod integrations;
pub mod layers;
pub mod packages;
pub mod plugins;
pub mod recording;
pub mod role;
pub mod scripted;
mod sidecar;
pub mod typed;
pub mod wrapped;
