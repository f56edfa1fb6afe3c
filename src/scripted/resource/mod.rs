//! `denobridge_resource`: an object whose life a script manages.

mod apply;
mod plan;
mod read;

use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::cty::{Path, Type, Value};
use denobridge_core::planning::same_value;
use denobridge_core::schema::Schema;
use denobridge_core::{Diagnostic, Diagnostics};
use denobridge_framework::erased::{Create, Delete, Import, ImportTarget, Read, Update};
use denobridge_framework::{Context, ErasedResource, Outcome, PlanEdit, PlanModifier};
use serde_json::{Value as Json, json};

use super::answer::Answer;
use super::messages::{Operation, Reports};
use super::runtime::{Scripts, secret_texts};
use super::{import_id, schema, values};
use crate::deno::{ScriptError, ScriptSpec};

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

/// One call of a script about one object.
struct ScriptCall<'c> {
    context: &'c Context,
    scripts: Arc<Scripts>,
    spec: ScriptSpec,
    operation: Operation,
    /// The object whose script it is, for paths in diagnostics.
    object: Value,
    secrets: Vec<String>,
}

impl<'c> ScriptCall<'c> {
    /// `object` says which script; `others` are further values of the call, whose secrets must not be shown.
    fn new(context: &'c Context, operation: Operation, object: &Value, others: &[&Value]) -> Result<Self, Diagnostic> {
        let scripts = scripts(context, operation)?;
        let spec = scripts.spec(object).map_err(|error| operation.call_failed(&error))?;
        let secret: Vec<&Value> = others
            .iter()
            .chain([&object])
            .flat_map(|object| [attribute(object, "sensitive_state"), attribute(object, "write_only_props")])
            .collect();
        let open: Vec<&Value> = others.iter().copied().chain([object]).collect();
        let secrets = secret_texts(&secret, &open);
        Ok(Self { context, scripts, spec, operation, object: object.clone(), secrets })
    }

    async fn send(&self, params: &Json) -> Result<Json, ScriptError> {
        self.scripts.call(self.context, &self.spec, self.operation.method(), params, self.secrets.clone()).await
    }

    /// Sends and takes the answer apart.
    async fn ask(&self, params: &Json) -> Result<(Answer, Diagnostics), Diagnostic> {
        let json = self.send(params).await.map_err(|error| self.operation.call_failed(&error))?;
        self.answer(json, &[])
    }

    /// Takes an answer apart. `unknown` is what the script could not know.
    fn answer(&self, json: Json, unknown: &[Vec<Json>]) -> Result<(Answer, Diagnostics), Diagnostic> {
        let mut answer = Answer::read(json).map_err(|wrong| self.wrong(&wrong))?;
        if matches!(self.operation, Operation::Create | Operation::Update | Operation::Read) {
            answer.repair();
        }
        // What cannot be shown must not keep us from the rest of the answer: it may name an object.
        let (reported, wrong) = answer.diagnostics();
        let reports = Reports {
            call: self.context.call(),
            script: &self.spec.script,
            object: &self.object,
            secrets: &self.secrets,
            unknown,
        };
        let mut diagnostics = reports.read(reported);
        wrong.iter().for_each(|wrong| diagnostics.push(self.wrong(wrong)));
        Ok((answer, diagnostics))
    }

    fn wrong(&self, wrong: &super::answer::WrongAnswer) -> Diagnostic {
        self.operation.wrong_answer(&self.spec.script, wrong)
    }

    fn failed(&self, what: impl std::fmt::Display) -> Diagnostic {
        self.operation.failed(format!("Script {} {what}", self.spec.script))
    }
}

fn scripts(context: &Context, operation: Operation) -> Result<Arc<Scripts>, Diagnostic> {
    context.provider_data().ok_or_else(|| operation.failed("The provider has not been configured yet."))
}

/// An attribute of a resource object; null where the object has none.
fn attribute<'v>(object: &'v Value, name: &str) -> &'v Value {
    static NULL: std::sync::LazyLock<Value> = std::sync::LazyLock::new(|| Value::null(Type::Dynamic));
    object.attribute(name).unwrap_or(&NULL)
}

/// Whether nothing of the difference between two objects reaches the script: it is run the same way, with the same props.
/// Permissions, for example, may be written in several ways.
fn same_to_script(scripts: &Scripts, prior: &Value, planned: &Value) -> bool {
    same_value(attribute(prior, "props"), attribute(planned, "props"))
        && scripts.spec(prior).is_ok_and(|before| scripts.spec(planned).is_ok_and(|after| before == after))
}

/// The props that a script gets: scripts expect an object, also where the user gives none.
fn props_json(object: &Value) -> Json {
    match attribute(object, "props") {
        props if props.is_null() => json!({}),
        props => values::to_json(props),
    }
}
