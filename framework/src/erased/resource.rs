//! A managed resource.

use async_trait::async_trait;
use denobridge_core::cty::Value;
use denobridge_core::schema::Schema;
use denobridge_core::{Diagnostic, Diagnostics};

use crate::context::Context;
use crate::plan::{PlanEdit, PlanModifier};
use crate::private::PrivateData;
use crate::schema::SchemaProblem;

/// A managed resource: something that is created, read, updated and deleted.
///
/// All values are of the schema's type. In and out of every method, write-only attributes are null except in
/// configurations.
#[async_trait]
pub trait ErasedResource: Send + Sync {
    /// The schema. Asked for once, when the provider is built.
    fn schema(&self) -> Schema;

    /// What is wrong with the component beyond what its schema shows, such as a model that disagrees with it. Asked for once,
    /// when the provider is built, which fails if there is anything.
    fn schema_problems(&self, component: &str, schema: &Schema) -> Vec<SchemaProblem> {
        let _ = (component, schema);
        Vec::new()
    }

    /// How single attributes are planned. Asked for once, when the provider is built. Attributes whose annotations say
    /// that a change replaces the resource need no entry here.
    fn plan_modifiers(&self) -> Vec<PlanModifier> {
        Vec::new()
    }

    /// Checks a configuration beyond what the schema says. Called often, also with unknown values: must be quick and must
    /// not look at the outside world.
    async fn validate(&self, context: &Context, config: &Value) -> Diagnostics {
        let _ = (context, config);
        Diagnostics::new()
    }

    /// Has the last word on a plan, after everything that the framework does.
    async fn modify_plan(&self, context: &Context, plan: &mut PlanEdit) -> Diagnostics {
        let _ = (context, plan);
        Diagnostics::new()
    }

    /// Makes a new object.
    async fn create(&self, context: &Context, request: Create<'_>) -> Outcome;

    /// Looks at the real object. An outcome without state and without errors: it is gone.
    async fn read(&self, context: &Context, request: Read<'_>) -> Outcome;

    /// Changes an object in place. An outcome without state and with errors: it is as it was before.
    async fn update(&self, context: &Context, request: Update<'_>) -> Outcome;

    /// Removes an object. With errors, it is taken to be still there.
    async fn delete(&self, context: &Context, request: Delete<'_>) -> Diagnostics;

    /// Finds an existing object by what the user calls it. The state needs to be no more than a read needs.
    async fn import(&self, context: &Context, request: Import<'_>) -> Outcome {
        let _ = request;
        Outcome::failed(Diagnostic::error(
            "Import is not supported",
            format!("Objects of type {} cannot be imported.", context.type_name()),
        ))
    }

    /// Brings a state of an older schema version to the current one. States of the current version never come here.
    async fn upgrade(&self, context: &Context, request: Upgrade) -> Outcome {
        Outcome::failed(Diagnostic::error(
            "The stored state is too old",
            format!(
                "It was written by version {} of the schema of {}, which this provider can no longer read.",
                request.version,
                context.type_name()
            ),
        ))
    }
}

/// What exists after an operation, and what there is to say about it. Both at once are possible: a creation that failed
/// halfway has errors *and* a state, and the object is kept in Terraform's state, marked for replacement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The object's state; `None` when there is no object.
    pub state: Option<Value>,
    /// Messages in order.
    pub diagnostics: Diagnostics,
}

impl Outcome {
    /// An object, and nothing to say.
    #[must_use]
    pub fn of(state: Value) -> Self {
        Self { state: Some(state), diagnostics: Diagnostics::new() }
    }

    /// No object, because of errors.
    #[must_use]
    pub fn failed(diagnostics: impl Into<Diagnostics>) -> Self {
        Self { state: None, diagnostics: diagnostics.into() }
    }
}

/// What a creation is given.
pub struct Create<'r> {
    /// The configuration, write-only attributes included.
    pub config: Value,
    /// What was planned.
    pub planned: Value,
    /// The private data of the plan; what they are afterwards is stored.
    pub private: &'r mut PrivateData,
}

/// What a read is given.
pub struct Read<'r> {
    /// The state as last known.
    pub state: Value,
    /// The object's private data; what they are afterwards is stored.
    pub private: &'r mut PrivateData,
}

/// What an update is given.
pub struct Update<'r> {
    /// The configuration, write-only attributes included.
    pub config: Value,
    /// The state before.
    pub prior: Value,
    /// What was planned.
    pub planned: Value,
    /// The private data of the plan; what they are afterwards is stored.
    pub private: &'r mut PrivateData,
}

/// What a deletion is given.
pub struct Delete<'r> {
    /// The state before.
    pub prior: Value,
    /// The object's private data.
    pub private: &'r PrivateData,
}

/// What an import is given.
pub struct Import<'r> {
    /// What the user calls the object.
    pub target: ImportTarget<'r>,
    /// Private data to store with it.
    pub private: &'r mut PrivateData,
}

/// What the user calls an object to import.
#[derive(Clone, Copy, Debug)]
pub enum ImportTarget<'r> {
    /// Text of the resource's own making.
    Id(&'r str),
}

/// What an upgrade is given.
pub struct Upgrade {
    /// The schema version that wrote the state; lower than the current one.
    pub version: i64,
    /// The state as stored.
    pub state: serde_json::Value,
}
