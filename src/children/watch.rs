//! The watcher: makes sure that nothing that our children have started outlives us, however we end.
//!
//! A parent-death signal (see [`spawn`](super::spawn)) reaches the child only, only on Linux, and not what it has started
//! in turn. So we run our own program once more, as a watcher that does nothing but read a pipe whose other end we hold.
//! We write down it which process groups are ours. When we end, even by SIGKILL, the kernel closes our end; the watcher
//! reads the end of file, kills the groups and exits. It has a session of its own, so that what kills our group or closes
//! our terminal does not take it along, and it ignores the signals that are sent to end us by name.
//!
//! A process that a child starts in a session of its own has left the group. On Linux it is found all the same, by a mark
//! in the environment that it inherits ([`MARK`]), unless it was started without an environment. Elsewhere it stays.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::SystemTime;

/// The first argument that makes our program the watcher.
pub const ARGUMENT: &str = "__watch";

/// The environment variable that tells our processes, and all that they start, from everybody else's.
pub const MARK: &str = "DENOBRIDGE_PROCESS";

/// The value of [`MARK`] for what this process starts: the process's number, and when that was, since numbers come again.
pub(super) fn mark() -> &'static OsString {
    static VALUE: OnceLock<OsString> = OnceLock::new();
    VALUE.get_or_init(|| {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        format!("{}-{}", std::process::id(), now.as_nanos()).into()
    })
}

/// What to run as the watcher.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum WatcherProgram {
    /// This very program, whose `main` calls [`run_if_asked`].
    #[default]
    ThisProgram,
    /// Another program that calls [`run_if_asked`]; for tests, which are programs of their own.
    Program(PathBuf),
    /// None: what children start may outlive us when we are killed.
    None,
}

/// Becomes the watcher, and never returns, if this process was started as one. The first thing in `main`.
pub fn run_if_asked() {
    if std::env::args_os().nth(1).is_some_and(|argument| argument == ARGUMENT) {
        #[cfg(unix)]
        unix::watch(&mut std::io::stdin().lock());
        #[cfg(target_os = "linux")]
        if let Some(value) = std::env::args_os().nth(2) {
            linux::kill_marked(&value);
        }
        std::process::exit(0);
    }
}

#[cfg(unix)]
pub use unix::Watcher;

#[cfg(target_os = "linux")]
mod linux {
    use super::MARK;
    use rustix::process::{Pid, Signal, kill_process};
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    /// How often to look: what is found may be starting something at that very moment.
    const ROUNDS: usize = 5;

    /// Kills every process whose environment has the mark with this value.
    pub(super) fn kill_marked(value: &OsStr) {
        let wanted = [MARK.as_bytes(), b"=", value.as_bytes()].concat();
        for _ in 0..ROUNDS {
            let marked: Vec<Pid> = processes().filter(|process| is_marked(*process, &wanted)).collect();
            if marked.is_empty() {
                return;
            }
            for process in marked {
                // It may have ended at the same moment.
                let _ = kill_process(process, Signal::KILL);
            }
        }
    }

    fn processes() -> impl Iterator<Item = Pid> {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
    }

    fn is_marked(process: Pid, wanted: &[u8]) -> bool {
        // Other users' processes cannot be read, and are none of ours.
        let environment = std::fs::read(format!("/proc/{}/environ", process.as_raw_nonzero())).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|entry| entry == wanted)
    }
}

