//! Streams of a provider on their way out.

use std::panic::AssertUnwindSafe;

use denobridge_core::provider::InvokeActionEvent;
use denobridge_core::{Diagnostic, Diagnostics};
use futures::StreamExt as _;
use futures::stream::BoxStream;
use tokio_util::sync::DropGuard;

use super::super::panic;
use super::Failure;
use crate::proto::tfplugin6 as pb;
use crate::{streams, wire6};

/// A provider's stream: a panic in it becomes its last item, and dropping it cancels the call.
pub(super) fn guarded<T: Send + 'static>(
    events: BoxStream<'static, T>,
    guard: DropGuard,
) -> BoxStream<'static, Result<T, Diagnostics>> {
    // Nothing of the stream is used after a panic.
    AssertUnwindSafe(panic::answering_in_parts(events))
        .catch_unwind()
        .map(move |event| {
            let _cancels_when_dropped = &guard;
            event.map_err(|payload| Failure::Panic(panic::message(&*payload).to_owned()).into())
        })
        .boxed()
}

/// Ends an action's events after its completion, and completes one that its provider left open.
pub(super) fn up_to_completion(
    events: BoxStream<'static, Result<InvokeActionEvent, Diagnostics>>,
) -> BoxStream<'static, pb::invoke_action::Event> {
    let unfinished = Diagnostic::error(
        "Action ended without a result",
        "The provider's stream of events ended before it said whether the action succeeded. This is a bug in the provider.",
    );
    let events = events.map(|event| event.map_or_else(InvokeActionEvent::Completed, std::convert::identity));
    streams::up_to_completion(events, unfinished).map(wire6::invoke_action_event).boxed()
}
