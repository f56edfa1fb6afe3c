//! What a provider was configured with, for programs that ask for it.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use denobridge_core::provider::{ConfigureProviderRequest, ConfigureProviderResponse, Layer, Layered};
use denobridge_core::{Call, CallError, DynamicValue, Provider};

/// The configuration that a provider was given last.
#[derive(Clone, Default)]
pub(crate) struct LastConfiguration(Arc<Mutex<Option<DynamicValue>>>);

impl LastConfiguration {
    /// The configuration; none was given yet.
    pub(crate) fn get(&self) -> Option<DynamicValue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The same provider, whose configurations are kept here from now on.
    pub(crate) fn of(&self, inner: Arc<dyn Provider>) -> Arc<dyn Provider> {
        Arc::new(Layered(Kept { inner, last: self.clone() }))
    }
}

struct Kept {
    inner: Arc<dyn Provider>,
    last: LastConfiguration,
}

#[async_trait]
impl Layer for Kept {
    fn inner(&self) -> &dyn Provider {
        &*self.inner
    }

    async fn configure_provider(
        &self,
        call: &Call,
        request: ConfigureProviderRequest,
    ) -> Result<ConfigureProviderResponse, CallError> {
        *self.last.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(request.config.clone());
        self.inner.configure_provider(call, request).await
    }
}
