//! The command: its start, the signals that it gets, and its end.

use std::io;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use super::pipe::Pipe;

/// How long after a signal another of its kind is the same one. Nobody presses a key twice in that time.
const AT_ONCE: Duration = Duration::from_millis(100);

/// How a command has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// With this exit code.
    With(u8),
    /// By this signal.
    By(i32),
}

impl Ended {
    /// The exit code as shells have it.
    pub(super) fn code(self) -> u8 {
        match self {
            Self::With(code) => code,
            Self::By(signal) => u8::try_from(128 + signal).unwrap_or(u8::MAX),
        }
    }

    fn of(status: ExitStatus) -> Self {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Self::By(signal);
        }
        // What does not fit into a byte is a failure all the same.
        Self::With(status.code().map_or(1, |code| u8::try_from(code).unwrap_or(1)))
    }
}

/// Runs the command to its end. `interrupted` is called when this process is told to stop.
///
/// # Errors
/// It cannot be started.
pub(super) async fn run(mut command: Command, mut pipe: Option<Pipe>, interrupted: impl Fn()) -> io::Result<Ended> {
    // Before the command is there, so that none of them ends us and leaves it behind.
    let mut signals = Signals::new()?;
    if let Some(pipe) = &mut pipe {
        pipe.given_to(&mut command);
    }
    let is_alone = stand_alone(&mut command);
    let mut command = tokio::process::Command::from(command);
    let mut child = command.spawn()?;
    // It holds the end of the pipe that is written to; when only the child has it, reading ends with the child.
    drop(command);
    if let Some(pipe) = &pipe {
        pipe.copy()?;
    }
    let mut passed_on = None;
    let status = loop {
        tokio::select! {
            status = child.wait() => break status?,
            signal = signals.next() => {
                interrupted();
                if !is_same(passed_on, signal) {
                    passed_on = Some((signal, Instant::now()));
                    signal.pass_on(child.id(), is_alone);
                }
            }
        }
    };
    Ok(Ended::of(status))
}

/// Whether a signal belongs to one that was just passed on: `timeout` sends one to this process, and another to all of its group.
fn is_same(passed_on: Option<(Signal, Instant)>, signal: Signal) -> bool {
    passed_on.is_some_and(|(last, at)| last.number == signal.number && at.elapsed() < AT_ONCE)
}

/// Puts the command into a group of its own where no terminal is, and says whether it is in one. Who ends a job there often sends a
/// signal to all of its group (`timeout` does), and what we pass on would be the second: at that Terraform gives up at once, and
/// what it was about to store is lost. At a terminal it must stay in our group to read from it.
#[cfg(unix)]
fn stand_alone(command: &mut Command) -> bool {
    let is_alone = std::fs::File::open("/dev/tty").is_err();
    if is_alone {
        std::os::unix::process::CommandExt::process_group(command, 0);
    }
    is_alone
}

#[cfg(not(unix))]
fn stand_alone(_: &mut Command) -> bool {
    false
}

/// A signal that this process got.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(unix), allow(dead_code))]
struct Signal {
    number: i32,
    /// Whether a key sends it, at a terminal: to everybody who works in it.
    is_of_a_key: bool,
}

impl Signal {
    #[cfg(unix)]
    fn pass_on(self, child: Option<u32>, is_alone: bool) {
        let child = child.and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
        let signal = rustix::process::Signal::from_named_raw(self.number);
        let (Some(child), Some(signal)) = (child, signal) else { return };
        // It may have ended at the same moment.
        let _ = match (self.is_of_a_key, is_alone) {
            (true, false) => Ok(()),
            (true, true) => rustix::process::kill_process_group(child, signal),
            (false, _) => rustix::process::kill_process(child, signal),
        };
    }

    /// A console tells everybody in it.
    #[cfg(not(unix))]
    fn pass_on(self, _: Option<u32>, _: bool) {}
}

/// The signals that are passed on; none of a kind that is ignored, since `nohup` and shells start so what is to outlive them.
#[cfg(unix)]
struct Signals {
    interrupt: Option<tokio::signal::unix::Signal>,
    quit: Option<tokio::signal::unix::Signal>,
    terminate: Option<tokio::signal::unix::Signal>,
    hang_up: Option<tokio::signal::unix::Signal>,
}

/// Whether this process was started with a signal ignored.
#[cfg(unix)]
// `unsafe` for `sigaction`: no library asks what is done with a signal without changing it.
#[allow(unsafe_code)]
fn is_ignored(number: i32) -> bool {
    let mut now = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action it only writes the present one, as a whole, to where it is told. All bits zero are an action.
    unsafe {
        libc::sigaction(number, std::ptr::null(), now.as_mut_ptr()) == 0
            && now.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

/// The next signal of a kind; never one of a kind that is ignored.
#[cfg(unix)]
async fn received(signals: &mut Option<tokio::signal::unix::Signal>) {
    match signals {
        Some(signals) => drop(signals.recv().await),
        None => std::future::pending().await,
    }
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let heeded = |kind: SignalKind| match is_ignored(kind.as_raw_value()) {
            true => Ok(None),
            false => signal(kind).map(Some),
        };
        Ok(Self {
            interrupt: heeded(SignalKind::interrupt())?,
            quit: heeded(SignalKind::quit())?,
            terminate: heeded(SignalKind::terminate())?,
            hang_up: heeded(SignalKind::hangup())?,
        })
    }

    async fn next(&mut self) -> Signal {
        use tokio::signal::unix::SignalKind;
        let (kind, is_of_a_key) = tokio::select! {
            () = received(&mut self.interrupt) => (SignalKind::interrupt(), true),
            () = received(&mut self.quit) => (SignalKind::quit(), true),
            () = received(&mut self.terminate) => (SignalKind::terminate(), false),
            () = received(&mut self.hang_up) => (SignalKind::hangup(), false),
        };
        Signal { number: kind.as_raw_value(), is_of_a_key }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    #[allow(clippy::unnecessary_wraps)]
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> Signal {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        Signal { number: 0, is_of_a_key: true }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    async fn run_shell(script: &str) -> io::Result<Ended> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(command, None, || {}).await
    }

    #[tokio::test]
    async fn the_end_of_a_command_is_told_as_a_shell_does() {
        assert_eq!(run_shell("exit 3").await.unwrap(), Ended::With(3));
        assert_eq!(run_shell("kill -TERM $$").await.unwrap().code(), 143);
        assert!(run(Command::new("no-such-program"), None, || {}).await.is_err());
    }
}
