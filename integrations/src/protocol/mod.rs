//! The messages between us and an integration: JSON-RPC 2.0, one object per line, protocol version 1.
//!
//! Requests are numbered; an integration may answer them in any order. Both sides ignore members that they do not know.
//! Standard error of the child is free text for logs.

mod answer;
mod event;
mod samples;
mod schema;
#[cfg(test)]
mod tests;

pub use answer::{Filter, HookResult, Initialized, LogMessage, RequestedAction, Status};
pub use event::{
    Action, AddressSource, Counts, DiagnosticMessage, DiagnosticSeverity, Event, Host, HostKind, Initialize,
    InstanceEvent, Operation, Phase, PlannedChange, Provider, Resource, Run, Shutdown, ShutdownReason, Stage,
    StageEvent, State,
};
pub use samples::samples;
pub use schema::schema;

/// The version of the protocol that we speak.
pub const PROTOCOL_VERSION: u32 = 1;

/// The longest line in either direction, in bytes. A longer one is a fault of the protocol.
pub const MAXIMUM_LINE: usize = 8 << 20;
