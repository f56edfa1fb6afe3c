//! From typed resources to the server's: values become models on the way in and values again on the way out.

use async_trait::async_trait;
use denobridge_core::cty::{Path, Type, Value, json};
use denobridge_core::planning::empty_block;
use denobridge_core::schema::Schema;
use denobridge_core::{Diagnostic, Diagnostics};

use super::failure::{Failure, Incomplete};
use super::planning::Planning;
use super::private::{load, store};
use super::resource::{Change, Planned, Removed, Resource, Stored};
use super::{changes, parity};
use crate::context::Context;
use crate::erased::{self, Create, Delete, ErasedResource, Import, ImportTarget, Read, Update, Upgrade};
use crate::model::{Model, ModelError, ModelProblem, ModelValue, ToValue};
use crate::plan::{PlanEdit, PlanKind};
use crate::private::PrivateData;
use crate::provider::ProviderBuilder;
use crate::schema::SchemaProblem;
use crate::server::resource::fitted;

impl ProviderBuilder {
    /// Adds a managed resource under Terraform's name for it, such as `example_thing`.
    #[must_use]
    pub fn add_resource<R: Resource>(self, type_name: impl Into<std::sync::Arc<str>>, resource: R) -> Self {
        self.resource(type_name, Box::new(Bridge(resource)))
    }
}

/// A typed resource as the server sees it.
struct Bridge<R>(R);

type Erased = Result<erased::Outcome, Diagnostics>;

#[async_trait]
impl<R: Resource> ErasedResource for Bridge<R> {
    fn schema(&self) -> Schema {
        self.0.schema()
    }

    fn schema_problems(&self, component: &str, schema: &Schema) -> Vec<SchemaProblem> {
        parity::disagreements::<R::Model>(component, schema)
    }

    async fn validate(&self, context: &Context, config: &Value) -> Diagnostics {
        let mut found = R::Model::check_all(config);
        if found.has_errors() {
            return found;
        }
        match R::Model::from_value(config) {
            Ok(config) => {
                if let Err(failure) = self.0.validate(context, &config) {
                    found.extend(failure.into_diagnostics(&failed("validation", context)));
                }
            }
            Err(error) if *error.problem() == ModelProblem::Unknown => {}
            Err(error) => found.push(error.to_diagnostic()),
        }
        found
    }

    async fn modify_plan(&self, context: &Context, plan: &mut PlanEdit) -> Diagnostics {
        if !R::UPDATES && plan.kind() == PlanKind::Update {
            for change in changes(plan.prior(), plan.planned()) {
                plan.require_replace(Path::root().attribute(change.name));
            }
        }
        match self.0.modify_plan(context, &mut Planning::new(plan)).await {
            Ok(()) => Diagnostics::new(),
            Err(failure) => failure.into_diagnostics(&failed("planning", context)),
        }
    }

    async fn create(&self, context: &Context, request: Create<'_>) -> erased::Outcome {
        merge(self.created(context, request).await)
    }

    async fn read(&self, context: &Context, request: Read<'_>) -> erased::Outcome {
        merge(self.found(context, request).await)
    }

    async fn update(&self, context: &Context, request: Update<'_>) -> erased::Outcome {
        merge(self.updated(context, request).await)
    }

    async fn delete(&self, context: &Context, request: Delete<'_>) -> Diagnostics {
        self.deleted(context, request).await.unwrap_or_else(|diagnostics| diagnostics)
    }

    async fn import(&self, context: &Context, request: Import<'_>) -> erased::Outcome {
        let ImportTarget::Id(id) = request.target;
        match self.0.import(context, id).await {
            Ok(state) => erased::Outcome::of(state.to_value()),
            Err(failure) => erased::Outcome::failed(failure.into_diagnostics(&failed("import", context))),
        }
    }

    async fn upgrade(&self, context: &Context, request: Upgrade) -> erased::Outcome {
        match self.0.upgrade(context, request.version, request.state).await {
            Ok(state) => erased::Outcome::of(state.to_value()),
            Err(failure) => {
                erased::Outcome::failed(failure.into_diagnostics(&failed("upgrade of the stored state", context)))
            }
        }
    }
}

impl<R: Resource> Bridge<R> {
    async fn created(&self, context: &Context, request: Create<'_>) -> Erased {
        let mut private = load(request.private, context.type_name())?;
        let mut warnings = Diagnostics::new();
        let plan = Planned {
            state: read("planned state", &request.planned)?,
            config: read("configuration", &request.config)?,
            private: &mut private,
            warnings: &mut warnings,
        };
        let outcome = self.0.create(context, plan).await;
        Ok(self.settle("creation", context, outcome, warnings, &private, request.private))
    }

