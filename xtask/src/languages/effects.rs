//! One folder of scripts, the same effects on disk: what `examples/infra` leaves there at each stage of its life is the same file by
//! file, whether Terraform asks, or Pulumi with a program in YAML, TypeScript or Python.
//!
//! Terraform and YAML have here what they have in the cases `typed/terraform` and `typed/pulumi`; `infra.ts` and `infra.py` keep what
//! is on disk when they are run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::packages::SCRIPTS;
use super::{Language, Workshop, files};
use crate::process;
use crate::project::place_binary;
use crate::terraform::{isolate, quote};
use crate::tools::Tool;

/// The folders that are kept, one after the other. When the bucket is updated, it may be larger than before.
const STAGES: [&str; 3] = ["created", "updated", "destroyed"];

/// What the action leaves in the journal. Terraform has none of it: actions are asked for from Terraform 1.14 on only.
const TOLD: &str = "low: disk://our-assets is there";

/// Random, and kept by a database.
const KEY: &str = "key-of-people-";

/// What the data source finds, as the programs write it too.
const ZONE: &str = r#"{"serial":1,"records":[{"name":"www","type":"A","value":"192.0.2.1"}]}"#;

/// The lines of each file, by its path.
type Disk = BTreeMap<String, Vec<String>>;

/// Runs Terraform and YAML, and compares what they leave with what the programs have left.
pub fn compare(workshop: &Workshop<'_>) -> Result<()> {
    let kept = |language: Language| workshop.path("run").join(format!("{SCRIPTS}-{}/kept", language.name()));
    println!("running {SCRIPTS} in terraform …");
    let terraform = terraform(workshop)?;
    println!("running {SCRIPTS} in yaml …");
    let yaml = yaml(workshop)?;
    for stage in STAGES {
        let expected = disk(&kept(Language::Nodejs).join(stage))?;
        let mut of_terraform = disk(&terraform.join(stage))?;
        add_told(&mut of_terraform)?;
        same(stage, "Terraform", &of_terraform, &expected)?;
        same(stage, "YAML", &disk(&yaml.join(stage))?, &expected)?;
        same(stage, "Python", &disk(&kept(Language::Python).join(stage))?, &expected)?;
    }
    println!("Terraform, YAML, TypeScript and Python leave the same on disk");
    Ok(())
}

/// Where a tool does its work, with the zone on its disk.
fn sandbox(workshop: &Workshop<'_>, name: &str) -> Result<PathBuf> {
    let sandbox = workshop.path("run").join(format!("{SCRIPTS}-{name}"));
    std::fs::create_dir_all(sandbox.join("data/zones")).context("cannot create a disk")?;
    std::fs::write(sandbox.join("data/zones/example.org.json"), format!("{ZONE}\n")).context("cannot write a zone")?;
    Ok(sandbox)
}

/// Goes through all stages, and keeps what is on disk after each.
fn live(sandbox: &Path, mut go_to: impl FnMut(&str) -> Result<()>) -> Result<PathBuf> {
    let kept = sandbox.join("kept");
    for stage in STAGES {
        go_to(stage)?;
        files::copy(&sandbox.join("data"), &kept.join(stage))?;
    }
    Ok(kept)
}

fn terraform(workshop: &Workshop<'_>) -> Result<PathBuf> {
    let sandbox = sandbox(workshop, "terraform")?;
    let configuration = workshop.project.path("tests/cases/typed/terraform/main.tf");
    std::fs::copy(configuration, sandbox.join("main.tf")).context("cannot copy a configuration")?;
    let denobridge = place_binary(&workshop.plugin, &sandbox.join("bin"), "denobridge")?;
    let mut build = workshop.command(&denobridge)?;
    build.arg("build").arg(workshop.path("examples").join(SCRIPTS)).args([
        "--address",
        "acme/infra",
        "--mirror",
        "mirror",
    ]);
    captured(build.current_dir(&sandbox))?;
    let settings = sandbox.join("mirror.tfrc");
    let mirror = quote(&sandbox.join("mirror").display());
    let text = format!("provider_installation {{\n  filesystem_mirror {{ path = {mirror} }}\n}}\n");
    std::fs::write(&settings, text).context("cannot write the settings of Terraform")?;
    let terraform = |arguments: &[&str]| {
        let mut command = workshop.command(workshop.tools.get(Tool::Terraform)?)?;
        isolate(&mut command, &settings);
        captured(command.args(arguments).args(["-input=false", "-no-color"]).current_dir(&sandbox))
    };
    terraform(&["init"])?;
    live(&sandbox, |stage| match stage {
        "created" => terraform(&["apply", "-auto-approve"]),
        "updated" => terraform(&["apply", "-auto-approve", "-var", "max_size=2048"]),
        _ => terraform(&["destroy", "-auto-approve"]),
    })
}

