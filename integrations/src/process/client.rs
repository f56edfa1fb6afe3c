//! The life of one integration: started when it is first needed, started again when it ends too early, given up when that
//! does not help, and shut down at the end.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use denobridge_core::call::{LogLevel, LogSink};
use futures::future::{BoxFuture, FutureExt, Shared};
use serde_json::Value as Json;
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, timeout_at};

use super::agreement::{self, Agreement, Hooks};
use super::child_log::ChildLog;
use super::failure::{Exit, Failure};
use super::incoming::{METHOD_NOT_FOUND, RpcError, excerpt};
use super::launcher::Launcher;
use super::limits::Limits;
use super::outbox;
use super::session::{Lost, Session};
use crate::Hook;
use crate::configuration::{FailMode, Integration};
use crate::protocol::{Action, HookResult, Initialize, ShutdownReason, Status};

/// One integration.
pub struct Client {
    setup: Arc<Setup>,
    /// The hooks at which it may be asked at all.
    possible: Hooks,
    in_flight: Semaphore,
    life: Mutex<Life>,
}

/// What a process is started with.
struct Setup {
    integration: Arc<Integration>,
    launcher: Arc<dyn Launcher>,
    hello: Initialize,
    limits: Limits,
    log: Arc<ChildLog>,
}

struct Life {
    state: State,
    /// What was agreed on with the process that was last started.
    agreement: Option<Arc<Agreement>>,
    /// Hooks that it turned out not to know.
    dropped: Hooks,
    restarts: u32,
    /// Calls without an answer in time since the last that had one.
    timeouts: u32,
    remarks: Vec<String>,
    told: BTreeSet<String>,
}

enum State {
    /// Nobody has needed it yet.
    Idle,
    Starting(Start),
    Running(Arc<Session>),
    /// It is not asked any more. If it still runs, it is told when it is over.
    Disabled {
        because: Arc<Failure>,
        session: Option<Arc<Session>>,
    },
    ShutDown,
}

/// A start that all wait for together. It goes on when nobody waits for it.
#[derive(Clone)]
struct Start {
    outcome: Shared<BoxFuture<'static, Result<Started, Failure>>>,
    task: AbortHandle,
}

/// A process that is ready.
#[derive(Clone)]
struct Started {
    session: Arc<Session>,
    agreement: Arc<Agreement>,
}

impl Client {
    /// An integration that has not been started yet. `hello` is what it is told first.
    #[must_use]
    pub fn new(
        integration: Arc<Integration>,
        launcher: Arc<dyn Launcher>,
        hello: Initialize,
        limits: Limits,
        log: Arc<dyn LogSink>,
    ) -> Arc<Self> {
        let life = Life {
            state: State::Idle,
            agreement: None,
            dropped: Hooks::default(),
            restarts: 0,
            timeouts: 0,
            remarks: Vec::new(),
            told: BTreeSet::new(),
        };
        Arc::new(Self {
            possible: Hooks::possible(&integration, &hello),
            in_flight: Semaphore::new(limits.in_flight),
            life: Mutex::new(life),
            setup: Arc::new(Setup {
                log: Arc::new(ChildLog::new(log, &integration.name, &limits)),
                integration,
                launcher,
                hello,
                limits,
            }),
        })
    }

    /// The integration that it is.
    #[must_use]
    pub fn integration(&self) -> &Arc<Integration> {
        &self.setup.integration
    }

    /// Starts it, as the first hook would, unless it runs already.
    ///
    /// # Errors
    /// It does not start.
    pub async fn start(&self) -> Result<(), Failure> {
        self.session().await.map(drop)
    }

    /// Whether it wants to be asked at this hook: the file lets it, it has subscribed, and its filter has nothing against the
    /// type and the action. Starts it if that has to be found out.
    ///
    /// # Errors
    /// It does not start. The first who is told so is told why; others get [`Failure::Disabled`].
    pub async fn wants(&self, hook: Hook, type_name: Option<&str>, action: Option<Action>) -> Result<bool, Failure> {
        if !self.possible.contains(hook) {
            return Ok(false);
        }
        let known = {
            let life = self.life();
            if life.dropped.contains(hook) {
                return Ok(false);
            }
            life.agreement.clone()
        };
        if let Some(agreement) = known {
            return Ok(agreement.wants(hook, type_name, action));
        }
        self.session().await?;
        let agreement = self.life().agreement.clone();
        Ok(agreement.is_some_and(|agreement| agreement.wants(hook, type_name, action)))
    }

