//! All messages as one JSON Schema (2020-12), made of the types that are sent and read.
//!
//! Objects are open: both sides ignore members that they do not know, which is how the protocol grows within its version.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value as Json, json};

use super::{
    Action, Counts, DiagnosticMessage, HookResult, Initialize, Initialized, LogMessage, MAXIMUM_LINE, Operation,
    PROTOCOL_VERSION, PlannedChange, Resource, Run, Shutdown,
};
use crate::{Hook, Moment, Subject};

/// Whether a member is always there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    Always,
    /// Not where the provider failed, or where it is not known.
    Sometimes,
}

use Presence::{Always, Sometimes};

/// The schema of every message in both directions. `$defs` has the params of each method as `METHOD.params`, results as
/// `METHOD.result` (`hook.result` for all hooks), and the messages around them as `to_integration` and `to_host`.
#[must_use]
pub fn schema() -> Json {
    let settings = SchemaSettings::draft2020_12();
    let mut sent = settings.clone().for_serialize().into_generator();
    let mut read = settings.for_deserialize().into_generator();
    let mut definitions = Map::new();
    let mut define = |name: &str, schema: Json| definitions.insert(name.to_owned(), schema);

    define("initialize.params", sent.subschema_for::<Initialize>().to_value());
    define("initialize.result", read.subschema_for::<Initialized>().to_value());
    define("shutdown.params", sent.subschema_for::<Shutdown>().to_value());
    define("shutdown.result", json!({ "description": "Anything; null is usual." }));
    define("hook.result", read.subschema_for::<HookResult>().to_value());
    define("log.params", read.subschema_for::<LogMessage>().to_value());
    define("cancel.params", object(&[("id", json!({ "type": "integer" }), Always)]));
    for hook in Hook::ALL {
        define(&format!("{}.params", hook.method()), params(*hook, &mut sent));
    }
    define("to_integration", to_integration());
    define("to_host", to_host());
    for mut generator in [read, sent] {
        definitions.extend(generator.take_definitions(true));
    }
    definitions.sort_keys();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("Messages between denobridge and integrations, protocol version {PROTOCOL_VERSION}"),
        "description": format!(
            "JSON-RPC 2.0, one object per line of at most {MAXIMUM_LINE} bytes, in UTF-8. Members that are not named here \
             are to be ignored."
        ),
        "anyOf": [reference("to_integration"), reference("to_host")],
        "$defs": definitions,
    })
}

fn reference(name: &str) -> Json {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// The params of a hook, as [`Event::params`](super::Event::params) makes them.
fn params(hook: Hook, generator: &mut SchemaGenerator) -> Json {
    let mut members = vec![("run", generator.subschema_for::<Run>().to_value(), Always)];
    match hook.subject() {
        Subject::Stage => {
            members.push(("operation", generator.subschema_for::<Operation>().to_value(), Always));
            members.push(("workspace", json!({ "type": ["string", "null"] }), Always));
            if hook.moment() == Moment::After {
                members.push(("counts", generator.subschema_for::<Counts>().to_value(), Sometimes));
                members.push(("duration_ms", milliseconds(), Sometimes));
                members.push(("summary", json!({ "type": "string" }), Sometimes));
            }
            if hook == Hook::PlanStageComplete {
                members.push(("changes", generator.subschema_for::<Vec<PlannedChange>>().to_value(), Sometimes));
            }
        }
        Subject::Instance => {
            members.push(("resource", generator.subschema_for::<Resource>().to_value(), Always));
            for (name, presence) in states(hook) {
                let described =
                    json!({ "description": "Without what redacted and unknown list.", "type": ["object", "null"] });
                members.push((name, described, *presence));
            }
            for name in ["redacted", "unknown"] {
                members.push((name, paths_by_state(), Always));
            }
            further(hook, generator, &mut members);
        }
    }
    object(&members)
}

/// The states of a hook, by their names.
fn states(hook: Hook) -> &'static [(&'static str, Presence)] {
    match hook {
        Hook::PrePlan => &[("prior_state", Always), ("proposed_state", Always)],
        Hook::PostPlan => &[("prior_state", Always), ("planned_state", Sometimes)],
        Hook::PreApply => &[("prior_state", Always), ("planned_state", Always)],
        Hook::PostApply => &[("prior_state", Always), ("planned_state", Sometimes), ("new_state", Sometimes)],
        Hook::PreRefresh => &[("prior_state", Always)],
        Hook::PostRefresh => &[("prior_state", Always), ("new_state", Sometimes)],
        Hook::PreReadDataSource => &[("config", Always)],
        Hook::PostReadDataSource => &[("config", Always), ("new_state", Sometimes)],
        // What an ephemeral resource gives is for the run only, and an action leaves nothing.
        Hook::PreOpenEphemeral | Hook::PostOpenEphemeral | Hook::PreInvokeAction | Hook::PostInvokeAction => {
            &[("config", Always)]
        }
        Hook::InitStageStart
        | Hook::InitStageComplete
        | Hook::PlanStageStart
        | Hook::PlanStageComplete
        | Hook::ApplyStageStart
        | Hook::ApplyStageComplete => &[],
    }
}

