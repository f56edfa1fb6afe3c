//! Recording what passes the seam, and playing it: [`Recording`] is a layer around any provider, [`replay`] a provider whose
//! answers come from a recording, and [`Host`] asks our door what a recording says that Terraform asked.
//!
//! All go through the messages of protocol 6, which have a conversion in either direction already; [`messages`] brings
//! those into the JSON of [`denobridge_core::recording`]. The logs of the Go bridge hold the same messages in other forms,
//! which [`go_log`] reads.

mod codec;
pub mod go_log;
mod host;
mod layer;
mod messages;
mod procedures;
pub mod replay;
mod shapes;
mod stored;
mod tape;

pub use host::Host;
pub use layer::Recording;
pub use tape::{Answer, RecordedCall, Tape, Unknown, recorded_schema};

#[cfg(test)]
mod tests;
