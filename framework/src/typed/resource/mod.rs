//! A managed resource, with types.

mod bridge;
mod by_name;
mod history;
mod planning;

use std::future::Future;

use denobridge_core::Diagnostics;
use denobridge_core::provider::Deferred;
use denobridge_core::schema::Schema;

use super::failure::{Failure, Outcome};
use super::identity::Identity;
use super::private::Private;
use crate::context::Context;
use crate::model::Model;
use crate::plan::PlanModifier;

pub(super) use bridge::Bridge;
pub use history::{Moved, Moves, Upgrades};
pub use planning::Planning;

/// A managed resource. Only `create`, `read` and `delete` must be written; the rest does what is most often wanted.
///
/// Put `#[resource]` on the `impl`: it fills in [`Resource::UPDATES`] and [`Resource::GENERATES_CONFIG`], and where they are
/// left out [`Resource::Private`] and [`Resource::Identity`].
pub trait Resource: Sized + Send + Sync + 'static {
    /// The values of an object: configuration and state.
    type Model: Model;

    /// What is remembered of an object without being shown; `()` for nothing.
    type Private: Private;

    /// What tells objects apart; `()` for nothing.
    type Identity: Identity;

    /// Whether objects can be changed in place. Where they cannot, any change replaces them. `#[resource]` sets this.
    const UPDATES: bool;

    /// Version of the stored form. Raise it when a state written before no longer fits the model, and write
    /// [`Resource::upgrades`] or [`Resource::upgrade`].
    const VERSION: i64 = 0;

    /// Version of the stored form of the identity; see [`Resource::upgrade_identity`].
    const IDENTITY_VERSION: i64 = 0;

    /// Whether [`Resource::generate_config`] is written. `#[resource]` sets this.
    const GENERATES_CONFIG: bool = false;

    /// The schema. The model's own, unless it is written by hand; it must then agree with the model in names and types, or
    /// the provider does not build.
    fn schema(&self) -> Schema {
        Self::Model::schema(Self::VERSION)
    }

    /// How single attributes are planned, beyond what `keep` and `replace` on the model's fields say.
    fn plan_modifiers(&self) -> Vec<PlanModifier> {
        Vec::new()
    }

    /// Checks a configuration beyond the schema and the check functions of its fields. Called often, so it must be quick and
    /// not look at the outside world; not called while a part is unknown that the model has no room for.
    ///
    /// # Errors
    /// The configuration is not accepted. A [`Failure::of`] warnings alone refuses nothing, and they are shown.
    fn validate(&self, context: &Context, config: &Self::Model) -> Result<(), Failure> {
        let _ = (context, config);
        Ok(())
    }

    /// Why nothing can be said about an object yet, if so. Asked before reads with the state, before plans with the
    /// configuration, before imports with nothing; and only of those who can wait for an answer.
    fn defer(&self, context: &Context, known: Option<&Self::Model>) -> impl Future<Output = Option<Deferred>> + Send {
        let _ = (context, known);
        async { None }
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
    fn import(
        &self,
        context: &Context,
        sought: Sought<'_, Self, &str>,
    ) -> impl Future<Output = Result<Self::Model, Failure>> + Send {
        let imported = by_name::imported_by_id(&self.schema(), context.type_name(), sought.by);
        async { imported }
    }

    /// Finds an existing object by its identity; a read follows. By itself, the parts of the identity become the attributes
    /// of the same names and everything else is null.
    ///
    /// # Errors
    /// There is no such object.
    fn import_by_identity(
        &self,
        context: &Context,
        sought: Sought<'_, Self, Self::Identity>,
    ) -> impl Future<Output = Result<Self::Model, Failure>> + Send {
        let imported = by_name::imported_by_identity(&self.schema(), context.type_name(), &sought.by.to_identity());
        async { imported }
    }

    /// The identity of an object in this state. `None`, which it is by itself, stands for the attributes of the state that
    /// are called as the identity's.
    fn identity(&self, context: &Context, state: &Self::Model) -> Option<Self::Identity> {
        let _ = (context, state);
        None
    }

    /// Brings an identity that an older version wrote to the current one. By itself, parts that are gone are dropped and
    /// new ones are null.
    ///
    /// # Errors
    /// The identity cannot be used.
    fn upgrade_identity(
        &self,
        context: &Context,
        version: i64,
        identity: serde_json::Value,
    ) -> impl Future<Output = Result<Self::Identity, Failure>> + Send {
        let upgraded = by_name::upgraded_identity::<Self>(context.type_name(), version, identity);
        async { upgraded }
    }

    /// The steps from older versions of the stored form, each with the models on both sides of it. Where they do not reach
    /// back to a stored version, [`Resource::upgrade`] is asked.
    fn upgrades(&self) -> Upgrades {
        Upgrades::default()
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
        let upgraded = by_name::upgraded(&self.schema(), context.type_name(), version, state);
        async { upgraded }
    }

    /// The resources whose objects this one can take over with their state, for `moved` blocks.
    fn moves(&self) -> Moves<Self::Model> {
        Moves::default()
    }

    /// The configuration with which an existing object would be as it is, where that is not just its state without what the
    /// provider computes.
    ///
    /// # Errors
    /// It cannot be told.
    fn generate_config(
        &self,
        context: &Context,
        state: Self::Model,
    ) -> impl Future<Output = Result<Self::Model, Failure>> + Send {
        let _ = context;
        async { Ok(state) }
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

/// What an import is given: by what the object is sought, and where to put what is not in its state.
pub struct Sought<'r, R: Resource, By> {
    /// An id (text of the resource's own making), or an identity, of which what is optional may be null.
    pub by: By,
    /// Private data to store with the object.
    pub private: &'r mut R::Private,
    /// What the user should know although all went well.
    pub warnings: &'r mut Diagnostics,
}
