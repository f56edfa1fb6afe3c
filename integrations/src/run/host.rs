//! The process that started this one: the command that the user typed.

use std::path::Path;

/// The process that started this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostProcess {
    id: u32,
    /// When it started, in clock ticks since the system did; 0 where the system does not say.
    started: u64,
    /// Its command line, where the system tells.
    arguments: Vec<String>,
}

impl HostProcess {
    /// The parent of this process.
    #[must_use]
    pub fn of_process() -> Self {
        let id = parent();
        Self { id, started: started(id).unwrap_or(0), arguments: arguments(id) }
    }

    /// This process itself, where it starts the host.
    #[must_use]
    pub fn this_process() -> Self {
        let id = std::process::id();
        Self { id, started: started(id).unwrap_or(0), arguments: arguments(id) }
    }

    /// What tells this process from others, where processes know their parents.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        cfg!(unix).then(|| self.run_id())
    }

    /// What the run is called: the host's number and when it started.
    #[must_use]
    pub fn run_id(&self) -> String {
        format!("{}-{}", self.id, self.started)
    }

    /// The name of its program, without the path.
    #[must_use]
    pub fn program(&self) -> Option<String> {
        let path = Path::new(self.arguments.first()?);
        path.file_stem().map(|name| name.to_string_lossy().into_owned())
    }

    /// Its arguments, without the program.
    #[must_use]
    pub fn arguments(&self) -> &[String] {
        self.arguments.get(1..).unwrap_or_default()
    }

    /// Whether the host of the run of that name is gone. False for names that are none of ours.
    pub(super) fn is_over(run_id: &str) -> bool {
        let parts = run_id.split_once('-').and_then(|(id, time)| Some((id.parse().ok()?, time.parse::<u64>().ok()?)));
        parts.is_some_and(|(id, time)| time > 0 && started(id) != Some(time))
    }
}

#[cfg(unix)]
fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

/// Where processes do not know their parents, each is a run of its own.
#[cfg(not(unix))]
fn parent() -> u32 {
    std::process::id()
}

#[cfg(target_os = "linux")]
fn started(id: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The second field is a name in parentheses that may hold anything; the start is the twentieth after it (proc(5)).
    let (_, after) = stat.rsplit_once(") ")?;
    after.split(' ').nth(19)?.parse().ok()
}

#[cfg(not(target_os = "linux"))]
fn started(_: u32) -> Option<u64> {
    None
}

#[cfg(target_os = "linux")]
fn arguments(id: u32) -> Vec<String> {
    let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    let arguments = line.split(|byte| *byte == 0).map(|argument| String::from_utf8_lossy(argument).into_owned());
    let mut arguments: Vec<String> = arguments.collect();
    // Each argument ends with a zero.
    arguments.pop();
    arguments
}

#[cfg(not(target_os = "linux"))]
fn arguments(_: u32) -> Vec<String> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_parent_is_known_and_not_over() {
        let host = HostProcess::of_process();
        assert!(host.started > 0 && host.program().is_some(), "{host:?}");
        assert!(!HostProcess::is_over(&host.run_id()));
        assert!(HostProcess::is_over(&format!("{}-{}", host.id, host.started + 1)));
        assert!(!HostProcess::is_over("something-else"));
    }
}
