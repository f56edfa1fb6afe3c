//! A recording on its way through a player: which answer belongs to which question.
//!
//! Order does not matter, but where the same was asked several times the answers come in the order of the recording, and the
//! last one again when there are no more.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use denobridge_core::provider::GetProviderSchemaResponse;
use denobridge_core::recording::{Difference, differences};
use denobridge_core::schema::ProviderSchema;
use prost::Message as _;
use serde_json::{Value as Json, json};
use tonic::Status;

use super::go_log::Log;
use super::messages;
use super::shapes::About;
use crate::proto::tfplugin6 as pb;
use crate::wire6::{self, host};

/// Stands before a recorded error in the message of a status, to tell it from others.
pub(super) const RECORDED_ERROR: char = '\u{1e}';

/// One recorded call of the seam.
#[derive(Clone, Debug)]
pub struct RecordedCall {
    /// The protocol's name of the procedure.
    pub procedure: String,
    /// The type of component that it is about.
    pub resource: Option<String>,
    /// What was asked.
    pub request: Json,
    /// The same as it was on the wire, where that is known.
    pub encoded: Option<Bytes>,
    /// What was answered.
    pub answer: Answer,
}

/// What was answered.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A response as recordings have it.
    Readable(Json),
    /// A response as it was on the wire.
    Encoded(Bytes),
    /// The error that there was instead, as recordings have it.
    Error(Json),
}

/// A question that was not asked when it was recorded.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// The protocol's name of the procedure.
    pub procedure: String,
    /// The type of component that it is about.
    pub resource: Option<String>,
    /// Where it differs from the recorded question that is most like it; `None`: the recording has none of that procedure
    /// about that component.
    pub differences: Option<Vec<Difference>>,
}

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let about = self.resource.as_deref().map(|resource| format!(" about {resource}")).unwrap_or_default();
        match &self.differences {
            None => write!(f, "{}{about} was never asked when this was recorded", self.procedure),
            Some(differences) => {
                write!(f, "{}{about} was not asked like this when this was recorded:", self.procedure)?;
                differences.iter().try_for_each(|difference| write!(f, "\n  {difference}"))
            }
        }
    }
}

/// A recording on its way through a player.
pub struct Tape {
    protocol: u32,
    /// Whether the Go bridge has logged it.
    of_go: bool,
    schema: GetProviderSchemaResponse,
    calls: Vec<RecordedCall>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    used: Vec<bool>,
    unknown: Vec<Unknown>,
    exact: usize,
}

impl Tape {
    /// Recorded calls of a provider with that schema.
    #[must_use]
    pub fn new(schema: GetProviderSchemaResponse, calls: Vec<RecordedCall>) -> Self {
        let state = State { used: vec![false; calls.len()], ..State::default() };
        Self { protocol: 6, of_go: false, schema, calls, state: Mutex::new(state) }
    }

    /// What a log of the Go bridge holds.
    ///
    /// # Errors
    /// There is no schema in it, or a request is not understood.
    pub fn of_go_log(log: Log) -> Result<Self, String> {
        let is_schema = |procedure: &str| procedure == "GetProviderSchema" || procedure == "GetSchema";
        let schema = log.entries.iter().find(|entry| is_schema(&entry.procedure));
        let schema = schema.and_then(|entry| entry.answer.as_ref().ok());
        let schema = schema.ok_or("the log has no schema, so that nothing else in it can be read")?;
        let schema = decoded_schema(log.protocol, schema)?;
        let mut calls = Vec::new();
        for entry in log.entries.into_iter().filter(|entry| !is_schema(&entry.procedure)) {
            let (resource, request) = asked(&schema.schema, log.protocol, &entry.procedure, &entry.request)?;
            let answer = match entry.answer {
                Ok(response) => Answer::Encoded(response),
                Err(message) => Answer::Error(json!({"kind": "internal", "message": message})),
            };
            let encoded = Some(entry.request);
            calls.push(RecordedCall { procedure: entry.procedure, resource, request, encoded, answer });
        }
        Ok(Self { protocol: log.protocol, of_go: true, ..Self::new(schema, calls) })
    }

    /// The schema that the recording is of.
    #[must_use]
    pub fn schema(&self) -> &GetProviderSchemaResponse {
        &self.schema
    }

