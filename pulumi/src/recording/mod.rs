//! What the engine asks and is answered, recorded without secrets, and asked again from a recording.
//!
//! Messages are recorded as protobuf's own JSON by the names in the protocol files; property values are then what the engine
//! has on the wire, signatures and all.

mod messages;
mod player;
mod records;
mod secrets;

use std::sync::Arc;

use denobridge_core::recording::{Begun, Exchange, Recorder, STRUCTURAL, Side};
use serde_json::{Value as Json, json};
use tonic::Status;

use crate::package::LoadedPackage;
use secrets::Concealing;

pub use player::Player;
pub(crate) use secrets::SecretNames;

/// A call of the engine that is being recorded.
pub(crate) struct RecordedCall {
    recorder: Arc<Recorder>,
    begun: Begun,
    procedure: &'static str,
    request: Json,
    about: messages::About,
}

impl RecordedCall {
    /// Notes the call, and what in it is secret: whatever else is recorded until it ends is to be without. `packages` are
    /// those that the engine may mean; their schemas tell what is secret.
    pub(crate) fn begin(
        recorder: &Arc<Recorder>,
        procedure: &'static str,
        packages: &[Arc<LoadedPackage>],
        request: &impl prost::Message,
    ) -> Self {
        let (recorder, begun) = (Arc::clone(recorder), recorder.begin());
        let request = messages::request_to_json(procedure, &request.encode_to_vec()).unwrap_or_else(unreadable);
        let about = messages::About::of(&request);
        Concealing::new(recorder.placeholders(), packages, &about, procedure).message(&mut request.clone());
        Self { recorder, begun, procedure, request, about }
    }

    /// Writes the call down, with the packages that there are now.
    pub(crate) fn end(self, packages: &[Arc<LoadedPackage>], answer: Result<&impl prost::Message, &Status>) {
        let Self { recorder, begun, procedure, mut request, about } = self;
        let answer = match answer {
            Ok(answer) => Ok(messages::response_to_json(procedure, &answer.encode_to_vec()).unwrap_or_else(unreadable)),
            Err(status) => Err(messages::status_to_json(status)),
        };
        let concealing = Concealing::new(recorder.placeholders(), packages, &about, procedure);
        concealing.message(&mut request);
        recorder.placeholders().mask(&mut request, &STRUCTURAL);
        let concealing = concealing.of_answer();
        let conceal = |mut json: Json| {
            concealing.message(&mut json);
            json
        };
        let exchange = Exchange {
            side: Side::Door,
            procedure: procedure.to_owned(),
            resource: about.token,
            subject: about.urn,
            request,
            answer: answer.map(conceal).map_err(conceal),
        };
        recorder.end(begun, exchange);
    }
}

fn unreadable(error: String) -> Json {
    json!({"$unreadable": error})
}
