//! Runs one compatibility case and compares what came of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context as _, Result, bail};

use crate::tools::{copy, link, tool};
use crate::traffic::{Answers, Documents};
use crate::transcript::{self, Order, Reading, Step};

/// Names the OpenTofu to run the cases under instead of Terraform.
const OPENTOFU: &str = "DENOBRIDGE_COMPAT_OPENTOFU";

/// How lines about ephemeral resources start.
const EPHEMERAL: &str = "  ephemeral: ";

/// Cases with scripts that answer wrongly on purpose.
const WRONG_ANSWERS: [&str; 2] = ["04-modify-plan", "05-peer-defects"];

/// What all cases share.
pub struct Runner {
    folder: PathBuf,
    programs: tempfile::TempDir,
    deno: PathBuf,
    terraform: PathBuf,
    documents: Documents,
    is_opentofu: bool,
}

impl Runner {
    /// Finds the tools and places our binary where Terraform takes it for the Go provider's.
    pub fn prepare() -> Result<Self> {
        let project = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let programs = tempfile::tempdir()?;
        let binary = Path::new(env!("CARGO_BIN_EXE_denobridge"));
        link(binary, &programs.path().join("terraform-provider-denobridge"))?;
        let configuration = format!(
            "provider_installation {{\n  dev_overrides {{\n    \"registry.terraform.io/brad-jones/denobridge\" = {:?}\n  }}\n  direct {{}}\n}}\n",
            programs.path()
        );
        fs::write(programs.path().join("terraform.rc"), configuration)?;
        let opentofu = env::var_os(OPENTOFU).map(PathBuf::from);
        let is_opentofu = opentofu.is_some();
        let terraform = opentofu.map_or_else(|| tool(&project, "terraform", "DENOBRIDGE_TEST_TERRAFORM"), Ok)?;
        let deno = fs::canonicalize(tool(&project, "deno", "DENOBRIDGE_TEST_DENO")?)?;
        let documents = Documents::read(&project)?;
        Ok(Self { folder: project.join("tests/compat/denobridge"), programs, deno, terraform, documents, is_opentofu })
    }

    /// The cases in order of name.
    pub fn cases(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let with_steps = entries.flatten().filter(|entry| entry.path().join("steps.sh").is_file());
        let mut cases: Vec<String> = with_steps.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        cases.sort();
        cases
    }

    /// Runs a case and compares each of its steps.
    pub fn run(&self, case: &str) -> Result<()> {
        let folder = self.folder.join(case);
        let seen = transcript::read(&self.transcript(case)?);
        let peer = transcript::by_name(read(&folder.join("peer.txt"))?);
        let ours_file = folder.join("ours.txt");
        let ours = transcript::by_name(read(&ours_file).unwrap_or_default());
        let steps = fs::read_to_string(folder.join("steps.sh"))?;
        let order = if steps.contains("UNORDERED=1") { Order::None } else { Order::AsPrinted };
        // OpenTofu's machine-readable output says nothing of ephemeral resources.
        let reading = Reading { order, without: self.is_opentofu.then_some(EPHEMERAL) };
        if env::var_os("UPDATE_EXPECT").is_some() && !self.is_opentofu {
            return update(&ours_file, seen, reading, &peer, &ours);
        }
        let mut wrong = String::new();
        for step in &seen {
            if let Err(difference) = compare(step, reading, peer.get(&step.name), ours.get(&step.name)) {
                write!(wrong, "\n== {}\n{difference}", step.name)?;
            }
        }
        let names: Vec<&String> = seen.iter().map(|step| &step.name).collect();
        for name in peer.keys().chain(ours.keys()).filter(|name| !names.contains(name)) {
            write!(wrong, "\n== {name}\nnot seen")?;
        }
        if wrong.is_empty() { Ok(()) } else { bail!("{case} differs:{wrong}") }
    }

