//! Integrations: processes that see, warn about and deny what a provider is about to do, whoever asks for it.
//!
//! An integration is a child process that speaks JSON-RPC over its standard input and output ([`protocol`]). A file says
//! which there are and what they get ([`configuration`]). Values leave this process only as [`redaction`] lets them.
//! [`process`] is one such child with its life, its time limits and its faults. The [`Engine`] asks all of them and makes one
//! outcome of what they say. [`run`] is what the provider processes of one command share, and [`report`] what is left of it
//! for people.
//!
//! [`Hooks`] are the questions before and after each procedure of a provider. They know neither a wire nor Deno: what starts a
//! child comes from outside ([`process::Launcher`]), and they are mounted either as a layer at the seam ([`Integrated`]) or by
//! whoever looks at a copy of what passes between a host and a provider.

pub mod configuration;
mod engine;
mod hook;
mod hooks;
mod layer;
pub mod process;
pub mod protocol;
pub mod redaction;
pub mod report;
pub mod run;
mod state_file;
pub mod wrapper;

pub use engine::{Engine, EngineOptions, Outcome, WithinOptions};
pub use hook::{Hook, Moment, Subject};
pub use hooks::{Hooks, HooksOptions};
pub use layer::Integrated;
