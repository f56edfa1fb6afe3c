//! One process: its calls, and its end.

use std::collections::HashMap;
use std::io;
use std::pin::pin;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use denobridge_core::call::LogLevel;
use serde_json::Value as Json;
use tokio::io::AsyncRead;
use tokio::process::Child;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::child_log::{ChildLog, PIECE};
use super::failure::Exit;
use super::framing::{Framing, Piece};
use super::incoming::{Incoming, RpcError, excerpt, parse};
use super::launcher::{Launched, ProcessGroup};
use super::limits::Limits;
use super::outbox::Outbox;
use crate::protocol::{Shutdown, ShutdownReason};

/// How long a process may live on after one of its standard streams has been closed; nothing can come of it.
const DEAF: Duration = Duration::from_millis(250);

/// How long to read on after the end of a process. Only a descendant that has left the group can hold the pipes open.
const DRAIN: Duration = Duration::from_millis(500);

/// A process that runs, or has ended. It is killed when this is dropped.
pub(super) struct Session {
    shared: Arc<Shared>,
    _kill: DropGuard,
}

/// What the tasks of a process share.
struct Shared {
    calls: Mutex<Calls>,
    outbox: Outbox,
    log: Arc<ChildLog>,
    limits: Limits,
    signals: Signals,
    /// How the process has ended.
    exit: OnceLock<Arc<Exit>>,
    /// Why we end it.
    reason: OnceLock<Arc<str>>,
}

/// What the one who owns the process is asked for, and tells.
#[derive(Default)]
struct Signals {
    /// Ask it to end.
    terminate: CancellationToken,
    /// End it.
    kill: CancellationToken,
    /// It has closed one of its standard streams.
    deaf: CancellationToken,
    /// It has ended.
    ended: CancellationToken,
}

/// The calls without an answer.
#[derive(Default)]
struct Calls {
    waiting: HashMap<u64, oneshot::Sender<Reply>>,
    last_id: u64,
    /// Lines that were no messages.
    faults: u32,
    /// What it wrote before it was called at all, and which is no message: whoever calls first is told.
    early: Option<Arc<str>>,
    ended: bool,
}

/// What a call comes to, if the process does not end.
type Reply = Result<Result<Json, RpcError>, Lost>;

/// Why a call has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// Its time is up.
    TimedOut,
    /// The process has ended.
    Ended(Arc<Exit>),
    /// The process wrote something that is no answer.
    Fault(Arc<str>),
}

impl Session {
    /// Takes over a process that was started.
    pub(super) fn new(mut launched: Launched, log: Arc<ChildLog>, limits: &Limits) -> Self {
        let shared = Arc::new(Shared {
            calls: Mutex::default(),
            outbox: Outbox::default(),
            log,
            limits: limits.clone(),
            signals: Signals::default(),
            exit: OnceLock::new(),
            reason: OnceLock::new(),
        });
        let child = &mut launched.child;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        if let Some(stdin) = stdin {
            let shared = Arc::clone(&shared);
            tokio::spawn(async move {
                if shared.outbox.write(stdin).await.is_err() {
                    shared.signals.deaf.cancel();
                }
            });
        }
        let reading = tokio::spawn(read(stdout, stderr, Arc::clone(&shared)));
        tokio::spawn(supervise(launched, Arc::clone(&shared), reading));
        let kill = shared.signals.kill.clone().drop_guard();
        Self { shared, _kill: kill }
    }

