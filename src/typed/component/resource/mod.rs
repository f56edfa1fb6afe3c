//! A resource of a package.

mod moved;
mod plan;

use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use denobridge_core::cty::{Type, Value};
use denobridge_core::planning::{empty_block, mark_sensitive, same_value};
use denobridge_core::schema::{IdentityAttribute, IdentitySchema, Schema};
use denobridge_core::{Diagnostic, Diagnostics};
use denobridge_framework::erased::{
    Create, Delete, Import, ImportIdentity, ImportTarget, Move, MoveSource, Read, Update, Upgrade,
};
use denobridge_framework::{Context, ErasedResource, Outcome, PlanEdit, PlanModifier, PrivateData};

use super::layout::{LeftOut, SECRETS_VERSION};
use super::{Component, messages};
use crate::scripted::{self, ScriptResource};
use crate::typed::schema::{Misfit, Missing, convert_part, member};

/// The key of the private data under which the props are that the program has not given although they have a value.
const LEFT_OUT: &str = "left_out_props";

/// The schema of the generic resource.
static GENERIC: LazyLock<Schema> = LazyLock::new(|| ScriptResource.schema());

/// A resource of a package.
pub(in crate::typed) struct TypedResource {
    pub component: Component,
    pub schema: Schema,
}

#[async_trait]
impl ErasedResource for TypedResource {
    fn schema(&self) -> Schema {
        self.schema.clone()
    }

    fn plan_modifiers(&self) -> Vec<PlanModifier> {
        vec![PlanModifier::KeepState(denobridge_core::cty::Path::root().attribute("id"))]
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        self.component.check_props(config)
    }

    async fn modify_plan(&self, context: &Context, plan: &mut PlanEdit) -> Diagnostics {
        plan::modify(self, context, plan).await
    }

    async fn create(&self, context: &Context, request: Create<'_>) -> Outcome {
        let Create { config, planned, private } = request;
        let wrong = self.check(&planned, &config);
        if wrong.has_errors() {
            return Outcome::failed(wrong);
        }
        let left_out = self.component.layout.left_out(&config);
        let generic = Create {
            config: self.generic_config(context, &config, &left_out),
            planned: self.generic_planned(context, &planned, &left_out, private),
            private,
        };
        let outcome = ScriptResource.create(&self.component.script.context(context), generic).await;
        self.made(outcome, planned, &left_out, private, "create")
    }

    async fn read(&self, context: &Context, request: Read<'_>) -> Outcome {
        let Read { state, private } = request;
        let left_out = left_out_of(private);
        let is_imported = scripted::is_imported(private);
        let mut object = self.generic(context, &state, &left_out);
        if is_imported {
            // Nothing is known of it but its id.
            for name in ["props", "state", "sensitive_state"] {
                object = object.with_attribute(name, Value::null(Type::Dynamic));
            }
        }
        let generic = Read { state: object, private };
        let outcome = ScriptResource.read(&self.component.script.context(context), generic).await;
        let mut diagnostics = self.component.layout.diagnostics(outcome.diagnostics);
        let Some(found) = outcome.state else { return Outcome { state: None, diagnostics } };
        let props = part(&found, "props");
        let left_out = if is_imported { self.component.layout.left_out_of(props) } else { left_out };
        let (read, misfits) = self.read_object(&found, &state, &left_out);
        if let Some(problem) = messages::misfits(&misfits, &self.component.script.file, "read", "") {
            diagnostics.push(problem);
            return Outcome { state: None, diagnostics };
        }
        diagnostics.extend(self.unnamed(&found, "read"));
        match remember(private, &left_out) {
            Ok(()) => Outcome { state: Some(read), diagnostics },
            Err(problem) => Outcome::failed(problem),
        }
    }

    async fn update(&self, context: &Context, request: Update<'_>) -> Outcome {
        let Update { config, prior, planned, private } = request;
        let wrong = self.check(&planned, &config);
        if wrong.has_errors() {
            return Outcome::failed(wrong);
        }
        let (before, left_out) = (left_out_of(private), self.component.layout.left_out(&config));
        let generic = Update {
            config: self.generic_config(context, &config, &left_out),
            prior: self.generic(context, &prior, &before),
            planned: self.generic_planned(context, &planned, &left_out, private),
            private,
        };
        let outcome = ScriptResource.update(&self.component.script.context(context), generic).await;
        self.made(outcome, planned, &left_out, private, "update")
    }

    async fn delete(&self, context: &Context, request: Delete<'_>) -> Diagnostics {
        let prior = self.generic(context, &request.prior, &left_out_of(request.private));
        let generic = Delete { prior, private: request.private };
        let outcome = ScriptResource.delete(&self.component.script.context(context), generic).await;
        self.component.layout.diagnostics(outcome)
    }

