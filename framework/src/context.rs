//! What a component knows beside the values of a request.

use std::any::Any;
use std::sync::Arc;

use denobridge_core::Call;
use denobridge_core::cty::Value;
use denobridge_core::provider::ClientCapabilities;

use crate::model::{Model, ModelError};
use crate::provider::ProviderData;
use crate::typed::Failure;

/// The circumstances of one operation on one component. Handlers change nothing through it.
#[derive(Clone, Debug)]
pub struct Context {
    call: Call,
    type_name: Arc<str>,
    provider_data: ProviderData,
    provider_meta: Option<Value>,
    identity: Option<Value>,
    capability: Option<Arc<str>>,
    client_capabilities: ClientCapabilities,
}

impl Context {
    pub(crate) fn new(call: Call, type_name: Arc<str>, provider_data: ProviderData) -> Self {
        Self {
            call,
            type_name,
            provider_data,
            provider_meta: None,
            identity: None,
            capability: None,
            client_capabilities: ClientCapabilities::default(),
        }
    }

    pub(crate) fn with_call(mut self, call: Call) -> Self {
        self.call = call;
        self
    }

    pub(crate) fn with_capabilities(mut self, capabilities: ClientCapabilities) -> Self {
        self.client_capabilities = capabilities;
        self
    }

    /// The same circumstances for a component that knows another kind of [`Context::provider_data`]: one that another
    /// component stands before.
    #[must_use]
    pub fn with_provider_data(mut self, data: ProviderData) -> Self {
        self.provider_data = data;
        self
    }

    pub(crate) fn with_meta(mut self, meta: Option<Value>) -> Self {
        self.provider_meta = meta;
        self
    }

    pub(crate) fn with_identity(mut self, identity: Option<Value>) -> Self {
        self.identity = identity;
        self
    }

    pub(crate) fn with_capability(mut self, capability: Option<Arc<str>>) -> Self {
        self.capability = capability;
        self
    }

    /// Cancellation, deadline, log and subject. Cancelled by the asker or by StopProvider, whichever comes first.
    #[must_use]
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// Terraform's name of the component.
    #[must_use]
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// What the provider's configure function returned; `None` before the provider is configured, and where it returned
    /// another type.
    #[must_use]
    pub fn provider_data<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        Arc::clone(self.provider_data.as_ref()?).downcast().ok()
    }

    /// What the provider's configure function returned, for components that cannot work without it.
    ///
    /// # Errors
    /// The provider is not configured, or its configure function returns another type.
    pub fn data<T: Any + Send + Sync>(&self) -> Result<Arc<T>, Failure> {
        self.provider_data().ok_or_else(|| {
            let reason = match &self.provider_data {
                None => "the provider is not configured".to_owned(),
                Some(_) => format!(
                    "configuring the provider does not make a {}, which is a fault of the provider",
                    std::any::type_name::<T>()
                ),
            };
            Failure::new("", format!("{} needs the provider's connection, but {reason}.", self.type_name))
        })
    }

    /// The module's `provider_meta` block; `None` when the provider has no such schema or the module no such block.
    #[must_use]
    pub fn provider_meta(&self) -> Option<&Value> {
        self.provider_meta.as_ref()
    }

    /// The module's `provider_meta` block as a model; see [`crate::ProviderBuilder::meta`].
    ///
    /// # Errors
    /// The model has no room for it.
    pub fn meta<M: Model>(&self) -> Result<Option<M>, ModelError> {
        self.provider_meta.as_ref().map(M::from_value).transpose()
    }

    /// The object's identity as last known; `None` where the resource has none, or the asker knows none yet.
    #[must_use]
    pub fn identity(&self) -> Option<&Value> {
        self.identity.as_ref()
    }

    /// The capability that the component belongs to.
    #[must_use]
    pub fn capability(&self) -> Option<&str> {
        self.capability.as_deref()
    }

    /// What the asker can do.
    #[must_use]
    pub fn client_capabilities(&self) -> ClientCapabilities {
        self.client_capabilities
    }
}
