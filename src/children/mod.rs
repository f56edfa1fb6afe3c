//! Processes that end with us, however we end: Deno with what its scripts start, and foreign providers.

mod spawn;
mod watch;

pub(crate) use spawn::{Group, Spawned, spawn};
pub use watch::{MARK, Watcher, WatcherProgram, run_if_asked};