    async fn import(&self, _: &Context, request: Import<'_>) -> Outcome {
        let ImportTarget::Id(id) = request.target;
        self.imported(id, request.private)
    }

    fn identity_schema(&self) -> Option<IdentitySchema> {
        let id = IdentityAttribute {
            name: "id".into(),
            ty: Type::String,
            required_for_import: true,
            optional_for_import: false,
            description: "What the script calls the object.".to_owned(),
        };
        Some(IdentitySchema { version: 0, attributes: vec![id] })
    }

    fn identity(&self, _: &Context, state: &Value) -> Option<Value> {
        Some(identity_of(state))
    }

    async fn import_by_identity(&self, _: &Context, request: ImportIdentity<'_>) -> Outcome {
        let id = part(&request.identity, "id").as_str().unwrap_or_default();
        self.imported(id, request.private)
    }

    fn move_sources(&self) -> Vec<MoveSource> {
        vec![MoveSource::of_type(scripted::RESOURCE)]
    }

    async fn take_over(&self, _: &Context, request: Move<'_>) -> Outcome {
        moved::take_over(self, request).unwrap_or_else(Outcome::failed)
    }

    async fn upgrade(&self, _: &Context, request: Upgrade) -> Outcome {
        Outcome::of(moved::what_still_fits(&self.schema, &request.state))
    }
}

/// The identity of an object: which script it is of is told by its type.
pub(super) fn identity_of(object: &Value) -> Value {
    let id = part(object, "id").clone().without_marks_deep();
    Value::object([("id", if id.is_null() { Value::null(Type::String) } else { id })])
}

impl TypedResource {
    /// What is wrong with what is to be made, now that all of it is known.
    fn check(&self, planned: &Value, config: &Value) -> Diagnostics {
        let whole = self.component.layout.write_only.iter().fold(planned.clone(), |object, property| {
            let given = config.attribute(&property.terraform).cloned();
            object.with_attribute(
                Arc::clone(&property.terraform),
                given.unwrap_or_else(|| Value::null(property.shape.ty())),
            )
        });
        // What the program has left out is not the script's to check.
        let left_out = self.component.layout.left_out(config);
        let whole = left_out.iter().fold(whole, |object, name| {
            let ty = part(&object, name).ty();
            object.with_attribute(name.as_str(), Value::null(ty))
        });
        self.component.check_props(&whole)
    }

    /// An object as a user of the generic resource has it in the state.
    fn generic(&self, context: &Context, object: &Value, left_out: &LeftOut) -> Value {
        let layout = &self.component.layout;
        let marked = mark_sensitive(&self.schema.block, object);
        let version = match layout.tracks_secrets() {
            true => part(object, SECRETS_VERSION).clone(),
            false => Value::number(1),
        };
        let members = [
            ("props", layout.props_of(&marked, left_out)),
            ("state", layout.state_of(&marked)),
            ("sensitive_state", layout.sensitive_state_of(&marked)),
            (scripted::VERSION, version),
            ("id", part(object, "id").clone()),
        ];
        self.component.script.object(context, &GENERIC, members)
    }

    /// What a user of the generic resource would write.
    fn generic_config(&self, context: &Context, config: &Value, left_out: &LeftOut) -> Value {
        let layout = &self.component.layout;
        let marked = mark_sensitive(&self.schema.block, config);
        let members =
            [("props", layout.props_of(&marked, left_out)), ("write_only_props", layout.write_only_of(&marked))];
        self.component.script.object(context, &GENERIC, members)
    }

    /// What was planned of an object. The state is what the script has planned, not what the attributes say: some of them may
    /// be known because the program has given them.
    fn generic_planned(
        &self,
        context: &Context,
        planned: &Value,
        left_out: &LeftOut,
        private: &mut PrivateData,
    ) -> Value {
        let unknown = || Value::unknown(Type::Dynamic);
        let state = plan::take_planned_state(private).unwrap_or_else(unknown);
        let object = self.generic(context, planned, left_out);
        object.with_attribute("state", state).with_attribute("sensitive_state", unknown())
    }

    /// The object after a creation or an update of the generic one.
    fn made(
        &self,
        outcome: Outcome,
        planned: Value,
        left_out: &LeftOut,
        private: &mut PrivateData,
        method: &str,
    ) -> Outcome {
        let mut diagnostics = self.component.layout.diagnostics(outcome.diagnostics);
        let Some(made) = outcome.state else { return Outcome { state: None, diagnostics } };
        // What could not be understood is null by now, which was said.
        let missing = if diagnostics.has_errors() { Missing::IsNull } else { Missing::Misfits };
        let (object, misfits) = self.with_answers(planned, &made, left_out, missing);
        let kept = "\n\nThe object is recorded without it.";
        diagnostics.extend(messages::misfits(&misfits, &self.component.script.file, method, kept));
        diagnostics.extend(self.unnamed(&made, method));
        if let Err(problem) = remember(private, left_out) {
            diagnostics.push(problem);
        }
        Outcome { state: Some(object), diagnostics }
    }

