//! One run of the user's command: what its provider processes share, and what is known of it from outside.
//!
//! Terraform starts a process for each provider configuration and walk of its graph, Pulumi for each deployment. All of one
//! run have the same parent, so a folder named after that process and the moment it started holds what they share: who has
//! halted the run, what forbids its apply, which walks there were.

mod command;
mod host;
mod place;

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

pub(crate) use command::{is_test, operation_of};
pub use host::HostProcess;
pub use place::Place;

/// Names the folder of the run, where a program around the host has made one: `denobridge run`.
pub const RUN_VARIABLE: &str = "DENOBRIDGE_RUN";

/// What an integration has decided for the rest of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Who.
    pub integration: Arc<str>,
    /// Why, in lines.
    pub message: String,
}

/// How the names of files begin that deny the apply until somebody has answered.
const UNANSWERED: &str = "unanswered-";

/// A question that denies the apply as long as it has no answer.
#[must_use]
#[derive(Debug)]
pub struct Unanswered(PathBuf);

impl Unanswered {
    /// It has one, which was written down if it denies the apply.
    pub fn answered(self) {
        // If it stays, the apply is denied for it.
        let _ = fs::remove_file(self.0);
    }
}

/// The folder of one run.
#[derive(Clone, Debug)]
pub struct RunFolder {
    path: PathBuf,
    id: Arc<str>,
    /// The host whose walks are counted, where a run may have several.
    host: Option<Arc<str>>,
}

impl RunFolder {
    /// The folder of the run that this process belongs to, which the first process of a run makes. Folders of runs whose host
    /// is gone are removed.
    ///
    /// # Errors
    /// The folder cannot be made, or belongs to somebody else.
    pub fn of_process(host: &HostProcess) -> io::Result<Self> {
        if let Some(path) = std::env::var_os(RUN_VARIABLE).filter(|path| !path.is_empty()) {
            let path = PathBuf::from(path);
            let id = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let of_run = Self::at(path, &id)?;
            return Ok(Self { host: host.name().map(Into::into), ..of_run });
        }
        let id = host.run_id();
        Self::at(Self::all(host)?.join(&id), &id)
    }

    /// The folder of the run that `host` is the beginning of, where there is nothing yet.
    ///
    /// # Errors
    /// The folder cannot be made, or belongs to somebody else.
    pub fn begin(host: &HostProcess) -> io::Result<Self> {
        let all = Self::all(host)?;
        let path = all.join(host.run_id());
        // Numbers of processes come again, and not every system says when one has started.
        if path.exists() {
            fs::remove_dir_all(&path)?;
        }
        Self::at(path, &host.run_id())
    }

    /// Where the folders of all runs of this user are.
    fn all(host: &HostProcess) -> io::Result<PathBuf> {
        let all = std::env::temp_dir().join(format!("denobridge-runs-{}", owner()));
        private(&all)?;
        remove_ended(&all, host);
        Ok(all)
    }

    /// Removes it: the run is over. Whatever stands in the way of that can stay.
    pub fn remove(&self) {
        let _ = fs::remove_dir_all(&self.path);
    }

    /// The run of this name, in a folder that is made if it is not there.
    ///
    /// # Errors
    /// The folder cannot be made, or belongs to somebody else.
    pub fn at(path: PathBuf, id: &str) -> io::Result<Self> {
        private(&path)?;
        Ok(Self { path, id: id.into(), host: None })
    }

    /// What all processes of the run call it.
    #[must_use]
    pub fn id(&self) -> &Arc<str> {
        &self.id
    }

    /// The folder itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Nothing further is to be begun in this run. The first who says so stays.
    ///
    /// # Errors
    /// It cannot be written down.
    pub fn halt(&self, verdict: &Verdict) -> io::Result<()> {
        self.keep("halt.json", verdict)
    }

    /// Who has halted the run, if anybody.
    #[must_use]
    pub fn halted(&self) -> Option<Verdict> {
        self.kept("halt.json")
    }

