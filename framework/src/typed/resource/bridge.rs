//! From typed resources to the server's: values become models on the way in and values again on the way out.

use async_trait::async_trait;
use denobridge_core::Diagnostics;
use denobridge_core::cty::{Path, Value};
use denobridge_core::provider::Deferred;
use denobridge_core::schema::{IdentitySchema, Schema};

use super::by_name::value_of;
use super::history::Moved;
use super::planning::Planning;
use super::{Change, Planned, Removed, Resource, Sought, Stored};
use crate::context::Context;
use crate::erased::{
    Create, Delete, ErasedResource, Import, ImportIdentity, ImportTarget, Move, MoveSource, Outcome, Read,
    StateUpgrades, Update, Upgrade, UpgradeIdentity,
};
use crate::model::{Model, ModelValue, ToValue};
use crate::plan::{PlanEdit, PlanKind, PlanModifier};
use crate::private::PrivateData;
use crate::schema::SchemaProblem;
use crate::typed::digits::Given;
use crate::typed::failure::{Failure, Incomplete};
use crate::typed::identity::Identity;
use crate::typed::private::{load, store};
use crate::typed::values::{read, read_given, said, unless_failed, validated};
use crate::typed::{changes, parity};

/// A typed resource as the server sees it.
pub(in crate::typed) struct Bridge<R>(pub R);

type Erased = Result<Outcome, Diagnostics>;

#[async_trait]
impl<R: Resource> ErasedResource for Bridge<R> {
    fn schema(&self) -> Schema {
        self.0.schema()
    }

    fn schema_problems(&self, component: &str, schema: &Schema) -> Vec<SchemaProblem> {
        parity::disagreements::<R::Model>(component, schema)
    }

    fn plan_modifiers(&self) -> Vec<PlanModifier> {
        self.0.plan_modifiers()
    }

    async fn validate(&self, context: &Context, config: &Value) -> Diagnostics {
        validated(config, |config| self.0.validate(context, config))
    }

    async fn defer(&self, context: &Context, value: Option<&Value>) -> Option<Deferred> {
        // What the model has no room for is told of where it is needed.
        let known = value.map(R::Model::from_value).transpose().ok()?;
        self.0.defer(context, known.as_ref()).await
    }

    async fn modify_plan(&self, context: &Context, plan: &mut PlanEdit) -> Diagnostics {
        if !R::UPDATES && plan.kind() == PlanKind::Update {
            for change in changes(plan.prior(), plan.planned()) {
                plan.require_replace(Path::root().attribute(change.name));
            }
        }
        said(self.0.modify_plan(context, &mut Planning::new(plan)).await)
    }

    async fn create(&self, context: &Context, request: Create<'_>) -> Outcome {
        merge(self.created(context, request).await)
    }

    async fn read(&self, context: &Context, request: Read<'_>) -> Outcome {
        merge(self.found(context, request).await)
    }

    async fn update(&self, context: &Context, request: Update<'_>) -> Outcome {
        merge(self.updated(context, request).await)
    }

    async fn delete(&self, context: &Context, request: Delete<'_>) -> Diagnostics {
        self.deleted(context, request).await.unwrap_or_else(|diagnostics| diagnostics)
    }

    async fn import(&self, context: &Context, request: Import<'_>) -> Outcome {
        let ImportTarget::Id(id) = request.target;
        let (mut private, mut warnings) = (R::Private::default(), Diagnostics::new());
        let sought = Sought { by: id, private: &mut private, warnings: &mut warnings };
        let found = self.0.import(context, sought).await;
        settle::<R>(context, found.map_err(Into::into), warnings, &private, request.private)
    }

    fn identity_schema(&self) -> Option<IdentitySchema> {
        R::Identity::identity_schema(R::IDENTITY_VERSION)
    }

    fn identity(&self, context: &Context, state: &Value) -> Option<Value> {
        // A planned state may have unknown parts for which the model has no room; the server finds the identity by name.
        let state = R::Model::from_value(state).ok()?;
        self.0.identity(context, &state).map(|identity| identity.to_identity())
    }

    async fn import_by_identity(&self, context: &Context, request: ImportIdentity<'_>) -> Outcome {
        let identity = match R::Identity::from_identity(&request.identity) {
            Ok(identity) => identity,
            Err(error) => return Outcome::failed(error.to_diagnostic()),
        };
        let (mut private, mut warnings) = (R::Private::default(), Diagnostics::new());
        let sought = Sought { by: identity, private: &mut private, warnings: &mut warnings };
        let found = self.0.import_by_identity(context, sought).await;
        settle::<R>(context, found.map_err(Into::into), warnings, &private, request.private)
    }

    async fn upgrade_identity(&self, context: &Context, request: UpgradeIdentity) -> Result<Value, Diagnostics> {
        let upgraded = self.0.upgrade_identity(context, request.version, request.identity).await?;
        Ok(upgraded.to_identity())
    }

    fn move_sources(&self) -> Vec<MoveSource> {
        self.0.moves().sources()
    }

