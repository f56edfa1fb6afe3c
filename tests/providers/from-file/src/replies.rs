//! Which reply an operation gives, and what of it every operation does in the same way.

use std::time::Duration;

use anyhow::Result;
use denobridge_core::cty::{Type, Value};
use denobridge_core::{Diagnostic, Diagnostics, Severity};
use denobridge_framework::PrivateData;

use crate::cloud::Cloud;
use crate::format::{DiagnosticSpec, Reply, SeveritySpec};
use crate::rules::{Scope, path};

/// The first reply whose condition is met.
pub fn chosen<'r>(cloud: &Cloud, operation: &str, replies: &'r [Reply], object: &Value) -> Option<&'r Reply> {
    let call = cloud.call(operation);
    replies.iter().find(|reply| cloud.meets(&reply.when, call, object))
}

/// The reply, after the time that it takes.
pub async fn given<'r>(cloud: &Cloud, operation: &str, replies: &'r [Reply], object: &Value) -> Option<&'r Reply> {
    let reply = chosen(cloud, operation, replies, object)?;
    if reply.delay_ms > 0 {
        tokio::time::sleep(Duration::from_millis(reply.delay_ms)).await;
    }
    Some(reply)
}

/// What a reply says.
pub fn said(reply: Option<&Reply>) -> Diagnostics {
    reply.map(|reply| reply.diagnostics.iter().map(diagnostic).collect()).unwrap_or_default()
}

fn diagnostic(spec: &DiagnosticSpec) -> Diagnostic {
    Diagnostic {
        severity: match spec.severity {
            SeveritySpec::Error => Severity::Error,
            SeveritySpec::Warning => Severity::Warning,
        },
        summary: spec.summary.clone(),
        detail: spec.detail.clone(),
        attribute: path(&spec.path),
    }
}

/// Sets private data as a reply says.
///
/// # Errors
/// A key is the framework's.
pub fn remember(reply: Option<&Reply>, private: &mut PrivateData) -> Result<()> {
    for (key, value) in reply.into_iter().flat_map(|reply| &reply.private) {
        private.set(key, value)?;
    }
    Ok(())
}

/// The state with the attributes that a reply sets.
///
/// # Errors
/// A rule does not work.
pub fn changed(reply: Option<&Reply>, scope: &Scope<'_>, ty: &Type, mut state: Value) -> Result<Value> {
    for (name, rule) in reply.into_iter().flat_map(|reply| &reply.set) {
        let Some(ty) = ty.as_object().and_then(|object| object.attributes.get(name.as_str())) else {
            anyhow::bail!("a reply sets {name:?}, which the schema does not have");
        };
        let value = scope.value(rule, ty, &state)?;
        state = state.with_attribute(name.as_str(), value);
    }
    Ok(state)
}

/// A fault of the file, as a diagnostic.
pub fn fault(error: &anyhow::Error) -> Diagnostic {
    Diagnostic::error("The provider's file is wrong", format!("{error:#}."))
}
