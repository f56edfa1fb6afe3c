//! What scripted resources cost: in one process, against a bare client of the same script; and under terraform, against a
//! native Go provider that does nothing (`time_static`), terraform's own built-in resource (`terraform_data`), which shows
//! how much is terraform's own, and the same requests pipelined to one Deno process, below which nothing can be.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::Value;

use super::median;
use super::table::Table;
use super::usage::{self, Usage};
use crate::process;
use crate::project::{Profile, Project, place_binary};
use crate::terraform::{cli_configuration, isolate};
use crate::tools::{self, Paths, Tool};

/// The share of the native provider's CPU seconds that scripted resources may take.
const CPU_TARGET: f64 = 0.7;

/// How much longer than with a bare client a call may take, when calls are made one after the other.
const CALL_TARGET: f64 = 1.2;

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

/// What a script is asked for each resource in each phase, at the least.
const REQUESTS: [&[&str]; PHASES.len()] = [&["create"], &["read"], &["read", "delete"]];

/// How much to measure.
#[derive(Args)]
pub struct Options {
    /// Resources of each kind.
    #[arg(long, default_value_t = 500)]
    count: usize,
    /// Reads of one data source.
    #[arg(long, default_value_t = 2000)]
    reads: usize,
    /// Resources that each have a script of their own.
    #[arg(long, default_value_t = 100)]
    scripts: usize,
    /// Calls that are made one after the other, in each round.
    #[arg(long, default_value_t = 5000)]
    calls: usize,
    /// Rounds; each takes every kind of resource through its life, and the medians count.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Only the calls one after the other, without terraform.
    #[arg(long)]
    only_calls: bool,
    /// Fail when a target is missed.
    #[arg(long)]
    pub check: bool,
}

/// One kind of resource in a working folder of its own.
struct Contender {
    name: String,
    folder: PathBuf,
    /// By phase.
    samples: [Vec<Usage>; PHASES.len()],
    /// Deno processes started in the last round, by phase.
    deno_starts: [Option<usize>; PHASES.len()],
}

/// Measures calls, then takes every contender through its life, in turns.
pub fn run(project: &Project, options: &Options) -> Result<Vec<Table>> {
    let scene = tempfile::tempdir().context("cannot create a temporary folder")?;
    let root = scene.path().canonicalize()?;
    let client = project.build_bench("scripts")?;
    if options.only_calls {
        let tools = tools::install(project, &[Tool::Deno])?;
        return Ok(vec![calls(&client, &tools, &root, options)?]);
    }
    let tools = tools::install(project, &[Tool::Terraform, Tool::Deno, Tool::TimeProvider])?;
    let calls = calls(&client, &tools, &root, options)?;
    let binary = project.build_binary(Profile::Release)?;
    let configuration = configure(&root, &tools, &binary)?;
    let mut contenders = contenders(&root, options)?;
    let mut floor = Contender::new("floor", root.join("scripted"));
    for round in 1..=options.rounds {
        println!("round {round}: floor");
        floor.floor(&client, &tools, options.count)?;
        for contender in &mut contenders {
            println!("round {round}: {}", contender.name);
            contender.live(&tools, &configuration)?;
        }
    }
    contenders.push(floor);
    Ok(vec![calls, report(options, &contenders)])
}

/// One call after the other, through the pool and by the bare client.
fn calls(client: &Path, tools: &Paths, root: &Path, options: &Options) -> Result<Table> {
    let folder = root.join("calls");
    std::fs::create_dir(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let script = folder.join("resource.ts");
    std::fs::write(&script, SCRIPT)?;
    println!("{} calls one after the other, {} rounds", options.calls, options.rounds);
    let mut command = Command::new(client);
    command.arg("sequential").arg(tools.get(Tool::Deno)?).arg(&script);
    command.arg(options.calls.to_string()).arg(options.rounds.to_string());
    let output = process::capture(&mut command)?.success()?;
    let measured: Value = serde_json::from_str(&output).context("the client printed something that is no JSON")?;
    let of = |name: &str| {
        let samples: Vec<f64> = measured[name].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        ensure!(!samples.is_empty(), "the client did not measure {name}");
        Ok(median(samples))
    };
    let (blocking, waiting, pool) = (of("blocking")?, of("waiting")?, of("pool")?);
    let title = format!("{} calls one after the other, median of {}", options.calls, options.rounds);
    let mut table = Table::new(title, &["µs a call"]);
    table.row("bare client that blocks its thread", vec![format!("{blocking:.1}")]);
    table.row("bare client on the runtime", vec![format!("{waiting:.1}")]);
    table.row("pool and JSON-RPC", vec![format!("{pool:.1}")]);
    table.row("pool / blocking client", vec![format!("{:.2}", pool / blocking)]);
    // What pool and JSON-RPC add is measured on the same runtime; that a thread which blocks needs no runtime at all is
    // shown beside it.
    table.target(
        "a call through the pool: time / bare client's on the runtime".to_owned(),
        pool / waiting,
        CALL_TARGET,
    );
    Ok(table)
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

/// A configuration for our provider, whose scripts may leave their lines.
fn scripted(component: &str, count: usize, path: &str) -> String {
    format!(
        r#"terraform {{
  required_providers {{
    denobridge = {{ source = "brad-jones/denobridge" }}
  }}
}}
{component} "bench" {{
  count       = {count}
  path        = "${{path.module}}/{path}"
  props       = {{ name = "item-${{count.index}}" }}
  permissions = {{ allow = ["write"] }}
}}
"#
    )
}

