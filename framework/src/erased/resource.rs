//! A managed resource.

use async_trait::async_trait;
use denobridge_core::cty::Value;
use denobridge_core::provider::Deferred;
use denobridge_core::schema::{IdentitySchema, Schema};
use denobridge_core::{Diagnostic, Diagnostics};

use super::upgrades::StateUpgrades;
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

    /// What tells objects of this type apart, for those that have an identity. Asked for once.
    fn identity_schema(&self) -> Option<IdentitySchema> {
        None
    }

    /// The identity of an object in this state; unknown parts are fine while it is planned to be made. By itself, the
    /// attributes of the state that are called as the identity's are.
    fn identity(&self, context: &Context, state: &Value) -> Option<Value> {
        let _ = (context, state);
        None
    }

    /// Finds an existing object by its identity. Asked only of resources with one.
    async fn import_by_identity(&self, context: &Context, request: ImportIdentity<'_>) -> Outcome {
        let _ = request;
        Outcome::failed(Diagnostic::error(
            "Import by identity is not supported",
            format!("Objects of type {} can only be imported by id.", context.type_name()),
        ))
    }

    /// Brings an identity of an older version to the current one. Identities of the current version never come here.
    ///
    /// # Errors
    /// It cannot be used.
    async fn upgrade_identity(&self, context: &Context, request: UpgradeIdentity) -> Result<Value, Diagnostics> {
        let detail = format!(
            "It was written by version {} of the identity of {}, which this provider can no longer read.",
            request.version,
            context.type_name()
        );
        Err(Diagnostic::error("The stored identity is too old", detail).into())
    }

    /// Whether the provider must put off what it would say about an object, and why. Asked before reads (with the state),
    /// plans (with the configuration) and imports (with nothing), and only of those who can wait for an answer.
    async fn defer(&self, context: &Context, value: Option<&Value>) -> Option<Deferred> {
        let _ = (context, value);
        None
    }

    /// The resource types whose objects this one can take over with their state. Asked for once.
    fn move_sources(&self) -> Vec<MoveSource> {
        Vec::new()
    }

    /// Makes a state of this type from the state of one of [`ErasedResource::move_sources`].
    async fn take_over(&self, context: &Context, request: Move<'_>) -> Outcome {
        let detail = format!("Objects of type {} cannot become {}.", request.type_name, context.type_name());
        Outcome::failed(Diagnostic::error("The resource cannot be moved", detail))
    }

    /// Whether [`ErasedResource::generate_config`] is better than what Terraform makes of a state by itself.
    fn generates_config(&self) -> bool {
        false
    }

    /// The configuration with which an existing object would be as it is. By itself, the state without what only the
    /// provider sets.
    async fn generate_config(&self, context: &Context, state: Value) -> Outcome {
        let _ = context;
        Outcome::of(crate::plan::config_of(&self.schema().block, &state))
    }

    /// The steps from older schema versions. Asked for once. Where they do not reach back to a stored state's version,
    /// [`ErasedResource::upgrade`] is asked.
    fn state_upgrades(&self) -> StateUpgrades {
        StateUpgrades::default()
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

/// What an import by identity is given.
pub struct ImportIdentity<'r> {
    /// The identity, of the type of the identity's schema. What is optional for an import may be null.
    pub identity: Value,
    /// Private data to store with the object.
    pub private: &'r mut PrivateData,
}

/// What an upgrade of an identity is given.
pub struct UpgradeIdentity {
    /// The version that wrote the identity; lower than the current one.
    pub version: i64,
    /// The identity as stored.
    pub identity: serde_json::Value,
}

/// Objects that a resource can take over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveSource {
    /// The resource type they have.
    pub type_name: String,
    /// How the address of their provider ends, such as `hashicorp/aws`; `None`: any provider.
    pub provider_address: Option<String>,
    /// The version of their schema; `None`: any version.
    pub schema_version: Option<i64>,
}

impl MoveSource {
    /// Objects of that type, of any provider and version.
    #[must_use]
    pub fn of_type(type_name: impl Into<String>) -> Self {
        Self { type_name: type_name.into(), provider_address: None, schema_version: None }
    }

    pub(crate) fn fits(&self, type_name: &str, provider_address: &str, schema_version: i64) -> bool {
        let address_fits = |wanted: &String| {
            provider_address.strip_suffix(wanted.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        self.type_name == type_name
            && self.provider_address.as_ref().is_none_or(address_fits)
            && self.schema_version.is_none_or(|version| version == schema_version)
    }
}

/// What a move is given.
pub struct Move<'r> {
    /// The address of the provider that has the object, such as `registry.terraform.io/hashicorp/aws`.
    pub provider_address: &'r str,
    /// The object's type there.
    pub type_name: &'r str,
    /// The version of its schema there.
    pub schema_version: i64,
    /// Its state as stored.
    pub state: serde_json::Value,
    /// Its identity as stored, if it has one.
    pub identity: Option<serde_json::Value>,
    /// Its private data as the other provider wrote them.
    pub source_private: bytes::Bytes,
    /// Private data to store with it from now on.
    pub private: &'r mut PrivateData,
}
