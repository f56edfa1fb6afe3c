//! A layer that panics in the first call of every procedure, outside of what the framework guards.

use std::collections::BTreeSet;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use denobridge_core::provider::{Around, Provider};
use denobridge_core::{Call, CallError};

pub(super) struct Fuses {
    inner: Arc<dyn Provider>,
    blown: Mutex<BTreeSet<&'static str>>,
}

impl Fuses {
    pub(super) fn new(provider: impl Provider + 'static) -> Self {
        Self { inner: Arc::new(provider), blown: Mutex::default() }
    }
}

impl Around for Fuses {
    fn inner(&self) -> &dyn Provider {
        &*self.inner
    }

    async fn around<T: Send>(
        &self,
        procedure: &'static str,
        _: &Call,
        answer: impl Future<Output = Result<T, CallError>> + Send,
    ) -> Result<T, CallError> {
        let first = self.blown.lock().unwrap_or_else(PoisonError::into_inner).insert(procedure);
        assert!(!first, "the fuse of {procedure}");
        answer.await
    }
}
