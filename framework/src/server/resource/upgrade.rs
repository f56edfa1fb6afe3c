//! UpgradeResourceState. Called for every stored object, at the current version too, so that path is short.

use denobridge_core::cty::{Type, json};
use denobridge_core::provider::{RawState, UpgradeResourceStateRequest, UpgradeResourceStateResponse};
use denobridge_core::{Call, Diagnostic, Diagnostics, DynamicValue};
use serde_json::Value as Json;

use super::{Registered, Server, settled};
use crate::erased::{Outcome, Upgrade, UpgradeStep};
use crate::guard::Operation;
use crate::mask::Secrets;

pub(in crate::server) async fn upgrade(
    server: &Server,
    call: &Call,
    request: UpgradeResourceStateRequest,
) -> UpgradeResourceStateResponse {
    match upgraded(server, call, request).await {
        Ok(response) => response,
        Err(diagnostics) => UpgradeResourceStateResponse { diagnostics, ..Default::default() },
    }
}

async fn upgraded(
    server: &Server,
    call: &Call,
    request: UpgradeResourceStateRequest,
) -> Result<UpgradeResourceStateResponse, Diagnostics> {
    let type_name = &request.type_name;
    let entry = server.resource(type_name)?;
    let stored = parse_json(&request.raw_state, &format!("The stored state of a {type_name}"))?;
    let operation = Operation { name: "upgrade of the stored state", component: type_name };
    let current = entry.schema.version;
    let mut secrets = Secrets::default();
    secrets.add_stored(&entry.schema.block, &stored);
    let outcome = match request.version.cmp(&current) {
        std::cmp::Ordering::Equal => same_version(entry, stored, type_name),
        std::cmp::Ordering::Greater => Outcome::failed(Diagnostic::error(
            "The stored state is too new",
            format!(
                "The state of a {type_name} was written by version {} of its schema, and this provider knows no later \
                 one than {current}. Use the newer provider that wrote it.",
                request.version
            ),
        )),
        std::cmp::Ordering::Less => {
            let context = |call| server.context(call, type_name).with_capability(entry.capability.clone());
            let handler = |call| async {
                match entry.upgrades.path(request.version, current) {
                    Some(steps) => through(entry, steps, stored, type_name),
                    None => {
                        let upgrade = Upgrade { version: request.version, state: stored };
                        entry.resource.upgrade(&context(call), upgrade).await
                    }
                }
            };
            let outcome = server.run(call, operation, &secrets, handler).await;
            outcome.map_err(|panic| server.said(operation, &secrets, panic.into()))?
        }
    };
    let mut diagnostics = outcome.diagnostics;
    let upgraded_state = match outcome.state {
        Some(state) => {
            secrets.add(&entry.schema.block, &state);
            settled(entry, operation, &state, &mut diagnostics)
        }
        None if diagnostics.has_errors() => DynamicValue::Absent,
        None => return Err(operation.error("It returned neither a state nor an error.").into()),
    };
    Ok(UpgradeResourceStateResponse { upgraded_state, diagnostics: server.said(operation, &secrets, diagnostics) })
}

/// The state after every step.
fn through(entry: &Registered, steps: Vec<UpgradeStep>, stored: Json, type_name: &str) -> Outcome {
    match steps.into_iter().try_fold(stored, |state, step| step(state)) {
        Ok(state) => same_version(entry, state, type_name),
        Err(diagnostics) => Outcome::failed(diagnostics),
    }
}

/// What is stored, as JSON. `what` begins a sentence: "The stored state of a …".
pub(super) fn parse_json(raw: &RawState, what: &str) -> Result<Json, Diagnostic> {
    let unreadable = |reason: String| Diagnostic::error(format!("{what} cannot be read"), reason);
    if raw.json.is_empty() {
        let reason = if raw.flatmap.is_empty() {
            "It is empty."
        } else {
            "It is in the form of Terraform before 0.12. Apply once with the provider version that wrote it and a later \
             Terraform."
        };
        return Err(unreadable(reason.to_owned()));
    }
    serde_json::from_slice(&raw.json)
        .map_err(|error| unreadable(format!("It is not JSON: line {}, column {}.", error.line(), error.column())))
}

/// A state of the current version, whose attributes may nevertheless be more or fewer: another release, or another
/// provider under the same name, wrote it. Missing attributes are null, unknown ones are dropped.
fn same_version(entry: &Registered, stored: Json, type_name: &str) -> Outcome {
    match json::from_json(&fitted(stored, &entry.ty), &entry.ty) {
        Ok(state) => Outcome::of(state),
        Err(error) => Outcome::failed(Diagnostics::from(
            Diagnostic::error(
                format!("The stored state of a {type_name} cannot be read"),
                format!(
                    "{} does not fit the schema: {}. It was stored by a release whose schema had the same version and another \
                     type there. Use that release, or a later one whose schema has a higher version.",
                    place(&error.path),
                    error.message
                ),
            )
            .at(error.path),
        )),
    }
}

fn place(path: &denobridge_core::cty::Path) -> String {
    if path.is_root() { "It".to_owned() } else { format!("\"{path}\"") }
}

/// JSON with exactly the attributes that a type has, wherever the type is an object.
pub(crate) fn fitted(json: Json, ty: &Type) -> Json {
    match (json, ty) {
        (Json::Object(mut stored), Type::Object(object)) => Json::Object(
            object
                .attributes
                .iter()
                .map(|(name, ty)| {
                    let value = stored.swap_remove(&**name).unwrap_or(Json::Null);
                    (name.to_string(), fitted(value, ty))
                })
                .collect(),
        ),
        (Json::Object(entries), Type::Map(element)) => {
            Json::Object(entries.into_iter().map(|(key, value)| (key, fitted(value, element))).collect())
        }
        (Json::Array(items), Type::List(element) | Type::Set(element)) => {
            Json::Array(items.into_iter().map(|item| fitted(item, element)).collect())
        }
        (Json::Array(items), Type::Tuple(types)) if items.len() == types.len() => {
            Json::Array(items.into_iter().zip(types.iter()).map(|(item, ty)| fitted(item, ty)).collect())
        }
        (json, _) => json,
    }
}
