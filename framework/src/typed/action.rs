//! An action, with types.
//!
//! ```
//! use denobridge_framework::prelude::*;
//!
//! #[derive(Model)]
//! struct Backup {
//!     #[tf(required)]
//!     directory: String,
//! }
//!
//! struct Backups;
//!
//! impl Action for Backups {
//!     type Config = Backup;
//!
//!     async fn invoke(&self, _: &Context, run: Invocation<'_, Backup>) -> Result<(), Failure> {
//!         run.progress.report(format!("copying {}", run.config.directory));
//!         Ok(())
//!     }
//! }
//!
//! let provider = ProviderBuilder::new("disk").add_action("disk_backup", Backups).build().unwrap();
//! # let _ = provider;
//! ```

use std::future::Future;

use async_trait::async_trait;
use denobridge_core::Diagnostics;
use denobridge_core::cty::Value;
use denobridge_core::provider::Deferred;
use denobridge_core::schema::Schema;

use super::data_source::Asked;
use super::failure::Failure;
use super::{parity, values};
use crate::context::Context;
use crate::erased::{ActionPlan, ErasedAction, Progress};
use crate::model::{Model, ModelProblem, ModelValue};
use crate::schema::SchemaProblem;

/// An action: something that is done and leaves no object to keep, such as a reboot.
pub trait Action: Send + Sync + 'static {
    /// The configuration.
    type Config: Model;

    /// The schema. The model's own, unless it is written by hand; see [`super::Resource::schema`].
    fn schema(&self) -> Schema {
        Self::Config::schema(0)
    }

    /// Checks a configuration; see [`super::Resource::validate`].
    ///
    /// # Errors
    /// The configuration is not accepted.
    fn validate(&self, context: &Context, config: &Self::Config) -> Result<(), Failure> {
        let _ = (context, config);
        Ok(())
    }

    /// Whether it can be planned only once the provider's configuration is known, the one reason that Terraform takes for
    /// putting off an action. Asked only of those who can wait for an answer.
    fn defer(&self, context: &Context, config: &Self::Config) -> impl Future<Output = bool> + Send {
        let _ = (context, config);
        async { false }
    }

    /// Says whether it could be done. Not asked while a part of the configuration is unknown for which the model has no
    /// room.
    ///
    /// # Errors
    /// It could not be done.
    fn plan(
        &self,
        context: &Context,
        asked: Asked<'_, Self::Config>,
    ) -> impl Future<Output = Result<(), Failure>> + Send {
        let _ = (context, asked);
        async { Ok(()) }
    }

    /// Does it, and tells on the way how far it is. Dropped where nobody waits for its end any more.
    ///
    /// # Errors
    /// It was not done, or not wholly.
    fn invoke(
        &self,
        context: &Context,
        run: Invocation<'_, Self::Config>,
    ) -> impl Future<Output = Result<(), Failure>> + Send;
}

/// What a run of an action is given.
pub struct Invocation<'r, M> {
    /// The configuration.
    pub config: M,
    /// Where to tell how far it is.
    pub progress: &'r Progress,
    /// What the user should know although all went well.
    pub warnings: &'r mut Diagnostics,
}

/// A typed action as the server sees it.
pub(super) struct Bridge<A>(pub A);

#[async_trait]
impl<A: Action> ErasedAction for Bridge<A> {
    fn schema(&self) -> Schema {
        self.0.schema()
    }

    fn schema_problems(&self, component: &str, schema: &Schema) -> Vec<SchemaProblem> {
        parity::disagreements::<A::Config>(component, schema)
    }

    async fn validate(&self, context: &Context, config: &Value) -> Diagnostics {
        values::validated(config, |config| self.0.validate(context, config))
    }

    async fn plan(&self, context: &Context, config: &Value) -> ActionPlan {
        let config = match A::Config::from_value(config) {
            Ok(config) => config,
            Err(error) if *error.problem() == ModelProblem::Unknown => return ActionPlan::default(),
            Err(error) => return ActionPlan { diagnostics: error.to_diagnostic().into(), deferred: None },
        };
        if context.client_capabilities().deferral_allowed && self.0.defer(context, &config).await {
            return ActionPlan { deferred: Some(Deferred::ProviderConfigUnknown), ..ActionPlan::default() };
        }
        let mut diagnostics = Diagnostics::new();
        let planned = self.0.plan(context, Asked { config, warnings: &mut diagnostics }).await;
        diagnostics.extend(values::said(planned));
        ActionPlan { deferred: None, diagnostics }
    }

    async fn invoke(&self, context: &Context, config: Value, progress: &Progress) -> Diagnostics {
        let config = match values::read("configuration", &config) {
            Ok(config) => config,
            Err(diagnostics) => return diagnostics,
        };
        let mut diagnostics = Diagnostics::new();
        let done = self.0.invoke(context, Invocation { config, progress, warnings: &mut diagnostics }).await;
        diagnostics.extend(values::said(done));
        diagnostics
    }
}
