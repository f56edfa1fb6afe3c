//! What the callers and the tasks of one process share: the calls in flight, and whether and why it has ended.

use super::super::error::{Begun, Exit, Output, ScriptErrorKind};
use super::super::log::LogLevel;
use super::super::message::{self, METHOD_NOT_FOUND, Message, RpcError};
use super::super::script_log::ScriptLog;
use super::super::stderr::Tail;
use super::ProgressSink;
use super::input::Input;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, oneshot, watch};

type Reply = oneshot::Sender<Result<Value, ScriptErrorKind>>;

pub(super) struct Shared {
    pub(super) log: ScriptLog,
    pub(super) stderr: Tail,
    state: Mutex<State>,
    kill: Notify,
    exit: watch::Sender<Option<Exit>>,
}

struct State {
    /// Lines for the script; gone when its input is closed.
    input: Option<Input>,
    next_id: u64,
    calls: BTreeMap<u64, Pending>,
    /// Why no call can be answered any more.
    end: Option<ScriptErrorKind>,
    /// It has been asked to end, so nothing that it says matters to anybody.
    ending: bool,
    /// The script wants to be told when a call is given up.
    tells_cancelled: bool,
    /// Takes no further calls, though those in flight may still be answered.
    used_up: bool,
    /// The last lines on stdout that are no answers.
    stray: VecDeque<String>,
    /// An answer that has begun.
    unfinished: Option<Box<Begun>>,
}

struct Pending {
    reply: Reply,
    progress: Option<ProgressSink>,
}

/// The notification that gives up the call whose `id` it names, as the Language Server Protocol calls it.
const CANCEL: &str = "$/cancelRequest";
/// How many stray lines an error shows, and how much of each.
const STRAY_LINES: usize = 8;
const STRAY_LENGTH: usize = 200;

