//! What is said between the bridge and a script, as types. Nothing is read or written by means of them: values of users go
//! through by themselves, member by member.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;
use std::borrow::Cow;

/// An object of the user's or the script's own shape.
pub struct Members;

impl JsonSchema for Members {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Members".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}

/// A member that is always there, and `null` when there is nothing to say.
pub struct OrNull<T>(pub T);

impl<T: JsonSchema> JsonSchema for OrNull<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("{}OrNull", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        <Option<T>>::json_schema(generator)
    }
}

/// Something to tell the user.
#[derive(JsonSchema)]
pub struct Diagnostic {
    /// An error makes the operation fail.
    pub severity: Severity,
    /// One line.
    pub summary: String,
    /// What is wrong and what to do about it.
    pub detail: Option<String>,
    /// Where: the name of an attribute such as `props`, then names of members and positions in lists.
    #[schemars(rename = "propPath")]
    pub prop_path: Option<Vec<Step>>,
}

/// How bad it is.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
pub enum Severity {
    /// The operation has failed.
    Error,
    /// It has not.
    Warning,
}

/// A step of a path: a member's name or a position in a list.
#[derive(JsonSchema)]
#[schemars(untagged)]
pub enum Step {
    /// A name, or a position as text.
    Name(String),
    /// A position, from 0.
    Position(u64),
}

/// Nothing.
#[derive(JsonSchema)]
pub struct Nothing {}

/// Anything; it is not looked at.
#[derive(JsonSchema)]
#[schemars(transparent)]
pub struct Ignored(pub Value);

/// What the host can do.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct HealthParams {
    /// Lines on standard error may start with their level: `<3>` for an error, `<4>` a warning, `<6>` information, `<7>` for
    /// debugging.
    pub log_levels: Option<bool>,
}

/// The answer to `health`.
#[derive(JsonSchema)]
pub struct Health {
    /// Must be `true`.
    #[schemars(extend("const" = true))]
    pub ok: bool,
    /// The script serves several calls at a time.
    pub concurrent: Option<bool>,
    /// The script wants to be called with `configure`.
    pub configure: Option<bool>,
    /// The script wants to be notified of calls that nobody waits for any more.
    pub cancel: Option<bool>,
}

/// The provider's own configuration for scripts.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct ConfigureParams {
    /// `config`, of any shape.
    pub config: Value,
    /// `sensitive_config`, of any shape.
    pub sensitive_config: Value,
}

/// A call that nobody waits for any more.
#[derive(JsonSchema)]
pub struct CancelParams {
    /// The id of its request.
    pub id: u64,
}

/// An object to make.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct CreateParams {
    /// What it is to be like.
    pub props: Value,
    /// Further props, which are stored nowhere; only there if the user gives some.
    pub write_only_props: Option<Value>,
}

/// An object that was made.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct Created {
    /// Its name from now on. May only be left out beside an error diagnostic.
    #[schemars(length(min = 1))]
    pub id: Option<String>,
    /// What users may know about it beside its props.
    pub state: Option<Value>,
    /// The secret part of its state.
    pub sensitive_state: Option<Value>,
    /// Whatever there is to say.
    pub diagnostics: Option<Vec<Diagnostic>>,
}

/// An object to look at, as last known.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct ReadParams {
    /// Its name.
    pub id: String,
    /// `null` after an import that gives none.
    pub props: Value,
    /// `null` when there is none.
    pub state: Value,
    /// `null` when there is none.
    pub sensitive_state: Value,
}

/// An object as it is.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct Found {
    /// `false` when it is gone; nothing else counts then.
    pub exists: Option<bool>,
    /// All of its props as they are.
    pub props: Option<Value>,
    /// Its state as it is.
    pub state: Option<Value>,
    /// The secret part of its state.
    pub sensitive_state: Option<Value>,
    /// Whatever there is to say.
    pub diagnostics: Option<Vec<Diagnostic>>,
}

/// An object to change.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct UpdateParams {
    /// Its name.
    pub id: String,
    /// What it is to be like.
    pub next_props: Value,
    /// Further props, which are stored nowhere; only there if the user gives some.
    pub next_write_only_props: Option<Value>,
    /// What it is like, as last known.
    pub current_props: Value,
    /// Its state as last known; `null` when there is none.
    pub current_state: Value,
    /// The secret part of its state; `null` when there is none.
    pub current_sensitive_state: Value,
}

/// An object that was changed.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct Updated {
    /// Its whole new state.
    pub state: Option<Value>,
    /// The secret part of its new state.
    pub sensitive_state: Option<Value>,
    /// Whatever there is to say.
    pub diagnostics: Option<Vec<Diagnostic>>,
}

