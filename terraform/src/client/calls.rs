//! How a call waits for its answer, and what becomes of one that ends without.

use std::time::Duration;

use denobridge_core::{Call, CallError};
use tonic::{Code, Status};

use super::ForeignProvider;
use crate::launch::Process;

/// How long a process may take to be gone after its connection broke. Longer waits would only delay the message.
const EXIT_WAIT: Duration = Duration::from_millis(500);

impl ForeignProvider {
    /// Waits for an answer.
    ///
    /// Cancellation does not abandon the call: a provider that is asked to stop answers with what exists, and dropping that
    /// answer would lose it. Only when the time to stop is over nothing is waited for any more.
    pub(super) async fn ask<R>(
        &self,
        call: &Call,
        procedure: &'static str,
        work: impl Future<Output = Result<R, Status>>,
    ) -> Result<R, CallError> {
        if let Some(end) = self.process.as_ref().and_then(Process::end_so_far) {
            let message = format!(
                "{} had ended before it was asked for {procedure}, and is only started again by the next run: {end}",
                self.name
            );
            return Err(CallError::Unavailable { message });
        }
        let mut work = std::pin::pin!(work);
        let answered = tokio::select! {
            answered = &mut work => answered,
            () = passed(call) => return Err(self.too_late()),
            () = call.cancellation().cancelled() => {
                // Whether it could be told to stop does not matter: the answer is waited for either way.
                let _ = self.stop().await;
                tokio::select! {
                    answered = &mut work => answered,
                    () = passed(call) => return Err(self.too_late()),
                    () = tokio::time::sleep(self.stop_grace) => return Err(CallError::Cancelled),
                }
            }
        };
        match answered {
            Ok(answer) => Ok(answer),
            Err(status) => Err(self.failure(procedure, status).await),
        }
    }

    fn too_late(&self) -> CallError {
        CallError::DeadlineExceeded { whom: self.name.clone(), limit: "the time limit of the operation".to_owned() }
    }

    /// What a status means. A process that is gone is the reason for whatever the connection says.
    pub(crate) async fn failure(&self, procedure: &'static str, status: Status) -> CallError {
        let broken = matches!(status.code(), Code::Unavailable | Code::Unknown | Code::Internal | Code::Cancelled);
        if let Some(process) = self.process.as_ref().filter(|_| broken) {
            let wait = if status.code() == Code::Unavailable { EXIT_WAIT } else { Duration::from_millis(20) };
            if let Some(end) = process.ended_within(wait).await {
                return CallError::Unavailable {
                    message: format!("{} ended while it worked on {procedure}: {end}", self.name),
                };
            }
        }
        self.without_process(procedure, &status)
    }

    /// The same without a look at the process.
    pub(super) fn without_process(&self, procedure: &'static str, status: &Status) -> CallError {
        let said = status.message();
        match status.code() {
            Code::Unimplemented => CallError::Unimplemented { procedure },
            Code::Cancelled => CallError::Cancelled,
            Code::DeadlineExceeded => self.too_late(),
            Code::Unavailable => {
                CallError::Unavailable { message: format!("{} cannot be reached for {procedure}: {said}", self.name) }
            }
            code => {
                CallError::Internal { message: format!("{} answered {procedure} with {code:?}: {said}", self.name) }
            }
        }
    }
}

/// Until the call's deadline; for ever if there is none.
async fn passed(call: &Call) {
    match call.deadline() {
        Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
        None => std::future::pending().await,
    }
}
