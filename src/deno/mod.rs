//! Running scripts in Deno: find it, start it, speak JSON-RPC with it, keep it warm, and leave nothing behind.
//!
//! [`Pool::call`] is what others use; everything else here serves it. A script is told apart by its [`ScriptSpec`], a call
//! gives the answer's JSON or a [`ScriptError`] that is fit to be shown.
//!
//! ```text
//! Pool ─► Entry (one script: its processes, its waiting calls) ─► Process ─► children
//!           └─ program  which Deno: find, version, install
//!                                                                   ├─ frames, message   its stdout
//!                                                                   ├─ stderr            its stderr
//!                                                                   └─ script_log        whose log its lines are in
//! ```
//!
//! Beside the published contract, a script may
//! - answer `health` with `"concurrent": true` beside `"ok": true`: it then gets calls while others are still running,
//! - answer `health` with `"cancel": true`: it is then told by the notification `$/cancelRequest`, whose param `id` names the
//!   call, when nobody waits for a call any more,
//! - answer `health` with `"configure": true`: it then gets one call of `configure` before any other, and
//! - add `requestId`, the `id` of the call, to the params of `invokeProgress`; with several calls running it must.

pub mod command;
mod configure;
pub mod environment;
pub mod error;
pub mod find;
mod frames;
pub mod http;
pub mod install;
pub mod limits;
pub mod log;
pub mod message;
pub mod permission;
pub mod pool;
pub mod process;
pub mod program;
mod script_log;
pub(crate) mod stderr;
pub mod version;

#[cfg(test)]
mod bad_scripts;
#[cfg(test)]
mod faults;
#[cfg(test)]
pub(crate) mod testing;

pub use command::Permissions;
pub use configure::Configuration;
pub use environment::Inherited;
pub use error::{ScriptError, ScriptErrorKind};
pub use find::{DenoSource, FindError};
pub(crate) use http::causes;
pub use http::{Remote, Transport, UnknownTransport};
pub use limits::Limits;
pub use log::{LogLevel, LogSink, NoLog};
pub use pool::{Pool, PoolOptions, ScriptSpec};
pub use process::{CallOptions, ProgressSink};
pub use program::{Deno, Search};
pub use version::VersionWish;
