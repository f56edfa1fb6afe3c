//! What goes wrong in a call, and how the engine is told: a status whose message is shown to the user as it is, with
//! structured details where the engine acts on them.

use std::time::Duration;

use denobridge_core::cty::Path;
use denobridge_core::planning::rules::Violation;
use denobridge_core::{Diagnostic, Diagnostics};
use denobridge_sdk_gen::ObjectNames;
use prost::Message as _;
use thiserror::Error;
use tonic::{Code, Status};

use crate::package::PackageError;
use crate::property_value::{PropertyMap, wire};
use crate::proto::google::rpc;
use crate::proto::pulumirpc::{
    ConfigureErrorMissingKeys, ErrorResourceInitFailed, configure_error_missing_keys::MissingKey,
};
use crate::state::StateError;

/// A time limit in words: `1 second`, `0.5 seconds`.
pub(crate) fn in_seconds(limit: Duration) -> String {
    let unit = if limit == Duration::from_secs(1) { "second" } else { "seconds" };
    format!("{} {unit}", limit.as_secs_f64())
}

/// A failed call.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// The engine or the program asked for something that there is not.
    #[error("{0}")]
    InvalidRequest(String),
    /// A value from the engine cannot be read.
    #[error(transparent)]
    Wire(#[from] wire::WireError),
    /// Stored outputs cannot be read.
    #[error(transparent)]
    State(#[from] StateError),
    /// There is no such package.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// The provider said no, broke the rules, or gave no answer.
    #[error("{0}")]
    Provider(String),
    /// The user cancelled, or the engine gave up.
    #[error("{0}")]
    Cancelled(String),
    /// A time limit was reached.
    #[error("{0}")]
    TimedOut(String),
    /// The resource exists, but something is wrong with it. The engine keeps what is in here.
    #[error("{}", .0.reasons.join("\n"))]
    Incomplete(Box<Incomplete>),
    /// Settings of the provider are missing.
    #[error("settings of the provider are missing")]
    MissingKeys(Vec<MissingSetting>),
    /// The protocol's name of something that we do not have.
    #[error("{0} is not implemented by this provider")]
    Unimplemented(&'static str),
    /// A mistake of ours.
    #[error("denobridge (the bridge) failed: {0}. This is a bug in denobridge, please report it")]
    Bridge(String),
}

/// A resource that exists although the operation failed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Incomplete {
    pub(crate) id: String,
    pub(crate) properties: PropertyMap,
    pub(crate) inputs: PropertyMap,
    pub(crate) reasons: Vec<String>,
}

/// A required setting without a value.
#[derive(Clone, Debug)]
pub(crate) struct MissingSetting {
    /// With the package before it: `package:key`.
    pub(crate) name: String,
    pub(crate) description: String,
}

impl From<Failure> for Status {
    fn from(failure: Failure) -> Self {
        let message = failure.to_string();
        // Unknown, Internal and DataLoss make the engine say that the state may be corrupt: only a bug of ours deserves
        // that.
        let code = match failure {
            Failure::InvalidRequest(_) | Failure::Wire(_) => Code::InvalidArgument,
            Failure::Package(PackageError::InvalidParameter(_)) => Code::InvalidArgument,
            Failure::Package(PackageError::Unavailable(_)) | Failure::State(_) | Failure::Provider(_) => {
                Code::FailedPrecondition
            }
            Failure::Cancelled(_) => Code::Cancelled,
            Failure::TimedOut(_) => Code::DeadlineExceeded,
            Failure::Unimplemented(_) => Code::Unimplemented,
            Failure::Bridge(_) => Code::Internal,
            Failure::Incomplete(incomplete) => return incomplete_status(&incomplete, message),
            Failure::MissingKeys(settings) => return missing_keys_status(settings, message),
        };
        Self::new(code, message)
    }
}

fn incomplete_status(incomplete: &Incomplete, message: String) -> Status {
    let detail = ErrorResourceInitFailed {
        id: incomplete.id.clone(),
        properties: Some(wire::encode(&incomplete.properties)),
        reasons: incomplete.reasons.clone(),
        inputs: Some(wire::encode(&incomplete.inputs)),
        refresh_before_update: false,
    };
    with_detail(Code::FailedPrecondition, message, "ErrorResourceInitFailed", detail.encode_to_vec())
}

fn missing_keys_status(settings: Vec<MissingSetting>, message: String) -> Status {
    let missing_keys =
        settings.into_iter().map(|MissingSetting { name, description }| MissingKey { name, description }).collect();
    let detail = ConfigureErrorMissingKeys { missing_keys };
    with_detail(Code::InvalidArgument, message, "ConfigureErrorMissingKeys", detail.encode_to_vec())
}

/// A status with one structured detail. The code inside must be the one outside, or Go drops all of it.
fn with_detail(code: Code, message: String, name: &str, value: Vec<u8>) -> Status {
    let detail = prost_types::Any { type_url: format!("type.googleapis.com/pulumirpc.{name}"), value };
    let status = rpc::Status { code: code.into(), message: message.clone(), details: vec![detail] };
    Status::with_details(code, message, status.encode_to_vec().into())
}

/// The errors among diagnostics, one text each, with paths in Pulumi's names.
pub(crate) fn error_texts(diagnostics: &Diagnostics, names: &ObjectNames) -> Vec<String> {
    diagnostics.errors().map(|diagnostic| diagnostic_text(diagnostic, names)).collect()
}

/// One diagnostic as text.
pub(crate) fn diagnostic_text(diagnostic: &Diagnostic, names: &ObjectNames) -> String {
    let mut text = diagnostic.summary.clone();
    if !diagnostic.detail.is_empty() && diagnostic.detail != diagnostic.summary {
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.push_str(&diagnostic.detail);
    }
    text + &at_property(&diagnostic.attribute, names)
}

/// A broken rule as text.
pub(crate) fn violation_text(violation: &Violation, names: &ObjectNames) -> String {
    format!(
        "{}: {}{}. This is a mistake in the provider (rule {}), not in the program",
        violation.rule.summary(),
        violation.message,
        at_property(&violation.path, names),
        violation.rule.code()
    )
}

/// Where, in the words of the program; nothing for the whole resource.
fn at_property(path: &Path, names: &ObjectNames) -> String {
    let path = names.to_pulumi(path);
    if path.is_root() { String::new() } else { format!(" (property `{path}`)") }
}

/// Several texts as one message.
pub(crate) fn joined(texts: &[String]) -> String {
    match texts {
        [only] => only.clone(),
        several => several.iter().map(|text| format!("\n- {text}")).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_said_as_people_say_it() {
        let limits = [Duration::from_secs(1), Duration::from_secs(90), Duration::from_millis(500)];
        assert_eq!(limits.map(in_seconds), ["1 second", "90 seconds", "0.5 seconds"]);
    }
}
