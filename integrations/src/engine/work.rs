//! What is under way, so that it is known whether a host that tells everything to stop cuts something off.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use denobridge_core::Call;
use tokio_util::sync::CancellationToken;

/// The calls to a process's providers that integrations are asked about.
#[derive(Clone, Default)]
pub(crate) struct Work(Arc<State>);

#[derive(Default)]
struct State {
    under_way: AtomicUsize,
    is_cut_off: AtomicBool,
}

/// A call, until this is dropped.
pub(crate) struct UnderWay {
    state: Arc<State>,
    cancellation: CancellationToken,
}

impl Work {
    /// A call begins.
    pub(crate) fn begin(&self, call: &Call) -> UnderWay {
        self.0.under_way.fetch_add(1, Ordering::SeqCst);
        UnderWay { state: Arc::clone(&self.0), cancellation: call.cancellation().clone() }
    }

    /// Something was not to come to its end.
    pub(crate) fn cut_off(&self) {
        self.0.is_cut_off.store(true, Ordering::SeqCst);
    }

    /// Everything is told to stop, if there is anything.
    pub(crate) fn stop(&self) {
        if self.0.under_way.load(Ordering::SeqCst) > 0 {
            self.cut_off();
        }
    }

    /// Whether something was cut off.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.0.is_cut_off.load(Ordering::SeqCst)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        // A call may be cancelled, and end, before the provider is told to stop.
        if self.cancellation.is_cancelled() {
            self.state.is_cut_off.store(true, Ordering::SeqCst);
        }
        self.state.under_way.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_under_way_is_cut_off() {
        let work = Work::default();
        drop(work.begin(&Call::new()));
        work.stop();
        assert!(!work.is_cut_off());
        let _under_way = work.begin(&Call::new());
        work.stop();
        assert!(work.is_cut_off());
    }

    #[test]
    fn a_call_that_ended_because_it_was_cancelled_was_cut_off() {
        let (work, cancellation) = (Work::default(), CancellationToken::new());
        let under_way = work.begin(&Call::new().with_cancellation(cancellation.clone()));
        cancellation.cancel();
        drop(under_way);
        work.stop();
        assert!(work.is_cut_off());
    }
}