    /// Asks it. `params` is JSON, and may be shared between integrations. Waits for a place among the calls that are with it
    /// at once; its time limit counts from when it is sent.
    ///
    /// # Errors
    /// It has no result, for one of many reasons.
    pub async fn call(&self, hook: Hook, params: &Arc<str>) -> Result<HookResult, Failure> {
        let (method, limits) = (hook.method(), &self.setup.limits);
        let bytes = params.len() + outbox::overhead(method);
        if bytes > limits.line {
            return Err(Failure::TooLong { method, bytes, limit: limits.line });
        }
        let Ok(_place) = self.in_flight.acquire().await else { return Err(Failure::ShutDown) };
        let mut session = self.session().await?;
        let limit = self.setup.integration.timeout;
        let deadline = Instant::now() + limit;
        loop {
            let reply = session.call(method, Arc::clone(params), deadline).await;
            self.count(&reply);
            match reply {
                Ok(Ok(result)) => return read(method, result),
                Ok(Err(error)) if error.code == METHOD_NOT_FOUND => {
                    self.drop_hook(hook);
                    return Ok(nothing_to_say());
                }
                Ok(Err(error)) => return Err(Failure::Error { method, error: error.text().into() }),
                Err(Lost::TimedOut) => return Err(Failure::Timeout { method, limit }),
                Err(Lost::Fault(what)) => return Err(Failure::Protocol { what }),
                Err(Lost::Ended(exit)) => session = self.another(method, exit, deadline).await?,
            }
        }
    }

    /// What is worth a warning, each only once: subscriptions that we do not know, a hook that it does not know after all.
    #[must_use]
    pub fn take_remarks(&self) -> Vec<String> {
        std::mem::take(&mut self.life().remarks)
    }

    /// Whether it has been needed so far.
    #[must_use]
    pub fn is_started(&self) -> bool {
        !matches!(self.life().state, State::Idle)
    }

    /// Tells it that it is over, and sees to it that its process ends, with all that it has started: it is told, then asked,
    /// then killed. Calls that are still with it may be answered until then. Nothing is started any more.
    pub async fn shutdown(&self, reason: ShutdownReason) {
        let state = std::mem::replace(&mut self.life().state, State::ShutDown);
        match state {
            State::Running(session) | State::Disabled { session: Some(session), .. } => {
                session.shut_down(reason).await;
            }
            // Whatever there is of it is killed when it is dropped.
            State::Starting(start) => start.task.abort(),
            _ => {}
        }
    }

    fn life(&self) -> MutexGuard<'_, Life> {
        self.life.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The process for a call whose first one has ended.
    async fn another(&self, method: &'static str, exit: Arc<Exit>, deadline: Instant) -> Result<Arc<Session>, Failure> {
        match timeout_at(deadline, self.session()).await {
            Ok(Ok(session)) => Ok(session),
            Ok(Err(Failure::ShutDown)) => Err(Failure::ShutDown),
            // Why it does not start again is in the log; what led to it is what the user must know.
            Ok(Err(_)) | Err(_) => Err(Failure::Crashed { method, exit, restarts: self.life().restarts }),
        }
    }

    /// The process that runs; it is started if there is none.
    async fn session(&self) -> Result<Arc<Session>, Failure> {
        loop {
            let start = {
                let mut life = self.life();
                match life.step(&self.setup) {
                    Step::Ready(session) => return Ok(session),
                    Step::Failed(failure) => return Err(failure),
                    Step::Wait(start) => start,
                }
            };
            let outcome = start.outcome.clone().await;
            if let Some(failure) = self.life().settle(&self.setup, &start, outcome) {
                return Err(failure);
            }
        }
    }

    /// Takes note of whether it answers in time. A soft integration that does not, again and again, is not asked any more: it
    /// costs the time limit at every step of the run and has nothing to say. A hard one is asked on, since nothing happens
    /// without it.
    fn count(&self, reply: &Result<Result<Json, RpcError>, Lost>) {
        let integration = &self.setup.integration;
        let mut life = self.life();
        match reply {
            Err(Lost::TimedOut) => life.timeouts += 1,
            // Nothing was learned of its pace.
            Err(Lost::Ended(_)) => return,
            _ => life.timeouts = 0,
        }
        let limit = integration.give_up_after;
        if integration.fail_mode == FailMode::Soft && limit > 0 && life.timeouts >= limit {
            life.silence(Failure::Slow { calls: limit, limit: integration.timeout });
        }
    }

    fn drop_hook(&self, hook: Hook) {
        let mut life = self.life();
        life.dropped.insert(hook);
        life.remark(agreement::remark_on_dropped(hook));
    }
}

/// What is to be done for a process.
enum Step {
    Ready(Arc<Session>),
    Failed(Failure),
    Wait(Start),
}