    async fn updated(&self, context: &Context, request: Update<'_>) -> Erased {
        let mut private = load(request.private, context.type_name())?;
        let mut warnings = Diagnostics::new();
        let change = Change {
            prior: read("prior state", &request.prior)?,
            state: read("planned state", &request.planned)?,
            config: read("configuration", &request.config)?,
            private: &mut private,
            warnings: &mut warnings,
        };
        let outcome = self.0.update(context, change).await;
        Ok(self.settle("update", context, outcome, warnings, &private, request.private))
    }

    async fn found(&self, context: &Context, request: Read<'_>) -> Erased {
        let mut private = load(request.private, context.type_name())?;
        let mut diagnostics = Diagnostics::new();
        let now = Stored { state: read("state", &request.state)?, private: &mut private, warnings: &mut diagnostics };
        let found = self.0.read(context, now).await;
        let stored = store(&private, request.private, context.type_name());
        diagnostics.extend(stored.err());
        let state = match found {
            Ok(found) => found.map(|state: R::Model| state.to_value()),
            Err(failure) => {
                diagnostics.extend(failure.into_diagnostics(&failed("read", context)));
                None
            }
        };
        Ok(erased::Outcome { state, diagnostics })
    }

    async fn deleted(&self, context: &Context, request: Delete<'_>) -> Result<Diagnostics, Diagnostics> {
        let private = load(request.private, context.type_name())?;
        let mut diagnostics = Diagnostics::new();
        let gone =
            Removed { prior: read("prior state", &request.prior)?, private: &private, warnings: &mut diagnostics };
        if let Err(failure) = self.0.delete(context, gone).await {
            diagnostics.extend(failure.into_diagnostics(&failed("deletion", context)));
        }
        Ok(diagnostics)
    }

    /// What came of a creation or an update, with private data stored whatever it was.
    fn settle(
        &self,
        operation: &str,
        context: &Context,
        outcome: Result<R::Model, Incomplete<R::Model>>,
        mut diagnostics: Diagnostics,
        private: &R::Private,
        data: &mut PrivateData,
    ) -> erased::Outcome {
        diagnostics.extend(store(private, data, context.type_name()).err());
        let state = match outcome {
            Ok(state) => Some(state),
            Err(Incomplete { state, failure }) => {
                diagnostics.extend(failure.into_diagnostics(&failed(operation, context)));
                state
            }
        };
        erased::Outcome { state: state.map(|state| state.to_value()), diagnostics }
    }
}

fn merge(outcome: Erased) -> erased::Outcome {
    outcome.unwrap_or_else(erased::Outcome::failed)
}

fn failed(operation: &str, context: &Context) -> String {
    format!("The {operation} of {} failed", context.type_name())
}

fn read<M: Model>(what: &str, value: &Value) -> Result<M, Diagnostics> {
    M::from_value(value).map_err(|error| {
        let detail = format!("In the {what}, {error}. The provider's {} has no room for that.", M::NAME);
        Diagnostic::error("The provider cannot use a value", detail).at(error.path()).into()
    })
}

/// The object that an import by id begins with: the id, and nothing else.
pub(super) fn imported_by_id<M: Model>(schema: &Schema, type_name: &str, id: &str) -> Result<M, Failure> {
    if schema.block.attribute("id").is_none_or(|attribute| attribute.implied_type() != Type::String) {
        let detail = format!("Objects of type {type_name} have no id that is text, so they cannot be imported by one.");
        return Err(Failure::new("Import is not supported", detail));
    }
    let state = empty_block(&schema.block).with_attribute("id", Value::string(id));
    M::from_value(&state).map_err(|error: ModelError| {
        let detail = format!(
            "From its id alone not enough is known of a {type_name}: {error}. The provider would have to look it up when \
             importing."
        );
        Failure::new("Import is not supported", detail).at(error.path())
    })
}

/// The state with the attributes that the current schema has.
pub(super) fn upgraded_by_name<M: Model>(
    schema: &Schema,
    type_name: &str,
    version: i64,
    state: serde_json::Value,
) -> Result<M, Failure> {
    let ty = schema.implied_type();
    let too_old = |reason: String, path: Path| {
        let detail = format!(
            "It was written by version {version} of the schema of {type_name}, and does not fit version {}: {reason}.",
            schema.version
        );
        Failure::new("The stored state is too old", detail).at(path)
    };
    let value = json::from_json(&fitted(state, &ty), &ty).map_err(|error| {
        let reason =
            if error.path.is_root() { error.message } else { format!("\"{}\": {}", error.path, error.message) };
        too_old(reason, error.path)
    })?;
    M::from_value(&value).map_err(|error| too_old(error.to_string(), error.path()))
}
