//! What is to become of an apply until the hard integrations have answered about its plan.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::configuration::{FailMode, Integration};
use crate::run::{Unanswered, Verdict};

/// A verdict on the apply that hard integrations have not given yet.
pub(super) struct Awaited {
    /// What it is without an answer.
    pub verdict: Verdict,
    file: Mutex<Option<Unanswered>>,
    /// How many have not answered.
    open: AtomicUsize,
}

impl Awaited {
    /// `file` says in the run's folder that `open` integrations have still to answer.
    pub fn new(verdict: Verdict, file: Option<Unanswered>, open: usize) -> Self {
        Self { verdict, file: Mutex::new(file), open: AtomicUsize::new(open) }
    }

    /// One of them has answered, and has nothing against it or has written it down.
    fn settle(&self) {
        if self.open.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.answered();
        }
    }

    pub fn is_open(&self) -> bool {
        self.open.load(Ordering::Acquire) > 0
    }

    /// The verdict is written down, or there is none.
    pub fn answered(&self) {
        if let Some(file) = self.file.lock().unwrap_or_else(PoisonError::into_inner).take() {
            file.answered();
        }
    }
}

/// `integration` has nothing against the apply, or has had its say. Only hard integrations are waited for.
pub(super) fn settle(awaited: Option<&Awaited>, integration: &Integration) {
    if let Some(awaited) = awaited.filter(|_| integration.fail_mode == FailMode::Hard) {
        awaited.settle();
    }
}
