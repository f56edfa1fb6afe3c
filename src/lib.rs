//! denobridge: one program, two front doors, one seam.

pub mod deno;
pub mod plugins;
pub mod role;
pub mod scripted;
