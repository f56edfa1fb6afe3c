//! The side of the program around a run: takes what provider processes ask, and has the engine ask it.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use denobridge_core::Diagnostic;
use denobridge_core::call::{LogLevel, LogSink};
use serde_json::Value as Json;
use tokio::io::AsyncWriteExt as _;
use tokio::sync::{mpsc, watch};
use tokio::task::{AbortHandle, JoinHandle, JoinSet};

use super::endpoint::{Listener, Reader, Writer};
use super::operation::{Operation, Peer};
use super::stream::{Located, Stream};
use super::wire::{Answer, Ask, BEAT, FORM, HELLO_LIMIT, Hello, LONGEST, Terms, ToProvider, ToWrapper, line};
use crate::configuration::Configuration;
use crate::engine::{Engine, EngineOptions, Label, Outcome, Question, REPORTED, Who};
use crate::process::{Framing, Piece};
use crate::protocol::{Action, AddressSource, Run, ShutdownReason};
use crate::redaction::View;
use crate::run::operation_of;
use crate::{Hook, Moment};

/// How long the provider processes of a command that has ended have to end themselves.
const LEAVING: Duration = Duration::from_secs(2);

/// Where goes what integrations say at the end of stages.
pub type Tell = Arc<dyn Fn(&Diagnostic) + Send + Sync>;

/// What Terraform says, and how to read all that it has said by now.
pub type Source = (Arc<Stream>, Arc<dyn Fn() + Send + Sync>);

/// What a program around a run needs.
pub struct WrapperOptions {
    /// Its integrations.
    pub engine: EngineOptions,
    /// The command, without the program.
    pub arguments: Vec<String>,
    /// A word that cannot be guessed.
    pub token: String,
    /// Where goes what nobody else can be told.
    pub tell: Tell,
    /// What Terraform says, where it can be read.
    pub stream: Option<Source>,
}

/// The program around a run.
pub struct Wrapper {
    shared: Arc<Shared>,
    tasks: Vec<JoinHandle<()>>,
}

struct Shared {
    engine: Arc<Engine>,
    operation: Operation,
    configuration: Configuration,
    terms: Terms,
    token: String,
    stream: Option<Source>,
    next: AtomicU64,
    /// How to write to each provider process.
    connections: Mutex<BTreeMap<u64, Lines>>,
    count: watch::Sender<usize>,
    /// Addresses that calls have taken, until they are over.
    taken: Mutex<Taken>,
}

type Lines = mpsc::UnboundedSender<Vec<u8>>;

/// Addresses by connection, provider and the number of the request.
type Taken = HashMap<(u64, Arc<str>, u64), Located>;

impl Wrapper {
    /// Listens in the folder of the run.
    ///
    /// # Errors
    /// There is nowhere to listen.
    pub async fn start(options: WrapperOptions) -> io::Result<Self> {
        let WrapperOptions { engine, arguments, token, tell, stream } = options;
        let listener = Listener::bind(&engine.run, &token).await?;
        let configuration = engine.configuration.clone();
        let engine = Engine::new(engine);
        let told = stream.as_ref().map(|(stream, _)| Arc::clone(stream));
        let shared = Arc::new(Shared {
            operation: Operation::new(Arc::clone(&engine), operation_of(&arguments), tell, told.clone()),
            engine,
            terms: Terms::from(&configuration),
            configuration,
            token,
            stream,
            next: AtomicU64::new(0),
            connections: Mutex::default(),
            count: watch::Sender::new(0),
            taken: Mutex::default(),
        });
        let log: Arc<dyn LogSink> = Arc::new(NewestLog(Arc::downgrade(&shared)));
        shared.engine.log_to(&log);
        let mut tasks = vec![tokio::spawn(accept(Arc::clone(&shared), listener))];
        if let Some(stream) = told {
            let shared = Arc::clone(&shared);
            tasks.push(tokio::spawn(async move {
                loop {
                    stream.summarized().await;
                    shared.operation.plan_is_told().await;
                }
            }));
        }
        Ok(Self { shared, tasks })
    }

    /// The user has asked the command to stop.
    pub fn interrupt(&self) {
        self.shared.engine.interrupt();
    }

