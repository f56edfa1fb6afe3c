//! A managed resource, with types.

use std::future::Future;

use denobridge_core::Diagnostics;
use denobridge_core::schema::Schema;

use super::failure::{Failure, Outcome};
use super::planning::Planning;
use super::private::Private;
use crate::context::Context;
use crate::model::Model;

/// A managed resource. Only `create`, `read` and `delete` must be written; the rest does what is most often wanted.
///
/// Put `#[resource]` on the `impl`: it fills in [`Resource::UPDATES`], and [`Resource::Private`] where it is left out.
pub trait Resource: Sized + Send + Sync + 'static {
    /// The values of an object: configuration and state.
    type Model: Model;

    /// What is remembered of an object without being shown; `()` for nothing.
    type Private: Private;

    /// Whether objects can be changed in place. Where they cannot, any change replaces them. `#[resource]` sets this.
    const UPDATES: bool;

    /// Version of the stored form. Raise it when a state written before no longer fits the model, and write
    /// [`Resource::upgrade`].
    const VERSION: i64 = 0;

    /// The schema. The model's own, unless it is written by hand; it must then agree with the model in names and types, or
    /// the provider does not build.
    fn schema(&self) -> Schema {
        Self::Model::schema(Self::VERSION)
    }

    /// Checks a configuration beyond the schema and the check functions of its fields. Called often, so it must be quick and
    /// not look at the outside world; not called while a part is unknown that the model has no room for.
    ///
    /// # Errors
    /// The configuration is not accepted.
    fn validate(&self, context: &Context, config: &Self::Model) -> Result<(), Failure> {
        let _ = (context, config);
        Ok(())
    }

    /// Has the last word on a plan.
    ///
    /// # Errors
    /// What is planned cannot be done.
    fn modify_plan(
        &self,
        context: &Context,
        plan: &mut Planning<'_, Self::Model>,
    ) -> impl Future<Output = Result<(), Failure>> + Send {
        let _ = (context, plan);
        async { Ok(()) }
    }

    /// Makes a new object. In what it returns, everything is known, and what the configuration sets is as it was planned.
    fn create(&self, context: &Context, plan: Planned<'_, Self>) -> impl Future<Output = Outcome<Self::Model>> + Send;

    /// Looks at the real object; `None` when it is gone.
    fn read(
        &self,
        context: &Context,
        now: Stored<'_, Self>,
    ) -> impl Future<Output = Result<Option<Self::Model>, Failure>> + Send;

    /// Changes an object in place.
    fn update(&self, context: &Context, change: Change<'_, Self>) -> impl Future<Output = Outcome<Self::Model>> + Send {
        let _ = change;
        let reason = format!("The provider says that a {} can be changed in place, but not how.", context.type_name());
        async { Err(Failure::new("Update is not implemented", reason).into()) }
    }

    /// Removes an object. One that is already gone is no failure.
    fn delete(&self, context: &Context, gone: Removed<'_, Self>) -> impl Future<Output = Result<(), Failure>> + Send;

    /// Finds an existing object by what the user calls it; a read follows, so no more is needed than that needs. By itself,
    /// the text becomes the attribute `id` and everything else is null, for which the model's fields must have room.
    ///
    /// # Errors
    /// There is no such object.
    fn import(&self, context: &Context, id: &str) -> impl Future<Output = Result<Self::Model, Failure>> + Send {
        let imported = super::bridge::imported_by_id(&self.schema(), context.type_name(), id);
        async { imported }
    }

    /// Brings a state that an older schema version wrote to the current one. By itself, attributes that are gone are
    /// dropped and new ones are null, which is enough where types have stayed what they were.
    ///
    /// # Errors
    /// The state cannot be used.
    fn upgrade(
        &self,
        context: &Context,
        version: i64,
        state: serde_json::Value,
    ) -> impl Future<Output = Result<Self::Model, Failure>> + Send {
        let upgraded = super::bridge::upgraded_by_name(&self.schema(), context.type_name(), version, state);
        async { upgraded }
    }
}

/// What a creation is given.
pub struct Planned<'r, R: Resource> {
    /// What was planned; write-only attributes are null.
    pub state: R::Model,
    /// The configuration, write-only attributes included.
    pub config: R::Model,
    /// Private data; what they are afterwards is stored.
    pub private: &'r mut R::Private,
    /// What the user should know although all went well.
    pub warnings: &'r mut Diagnostics,
}

/// What a read is given.
pub struct Stored<'r, R: Resource> {
    /// The state as last known.
    pub state: R::Model,
    /// Private data; what they are afterwards is stored.
    pub private: &'r mut R::Private,
    /// What the user should know although all went well.
    pub warnings: &'r mut Diagnostics,
}

/// What an update is given.
pub struct Change<'r, R: Resource> {
    /// The state before.
    pub prior: R::Model,
    /// What was planned; write-only attributes are null.
    pub state: R::Model,
    /// The configuration, write-only attributes included.
    pub config: R::Model,
    /// Private data; what they are afterwards is stored.
    pub private: &'r mut R::Private,
    /// What the user should know although all went well.
    pub warnings: &'r mut Diagnostics,
}

/// For resources that are changed the way they are made.
impl<'r, R: Resource> From<Change<'r, R>> for Planned<'r, R> {
    fn from(change: Change<'r, R>) -> Self {
        let Change { state, config, private, warnings, .. } = change;
        Self { state, config, private, warnings }
    }
}

/// What a deletion is given.
pub struct Removed<'r, R: Resource> {
    /// The state before.
    pub prior: R::Model,
    /// Private data.
    pub private: &'r R::Private,
    /// What the user should know although all went well.
    pub warnings: &'r mut Diagnostics,
}
