//! The types of the contract over HTTP: what the paths take and answer. As with [`super::types`], only their shapes count.

use schemars::JsonSchema;
use serde_json::Value;

use super::types::{Members, OrNull, PlanType, Severity};

/// What a script may say of itself.
#[derive(JsonSchema)]
pub struct Health {
    /// It serves requests while others are still running.
    pub concurrent: Option<bool>,
    /// It wants `/configure` before any other request.
    pub configure: Option<bool>,
}

/// An object to make.
#[derive(JsonSchema)]
pub struct Create {
    /// What it is to be like; `null` when the user gives none.
    pub props: Value,
}

/// An object that was made.
#[derive(JsonSchema)]
pub struct Created {
    /// Its name from now on.
    #[schemars(length(min = 1))]
    pub id: String,
    /// What users may know about it beside its props.
    pub state: Option<OrNull<Members>>,
}

/// An object to look at.
#[derive(JsonSchema)]
pub struct Read {
    /// Its name. Left out for a data source.
    pub id: Option<String>,
    /// As last known; `null` after an import that gives none.
    pub props: Value,
}

/// An object to change.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct Update {
    /// Its name.
    pub id: String,
    /// What it is to be like.
    pub next_props: Value,
    /// What it is like, as last known.
    pub current_props: Value,
    /// Its state as last known; `null` when there is none.
    pub current_state: Value,
}

/// An object that was changed.
#[derive(JsonSchema)]
pub struct Updated {
    /// Its whole new state.
    pub state: Option<OrNull<Members>>,
}

/// An object to remove, as last known.
#[derive(JsonSchema)]
pub struct Delete {
    /// Its name.
    pub id: String,
    /// Its props.
    pub props: Value,
    /// Its state; `null` when there is none.
    pub state: Value,
}

/// A change to look at. Nothing may be changed.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct ModifyPlan {
    /// The object's name; empty for a create.
    pub id: String,
    /// What is to be done.
    pub plan_type: PlanType,
    /// What it is to be like; left out for a delete.
    pub next_props: Option<Value>,
    /// What it is like; left out for a create.
    pub current_props: Option<Value>,
    /// Its state; left out for a create.
    pub current_state: Option<Value>,
}

/// What there is to say of a change.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct PlanChanges {
    /// The props to plan with: the present ones, or those that are asked for.
    pub modified_props: Option<Value>,
    /// The object has to be removed and made anew.
    pub requires_replacement: Option<bool>,
    /// Whatever there is to say.
    pub diagnostics: Option<Vec<Diagnostic>>,
}

/// Something to tell the user.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct Diagnostic {
    /// An error makes the operation fail.
    pub severity: Severity,
    /// One line.
    pub summary: String,
    /// What is wrong and what to do about it.
    pub detail: String,
    /// The property that it is about.
    pub prop_name: Option<String>,
}

/// What was opened.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct Opened {
    /// What users get.
    pub result: Value,
    /// When to renew it, in seconds since 1970.
    pub renew_at: Option<f64>,
    /// What `/renew` and `/close` get as their whole body.
    pub private: Option<Value>,
}

/// What was renewed.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct Renewed {
    /// When to renew it again, in seconds since 1970.
    pub renew_at: Option<f64>,
    /// What `/renew` and `/close` get from now on.
    pub private: Option<Value>,
}

/// How far an action is; one line each.
#[derive(JsonSchema)]
pub struct Progress {
    /// For people.
    pub message: String,
}

/// Why it failed.
#[derive(JsonSchema)]
pub struct Failure {
    /// For people.
    pub error: String,
}
