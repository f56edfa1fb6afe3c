//! `denobridge_resource`: an object whose life a script manages.

mod apply;
pub(super) mod identity;
mod plan;
mod read;
mod script_digest;

use async_trait::async_trait;
use denobridge_core::cty::{Path, Value};
use denobridge_core::planning::{empty_block, same_value};
use denobridge_core::schema::{IdentitySchema, Schema};
use denobridge_core::{Diagnostic, Diagnostics, Severity};
use denobridge_framework::erased::{Create, Delete, Import, ImportIdentity, ImportTarget, Read, Update};
use denobridge_framework::{Context, ErasedResource, Outcome, PlanEdit, PlanModifier, PrivateData};

use super::call::attribute;
use super::messages::Operation;
use super::runtime::Scripts;
use super::{import_id, schema};

/// Set by an import until the first read, which then tells the script that it knows no props.
const IMPORTED: &str = "imported";

/// The attribute that goes up when the write-only props have changed.
pub(crate) const VERSION: &str = "write_only_props_version";

/// The attributes that hold what the script says of the object.
const STATES: [&str; 2] = ["state", "sensitive_state"];

/// The resource; all it needs is in the provider's data.
pub(crate) struct ScriptResource;

#[async_trait]
impl ErasedResource for ScriptResource {
    fn schema(&self) -> Schema {
        schema::resource()
    }

    fn plan_modifiers(&self) -> Vec<PlanModifier> {
        vec![PlanModifier::KeepState(Path::root().attribute("id"))]
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        super::call::validate(config)
    }

    async fn modify_plan(&self, context: &Context, plan: &mut PlanEdit) -> Diagnostics {
        plan::modify(context, plan).await.unwrap_or_else(Into::into)
    }

    async fn create(&self, context: &Context, request: Create<'_>) -> Outcome {
        apply::create(context, request).await.unwrap_or_else(Outcome::failed)
    }

    async fn read(&self, context: &Context, request: Read<'_>) -> Outcome {
        let object = NamedObject::of(&request.state);
        object.in_errors_of(read::read(context, request).await.unwrap_or_else(Outcome::failed))
    }

    async fn update(&self, context: &Context, request: Update<'_>) -> Outcome {
        let object = NamedObject::of(&request.prior);
        object.in_errors_of(apply::update(context, request).await.unwrap_or_else(Outcome::failed))
    }

    async fn delete(&self, context: &Context, request: Delete<'_>) -> Diagnostics {
        let object = NamedObject::of(&request.prior);
        object.in_errors(apply::delete(context, request).await.unwrap_or_else(Into::into))
    }

    async fn import(&self, _: &Context, request: Import<'_>) -> Outcome {
        let ImportTarget::Id(id) = request.target;
        match import_id::parse(id) {
            Ok(given) => {
                let mut outcome = imported(given.attributes, request.private);
                outcome.diagnostics.extend(given.warnings);
                outcome
            }
            Err(diagnostic) => Outcome::failed(diagnostic),
        }
    }

    fn identity_schema(&self) -> Option<IdentitySchema> {
        Some(identity::schema())
    }

    fn identity(&self, context: &Context, state: &Value) -> Option<Value> {
        let id = attribute(state, "id");
        let known = context.identity().filter(|known| known.is_wholly_known() && attribute(known, "id") == id);
        Some(known.cloned().unwrap_or_else(|| identity::of(state, id)))
    }

    async fn import_by_identity(&self, _: &Context, request: ImportIdentity<'_>) -> Outcome {
        imported(identity::attributes(&request.identity), request.private)
    }
}

/// An object to be named in errors about it. Terraform says which resource they are about only while the resource is in the
/// configuration: a destroy of three objects would print the same error three times.
struct NamedObject(Option<String>);

impl NamedObject {
    fn of(state: &Value) -> Self {
        Self(attribute(state, "id").as_str().map(|id| format!("{id:?}")))
    }

    fn in_errors_of(&self, outcome: Outcome) -> Outcome {
        Outcome { diagnostics: self.in_errors(outcome.diagnostics), ..outcome }
    }

    fn in_errors(&self, diagnostics: Diagnostics) -> Diagnostics {
        let Some(id) = &self.0 else { return diagnostics };
        let named = diagnostics.into_iter().map(|mut diagnostic| {
            let is_named = diagnostic.summary.contains(id) || diagnostic.detail.contains(id);
            if diagnostic.severity == Severity::Error && !is_named {
                let gap = if diagnostic.detail.is_empty() { "" } else { "\n\n" };
                diagnostic.detail.push_str(&format!("{gap}The object is {id}."));
            }
            diagnostic
        });
        named.collect()
    }
}

/// The least that a read needs of an object.
fn imported(given: Vec<(&'static str, Value)>, private: &mut PrivateData) -> Outcome {
    if let Err(problem) = mark_imported(private) {
        return Outcome::failed(problem);
    }
    let nothing = empty_block(&schema::resource().block);
    Outcome::of(given.into_iter().fold(nothing, |state, (name, value)| state.with_attribute(name, value)))
}

/// Remembers that nothing is known of the object but what the import says.
pub(crate) fn mark_imported(private: &mut PrivateData) -> Result<(), Diagnostic> {
    private.set(IMPORTED, &true).map_err(|error| Operation::Read.failed(error.to_string()))
}

/// Whether the object was imported and has not been read yet.
pub(crate) fn is_imported(private: &PrivateData) -> bool {
    private.contains(IMPORTED)
}

/// Whether nothing of the difference between two objects reaches the script: it is run the same way, with the same props.
/// Permissions, for example, may be written in several ways.
fn same_to_script(scripts: &Scripts, prior: &Value, planned: &Value) -> bool {
    same_value(attribute(prior, "props"), attribute(planned, "props"))
        && scripts.spec(prior).is_ok_and(|before| scripts.spec(planned).is_ok_and(|after| before == after))
}