    /// The apply of this run is not to begin.
    ///
    /// # Errors
    /// It cannot be written down.
    pub fn deny_apply(&self, verdict: &Verdict) -> io::Result<()> {
        self.keep("verdict.json", verdict)
    }

    /// Who has denied the apply, if anybody.
    #[must_use]
    pub fn apply_denied(&self) -> Option<Verdict> {
        self.kept("verdict.json").or_else(|| self.unanswered().into_iter().find_map(|name| self.kept(&name)))
    }

    /// Somebody is asked what is to become of the apply. It is denied so unless there is an answer, however this process ends.
    ///
    /// # Errors
    /// It cannot be written down.
    pub fn ask_for_verdict(&self, without_answer: &Verdict) -> io::Result<Unanswered> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let process = HostProcess::this_process().run_id();
        let name = format!("{UNANSWERED}{process}.{}", COUNT.fetch_add(1, Ordering::Relaxed));
        self.keep(&name, without_answer)?;
        Ok(Unanswered(self.path.join(name)))
    }

    /// Whether somebody is asked what is to become of the apply, by a process that still runs.
    #[must_use]
    pub fn awaits_verdict(&self) -> bool {
        self.unanswered().iter().any(|name| {
            let process =
                name.strip_prefix(UNANSWERED).and_then(|rest| rest.rsplit_once('.')).map(|(process, _)| process);
            process.is_some_and(|process| !HostProcess::is_over(process))
        })
    }

    /// The files of questions without an answer.
    fn unanswered(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        // What is written aside has a further name.
        names.filter(|name| name.strip_prefix(UNANSWERED).is_some_and(|rest| rest.matches('.').count() == 1)).collect()
    }

    /// Which plan of this provider begins now, from 1: `terraform destroy` plans twice, each time in a process of its own.
    #[must_use]
    pub fn next_pass(&self, provider: &str) -> u32 {
        // Several configurations of a provider plan side by side; the second plan begins when one of the first has ended.
        1 + u32::from(self.marker(provider).exists())
    }

    /// Remembers that a plan or a preview of this provider has come to its end, and what it was about, in words without line feeds.
    pub fn set_previewed(&self, provider: &str, plans: &BTreeSet<String>) {
        let lines: String = plans.iter().map(|plan| format!("{plan}\n")).collect();
        let marker = OpenOptions::new().create(true).append(true).open(self.marker(provider));
        // Without it, an update asks integrations about plans that they have seen.
        let _ = marker.and_then(|mut marker| marker.write_all(lines.as_bytes()));
    }

    /// What plans or previews of this provider were about that have come to their end in this run; none if there were no plans.
    #[must_use]
    pub fn previewed(&self, provider: &str) -> Option<BTreeSet<String>> {
        let text = fs::read_to_string(self.marker(provider)).ok()?;
        Some(text.lines().map(str::to_owned).collect())
    }

    fn marker(&self, provider: &str) -> PathBuf {
        let host = self.host.as_deref().map(|host| format!("{host}-")).unwrap_or_default();
        self.path.join(format!("previewed-{host}{}", file_name(provider)))
    }

    fn keep(&self, name: &str, verdict: &Verdict) -> io::Result<()> {
        // Written aside and linked: whoever finds it finds all of it, and the first stays.
        let aside = self.path.join(format!("{name}.{}", std::process::id()));
        let mut file = File::create(&aside)?;
        file.write_all(&serde_json::to_vec(verdict)?)?;
        drop(file);
        let kept = match fs::hard_link(&aside, self.path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => fs::rename(&aside, self.path.join(name)),
            _ => Ok(()),
        };
        let _ = fs::remove_file(&aside);
        kept
    }

    fn kept(&self, name: &str) -> Option<Verdict> {
        let text = fs::read(self.path.join(name)).ok()?;
        // A file that cannot be read still says that somebody said no.
        Some(serde_json::from_slice(&text).unwrap_or_else(|error| Verdict {
            integration: "denobridge".into(),
            message: format!("{} cannot be read: {error}", self.path.join(name).display()),
        }))
    }
}

