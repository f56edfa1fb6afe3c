//! What integrations cost under real terraform: one that does nothing against none, in the same run; and that three of them,
//! one slow and one that logs a lot, end cleanly and take no memory that grows with the number of resources.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::table::Table;
use super::usage::{self, Usage};
use super::{mebibytes, median};
use crate::project::{Profile, Project, place_binary};
use crate::terraform::{cli_configuration, isolate};
use crate::tools::{self, Paths, Tool};

/// The most that a hook may take at the median, in milliseconds.
const HOOK_TARGET: f64 = 2.0;

/// How much longer everything may take with an integration that does nothing.
const WALL_TARGET: f64 = 1.1;

/// How much more memory the plugin may need at its peak with three integrations than with none, in MiB.
const MEMORY_TARGET: f64 = 32.0;

const SCRIPT: &str = include_str!("scripts/resource.ts");

/// What terraform does in each round, with its name in the table.
const PHASES: [(&str, &[&str]); 3] = [
    ("apply", &["apply", "-input=false", "-no-color", "-auto-approve"]),
    ("no-change plan", &["plan", "-input=false", "-no-color", "-detailed-exitcode"]),
    ("destroy", &["destroy", "-input=false", "-no-color", "-auto-approve"]),
];

/// How much to measure.
#[derive(Args)]
pub struct Options {
    /// Resources.
    #[arg(long, default_value_t = 2000)]
    count: usize,
    /// Rounds; each takes the resources through their life with every set of integrations, and the medians count.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Build without optimization: shows that it works, and not how fast.
    #[arg(long)]
    unoptimized: bool,
    /// Fail when a target is missed.
    #[arg(long)]
    pub check: bool,
}

/// The same resources with one set of integrations.
struct Contender {
    name: &'static str,
    folder: PathBuf,
    /// The file that declares its integrations.
    declared: Option<PathBuf>,
    /// How many resources terraform has under way at once.
    parallelism: &'static str,
    /// By phase.
    samples: [Vec<Usage>; PHASES.len()],
    /// The most memory that the plugin has needed, in bytes.
    peak: u64,
}

/// Takes the resources through their lives, with every set of integrations in turns.
pub fn run(project: &Project, options: &Options) -> Result<Vec<Table>> {
    let scene = tempfile::tempdir().context("cannot create a temporary folder")?;
    let root = scene.path().canonicalize()?;
    let tools = tools::install(project, &[Tool::Terraform, Tool::Deno])?;
    let profile = if options.unoptimized { Profile::Dev } else { Profile::Release };
    let binary = project.build_binary(profile)?;
    let fake = project.build("denobridge-integrations", "fake-integration", profile)?;
    let provider = root.join("provider");
    place_binary(&binary, &provider, "terraform-provider-denobridge")?;
    let configuration = root.join("terraform.rc");
    std::fs::write(&configuration, cli_configuration(&[("brad-jones/denobridge", &provider)]))?;
    let mut contenders = contenders(&root, &fake, options.count)?;
    for round in 1..=options.rounds {
        for contender in &mut contenders {
            println!("round {round}: {}", contender.name);
            contender.live(&tools, &configuration, &binary)?;
        }
    }
    report(options, &contenders)
}

