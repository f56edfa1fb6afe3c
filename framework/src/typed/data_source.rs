//! A data source, with types.
//!
//! ```
//! use denobridge_framework::prelude::*;
//!
//! #[derive(Model)]
//! struct User {
//!     #[tf(required)]
//!     name: String,
//!     #[tf(computed)]
//!     uid: Tf<i64>,
//! }
//!
//! struct Users;
//!
//! impl DataSource for Users {
//!     type Model = User;
//!
//!     async fn read(&self, _: &Context, asked: Asked<'_, User>) -> Result<User, Failure> {
//!         Ok(User { uid: 1000.into(), ..asked.config })
//!     }
//! }
//!
//! let provider = ProviderBuilder::new("local").add_data_source("local_user", Users).build().unwrap();
//! # let _ = provider;
//! ```

use std::future::Future;

use async_trait::async_trait;
use denobridge_core::Diagnostics;
use denobridge_core::cty::Value;
use denobridge_core::provider::Deferred;
use denobridge_core::schema::Schema;

use super::failure::Failure;
use super::{parity, values};
use crate::context::Context;
use crate::erased::{DataRead, ErasedDataSource};
use crate::model::{Model, ToValue};
use crate::schema::SchemaProblem;

/// A data source: something that is looked up and never changed.
pub trait DataSource: Send + Sync + 'static {
    /// The values of a lookup: what the configuration asks, and what is found.
    type Model: Model;

    /// The schema. The model's own, unless it is written by hand; see [`super::Resource::schema`].
    fn schema(&self) -> Schema {
        Self::Model::schema(0)
    }

    /// Checks a configuration; see [`super::Resource::validate`].
    ///
    /// # Errors
    /// The configuration is not accepted.
    fn validate(&self, context: &Context, config: &Self::Model) -> Result<(), Failure> {
        let _ = (context, config);
        Ok(())
    }

    /// Why it cannot be looked up yet, if so. Asked only of those who can wait for an answer.
    fn defer(&self, context: &Context, config: &Self::Model) -> impl Future<Output = Option<Deferred>> + Send {
        let _ = (context, config);
        async { None }
    }

    /// Looks it up. In what it returns, everything is known, and what the configuration sets is as it was.
    ///
    /// # Errors
    /// It is not there, or cannot be looked up.
    fn read(
        &self,
        context: &Context,
        asked: Asked<'_, Self::Model>,
    ) -> impl Future<Output = Result<Self::Model, Failure>> + Send;
}

/// What an operation is given that has a configuration and nothing else.
pub struct Asked<'r, M> {
    /// The configuration.
    pub config: M,
    /// What the user should know although all went well.
    pub warnings: &'r mut Diagnostics,
}

/// A typed data source as the server sees it.
pub(super) struct Bridge<D>(pub D);

#[async_trait]
impl<D: DataSource> ErasedDataSource for Bridge<D> {
    fn schema(&self) -> Schema {
        self.0.schema()
    }

    fn schema_problems(&self, component: &str, schema: &Schema) -> Vec<SchemaProblem> {
        parity::disagreements::<D::Model>(component, schema)
    }

    async fn validate(&self, context: &Context, config: &Value) -> Diagnostics {
        values::validated(config, |config| self.0.validate(context, config))
    }

    async fn read(&self, context: &Context, config: Value) -> DataRead {
        let config: D::Model = match values::read("configuration", &config) {
            Ok(config) => config,
            Err(diagnostics) => return DataRead::failed(diagnostics),
        };
        if context.client_capabilities().deferral_allowed
            && let Some(reason) = self.0.defer(context, &config).await
        {
            return DataRead { deferred: Some(reason), ..DataRead::default() };
        }
        let mut diagnostics = Diagnostics::new();
        let found = self.0.read(context, Asked { config, warnings: &mut diagnostics }).await;
        let found = values::unless_failed(found, &mut diagnostics);
        DataRead { state: found.map(|found| found.to_value()), deferred: None, diagnostics }
    }
}
