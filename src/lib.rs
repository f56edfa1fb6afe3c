//! denobridge: one program, two front doors, one seam.

pub mod deno;
