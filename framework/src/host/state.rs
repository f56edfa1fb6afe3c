//! The state of one resource instance, in memory and as stored.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use denobridge_core::cty::{Value, json};
use denobridge_core::diagnostics::Diagnostic;
use denobridge_core::planning::rules;
use denobridge_core::provider::{RawState, UpgradeResourceIdentityRequest, UpgradeResourceStateRequest};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Report, ResourceHost, Step};

/// What is known of an object that exists.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceState {
    /// Its attributes: wholly known, write-only ones null.
    pub value: Value,
    /// The provider's private data.
    pub private: Bytes,
    /// Its identity, if its type has one.
    pub identity: Option<Value>,
    /// Its creation did not succeed to the end: the next plan replaces it.
    pub tainted: bool,
}

/// A [`ResourceState`] as it is stored, with the version of the schema it was written under. Sensitive attributes are in
/// it in clear, as in Terraform's own state: whoever writes it to a file keeps others from reading that.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredState {
    /// The resource type.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Version of the schema that `attributes` follow.
    pub schema_version: i64,
    /// The attributes, in Terraform's JSON form of values.
    pub attributes: serde_json::Value,
    /// The provider's private data, in base64; left out when there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub private: String,
    /// The identity, if the resource type has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<serde_json::Value>,
    /// Version of the schema that `identity` follows.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub identity_schema_version: i64,
    /// Whether the object's creation failed halfway.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tainted: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's signature
fn is_zero(version: &i64) -> bool {
    *version == 0
}

/// Why a state cannot be stored.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the state of {subject} cannot be stored: {reason}")]
pub struct StateError {
    /// The resource.
    pub subject: String,
    /// What is wrong with its state; never quotes a value.
    pub reason: String,
}

impl ResourceHost<'_> {
    /// The state in the form to be stored.
    ///
    /// # Errors
    /// The value is not one that can be: not of the schema's type, or not wholly known.
    pub fn store(&self, state: &ResourceState) -> Result<StoredState, StateError> {
        let unfit = |error: json::JsonError| StateError {
            subject: self.component.subject.clone(),
            reason: if error.path.is_root() { error.message } else { format!("{}: {}", error.path, error.message) },
        };
        let identity = match (&state.identity, self.identity) {
            (Some(identity), Some(schema)) => {
                Some((json::to_json(identity, &schema.implied_type()).map_err(unfit)?, schema.version))
            }
            _ => None,
        };
        Ok(StoredState {
            type_name: self.component.type_name.to_string(),
            schema_version: self.component.schema.version,
            attributes: json::to_json(&state.value, &self.component.ty()).map_err(unfit)?,
            private: STANDARD.encode(&state.private),
            identity_schema_version: identity.as_ref().map_or(0, |(_, version)| *version),
            identity: identity.map(|(identity, _)| identity),
            tainted: state.tainted,
        })
    }

    /// Brings a stored state to the current schema version (R14). Core asks the provider for every stored object, also at
    /// the same version.
    pub async fn load(&self, stored: &StoredState) -> Step<Option<ResourceState>> {
        let mut report = Report::default();
        if let Err(diagnostic) = self.fits(stored) {
            report.diagnostics.push(diagnostic);
            return Step { value: None, report };
        }
        let Ok(private) = STANDARD.decode(&stored.private) else {
            report.diagnostics.push(self.unreadable("its private data is not base64"));
            return Step { value: None, report };
        };
        let request = UpgradeResourceStateRequest {
            type_name: std::sync::Arc::clone(&self.component.type_name),
            version: stored.schema_version,
            raw_state: raw(&stored.attributes),
        };
        let answer = self.component.host.provider.upgrade_resource_state(&self.component.call, request);
        let Some((exchange, response)) =
            self.component.ask(self.component.exchange("UpgradeResourceState"), answer, &mut report).await
        else {
            return Step { value: None, report };
        };
        let mut violations = Vec::new();
        let value = self.component.object(&response.upgraded_state, &mut violations);
        if !response.diagnostics.has_errors() && violations.is_empty() {
            violations.extend(rules::upgraded_state(self.component.block(), &value));
        }
        let exchange = exchange.received("state", self.component.marked(&value));
        self.component.answered(exchange, response.diagnostics, violations, &mut report);
        let identity = self.load_identity(stored, &mut report).await;
        if report.failed() || value.is_null() {
            return Step { value: None, report };
        }
        let state = ResourceState { value, private: private.into(), identity, tainted: stored.tainted };
        Step { value: Some(state), report }
    }

    fn fits(&self, stored: &StoredState) -> Result<(), Diagnostic> {
        if stored.type_name != *self.component.type_name {
            return Err(self.unreadable(&format!(
                "it is the state of a {}, not of a {}",
                stored.type_name, self.component.type_name
            )));
        }
        if stored.schema_version > self.component.schema.version {
            return Err(self.unreadable(&format!(
                "it was written by a newer version of the provider (schema version {}, this one knows {}); use that version",
                stored.schema_version, self.component.schema.version
            )));
        }
        Ok(())
    }

    async fn load_identity(&self, stored: &StoredState, report: &mut Report) -> Option<Value> {
        let (schema, identity) = (self.identity?, stored.identity.as_ref()?);
        let mut violations = Vec::new();
        if stored.identity_schema_version == schema.version {
            return match json::from_json(identity, &schema.implied_type()) {
                Ok(identity) => Some(identity),
                Err(error) => {
                    report.diagnostics.push(self.unreadable(&format!("its identity: {error}")));
                    None
                }
            };
        }
        let request = UpgradeResourceIdentityRequest {
            type_name: std::sync::Arc::clone(&self.component.type_name),
            version: stored.identity_schema_version,
            raw_identity: raw(identity),
        };
        let answer = self.component.host.provider.upgrade_resource_identity(&self.component.call, request);
        let (exchange, response) =
            self.component.ask(self.component.exchange("UpgradeResourceIdentity"), answer, report).await?;
        let identity = self.identity_of(Some(&response.upgraded_identity), false, &mut violations);
        self.component.answered(exchange, response.diagnostics, violations, report);
        identity
    }

    fn unreadable(&self, reason: &str) -> Diagnostic {
        Diagnostic::error(
            "Stored state cannot be used",
            format!("The stored state of {} cannot be used: {reason}.", self.component.subject),
        )
    }
}

pub(super) fn raw(json: &serde_json::Value) -> RawState {
    RawState { json: Bytes::from(json.to_string()), ..RawState::default() }
}
