//! What the kernel says a process has used. Linux only.

use std::time::Duration;

use anyhow::Result;

/// User and system time of all threads of a process so far.
///
/// # Errors
/// The process is gone, or the system is not Linux; so for the others.
pub fn cpu(process: u32) -> Result<Duration> {
    platform::cpu(process)
}

/// The resident memory of a process, in bytes.
pub fn resident_memory(process: u32) -> Result<u64> {
    platform::status_bytes(process, "VmRSS:")
}

/// The most resident memory that a process has ever had, in bytes.
pub fn peak_memory(process: u32) -> Result<u64> {
    platform::status_bytes(process, "VmHWM:")
}

#[cfg(target_os = "linux")]
mod platform {
    use anyhow::Context;
    use nix::time::clock_getcpuclockid;
    use nix::unistd::Pid;

    use super::*;

    pub fn cpu(process: u32) -> Result<Duration> {
        let clock = clock_getcpuclockid(Pid::from_raw(process.try_into().context("a process id")?))?;
        Ok(clock.now()?.into())
    }

    pub fn status_bytes(process: u32, field: &str) -> Result<u64> {
        let path = format!("/proc/{process}/status");
        let status = std::fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
        let line = status.lines().find_map(|line| line.strip_prefix(field));
        let line = line.with_context(|| format!("{path} has no {field}"))?;
        let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse().context("not a number of kB")?;
        Ok(kibibytes * 1024)
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use super::*;

    pub fn cpu(_process: u32) -> Result<Duration> {
        anyhow::bail!("the bench reads CPU time in a way that only Linux has")
    }

    pub fn status_bytes(_process: u32, _field: &str) -> Result<u64> {
        anyhow::bail!("the bench reads memory in a way that only Linux has")
    }
}
