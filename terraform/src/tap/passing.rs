//! One call on its way through: what the host has sent, and what the provider has answered.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use denobridge_core::provider::InvokeActionEvent;
use denobridge_core::{CallError, Diagnostics};
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};
use http::{HeaderMap, response};
use http_body_util::BodyExt as _;
use prost::Message;
use tonic::{Code, Status};

use super::body::{self, Request, Response};
use super::frames::{self, Frame, Frames};
use super::wired::Wired;
use crate::proto::tfplugin6 as pb;
use crate::wire6;

/// A call that layers are asked about. It is with the call on its way through them.
pub(super) struct Passing {
    /// What the host has sent; none once it was passed on.
    request: Mutex<Option<Request>>,
    answer: Mutex<Option<Answer>>,
}

/// What the provider has answered, as it came.
pub(super) enum Answer {
    /// Nothing.
    Gone(Status),
    /// One message, or only a status.
    One {
        head: response::Parts,
        received: body::Received,
        /// How many diagnostics there are in it.
        said: usize,
    },
    /// A stream of messages, of which these were not passed on yet.
    Stream { head: response::Parts, waiting: VecDeque<Waiting>, trailers: Option<HeaderMap> },
}

/// A message of a stream.
pub(super) struct Waiting {
    frame: Frame,
    /// What layers see of it; none for a message that they do not see.
    seen: Option<Seen>,
}

/// A message of a stream that layers see.
struct Seen {
    /// Not compressed.
    message: Bytes,
    /// How many diagnostics there are in it.
    said: usize,
}

impl Passing {
    pub(super) fn new(request: Request) -> Self {
        Self { request: Mutex::new(Some(request)), answer: Mutex::new(None) }
    }

    /// Passes the request on and waits for its one answer. `said` tells how many diagnostics are in it.
    pub(super) async fn one<R: Message + Default>(
        &self,
        provider: &Wired,
        procedure: &'static str,
        said: impl FnOnce(&R) -> usize,
    ) -> Result<R, CallError> {
        let (head, body) = self.pass(provider, procedure).await?.into_parts();
        let received = match body::receive(&head.headers, body).await {
            Ok(received) => received,
            Err(status) => return Err(self.gone(provider, procedure, status).await),
        };
        let status = body::status(&head.headers, received.trailers.as_ref());
        let decoded = match &received.message {
            Some(Ok(message)) => R::decode(message.clone()).map_err(|error| error.to_string()),
            Some(Err(status)) => Err(status.message().to_owned()),
            None => Err("it is empty".to_owned()),
        };
        let count = decoded.as_ref().map_or(0, said);
        *lock(&self.answer) = Some(Answer::One { head, received, said: count });
        if status.code() != Code::Ok {
            return Err(provider.foreign().failure(procedure, status).await);
        }
        decoded.map_err(|error| internal(format!("the answer to {procedure} cannot be read: {error}")))
    }

