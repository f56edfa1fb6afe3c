//! Plays a recording to Terraform's door: what a provider was asked is asked again as Terraform asks it, and the recorded
//! answers have to come back through the door as they were.

use std::sync::Arc;

use bytes::Bytes;
use denobridge_core::Provider;
use denobridge_core::recording::{Difference, differences, error_from_json};
use futures::TryStreamExt as _;
use http::uri::PathAndQuery;
use serde_json::{Value as Json, json};
use tonic::client::Grpc;
use tonic::transport::Channel;
use tonic::{Request, Status};

use super::codec::Encoded;
use super::messages::unreadable;
use super::replay::connection;
use super::tape::{Answer, RecordedCall, Tape};
use crate::serve;

/// What the door answers itself, without the provider.
const OF_THE_DOOR: [&str; 5] = ["GetMetadata", "GetFunctions", "GetResourceIdentitySchemas", "StopProvider", "Stop"];

/// Terraform's end of a connection to our door.
pub struct Host {
    tape: Arc<Tape>,
    grpc: Grpc<Channel>,
}

impl Host {
    /// A host that asks this provider, whose answers are those of the tape, in the protocol of the tape. Must be called inside
    /// a tokio runtime.
    #[must_use]
    pub fn new(tape: Arc<Tape>, provider: Arc<dyn Provider>) -> Self {
        let (channel, theirs) = connection();
        serve::over(theirs, provider, tape.protocol());
        Self { tape, grpc: Grpc::new(channel).max_decoding_message_size(usize::MAX) }
    }

    /// Asks what was recorded; where the answer is another one now. `None`: the call is one that the provider is not asked.
    ///
    /// # Errors
    /// The recorded question cannot be asked; says why.
    pub async fn ask(&self, call: &RecordedCall) -> Result<Option<Vec<Difference>>, String> {
        if OF_THE_DOOR.contains(&call.procedure.as_str()) {
            return Ok(None);
        }
        let asked = self.encoded_answers(call).await?;
        Ok(Some(match (&call.answer, asked) {
            (Answer::Error(error), answers) => self.same_error(call, error, answers)?,
            (_, Err(status)) => vec![error_instead(&status)],
            (Answer::Encoded(recorded), Ok(answers)) => {
                let [mut recorded, now] = [self.tape.readable(call, recorded)?, self.one(call, &answers)?];
                drop_unreadable_identities(&mut recorded);
                without_nulls(differences(&recorded, &now))
            }
            (Answer::Readable(recorded), Ok(answers)) if recorded.get("events").is_some() => {
                without_nulls(differences(recorded, &json!({"events": self.all(call, &answers)?})))
            }
            (Answer::Readable(recorded), Ok(answers)) => {
                without_nulls(differences(recorded, &self.one(call, &answers)?))
            }
        }))
    }

    async fn encoded_answers(&self, call: &RecordedCall) -> Result<Result<Vec<Bytes>, Status>, String> {
        let question = self.tape.question(call)?;
        let path = format!("/tfplugin{}.Provider/{}", self.tape.protocol(), call.procedure);
        let path = PathAndQuery::try_from(path).map_err(|error| error.to_string())?;
        let mut grpc = self.grpc.clone();
        grpc.ready().await.map_err(|error| format!("the door cannot be reached: {error}"))?;
        // One answer is a stream of one.
        Ok(match grpc.server_streaming(Request::new(question), path, Encoded).await {
            Ok(answers) => answers.into_inner().try_collect().await,
            Err(status) => Err(status),
        })
    }

    fn all(&self, call: &RecordedCall, answers: &[Bytes]) -> Result<Vec<Json>, String> {
        answers.iter().map(|answer| self.tape.readable(call, answer)).collect()
    }

    fn one(&self, call: &RecordedCall, answers: &[Bytes]) -> Result<Json, String> {
        self.tape.readable(call, answers.first().map(AsRef::as_ref).unwrap_or_default())
    }

    /// The door tells an error as a diagnostic, so that Terraform shows what it says.
    fn same_error(
        &self,
        call: &RecordedCall,
        error: &Json,
        answers: Result<Vec<Bytes>, Status>,
    ) -> Result<Vec<Difference>, String> {
        let text = error_from_json(error).to_string();
        let now = match answers {
            Ok(answers) => Json::Array(self.all(call, &answers)?),
            Err(status) => status.message().into(),
        };
        // A provider need not check anything: the door then finds nothing wrong.
        let is_unchecked = error["kind"] == "unimplemented" && call.procedure.starts_with("Validate");
        if is_unchecked || says(&now, &text) {
            return Ok(Vec::new());
        }
        Ok(vec![Difference { path: "error".to_owned(), recorded: Some(error.clone()), now: Some(now) }])
    }
}

/// The Go bridge asks for no schemas of identities, so that nobody can read one in its logs, and none gets through our door.
fn drop_unreadable_identities(json: &mut Json) {
    match json {
        Json::Object(members) => {
            members.retain(|_, member| member["identity_data"] != unreadable());
            members.values_mut().for_each(drop_unreadable_identities);
        }
        Json::Array(items) => items.iter_mut().for_each(drop_unreadable_identities),
        _ => {}
    }
}

/// What was not sent is null.
fn without_nulls(mut found: Vec<Difference>) -> Vec<Difference> {
    let is_something = |json: &Option<Json>| json.as_ref().is_some_and(|json| !json.is_null());
    found.retain(|difference| is_something(&difference.recorded) || is_something(&difference.now));
    found
}

fn error_instead(status: &Status) -> Difference {
    let error = json!({"code": format!("{:?}", status.code()), "message": status.message()});
    Difference { path: "error".to_owned(), recorded: None, now: Some(error) }
}

fn says(answer: &Json, text: &str) -> bool {
    match answer {
        Json::String(said) => said.contains(text),
        Json::Array(items) => items.iter().any(|item| says(item, text)),
        Json::Object(members) => members.values().any(|member| says(member, text)),
        _ => false,
    }
}
