//! The layer that records: what it knows of the provider, and how a call that has ended is written down. Which procedures
//! there are, and how each becomes messages, is in `procedures`.
//!
//! It sees requests and answers as they cross the seam, marks and all, so that it knows every secret that the door or the
//! provider's schema knows. States that a state store keeps are not recorded: they are not of this provider.

use std::sync::Arc;

use denobridge_core::cty::Value;
use denobridge_core::provider::{GetProviderSchemaRequest, GetProviderSchemaResponse};
use denobridge_core::recording::{Begun, Exchange, Recorder, Side, error_to_json};
use denobridge_core::{Call, CallError, DynamicValue, Provider};
use futures::StreamExt as _;
use prost::Message as _;
use serde_json::{Value as Json, json};
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

use super::messages::{self, Secrets};
use super::shapes::About;
use crate::proto::tfplugin6 as pb;
use crate::wire6::host::Types;
use crate::wire6::{self, Component, ComponentKind, Components};

/// A provider all of whose calls are recorded.
pub struct Recording {
    pub(super) inner: Arc<dyn Provider>,
    pub(super) recorder: Arc<Recorder>,
    pub(super) schema: OnceCell<Arc<Known>>,
}

/// What is known of the provider.
pub(super) struct Known {
    pub answer: GetProviderSchemaResponse,
    pub components: Components,
}

/// What a call is about.
pub(super) struct Of<'a> {
    pub known: &'a Known,
    pub types: Types,
}

impl Of<'_> {
    pub fn component(&self) -> &Component {
        &self.types.component
    }
}

/// A call that is being recorded.
pub(super) struct Running {
    begun: Begun,
    procedure: &'static str,
    name: Option<String>,
    subject: Option<String>,
    pub request: Option<Vec<u8>>,
    /// Values of the request in which parts are marked.
    pub marked: Vec<Value>,
}

impl Recording {
    /// Puts the layer around a provider.
    #[must_use]
    pub fn new(inner: Arc<dyn Provider>, recorder: Arc<Recorder>) -> Self {
        Self { inner, recorder, schema: OnceCell::new() }
    }

    /// The provider's schema, recorded when it is first known. Nothing can be said without.
    pub(super) async fn known(&self, call: &Call) -> Option<&Arc<Known>> {
        let ask = async || {
            // The question itself must not be cancelled half-way by a caller that only wants its own answer sooner.
            let call = call.clone().with_cancellation(CancellationToken::new());
            let answer = self.inner.get_provider_schema(&call, GetProviderSchemaRequest {}).await?;
            Ok::<_, CallError>(self.learn(answer))
        };
        self.schema.get_or_try_init(ask).await.ok()
    }

    pub(super) fn learn(&self, answer: GetProviderSchemaResponse) -> Arc<Known> {
        let identities = wire6::identity_schemas(&answer.schema.identities);
        let identities =
            pb::get_resource_identity_schemas::Response { identity_schemas: identities, ..Default::default() };
        let messages = [
            ("GetProviderSchema", wire6::provider_schema(&answer).encode_to_vec()),
            ("GetResourceIdentitySchemas", identities.encode_to_vec()),
        ];
        for (procedure, message) in messages {
            let about = About { schema: &answer.schema, procedure, name: "" };
            let json = messages::method(6, procedure)
                .and_then(|method| messages::to_json(&message, &method.output(), about, None));
            self.recorder.schema(procedure, json.unwrap_or_else(Json::String));
        }
        Arc::new(Known { answer, components: Components::default() })
    }

    pub(super) fn of<'k>(&self, known: &'k Known, kind: ComponentKind, name: &str) -> Option<Of<'k>> {
        let schema = &known.answer.schema;
        let component = known.components.find(schema, kind, name)?;
        let meta = schema.provider_meta.as_ref().map(|schema| schema.implied_type());
        Some(Of { known, types: Types { component, meta } })
    }

    pub(super) fn begin(&self, call: &Call, procedure: &'static str, name: &str) -> Running {
        Running {
            begun: self.recorder.begin(),
            procedure,
            name: Some(name.to_owned()).filter(|name| !name.is_empty()),
            subject: call.subject().map(str::to_owned),
            request: None,
            marked: Vec::new(),
        }
    }

    /// Writes down a call that has ended. `responses` are the encoded messages of the answer, several of a stream.
    pub(super) fn end(
        &self,
        known: Option<&Arc<Known>>,
        running: Running,
        answer: Result<Vec<Option<Vec<u8>>>, &CallError>,
    ) {
        let Running { begun, procedure, name, subject, request, marked } = running;
        let secrets = Secrets { placeholders: self.recorder.placeholders(), marked: &marked };
        let said = |message: Option<&Vec<u8>>, is_request: bool| {
            let (Some(message), Some(known)) = (message, known) else { return messages::unreadable() };
            let about = About { schema: &known.answer.schema, procedure, name: name.as_deref().unwrap_or_default() };
            let json = messages::method(6, procedure).and_then(|method| {
                let descriptor = if is_request { method.input() } else { method.output() };
                messages::to_json(message, &descriptor, about, Some(&secrets))
            });
            json.unwrap_or_else(|error| json!({"$unreadable": error}))
        };
        let request = said(request.as_ref(), true);
        let is_stream = matches!(procedure, "ListResource" | "InvokeAction");
        let answer = match answer {
            Ok(events) if is_stream => {
                Ok(json!({"events": events.iter().map(|event| said(event.as_ref(), false)).collect::<Vec<_>>()}))
            }
            Ok(response) => Ok(said(response.first().and_then(Option::as_ref), false)),
            Err(error) => Err(error_to_json(error)),
        };
        let procedure = procedure.to_owned();
        self.recorder.end(begun, Exchange { side: Side::Seam, procedure, resource: name, subject, request, answer });
    }
}

/// Adds a value whose marks other values of the call are to have too.
pub(super) fn keep_marked(value: &DynamicValue, marked: &mut Vec<Value>) {
    if let DynamicValue::Value(value) = value
        && !value.marks_deep().is_empty()
    {
        marked.push(value.clone());
    }
}

/// Arguments and results of functions have no schema that says what is secret: only what is marked is.
pub(super) fn keep_secret(value: &DynamicValue, recorder: &Recorder) {
    if let DynamicValue::Value(value) = value {
        // Only for what it tells the placeholders.
        let _ = denobridge_core::recording::to_json(value, &value.ty(), recorder.placeholders());
    }
}

/// A stream whose events are written down when it ends, however it does.
struct Watched {
    recording: Recording,
    known: Option<Arc<Known>>,
    running: Option<Running>,
    messages: Vec<Option<Vec<u8>>>,
}

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            self.recording.end(self.known.as_ref(), running, Ok(std::mem::take(&mut self.messages)));
        }
    }
}

impl Recording {
    pub(super) fn watched<E: Send + 'static>(
        &self,
        events: futures::stream::BoxStream<'static, E>,
        known: Option<Arc<Known>>,
        running: Running,
        message: impl Fn(&E) -> Option<Vec<u8>> + Send + 'static,
    ) -> futures::stream::BoxStream<'static, E> {
        let recording = Self::new(Arc::clone(&self.inner), Arc::clone(&self.recorder));
        let mut watched = Watched { recording, known, running: Some(running), messages: Vec::new() };
        events.inspect(move |event| watched.messages.push(message(event))).boxed()
    }
}
