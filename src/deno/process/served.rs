//! A script of the older contract: run by `deno serve`, and called over HTTP.

use super::super::error::ScriptErrorKind;
use super::super::http::{Endpoint, Health};
use super::super::limits::Limits;
use super::super::log::LogLevel;
use super::super::script_log::ScriptLog;
use super::shared::{InFlight, Shared};
use super::{Announced, CallOptions, Launch, Process, Speech};
use crate::children::Watcher;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often to ask whether the script serves, as hosts of the contract do.
const POLL: Duration = Duration::from_millis(100);
/// A broken connection is most often the first that is seen of a process's end; how long to wait for the rest.
const END: Duration = Duration::from_secs(1);

impl Process {
    /// Starts `deno serve` and waits until the script answers `/health`.
    pub(crate) async fn serve(
        launch: Launch,
        limits: &Limits,
        log: ScriptLog,
        watcher: Arc<Watcher>,
    ) -> Result<Self, ScriptErrorKind> {
        let began = Instant::now();
        let shared = super::spawn(&launch, limits, log, watcher, false).await?;
        let starting = tokio::select! {
            biased;
            served = serving(&shared, limits.message_bytes) => served,
            exit = shared.ended() => Err(match shared.why_ended() {
                ScriptErrorKind::Ended { output, .. } => ScriptErrorKind::EndedAtStart { exit, output },
                other => other,
            }),
            () = tokio::time::sleep(limits.start) => Err(match shared.timed_out(limits.start, false, false) {
                ScriptErrorKind::CallTimeout { limit, output, .. } => ScriptErrorKind::StartTimeout { limit, output },
                other => other,
            }),
        };
        let configured = match starting {
            Ok((endpoint, announced)) => {
                let start_time = began.elapsed();
                let serves = format!("serves {} after {start_time:?}", endpoint.address());
                shared.log.write_of_process(LogLevel::Debug, &serves);
                let speech = Speech::Http { endpoint, longest: limits.message_bytes };
                let process = Self::new(Arc::clone(&shared), speech, announced, start_time);
                process.configure(announced, &launch.configuration, limits.start).await.map(|()| {
                    shared.log.concerns_nobody();
                    process
                })
            }
            Err(kind) => Err(kind),
        };
        if configured.is_err() {
            shared.kill();
            shared.ended().await;
        }
        configured
    }

    /// Sends a call over HTTP. The answer, or the end of the process.
    pub(super) async fn request(
        &self,
        endpoint: &Endpoint,
        longest: usize,
        method: &str,
        params: &Value,
        options: &CallOptions,
    ) -> Result<Value, ScriptErrorKind> {
        let outcome = tokio::select! {
            biased;
            outcome = endpoint.call(method, params, options, longest) => outcome,
            _ = self.shared.ended() => Err(self.shared.why_ended()),
        };
        match outcome {
            Err(ScriptErrorKind::Refused { error, uncaught }) => {
                Err(ScriptErrorKind::Refused { error: Box::new(self.shared.log.masked_error(*error)), uncaught })
            }
            Err(unreachable @ ScriptErrorKind::Unreachable { .. }) => {
                match tokio::time::timeout(END, self.shared.ended()).await {
                    Ok(_) => Err(self.shared.why_ended()),
                    Err(_) => Err(unreachable),
                }
            }
            other => other,
        }
    }
}

impl<'a> InFlight<'a> {
    /// A call that is sent over HTTP.
    pub(super) fn over_http(shared: &'a Shared, exclusive: bool) -> Self {
        Self { shared, id: None, exclusive, done: false }
    }
}

/// Waits for the address that Deno prints, and for the script behind it.
async fn serving(shared: &Shared, longest: usize) -> Result<(Endpoint, Announced), ScriptErrorKind> {
    let port = shared.stderr.find_since(0, listening_port).await;
    let endpoint = Endpoint::local(port)?;
    loop {
        match endpoint.health(longest).await {
            Ok(Health::Ready(says)) => return Ok((endpoint, Announced::read(&says))),
            // Nothing will put a route there that is not there.
            Ok(Health::Status(status @ (404 | 405))) => {
                return Err(ScriptErrorKind::NotServing { status });
            }
            Ok(Health::Status(_)) | Err(_) => tokio::time::sleep(POLL).await,
        }
    }
}

/// The port in Deno's `Listening on http://127.0.0.1:PORT/`.
fn listening_port(line: &str) -> Option<u16> {
    let (_, after) = line.split_once("Listening on http://127.0.0.1:")?;
    after.split('/').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::listening_port;

    #[test]
    fn the_port_in_what_deno_prints() {
        assert_eq!(listening_port("deno serve: Listening on http://127.0.0.1:43991/"), Some(43991));
        assert_eq!(listening_port("Listening on http://127.0.0.1:80/ with 4 threads"), Some(80));
        assert_eq!(listening_port("Listening on http://0.0.0.0:80/"), None);
        assert_eq!(listening_port("Listening on http://127.0.0.1:port/"), None);
    }
}