#[cfg(unix)]
mod unix {
    use super::{ARGUMENT, WatcherProgram};
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::collections::BTreeSet;
    use std::io::{self, BufRead, Write};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};
    use std::sync::{Arc, Mutex, OnceLock, PoisonError};

    /// The whole of the watcher's work: keep the groups' list up to date, and kill them at the end of file.
    pub(super) fn watch(lines: &mut impl BufRead) {
        for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT, signal_hook::consts::SIGHUP] {
            // A flag that nobody reads: the signal's only effect is that it does not end us.
            let _ = signal_hook::flag::register(signal, Arc::default());
        }
        let mut groups = BTreeSet::new();
        let mut line = String::new();
        while matches!(lines.read_line(&mut line), Ok(count) if count > 0) {
            // Only whole lines count: a cut number would name a stranger's group.
            if let Some(entry) = line.strip_suffix('\n') {
                apply(entry, &mut groups);
            }
            line.clear();
        }
        for group in groups.into_iter().filter_map(Pid::from_raw) {
            // The group may have ended at the same moment.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    fn apply(entry: &str, groups: &mut BTreeSet<i32>) {
        let Some((sign, number)) = entry.split_at_checked(1) else { return };
        // Group 1 and below would be init's, or everyone's.
        let Some(number) = number.parse::<i32>().ok().filter(|number| *number > 1) else { return };
        match sign {
            "+" => {
                groups.insert(number);
            }
            "-" => {
                groups.remove(&number);
            }
            _ => {}
        }
    }

    /// Our end of the pipe. The watcher starts with the first group.
    pub struct Watcher {
        program: WatcherProgram,
        state: Mutex<State>,
    }

    #[derive(Default)]
    struct State {
        watcher: Option<Child>,
        groups: BTreeSet<i32>,
    }

    impl Watcher {
        /// A watcher of its own.
        pub fn new(program: WatcherProgram) -> Arc<Self> {
            Arc::new(Self { program, state: Mutex::default() })
        }

        /// The one watcher of this process, which runs this program.
        pub fn shared() -> Arc<Self> {
            static SHARED: OnceLock<Arc<Watcher>> = OnceLock::new();
            SHARED.get_or_init(|| Self::new(WatcherProgram::ThisProgram)).clone()
        }

        /// From now on the group ends with us. Blocks for the start of the watcher the first time.
        pub(crate) fn add(&self, group: Pid) -> io::Result<()> {
            let group = group.as_raw_nonzero().get();
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.groups.insert(group);
            self.tell(&mut state, &format!("+{group}\n"))
        }

        /// The group is gone, and its number may become a stranger's.
        pub(crate) fn remove(&self, group: Pid) {
            let group = group.as_raw_nonzero().get();
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.groups.remove(&group) && state.watcher.is_some() {
                // When the watcher cannot be told it is gone, and its list with it.
                let _ = self.tell(&mut state, &format!("-{group}\n"));
            }
        }

        fn tell(&self, state: &mut State, entry: &str) -> io::Result<()> {
            if self.program == WatcherProgram::None {
                return Ok(());
            }
            if let Some(pipe) = state.watcher.as_mut().and_then(|watcher| watcher.stdin.as_mut())
                && pipe.write_all(entry.as_bytes()).is_ok()
            {
                return Ok(());
            }
            // Not started yet, or somebody ended it: a new one learns the whole list.
            if let Some(mut gone) = state.watcher.take() {
                let _ = gone.kill();
                let _ = gone.wait();
            }
            let mut watcher = self.start()?;
            let list: String = state.groups.iter().map(|group| format!("+{group}\n")).collect();
            if let Some(pipe) = watcher.stdin.as_mut() {
                pipe.write_all(list.as_bytes())?;
            }
            state.watcher = Some(watcher);
            Ok(())
        }

        // `unsafe` for `pre_exec`: between fork and exec only async-signal-safe calls are allowed, and setsid is one.
        #[allow(unsafe_code)]
        fn start(&self) -> io::Result<Child> {
            let program = match &self.program {
                WatcherProgram::Program(path) => path.clone(),
                // Not the path: an upgrade may have replaced or removed the file since we were started.
                _ if cfg!(target_os = "linux") => "/proc/self/exe".into(),
                _ => std::env::current_exe()?,
            };
            let mut command = Command::new(program);
            command
                .arg0("denobridge")
                .arg(ARGUMENT)
                .arg(super::mark())
                .env_clear()
                .current_dir("/")
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            unsafe {
                command.pre_exec(|| {
                    rustix::process::setsid()?;
                    Ok(())
                });
            }
            command.spawn()
        }
    }

    impl Drop for Watcher {
        fn drop(&mut self) {
            let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
            if let Some(mut watcher) = state.watcher.take() {
                drop(watcher.stdin.take());
                let _ = watcher.wait();
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_list_of_groups() {
            let mut groups = BTreeSet::new();
            for entry in ["+20", "+30", "-20", "+0", "+-1", "+1", "", "x", "30", "é5"] {
                apply(entry, &mut groups);
            }
            assert_eq!(groups.into_iter().collect::<Vec<_>>(), [30]);
        }

        #[test]
        fn a_group_dies_at_the_end_of_file() {
            let mut child = Command::new("sleep").arg("60").process_group(0).spawn().unwrap();
            watch(&mut format!("+{}\n", child.id()).as_bytes());
            assert!(!child.wait().unwrap().success());
        }

        #[test]
        fn a_removed_group_and_a_cut_line_are_left_alone() {
            let mut child = Command::new("sleep").arg("60").process_group(0).spawn().unwrap();
            let id = child.id();
            watch(&mut format!("+{id}\n-{id}\n+{id}").as_bytes());
            assert!(child.try_wait().unwrap().is_none());
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

/// Windows needs no watcher: a job object ends with the last handle to it.
#[cfg(not(unix))]
pub struct Watcher;

#[cfg(not(unix))]
impl Watcher {
    /// Nothing to start.
    pub fn new(_: WatcherProgram) -> std::sync::Arc<Self> {
        std::sync::Arc::new(Self)
    }

    /// Nothing to start.
    pub fn shared() -> std::sync::Arc<Self> {
        Self::new(WatcherProgram::None)
    }
}