impl Shared {
    pub(super) fn new(log: ScriptLog, input: Input) -> Self {
        let state = State {
            input: Some(input),
            next_id: 0,
            calls: BTreeMap::new(),
            end: None,
            ending: false,
            tells_cancelled: false,
            used_up: false,
            stray: VecDeque::new(),
            unfinished: None,
        };
        Self {
            log,
            stderr: Tail::default(),
            state: Mutex::new(state),
            kill: Notify::new(),
            exit: watch::Sender::new(None),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_usable(&self) -> bool {
        let state = self.state();
        state.end.is_none() && !state.used_up && state.input.is_some()
    }

    pub(super) fn use_up(&self) {
        self.state().used_up = true;
    }

    pub(super) fn tells_cancelled(&self, tells: bool) {
        self.state().tells_cancelled = tells;
    }

    pub(super) fn set_ending(&self) {
        self.state().ending = true;
    }

    /// A remark on something that the script should not have done.
    fn remark(&self, text: &str) {
        let level = if self.state().ending { LogLevel::Debug } else { LogLevel::Warning };
        self.log.write(level, text);
    }

    pub(super) fn close_input(&self) {
        self.state().input = None;
    }

    /// Asks for the process's end by force.
    pub(super) fn kill(&self) {
        self.use_up();
        self.kill.notify_one();
    }

    pub(super) async fn kill_asked(&self) {
        self.kill.notified().await;
    }

    /// Waits until the process has been reaped and its calls have been told.
    pub(super) async fn ended(&self) -> Exit {
        let mut exit = self.exit.subscribe();
        // An error would mean that the sender is gone, but it is in `self`.
        let exit = exit.wait_for(Option::is_some).await.ok().and_then(|exit| *exit);
        exit.unwrap_or(Exit { code: None, signal: None })
    }

    /// The process is gone: fails what is in flight and lets [`ended`](Self::ended) return.
    pub(super) fn set_ended(&self, exit: Exit) {
        self.fail_all(|output, unfinished| ScriptErrorKind::Ended { exit, output, unfinished });
        self.exit.send_replace(Some(exit));
    }

    /// Fails everything in flight and everything to come. The first reason stays.
    pub(super) fn fail_all(&self, kind: impl FnOnce(Box<Output>, Option<Box<Begun>>) -> ScriptErrorKind) {
        let mut state = self.state();
        let reason = match state.end.clone() {
            Some(reason) => reason,
            None => kind(self.output(&state), self.unfinished(&state)),
        };
        state.input = None;
        let calls = std::mem::take(&mut state.calls);
        // With several calls in flight nobody knows whose object an answer names, and no later call has made it.
        state.end = Some(reason.clone().without_object());
        let reason = if calls.len() == 1 { reason } else { reason.without_object() };
        for (_, call) in calls {
            let _ = call.reply.send(Err(reason.clone()));
        }
    }

    pub(super) fn why_ended(&self) -> ScriptErrorKind {
        self.state().end.clone().unwrap_or(ScriptErrorKind::Cancelled { grace: Duration::ZERO })
    }

    pub(super) fn timed_out(&self, limit: Duration, of_call: bool, cancelled: bool) -> ScriptErrorKind {
        let state = self.state();
        ScriptErrorKind::CallTimeout {
            limit,
            of_call,
            cancelled,
            output: self.output(&state),
            unfinished: self.unfinished(&state),
        }
    }

    fn output(&self, state: &State) -> Box<Output> {
        Box::new(Output { stderr: self.stderr.all(), stdout: state.stray.iter().cloned().collect() })
    }

    fn unfinished(&self, state: &State) -> Option<Box<Begun>> {
        let mut begun = state.unfinished.clone()?;
        begun.excerpt = self.log.masked(&begun.excerpt);
        Some(begun)
    }

    pub(super) fn set_unfinished(&self, begun: Option<Box<Begun>>) {
        self.state().unfinished = begun;
    }

    pub(super) fn stderr_line(&self, level: LogLevel, line: &str) {
        let line = self.log.masked(line);
        self.log.write(level, &line);
        self.stderr.push(line);
    }

    /// A line on stdout that is no message: remarked on, never a reason to fail while the answer can still come.
    pub(super) fn stray(&self, line: &str) {
        let mut line = self.log.masked(line);
        if let Some((cut, _)) = line.char_indices().nth(STRAY_LENGTH) {
            line.truncate(cut);
            line.push('…');
        }
        self.remark(&format!("ignored a line on standard output that is no JSON-RPC message: {line}"));
        self.keep_stray(line);
    }

    fn keep_stray(&self, line: String) {
        let mut state = self.state();
        state.stray.push_back(line);
        if state.stray.len() > STRAY_LINES {
            state.stray.pop_front();
        }
    }

    /// A damaged message. It answers the call whose id it names, or else whichever is in flight.
    pub(super) fn broken(&self, line: &str, reason: String, head: &str, object: Option<String>) {
        let line = self.log.masked(line);
        self.remark(&format!("a message on standard output is damaged ({reason}): {line}"));
        let kind = ScriptErrorKind::BrokenAnswer { line, reason, object: object.map(Into::into) };
        let mut state = self.state();
        state.used_up = true;
        let named = id_in(head).and_then(|id| state.calls.remove(&id));
        let calls = match named {
            Some(call) => vec![call],
            None => std::mem::take(&mut state.calls).into_values().collect(),
        };
        let kind = if calls.len() == 1 { kind } else { kind.without_object() };
        for call in calls {
            let _ = call.reply.send(Err(kind.clone()));
        }
    }

    /// Whether a value answers a call that is in flight.
    pub(super) fn awaits(&self, value: &Value) -> bool {
        message::answered(value).is_some_and(|id| self.state().calls.contains_key(&id))
    }

    pub(super) fn message(&self, message: Message) {
        match message {
            Message::Answer { id: Some(id), outcome } => self.answer(id, outcome),
            Message::Answer { id: None, outcome } => self.answer_without_id(outcome),
            Message::Call { id, method, params } => self.called(id.as_ref(), &method, &params),
            Message::Other(value) => self.stray(&value.to_string()),
        }
    }

    fn answer(&self, id: u64, outcome: Result<Value, RpcError>) {
        let call = self.state().calls.remove(&id);
        match call {
            // The caller may have gone in the meantime.
            Some(call) => drop(call.reply.send(outcome.map_err(|error| self.refused(error)))),
            // A call that waits in vain then shows it.
            None => {
                let what = format!("(an answer with the id {id}, for which no call waits)");
                self.remark(&format!("ignored {what}"));
                self.keep_stray(what);
            }
        }
    }

    /// The script could not read a call. With one in flight it is clear which; with several, none is failed on a guess,
    /// since that would lose an answer which is still to come.
    fn answer_without_id(&self, outcome: Result<Value, RpcError>) {
        let mut state = self.state();
        let call = if state.calls.len() == 1 { state.calls.pop_first() } else { None };
        drop(state);
        match (call, outcome) {
            (Some((_, call)), Err(error)) => drop(call.reply.send(Err(self.refused(error)))),
            (Some((id, call)), Ok(_)) => {
                self.state().calls.insert(id, call);
                self.remark("ignored an answer without an id");
            }
            (None, _) => self.remark("ignored an answer without an id"),
        }
    }

    fn refused(&self, error: RpcError) -> ScriptErrorKind {
        ScriptErrorKind::Refused { error: Box::new(self.log.masked_error(error)), uncaught: None }
    }

    /// A call by the script. There is one that we know; an answer is sent when the script wants one.
    fn called(&self, id: Option<&Value>, method: &str, params: &Value) {
        let outcome = if method == "invokeProgress" {
            self.progress(params);
            Ok(Value::Null)
        } else {
            self.log.write(LogLevel::Debug, &format!("ignored a call to {method}, which is not a method of ours"));
            Err(RpcError {
                code: METHOD_NOT_FOUND,
                message: format!("Method not found: {method}"),
                data: None,
                object: None,
            })
        };
        if let (Some(id), Some(input)) = (id, &self.state().input) {
            input.send(message::answer(id, outcome));
        }
    }

    /// Progress carries no id in the contract. A script that serves calls at the same time adds `requestId`, the id of
    /// the call that it belongs to.
    fn progress(&self, params: &Value) {
        let text = match params.get("message") {
            Some(Value::String(text)) => self.log.masked(text),
            Some(other) => self.log.masked(&other.to_string()),
            None => return,
        };
        let state = self.state();
        let sink = match params.get("requestId").and_then(Value::as_u64) {
            Some(id) => state.calls.get(&id).and_then(|call| call.progress.clone()),
            None => {
                let mut sinks = state.calls.values().filter_map(|call| call.progress.clone());
                sinks.next().filter(|_| sinks.next().is_none())
            }
        };
        drop(state);
        match sink {
            Some(sink) => sink(text),
            None => self.log.write(LogLevel::Info, &text),
        }
    }
}

/// A call on its way. Dropped before it is done, it takes the process out of use.
pub(super) struct InFlight<'a> {
    pub(super) shared: &'a Shared,
    /// None for a call that is no message.
    pub(super) id: Option<u64>,
    pub(super) exclusive: bool,
    pub(super) done: bool,
}

impl<'a> InFlight<'a> {
    /// Sends the call; `exclusive` when nothing else can be in flight.
    pub(super) fn send(
        shared: &'a Arc<Shared>,
        method: &str,
        params: &Value,
        reply: Reply,
        progress: Option<ProgressSink>,
        exclusive: bool,
    ) -> Result<Self, ScriptErrorKind> {
        let mut state = shared.state();
        let id = state.next_id;
        let gone = || state.end.clone().unwrap_or(ScriptErrorKind::ShutDown);
        let input = state.input.clone().ok_or_else(gone)?;
        state.next_id += 1;
        state.calls.insert(id, Pending { reply, progress });
        drop(state);
        input.send(message::request(id, method, params));
        Ok(Self { shared, id: Some(id), exclusive, done: false })
    }

    /// Lets the script know that nobody waits for the call any more, if it wants to know. It may still answer.
    pub(super) fn tell_cancelled(&self) {
        let state = self.shared.state();
        if let (Some(id), true, Some(input)) = (self.id, state.tells_cancelled, &state.input) {
            input.send(message::notification(CANCEL, &json!({ "id": id })));
        }
    }

    pub(super) fn done(&mut self) {
        self.done = true;
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        if let Some(id) = self.id {
            self.shared.state().calls.remove(&id);
        }
        if self.exclusive {
            self.shared.kill();
        } else {
            // Sent again if the call was cancelled and has used up its grace, which does no harm.
            self.tell_cancelled();
            self.shared.use_up();
        }
    }
}

/// The id of a damaged message, if its beginning has one.
fn id_in(head: &str) -> Option<u64> {
    let (_, after) = head.split_once("\"id\"")?;
    let digits = after.trim_start().strip_prefix(':')?.trim_start().trim_start_matches('"');
    let end = digits.find(|character: char| !character.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}
