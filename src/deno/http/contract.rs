//! What the methods and answers of the JSON-RPC contract are in the HTTP contract.

use super::super::message::{METHOD_NOT_FOUND, RpcError};
use serde_json::{Map, Value, json};

/// A request that stands for a call.
#[derive(Debug, PartialEq)]
pub(super) struct Request {
    /// Below the script's address, without a slash.
    pub(super) path: String,
    pub(super) body: Value,
    kind: Kind,
}

/// What the answer is the answer to.
#[derive(Debug, Clone, PartialEq)]
enum Kind {
    /// Its body is the result.
    Plain,
    /// The body is what the data source found.
    Lookup,
    /// Nothing in the answer but that it is done.
    Done {
        optional: bool,
    },
    /// No content means that the state stays.
    Update {
        state: Value,
        sensitive: Value,
    },
    ModifyPlan,
    /// `private` is what JSON-RPC calls `privateData`.
    Lease {
        optional: bool,
    },
    /// Progress comes line by line.
    Invoke,
}

/// Members that the contract does not have, left out when there is nothing in them.
const NEWER: [&str; 6] =
    ["writeOnlyProps", "nextWriteOnlyProps", "sensitiveState", "currentSensitiveState", "unknownPaths", "config"];

impl Request {
    /// `left_out` are the members of the params that stand for nothing.
    pub(super) fn new(method: &str, params: &Value, left_out: &[&str]) -> Self {
        let mut members = params.as_object().cloned().unwrap_or_default();
        for name in left_out {
            if let Some(member) = members.get_mut(*name) {
                *member = Value::Null;
            }
        }
        // A script that asks for the configuration knows both parts of it.
        let is_older = method != "configure";
        members.retain(|name, value| !(value.is_null() && is_older && NEWER.contains(&name.as_str())));
        let private = members.get("privateData").cloned().unwrap_or_default();
        let (path, body, kind) = match method {
            // Only an object has an id; what is looked up has none.
            "read" if members.contains_key("id") => {
                members.retain(|name, _| matches!(name.as_str(), "id" | "props"));
                ("read", Value::Object(members), Kind::Plain)
            }
            "read" => ("read", Value::Object(members), Kind::Lookup),
            "update" => {
                let given = |name: &str| params.get(name).cloned().unwrap_or_default();
                let kind = Kind::Update { state: given("currentState"), sensitive: given("currentSensitiveState") };
                ("update", Value::Object(members), kind)
            }
            "delete" => ("delete", Value::Object(members), Kind::Done { optional: false }),
            "modifyPlan" => ("modify-plan", Value::Object(modify_plan(members)), Kind::ModifyPlan),
            "open" => ("open", Value::Object(members), Kind::Lease { optional: false }),
            "renew" => ("renew", private, Kind::Lease { optional: true }),
            "close" => ("close", private, Kind::Done { optional: true }),
            "invoke" => ("invoke", Value::Object(members), Kind::Invoke),
            other => return Self { path: kebab_case(other), body: Value::Object(members), kind: Kind::Plain },
        };
        Self { path: path.to_owned(), body, kind }
    }

    /// Whether the answer is lines of progress.
    pub(super) fn is_streamed(&self) -> bool {
        self.kind == Kind::Invoke
    }

    fn is_optional(&self) -> bool {
        matches!(self.kind, Kind::ModifyPlan | Kind::Lease { optional: true } | Kind::Done { optional: true })
    }

    /// The result of a successful answer. `body` is null when there is none.
    pub(super) fn result(&self, status: u16, body: Value) -> Value {
        match &self.kind {
            Kind::Plain => body,
            Kind::Lookup => json!({ "result": body }),
            Kind::Done { .. } | Kind::Invoke => json!({ "done": true }),
            Kind::Update { state, sensitive } if status == NO_CONTENT => {
                json!({ "state": state, "sensitiveState": sensitive })
            }
            Kind::Update { .. } => body,
            Kind::ModifyPlan => with_prop_paths(body),
            Kind::Lease { .. } => with_private_data(body),
        }
    }

    /// The error of an answer that is no success.
    pub(super) fn error(&self, status: u16, body: &str) -> RpcError {
        if status == NOT_FOUND && self.is_optional() {
            let message = format!("there is no /{}", self.path);
            return RpcError { code: METHOD_NOT_FOUND, message, data: None, object: None };
        }
        let parsed: Option<Value> = serde_json::from_str(body).ok();
        let said = match parsed.as_ref().map(|body| body.get("error").unwrap_or(body)) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) => String::new(),
            Some(other) => other.to_string(),
            None => body.trim().chars().take(LONGEST_BODY).collect(),
        };
        let mut message = if said.is_empty() { format!("/{} answered with status {status}", self.path) } else { said };
        if status == UNPROCESSABLE && matches!(self.kind, Kind::Update { .. }) {
            message.push_str(
                "\nThis change cannot be made in place: the object has to be replaced. To have that planned, let \
                 \"/modify-plan\" answer `requiresReplacement: true`.",
            );
        }
        RpcError { code: status.into(), message, data: None, object: None }
    }
}

const NO_CONTENT: u16 = 204;
const NOT_FOUND: u16 = 404;
const UNPROCESSABLE: u16 = 422;
/// How much is shown of an error that is no JSON.
const LONGEST_BODY: usize = 2000;

/// The id is `""` on a creation, and what there is none of is left out.
fn modify_plan(members: Map<String, Value>) -> Map<String, Value> {
    // The state is sent whenever the props are, null or not.
    let has_current = members.get("currentProps").is_some_and(|props| !props.is_null());
    let kept = members.into_iter().filter_map(|(name, value)| match (name.as_str(), &value) {
        ("id", Value::Null) => Some((name, Value::from(""))),
        ("currentState", Value::Null) if has_current => Some((name, value)),
        (_, Value::Null) => None,
        _ => Some((name, value)),
    });
    kept.collect()
}

fn with_prop_paths(mut body: Value) -> Value {
    let diagnostics = body.get_mut("diagnostics").and_then(Value::as_array_mut);
    for diagnostic in diagnostics.into_iter().flatten().filter_map(Value::as_object_mut) {
        if let Some(name @ Value::String(_)) = diagnostic.swap_remove("propName") {
            diagnostic.entry("propPath").or_insert_with(|| json!(["props", name]));
        }
    }
    body
}

fn with_private_data(mut body: Value) -> Value {
    if let Some(members) = body.as_object_mut()
        && let Some(private) = members.swap_remove("private")
    {
        members.entry("privateData").or_insert(private);
    }
    body
}

/// `modifyPlan` as a path: `modify-plan`.
fn kebab_case(method: &str) -> String {
    let mut path = String::with_capacity(method.len() + 2);
    for character in method.chars() {
        if character.is_ascii_uppercase() {
            path.push('-');
        }
        path.push(character.to_ascii_lowercase());
    }
    path
}
