//! One integration as a child process: its start, its calls with their limits, its faults and its end.
//!
//! ```text
//! Client (life: start, restart, disabled, end) ─► Session (one process: its calls) ─► outbox    its standard input
//!    └─ agreement  what it wants to be asked                                          ├─ framing, incoming   its output
//!                                                                                     └─ child_log           its log
//! ```
//!
//! Nothing that a child does, or leaves undone, can hold up a call beyond its time limit or grow our memory beyond the
//! limits of lines and counts in [`Limits`].

mod agreement;
mod child_log;
mod client;
mod failure;
mod framing;
mod incoming;
mod launcher;
mod limits;
mod outbox;
mod session;
mod text;

pub use client::Client;
pub use failure::{Exit, Failure};
pub(crate) use framing::{Framing, Piece};
pub use launcher::{Launched, Launcher, ProcessGroup};
pub use limits::Limits;
pub use text::lines;
