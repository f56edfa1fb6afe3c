//! What a command and everything that it started have used: CPU seconds from the kernel's account of waited-for children,
//! memory from `/proc`. Linux only.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use crate::process::Captured;

/// The cost of one command with all its descendants.
#[derive(Clone, Copy)]
pub struct Usage {
    /// User and system time of every process.
    pub cpu: Duration,
    /// Start to end of the command itself.
    pub wall: Duration,
}

/// Runs a command to its end and accounts for all its descendants.
///
/// # Errors
/// When it cannot be started, or when a process that it started is still running some time after its end.
pub fn measure(command: &mut Command) -> Result<(Usage, Captured)> {
    platform::measure(command)
}

/// The resident memory of a process and all its descendants, in bytes.
pub fn resident_memory(process: u32) -> Result<u64> {
    platform::resident_memory(process)
}

/// The most memory that any running process of a program has been resident with, in bytes; nothing if none runs.
pub fn peak_memory_of(program: &Path) -> Option<u64> {
    platform::peak_memory_of(program)
}

#[cfg(target_os = "linux")]
mod platform {
    use std::time::Instant;

    use anyhow::{Context, bail};
    use nix::errno::Errno;
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeVal;
    use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
    use nix::unistd::Pid;

    use super::*;
    use crate::process;

    /// How long a descendant may outlive the command before that counts as a leak.
    const GRACE: Duration = Duration::from_secs(10);

    pub fn measure(command: &mut Command) -> Result<(Usage, Captured)> {
        // A plugin's child whose parent was killed would be waited for by init, and its time be lost: adopt it instead.
        nix::sys::prctl::set_child_subreaper(true).context("cannot become the one that adopts orphans")?;
        let before = children_cpu()?;
        let started = Instant::now();
        let captured = process::capture(command)?;
        let wall = started.elapsed();
        reap_orphans()?;
        Ok((Usage { cpu: children_cpu()?.saturating_sub(before), wall }, captured))
    }

    fn reap_orphans() -> Result<()> {
        let deadline = Instant::now() + GRACE;
        loop {
            match waitpid(Pid::from_raw(-1), Some(WaitPidFlag::WNOHANG)) {
                Err(Errno::ECHILD) => return Ok(()),
                Ok(WaitStatus::StillAlive) if Instant::now() > deadline => {
                    bail!("a process that the command started still runs {} s after its end", GRACE.as_secs())
                }
                Ok(WaitStatus::StillAlive) => std::thread::sleep(Duration::from_millis(10)),
                Ok(_) => {}
                Err(error) => return Err(error).context("cannot wait for orphans"),
            }
        }
    }

    fn children_cpu() -> Result<Duration> {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("getrusage")?;
        Ok(duration(usage.user_time()) + duration(usage.system_time()))
    }

    fn duration(time: TimeVal) -> Duration {
        let microseconds = time.tv_sec().saturating_mul(1_000_000).saturating_add(time.tv_usec());
        Duration::from_micros(u64::try_from(microseconds).unwrap_or(0))
    }

    pub fn resident_memory(process: u32) -> Result<u64> {
        let path = format!("/proc/{process}/status");
        let status = std::fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
        let mut total = bytes(&status, "VmRSS:").context("no VmRSS")?;
        for child in children_of(process)? {
            // One that has ended in the meantime holds nothing.
            total += resident_memory(child).unwrap_or(0);
        }
        Ok(total)
    }

    /// A figure of a process's status, which is given in KiB.
    fn bytes(status: &str, name: &str) -> Option<u64> {
        let figure = status.lines().find_map(|line| line.strip_prefix(name))?;
        Some(figure.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
    }

    pub fn peak_memory_of(program: &Path) -> Option<u64> {
        let program = program.canonicalize().ok()?;
        let processes = std::fs::read_dir("/proc").ok()?.flatten().map(|entry| entry.path());
        // A process may end at any moment.
        let ours = processes.filter(|process| process.join("exe").read_link().is_ok_and(|path| path == program));
        ours.filter_map(|process| bytes(&std::fs::read_to_string(process.join("status")).ok()?, "VmHWM:")).max()
    }

    fn children_of(process: u32) -> Result<Vec<u32>> {
        let mut children = Vec::new();
        for thread in std::fs::read_dir(format!("/proc/{process}/task"))? {
            let list = std::fs::read_to_string(thread?.path().join("children"))?;
            children.extend(list.split_whitespace().filter_map(|id| id.parse::<u32>().ok()));
        }
        Ok(children)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn an_orphan_is_accounted_for() {
            let _alone = crate::process::CHILDREN.lock();
            // The shell ends at once; what it left in the background works for a while.
            let work = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
            let mut command = Command::new("sh");
            command.args(["-c", &format!("( {work} ) > /dev/null 2>&1 &")]);
            let (usage, captured) = measure(&mut command).unwrap();
            assert!(captured.status.success());
            assert!(usage.cpu > Duration::from_millis(50), "{:?}", usage.cpu);
        }

        #[test]
        fn memory_of_this_process_is_plausible() {
            let bytes = resident_memory(std::process::id()).unwrap();
            assert!((1 << 20..1 << 32).contains(&bytes), "{bytes}");
            let peak = peak_memory_of(&std::env::current_exe().unwrap()).unwrap();
            assert!((1 << 20..1 << 32).contains(&peak), "{peak}");
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use super::*;

    pub fn measure(_command: &mut Command) -> Result<(Usage, Captured)> {
        anyhow::bail!("the benches account for processes in a way that only Linux has")
    }

    pub fn resident_memory(_process: u32) -> Result<u64> {
        anyhow::bail!("the benches read memory in a way that only Linux has")
    }

    pub fn peak_memory_of(_program: &Path) -> Option<u64> {
        None
    }
}