    /// An object with what the generic one has beside props.
    fn with_answers(
        &self,
        object: Value,
        generic: &Value,
        left_out: &LeftOut,
        missing: Missing,
    ) -> (Value, Vec<Misfit>) {
        let answers = [part(generic, "state"), part(generic, "sensitive_state")];
        let (object, misfits) = self.component.layout.with_answers(object, answers, left_out, missing);
        let object = object.with_attribute("id", part(generic, "id").clone());
        let object = match self.component.layout.tracks_secrets() {
            true => object.with_attribute(SECRETS_VERSION, part(generic, scripted::VERSION).clone()),
            false => object,
        };
        (object, misfits)
    }

    /// An object as it was found. What is as it was `before` keeps its value.
    fn read_object(&self, found: &Value, before: &Value, left_out: &LeftOut) -> (Value, Vec<Misfit>) {
        let layout = &self.component.layout;
        let (props, mut misfits) = (part(found, "props"), Vec::new());
        let mut object = before.clone();
        for property in &layout.props {
            let value = convert_part("props", &mut misfits, |misfits| {
                member(property, props.attribute(&property.script), Missing::IsNull, misfits)
            });
            let is_left = left_out.contains(&*property.terraform) && value.is_null();
            if !is_left {
                object = object.with_attribute(Arc::clone(&property.terraform), value);
            }
        }
        let (object, more) = self.with_answers(object, found, left_out, Missing::Misfits);
        misfits.extend(more);
        (like(before, object), misfits)
    }

    /// An object of which nothing but the generic one is known.
    pub fn object_of(&self, generic: &Value) -> (Value, Vec<Misfit>) {
        let nothing = empty_block(&self.schema.block);
        let left_out = self.component.layout.left_out_of(part(generic, "props"));
        self.read_object(generic, &nothing, &left_out)
    }

    fn imported(&self, id: &str, private: &mut PrivateData) -> Outcome {
        if id.is_empty() {
            let detail = "The id of an import is what the script calls the object; it must not be empty.";
            return Outcome::failed(Diagnostic::error("Invalid import id", detail));
        }
        match scripted::mark_imported(private) {
            Ok(()) => Outcome::of(empty_block(&self.schema.block).with_attribute("id", Value::string(id))),
            Err(problem) => Outcome::failed(problem),
        }
    }

    /// Warns of members of the state that no attribute holds.
    fn unnamed(&self, generic: &Value, method: &str) -> Option<Diagnostic> {
        let parts = self.component.layout.answered();
        let names = parts.into_iter().flat_map(|(name, properties)| {
            let members = part(generic, name).as_entries().into_iter().flatten();
            let unknown = members
                .filter(|(member, value)| {
                    !value.is_null() && !properties.iter().any(|property| property.script == **member)
                })
                .map(move |(member, _)| format!("`{name}.{member}`"));
            unknown.collect::<Vec<_>>()
        });
        messages::unnamed(&names.collect::<Vec<_>>(), &self.component.script.file, method)
    }
}

/// The object with the former values of attributes that are the same: they may be marked.
fn like(before: &Value, object: Value) -> Value {
    let entries = before.as_entries().into_iter().flatten();
    entries.fold(object, |object, (name, former)| {
        let plain = part(&object, name).clone().without_marks_deep();
        match same_value(&plain, &former.clone().without_marks_deep()) {
            true => object.with_attribute(Arc::clone(name), former.clone()),
            false => object.with_attribute(Arc::clone(name), plain),
        }
    })
}

/// A part of an object; null where it has none.
fn part<'v>(object: &'v Value, name: &str) -> &'v Value {
    scripted::attribute(object, name)
}

fn left_out_of(private: &PrivateData) -> LeftOut {
    // What is not readable is nothing: then all props count as given.
    private.get(LEFT_OUT).ok().flatten().unwrap_or_default()
}

fn remember(private: &mut PrivateData, left_out: &LeftOut) -> Result<(), Diagnostic> {
    if left_out.is_empty() {
        private.remove(LEFT_OUT);
        return Ok(());
    }
    private
        .set(LEFT_OUT, left_out)
        .map_err(|error| Diagnostic::error("What was left out cannot be remembered", error.to_string()))
}
