//! The checks, each about one thing.

use std::path::{Path, PathBuf};

use denobridge_registry::Platform;

use super::probe::{Machine, ask, version};
use super::{Finding, Verdict};
use crate::cli::install::Tool;
use crate::deno::install::InstallError;
use crate::deno::version::version_of;
use crate::deno::{Deno, FindError};
use crate::packages::VERSION;

/// Everything, in the order in which things rely on each other.
pub(super) async fn all(machine: &Machine) -> Vec<Finding> {
    let found = Deno::from(machine.deno_search()).locate().await;
    let mut findings = vec![ourselves(machine), deno(machine, &found).await, deno_cache(found.ok().as_deref())];
    findings.extend(terraform(machine, Tool::Terraform));
    findings.extend(terraform(machine, Tool::Opentofu));
    findings.extend(pulumi(machine));
    findings
}

fn ourselves(machine: &Machine) -> Finding {
    let place = machine.program.as_deref().map_or_else(|| "an unknown place".into(), Path::to_string_lossy);
    Finding::new(Verdict::Good, "denobridge", format!("{VERSION} for {}, {place}", Platform::current()))
}

/// The Deno that scripts run on, as a provider finds it.
async fn deno(machine: &Machine, found: &Result<PathBuf, FindError>) -> Finding {
    let subject = "Deno";
    match found {
        Ok(program) => match version_of(program).await {
            Ok(version) => Finding::new(Verdict::Good, subject, format!("{version}, {}", program.display())),
            Err(error) => Finding::new(Verdict::Wrong, subject, error.to_string()).advise(error.advice()),
        },
        // What is not there is downloaded, if there is a place for it.
        Err(FindError::NotAllowed { wish, found }) if machine.deno_search().cache.is_some() => {
            let found = format!("none on this machine is {wish}{found}");
            Finding::new(Verdict::Limited, subject, found).advise(
                "It will be downloaded when the first script runs. To do without that, install Deno 2 \
                 (https://docs.deno.com/runtime/getting_started/installation/).",
            )
        }
        Err(FindError::NotAllowed { wish, found }) => {
            Finding::new(Verdict::Wrong, subject, format!("none on this machine is {wish}{found}")).advise(format!(
                "It cannot be downloaded either: {}. Or install Deno 2 \
                 (https://docs.deno.com/runtime/getting_started/installation/).",
                InstallError::NoFolder
            ))
        }
        Err(error) => Finding::new(Verdict::Wrong, subject, error.to_string()).advise(error.advice()),
    }
}

/// Deno keeps what scripts import there; a first run without it needs the network.
fn deno_cache(deno: Option<&Path>) -> Finding {
    let subject = "Deno's cache";
    let Some(deno) = deno else {
        return Finding::new(Verdict::Absent, subject, "not looked for without Deno");
    };
    let info =
        ask(deno, &["info", "--json"]).ok().and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
    let Some(folder) = info.as_ref().and_then(|info| info["denoDir"].as_str()).map(PathBuf::from) else {
        return Finding::new(Verdict::Limited, subject, "Deno does not say where it is");
    };
    let shown = folder.display();
    match writable(&folder) {
        Ok(true) => Finding::new(Verdict::Good, subject, shown.to_string()),
        Ok(false) => Finding::new(Verdict::Good, subject, format!("{shown} (not there yet)")),
        Err(error) => Finding::new(Verdict::Wrong, subject, format!("{shown} cannot be written: {error}")).advise(
            "Scripts that import packages will not start. Correct its owner, or set DENO_DIR to another folder.",
        ),
    }
}

/// Whether a folder is there, and an error when nothing can be written into it.
fn writable(folder: &Path) -> std::io::Result<bool> {
    let existing = folder.ancestors().find(|folder| folder.is_dir());
    let Some(existing) = existing else { return Ok(false) };
    let probe = existing.join(format!(".denobridge-doctor-{}", std::process::id()));
    std::fs::write(&probe, b"")?;
    std::fs::remove_file(&probe)?;
    Ok(existing == folder)
}