    /// The command has ended: ends all stages, the integrations and the report. Whether a hard integration has refused at the end
    /// of a stage.
    pub async fn finish(self) -> bool {
        let mut count = self.shared.count.subscribe();
        let _ = tokio::time::timeout(LEAVING, count.wait_for(|count| *count == 0)).await;
        self.shared.read_all().await;
        let refused = self.shared.operation.finish().await;
        self.shared.engine.shutdown(ShutdownReason::Complete).await;
        self.tasks.iter().for_each(JoinHandle::abort);
        refused
    }
}

async fn accept(shared: Arc<Shared>, listener: Listener) {
    // Ends with this task, and every connection with it.
    let mut serving = JoinSet::new();
    loop {
        while serving.try_join_next().is_some() {}
        match listener.accept().await {
            Ok((reader, writer)) => drop(serving.spawn(serve(Arc::clone(&shared), reader, writer))),
            // Too many open files, most likely: that passes.
            Err(_) => tokio::time::sleep(BEAT).await,
        }
    }
}

/// Serves one provider process until it is gone.
async fn serve(shared: Arc<Shared>, mut reader: Reader, mut writer: Writer) {
    let mut framing = Framing::new(LONGEST);
    let welcomed = tokio::time::timeout(HELLO_LIMIT, shared.welcome(&mut framing, &mut reader)).await;
    let peer = match welcomed {
        Ok(Ok(peer)) => peer,
        Ok(Err(reason)) => {
            let _ = writer.write_all(&line(&ToProvider::Refused(reason))).await;
            let _ = writer.shutdown().await;
            return;
        }
        Err(_) => return,
    };
    let (lines, to_write) = mpsc::unbounded_channel();
    let _ = lines.send(line(&ToProvider::Welcome));
    shared.connections().insert(peer.connection, lines.clone());
    shared.count.send_modify(|count| *count += 1);
    let mut writing = JoinSet::new();
    writing.spawn(write(writer, to_write));
    // Dropped with everything that is being asked for a process that is gone.
    let (mut tasks, mut running) = (JoinSet::new(), HashMap::<u64, AbortHandle>::new());
    // What is about the run and not only about this process comes to its end: a refusal would be lost with the process otherwise.
    let mut lasting = JoinSet::new();
    while let Ok(Piece::Line(text)) = framing.next(&mut reader).await {
        let Ok(message) = serde_json::from_slice::<ToWrapper>(text) else { break };
        while tasks.try_join_next().is_some() || lasting.try_join_next().is_some() {}
        let (shared, peer) = (Arc::clone(&shared), peer.clone());
        let log_of = |id| -> Arc<dyn LogSink> { Arc::new(RequestLog { lines: lines.clone(), id: Some(id) }) };
        let answers = lines.clone();
        let (id, task) = match message {
            ToWrapper::Hello(_) => break,
            ToWrapper::Secrets(secrets) => {
                shared.engine.known().learn_news(secrets);
                continue;
            }
            ToWrapper::Interrupt => {
                shared.engine.interrupt();
                continue;
            }
            ToWrapper::Cancel { id } => {
                if let Some(task) = running.remove(&id) {
                    task.abort();
                }
                continue;
            }
            ToWrapper::Ask(ask) => {
                let (id, log) = (ask.id, log_of(ask.id));
                let owed = Owed::new(answers, id);
                (id, tasks.spawn(async move { owed.pay(shared.ask(&peer, *ask, &log).await) }))
            }
            ToWrapper::Stage(stage) => {
                let (id, log) = (stage.id, log_of(stage.id));
                let owed = Owed::new(answers, id);
                lasting.spawn(async move { owed.pay(Ok(shared.operation.stage(&peer, *stage, &log).await)) });
                continue;
            }
            ToWrapper::Changes { id } => {
                let owed = Owed::new(answers, id);
                lasting.spawn(async move {
                    shared.read_all().await;
                    shared.operation.before_changes(&peer).await;
                    owed.pay(Ok(Outcome::default()));
                });
                continue;
            }
        };
        running.retain(|_, task| !task.is_finished());
        running.insert(id, task);
    }
    tasks.shutdown().await;
    while lasting.join_next().await.is_some() {}
    shared.connections().remove(&peer.connection);
    shared.taken().retain(|(connection, ..), _| *connection != peer.connection);
    drop(lines);
    shared.operation.closed(&peer).await;
    shared.count.send_modify(|count| *count -= 1);
    writing.shutdown().await;
}