/// An address as part of a file's name.
fn file_name(provider: &str) -> String {
    provider.chars().map(|character| if character.is_ascii_alphanumeric() { character } else { '-' }).collect()
}

/// Makes a folder that only its owner can look into, and makes sure that it is one.
#[cfg(unix)]
fn private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
    match fs::DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => return made.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
    }
    let metadata = fs::symlink_metadata(path)?;
    // Anybody may have put something there before us.
    if !metadata.is_dir() || metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::Error::other(format!("{} belongs to somebody else", path.display())));
    }
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}

#[cfg(not(unix))]
fn private(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Tells users of one machine apart.
#[cfg(unix)]
fn owner() -> String {
    rustix::process::geteuid().as_raw().to_string()
}

#[cfg(not(unix))]
fn owner() -> String {
    std::env::var("USERNAME").unwrap_or_default()
}

/// Removes the folders of runs whose host is gone. Whatever stands in the way of that can stay.
fn remove_ended(all: &Path, host: &HostProcess) {
    for entry in fs::read_dir(all).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != host.run_id() && HostProcess::is_over(&name) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_verdict_stays_and_every_process_finds_it() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFolder::at(folder.path().join("run"), "run").unwrap();
        assert_eq!((run.halted(), run.apply_denied()), (None, None));
        let verdict = |name: &str| Verdict { integration: name.into(), message: "no\nreally".into() };
        run.halt(&verdict("first")).unwrap();
        run.halt(&verdict("second")).unwrap();
        let other = RunFolder::at(folder.path().join("run"), "run").unwrap();
        assert_eq!((other.halted(), other.apply_denied()), (Some(verdict("first")), None));
        other.deny_apply(&verdict("budget")).unwrap();
        assert_eq!(run.apply_denied(), Some(verdict("budget")));
    }

    #[test]
    fn the_apply_is_denied_until_who_was_asked_has_answered() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFolder::at(folder.path().join("run"), "run").unwrap();
        let verdict = Verdict { integration: "budget".into(), message: "has not answered".into() };
        let (first, second) = (run.ask_for_verdict(&verdict).unwrap(), run.ask_for_verdict(&verdict).unwrap());
        first.answered();
        assert_eq!((run.apply_denied(), run.awaits_verdict()), (Some(verdict.clone()), true));
        second.answered();
        assert_eq!((run.apply_denied(), run.awaits_verdict()), (None, false));
        // A process that has ended answers no more.
        run.keep("unanswered-1-1.0", &verdict).unwrap();
        assert_eq!((run.apply_denied(), run.awaits_verdict()), (Some(verdict), false));
    }

    #[test]
    fn a_verdict_that_cannot_be_read_still_denies() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFolder::at(folder.path().join("run"), "run").unwrap();
        fs::write(run.path().join("halt.json"), "{").unwrap();
        assert!(run.halted().unwrap().message.contains("cannot be read"));
    }

    #[test]
    fn walks_are_counted_for_each_provider() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFolder::at(folder.path().join("run"), "run").unwrap();
        assert_eq!(["a/b", "a/b", "a/c"].map(|provider| run.next_pass(provider)), [1, 1, 1]);
        assert_eq!(run.previewed("a/b"), None);
        let plans = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
        run.set_previewed("a/b", &plans(&[]));
        assert_eq!((run.previewed("a/b"), run.previewed("a/c")), (Some(plans(&[])), None));
        run.set_previewed("a/b", &plans(&["x", "z"]));
        run.set_previewed("a/b", &plans(&["z"]));
        assert_eq!(run.previewed("a/b"), Some(plans(&["x", "z"])));
        assert_eq!(["a/b", "a/c"].map(|provider| run.next_pass(provider)), [2, 1]);
    }

    #[cfg(unix)]
    #[test]
    fn a_place_that_is_no_folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("run")).unwrap();
        assert!(RunFolder::at(folder.path().join("run"), "run").is_err());
    }
}