fn terraform(machine: &Machine, tool: Tool) -> Vec<Finding> {
    let (subject, plugin, command, newest) = match tool {
        Tool::Opentofu => ("OpenTofu", "  its plugin", "tofu", [1, 11, 0]),
        Tool::Terraform | Tool::Pulumi => ("Terraform", "  its plugin", "terraform", [1, 11, 0]),
    };
    let Some(path) = machine.on_path(command) else {
        return vec![Finding::new(Verdict::Absent, subject, format!("`{command}` is not on PATH"))];
    };
    let shown = path.display();
    let found = match ask(&path, &["version"]).map(|text| version(&text)) {
        Ok(Some(version)) => {
            let [major, minor, patch] = version;
            let text = format!("{major}.{minor}.{patch}, {shown}");
            if version < newest {
                Finding::new(Verdict::Limited, subject, text)
                    .advise(format!("Write-only props and ephemeral resources need {subject} 1.11."))
            } else {
                Finding::new(Verdict::Good, subject, text)
            }
        }
        Ok(None) => Finding::new(Verdict::Limited, subject, format!("{shown} does not say which version it is")),
        Err(reason) => Finding::new(Verdict::Wrong, subject, format!("{shown}: {reason}")),
    };
    vec![found, terraform_plugin(machine, tool, plugin)]
}

fn terraform_plugin(machine: &Machine, tool: Tool, subject: &'static str) -> Finding {
    let command = if tool == Tool::Opentofu { "opentofu" } else { "terraform" };
    if let Some(settings) = machine.variable("TF_CLI_CONFIG_FILE") {
        let text = std::fs::read_to_string(settings).unwrap_or_default();
        if text.contains("dev_overrides") && text.contains("denobridge") {
            return Finding::new(Verdict::Good, subject, format!("an override in {}", Path::new(settings).display()));
        }
    }
    let Ok(folder) = tool.plugin_folder(&machine.homes) else {
        return Finding::new(Verdict::Limited, subject, "there is no home folder to look in");
    };
    // Two levels up are the versions, whatever their platforms are.
    let file = folder.join(tool.file(VERSION));
    let Some(versions) = file.ancestors().nth(3) else {
        return Finding::new(Verdict::Absent, subject, "not installed");
    };
    let placed: Vec<PathBuf> = std::fs::read_dir(versions)
        .into_iter()
        .flatten()
        .flatten()
        .map(|version| folder.join(tool.file(&version.file_name().to_string_lossy())))
        .filter(|file| file.symlink_metadata().is_ok())
        .collect();
    judge(machine, &placed, subject, command)
}

fn pulumi(machine: &Machine) -> Vec<Finding> {
    let subject = "Pulumi";
    let Some(path) = machine.on_path("pulumi") else {
        return vec![Finding::new(Verdict::Absent, subject, "`pulumi` is not on PATH")];
    };
    let shown = path.display();
    let found = match ask(&path, &["version"]).map(|text| version(&text)) {
        Ok(Some([major, minor, patch])) => {
            let text = format!("{major}.{minor}.{patch}, {shown}");
            if [major, minor] < [3, 200] {
                Finding::new(Verdict::Limited, subject, text)
                    .advise("The bridge is tested with Pulumi 3.200 and newer.")
            } else {
                Finding::new(Verdict::Good, subject, text)
            }
        }
        Ok(None) => Finding::new(Verdict::Limited, subject, format!("{shown} does not say which version it is")),
        Err(reason) => Finding::new(Verdict::Wrong, subject, format!("{shown}: {reason}")),
    };
    let placed = Tool::Pulumi.plugin_folder(&machine.homes).map(|folder| folder.join(Tool::Pulumi.file(VERSION)));
    let placed: Vec<PathBuf> = placed.into_iter().filter(|file| file.symlink_metadata().is_ok()).collect();
    vec![found, judge(machine, &placed, "  its plugin", "pulumi")]
}