    async fn take_over(&self, context: &Context, request: Move<'_>) -> Outcome {
        let moved = Moved {
            provider_address: request.provider_address.to_owned(),
            type_name: request.type_name.to_owned(),
            schema_version: request.schema_version,
            state: request.state,
            identity: request.identity,
        };
        let unknown = || {
            let detail = format!("Objects of type {} cannot become {}.", request.type_name, context.type_name());
            Err(Failure::new("The resource cannot be moved", detail))
        };
        let taken = self.0.moves().take_over(moved).unwrap_or_else(unknown);
        outcome(taken)
    }

    fn generates_config(&self) -> bool {
        R::GENERATES_CONFIG
    }

    async fn generate_config(&self, context: &Context, state: Value) -> Outcome {
        if !R::GENERATES_CONFIG {
            return Outcome::of(crate::plan::config_of(&self.schema().block, &state));
        }
        match read("state", &state) {
            Ok(state) => outcome(self.0.generate_config(context, state).await),
            Err(diagnostics) => Outcome::failed(diagnostics),
        }
    }

    fn state_upgrades(&self) -> StateUpgrades {
        self.0.upgrades().0
    }

    async fn upgrade(&self, context: &Context, request: Upgrade) -> Outcome {
        // What both versions have keeps its digits.
        let stored = value_of(request.state.clone(), &R::Model::ty()).ok();
        let given = stored.and_then(|stored| Some(Given::to(&stored, &R::Model::from_value(&stored).ok()?)));
        let upgraded = outcome(self.0.upgrade(context, request.version, request.state).await);
        match given {
            Some(given) => completed(&given, upgraded),
            None => upgraded,
        }
    }
}

impl<R: Resource> Bridge<R> {
    async fn created(&self, context: &Context, request: Create<'_>) -> Erased {
        let mut private = load(request.private, context.type_name())?;
        let mut warnings = Diagnostics::new();
        let (state, given) = read_given("planned state", &request.planned)?;
        let plan = Planned {
            state,
            config: read("configuration", &request.config)?,
            private: &mut private,
            warnings: &mut warnings,
        };
        let outcome = self.0.create(context, plan).await;
        let made = settle::<R>(context, outcome, warnings, &private, request.private);
        Ok(completed(&given, made))
    }

    async fn updated(&self, context: &Context, request: Update<'_>) -> Erased {
        let mut private = load(request.private, context.type_name())?;
        let mut warnings = Diagnostics::new();
        let (state, given) = read_given("planned state", &request.planned)?;
        let change = Change {
            prior: read("prior state", &request.prior)?,
            state,
            config: read("configuration", &request.config)?,
            private: &mut private,
            warnings: &mut warnings,
        };
        let outcome = self.0.update(context, change).await;
        let made = settle::<R>(context, outcome, warnings, &private, request.private);
        Ok(completed(&given, made))
    }

    async fn found(&self, context: &Context, request: Read<'_>) -> Erased {
        let mut private = load(request.private, context.type_name())?;
        let mut diagnostics = Diagnostics::new();
        let (state, given) = read_given("state", &request.state)?;
        let now = Stored { state, private: &mut private, warnings: &mut diagnostics };
        let found = self.0.read(context, now).await;
        let found = unless_failed(found, &mut diagnostics).flatten();
        diagnostics.extend(store(&private, request.private, context.type_name()).err());
        let found = Outcome { state: found.map(|state| state.to_value()), diagnostics };
        Ok(completed(&given, found))
    }

    async fn deleted(&self, context: &Context, request: Delete<'_>) -> Result<Diagnostics, Diagnostics> {
        let private = load(request.private, context.type_name())?;
        let mut diagnostics = Diagnostics::new();
        let gone =
            Removed { prior: read("prior state", &request.prior)?, private: &private, warnings: &mut diagnostics };
        let deleted = self.0.delete(context, gone).await;
        diagnostics.extend(said(deleted));
        Ok(diagnostics)
    }
}

/// What came of an operation, with private data stored whatever it was.
fn settle<R: Resource>(
    context: &Context,
    outcome: Result<R::Model, Incomplete<R::Model>>,
    mut diagnostics: Diagnostics,
    private: &R::Private,
    data: &mut PrivateData,
) -> Outcome {
    let state = match outcome {
        Ok(state) => Some(state),
        Err(Incomplete { state, failure }) => {
            diagnostics.extend(failure.into_diagnostics());
            state
        }
    };
    diagnostics.extend(store(private, data, context.type_name()).err());
    Outcome { state: state.map(|state| state.to_value()), diagnostics }
}

/// The outcome, with the digits that numbers had before a model held them.
fn completed(given: &Given, outcome: Outcome) -> Outcome {
    Outcome { state: outcome.state.map(|state| given.complete(state)), ..outcome }
}

/// What came of an operation without private data.
fn outcome<M: Model>(result: Result<M, Failure>) -> Outcome {
    match result {
        Ok(state) => Outcome::of(state.to_value()),
        Err(failure) => Outcome::failed(failure),
    }
}

fn merge(outcome: Erased) -> Outcome {
    outcome.unwrap_or_else(Outcome::failed)
}
