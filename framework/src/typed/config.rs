//! A provider's own configuration, with types.

use std::future::Future;
use std::sync::Arc;

use denobridge_core::provider::ClientCapabilities;
use denobridge_core::{Call, Diagnostics};

use super::failure::Failure;
use crate::model::Model;
use crate::provider::{ConfigureContext, Configured, ProviderBuilder};

/// What configuring a provider is given.
#[derive(Clone, Debug)]
pub struct Configuration<M> {
    /// The configuration.
    pub config: M,
    /// Cancellation, deadline and log.
    pub call: Call,
    /// Version of the asker.
    pub terraform_version: String,
    /// What the asker can do.
    pub client_capabilities: ClientCapabilities,
}

impl ProviderBuilder {
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
                    Ok(config) => {
                        configure(Configuration { config, call, terraform_version, client_capabilities }).await
                    }
                    Err(error) => Err(error.into()),
                };
                match made {
                    Ok(data) => Configured { data: Some(Arc::new(data)), diagnostics },
                    Err(failure) => {
                        diagnostics.extend(failure.into_diagnostics("The provider cannot be configured"));
                        Configured { data: None, diagnostics: Diagnostics::from_iter(diagnostics) }
                    }
                }
            }
        })
    }
}