impl Life {
    /// What is to be done now; begins a start if one is due.
    fn step(&mut self, setup: &Arc<Setup>) -> Step {
        let start = match &self.state {
            State::Running(session) if !session.has_ended() => return Step::Ready(Arc::clone(session)),
            State::Running(session) if self.restarts < setup.limits.restarts => {
                let ended = Arc::clone(session);
                self.start_again(setup, Some(ended))
            }
            State::Running(session) => {
                let gone = Failure::Gone { exit: session.exit(), restarts: self.restarts };
                return Step::Failed(self.disable(gone));
            }
            State::Starting(start) => return Step::Wait(start.clone()),
            State::Disabled { because, .. } => {
                return Step::Failed(Failure::Disabled { because: Arc::clone(because) });
            }
            State::ShutDown => return Step::Failed(Failure::ShutDown),
            State::Idle => Start::new(setup, None, Duration::ZERO),
        };
        self.state = State::Starting(start.clone());
        Step::Wait(start)
    }

    /// Takes note of how a start went. The first who does so is told why it is over, if it is.
    fn settle(&mut self, setup: &Arc<Setup>, start: &Start, outcome: Result<Started, Failure>) -> Option<Failure> {
        match &self.state {
            State::Starting(current) if current.outcome.ptr_eq(&start.outcome) => {}
            _ => return None,
        }
        match outcome {
            Ok(started) => {
                agreement::remark_on(&started.agreement.unknown).into_iter().for_each(|remark| self.remark(remark));
                self.agreement = Some(started.agreement);
                self.state = State::Running(started.session);
                None
            }
            Err(failure) => {
                setup.log.note(LogLevel::Warn, &failure.to_string());
                if (1..setup.limits.restarts).contains(&self.restarts) {
                    self.state = State::Starting(self.start_again(setup, None));
                    return None;
                }
                Some(self.disable(failure))
            }
        }
    }

    fn start_again(&mut self, setup: &Arc<Setup>, ended: Option<Arc<Session>>) -> Start {
        self.restarts += 1;
        Start::new(setup, ended, setup.limits.pause_before(self.restarts))
    }

    fn disable(&mut self, failure: Failure) -> Failure {
        self.state = State::Disabled { because: Arc::new(failure.clone()), session: None };
        failure
    }

    /// Does not ask a process any more that runs on.
    fn silence(&mut self, failure: Failure) {
        if let State::Running(session) = &self.state {
            let session = Some(Arc::clone(session));
            self.state = State::Disabled { because: Arc::new(failure), session };
        }
    }

    fn remark(&mut self, remark: String) {
        if self.told.insert(remark.clone()) {
            self.remarks.push(remark);
        }
    }
}

impl Start {
    /// Begins to start it, when the process before it has ended and after a pause.
    fn new(setup: &Arc<Setup>, ended: Option<Arc<Session>>, pause: Duration) -> Self {
        let setup = Arc::clone(setup);
        let task = tokio::spawn(async move {
            if let Some(session) = ended {
                session.end().await;
            }
            sleep(pause).await;
            setup.start().await
        });
        let handle = task.abort_handle();
        let given_up = |_| Err(Failure::NotStarted { reason: "its start was given up".into() });
        let outcome = async move { task.await.unwrap_or_else(given_up) };
        Self { outcome: outcome.boxed().shared(), task: handle }
    }
}

impl Setup {
    /// Starts a process and initializes it.
    async fn start(&self) -> Result<Started, Failure> {
        let failed = |error: std::io::Error| Failure::NotStarted { reason: error.to_string().into() };
        let params = serde_json::to_string(&self.hello).map_err(|error| failed(error.into()))?;
        self.log.begin();
        let launched = self.launcher.launch(Arc::clone(&self.integration)).await.map_err(failed)?;
        let session = Session::new(launched, Arc::clone(&self.log), &self.limits);
        let limit = self.limits.start_of(&self.integration);
        let answer = session.call("initialize", params.into(), Instant::now() + limit).await;
        let answer = answer.map_err(|lost| match lost {
            Lost::TimedOut => Failure::SilentStart { limit, last_lines: self.log.last_lines() },
            Lost::Ended(exit) => Failure::Refused { reason: format!("its process {exit}").into() },
            Lost::Fault(what) => Failure::Protocol { what },
        })?;
        let agreement = Agreement::of(answer, Hooks::possible(&self.integration, &self.hello))?;
        Ok(Started { session: Arc::new(session), agreement: Arc::new(agreement) })
    }
}

/// Reads the result of a hook.
fn read(method: &str, result: Json) -> Result<HookResult, Failure> {
    serde_json::from_value(result).map_err(|error| {
        let what = format!("its answer to `{method}` is no result: {}", excerpt(error.to_string().as_bytes()));
        Failure::Protocol { what: what.into() }
    })
}

/// What an integration makes of a hook that it does not know.
fn nothing_to_say() -> HookResult {
    HookResult { status: Status::Pass, message: None, messages: None, metadata: None, action: None }
}