fn contenders(root: &Path, fake: &Path, count: usize) -> Result<Vec<Contender>> {
    let integration = |name: &str, behaviour: Value| json!({"name": name, "command": [fake, behaviour.to_string()]});
    let nothing = || integration("nothing", json!({}));
    let slow = integration("slow", json!({"on": {"post_plan_resource": {"delay": 5}}}));
    let line = "a line that says what it was asked, as integrations do";
    let log = json!({"log": {"level": "info", "message": line}, "stderr": line});
    let talkative = integration("talkative", json!({"on": {"*": log}}));
    [
        ("none", None, "10"),
        ("one that does nothing", Some(json!({"integration": [nothing()]})), "10"),
        ("the same, with a report", Some(json!({"integration": [nothing()], "report": "report"})), "10"),
        ("three, one slow, one talkative", Some(json!({"integration": [nothing(), slow, talkative]})), "100"),
    ]
    .into_iter()
    .enumerate()
    .map(|(index, (name, integrations, parallelism))| {
        let folder = root.join(index.to_string());
        std::fs::create_dir(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        std::fs::write(folder.join("main.tf"), resources(count))?;
        std::fs::write(folder.join("resource.ts"), SCRIPT)?;
        let declared = integrations.map(|integrations| {
            let path = folder.join("integrations.json");
            std::fs::write(&path, integrations.to_string()).map(|()| path)
        });
        let (samples, declared) = (Default::default(), declared.transpose()?);
        Ok(Contender { name, folder, declared, parallelism, samples, peak: 0 })
    })
    .collect()
}

fn resources(count: usize) -> String {
    format!(
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
    )
}

impl Contender {
    fn live(&mut self, tools: &Paths, configuration: &Path, binary: &Path) -> Result<()> {
        for (index, (phase, arguments)) in PHASES.iter().enumerate() {
            let mut command = Command::new(tools.get(Tool::Terraform)?);
            isolate(&mut command, configuration);
            command.current_dir(&self.folder).args(*arguments).arg("-parallelism").arg(self.parallelism);
            command.env("PATH", tools.path_variable(&[])?).env_remove("DENOBRIDGE_INTEGRATIONS");
            if let Some(declared) = &self.declared {
                command.env("DENOBRIDGE_INTEGRATIONS", declared);
            }
            let (measured, peak) = watched(binary, || usage::measure(&mut command));
            let (usage, captured) = measured?;
            let output = captured.success().with_context(|| format!("{phase} with {}", self.name))?;
            // Terraform itself has a word on providers from folders.
            let warnings =
                output.matches("Warning: ").count() - output.matches("Warning: Provider development").count();
            ensure!(warnings == 0, "{phase} with {} warns:\n{output}", self.name);
            self.samples[index].push(usage);
            self.peak = self.peak.max(peak);
        }
        Ok(())
    }

    fn wall(&self, phase: usize) -> f64 {
        median(self.samples[phase].iter().map(|usage| usage.wall.as_secs_f64()).collect())
    }

    fn cpu(&self, phase: usize) -> f64 {
        median(self.samples[phase].iter().map(|usage| usage.cpu.as_secs_f64()).collect())
    }

    /// How long each answer has taken, in milliseconds, and how many hooks there were.
    fn answers(&self) -> Result<Vec<f64>> {
        let mut durations = Vec::new();
        for file in std::fs::read_dir(self.folder.join("report")).context("there is no report")? {
            let path = file?.path();
            // The page for people stands beside it.
            if path.extension().is_none_or(|extension| extension != "jsonl") {
                continue;
            }
            for line in std::fs::read_to_string(path)?.lines() {
                let line: Value = serde_json::from_str(line).context("a line of the report is no JSON")?;
                durations.extend(line["duration_ms"].as_f64().filter(|_| line["kind"] == "answer"));
            }
        }
        ensure!(!durations.is_empty(), "the report has no answers");
        Ok(durations)
    }
}

/// Does it, and says how much memory a process of that program has needed meanwhile.
fn watched<T>(program: &Path, what: impl FnOnce() -> T) -> (T, u64) {
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut peak = 0;
            while !is_over.load(Ordering::Relaxed) {
                peak = usage::peak_memory_of(program).unwrap_or_default().max(peak);
                std::thread::sleep(Duration::from_millis(50));
            }
            peak
        });
        let done = what();
        is_over.store(true, Ordering::Relaxed);
        (done, watcher.join().unwrap_or_default())
    })
}

fn report(options: &Options, contenders: &[Contender]) -> Result<Vec<Table>> {
    let [none, one, reported, three] = contenders else { anyhow::bail!("{} sets were measured", contenders.len()) };
    let title = format!(
        "{} resources under terraform: wall seconds (CPU seconds of all processes), median of {}; peak of the plugin",
        options.count, options.rounds
    );
    let columns: Vec<&str> = PHASES.iter().map(|(phase, _)| *phase).chain(["peak, MiB"]).collect();
    let mut table = Table::new(title, &columns);
    for contender in contenders {
        let phases =
            (0..PHASES.len()).map(|phase| format!("{:.2} ({:.2})", contender.wall(phase), contender.cpu(phase)));
        let peak = format!("{:.1}", peak(contender));
        table.row(contender.name, phases.chain([peak]).collect());
    }
    for (index, (phase, _)) in PHASES.iter().enumerate() {
        table.target(format!("{phase}: wall with one / without"), one.wall(index) / none.wall(index), WALL_TARGET);
    }
    table.target("peak with three, beyond that without, MiB".to_owned(), peak(three) - peak(none), MEMORY_TARGET);
    let answers = reported.answers()?;
    let mut hooks = Table::new(format!("Answers of one that does nothing: {}", answers.len()), &["ms"]);
    let mut sorted = answers.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    for (name, share) in [("median", 50), ("90 of 100 within", 90), ("99 of 100 within", 99)] {
        let figure = sorted.get(sorted.len() * share / 100).copied().unwrap_or(f64::NAN);
        hooks.row(name, vec![format!("{figure:.3}")]);
    }
    hooks.target("a hook at the median, ms".to_owned(), median(answers), HOOK_TARGET);
    Ok(vec![table, hooks])
}

fn peak(contender: &Contender) -> f64 {
    // Peaks are far below 2^52 bytes.
    #[allow(clippy::cast_precision_loss)]
    mebibytes(contender.peak as f64)
}
