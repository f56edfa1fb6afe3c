//! What scripted resources cost under terraform, against a native Go provider that does nothing (`time_static`) and terraform's
//! own built-in resource (`terraform_data`), which shows how much is terraform's own.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use super::median;
use super::table::Table;
use super::usage::{self, Usage};
use crate::project::{Profile, Project, place_binary};
use crate::terraform::{cli_configuration, isolate};
use crate::tools::{self, Paths, Tool};

/// The share of the native provider's CPU seconds that scripted resources may take.
const CPU_TARGET: f64 = 0.75;

const SCRIPT: &str = include_str!("scripts/resource.ts");

/// The file beside the script in which every Deno process leaves a line.
const STARTS: &str = "starts.log";

/// What terraform does in each round, with its name in the table.
const PHASES: [(&str, &[&str]); 3] = [
    ("apply", &["apply", "-input=false", "-no-color", "-auto-approve"]),
    // Fails, with exit 2, unless there is nothing to do.
    ("no-change plan", &["plan", "-input=false", "-no-color", "-detailed-exitcode"]),
    ("destroy", &["destroy", "-input=false", "-no-color", "-auto-approve"]),
];

/// How much to measure.
#[derive(Args)]
pub struct Options {
    /// Resources of each kind.
    #[arg(long, default_value_t = 200)]
    count: usize,
    /// Rounds; each takes every kind of resource through its life, and the medians count.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Fail when a target is missed.
    #[arg(long)]
    pub check: bool,
}

/// One kind of resource in a working folder of its own.
struct Contender {
    name: &'static str,
    folder: PathBuf,
    /// By phase.
    samples: [Vec<Usage>; PHASES.len()],
    /// Deno processes started in the last round, by phase.
    deno_starts: [Option<usize>; PHASES.len()],
}

/// Takes every contender through its life, in turns.
pub fn run(project: &Project, options: &Options) -> Result<Table> {
    let tools = tools::install(project, &[Tool::Terraform, Tool::Deno, Tool::TimeProvider])?;
    let binary = project.build_binary(Profile::Release)?;
    let scene = tempfile::tempdir().context("cannot create a temporary folder")?;
    let root = scene.path().canonicalize()?;
    let configuration = configure(&root, &tools, &binary)?;
    let mut contenders = contenders(&root, options.count)?;
    for round in 1..=options.rounds {
        for contender in &mut contenders {
            println!("round {round}: {}", contender.name);
            contender.live(&tools, &configuration)?;
        }
    }
    Ok(report(options, &contenders))
}

/// Points terraform at our binary and at the native provider.
fn configure(root: &Path, tools: &Paths, binary: &Path) -> Result<PathBuf> {
    let folder = root.join("provider");
    place_binary(binary, &folder, "terraform-provider-denobridge")?;
    let overrides = [("brad-jones/denobridge", folder.as_path()), ("hashicorp/time", tools.bin())];
    let path = root.join("terraform.rc");
    std::fs::write(&path, cli_configuration(&overrides)).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

fn contenders(root: &Path, count: usize) -> Result<Vec<Contender>> {
    let scripted = format!(
        r#"terraform {{
  required_providers {{
    denobridge = {{ source = "brad-jones/denobridge" }}
  }}
}}
resource "denobridge_resource" "bench" {{
  count       = {count}
  path        = "${{path.module}}/resource.ts"
  props       = {{ name = "item-${{count.index}}" }}
  permissions = {{ allow = ["write"] }}
}}
"#
    );
    let native = format!("resource \"time_static\" \"bench\" {{\n  count = {count}\n}}\n");
    let built_in = format!(
        "resource \"terraform_data\" \"bench\" {{\n  count = {count}\n  input = \"item-${{count.index}}\"\n}}\n"
    );
    let mut contenders = Vec::new();
    for (name, text) in [("scripted", scripted), ("time_static", native), ("terraform_data", built_in)] {
        let folder = root.join(name);
        std::fs::create_dir(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        std::fs::write(folder.join("main.tf"), text)?;
        contenders.push(Contender { name, folder, samples: Default::default(), deno_starts: Default::default() });
    }
    std::fs::write(root.join("scripted").join("resource.ts"), SCRIPT)?;
    Ok(contenders)
}

impl Contender {
    fn live(&mut self, tools: &Paths, configuration: &Path) -> Result<()> {
        for (index, (phase, arguments)) in PHASES.iter().enumerate() {
            let mut command = Command::new(tools.get(Tool::Terraform)?);
            isolate(&mut command, configuration);
            command.current_dir(&self.folder).args(*arguments).env("PATH", tools.path_variable(&[])?);
            let (usage, captured) = usage::measure(&mut command)?;
            captured.success().with_context(|| format!("{} of {}", phase, self.name))?;
            self.samples[index].push(usage);
            let starts = self.folder.join(STARTS);
            if starts.exists() {
                self.deno_starts[index] = Some(std::fs::read_to_string(&starts)?.lines().count());
                std::fs::remove_file(&starts)?;
            }
        }
        Ok(())
    }

    fn cpu(&self, phase: usize) -> f64 {
        median(self.samples[phase].iter().map(|usage| usage.cpu.as_secs_f64()).collect())
    }

    fn wall(&self, phase: usize) -> f64 {
        median(self.samples[phase].iter().map(|usage| usage.wall.as_secs_f64()).collect())
    }
}

fn report(options: &Options, contenders: &[Contender]) -> Table {
    let title = format!(
        "{} resources under terraform: CPU seconds of all processes (wall seconds), median of {}; Deno processes started",
        options.count, options.rounds
    );
    let columns = PHASES.map(|(phase, _)| phase);
    let mut table = Table::new(title, &columns);
    for contender in contenders {
        let cell = |phase: usize| {
            let starts = contender.deno_starts[phase].map_or(String::new(), |starts| format!("; {starts} Deno"));
            format!("{:.2} ({:.2}){starts}", contender.cpu(phase), contender.wall(phase))
        };
        table.row(contender.name, (0..PHASES.len()).map(cell).collect());
    }
    if let [scripted, native, ..] = contenders {
        for (index, (phase, _)) in PHASES.iter().enumerate() {
            let ratio = scripted.cpu(index) / native.cpu(index);
            table.target(format!("{phase}: CPU / {}'s", native.name), ratio, CPU_TARGET);
        }
    }
    table
}
