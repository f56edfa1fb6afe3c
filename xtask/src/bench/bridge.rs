//! What the bridge costs for foreign providers, against the Go bridge in the same run: start, the schema of AWS, and the life
//! of resources of `terraform-provider-time`. The calls are made by `bridge-bench-engine`, which speaks Pulumi's protocol; this
//! module only builds, runs and reports.

use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use clap::Args;
use serde_json::Value;

use super::table::Table;
use super::{mebibytes, median_of};
use crate::process;
use crate::project::{Profile, Project, place_binary};
use crate::tools::{self, Tool};

/// A tenth of the peer's time to the port line.
const START_TARGET: f64 = 0.1;

/// A fifth of the peer's memory when idle.
const IDLE_TARGET: f64 = 0.2;

/// An eighth of the peer's time for the schema of AWS.
const SCHEMA_TARGET: f64 = 0.125;

/// The most memory while the schema of AWS is made, in MiB.
const PEAK_TARGET: f64 = 110.0;

/// A fifth of the peer's CPU per call.
const CALL_TARGET: f64 = 0.2;

/// The kinds of calls, as the engine of the bench names them.
const CALLS: [&str; 6] = ["check", "create", "diff", "read", "update", "delete"];

/// How much to measure.
#[derive(Args)]
pub struct Options {
    /// Rounds; in each of them every plugin is started and called anew, and the medians count.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Calls of each kind in each round, ten at a time.
    #[arg(long, default_value_t = 1000)]
    calls: usize,
    /// Leave out AWS, which has to be downloaded (75 MB).
    #[arg(long)]
    without_aws: bool,
    /// Fail when a target is missed.
    #[arg(long)]
    pub check: bool,
}

/// Builds both plugins and lets the engine of the bench measure them, in turns.
pub fn run(project: &Project, options: &Options) -> Result<Vec<Table>> {
    let mut wanted = vec![Tool::TimeProvider, Tool::GoBridge];
    if !options.without_aws {
        wanted.push(Tool::AwsProvider);
    }
    let tools = tools::install(project, &wanted)?;
    let scene = tempfile::tempdir().context("cannot create a temporary folder")?;
    let binary = project.build_binary(Profile::Release)?;
    let ours = place_binary(&binary, scene.path(), "pulumi-resource-denobridge")?;
    let engine = project.build("denobridge-bench", "bridge-bench-engine", Profile::Release)?;
    let mut command = Command::new(engine);
    command.args(["--rounds", &options.rounds.to_string(), "--calls", &options.calls.to_string()]);
    command.arg("--small").arg(tools.get(Tool::TimeProvider)?);
    if !options.without_aws {
        command.arg("--large").arg(tools.get(Tool::AwsProvider)?);
    }
    // Not the user's own settings and folders.
    command.env("PULUMI_HOME", scene.path()).env("TF_CLI_CONFIG_FILE", "/dev/null").current_dir(scene.path());
    command.arg(ours).arg(tools.get(Tool::GoBridge)?).stderr(Stdio::inherit());
    let output = process::capture(&mut command)?.success()?;
    let answers: Result<Vec<Value>, _> = output.lines().map(serde_json::from_str).collect();
    let answers = answers.context("the engine of the bench printed something that is no JSON")?;
    let [ours, peer] = &answers[..] else { anyhow::bail!("{} plugins were measured", answers.len()) };
    let mut tables = vec![starts(options, ours, peer)?];
    if !options.without_aws {
        tables.push(schemas(options, ours, peer)?);
    }
    tables.push(calls(options, ours, peer)?);
    Ok(tables)
}

fn starts(options: &Options, ours: &Value, peer: &Value) -> Result<Table> {
    let title = format!("Plugin: exec to port line, and resident memory when idle, median of {}", options.rounds);
    let mut table = Table::new(title, &["port line, ms", "memory, MiB"]);
    let figures = |plugin: &Value| -> Result<(f64, f64)> {
        Ok((median_of(&plugin["starts"], "milliseconds")?, mebibytes(median_of(&plugin["starts"], "resident_bytes")?)))
    };
    let ((time, memory), (peer_time, peer_memory)) = (figures(ours)?, figures(peer)?);
    for (name, time, memory) in [("denobridge", time, memory), ("Go bridge", peer_time, peer_memory)] {
        table.row(name, vec![format!("{time:.1}"), format!("{memory:.1}")]);
    }
    table.target("time / peer's".to_owned(), time / peer_time, START_TARGET);
    table.target("memory / peer's".to_owned(), memory / peer_memory, IDLE_TARGET);
    Ok(table)
}

fn schemas(options: &Options, ours: &Value, peer: &Value) -> Result<Table> {
    let columns = ["Parameterize, ms", "GetSchema, ms", "CPU, ms", "peak, MiB", "schema, MiB"];
    let title = format!("AWS 3.39.0: the plugin's own time and memory, median of {}", options.rounds);
    let mut table = Table::new(title, &columns);
    let figures = |plugin: &Value| -> Result<[f64; 5]> {
        let of = |key| median_of(&plugin["large"], key);
        Ok([
            of("parameterize_milliseconds")?,
            of("schema_milliseconds")?,
            of("cpu_milliseconds")?,
            mebibytes(of("peak_bytes")?),
            mebibytes(of("schema_bytes")?),
        ])
    };
    let (ours, peer) = (figures(ours)?, figures(peer)?);
    for (name, figures) in [("denobridge", ours), ("Go bridge", peer)] {
        table.row(name, figures.iter().map(|figure| format!("{figure:.1}")).collect());
    }
    let [_, schema, _, peak, _] = ours;
    table.target("GetSchema: time / peer's".to_owned(), schema / peer[1], SCHEMA_TARGET);
    table.target("peak memory, MiB".to_owned(), peak, PEAK_TARGET);
    Ok(table)
}

fn calls(options: &Options, ours: &Value, peer: &Value) -> Result<Table> {
    let title = format!(
        "Resources of terraform-provider-time, ten calls at a time, {} of each kind, CPU of the plugin alone, median of {}",
        options.calls, options.rounds
    );
    let mut table = Table::new(title, &CALLS);
    let figures = |plugin: &Value| -> Result<Vec<(f64, f64)>> {
        let calls = CALLS.iter().map(|kind| {
            let rounds = &plugin["calls"][kind];
            Ok((median_of(rounds, "per_second")?, median_of(rounds, "cpu_microseconds")?))
        });
        calls.collect()
    };
    let (ours, peer) = (figures(ours)?, figures(peer)?);
    for (name, figures) in [("denobridge", &ours), ("Go bridge", &peer)] {
        let cells = figures.iter().map(|(per_second, cpu)| format!("{per_second:.0}/s, CPU {cpu:.0} µs"));
        table.row(name, cells.collect());
    }
    for (kind, (ours, peer)) in CALLS.iter().zip(ours.iter().zip(&peer)) {
        table.target(format!("{kind}: CPU per call / peer's"), ours.1 / peer.1, CALL_TARGET);
    }
    Ok(table)
}