    /// What was recorded, in the order in which it was asked.
    #[must_use]
    pub fn calls(&self) -> &[RecordedCall] {
        &self.calls
    }

    /// Which protocol its messages are of: 5 or 6.
    pub(super) fn protocol(&self) -> u32 {
        self.protocol
    }

    /// How many recorded calls nobody has asked for yet.
    #[must_use]
    pub fn unused(&self) -> usize {
        self.state().used.iter().filter(|used| !**used).count()
    }

    /// How many questions were the recorded ones byte for byte, but for who asks. In recordings of ours, where secrets were
    /// replaced, none is.
    #[must_use]
    pub fn exact(&self) -> usize {
        self.state().exact
    }

    /// The questions since the last time that the recording has no answer to.
    #[must_use]
    pub fn take_unknown(&self) -> Vec<Unknown> {
        std::mem::take(&mut self.state().unknown)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answers to an encoded question: one, or the events of a stream.
    pub(super) fn answer(&self, procedure: &str, request: &[u8]) -> Result<Vec<Bytes>, Status> {
        let output = messages::method(self.protocol, procedure).map_err(Status::unimplemented)?.output();
        match procedure {
            "GetProviderSchema" => return Ok(vec![wire6::provider_schema(&self.schema).encode_to_vec().into()]),
            "GetSchema" => {
                let schema = crate::wire5::provider_schema(wire6::provider_schema(&self.schema));
                return Ok(vec![schema.encode_to_vec().into()]);
            }
            "GetResourceIdentitySchemas" => {
                let identity_schemas = wire6::identity_schemas(&self.schema.schema.identities);
                let response = pb::get_resource_identity_schemas::Response { identity_schemas, ..Default::default() };
                return Ok(vec![response.encode_to_vec().into()]);
            }
            // Nothing runs that could be stopped.
            "StopProvider" | "Stop" => return Ok(vec![Bytes::new()]),
            // The Go bridge only asks for it when the version has changed; without it, stored state is current.
            "UpgradeResourceState" if self.of_go && !self.calls.iter().any(|call| call.procedure == procedure) => {
                return Err(Status::unimplemented("the log has no UpgradeResourceState"));
            }
            _ => {}
        }
        let (encoded, asked) = (request, asked(&self.schema.schema, self.protocol, procedure, request));
        let (resource, request) = asked.map_err(Status::invalid_argument)?;
        let answer = self.find(procedure, resource.as_deref(), &request, encoded).map_err(|unknown| {
            let message = format!("the recording has no answer: {unknown}");
            self.state().unknown.push(unknown);
            Status::failed_precondition(message)
        })?;
        let about = About { schema: &self.schema.schema, procedure, name: resource.as_deref().unwrap_or_default() };
        let message = |json: Json| {
            let message = messages::from_json(json, &output, about);
            message.map_err(|error| {
                Status::data_loss(format!("the recorded answer to {procedure} cannot be read: {error}"))
            })
        };
        match answer {
            Answer::Encoded(bytes) => Ok(vec![bytes]),
            Answer::Error(error) => Err(Status::internal(format!("{RECORDED_ERROR}{error}"))),
            Answer::Readable(mut json) => match json.get_mut("events").map(Json::take) {
                Some(Json::Array(events)) => events.into_iter().map(message).collect(),
                _ => Ok(vec![message(json)?]),
            },
        }
    }

    /// The bytes of a recorded question.
    pub(super) fn question(&self, call: &RecordedCall) -> Result<Bytes, String> {
        match &call.encoded {
            Some(bytes) => Ok(bytes.clone()),
            None => {
                let input = messages::method(self.protocol, &call.procedure)?.input();
                messages::from_json(call.request.clone(), &input, self.about(call))
            }
        }
    }

    /// An encoded answer to a recorded question as it would be recorded.
    pub(super) fn readable(&self, call: &RecordedCall, answer: &[u8]) -> Result<Json, String> {
        let output = messages::method(self.protocol, &call.procedure)?.output();
        messages::to_json(answer, &output, self.about(call), None)
    }

    fn about<'a>(&'a self, call: &'a RecordedCall) -> About<'a> {
        let name = call.resource.as_deref().unwrap_or_default();
        About { schema: &self.schema.schema, procedure: &call.procedure, name }
    }

    fn is_exact(&self, procedure: &str, recorded: &[u8], now: &[u8]) -> bool {
        let Ok(method) = messages::method(self.protocol, procedure) else { return false };
        let without_asker = |bytes: &[u8]| messages::without_asker(bytes, method.input());
        without_asker(recorded).is_some_and(|recorded| Some(recorded) == without_asker(now))
    }

    fn find(&self, procedure: &str, resource: Option<&str>, request: &Json, encoded: &[u8]) -> Result<Answer, Unknown> {
        let mut state = self.state();
        let mut again = None;
        let mut most_like: Option<Vec<Difference>> = None;
        for (index, call) in self.calls.iter().enumerate() {
            if call.procedure != procedure || call.resource.as_deref() != resource {
                continue;
            }
            let mut found = differences(&call.request, request);
            // A value that was not sent is null.
            found.retain(|difference| difference.recorded.is_some() || difference.now != Some(Json::Null));
            if self.of_go {
                found.retain(|difference| !messages::ASKER.iter().any(|field| difference.path.starts_with(field)));
            }
            if found.is_empty() && !state.used[index] {
                state.used[index] = true;
                state.exact += usize::from(
                    call.encoded.as_ref().is_some_and(|recorded| self.is_exact(procedure, recorded, encoded)),
                );
                return Ok(call.answer.clone());
            }
            if found.is_empty() {
                again = Some(&call.answer);
            } else if most_like.as_ref().is_none_or(|other| found.len() < other.len()) {
                most_like = Some(found);
            }
        }
        let unknown = || Unknown {
            procedure: procedure.to_owned(),
            resource: resource.map(str::to_owned),
            differences: most_like.clone(),
        };
        again.cloned().ok_or_else(unknown)
    }
}

/// The schema in an answer of either protocol.
fn decoded_schema(protocol: u32, answer: &[u8]) -> Result<GetProviderSchemaResponse, String> {
    let unreadable = |error: prost::DecodeError| format!("the recorded schema cannot be read: {error}");
    let answer = match protocol {
        5 => {
            let narrow = crate::proto::tfplugin5::get_provider_schema::Response::decode(answer).map_err(unreadable)?;
            crate::wire5::widened_schema(narrow)
        }
        _ => pb::get_provider_schema::Response::decode(answer).map_err(unreadable)?,
    };
    Ok(host::provider_schema(answer, Default::default()))
}

/// The schema that a recording holds: the answers to GetProviderSchema and GetResourceIdentitySchemas.
///
/// # Errors
/// They are not.
pub fn recorded_schema(schema: &Json, identities: Option<&Json>) -> Result<GetProviderSchemaResponse, String> {
    let nothing = ProviderSchema::default();
    let encoded = |procedure: &str, json: &Json| {
        let about = About { schema: &nothing, procedure, name: "" };
        messages::from_json(json.clone(), &messages::method(6, procedure)?.output(), about)
    };
    let schema = encoded("GetProviderSchema", schema)?;
    let schema = pb::get_provider_schema::Response::decode(schema).map_err(|error| error.to_string())?;
    let identities = identities.map(|json| encoded("GetResourceIdentitySchemas", json)).transpose()?;
    let identities = pb::get_resource_identity_schemas::Response::decode(identities.unwrap_or_default());
    let identities = identities.map_err(|error| error.to_string())?.identity_schemas;
    Ok(host::provider_schema(schema, identities))
}

/// What a question is about, and what it says.
fn asked(
    schema: &ProviderSchema,
    protocol: u32,
    procedure: &str,
    request: &[u8],
) -> Result<(Option<String>, Json), String> {
    let input = messages::method(protocol, procedure)?.input();
    let names = messages::to_json(request, &input, About { schema, procedure, name: "" }, None)?;
    let named = ["type_name", "target_type_name", "action_type", "name"].iter();
    let resource = named.filter_map(|field| names[*field].as_str()).next().map(str::to_owned);
    let about = About { schema, procedure, name: resource.as_deref().unwrap_or_default() };
    let request = messages::to_json(request, &input, about, None)?;
    Ok((resource, request))
}