    /// Calls, and waits for the answer. A call that is given up is taken back, or the process is told.
    pub(super) async fn call(&self, method: &str, params: Arc<str>, deadline: Instant) -> Reply {
        let (sender, reply) = oneshot::channel();
        let waiting = {
            let mut calls = self.shared.calls();
            if let Some(what) = calls.early.take() {
                return Err(Lost::Fault(what));
            }
            if calls.ended {
                return Err(self.shared.lost());
            }
            calls.last_id += 1;
            let id = calls.last_id;
            calls.waiting.insert(id, sender);
            // Under the lock, so that ids increase on the wire, too.
            self.shared.outbox.call(id, method, params);
            Waiting { shared: &self.shared, id }
        };
        match timeout_at(deadline, reply).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(_)) => Err(self.shared.lost()),
            Err(_) => {
                drop(waiting);
                Err(Lost::TimedOut)
            }
        }
    }

    /// Whether the process has ended, or is about to.
    pub(super) fn has_ended(&self) -> bool {
        self.shared.calls().ended || self.shared.signals.kill.is_cancelled()
    }

    /// How the process has ended, as far as that is known.
    pub(super) fn exit(&self) -> Arc<Exit> {
        self.shared.exit()
    }

    /// How the process ended, once it has.
    pub(super) async fn end(&self) -> Arc<Exit> {
        self.shared.signals.ended.cancelled().await;
        self.shared.exit()
    }

    /// Tells the process that it is not needed any more, and then sees to it that it ends.
    pub(super) async fn shut_down(&self, reason: ShutdownReason) {
        let (shared, limits) = (&self.shared, &self.shared.limits);
        let deadline = Instant::now() + limits.grace;
        if let Ok(params) = serde_json::to_string(&Shutdown { reason }) {
            // It may as well just end.
            let _ = self.call("shutdown", params.into(), deadline).await;
        }
        shared.outbox.close();
        if timeout_at(deadline, self.end()).await.is_ok() {
            return;
        }
        let seconds = limits.grace.as_secs_f64();
        shared.log.note(LogLevel::Warn, &format!("has not ended {seconds} s after `shutdown`, and is asked to"));
        shared.signals.terminate.cancel();
        if timeout(limits.termination, self.end()).await.is_err() {
            shared.log.note(LogLevel::Warn, "does not end, and is killed");
            shared.kill("did not end when it was asked to");
            self.end().await;
        }
    }
}

/// A call that waits. When it is dropped before it has been answered, the process is told.
struct Waiting<'s> {
    shared: &'s Shared,
    id: u64,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if self.shared.calls().waiting.remove(&self.id).is_some() {
            self.shared.outbox.give_up(self.id);
        }
    }
}

impl Shared {
    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn exit(&self) -> Arc<Exit> {
        let ending = || Arc::new(Exit { reason: self.reason.get().cloned(), ..Exit::default() });
        self.exit.get().cloned().unwrap_or_else(ending)
    }

    fn lost(&self) -> Lost {
        Lost::Ended(self.exit())
    }

    fn kill(&self, reason: &str) {
        let _ = self.reason.set(reason.into());
        self.signals.kill.cancel();
    }

    /// Takes a line of standard output.
    fn take(&self, line: &[u8]) {
        match parse(line) {
            Incoming::Answer { id, answer } => self.answer(id, answer),
            Incoming::Log(message) => self.log.message(&message),
            Incoming::Unknown { method } => {
                self.log.write(LogLevel::Debug, &format!("called `{method}`, which is ignored"));
            }
            Incoming::Blank => {}
            Incoming::Fault(what) => self.fault(&what),
        }
    }

    fn answer(&self, id: u64, answer: Result<Json, RpcError>) {
        let mut calls = self.calls();
        if let Some(sender) = calls.waiting.remove(&id) {
            drop(calls);
            // Whoever waited may have gone at this moment.
            let _ = sender.send(Ok(answer));
            return;
        }
        let is_late = (1..=calls.last_id).contains(&id);
        drop(calls);
        if is_late {
            self.log.write(LogLevel::Warn, &format!("answered call {id} when nobody waited for it any more"));
        } else {
            self.fault(&format!("it answered with id {id}, which no call has"));
        }
    }

