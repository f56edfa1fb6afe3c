//! A list resource, with types.

use std::future::Future;

use async_trait::async_trait;
use denobridge_core::Diagnostics;
use denobridge_core::cty::Value;
use denobridge_core::schema::Schema;

use super::failure::Failure;
use super::identity::Identity;
use super::resource::Resource;
use super::{parity, values};
use crate::context::Context;
use crate::erased::{self, ErasedListResource, ListQuery};
use crate::model::{Model, ToValue};
use crate::schema::SchemaProblem;

/// A list resource: finds existing objects of a managed resource, which must have an identity and is registered under the
/// same name.
pub trait ListResource: Send + Sync + 'static {
    /// What restricts the search.
    type Config: Model;

    /// The managed resource whose objects it finds.
    type Resource: Resource;

    /// The schema of what restricts the search. The model's own, unless it is written by hand; see
    /// [`Resource::schema`].
    fn schema(&self) -> Schema {
        Self::Config::schema(0)
    }

    /// Checks a configuration; see [`Resource::validate`].
    ///
    /// # Errors
    /// The configuration is not accepted.
    fn validate(&self, context: &Context, config: &Self::Config) -> Result<(), Failure> {
        let _ = (context, config);
        Ok(())
    }

    /// Finds objects and hands over each as it is found, to [`Finds::push`].
    ///
    /// # Errors
    /// The search ended too early. What has been handed over counts.
    fn list(
        &self,
        context: &Context,
        search: Search<'_, Self::Config, Self::Resource>,
    ) -> impl Future<Output = Result<(), Failure>> + Send;
}

/// What a search is given.
pub struct Search<'r, M, R> {
    /// The configuration.
    pub config: M,
    /// Whether whole objects are wanted; without them, [`Find::object`] may be left out.
    pub include_object: bool,
    /// How many are wanted at most.
    pub limit: i64,
    /// Takes what is found.
    pub finds: Finds<'r, R>,
    /// What the user should know although all went well.
    pub warnings: &'r mut Diagnostics,
}

/// Takes what a search finds.
pub struct Finds<'r, R> {
    found: &'r erased::Found,
    of: std::marker::PhantomData<fn() -> R>,
}

impl<R: Resource> Finds<'_, R> {
    /// Hands over one object and waits until it is taken. `false` when no more are wanted, and the search can end.
    pub async fn push(&self, find: Find<R>) -> bool {
        let Find { identity, display_name, object, warnings } = find;
        let object = object.map(|object| object.to_value());
        let identity = identity.to_identity();
        self.found.push(erased::Listed { identity, display_name, object, diagnostics: warnings }).await
    }
}

/// One object that was found.
pub struct Find<R: Resource> {
    /// Its identity.
    pub identity: R::Identity,
    /// What people call it.
    pub display_name: String,
    /// The whole object, where it is wanted.
    pub object: Option<R::Model>,
    /// What there is to say about it.
    pub warnings: Diagnostics,
}

impl<R: Resource> Find<R> {
    /// An object by its identity.
    #[must_use]
    pub fn new(identity: R::Identity, display_name: impl Into<String>) -> Self {
        Self { identity, display_name: display_name.into(), object: None, warnings: Diagnostics::new() }
    }

    /// The same with the whole object.
    #[must_use]
    pub fn with_object(mut self, object: R::Model) -> Self {
        self.object = Some(object);
        self
    }
}

/// A typed list resource as the server sees it.
pub(super) struct Bridge<L>(pub L);

#[async_trait]
impl<L: ListResource> ErasedListResource for Bridge<L> {
    fn schema(&self) -> Schema {
        self.0.schema()
    }

    fn schema_problems(&self, component: &str, schema: &Schema) -> Vec<SchemaProblem> {
        parity::disagreements::<L::Config>(component, schema)
    }

    async fn validate(&self, context: &Context, config: &Value) -> Diagnostics {
        values::validated(config, |config| self.0.validate(context, config))
    }

    async fn list(&self, context: &Context, query: ListQuery, found: &erased::Found) -> Diagnostics {
        let config = match values::read("configuration", &query.config) {
            Ok(config) => config,
            Err(diagnostics) => return diagnostics,
        };
        let mut diagnostics = Diagnostics::new();
        let search = Search {
            config,
            include_object: query.include_object,
            limit: query.limit,
            finds: Finds { found, of: std::marker::PhantomData },
            warnings: &mut diagnostics,
        };
        let listed = self.0.list(context, search).await;
        diagnostics.extend(values::said(listed));
        diagnostics
    }
}
