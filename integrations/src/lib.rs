//! Integrations: processes that see, warn about and deny what a provider is about to do, whoever asks for it.
//!
//! An integration is a child process that speaks JSON-RPC over its standard input and output ([`protocol`]). A file says
//! which there are and what they get ([`configuration`]). Values leave this process only as [`redaction`] lets them.
//! [`process`] is one such child with its life, its time limits and its faults. The engine asks all of them and makes one
//! outcome of what they say.
//!
//! The engine knows neither a wire nor Deno: what starts a child comes from outside ([`process::Launcher`]), and it is
//! mounted either as a layer at the seam or by whoever looks at a copy of what passes between a host and a provider.

pub mod configuration;
mod hook;
pub mod process;
pub mod protocol;
pub mod redaction;

pub use hook::{Hook, Moment, Subject};
