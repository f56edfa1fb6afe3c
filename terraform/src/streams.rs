//! What holds for streams in both directions.

use denobridge_core::Diagnostic;
use denobridge_core::provider::InvokeActionEvent;
use futures::stream::{self, BoxStream};
use futures::{Stream, StreamExt as _};

/// Ends an action's events after its first completion, and completes one that was left open with `unfinished`.
pub(crate) fn up_to_completion(
    events: impl Stream<Item = InvokeActionEvent> + Send + 'static,
    unfinished: Diagnostic,
) -> BoxStream<'static, InvokeActionEvent> {
    events
        .chain(stream::iter([InvokeActionEvent::Completed(unfinished.into())]))
        .scan(false, |completed, event| {
            let passed = (!*completed).then_some(event);
            *completed |= matches!(passed, Some(InvokeActionEvent::Completed(_)));
            std::future::ready(passed)
        })
        .boxed()
}
