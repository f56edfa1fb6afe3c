//! What starts the processes: given from outside, since it knows the operating system and Deno.

use std::io;
use std::sync::Arc;

use futures::future::BoxFuture;
use tokio::process::Child;

use crate::configuration::Integration;

/// Starts the processes of integrations, in a way that does not leave them behind, however this process ends.
pub trait Launcher: Send + Sync {
    /// Starts the integration in a process group of its own, with its standard streams piped and exactly the environment
    /// that it is to get.
    fn launch(&self, integration: Arc<Integration>) -> BoxFuture<'static, io::Result<Launched>>;
}

/// A process that was started.
pub struct Launched {
    /// The process.
    pub child: Child,
    /// All that it has started in turn; killed when dropped.
    pub group: Box<dyn ProcessGroup>,
}

/// A process with what it has started. Dropping it kills whatever is left.
pub trait ProcessGroup: Send + Sync {
    /// Asks every member to end (SIGTERM; nothing where there is no such signal).
    fn ask_to_end(&self);
}
