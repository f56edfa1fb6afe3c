//! The layers of this process around a provider whose calls pass by.

use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::Provider;
use denobridge_integrations::protocol::ShutdownReason;
use denobridge_terraform::Observer;

use crate::layers::Layers;

/// Asks layers about what passes.
pub(super) struct Around {
    layers: Layers,
    address: String,
}

impl Around {
    /// Asks these layers about the provider of that source address; nobody if there are none, so that nothing is read of what
    /// passes.
    pub(super) fn observer(layers: Layers, address: &str) -> Option<Arc<dyn Observer>> {
        let around = Self { layers, address: address.to_owned() };
        (!around.layers.is_empty()).then(|| Arc::new(around) as _)
    }
}

#[async_trait]
impl Observer for Around {
    fn mount(&self, provider: Arc<dyn Provider>) -> Arc<dyn Provider> {
        self.layers.around(provider, &self.address)
    }

    fn wants_plans_of_deletions(&self) -> bool {
        self.layers.wants_plans_of_deletions()
    }

    async fn stopping(&self) {
        self.layers.interrupt();
    }

    async fn finish(&self) {
        self.layers.end(ShutdownReason::Complete).await;
    }
}
