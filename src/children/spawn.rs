//! Starts processes so that they end with us.
//!
//! On Unix each process leads a group of its own, which is killed as a whole and is known to the [`Watcher`]. On Linux it
//! also gets a parent-death signal, which needs no watcher. That signal is sent when the *thread* that forked ends, so
//! every process is started from one thread that lives as long as we do; tokio's own threads come and go.
//! On Windows each process is in a job object that ends with our handle to it.

use super::watch::{self, Watcher};
use std::io;
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use tokio::process::Child;
use tokio::sync::oneshot;

/// A process with all that it starts.
pub(crate) struct Spawned {
    pub(crate) child: Child,
    pub(crate) group: Group,
    /// Why the watcher does not know of it, if so: worth a warning, no reason to fail.
    pub(crate) unwatched: Option<io::Error>,
}

type Task = Box<dyn FnOnce() + Send>;

/// The way to the thread that starts processes; the thread starts with the first one.
fn spawner() -> io::Result<mpsc::Sender<Task>> {
    static SPAWNER: OnceLock<Mutex<Option<mpsc::Sender<Task>>>> = OnceLock::new();
    let mut spawner = SPAWNER.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(sender) = spawner.as_ref() {
        return Ok(sender.clone());
    }
    let (sender, tasks) = mpsc::channel::<Task>();
    std::thread::Builder::new().name("spawner".into()).spawn(move || {
        // Never ends: the sender in the static is never dropped.
        for task in tasks {
            task();
        }
    })?;
    *spawner = Some(sender.clone());
    Ok(sender)
}

/// Starts the command. When the caller no longer waits for it, the process is killed again.
pub(crate) async fn spawn(mut command: Command, watcher: Arc<Watcher>) -> io::Result<Spawned> {
    let runtime = tokio::runtime::Handle::current();
    let (reply, result) = oneshot::channel();
    command.env(watch::MARK, watch::mark());
    let task: Task = Box::new(move || {
        let _inside = runtime.enter();
        prepare(&mut command);
        let mut command = tokio::process::Command::from(command);
        command.kill_on_drop(true);
        let spawned = command.spawn().and_then(|child| {
            let (group, unwatched) = Group::of(&child, watcher)?;
            Ok(Spawned { child, group, unwatched })
        });
        // If nobody takes it, dropping it kills the group.
        let _ = reply.send(spawned);
    });
    let gone = || io::Error::other("the thread that starts processes is gone");
    spawner()?.send(task).map_err(|_| gone())?;
    result.await.map_err(|_| gone())?
}

// `unsafe` for `pre_exec`: between fork and exec only async-signal-safe calls are allowed. prctl and getppid are system
// calls without memory or locks.
#[cfg(unix)]
#[allow(unsafe_code)]
fn prepare(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
    #[cfg(target_os = "linux")]
    {
        let owner = rustix::process::getpid();
        unsafe {
            command.pre_exec(move || {
                rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
                // We may have been killed before the signal was asked for; then it would never come.
                if rustix::process::getppid() == Some(owner) {
                    Ok(())
                } else {
                    Err(io::Error::from(io::ErrorKind::NotFound))
                }
            });
        }
    }
}

#[cfg(not(unix))]
fn prepare(_: &mut Command) {}

/// A process and its descendants, as far as they have not left. Dropping it kills them all.
#[cfg(unix)]
pub(crate) struct Group {
    id: rustix::process::Pid,
    watcher: Arc<Watcher>,
}

#[cfg(unix)]
impl Group {
    fn of(child: &Child, watcher: Arc<Watcher>) -> io::Result<(Self, Option<io::Error>)> {
        let id = child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
        let id = id.ok_or_else(|| io::Error::other("a process without a number"))?;
        let unwatched = watcher.add(id).err();
        Ok((Self { id, watcher }, unwatched))
    }

    /// Kills every member.
    pub(crate) fn kill(&self) {
        // The only error is that there is nobody left.
        let _ = rustix::process::kill_process_group(self.id, rustix::process::Signal::KILL);
    }

    /// Asks every member to end.
    pub(crate) fn terminate(&self) {
        let _ = rustix::process::kill_process_group(self.id, rustix::process::Signal::TERM);
    }
}

/// Dropped right after the leader has been reaped. The leader's number cannot be used again while the group has members;
/// when it has none, the number would have to come round again within these microseconds to hit a stranger.
#[cfg(unix)]
impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
        self.watcher.remove(self.id);
    }
}

/// A process and its descendants: a job object, which ends when the last handle to it is closed, also when we are killed.
#[cfg(windows)]
pub(crate) struct Group {
    job: Mutex<Option<win32job::Job>>,
}

#[cfg(windows)]
impl Group {
    fn of(child: &Child, _: Arc<Watcher>) -> io::Result<(Self, Option<io::Error>)> {
        let job = win32job::Job::create_with_limit_info(win32job::ExtendedLimitInfo::new().limit_kill_on_job_close())
            .map_err(io::Error::other)?;
        let handle = child.raw_handle().ok_or_else(|| io::Error::other("a process without a handle"))?;
        job.assign_process(handle as isize).map_err(io::Error::other)?;
        Ok((Self { job: Mutex::new(Some(job)) }, None))
    }

    /// Kills every member.
    pub(crate) fn kill(&self) {
        self.job.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// There is no way to ask.
    pub(crate) fn terminate(&self) {}
}
