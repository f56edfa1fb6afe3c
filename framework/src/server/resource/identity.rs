//! What tells objects apart: rule R16, and UpgradeResourceIdentity.

use denobridge_core::cty::{Value, json};
use denobridge_core::planning::rules;
use denobridge_core::provider::{UpgradeResourceIdentityRequest, UpgradeResourceIdentityResponse};
use denobridge_core::{Call, Diagnostic, Diagnostics, DynamicValue};

use super::{Registered, Server};
use crate::context::Context;
use crate::erased::UpgradeIdentity;
use crate::guard::{Operation, guarded};
use crate::mask::Secrets;
use crate::server::catalog::Identity;

/// The identity of a request; `None` when there is none, on either side.
pub(super) fn given(
    entry: &Registered,
    identity: Option<&DynamicValue>,
    type_name: &str,
) -> Result<Option<Value>, Diagnostic> {
    let (Some(schema), Some(identity)) = (&entry.identity, identity) else { return Ok(None) };
    let identity = crate::server::decode(identity, &schema.ty, "identity", type_name)?;
    Ok(Some(identity).filter(|identity| !identity.is_null()))
}

/// What an object's identity must be like.
#[derive(Clone, Copy)]
pub(super) struct Rules<'r> {
    /// The identity that the object has already, which it keeps.
    pub before: Option<&'r Value>,
    /// The object is only planned, and may be a new one.
    pub planned: bool,
}

/// The identity of an object in this state, held to the rules. One that breaks them is told of and not sent.
pub(super) async fn of_state(
    entry: &Registered,
    operation: Operation<'_>,
    context: &Context,
    state: &Value,
    rules: Rules<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Value> {
    let schema = entry.identity.as_ref()?;
    if state.is_null() {
        return None;
    }
    let told = guarded(operation, async { entry.resource.identity(context, state) }).await;
    let identity = match told {
        Ok(Some(identity)) => identity,
        Ok(None) => from_state(schema, state),
        Err(panic) => {
            diagnostics.push(panic);
            return None;
        }
    };
    let mut broken: Diagnostics = rules::identity_result(&schema.schema, &identity, rules.planned)
        .into_iter()
        .map(|violation| operation.broken(violation))
        .collect();
    // A planned replacement is another object; whether it is one is decided by the host.
    let changed = rules.before.is_some_and(|before| !rules.planned && *before != identity);
    if changed && broken.is_empty() {
        broken
            .push(operation.error("It changed the identity of an existing object, which stays the same for its life."));
    }
    let fine = broken.is_empty();
    diagnostics.extend(broken);
    fine.then_some(identity)
}

/// The attributes of the state that are called as the identity's are.
fn from_state(identity: &Identity, state: &Value) -> Value {
    let attributes = identity.schema.attributes.iter().map(|attribute| {
        let value = state.attribute(&attribute.name).cloned().unwrap_or_else(|| Value::null(attribute.ty.clone()));
        (attribute.name.clone(), value.without_marks_deep())
    });
    Value::object(attributes)
}

pub(in crate::server) async fn upgrade(
    server: &Server,
    call: &Call,
    request: UpgradeResourceIdentityRequest,
) -> UpgradeResourceIdentityResponse {
    let type_name = &request.type_name;
    let operation = Operation { name: "upgrade of the stored identity", component: type_name };
    match upgraded(server, call, operation, &request).await {
        Ok(identity) => UpgradeResourceIdentityResponse { upgraded_identity: identity.into(), ..Default::default() },
        Err(diagnostics) => UpgradeResourceIdentityResponse {
            diagnostics: server.said(operation, &Secrets::default(), diagnostics),
            ..Default::default()
        },
    }
}

async fn upgraded(
    server: &Server,
    call: &Call,
    operation: Operation<'_>,
    request: &UpgradeResourceIdentityRequest,
) -> Result<Value, Diagnostics> {
    let type_name = &request.type_name;
    let entry = server.resource(type_name)?;
    let Some(schema) = &entry.identity else {
        let detail = format!("Objects of type {type_name} have no identity.");
        return Err(Diagnostic::error("No identity", detail).into());
    };
    let stored = super::upgrade::parse_json(&request.raw_identity, &format!("The stored identity of a {type_name}"))?;
    let current = schema.schema.version;
    let identity = match request.version.cmp(&current) {
        std::cmp::Ordering::Equal => {
            json::from_json(&super::fitted(stored, &schema.ty), &schema.ty).map_err(|error| {
                Diagnostic::error(
                    format!("The stored identity of a {type_name} cannot be read"),
                    format!("It does not fit the schema: {error}."),
                )
            })?
        }
        std::cmp::Ordering::Greater => {
            let detail = format!(
                "The identity of a {type_name} was written by version {} of its schema, and this provider knows no \
                 later one than {current}. Use the newer provider that wrote it.",
                request.version
            );
            return Err(Diagnostic::error("The stored identity is too new", detail).into());
        }
        std::cmp::Ordering::Less => {
            let upgrade = UpgradeIdentity { version: request.version, identity: stored };
            let context = |call| server.context(call, type_name).with_capability(entry.capability.clone());
            let handler = |call| async { entry.resource.upgrade_identity(&context(call), upgrade).await };
            server.run(call, operation, &Secrets::default(), handler).await??
        }
    };
    let broken = rules::identity_result(&schema.schema, &identity, false);
    if !broken.is_empty() {
        return Err(broken.into_iter().map(|violation| operation.broken(violation)).collect());
    }
    Ok(identity)
}
