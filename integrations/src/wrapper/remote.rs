//! The side of a provider process: what there is to ask goes to the program around the run.
//!
//! Nothing waits for one that is gone. It says every second that it is there, however long integrations take; when it has said
//! nothing for a while, or its end of the connection is closed, nothing is answered any more, and hard integrations deny.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use denobridge_core::call::LogSink;
use serde::Serialize;
use serde_json::Value as Json;
use tokio::io::AsyncWriteExt as _;
use tokio::sync::{OnceCell, mpsc, oneshot};
use tokio::time::MissedTickBehavior;

use super::endpoint::{Endpoint, Reader, Writer};
use super::wire::{
    Answer, Ask, BEAT, FORM, Hello, LONGEST, SECRETS_A_LINE, StageAsk, Terms, ToProvider, ToWrapper, line,
};
use crate::configuration::Configuration;
use crate::engine::{Outcome, Question, REPORTED, Who};
use crate::process::{Framing, Piece};
use crate::protocol::{Counts, HostKind};
use crate::redaction::{Known, View};
use crate::run::{HostProcess, is_test};

/// The environment variable that says how many seconds the program around a run may say nothing.
pub const PATIENCE: &str = "DENOBRIDGE_RUN_TIMEOUT";

/// The program around the run, from a provider process.
pub(crate) struct Remote {
    endpoint: Endpoint,
    configuration: Arc<Configuration>,
    known: Known,
    /// What tells the host's process from others, where that is known.
    process: Option<String>,
    kind: HostKind,
    /// Whether the host was asked to test.
    is_test: bool,
    /// How long the program may say nothing.
    patience: Duration,
    /// Connected when there is something to ask first, or why it is not.
    connection: OnceCell<Result<Arc<Connection>, Arc<str>>>,
}

struct Connection {
    /// Lines to be written; none is the end.
    lines: mpsc::UnboundedSender<Option<Vec<u8>>>,
    next: AtomicU64,
    /// Held while secrets and the question that they matter for are sent.
    sending: Mutex<()>,
    pending: Mutex<Pending>,
    /// Where goes what is about no request.
    log: OnceLock<Arc<dyn LogSink>>,
}

#[derive(Default)]
struct Pending {
    waiting: HashMap<u64, Waiting>,
    /// Why nothing is answered any more.
    gone: Option<Arc<str>>,
}

struct Waiting {
    answer: oneshot::Sender<Answer>,
    log: Option<Arc<dyn LogSink>>,
}

impl Remote {
    /// Nothing is connected yet. `known` is asked for what is new in it.
    pub(crate) fn new(
        endpoint: Endpoint,
        configuration: Arc<Configuration>,
        known: Known,
        host: &HostProcess,
        (kind, patience): (HostKind, Duration),
    ) -> Self {
        let (process, is_test) = (host.name(), is_test(&host.program().unwrap_or_default(), host.arguments()));
        Self { endpoint, configuration, known, process, kind, is_test, patience, connection: OnceCell::new() }
    }

