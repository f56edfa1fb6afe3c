//! An ephemeral resource, with types.
//!
//! ```
//! use denobridge_framework::prelude::*;
//! use std::time::{Duration, SystemTime};
//!
//! #[derive(Model)]
//! struct Token {
//!     #[tf(required)]
//!     user: String,
//!     #[tf(computed)]
//!     token: Tf<Secret<String>>,
//! }
//!
//! struct Tokens;
//!
//! impl EphemeralResource for Tokens {
//!     type Model = Token;
//!     /// What renewing and closing need: the token's number.
//!     type Private = u64;
//!
//!     async fn open(&self, _: &Context, opening: Opening<'_, Self>) -> Result<Token, Failure> {
//!         *opening.private = 7;
//!         *opening.renew_at = Some(SystemTime::now() + Duration::from_secs(600));
//!         Ok(Token { token: Secret::new("t-7".to_owned()).into(), ..opening.config })
//!     }
//!
//!     async fn close(&self, _: &Context, closing: Closing<'_, Self>) -> Result<(), Failure> {
//!         assert_eq!(*closing.private, 7);
//!         Ok(())
//!     }
//! }
//!
//! let provider = ProviderBuilder::new("login").add_ephemeral_resource("login_token", Tokens).build().unwrap();
//! # let _ = provider;
//! ```

use std::future::Future;
use std::time::SystemTime;

use async_trait::async_trait;
use denobridge_core::Diagnostics;
use denobridge_core::cty::Value;
use denobridge_core::provider::Deferred;
use denobridge_core::schema::Schema;

use super::failure::Failure;
use super::private::{Private, load, store};
use super::{parity, values};
use crate::context::Context;
use crate::erased::{ErasedEphemeralResource, Opened, Renewed};
use crate::model::{Model, ToValue};
use crate::private::PrivateData;
use crate::schema::SchemaProblem;

/// An ephemeral resource: something that is there for the time of a run, such as a token, and is stored nowhere.
///
/// `#[ephemeral_resource]` on the `impl` fills in [`EphemeralResource::Private`] where it is left out.
pub trait EphemeralResource: Sized + Send + Sync + 'static {
    /// The values: what the configuration asks, and what is opened.
    type Model: Model;

    /// What renewing and closing need to know; `()` for nothing.
    type Private: Private;

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

    /// Why it cannot be opened yet, if so. Asked only of those who can wait for an answer.
    fn defer(&self, context: &Context, config: &Self::Model) -> impl Future<Output = Option<Deferred>> + Send {
        let _ = (context, config);
        async { None }
    }

    /// Opens it. In what it returns, everything is known, and what the configuration sets is as it was.
    ///
    /// # Errors
    /// It cannot be opened.
    fn open(
        &self,
        context: &Context,
        opening: Opening<'_, Self>,
    ) -> impl Future<Output = Result<Self::Model, Failure>> + Send;

    /// Keeps it open longer. Called only when [`Opening::renew_at`] or [`Renewing::renew_at`] was set.
    ///
    /// # Errors
    /// It could not be renewed.
    fn renew(
        &self,
        context: &Context,
        renewing: Renewing<'_, Self>,
    ) -> impl Future<Output = Result<(), Failure>> + Send {
        let _ = (context, renewing);
        async { Ok(()) }
    }

    /// Ends it.
    ///
    /// # Errors
    /// It could not be ended.
    fn close(&self, context: &Context, closing: Closing<'_, Self>) -> impl Future<Output = Result<(), Failure>> + Send {
        let _ = (context, closing);
        async { Ok(()) }
    }
}

/// What opening is given.
pub struct Opening<'r, E: EphemeralResource> {
    /// The configuration.
    pub config: E::Model,
    /// What renewing and closing will be given.
    pub private: &'r mut E::Private,
    /// When to renew it; `None`, which it is at first: never.
    pub renew_at: &'r mut Option<SystemTime>,
    /// What the user should know although all went well.
    pub warnings: &'r mut Diagnostics,
}

/// What renewing is given.
pub struct Renewing<'r, E: EphemeralResource> {
    /// What opening left; what it is afterwards is given to the next.
    pub private: &'r mut E::Private,
    /// When to renew it again; `None`, which it is at first: never.
    pub renew_at: &'r mut Option<SystemTime>,
    /// What the user should know although all went well.
    pub warnings: &'r mut Diagnostics,
}

/// What closing is given.
pub struct Closing<'r, E: EphemeralResource> {
    /// What opening or the last renewal left.
    pub private: &'r E::Private,
    /// What the user should know although all went well.
    pub warnings: &'r mut Diagnostics,
}

/// A typed ephemeral resource as the server sees it.
pub(super) struct Bridge<E>(pub E);

#[async_trait]
impl<E: EphemeralResource> ErasedEphemeralResource for Bridge<E> {
    fn schema(&self) -> Schema {
        self.0.schema()
    }

    fn schema_problems(&self, component: &str, schema: &Schema) -> Vec<SchemaProblem> {
        parity::disagreements::<E::Model>(component, schema)
    }

    async fn validate(&self, context: &Context, config: &Value) -> Diagnostics {
        values::validated(config, |config| self.0.validate(context, config))
    }

    async fn open(&self, context: &Context, config: Value, data: &mut PrivateData) -> Opened {
        let (config, given): (E::Model, _) = match values::read_given("configuration", &config) {
            Ok(read) => read,
            Err(diagnostics) => return Opened { diagnostics, ..Opened::default() },
        };
        if context.client_capabilities().deferral_allowed
            && let Some(reason) = self.0.defer(context, &config).await
        {
            return Opened { deferred: Some(reason), ..Opened::default() };
        }
        let (mut private, mut renew_at, mut diagnostics) = (E::Private::default(), None, Diagnostics::new());
        let opening = Opening { config, private: &mut private, renew_at: &mut renew_at, warnings: &mut diagnostics };
        let opened = self.0.open(context, opening).await;
        let opened = values::unless_failed(opened, &mut diagnostics);
        diagnostics.extend(store(&private, data, context.type_name()).err());
        let result = opened.map(|opened| given.complete(opened.to_value()));
        Opened { result, renew_at, deferred: None, diagnostics }
    }

    async fn renew(&self, context: &Context, data: &mut PrivateData) -> Renewed {
        let mut private: E::Private = match load(data, context.type_name()) {
            Ok(private) => private,
            Err(diagnostic) => return Renewed { renew_at: None, diagnostics: diagnostic.into() },
        };
        let (mut renew_at, mut diagnostics) = (None, Diagnostics::new());
        let renewing = Renewing { private: &mut private, renew_at: &mut renew_at, warnings: &mut diagnostics };
        let renewed = self.0.renew(context, renewing).await;
        diagnostics.extend(values::said(renewed));
        diagnostics.extend(store(&private, data, context.type_name()).err());
        Renewed { renew_at, diagnostics }
    }

    async fn close(&self, context: &Context, data: &PrivateData) -> Diagnostics {
        let private: E::Private = match load(data, context.type_name()) {
            Ok(private) => private,
            Err(diagnostic) => return diagnostic.into(),
        };
        let mut diagnostics = Diagnostics::new();
        let closed = self.0.close(context, Closing { private: &private, warnings: &mut diagnostics }).await;
        diagnostics.extend(values::said(closed));
        diagnostics
    }
}