/// An answer that a provider process waits for. It gets one in any case: also of a task that panics.
struct Owed {
    lines: Lines,
    id: u64,
    is_paid: bool,
}

impl Owed {
    fn new(lines: Lines, id: u64) -> Self {
        Self { lines, id, is_paid: false }
    }

    fn pay(mut self, outcome: Result<Outcome, String>) {
        self.is_paid = true;
        answer(&self.lines, self.id, outcome);
    }
}

impl Drop for Owed {
    fn drop(&mut self) {
        // What was cancelled is waited for by nobody.
        if !self.is_paid && std::thread::panicking() {
            answer(&self.lines, self.id, Err("it has failed to ask; this is a fault of denobridge".to_owned()));
        }
    }
}

fn answer(lines: &Lines, id: u64, outcome: Result<Outcome, String>) {
    let answer = outcome
        .map_or_else(|fault| Answer { id, fault: Some(fault), ..Answer::default() }, |outcome| Answer::of(id, outcome));
    // Who has asked may be gone.
    let _ = lines.send(line(&ToProvider::Answer(answer)));
}

async fn write(mut writer: Writer, mut lines: mpsc::UnboundedReceiver<Vec<u8>>) {
    let mut beats = tokio::time::interval(BEAT);
    let beat = line(&ToProvider::Beat);
    loop {
        let written = tokio::select! {
            next = lines.recv() => match next {
                Some(line) => writer.write_all(&line).await,
                None => break,
            },
            _ = beats.tick() => writer.write_all(&beat).await,
        };
        if written.is_err() {
            return;
        }
    }
    let _ = writer.shutdown().await;
}

impl Shared {
    /// Who connects, if it may.
    async fn welcome(&self, framing: &mut Framing, reader: &mut Reader) -> Result<Peer, String> {
        let Ok(Piece::Line(text)) = framing.next(reader).await else { return Err("nothing was said".to_owned()) };
        let Ok(ToWrapper::Hello(hello)) = serde_json::from_slice(text) else {
            return Err(
                "it is another version of this program: use the same for the command and for providers".to_owned()
            );
        };
        let Hello { form, token, process, terms } = hello;
        if form != FORM {
            return Err(format!(
                "it speaks form {FORM} of the connection, and this provider form {form}: use the same version of this program for \
                 the command and for providers"
            ));
        }
        if token != self.token {
            return Err("the word is wrong".to_owned());
        }
        if terms != self.terms {
            return Err(
                "it has read another configuration of integrations than this provider: do not change the file during a run"
                    .to_owned(),
            );
        }
        let connection = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        Ok(Peer { connection, host: process.unwrap_or_default().into() })
    }

