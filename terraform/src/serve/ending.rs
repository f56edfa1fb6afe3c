//! Every reason for a plugin to end, other than the host's `Shutdown`, and the signal that is none.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::connection::OpenConnections;

/// How often to look whether the host is still there.
#[cfg(unix)]
const HOST_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Takes note of interrupts and does nothing. A terminal sends Ctrl-C to the host and to us alike, and it is for the host
/// to say what becomes of running calls.
pub(super) fn ignore_interrupts() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        // Registered here, not in the task: from now on an interrupt must not end the process.
        let Ok(mut interrupts) = signal(SignalKind::interrupt()) else { return };
        tokio::spawn(async move { while interrupts.recv().await.is_some() {} });
    }
    #[cfg(not(unix))]
    tokio::spawn(async { while tokio::signal::ctrl_c().await.is_ok() {} });
}

/// Cancels `ending` on an interrupt.
pub(super) fn end_on_interrupt(ending: CancellationToken) {
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            ending.cancel();
        }
    });
}

/// Cancels `ending` on a request to terminate.
pub(super) fn end_on_termination(ending: CancellationToken) {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let Ok(mut terminations) = signal(SignalKind::terminate()) else { return };
        tokio::spawn(async move {
            if terminations.recv().await.is_some() {
                ending.cancel();
            }
        });
    }
    #[cfg(not(unix))]
    let _ = ending;
}

/// Cancels `ending` when the host is gone without a word: our parent is another process than at the start, and nobody is
/// connected. Both, since a wrapper may start us and leave.
pub(super) fn end_with_host(ending: CancellationToken, connections: OpenConnections) {
    #[cfg(unix)]
    tokio::spawn(async move {
        let host = rustix::process::getppid();
        let mut interval = tokio::time::interval(HOST_CHECK_INTERVAL);
        interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = ending.cancelled() => return,
                _ = interval.tick() => {}
            }
            if rustix::process::getppid() != host && connections.is_empty() {
                ending.cancel();
            }
        }
    });
    #[cfg(not(unix))]
    let _ = (ending, connections);
}

/// Longest time that calls and connections get to finish once the plugin ends. Hosts kill after two seconds.
pub(super) const DRAIN_LIMIT: Duration = Duration::from_millis(1_500);