/// An object to remove, as last known.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct DeleteParams {
    /// Its name.
    pub id: String,
    /// Its props.
    pub props: Value,
    /// Its state; `null` when there is none.
    pub state: Value,
    /// The secret part of its state; `null` when there is none.
    pub sensitive_state: Value,
}

/// Something that was done.
#[derive(JsonSchema)]
pub struct Done {
    /// `false` is an error; it may be left out.
    pub done: Option<bool>,
    /// Whatever there is to say.
    pub diagnostics: Option<Vec<Diagnostic>>,
}

/// What is to be done with an object.
#[derive(JsonSchema)]
#[schemars(rename_all = "lowercase")]
pub enum PlanType {
    /// It will be made.
    Create,
    /// It will be changed.
    Update,
    /// It will be removed.
    Delete,
}

/// A change to look at. Nothing may be changed.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct ModifyPlanParams {
    /// The object's name; `null` for a create.
    pub id: OrNull<String>,
    /// What is to be done.
    pub plan_type: PlanType,
    /// What it is to be like; `null` for a delete.
    pub next_props: Value,
    /// What it is like; `null` for a create.
    pub current_props: Value,
    /// Its state; `null` for a create and when there is none.
    pub current_state: Value,
    /// The secret part of its state; `null` for a create and when there is none.
    pub current_sensitive_state: Value,
    /// What in `nextProps` is not known yet and therefore `null`: each path begins with `nextProps`.
    pub unknown_paths: Option<Vec<Vec<Step>>>,
}

/// What there is to say of a change. The first member that is there counts, diagnostics always.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct PlanChanges {
    /// Nothing.
    pub no_changes: Option<bool>,
    /// The object has to be removed and made anew.
    pub requires_replacement: Option<bool>,
    /// The props to plan with: the present ones, or those that are asked for.
    pub modified_props: Option<Value>,
    /// The state after the change.
    pub planned_state: Option<Value>,
    /// Whatever there is to say.
    pub diagnostics: Option<Vec<Diagnostic>>,
}

/// Objects to find.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct ListParams {
    /// Which ones, in a form of the script's own.
    pub props: Value,
    /// Whether their props and states are wanted too.
    pub include_object: bool,
    /// How many are wanted at most; `null` for all.
    pub limit: OrNull<u64>,
    /// What the page before answered; `null` for the first.
    pub cursor: Value,
}

/// Objects that were found.
#[derive(JsonSchema)]
pub struct Page {
    /// Some of them.
    pub objects: Vec<Listed>,
    /// Where the others begin; left out when there are none.
    pub cursor: Option<Value>,
    /// Whatever there is to say.
    pub diagnostics: Option<Vec<Diagnostic>>,
}

/// An object that was found.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct Listed {
    /// Its name.
    #[schemars(length(min = 1))]
    pub id: String,
    /// What people call it.
    pub display_name: Option<String>,
    /// Its props.
    pub props: Option<Value>,
    /// Its state.
    pub state: Option<Value>,
    /// The secret part of its state.
    pub sensitive_state: Option<Value>,
    /// Whatever there is to say.
    pub diagnostics: Option<Vec<Diagnostic>>,
}

/// Something to look up, open or do.
#[derive(JsonSchema)]
pub struct PropsParams {
    /// What the user gives.
    pub props: Value,
}

/// What was looked up.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct Data {
    /// What users may see.
    pub result: Option<Value>,
    /// What is secret.
    pub sensitive_result: Option<Value>,
    /// Whatever there is to say.
    pub diagnostics: Option<Vec<Diagnostic>>,
}

/// What was opened.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct Opened {
    /// What users may see.
    pub result: Option<Value>,
    /// What is secret.
    pub sensitive_result: Option<Value>,
    /// When to renew it, in seconds since 1970.
    pub renew_at: Option<f64>,
    /// What `renew` and `close` get.
    pub private_data: Option<Value>,
    /// Whatever there is to say.
    pub diagnostics: Option<Vec<Diagnostic>>,
}

/// Something that was opened.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct PrivateParams {
    /// What `open` or the last `renew` answered; left out when there is none.
    pub private_data: Option<Value>,
}

/// What was renewed.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct Renewed {
    /// When to renew it again, in seconds since 1970.
    pub renew_at: Option<f64>,
    /// What `renew` and `close` get from now on.
    pub private_data: Option<Value>,
    /// Whatever there is to say.
    pub diagnostics: Option<Vec<Diagnostic>>,
}

/// A function to call.
#[derive(JsonSchema)]
pub struct CallParams {
    /// Which one.
    pub function: String,
    /// What it is given.
    pub arguments: Vec<Value>,
}

/// How far a call is.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct ProgressParams {
    /// For people.
    pub message: String,
    /// The id of the call's request; needed when several calls are running.
    pub request_id: Option<u64>,
}