    /// Asks about an instance.
    async fn ask(&self, peer: &Peer, mut ask: Ask, log: &Arc<dyn LogSink>) -> Result<Outcome, String> {
        let located = self.locate(peer, &ask).await;
        self.operation.adopt(&mut ask.run);
        for message in &mut ask.messages {
            amend(message, &ask.run, located.as_ref());
        }
        let label = Label::address(located.as_ref().map_or(&ask.label, |located| &located.address));
        let question = Question {
            hook: ask.hook,
            run: &ask.run,
            host: &ask.host,
            who: Who::Of(&ask.provider),
            number: ask.number,
            type_name: ask.type_name.as_deref(),
            id: ask.resource_id.as_deref(),
            action: ask.action,
            label: &label,
            repeated: ask.repeated,
            log: Some(log),
        };
        let views = self.views(&question, &ask)?;
        let message = |view: &View<'_>| {
            let found = views.iter().find(|(other, _)| other == view);
            found.map(|(_, message)| *message)
        };
        Ok(self.engine.ask(&question, message).await)
    }

    /// Which message each view gets. The error says that one has none.
    fn views<'a>(&'a self, question: &Question<'_>, ask: &'a Ask) -> Result<Vec<(View<'a>, &'a Json)>, String> {
        let message = |at: usize| ask.messages.get(at).ok_or_else(|| "a message is missing".to_owned());
        let mut views = Vec::new();
        if self.configuration.report.is_some() {
            views.push((REPORTED, message(ask.report.unwrap_or(usize::MAX))?));
        }
        for integration in self.configuration.integrations.iter().filter(|one| question.may_concern(one)) {
            let at = ask.views.iter().find(|(name, _)| *name == integration.name).map_or(usize::MAX, |(_, at)| *at);
            views.push((View::from(&**integration), message(at)?));
        }
        Ok(views)
    }

    /// The address that Terraform has told of what is asked about.
    async fn locate(&self, peer: &Peer, ask: &Ask) -> Option<Located> {
        let (stream, _) = self.stream.as_ref()?;
        let key = (peer.connection, Arc::clone(&ask.provider), ask.number);
        let is_over = ask.hook.moment() == Moment::After;
        let taken = if is_over { self.taken().remove(&key) } else { None };
        if taken.is_some() {
            return taken;
        }
        self.read_all().await;
        let action = match ask.hook {
            Hook::PreReadDataSource | Hook::PostReadDataSource => Some("read"),
            // Terraform says that it begins before these; a plan may be made again while something else has begun.
            Hook::PreApply | Hook::PostApply => ask.action.map(Action::word),
            _ => None,
        };
        let located = stream.locate(ask.type_name.as_deref()?, ask.resource_id.as_deref(), action)?;
        if !is_over {
            self.taken().insert(key, located.clone());
        }
        Some(located)
    }

    /// Reads all that Terraform has said by now. That waits for whoever reads it from us.
    async fn read_all(&self) {
        if let Some((_, read)) = &self.stream {
            let read = Arc::clone(read);
            let _ = tokio::task::spawn_blocking(move || read()).await;
        }
    }

    fn connections(&self) -> MutexGuard<'_, BTreeMap<u64, Lines>> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes a message of a provider process one of the whole run, with the address that Terraform has told.
fn amend(message: &mut Json, run: &Run, located: Option<&Located>) {
    if let Some(members) = message.get_mut("run").and_then(Json::as_object_mut) {
        members.insert("id".into(), (*run.id).into());
        members.insert("seq".into(), run.seq.into());
        members.insert("operation".into(), serde_json::to_value(run.operation).unwrap_or_default());
    }
    let Some(located) = located else { return };
    let Some(resource) = message.get_mut("resource").and_then(Json::as_object_mut) else { return };
    if resource.get("urn").is_some_and(Json::is_string) {
        return;
    }
    let text = |text: &Arc<str>| Json::from(&**text);
    resource.insert("address".into(), text(&located.address));
    resource.insert("name".into(), text(&located.name));
    resource.insert("module_path".into(), located.module.as_ref().map(text).unwrap_or_default());
    resource.insert("address_source".into(), serde_json::to_value(AddressSource::Stream).unwrap_or_default());
}

/// The log of one request, in the provider process that asks.
struct RequestLog {
    lines: Lines,
    id: Option<u64>,
}

impl LogSink for RequestLog {
    fn enabled(&self, _: LogLevel) -> bool {
        true
    }

    fn log(&self, level: LogLevel, module: &str, message: &str, fields: &[(&str, &str)]) {
        let fields: String = fields.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        let (level, module, message) = (level.into(), module.to_owned(), format!("{message}{fields}"));
        let _ = self.lines.send(line(&ToProvider::Log { id: self.id, level, module, message }));
    }
}

/// What is about no request is in the log of the provider process that came last, since the host shows what those write.
struct NewestLog(std::sync::Weak<Shared>);

impl LogSink for NewestLog {
    fn enabled(&self, _: LogLevel) -> bool {
        true
    }

    fn log(&self, level: LogLevel, module: &str, message: &str, fields: &[(&str, &str)]) {
        let Some(shared) = self.0.upgrade() else { return };
        let newest = shared.connections().last_key_value().map(|(_, lines)| lines.clone());
        if let Some(lines) = newest {
            RequestLog { lines, id: None }.log(level, module, message, fields);
        }
    }
}