    /// What the steps of a case print.
    fn transcript(&self, case: &str) -> Result<String> {
        let sandbox = tempfile::Builder::new().prefix("denobridge-compat-").tempdir()?;
        let sandbox = sandbox.path().canonicalize()?;
        copy(&self.folder.join("lib"), &sandbox.join("lib"))?;
        copy(&self.folder.join(case), &sandbox.join(case))?;
        let output = Command::new("bash")
            .args(["-c", "set -u; . ../lib/prelude.sh; . ./steps.sh"])
            .current_dir(sandbox.join(case))
            .stdin(Stdio::null())
            .env("SANDBOX", &sandbox)
            .env("TERRAFORM", &self.terraform)
            .env("DENO", &self.deno)
            .env("TF_VAR_deno", &self.deno)
            .env("TF_CLI_CONFIG_FILE", self.programs.path().join("terraform.rc"))
            .env("TF_IN_AUTOMATION", "1")
            .env("CHECKPOINT_DISABLE", "1")
            .env("NO_COLOR", "1")
            .env("DENO_NO_UPDATE_CHECK", "1")
            .env("DENO_DIR", sandbox.join("deno-cache"))
            .env("BRIDGE_TRACE", sandbox.join("trace.log"))
            // The traffic with scripts, for the contract's documents to be held against.
            .env("TF_LOG", "JSON")
            .env("TF_LOG_PATH", sandbox.join("log"))
            .output()
            .context("could not start bash")?;
        let errors = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            bail!("steps.sh ended with {}\n{errors}", output.status);
        }
        let answers = if WRONG_ANSWERS.contains(&case) { Answers::WrongOnPurpose } else { Answers::Checked };
        let log = fs::read_to_string(sandbox.join("log")).context("Terraform has written no log")?;
        if self.documents.check(&log, answers)? == 0 {
            bail!("the log has no traffic with scripts in it");
        }
        let printed = String::from_utf8_lossy(&output.stdout).replace(&*sandbox.to_string_lossy(), "[DIR]");
        Ok(printed.replace(&*self.deno.to_string_lossy(), "[DENO]"))
    }
}

fn read(file: &Path) -> Result<Vec<Step>> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(transcript::read(&text))
}

fn same(left: &Step, right: &Step, reading: Reading) -> bool {
    transcript::meaning(left, reading) == transcript::meaning(right, reading)
}

/// A step must come out as the peer's or, where there is a reason, as ours.
fn compare(seen: &Step, reading: Reading, peer: Option<&Step>, ours: Option<&Step>) -> Result<(), String> {
    match (peer, ours) {
        (_, Some(ours)) if ours.reason.is_empty() => Err("no reason is given for the difference".to_owned()),
        (Some(peer), Some(_)) if same(seen, peer, reading) => {
            Err("it is as the peer's: take it out of ours".to_owned())
        }
        (_, Some(ours)) | (Some(ours), None) if same(seen, ours, reading) => Ok(()),
        (_, Some(expected)) | (Some(expected), None) => Err(difference(expected, seen, reading)),
        (None, None) => Err("the peer has no such step".to_owned()),
    }
}

fn difference(expected: &Step, seen: &Step, reading: Reading) -> String {
    let text = |step: &Step| transcript::meaning(step, reading).join("\n") + "\n";
    let (expected, seen) = (text(expected), text(seen));
    similar::TextDiff::from_lines(&expected, &seen).unified_diff().header("expected", "seen").to_string()
}

fn update(
    file: &Path,
    seen: Vec<Step>,
    reading: Reading,
    peer: &BTreeMap<String, Step>,
    ours: &BTreeMap<String, Step>,
) -> Result<()> {
    let mut kept = Vec::new();
    for step in seen {
        if peer.get(&step.name).is_some_and(|peer| same(&step, peer, reading)) {
            continue;
        }
        let reason = ours.get(&step.name).map(|ours| ours.reason.clone()).unwrap_or_default();
        kept.push(Step { reason, ..step });
    }
    fs::write(file, transcript::write(&kept)).with_context(|| format!("cannot write {}", file.display()))
}