    /// Asks about an instance. The error says why nobody was asked.
    pub(crate) async fn ask<P: Serialize>(
        &self,
        question: &Question<'_>,
        params: impl Fn(&View<'_>) -> P,
    ) -> Result<Outcome, String> {
        let Made { messages, views, report } = self.messages(question, params);
        if views.is_empty() && report.is_none() {
            return Ok(Outcome::default());
        }
        let ask = |id| {
            ToWrapper::Ask(Box::new(Ask {
                id,
                hook: question.hook,
                run: question.run.clone(),
                host: question.host.clone(),
                provider: provider_of(question),
                number: question.number,
                type_name: question.type_name.map(Into::into),
                resource_id: question.id.map(str::to_owned),
                action: question.action,
                label: question.label.text().to_owned(),
                repeated: question.repeated,
                messages,
                views,
                report,
            }))
        };
        self.request(question.log, ask).await?.outcome()
    }

    /// What is sent, once for each view, and who gets which of it.
    fn messages<P: Serialize>(&self, question: &Question<'_>, params: impl Fn(&View<'_>) -> P) -> Made {
        let concerned = self.configuration.integrations.iter().filter(|integration| question.may_concern(integration));
        let mut wanted: Vec<(Option<&Arc<str>>, View<'_>)> =
            concerned.map(|integration| (Some(&integration.name), View::from(&**integration))).collect();
        if self.configuration.report.is_some() {
            wanted.push((None, REPORTED));
        }
        let mut made = Made::default();
        let mut seen: Vec<View<'_>> = Vec::new();
        for (name, view) in wanted {
            let place = seen.iter().position(|other| *other == view).unwrap_or_else(|| {
                seen.push(view);
                made.messages.push(serde_json::to_value(params(&view)).unwrap_or_default());
                seen.len() - 1
            });
            match name {
                Some(name) => made.views.push((Arc::clone(name), place)),
                None => made.report = Some(place),
            }
        }
        made
    }

    /// Tells that a provider is at the beginning or the end of a stage, and what comes of it.
    pub(crate) async fn stage(&self, question: &Question<'_>, counts: Option<Counts>) -> Result<Outcome, String> {
        let stage = |id| {
            ToWrapper::Stage(Box::new(StageAsk {
                id,
                hook: question.hook,
                run: question.run.clone(),
                host: question.host.clone(),
                provider: provider_of(question),
                counts,
                is_test: self.is_test,
            }))
        };
        self.request(question.log, stage).await?.outcome()
    }

    /// Waits until everything that is planned has been looked at.
    pub(crate) async fn before_changes(&self) -> Result<(), String> {
        self.request(None, |id| ToWrapper::Changes { id }).await?.outcome().map(drop)
    }

    /// Tells that the host was asked to stop. Pulumi tells its providers so at the end of every deployment, interrupted or not.
    pub(crate) fn interrupt(&self) {
        if self.kind == HostKind::Terraform
            && let Some(Ok(connection)) = self.connection.get()
        {
            connection.send(&ToWrapper::Interrupt);
        }
    }

    /// Nothing further is asked.
    pub(crate) async fn close(&self) {
        if let Some(Ok(connection)) = self.connection.get() {
            let _ = connection.lines.send(None);
        }
    }

    async fn request(
        &self,
        log: Option<&Arc<dyn LogSink>>,
        message: impl FnOnce(u64) -> ToWrapper,
    ) -> Result<Answer, String> {
        let connected = self.connection.get_or_init(|| async {
            let connected = tokio::time::timeout(self.patience, self.connect()).await;
            connected
                .unwrap_or_else(|_| {
                    Err(format!(
                        "it did not answer within {} s; {PATIENCE} says how long it may take",
                        self.patience.as_secs()
                    ))
                })
                .map_err(|reason| {
                    format!("the program around this run (`denobridge run`) cannot be reached: {reason}").into()
                })
        });
        let connection = connected.await.as_ref().map_err(ToString::to_string)?;
        if let Some(log) = log {
            let _ = connection.log.set(Arc::clone(log));
        }
        let id = connection.next.fetch_add(1, Ordering::Relaxed) + 1;
        let text = line(&message(id));
        if text.len() > LONGEST {
            return Err(format!(
                "it takes {} bytes, and a line to the program around this run may have {LONGEST}",
                text.len()
            ));
        }
        let (answer, answered) = oneshot::channel();
        connection.expect(id, Waiting { answer, log: log.cloned() })?;
        let _asked = Asked { connection, id };
        {
            let _turn = connection.sending.lock().unwrap_or_else(PoisonError::into_inner);
            let mut news = self.known.take_news();
            while !news.is_empty() {
                let rest = news.split_off(news.len().min(SECRETS_A_LINE));
                connection.send(&ToWrapper::Secrets(news));
                news = rest;
            }
            let _ = connection.lines.send(Some(text));
        }
        answered.await.map_err(|_| connection.gone())
    }

    async fn connect(&self) -> Result<Arc<Connection>, String> {
        let (mut reader, mut writer) = self.endpoint.connect().await.map_err(|error| error.to_string())?;
        let hello = Hello {
            form: FORM,
            token: self.endpoint.token.clone(),
            process: self.process.clone(),
            terms: Terms::from(&*self.configuration),
        };
        writer.write_all(&line(&ToWrapper::Hello(hello))).await.map_err(|error| error.to_string())?;
        let mut framing = Framing::new(LONGEST);
        loop {
            match framing.next(&mut reader).await {
                Ok(Piece::Line(text)) => match serde_json::from_slice(text) {
                    Ok(ToProvider::Welcome) => break,
                    Ok(ToProvider::Refused(reason)) => return Err(reason),
                    Ok(_) => {}
                    Err(error) => return Err(error.to_string()),
                },
                Ok(_) => return Err("it has ended".to_owned()),
                Err(error) => return Err(error.to_string()),
            }
        }
        let (lines, to_write) = mpsc::unbounded_channel();
        let connection = Arc::new(Connection {
            lines,
            next: AtomicU64::new(0),
            sending: Mutex::default(),
            pending: Mutex::default(),
            log: OnceLock::new(),
        });
        tokio::spawn(write(writer, to_write));
        tokio::spawn(read(Arc::clone(&connection), reader, framing, self.patience));
        Ok(connection)
    }
}

fn provider_of(question: &Question<'_>) -> Arc<str> {
    match question.who {
        Who::Of(provider) => provider.into(),
        Who::Named(_) => Arc::default(),
    }
}

/// What is sent of an event, once for each view.
#[derive(Default)]
struct Made {
    messages: Vec<Json>,
    /// Which of them an integration gets.
    views: Vec<(Arc<str>, usize)>,
    /// Which of them the report gets.
    report: Option<usize>,
}

/// A request that somebody waits for.
struct Asked<'c> {
    connection: &'c Connection,
    id: u64,
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        if self.connection.pending().waiting.remove(&self.id).is_some() {
            self.connection.send(&ToWrapper::Cancel { id: self.id });
        }
    }
}