    /// Passes the request of an action on. Its events are kept for [`Self::event`] as they came.
    pub(super) async fn events(
        self: std::sync::Arc<Self>,
        provider: &Wired,
    ) -> Result<BoxStream<'static, InvokeActionEvent>, CallError> {
        const PROCEDURE: &str = "InvokeAction";
        let (head, body) = self.pass(provider, PROCEDURE).await?.into_parts();
        // An answer that is only a status has it in its head.
        if let Some(status) = Status::from_header_map(&head.headers).filter(|status| status.code() != Code::Ok) {
            *lock(&self.answer) = Some(Answer::One { head, received: body::Received::default(), said: 0 });
            return Err(provider.foreign().failure(PROCEDURE, status).await);
        }
        let headers = head.headers.clone();
        *lock(&self.answer) = Some(Answer::Stream { head, waiting: VecDeque::new(), trailers: None });
        let begun = (self, headers, body, Frames::default());
        let events = stream::unfold(begun, |(passing, headers, mut body, mut frames)| async move {
            let event = passing.next_event(&headers, &mut body, &mut frames).await?;
            Some((event, (passing, headers, body, frames)))
        });
        Ok(events.boxed())
    }

    /// The next event; none at the end, however it came about.
    async fn next_event(
        &self,
        head: &HeaderMap,
        body: &mut tonic::body::Body,
        frames: &mut Frames,
    ) -> Option<InvokeActionEvent> {
        loop {
            match frames.next() {
                Ok(Some(frame)) => {
                    let message = frame.message(head).ok();
                    let event = message.clone().and_then(|message| pb::invoke_action::Event::decode(message).ok());
                    let event = event.and_then(wire6::host::invoke_action_event);
                    let seen = message.zip(event.as_ref()).map(|(message, event)| Seen { message, said: count(event) });
                    self.stream(|waiting, _| waiting.push_back(Waiting { frame, seen }));
                    if event.is_some() {
                        return event;
                    }
                    continue;
                }
                Ok(None) => {}
                Err(status) => return self.ended(&status),
            }
            match body.frame().await {
                Some(Ok(part)) => match part.into_data() {
                    Ok(data) => frames.push(&data),
                    Err(part) => self.stream(|_, trailers| *trailers = part.into_trailers().ok()),
                },
                Some(Err(error)) => return self.ended(&Status::unavailable(error.to_string())),
                None => return None,
            }
        }
    }

    /// Ends the stream with a status that the provider has not sent.
    fn ended(&self, status: &Status) -> Option<InvokeActionEvent> {
        let mut headers = HeaderMap::new();
        let added = status.add_header(&mut headers);
        self.stream(|_, trailers| *trailers = added.is_ok().then_some(headers));
        None
    }

    /// The bytes that stand for an event that layers have let through, with what stood before it and what they have added.
    pub(super) fn event(&self, event: InvokeActionEvent) -> Bytes {
        let mut bytes = Vec::new();
        let original = self.stream(|waiting, _| {
            loop {
                let next = waiting.pop_front()?;
                match next.seen {
                    Some(seen) => break Some((next.frame, seen)),
                    None => bytes.extend_from_slice(&next.frame.bytes),
                }
            }
        });
        let frame = match (original, event) {
            (Some((frame, seen)), InvokeActionEvent::Completed(diagnostics)) if diagnostics.len() > seen.said => {
                let more = wire6::completed(added(diagnostics, seen.said)).encode_to_vec();
                frames::framed(&seen.message, &more).unwrap_or(frame.bytes)
            }
            (Some((frame, _)), _) => frame.bytes,
            (None, event) => {
                frames::framed(&wire6::invoke_action_event(event).encode_to_vec(), &[]).unwrap_or_default()
            }
        };
        bytes.extend_from_slice(&frame);
        bytes.into()
    }

    /// What is left of the provider's events when the layers have no more, and the end.
    pub(super) fn rest(&self) -> (Bytes, HeaderMap) {
        let rest = self.stream(|waiting, trailers| {
            let bytes: Vec<u8> = waiting.drain(..).flat_map(|waiting| waiting.frame.bytes).collect();
            Some((bytes.into(), trailers.take().unwrap_or_else(body::ok)))
        });
        rest.unwrap_or_else(|| (Bytes::new(), body::ok()))
    }

    /// The head of the provider's stream, if there is one.
    pub(super) fn head(&self) -> Option<response::Parts> {
        match &*lock(&self.answer) {
            Some(Answer::Stream { head, .. }) => Some(without_length(head.clone())),
            _ => None,
        }
    }

    /// What the provider has answered; none if it was not asked.
    pub(super) fn answer(&self) -> Option<Answer> {
        lock(&self.answer).take()
    }

    async fn pass(&self, provider: &Wired, procedure: &'static str) -> Result<Response, CallError> {
        let request = lock(&self.request).take();
        let request = request.ok_or_else(|| internal(format!("{procedure} was passed on already")))?;
        match body::pass(provider.channel(), request).await {
            Ok(response) => Ok(response),
            Err(status) => Err(self.gone(provider, procedure, status).await),
        }
    }

    async fn gone(&self, provider: &Wired, procedure: &'static str, status: Status) -> CallError {
        *lock(&self.answer) = Some(Answer::Gone(status.clone()));
        provider.foreign().failure(procedure, status).await
    }

    fn stream<T: Default>(&self, work: impl FnOnce(&mut VecDeque<Waiting>, &mut Option<HeaderMap>) -> T) -> T {
        match &mut *lock(&self.answer) {
            Some(Answer::Stream { waiting, trailers, .. }) => work(waiting, trailers),
            _ => T::default(),
        }
    }
}

impl Answer {
    /// The answer as it came, with what layers have said behind it. `more` makes a message of it.
    pub(super) fn into_response<R: Message>(
        self,
        diagnostics: Diagnostics,
        more: impl FnOnce(Vec<pb::Diagnostic>) -> R,
    ) -> Response {
        match self {
            Self::One { head, received: body::Received { message: Some(Ok(message)), trailers, .. }, said }
                if diagnostics.len() > said =>
            {
                let more = more(wire6::diagnostics(added(diagnostics, said))).encode_to_vec();
                with_more(head, &message, &more, trailers)
            }
            other => other.into_original(),
        }
    }

    /// The answer as it came.
    pub(super) fn into_original(self) -> Response {
        match self {
            Self::Gone(status) => status.into_http(),
            Self::One { head, received, .. } => body::answer(head, received.bytes, received.trailers),
            Self::Stream { head, .. } => body::answer(head, Bytes::new(), Some(body::ok())),
        }
    }
}

/// A message with more behind it.
pub(super) fn with_more(head: response::Parts, message: &[u8], more: &[u8], trailers: Option<HeaderMap>) -> Response {
    match frames::framed(message, more) {
        Ok(bytes) => body::answer(without_length(head), bytes, trailers),
        Err(status) => status.into_http(),
    }
}

/// The head of an answer that may have become longer.
fn without_length(mut head: response::Parts) -> response::Parts {
    head.headers.remove(http::header::CONTENT_LENGTH);
    head
}

/// What layers have added to what the provider has said.
fn added(diagnostics: Diagnostics, said: usize) -> Diagnostics {
    diagnostics.into_iter().skip(said).collect()
}

fn count(event: &InvokeActionEvent) -> usize {
    match event {
        InvokeActionEvent::Progress(_) => 0,
        InvokeActionEvent::Completed(diagnostics) => diagnostics.len(),
    }
}

fn internal(message: String) -> CallError {
    CallError::Internal { message }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Whatever has panicked, nothing half is in it.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
