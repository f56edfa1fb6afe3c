//! Panics, printed so that hosts tell them from log output.
//!
//! Terraform collects what follows a line that starts with `panic: ` and shows it as the plugin's crash when the run
//! ends in failure. The process itself lives on: a call that panicked is answered with a diagnostic.
//!
//! What a panic says may have a secret in it ("cannot parse the token …"). The answer of a call is where secrets are known
//! and taken out, so what a call panicked with is in its answer only; standard error says where it happened.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::fmt::Write as _;
use std::future::Future;
use std::io::Write as _;
use std::panic::PanicHookInfo;

use futures::Stream;
use futures::stream::{self, StreamExt as _};

tokio::task_local! {
    /// Set while a call is answered.
    static ANSWERING: ();
}

/// The answer to a call.
pub(super) fn answering<T>(answer: impl Future<Output = T>) -> impl Future<Output = T> {
    ANSWERING.scope((), answer)
}

/// The answer to a call, in parts.
pub(super) fn answering_in_parts<T>(mut parts: impl Stream<Item = T> + Unpin) -> impl Stream<Item = T> {
    stream::poll_fn(move |context| ANSWERING.sync_scope((), || parts.poll_next_unpin(context)))
}

/// Makes every panic of this process print in the form that hosts know.
pub(super) fn print_as_crashes() {
    std::panic::set_hook(Box::new(|info| {
        // With a backtrace where RUST_BACKTRACE asks for one. There is nobody to tell that writing failed.
        let _ = std::io::stderr().lock().write_all(report(info, &Backtrace::capture()).as_bytes());
    }));
}

fn report(info: &PanicHookInfo<'_>, backtrace: &Backtrace) -> String {
    let of_a_call = ANSWERING.try_with(|()| ()).is_ok();
    let message = if of_a_call { "in a call, whose answer says what it was" } else { message(info.payload()) };
    let mut report = format!("panic: {message}\n");
    if let Some(location) = info.location() {
        let _ = writeln!(report, "\nat {location}");
    }
    if backtrace.status() == BacktraceStatus::Captured {
        let _ = writeln!(report, "\n{backtrace}");
    }
    report
}

/// The text of a panic.
pub(super) fn message(payload: &(dyn std::any::Any + Send)) -> &str {
    payload
        .downcast_ref::<&'static str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}
