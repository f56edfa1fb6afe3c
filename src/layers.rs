//! The layers that this process puts around every provider that it serves.

use std::sync::Arc;

use denobridge_core::Provider;
use denobridge_core::provider::Layered;
use denobridge_core::recording::Recorder;
use denobridge_integrations::protocol::{HostKind, ShutdownReason};
use thiserror::Error;

use crate::bridged::PluginIdentity;
use crate::integrations::{Integrations, Named, NamedFiles};
use crate::recording::{self, RecordError, recorded};

/// A layer that was asked for cannot be had.
#[derive(Debug, Error)]
pub enum LayersError {
    /// What passes cannot be recorded.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// What is around every provider: integrations, and inside of them what records.
#[derive(Clone, Default)]
pub struct Layers {
    recorder: Option<Arc<Recorder>>,
    integrations: Option<Arc<Integrations>>,
    named: Option<Arc<NamedFiles>>,
}

impl Layers {
    /// What the environment of this process asks for, which serves this kind of host, as that plugin where it matters.
    ///
    /// # Errors
    /// What was asked for cannot be had. Integrations that cannot are told to the user where a provider is configured: a plugin
    /// that does not start tells nobody anything.
    pub fn of_process(kind: HostKind, plugin: Option<&PluginIdentity>) -> Result<Self, LayersError> {
        let tool = match kind {
            HostKind::Terraform => "terraform",
            HostKind::Pulumi => "pulumi",
        };
        let recorder = recording::from_environment(tool, plugin)?;
        Ok(Self {
            recorder,
            integrations: Integrations::of_process(kind),
            named: Some(Arc::new(NamedFiles::new(kind))),
        })
    }

    /// What records, if anything does.
    #[must_use]
    pub fn recorder(&self) -> Option<&Arc<Recorder>> {
        self.recorder.as_ref()
    }

    /// The provider of that source address with everything around it.
    #[must_use]
    pub fn around(&self, provider: Arc<dyn Provider>, address: &str) -> Arc<dyn Provider> {
        let provider = recorded(provider, self.recorder.as_ref());
        match &self.integrations {
            Some(integrations) => integrations.around(provider, address),
            None => provider,
        }
    }

    /// The embedded provider with everything around it, also what its own configuration names.
    #[must_use]
    pub fn around_embedded(&self, provider: Arc<dyn Provider>, address: &str) -> Arc<dyn Provider> {
        let Some(files) = &self.named else { return self.around(provider, address) };
        let otherwise = self.around(Arc::clone(&provider), address);
        let provider = recorded(provider, self.recorder.as_ref());
        Arc::new(Layered(Named::new(Arc::clone(files), address, provider, otherwise)))
    }

    /// Those of the process, and those that providers have named.
    fn all_integrations(&self) -> impl Iterator<Item = Arc<Integrations>> {
        let named = self.named.as_ref().map(|files| files.all());
        self.integrations.iter().cloned().chain(named.into_iter().flatten())
    }

    /// Whether there is nothing around providers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.recorder.is_none() && self.integrations.is_none()
    }

    /// Whether plans of deletions are wanted, also of providers that do not make any.
    #[must_use]
    pub fn wants_plans_of_deletions(&self) -> bool {
        self.integrations.as_ref().is_some_and(|integrations| integrations.wants_plans_of_deletions())
    }

    /// The user has asked the host to stop.
    pub fn interrupt(&self) {
        self.all_integrations().for_each(|integrations| integrations.interrupt());
    }

    /// Providers are not asked any more. What was interrupted is not complete, whatever the reason given.
    pub async fn end(&self, reason: ShutdownReason) {
        futures::future::join_all(self.all_integrations().map(|integrations| async move {
            integrations.end(reason).await;
        }))
        .await;
    }
}
