//! The processes of one script, and the calls that wait for one.

use super::super::command::{self, ConfigurationFile, Location, Mode};
use super::super::error::ScriptErrorKind;
use super::super::http::Transport;
use super::super::log::{LogLevel, LogSink};
use super::super::process::{Launch, Process};
use super::super::script_log::ScriptLog;
use super::pace::{Pace, Situation};
use super::stamp::Stamp;
use super::{PoolOptions, ScriptSpec};
use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// After an additional process could not be started, how long to do with those that run.
const AFTER_FAILED_START: Duration = Duration::from_secs(10);

/// How long looking for Deno may take without a word about it in the log.
const WORTH_A_WORD: Duration = Duration::from_secs(1);

/// How long what was seen of the script's files counts. Nobody edits a script and waits for less, and looking at a file
/// each time is a tenth of what a quick call costs. Tests do edit scripts between two calls.
const SEEN_LATELY: Duration = if cfg!(test) { Duration::ZERO } else { Duration::from_millis(2) };

/// What all scripts of a pool have in common.
#[derive(Clone)]
pub(super) struct PoolShared {
    pub(super) options: PoolOptions,
    /// The pool is gone or going.
    pub(super) closed: CancellationToken,
    /// Starts and stops under way.
    pub(super) tasks: TaskTracker,
}

pub(super) struct Entry {
    spec: ScriptSpec,
    location: Location,
    configuration: ConfigurationFile,
    working_directory: PathBuf,
    pool: PoolShared,
    /// Bounds the processes of a script that wants a fresh one for each call.
    fresh: Semaphore,
    /// The version of the script that turned out to be written for `deno serve`.
    served: Mutex<Option<Stamp>>,
    /// The script as it was last seen, and when.
    seen: Mutex<Option<(Instant, Stamp)>>,
    state: Mutex<State>,
}

struct State {
    slots: Vec<Slot>,
    starting: usize,
    waiters: VecDeque<Waiter>,
    pace: Pace,
    no_more_until: Option<Instant>,
    next_slot: u64,
    /// Whether the task that ends idle processes runs.
    tended: bool,
}

struct Slot {
    id: u64,
    process: Arc<Process>,
    stamp: Stamp,
    calls: usize,
    last_used: Instant,
}

impl State {
    /// A process that can take a call. The last used is the warmest, and leaves the others to grow idle and end.
    fn free_slot<'s>(slots: &'s mut [Slot], current: Option<&Stamp>) -> Option<&'s mut Slot> {
        let free = slots.iter_mut().filter(|slot| slot.is_current(current));
        free.filter(|slot| slot.calls == 0 || slot.process.concurrent).max_by_key(|slot| slot.last_used)
    }
}

impl Slot {
    /// Whether it runs the script as it is now, and can still take calls.
    fn is_current(&self, current: Option<&Stamp>) -> bool {
        self.process.is_usable() && current.is_none_or(|current| *current == self.stamp)
    }
}

struct Waiter {
    since: Instant,
    log: Option<Arc<dyn LogSink>>,
    reply: oneshot::Sender<Result<Lease, ScriptErrorKind>>,
}

/// A process for one call. Dropping it gives the process back.
pub(super) struct Lease {
    process: Arc<Process>,
    origin: Origin,
    /// The number of the call, once there is one.
    call: Option<u64>,
}

enum Origin {
    Slot { entry: Arc<Entry>, id: u64 },
    Fresh { entry: Arc<Entry> },
}

impl Lease {
    /// The process writes for whoever listens at `caller` from now on.
    pub(super) fn serving(mut self, caller: Option<&Arc<dyn LogSink>>) -> Self {
        self.call = Some(self.process.serve_for(caller));
        self
    }

    pub(super) fn process(&self) -> &Process {
        &self.process
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(call) = self.call {
            self.process.release(call);
        }
        match &self.origin {
            Origin::Slot { entry, id } => entry.release(*id),
            Origin::Fresh { entry } => {
                entry.stop(Arc::clone(&self.process));
                entry.fresh.add_permits(1);
            }
        }
    }
}

