//! In the place of integrations whose configuration is wrong: nothing is changed that they should have been asked about.

use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::provider::{ConfigureProviderRequest, ConfigureProviderResponse, Layer};
use denobridge_core::{Call, CallError, Diagnostic, Provider};

/// A provider that cannot be configured.
pub(super) struct Refusal {
    inner: Arc<dyn Provider>,
    reason: Arc<str>,
}

impl Refusal {
    pub(super) fn new(inner: Arc<dyn Provider>, reason: Arc<str>) -> Self {
        Self { inner, reason }
    }
}

#[async_trait]
impl Layer for Refusal {
    fn inner(&self) -> &dyn Provider {
        &*self.inner
    }

    async fn configure_provider(
        &self,
        _: &Call,
        _: ConfigureProviderRequest,
    ) -> Result<ConfigureProviderResponse, CallError> {
        let summary = "The configuration of integrations is wrong";
        let detail = format!(
            "{}\n\nNothing is planned or changed without the integrations that should be asked. Mend the file, or set \
             DENOBRIDGE_INTEGRATIONS to nothing to do without them.",
            self.reason
        );
        Ok(ConfigureProviderResponse { diagnostics: Diagnostic::error(summary, detail).into() })
    }
}