fn contenders(root: &Path, options: &Options) -> Result<Vec<Contender>> {
    let (count, reads, scripts) = (options.count, options.reads, options.scripts);
    let native = format!("resource \"time_static\" \"bench\" {{\n  count = {count}\n}}\n");
    let built_in = format!(
        "resource \"terraform_data\" \"bench\" {{\n  count = {count}\n  input = \"item-${{count.index}}\"\n}}\n"
    );
    let resource = "resource \"denobridge_resource\"";
    let mut contenders = Vec::new();
    for (name, folder, text, copies) in [
        ("scripted".to_owned(), "scripted", scripted(resource, count, "resource.ts"), 1),
        ("time_static".to_owned(), "time_static", native, 0),
        ("terraform_data".to_owned(), "terraform_data", built_in, 0),
        (
            format!("{reads} reads of a data source"),
            "reads",
            scripted("data \"denobridge_datasource\"", reads, "resource.ts"),
            1,
        ),
        (format!("{scripts} scripts"), "scripts", scripted(resource, scripts, "${count.index}.ts"), scripts),
    ] {
        let folder = root.join(folder);
        std::fs::create_dir(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        std::fs::write(folder.join("main.tf"), text)?;
        match copies {
            1 => std::fs::write(folder.join("resource.ts"), SCRIPT)?,
            _ => (0..copies).try_for_each(|index| std::fs::write(folder.join(format!("{index}.ts")), SCRIPT))?,
        }
        contenders.push(Contender::new(&name, folder));
    }
    Ok(contenders)
}

impl Contender {
    fn new(name: &str, folder: PathBuf) -> Self {
        Self { name: name.to_owned(), folder, samples: Default::default(), deno_starts: Default::default() }
    }

    fn live(&mut self, tools: &Paths, configuration: &Path) -> Result<()> {
        for (index, (phase, arguments)) in PHASES.iter().enumerate() {
            let mut command = Command::new(tools.get(Tool::Terraform)?);
            isolate(&mut command, configuration);
            command.current_dir(&self.folder).args(*arguments).env("PATH", tools.path_variable(&[])?);
            self.measure(index, phase, &mut command)?;
        }
        Ok(())
    }

    /// The requests of each phase, without terraform and without us.
    fn floor(&mut self, client: &Path, tools: &Paths, count: usize) -> Result<()> {
        for (index, (phase, _)) in PHASES.iter().enumerate() {
            let mut command = Command::new(client);
            command.arg("floor").arg(tools.get(Tool::Deno)?).arg(self.folder.join("resource.ts"));
            command.arg(count.to_string()).args(REQUESTS[index]);
            self.measure(index, phase, &mut command)?;
        }
        Ok(())
    }

    fn measure(&mut self, index: usize, phase: &str, command: &mut Command) -> Result<()> {
        let (usage, captured) = usage::measure(command)?;
        captured.success().with_context(|| format!("{phase} of {}", self.name))?;
        self.samples[index].push(usage);
        let starts = self.folder.join(STARTS);
        if starts.exists() {
            self.deno_starts[index] = Some(std::fs::read_to_string(&starts)?.lines().count());
            std::fs::remove_file(&starts)?;
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
        table.row(&contender.name, (0..PHASES.len()).map(cell).collect());
    }
    if let [scripted, native, ..] = contenders {
        for (index, (phase, _)) in PHASES.iter().enumerate() {
            let ratio = scripted.cpu(index) / native.cpu(index);
            table.target(format!("{phase}: CPU / {}'s", native.name), ratio, CPU_TARGET);
        }
    }
    table
}
