//! Taking over an object of another resource type.

use std::sync::Arc;

use bytes::Bytes;
use denobridge_core::diagnostics::Diagnostic;
use denobridge_core::planning::rules;
use denobridge_core::provider::{MoveResourceStateRequest, RawState};

use super::state::raw;
use super::{Report, ResourceHost, ResourceState, Step};

/// An object as the provider that has it so far stored it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MovedFrom {
    /// The address of that provider, such as `registry.terraform.io/hashicorp/aws`.
    pub provider_address: String,
    /// The object's resource type there.
    pub type_name: String,
    /// Version of the schema that `attributes` follow.
    pub schema_version: i64,
    /// The attributes, in Terraform's JSON form of values.
    pub attributes: serde_json::Value,
    /// That provider's private data.
    pub private: Bytes,
    /// The identity, if the object has one there.
    pub identity: Option<serde_json::Value>,
    /// Version of the schema that `identity` follows.
    pub identity_schema_version: i64,
}

impl ResourceHost<'_> {
    /// Makes a state of this type from an object of another, as a `moved` block does. What comes back must be there, known
    /// and of this type's schema (R14). None when anything went wrong.
    pub async fn move_from(&self, source: &MovedFrom) -> Step<Option<ResourceState>> {
        let mut report = Report::default();
        let host = self.component.host;
        if !host.server.move_resource_state {
            let detail = format!("The provider of {} does not take over objects of other types.", self.subject());
            report.diagnostics.push(Diagnostic::error("Move not supported", detail));
            return Step { value: None, report };
        }
        let request = MoveResourceStateRequest {
            source_provider_address: source.provider_address.clone(),
            source_type_name: source.type_name.clone(),
            source_schema_version: source.schema_version,
            source_state: raw(&source.attributes),
            target_type_name: Arc::clone(&self.component.type_name),
            source_private: source.private.clone(),
            source_identity: source.identity.as_ref().map_or_else(RawState::default, raw),
            source_identity_schema_version: source.identity_schema_version,
        };
        let answer = host.provider.move_resource_state(&self.component.call, request);
        let exchange = self.component.exchange("MoveResourceState");
        let Some((exchange, response)) = self.component.ask(exchange, answer, &mut report).await else {
            return Step { value: None, report };
        };
        let mut violations = Vec::new();
        let value = self.component.object(&response.target_state, &mut violations);
        let identity = self.identity_of(response.target_identity.as_ref(), false, &mut violations);
        if !response.diagnostics.has_errors() && violations.is_empty() {
            violations.extend(rules::moved_state(self.component.block(), &value));
        }
        let exchange = exchange.received("state", self.marked(&value));
        self.component.answered(exchange, response.diagnostics, violations, &mut report);
        let state = ResourceState { value, private: response.target_private, identity, tainted: false };
        Step { value: Some(state).filter(|_| !report.failed()), report }
    }
}
