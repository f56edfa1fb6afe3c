//! Every time limit, size and count of running scripts, in one place.
//!
//! Each has the name of the setting that changes it ([`setting`]), so that an error which says that a limit was hit can
//! also say what to turn.

use std::time::Duration;

/// Names of the settings behind [`Limits`], as users write them in the provider configuration.
pub mod setting {
    /// Setting of [`Limits::start`](super::Limits::start).
    pub const START: &str = "start_timeout";
    /// Setting of [`Limits::call`](super::Limits::call).
    pub const CALL: &str = "call_timeout";
    /// Setting of [`Limits::stop`](super::Limits::stop).
    pub const STOP: &str = "stop_timeout";
    /// Setting of [`Limits::idle`](super::Limits::idle).
    pub const IDLE: &str = "idle_timeout";
    /// Setting of [`Limits::download`](super::Limits::download).
    pub const DOWNLOAD: &str = "download_timeout";
    /// Setting of [`Limits::message_bytes`](super::Limits::message_bytes).
    pub const MESSAGE_BYTES: &str = "max_message_bytes";
    /// Setting of [`Limits::processes`](super::Limits::processes).
    pub const PROCESSES: &str = "max_processes_per_script";
}

/// What a script may take, in time, memory and processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// From spawning Deno to the answer to `health`. A first start may download the script's dependencies, hence 60 s.
    pub start: Duration,
    /// From sending a call to its answer; `None` waits until the caller cancels. Default 30 min: longer than any API call
    /// that a script makes, short enough that a script which hangs does not hold a run for ever.
    pub call: Option<Duration>,
    /// From sending `shutdown` to the end of the process; then it is killed. Default 5 s.
    pub stop: Duration,
    /// How long a process without calls is kept. Default 60 s.
    pub idle: Duration,
    /// From looking for a Deno to download until it is unpacked. Default 5 min: an archive is about 50 MB.
    pub download: Duration,
    /// The longest message that is read from a script, in bytes. Default 256 MiB, the limit that Terraform and Pulumi set
    /// for the messages that it would go into.
    pub message_bytes: usize,
    /// How many processes of one script run at once. Default 16, above Terraform's default parallelism of 10.
    pub processes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(60),
            call: Some(Duration::from_secs(30 * 60)),
            stop: Duration::from_secs(5),
            idle: Duration::from_secs(60),
            download: Duration::from_secs(5 * 60),
            message_bytes: 256 << 20,
            processes: 16,
        }
    }
}