impl Entry {
    pub(super) fn new(spec: &ScriptSpec, pool: PoolShared) -> Result<Self, ScriptErrorKind> {
        let failed = |error: io::Error| ScriptErrorKind::UnusablePath { reason: error.to_string() };
        let working_directory = match &spec.working_directory {
            Some(path) => std::path::absolute(path),
            None => std::env::current_dir(),
        }
        .map_err(failed)?;
        Ok(Self {
            location: Location::parse(&spec.script, &working_directory).map_err(failed)?,
            configuration: ConfigurationFile::parse(spec.config_file.as_deref(), &working_directory).map_err(failed)?,
            working_directory,
            fresh: Semaphore::new(pool.options.limits.processes.max(1)),
            served: Mutex::default(),
            seen: Mutex::default(),
            state: Mutex::new(State {
                slots: Vec::new(),
                starting: 0,
                waiters: VecDeque::new(),
                pace: Pace::new(Instant::now()),
                no_more_until: None,
                next_slot: 0,
                tended: false,
            }),
            spec: spec.clone(),
            pool,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn seen(&self) -> MutexGuard<'_, Option<(Instant, Stamp)>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The script as it is now, or was a moment ago.
    fn stamp(&self) -> Result<Stamp, ScriptErrorKind> {
        let now = Instant::now();
        let mut seen = self.seen();
        if let Some((when, stamp)) = &*seen
            && now.duration_since(*when) < SEEN_LATELY
        {
            return Ok(stamp.clone());
        }
        let stamp = Stamp::read(&self.location, &self.configuration).map_err(|path| match path.is_dir() {
            true => ScriptErrorKind::Folder { path },
            false => ScriptErrorKind::Missing { path },
        })?;
        *seen = Some((now, stamp.clone()));
        Ok(stamp)
    }

    pub(super) fn process_count(&self) -> usize {
        let state = self.state();
        state.slots.len() + state.starting
    }

    #[cfg(test)]
    pub(super) fn usable_count(&self) -> usize {
        self.state().slots.iter().filter(|slot| slot.process.is_usable()).count()
    }

    /// Waits for a process that is free, and for another to be started when that pays.
    pub(super) async fn acquire(self: &Arc<Self>, caller: Option<&Arc<dyn LogSink>>) -> Result<Lease, ScriptErrorKind> {
        let current = self.stamp()?;
        if self.spec.fresh {
            return self.acquire_fresh(caller).await;
        }
        if let Some(lease) = self.acquire_free(&current) {
            return Ok(lease);
        }
        let mut current = Some(current);
        let (reply, mut lease) = oneshot::channel();
        self.state().waiters.push_back(Waiter { since: Instant::now(), log: caller.cloned(), reply });
        loop {
            self.pump(current.take().or_else(|| self.stamp().ok()).as_ref());
            let again = self.state().pace.start() / 2;
            tokio::select! {
                biased;
                lease = &mut lease => return lease.unwrap_or(Err(ScriptErrorKind::ShutDown)),
                () = tokio::time::sleep(again) => {}
            }
        }
    }

    /// A process that is free, if nobody waits for one.
    fn acquire_free(self: &Arc<Self>, current: &Stamp) -> Option<Lease> {
        let mut state = self.state();
        if !state.waiters.is_empty()
            || state.slots.iter().any(|slot| slot.calls == 0 && !slot.is_current(Some(current)))
        {
            return None;
        }
        let slot = State::free_slot(&mut state.slots, Some(current))?;
        Some(self.lease(slot))
    }

    fn lease(self: &Arc<Self>, slot: &mut Slot) -> Lease {
        slot.calls += 1;
        let origin = Origin::Slot { entry: Arc::clone(self), id: slot.id };
        Lease { process: Arc::clone(&slot.process), origin, call: None }
    }

    async fn acquire_fresh(self: &Arc<Self>, caller: Option<&Arc<dyn LogSink>>) -> Result<Lease, ScriptErrorKind> {
        // The semaphore is never closed.
        let permit = self.fresh.acquire().await.map_err(|_| ScriptErrorKind::ShutDown)?;
        let process = self.launch(caller).await?;
        permit.forget();
        Ok(Lease { process: Arc::new(process), origin: Origin::Fresh { entry: Arc::clone(self) }, call: None })
    }

    /// Starts a process, for whoever listens at `starter`.
    async fn launch(&self, starter: Option<&Arc<dyn LogSink>>) -> Result<Process, ScriptErrorKind> {
        let speaks_http = match self.spec.transport {
            Transport::Http => true,
            Transport::JsonRpc => false,
            Transport::Auto => self.is_served(),
        };
        let PoolOptions { limits, log, watcher, .. } = &self.pool.options;
        let starting = starter.unwrap_or(log);
        let log = || ScriptLog::new(&self.spec.script, Arc::clone(log), starter.cloned());
        let watcher = || Arc::clone(watcher);
        if speaks_http {
            return Process::serve(self.launch_of(Mode::Serve, starting).await?, limits, log(), watcher()).await;
        }
        let version = self.stamp().ok();
        match Process::start(self.launch_of(Mode::Run, starting).await?, limits, log(), watcher()).await {
            Err(kind) if self.spec.transport == Transport::Auto && kind.is_http_script() => {
                starting.log(LogLevel::Debug, &self.spec.script, "is written for `deno serve`: serving it");
                *self.served.lock().unwrap_or_else(PoisonError::into_inner) = version;
                Process::serve(self.launch_of(Mode::Serve, starting).await?, limits, log(), watcher()).await
            }
            started => started,
        }
    }

    /// Whether the script, as it is now, has turned out to be written for `deno serve`.
    fn is_served(&self) -> bool {
        let served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        served.is_some() && *served == self.stamp().ok()
    }

    async fn launch_of(&self, mode: Mode, log: &Arc<dyn LogSink>) -> Result<Launch, ScriptErrorKind> {
        Ok(Launch {
            program: self.program(log).await?,
            arguments: command::arguments(
                mode,
                &self.location,
                &self.configuration.in_mode(mode, &self.location),
                &self.spec.permissions,
            ),
            working_directory: self.working_directory.clone(),
            inherited: self.spec.inherited.clone(),
            environment: self.spec.environment.clone(),
            configuration: Arc::clone(&self.pool.options.configuration),
        })
    }

    /// The Deno to start, which may have to be downloaded first.
    async fn program(&self, log: &Arc<dyn LogSink>) -> Result<PathBuf, ScriptErrorKind> {
        let mut located = std::pin::pin!(self.spec.deno.locate());
        let outcome = tokio::select! {
            outcome = &mut located => outcome,
            () = tokio::time::sleep(WORTH_A_WORD) => {
                log.log(LogLevel::Info, &self.spec.script, "waiting for Deno, which is being downloaded");
                located.await
            }
        };
        outcome.map_err(|error| ScriptErrorKind::Deno(Box::new(error)))
    }

    fn release(self: &Arc<Self>, id: u64) {
        let now = Instant::now();
        let settled = {
            let seen = self.seen();
            let seen = seen.as_ref().map(|(_, stamp)| stamp);
            let mut state = self.state();
            let calls_wait = !state.waiters.is_empty();
            state.pace.freed(calls_wait, now);
            let slot = state.slots.iter_mut().find(|slot| slot.id == id);
            let current = slot.is_none_or(|slot| {
                slot.calls -= 1;
                slot.last_used = now;
                slot.is_current(seen)
            });
            current && !calls_wait
        };
        if !settled {
            self.pump(self.stamp().ok().as_ref());
        }
    }

    /// Brings waiting calls and free processes together, ends what is of no more use, starts what is wanted.
    ///
    /// `current` is the script as it is now; one that has vanished says nothing about the processes that run it.
    fn pump(self: &Arc<Self>, current: Option<&Stamp>) {
        let now = Instant::now();
        let (mut useless, mut grants) = (Vec::new(), Vec::new());
        {
            let mut state = self.state();
            let state = &mut *state;
            let is_current = |slot: &Slot| slot.is_current(current);
            useless.extend(state.slots.extract_if(.., |slot| slot.calls == 0 && !is_current(slot)));
            state.waiters.retain(|waiter| !waiter.reply.is_closed());
            while !state.waiters.is_empty() {
                let Some(slot) = State::free_slot(&mut state.slots, current) else { break };
                let Some(waiter) = state.waiters.pop_front() else { break };
                grants.push((waiter.reply, self.lease(slot)));
            }
            for _ in 0..self.wanted(state, is_current, now) {
                // Each start is for another of the calls that wait, the longest first.
                let starter = state.waiters.get(state.starting).or(state.waiters.front());
                let starter = starter.and_then(|waiter| waiter.log.clone());
                state.starting += 1;
                self.pool.tasks.spawn(Arc::clone(self).start(starter));
            }
        }
        // Outside of the lock, for a lease that nobody takes comes back at once.
        for (reply, lease) in grants {
            let _ = reply.send(Ok(lease));
        }
        for slot in useless {
            self.stop(slot.process);
        }
    }

    fn wanted(&self, state: &State, is_current: impl Fn(&Slot) -> bool, now: Instant) -> usize {
        let processes = state.slots.iter().filter(|slot| is_current(slot)).count();
        if self.pool.closed.is_cancelled() || (processes > 0 && state.no_more_until.is_some_and(|until| now < until)) {
            return 0;
        }
        // Processes of an older version of the script still take room, until their calls end.
        let outdated = state.slots.len() - processes;
        state.pace.wanted(
            Situation {
                waiting: state.waiters.len(),
                longest_wait: state.waiters.front().map_or(Duration::ZERO, |first| now.duration_since(first.since)),
                processes,
                starting: state.starting,
                most_processes: self.pool.options.limits.processes.max(1).saturating_sub(outdated),
            },
            now,
        )
    }

    async fn start(self: Arc<Self>, starter: Option<Arc<dyn LogSink>>) {
        let started = tokio::select! {
            biased;
            () = self.pool.closed.cancelled() => Err(ScriptErrorKind::ShutDown),
            // The stamp is taken first: a change during the start makes the process outdated, not the change unnoticed.
            started = async { Ok((self.stamp()?, self.launch(starter.as_ref()).await?)) } => started,
        };
        let now = Instant::now();
        let mut failed = Vec::new();
        {
            let mut state = self.state();
            let state = &mut *state;
            state.starting -= 1;
            match started {
                Ok((stamp, process)) => {
                    state.pace.started(process.start_time, now);
                    state.next_slot += 1;
                    let id = state.next_slot;
                    state.slots.push(Slot { id, process: Arc::new(process), stamp, calls: 0, last_used: now });
                    if !std::mem::replace(&mut state.tended, true) {
                        tokio::spawn(tend(Arc::downgrade(&self), self.pool.clone()));
                    }
                }
                // Those that run will do.
                Err(kind) if state.slots.iter().any(|slot| slot.process.is_usable()) => {
                    state.no_more_until = Some(now + AFTER_FAILED_START);
                    let message = format!("an additional process did not start: {kind:?}");
                    let log = starter.as_ref().unwrap_or(&self.pool.options.log);
                    log.log(LogLevel::Warning, &self.spec.script, &message);
                }
                // They all wait for the same script, which would fail for each in turn.
                Err(kind) => failed.extend(state.waiters.drain(..).map(|waiter| (waiter.reply, kind.clone()))),
            }
        }
        for (reply, kind) in failed {
            let _ = reply.send(Err(kind));
        }
        if self.pool.closed.is_cancelled() {
            self.stop_all();
        } else {
            self.pump(self.stamp().ok().as_ref());
        }
    }

    /// Ends a process in the background; the pool's shutdown waits for it.
    fn stop(&self, process: Arc<Process>) {
        let grace = self.pool.options.limits.stop;
        // Outside of a runtime there is nobody to wait for it: dropping it kills it.
        if tokio::runtime::Handle::try_current().is_ok() {
            self.pool.tasks.spawn(async move { process.stop(grace).await });
        }
    }

    pub(super) fn stop_all(&self) {
        let (slots, waiters) = {
            let mut state = self.state();
            (std::mem::take(&mut state.slots), std::mem::take(&mut state.waiters))
        };
        for waiter in waiters {
            let _ = waiter.reply.send(Err(ScriptErrorKind::ShutDown));
        }
        for slot in slots {
            self.stop(slot.process);
        }
    }

    /// Ends the processes that have been idle for too long. Returns when to look again, or nothing when there are none.
    fn end_idle(&self) -> Option<Duration> {
        let idle = self.pool.options.limits.idle;
        let now = Instant::now();
        let mut state = self.state();
        let expired: Vec<Slot> =
            state.slots.extract_if(.., |slot| slot.calls == 0 && now.duration_since(slot.last_used) >= idle).collect();
        let next = state.slots.iter().filter(|slot| slot.calls == 0).map(|slot| slot.last_used + idle).min();
        state.tended = !state.slots.is_empty();
        let tended = state.tended;
        drop(state);
        for slot in expired {
            self.stop(slot.process);
        }
        tended.then(|| next.map_or(idle, |next| next.saturating_duration_since(now)))
    }
}

/// Looks after idle processes as long as there are any.
async fn tend(entry: Weak<Entry>, pool: PoolShared) {
    let mut pause = pool.options.limits.idle;
    loop {
        tokio::select! {
            () = pool.closed.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        // Held for the look only: the pool may be dropped in between.
        match entry.upgrade().and_then(|entry| entry.end_idle()) {
            Some(next) => pause = next,
            None => return,
        }
    }
}