impl Connection {
    fn send(&self, message: &ToWrapper) {
        // Whoever waits is told that it is gone.
        let _ = self.lines.send(Some(line(message)));
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn expect(&self, id: u64, waiting: Waiting) -> Result<(), String> {
        let mut pending = self.pending();
        match &pending.gone {
            Some(reason) => Err(reason.to_string()),
            None => {
                pending.waiting.insert(id, waiting);
                Ok(())
            }
        }
    }

    fn gone(&self) -> String {
        self.pending().gone.as_ref().map_or_else(|| "it was not answered".to_owned(), ToString::to_string)
    }

    fn end(&self, reason: &str) {
        let mut pending = self.pending();
        pending.gone = Some(format!("the program around this run (`denobridge run`) {reason}").into());
        pending.waiting.clear();
    }

    fn take(&self, message: ToProvider) {
        match message {
            ToProvider::Answer(answer) => {
                if let Some(waiting) = self.pending().waiting.remove(&answer.id) {
                    let _ = waiting.answer.send(answer);
                }
            }
            ToProvider::Log { id, level, module, message } => {
                let of_request =
                    id.and_then(|id| self.pending().waiting.get(&id).and_then(|waiting| waiting.log.clone()));
                if let Some(log) = of_request.as_ref().or_else(|| self.log.get()) {
                    log.log(level.into(), &module, &message, &[]);
                }
            }
            ToProvider::Welcome | ToProvider::Refused(_) | ToProvider::Beat => {}
        }
    }
}

async fn write(mut writer: Writer, mut lines: mpsc::UnboundedReceiver<Option<Vec<u8>>>) {
    while let Some(Some(line)) = lines.recv().await {
        // Who reads notices that it is gone.
        if writer.write_all(&line).await.is_err() {
            return;
        }
    }
    let _ = writer.shutdown().await;
}

async fn read(connection: Arc<Connection>, mut reader: Reader, mut framing: Framing, patience: Duration) {
    let mut beats = tokio::time::interval(BEAT);
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut missed = 0;
    loop {
        let piece = tokio::select! {
            piece = framing.next(&mut reader) => piece,
            _ = beats.tick() => {
                // Counted and not measured, since both sides may have been suspended for as long as the user likes.
                missed += 1;
                if missed > patience.as_secs().max(1) {
                    let seconds = patience.as_secs();
                    return connection.end(&format!("has said nothing for {seconds} s; {PATIENCE} says how long it may"));
                }
                continue;
            }
        };
        missed = 0;
        match piece {
            Ok(Piece::Line(text)) => match serde_json::from_slice(text) {
                Ok(message) => connection.take(message),
                Err(error) => return connection.end(&format!("says what cannot be understood: {error}")),
            },
            Ok(Piece::Cut(_)) => return connection.end(&format!("says more than {LONGEST} bytes at once")),
            Ok(Piece::End) => return connection.end("has ended"),
            Err(error) => return connection.end(&format!("cannot be heard any more: {error}")),
        }
    }
}
