//! A provider's own configuration, with types.

use std::future::Future;
use std::sync::Arc;

use denobridge_core::Call;
use denobridge_core::cty::Value;
use denobridge_core::provider::ClientCapabilities;

use super::capability::Capability;
use super::failure::Failure;
use crate::model::{Model, ModelError, ModelValue};
use crate::provider::{ConfigureContext, Configured, ProviderBuilder};

/// What configuring a provider is given.
#[derive(Clone, Debug)]
pub struct Configuration<M> {
    whole: Value,
    /// The configuration.
    pub config: M,
    /// Cancellation, deadline and log.
    pub call: Call,
    /// Version of the asker.
    pub terraform_version: String,
    /// What the asker can do.
    pub client_capabilities: ClientCapabilities,
}

impl<M> Configuration<M> {
    /// The settings of a capability, which are part of the same configuration.
    ///
    /// # Errors
    /// The model has no room for them.
    pub fn settings<C: Capability>(&self) -> Result<C::Settings, ModelError> {
        C::Settings::from_value(&self.whole)
    }
}

impl ProviderBuilder {
    /// The `provider_meta` block of modules as a model; components read it with [`crate::Context::meta`].
    #[must_use]
    pub fn meta<M: Model>(self) -> Self {
        self.meta_schema(M::schema(0))
    }

    /// The provider's configuration and what is made of it: a client, a pool. Components get that from
    /// [`crate::Context::provider_data`]. A configuration with parts that are not known yet, for which the model has no
    /// room, is an error that names them.
    #[must_use]
    pub fn configured_by<M, T, F, R>(self, configure: F) -> Self
    where
        M: Model,
        T: Send + Sync + 'static,
        F: Fn(Configuration<M>) -> R + Send + Sync + 'static,
        R: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        let configure = Arc::new(configure);
        self.config_schema(M::schema(0)).configure(move |context| {
            let configure = Arc::clone(&configure);
            async move {
                let ConfigureContext { call, config, terraform_version, client_capabilities } = context;
                let mut diagnostics = M::check_all(&config);
                if diagnostics.has_errors() {
                    return Configured { data: None, diagnostics };
                }
                let made = match M::from_value(&config) {
                    Ok(own) => {
                        let given =
                            Configuration { whole: config, config: own, call, terraform_version, client_capabilities };
                        configure(given).await
                    }
                    Err(error) => Err(error.into()),
                };
                match made {
                    Ok(data) => Configured { data: Some(Arc::new(data)), diagnostics },
                    Err(failure) => {
                        diagnostics.extend(failure.into_diagnostics());
                        Configured { data: None, diagnostics }
                    }
                }
            }
        })
    }
}