fn yaml(workshop: &Workshop<'_>) -> Result<PathBuf> {
    let sandbox = sandbox(workshop, Language::Yaml.name())?;
    let sdk = workshop.path("sdks").join(SCRIPTS).join(Language::Yaml.name());
    files::copy(&sdk, &sandbox.join("sdks").join(Language::Yaml.name()))?;
    std::fs::create_dir_all(sandbox.join("state")).context("cannot create a backend")?;
    let source = workshop.project.path("tests/cases/typed/pulumi/Pulumi.yaml");
    let program = std::fs::read_to_string(&source).with_context(|| format!("cannot read {}", source.display()))?;
    let larger = program.replace("maxSize: 1024", "maxSize: 2048");
    ensure!(larger != program, "{} has no bucket that could be larger", source.display());
    let write = |text: &str| std::fs::write(sandbox.join("Pulumi.yaml"), text).context("cannot write a program");
    let pulumi = |arguments: &[&str]| {
        let mut command = workshop.command(workshop.tools.get(Tool::Pulumi)?)?;
        command.env("PULUMI_BACKEND_URL", format!("file://{}", sandbox.join("state").display()));
        captured(command.args(arguments).arg("--non-interactive").current_dir(&sandbox))
    };
    write(&program)?;
    pulumi(&["stack", "init", "dev"])?;
    live(&sandbox, |stage| match stage {
        "created" => pulumi(&["up", "--yes", "--skip-preview"]),
        "updated" => write(&larger).and_then(|()| pulumi(&["up", "--yes", "--skip-preview"])),
        _ => pulumi(&["destroy", "--yes", "--skip-preview"]),
    })
}

/// Runs what must succeed. What it says is shown only when it does not.
fn captured(command: &mut Command) -> Result<()> {
    process::capture(command.stderr(Stdio::piped()))?.success().map(drop)
}

/// What is on a disk, without what differs from run to run.
fn disk(folder: &Path) -> Result<Disk> {
    let mut disk = Disk::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(inside) = open.pop() {
        for path in files::sorted(&inside)? {
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
            let mut lines: Vec<String> = text.lines().map(without_key).collect();
            if name == "journal" {
                // How often something was done, and after what, is the tool's affair.
                lines.sort();
                lines.dedup();
            }
            disk.insert(name, lines);
        }
    }
    Ok(disk)
}

fn without_key(line: &str) -> String {
    let Some((before, key)) = line.split_once(KEY) else { return line.to_owned() };
    let after = key.trim_start_matches(|digit: char| digit.is_ascii_hexdigit() || digit == '-');
    format!("{before}{KEY}{after}")
}

/// Adds to Terraform's disk what only an action leaves, which must not be there.
fn add_told(disk: &mut Disk) -> Result<()> {
    let journal = disk.get_mut("journal").context("Terraform leaves no journal")?;
    ensure!(!journal.iter().any(|line| line == TOLD), "Terraform has done an action that nothing has asked for");
    journal.push(TOLD.to_owned());
    journal.sort();
    Ok(())
}

fn same(stage: &str, tool: &str, found: &Disk, expected: &Disk) -> Result<()> {
    ensure!(found == expected, "once it is {stage}, {tool} has left\n{found:#?}\nand TypeScript\n{expected:#?}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_key_is_left_out_and_nothing_else() {
        let line = r#"{"owner":"admin","key":"key-of-people-0b9c-12","more":"e-2"}"#;
        assert_eq!(without_key(line), r#"{"owner":"admin","key":"key-of-people-","more":"e-2"}"#);
        assert_eq!(without_key("locked deployment"), "locked deployment");
    }

    #[test]
    fn a_disk_is_its_files_and_a_journal_in_no_order() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("buckets")).unwrap();
        std::fs::write(folder.path().join("buckets/a.json"), "{}\n").unwrap();
        std::fs::write(folder.path().join("journal"), "unlocked\nlocked\nlocked\n").unwrap();
        let disk = disk(folder.path()).unwrap();
        let journal = vec!["locked".to_owned(), "unlocked".to_owned()];
        let file = Path::new("buckets").join("a.json").display().to_string();
        assert_eq!(disk, Disk::from([(file, vec!["{}".to_owned()]), ("journal".to_owned(), journal)]));
    }
}