fn further(hook: Hook, generator: &mut SchemaGenerator, members: &mut Vec<(&'static str, Json, Presence)>) {
    let paths = || json!({ "type": "array", "items": { "type": "string" } });
    match hook {
        Hook::PreApply => members.push(("action", generator.subschema_for::<Action>().to_value(), Always)),
        Hook::PostPlan | Hook::PostApply => {
            members.push(("action", generator.subschema_for::<Action>().to_value(), Sometimes));
        }
        _ => {}
    }
    match hook {
        Hook::PostPlan => members.push(("requires_replace", paths(), Sometimes)),
        Hook::PreRefresh | Hook::PostRefresh => members.push(("import", json!({ "type": "boolean" }), Sometimes)),
        _ => {}
    }
    if hook == Hook::PostRefresh {
        members.push(("drift", paths(), Sometimes));
    }
    if hook.moment() == Moment::After {
        let diagnostics = generator.subschema_for::<Vec<DiagnosticMessage>>().to_value();
        members.push(("diagnostics", diagnostics, Always));
        members.push(("duration_ms", milliseconds(), Always));
    }
}

fn milliseconds() -> Json {
    json!({ "type": "integer", "minimum": 0 })
}

/// Lists of dotted paths, by the name of the state that they are in.
fn paths_by_state() -> Json {
    json!({ "type": "object", "additionalProperties": { "type": "array", "items": { "type": "string" } } })
}

fn object(members: &[(&'static str, Json, Presence)]) -> Json {
    let properties: Map<String, Json> =
        members.iter().map(|(name, schema, _)| ((*name).to_owned(), schema.clone())).collect();
    let required: Vec<&str> =
        members.iter().filter(|(_, _, presence)| *presence == Always).map(|(name, _, _)| *name).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

/// Requests, and the notification that an answer is no longer awaited.
fn to_integration() -> Json {
    let hooks = Hook::ALL.iter().map(|hook| hook.method());
    let requests = ["initialize"].into_iter().chain(hooks).chain(["shutdown"]);
    let mut messages: Vec<Json> = requests.map(|method| call(method, true)).collect();
    messages.push(call("cancel", false));
    json!({ "oneOf": messages })
}

fn call(method: &str, is_request: bool) -> Json {
    let mut members = vec![
        ("jsonrpc", json!({ "const": "2.0" }), Always),
        ("method", json!({ "const": method }), Always),
        ("params", reference(&format!("{method}.params")), Always),
    ];
    if is_request {
        members.push(("id", json!({ "type": "integer" }), Always));
    }
    object(&members)
}

/// Answers, and the notification with something for the log.
fn to_host() -> Json {
    let version = || ("jsonrpc", json!({ "const": "2.0" }), Always);
    let id = || ("id", json!({ "type": "integer" }), Always);
    let results = ["initialize.result", "hook.result", "shutdown.result"].map(reference);
    let error = object(&[
        ("code", json!({ "type": "integer" }), Always),
        ("message", json!({ "type": "string" }), Always),
        ("data", json!({}), Sometimes),
    ]);
    json!({
        "anyOf": [
            object(&[version(), id(), ("result", json!({ "anyOf": results }), Always)]),
            object(&[version(), id(), ("error", error, Always)]),
            call("log", false),
        ]
    })
}
