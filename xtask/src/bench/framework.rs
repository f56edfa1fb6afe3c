//! What a provider costs that is written with our framework, against the same provider written with terraform-plugin-framework
//! in Go: 500 resource types, served over a unix socket. The calls are made by `framework-bench-host`, which speaks the
//! protocol; this module only builds, runs and reports.

use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use clap::Args;
use serde_json::Value;

use super::table::Table;
use super::{mebibytes, median, median_of};
use crate::process;
use crate::project::{Profile, Project};
use crate::tools::{self, Tool};

/// The package with our provider and the host.
const PACKAGE: &str = "denobridge-bench";

/// No more than the peer, of anything.
const TARGET: f64 = 1.0;

/// The kinds of calls, as the host names them and as the table does.
const CALLS: [(&str, &str); 3] = [("read", "1,000 parallel reads"), ("plan", "plan"), ("apply", "apply")];

/// How much to measure.
#[derive(Args)]
pub struct Options {
    /// Rounds; in each of them every provider is started and called anew, and the medians count.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Reads, plans and applies of each round.
    #[arg(long, default_value_t = 10_000)]
    calls: usize,
    /// Fail when a target is missed.
    #[arg(long)]
    pub check: bool,
}

/// Builds both providers and lets the host measure them, in turns.
pub fn run(project: &Project, options: &Options) -> Result<Table> {
    let tools = tools::install(project, &[Tool::BenchProvider])?;
    let ours = project.build(PACKAGE, "terraform-provider-bench", Profile::Release)?;
    let host = project.build(PACKAGE, "framework-bench-host", Profile::Release)?;
    let mut command = Command::new(host);
    command.args(["--rounds", &options.rounds.to_string(), "--calls", &options.calls.to_string()]);
    command.arg(ours).arg(tools.get(Tool::BenchProvider)?).stderr(Stdio::inherit());
    let output = process::capture(&mut command)?.success()?;
    let answers: Result<Vec<Value>, _> = output.lines().map(serde_json::from_str).collect();
    let answers = answers.context("the host printed something that is no JSON")?;
    let [ours, peer] = &answers[..] else { anyhow::bail!("the host reports {} providers", answers.len()) };
    report(options, &Figures::read(ours)?, &Figures::read(peer)?)
}

/// The medians of what was measured of one provider.
struct Figures {
    milliseconds: f64,
    start_cpu: f64,
    memory: f64,
    memory_in_the_end: f64,
    /// By kind.
    calls: [Calls; CALLS.len()],
}

/// Medians of one kind of call.
struct Calls {
    per_second: f64,
    p99: f64,
    cpu: f64,
}

impl Figures {
    fn read(answer: &Value) -> Result<Self> {
        let starts = &answer["starts"];
        let in_the_end = answer["resident_bytes_in_the_end"].as_array().into_iter().flatten();
        let calls = CALLS.map(|(kind, _)| Calls::read(&answer["calls"][kind]));
        let [reads, plans, applies] = calls;
        Ok(Self {
            milliseconds: median_of(starts, "milliseconds")?,
            start_cpu: median_of(starts, "cpu_milliseconds")?,
            memory: mebibytes(median_of(starts, "resident_bytes")?),
            memory_in_the_end: mebibytes(median(in_the_end.filter_map(Value::as_f64).collect())),
            calls: [reads?, plans?, applies?],
        })
    }

    fn cells(&self) -> Vec<String> {
        let start = format!("{:.1} ({:.1})", self.milliseconds, self.start_cpu);
        let memory = format!("{:.1} / {:.1}", self.memory, self.memory_in_the_end);
        let calls = self
            .calls
            .iter()
            .map(|calls| format!("{:.0}/s, p99 {:.2} ms, CPU {:.0} µs", calls.per_second, calls.p99 / 1e3, calls.cpu));
        [start, memory].into_iter().chain(calls).collect()
    }
}

impl Calls {
    fn read(rounds: &Value) -> Result<Self> {
        Ok(Self {
            per_second: median_of(rounds, "per_second")?,
            p99: median_of(rounds, "p99_microseconds")?,
            cpu: median_of(rounds, "cpu_microseconds")?,
        })
    }
}

fn report(options: &Options, ours: &Figures, peer: &Figures) -> Result<Table> {
    let title = format!(
        "A provider with 500 resource types over a unix socket, median of {} rounds of {} calls",
        options.rounds, options.calls
    );
    let [start, memory] = ["schema, ms (CPU ms)", "MiB, schema / end"];
    let mut table = Table::new(title, &[start, memory, CALLS[0].1, CALLS[1].1, CALLS[2].1]);
    table.row("our framework", ours.cells());
    table.row("terraform-plugin-framework", peer.cells());
    table.target("start to schema: time / peer's".to_owned(), ours.milliseconds / peer.milliseconds, TARGET);
    table.target("start to schema: CPU / peer's".to_owned(), ours.start_cpu / peer.start_cpu, TARGET);
    table.target("memory with schema / peer's".to_owned(), ours.memory / peer.memory, TARGET);
    table.target("memory in the end / peer's".to_owned(), ours.memory_in_the_end / peer.memory_in_the_end, TARGET);
    for (index, (_, name)) in CALLS.iter().enumerate() {
        let (ours, peer) = (&ours.calls[index], &peer.calls[index]);
        table.target(format!("{name}: CPU per call / peer's"), ours.cpu / peer.cpu, TARGET);
        table.target(format!("{name}: p99 / peer's"), ours.p99 / peer.p99, TARGET);
        table.target(format!("{name}: time per call / peer's"), peer.per_second / ours.per_second, TARGET);
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn medians_are_taken_of_every_round() {
        let calls = |cpu: f64| json!({ "per_second": 10, "p99_microseconds": 2000, "cpu_microseconds": cpu });
        let rounds = json!([calls(3.0), calls(1.0), calls(50.0)]);
        let start = json!({ "milliseconds": 5, "cpu_milliseconds": 4, "resident_bytes": 3 << 20 });
        let answer = json!({
            "starts": [start, start],
            "resident_bytes_in_the_end": [8 << 20, 4 << 20, 6 << 20],
            "calls": { "read": rounds, "plan": rounds, "apply": rounds },
        });
        let figures = Figures::read(&answer).unwrap();
        assert_eq!((figures.calls[2].cpu, figures.memory_in_the_end), (3.0, 6.0));
        assert_eq!(figures.cells()[..3], ["5.0 (4.0)", "3.0 / 6.0", "10/s, p99 2.00 ms, CPU 3 µs"]);
        let missing = json!({ "starts": [], "calls": {} });
        assert!(Figures::read(&missing).is_err(), "a figure that was not measured is no figure");
    }
}
