//! The process of a provider that we started: how it ended, and how to end it.

use std::io;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tonic::transport::Channel;

use super::Started;
use super::output::Output;
use crate::proto::plugin::{Empty, grpc_controller_client::GrpcControllerClient};

/// How long a provider has to end after it was asked to, as in go-plugin's own host.
const END_GRACE: Duration = Duration::from_secs(2);

/// A running provider. Dropping it kills it and all that it started.
pub(crate) struct Process {
    id: u32,
    channel: Channel,
    output: Arc<Output>,
    ended: watch::Receiver<Option<String>>,
    kill: Arc<Notify>,
}

impl Process {
    pub(super) fn new(started: Started, output: Arc<Output>, channel: Channel) -> Self {
        let id = started.child.id().unwrap_or_default();
        let (end, ended) = watch::channel(None);
        let kill = Arc::new(Notify::new());
        let killed = Arc::clone(&kill);
        let heard = Arc::clone(&output);
        tokio::spawn(async move {
            let Started { mut child, group } = started;
            let status = tokio::select! {
                status = child.wait() => status,
                () = killed.notified() => {
                    drop(group);
                    // It may have ended by itself just now.
                    let _ = child.start_kill();
                    child.wait().await
                }
            };
            heard.settle().await;
            end.send_replace(Some(describe(status)));
        });
        Self { id, channel, output, ended, kill }
    }

    /// Its number.
    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    /// How it ended, with what it last said, if it ends within `wait`.
    pub(crate) async fn ended_within(&self, wait: Duration) -> Option<String> {
        let mut ended = self.ended.clone();
        tokio::time::timeout(wait, ended.wait_for(Option::is_some)).await.ok()?.ok()?;
        self.end_so_far()
    }

    /// How it ended, with what it last said, if it has.
    pub(crate) fn end_so_far(&self) -> Option<String> {
        let end = self.ended.borrow().clone()?;
        Some(format!("{end}{}", self.output.last_words()))
    }

    /// Asks it to end, and kills it when it does not.
    pub(crate) async fn end(&self) {
        let mut controller = GrpcControllerClient::new(self.channel.clone());
        // Whatever it answers, and whether it does: what counts is that it ends.
        let _ = tokio::time::timeout(END_GRACE, controller.shutdown(Empty {})).await;
        if self.ended_within(END_GRACE).await.is_none() {
            self.kill.notify_one();
            let _ = self.ended_within(END_GRACE).await;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill.notify_one();
    }
}

/// How a process ended, in words.
pub(super) fn describe(status: io::Result<ExitStatus>) -> String {
    match status {
        Ok(status) => status.to_string(),
        Err(error) => format!("its end could not be seen: {error}"),
    }
}
