//! The procedures that layers are asked about.

use std::sync::Arc;

use denobridge_core::cty::Type;
use denobridge_core::provider::InvokeActionEvent;
use denobridge_core::{Call, Provider};
use futures::StreamExt as _;
use futures::stream;
use http_body::Frame;
use prost::Message as _;
use tonic::Status;

use super::body::{self, Request, Response};
use super::passing::Passing;
use super::relay::Observed;
use crate::proto::tfplugin6 as pb;
use crate::wire6::{self, Component, ComponentKind};

/// A procedure with one answer: asks the layers, and sends what the provider has answered, or the layers in its place.
macro_rules! one {
    ($observed:ident, $request:ident, $procedure:ident, |$asked:ident, $response:ident| $own:expr) => {{
        let Taken { passing, message } = take($request).await?;
        let $asked = pb::$procedure::Request::decode(message).map_err(unreadable)?;
        let asked = $asked.clone().into();
        let call = $observed.call(&passing);
        let answered = $observed.mounted.$procedure(&call, asked).await;
        // Some answers have nothing but diagnostics.
        #[allow(clippy::needless_update)]
        let more = |diagnostics| pb::$procedure::Response { diagnostics, ..Default::default() };
        Ok(match (passing.answer(), answered) {
            (Some(answer), Ok($response)) => answer.into_response($response.diagnostics, more),
            (Some(answer), Err(_)) => answer.into_original(),
            (None, Ok($response)) => body::own_answer(&$own),
            (None, Err(error)) => body::status_of(&error).into_http(),
        })
    }};
}

/// One that a layer answers in the form of its component.
macro_rules! about {
    ($observed:ident, $request:ident, $procedure:ident, $kind:ident) => {
        one!($observed, $request, $procedure, |asked, response| {
            wire6::$procedure(response, &*$observed.component(ComponentKind::$kind, &asked.type_name).await)
        })
    };
}

impl Observed {
    /// Whether layers are asked about a procedure, under the name that it has in either protocol.
    pub(super) fn is_asked_about(procedure: &str) -> bool {
        matches!(
            procedure,
            "ConfigureProvider"
                | "Configure"
                | "ReadResource"
                | "PlanResourceChange"
                | "ApplyResourceChange"
                | "ImportResourceState"
                | "ReadDataSource"
                | "OpenEphemeralResource"
                | "InvokeAction"
        )
    }

    /// The answer to one of these procedures. Requests and answers are the same messages in both protocols.
    pub(super) async fn answer(&self, procedure: &str, request: Request) -> Result<Response, Status> {
        match procedure {
            "ConfigureProvider" | "Configure" => one!(self, request, configure_provider, |asked, response| {
                let _ = asked;
                pb::configure_provider::Response { diagnostics: wire6::diagnostics(response.diagnostics) }
            }),
            "ImportResourceState" => one!(self, request, import_resource_state, |asked, response| {
                // A layer that finds an object finds one of the type that was asked for.
                let component = self.component(ComponentKind::Resource, &asked.type_name).await;
                wire6::import_resource_state(response, |_| Some(Arc::clone(&component)))
            }),
            "ReadResource" => about!(self, request, read_resource, Resource),
            "PlanResourceChange" => about!(self, request, plan_resource_change, Resource),
            "ApplyResourceChange" => about!(self, request, apply_resource_change, Resource),
            "ReadDataSource" => about!(self, request, read_data_source, DataSource),
            "OpenEphemeralResource" => about!(self, request, open_ephemeral_resource, EphemeralResource),
            _ => self.invoke_action(request).await,
        }
    }

    /// An action: its events are passed on one by one.
    async fn invoke_action(&self, request: Request) -> Result<Response, Status> {
        let Taken { passing, message } = take(request).await?;
        let asked = pb::invoke_action::Request::decode(message).map_err(unreadable)?;
        let answered = self.mounted.invoke_action(&self.call(&passing), asked.into()).await;
        let events = match answered {
            Ok(answer) => answer.events,
            Err(error) => {
                let original = passing.answer().map(|answer| answer.into_original());
                return Ok(original.unwrap_or_else(|| body::status_of(&error).into_http()));
            }
        };
        let head = passing.head().unwrap_or_else(body::own_head);
        let at_end = Arc::clone(&passing);
        let events = events.map(move |event: InvokeActionEvent| Frame::data(passing.event(event)));
        let end = stream::once(async move {
            let (rest, trailers) = at_end.rest();
            stream::iter([Frame::data(rest), Frame::trailers(trailers)])
        });
        Ok(body::stream(head, events.chain(end.flatten())))
    }

    fn call(&self, passing: &Arc<Passing>) -> Call {
        Call::new().with_log(Arc::clone(&self.log)).with_extension(Arc::clone(passing))
    }

    /// The types of a component's values. Where the schema is not to be had, layers can have answered with diagnostics only,
    /// and nulls are the same in every type.
    async fn component(&self, kind: ComponentKind, type_name: &str) -> Arc<Component> {
        match self.provider.foreign().types(&Call::new(), kind, type_name).await {
            Ok(types) => types.component,
            Err(_) => Arc::new(Component { ty: Type::Dynamic, identity: None }),
        }
    }
}

/// A request whose message was read.
struct Taken {
    passing: Arc<Passing>,
    message: bytes::Bytes,
}

/// Reads the message of a request, which stays as it was.
async fn take(request: Request) -> Result<Taken, Status> {
    let (head, body) = request.into_parts();
    let received = body::receive(&head.headers, body).await?;
    let message = received.message.ok_or_else(|| Status::internal("the request is empty"))??;
    let passing = Arc::new(Passing::new(Request::from_parts(head, body::of_bytes(received.bytes))));
    Ok(Taken { passing, message })
}

fn unreadable(error: prost::DecodeError) -> Status {
    Status::internal(format!("the request cannot be read: {error}"))
}