    /// It wrote something that is no message, which may have been meant as the answer to any call.
    fn fault(&self, what: &str) {
        let waiting = {
            let mut calls = self.calls();
            if calls.last_id == 0 {
                calls.early.get_or_insert_with(|| what.into());
            }
            calls.faults += 1;
            if calls.faults > self.limits.faults {
                self.kill("wrote too many lines that are no messages");
            }
            std::mem::take(&mut calls.waiting)
        };
        self.log.write(LogLevel::Warn, &format!("broke the protocol: {what}"));
        let what: Arc<str> = what.into();
        for sender in waiting.into_values() {
            let _ = sender.send(Err(Lost::Fault(Arc::clone(&what))));
        }
    }

    /// The process has ended: whoever still waits is told.
    fn end(&self, exit: Exit) {
        self.log.note(LogLevel::Debug, &exit.to_string());
        let _ = self.exit.set(Arc::new(exit));
        let waiting = {
            let mut calls = self.calls();
            calls.ended = true;
            std::mem::take(&mut calls.waiting)
        };
        // Nobody can be told by way of the process any more.
        self.outbox.close();
        drop(waiting);
        self.signals.ended.cancel();
    }
}

/// Reads both outputs to their ends.
async fn read(stdout: Option<impl AsyncRead + Unpin>, stderr: Option<impl AsyncRead + Unpin>, shared: Arc<Shared>) {
    let messages = async {
        if let Some(stdout) = stdout {
            read_messages(stdout, &shared).await;
        }
        shared.signals.deaf.cancel();
    };
    let lines = async {
        let Some(mut stderr) = stderr else { return };
        let mut framing = Framing::new(PIECE);
        while let Ok(Piece::Line(line) | Piece::Cut(line)) = framing.next(&mut stderr).await {
            shared.log.standard_error(line);
        }
    };
    tokio::join!(messages, lines);
}

async fn read_messages(mut stdout: impl AsyncRead + Unpin, shared: &Shared) {
    let mut framing = Framing::new(shared.limits.line);
    loop {
        match framing.next(&mut stdout).await {
            Ok(Piece::Line(line)) => {
                shared.take(line);
                if shared.signals.kill.is_cancelled() {
                    return;
                }
            }
            Ok(Piece::Cut(line)) => {
                let (limit, beginning) = (shared.limits.line, excerpt(line));
                shared.kill("wrote a line that is too long");
                shared.fault(&format!("it wrote a line of more than {limit} bytes, which begins with {beginning}"));
                return;
            }
            Ok(Piece::End) | Err(_) => return,
        }
    }
}

/// Owns the process: ends it when asked, reaps it in any case, then tells whoever still waits.
async fn supervise(launched: Launched, shared: Arc<Shared>, mut reading: JoinHandle<()>) {
    let Launched { mut child, group } = launched;
    let status = wait(&mut child, group, &shared).await;
    if timeout(DRAIN, &mut reading).await.is_err() {
        reading.abort();
    }
    let (reason, last_lines) = (shared.reason.get().cloned(), shared.log.last_lines());
    shared.end(Exit { status: status.ok(), reason, last_lines });
}

/// Waits for the end of a process. What it has started is gone then, too.
async fn wait(child: &mut Child, group: Box<dyn ProcessGroup>, shared: &Shared) -> io::Result<ExitStatus> {
    let signals = &shared.signals;
    let mut group = Some(group);
    let mut asked = false;
    let mut deaf = pin!(async {
        signals.deaf.cancelled().await;
        sleep(DEAF).await;
    });
    let mut is_deaf = false;
    loop {
        tokio::select! {
            status = child.wait() => return status,
            () = signals.kill.cancelled(), if group.is_some() => {
                group = None;
                // Where the group is not all there is to it.
                let _ = child.start_kill();
            }
            () = signals.terminate.cancelled(), if !asked => {
                asked = true;
                group.iter().for_each(|group| group.ask_to_end());
            }
            () = deaf.as_mut(), if !is_deaf => {
                is_deaf = true;
                shared.kill("closed its standard input or output");
            }
        }
    }
}