/// What is to be said of the places in which the plugin is installed.
fn judge(machine: &Machine, placed: &[PathBuf], subject: &'static str, tool: &str) -> Finding {
    let again = format!("Install it: denobridge install {tool}");
    if let Some(dangling) = placed.iter().find(|file| !file.exists()) {
        return Finding::new(Verdict::Wrong, subject, format!("{} leads nowhere", dangling.display())).advise(again);
    }
    let Some(file) = placed.first() else {
        return Finding::new(Verdict::Absent, subject, "not installed").advise(again);
    };
    let ours = machine.program.as_deref().and_then(|program| program.canonicalize().ok());
    if ours.is_some() && placed.iter().any(|file| file.canonicalize().ok() == ours) {
        return Finding::new(Verdict::Good, subject, file.display().to_string());
    }
    Finding::new(Verdict::Limited, subject, format!("{} is another build than this one", file.display())).advise(again)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::collections::BTreeMap;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;
    use crate::cli::install::Homes;

    struct Fake {
        folder: tempfile::TempDir,
        machine: Machine,
    }

    impl Fake {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let home = folder.path().to_owned();
            std::fs::create_dir(home.join("bin")).unwrap();
            std::fs::write(home.join("denobridge"), "").unwrap();
            let machine = Machine {
                variables: BTreeMap::from([
                    ("PATH".to_owned(), home.join("bin").into()),
                    ("HOME".to_owned(), home.clone().into()),
                    ("DENOBRIDGE_CACHE".to_owned(), home.join("downloads").into()),
                ]),
                program: Some(home.join("denobridge")),
                homes: Homes { home: Some(home), app_data: None, pulumi: None },
            };
            Self { folder, machine }
        }

        fn program(&self, name: &str, text: &str) {
            let path = self.folder.path().join("bin").join(name);
            std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
            std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
        }

        fn place(&self, tool: Tool, version: &str, target: &str) {
            let file = tool.plugin_folder(&self.machine.homes).unwrap().join(tool.file(version));
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            symlink(self.folder.path().join(target), file).unwrap();
        }

        async fn report(&self) -> String {
            let lines: Vec<String> = all(&self.machine).await.iter().map(ToString::to_string).collect();
            let text = lines.join("\n").replace(&*self.folder.path().to_string_lossy(), "[HOME]");
            text.replace(VERSION, "[VERSION]").replace(&Platform::current().to_string(), "[PLATFORM]")
        }
    }

    #[tokio::test]
    async fn nothing_is_there() {
        insta::assert_snapshot!(Fake::new().report().await);
    }

    #[tokio::test]
    async fn everything_is_as_it_should_be() {
        let fake = Fake::new();
        fake.program(
            "deno",
            "[ $1 = --version ] && echo deno 2.9.8 || echo '{\"denoDir\": \"'$(dirname $0)'/cache\"}'",
        );
        fake.program("terraform", "echo Terraform v1.14.0");
        fake.program("tofu", "echo OpenTofu v1.12.6");
        fake.program("pulumi", "echo v3.274.1");
        fake.place(Tool::Terraform, "0.4.1", "denobridge");
        fake.place(Tool::Opentofu, VERSION, "denobridge");
        fake.place(Tool::Pulumi, VERSION, "denobridge");
        insta::assert_snapshot!(fake.report().await);
    }

    #[tokio::test]
    async fn a_deno_that_was_downloaded_counts_and_one_that_is_named_must_fit() {
        let mut fake = Fake::new();
        fake.program("deno", "echo deno 1.46.3");
        fake.program("node", "echo v22");
        let line = |report: String| report.lines().find(|line| line.contains(" Deno ")).unwrap_or_default().to_owned();
        let none = "Deno               none on this machine is 2.0.0 or newer ([HOME]/bin/deno is 1.46.3)";
        assert_eq!(line(fake.report().await), format!("note  {none}"));
        let downloaded = fake.folder.path().join("downloads/deno/v2.4.0");
        std::fs::create_dir_all(&downloaded).unwrap();
        std::fs::copy(fake.folder.path().join("bin/deno"), downloaded.join("deno")).unwrap();
        std::fs::write(downloaded.join("deno"), "#!/bin/sh\necho deno 2.4.0\n").unwrap();
        assert_eq!(line(fake.report().await), "ok    Deno               2.4.0, [HOME]/downloads/deno/v2.4.0/deno");
        let node = fake.folder.path().join("bin/node");
        fake.machine.variables.insert("DENOBRIDGE_DENO".to_owned(), node.into());
        let named = "BAD   Deno               the environment variable DENOBRIDGE_DENO names \"[HOME]/bin/node\", which is no \
                     Deno: `--version` said \"v22\"";
        assert_eq!(line(fake.report().await), named);
        fake.machine.variables.retain(|name, _| name == "PATH");
        assert_eq!(line(fake.report().await), format!("BAD   {none}"), "nor could it be downloaded");
    }

    #[tokio::test]
    async fn everything_is_old_or_broken() {
        let fake = Fake::new();
        fake.program("deno", "[ $1 = --version ] && echo deno 2.0.0 || echo '{\"denoDir\": \"/proc/none\"}'");
        fake.program("terraform", "echo Terraform v1.5.7");
        fake.program("tofu", "echo no home >&2; exit 3");
        fake.program("pulumi", "echo v3.100.0");
        std::fs::write(fake.folder.path().join("other"), "").unwrap();
        fake.place(Tool::Terraform, VERSION, "gone");
        fake.place(Tool::Pulumi, VERSION, "other");
        insta::assert_snapshot!(fake.report().await);
    }
}
