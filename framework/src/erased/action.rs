//! An action.

use async_trait::async_trait;
use denobridge_core::Diagnostics;
use denobridge_core::cty::Value;
use denobridge_core::provider::Deferred;
use denobridge_core::schema::Schema;
use tokio::sync::mpsc;

use crate::context::Context;
use crate::schema::SchemaProblem;

/// An action: something that is done and leaves no object to keep, such as a reboot.
#[async_trait]
pub trait ErasedAction: Send + Sync {
    /// The schema. Asked for once.
    fn schema(&self) -> Schema;

    /// What is wrong with the component beyond what its schema shows; see [`super::ErasedResource::schema_problems`].
    fn schema_problems(&self, component: &str, schema: &Schema) -> Vec<SchemaProblem> {
        let _ = (component, schema);
        Vec::new()
    }

    /// Checks a configuration beyond what the schema says; see [`super::ErasedResource::validate`].
    async fn validate(&self, context: &Context, config: &Value) -> Diagnostics {
        let _ = (context, config);
        Diagnostics::new()
    }

    /// Says whether it could be done. The configuration may have unknown parts.
    async fn plan(&self, context: &Context, config: &Value) -> ActionPlan {
        let _ = (context, config);
        ActionPlan::default()
    }

    /// Does it, and tells on the way how far it is. Dropped where nobody waits for its end any more.
    async fn invoke(&self, context: &Context, config: Value, progress: &Progress) -> Diagnostics;
}

/// What planning an action came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionPlan {
    /// Why it cannot be said yet. Terraform takes only [`Deferred::ProviderConfigUnknown`], and only where
    /// [`Context::client_capabilities`] allow it.
    pub deferred: Option<Deferred>,
    /// Messages in order.
    pub diagnostics: Diagnostics,
}

/// Where an action tells how far it is.
#[derive(Clone, Debug)]
pub struct Progress(pub(crate) mpsc::UnboundedSender<String>);

impl Progress {
    /// Tells whoever watches.
    pub fn report(&self, message: impl Into<String>) {
        // Nobody watching is no reason to stop.
        let _ = self.0.send(message.into());
    }
}
