//! `denobridge_resource`: an object whose life a script manages.

mod apply;
mod plan;
mod read;

use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::Diagnostics;
use denobridge_core::cty::{Path, Value};
use denobridge_core::planning::same_value;
use denobridge_core::schema::Schema;
use denobridge_framework::erased::{Create, Delete, Import, ImportTarget, Read, Update};
use denobridge_framework::{Context, ErasedResource, Outcome, PlanEdit, PlanModifier};

use super::call::attribute;
use super::messages::Operation;
use super::runtime::Scripts;
use super::{import_id, schema};

/// Set by an import until the first read, which then tells the script that it knows no props.
const IMPORTED: &str = "imported";

const VERSION: &str = "write_only_props_version";

/// The attributes that hold what the script says of the object.
const STATES: [&str; 2] = ["state", "sensitive_state"];

/// The resource; all it needs is in the provider's data.
pub(super) struct ScriptResource;

#[async_trait]
impl ErasedResource for ScriptResource {
    fn schema(&self) -> Schema {
        schema::resource()
    }

    fn plan_modifiers(&self) -> Vec<PlanModifier> {
        vec![PlanModifier::KeepState(Path::root().attribute("id"))]
    }

    async fn modify_plan(&self, context: &Context, plan: &mut PlanEdit) -> Diagnostics {
        plan::modify(context, plan).await.unwrap_or_else(Into::into)
    }

    async fn create(&self, context: &Context, request: Create<'_>) -> Outcome {
        apply::create(context, request).await.unwrap_or_else(Outcome::failed)
    }

    async fn read(&self, context: &Context, request: Read<'_>) -> Outcome {
        read::read(context, request).await.unwrap_or_else(Outcome::failed)
    }

    async fn update(&self, context: &Context, request: Update<'_>) -> Outcome {
        apply::update(context, request).await.unwrap_or_else(Outcome::failed)
    }

    async fn delete(&self, context: &Context, request: Delete<'_>) -> Diagnostics {
        apply::delete(context, request).await.unwrap_or_else(Into::into)
    }

    async fn import(&self, _: &Context, request: Import<'_>) -> Outcome {
        let ImportTarget::Id(id) = request.target;
        let given = match import_id::parse(id) {
            Ok(given) => given,
            Err(diagnostic) => return Outcome::failed(diagnostic),
        };
        if let Err(error) = request.private.set(IMPORTED, &true) {
            return Outcome::failed(Operation::Read.failed(error.to_string()));
        }
        let block = self.schema().block;
        let nothing = block
            .attributes
            .iter()
            .map(|attribute| (Arc::clone(&attribute.name), Value::null(attribute.implied_type())));
        let state = Value::object(nothing);
        Outcome::of(given.into_iter().fold(state, |state, (name, value)| state.with_attribute(name, value)))
    }
}

/// Whether nothing of the difference between two objects reaches the script: it is run the same way, with the same props.
/// Permissions, for example, may be written in several ways.
fn same_to_script(scripts: &Scripts, prior: &Value, planned: &Value) -> bool {
    same_value(attribute(prior, "props"), attribute(planned, "props"))
        && scripts.spec(prior).is_ok_and(|before| scripts.spec(planned).is_ok_and(|after| before == after))
}
