//! `cargo xtask bench`: the project's promises on speed, measured against their peers in the same run. Compare the ratios:
//! the figures themselves belong to one machine on one day.

mod bridge;
mod framework;
mod integrations;
mod scripts;
mod start;
mod table;
mod usage;

use anyhow::{Result, bail, ensure};
use clap::Subcommand;
use serde_json::Value;

use crate::project::Project;
use table::Table;

/// The benches.
#[derive(Subcommand)]
pub enum Bench {
    /// Exec to port line, and resident memory when idle, of the Pulumi plugin against the Go bridge.
    Start(start::Options),
    /// Calls of scripts against a bare client; apply, no-change plan and destroy of scripted resources under terraform, against
    /// resources of a native Go provider.
    Scripts(scripts::Options),
    /// Schema, reads, plans and applies of a provider written with our framework, against one written in Go.
    Framework(framework::Options),
    /// Start, the schema of AWS and calls of foreign resources, against the Go bridge.
    Bridge(bridge::Options),
    /// Resources under terraform with integrations, against the same without.
    Integrations(integrations::Options),
}

/// Runs one bench and prints its table.
pub fn run(project: &Project, bench: &Bench) -> Result<()> {
    let (tables, check) = match bench {
        Bench::Start(options) => (vec![start::run(project, options)?], options.check),
        Bench::Scripts(options) => (scripts::run(project, options)?, options.check),
        Bench::Framework(options) => (vec![framework::run(project, options)?], options.check),
        Bench::Bridge(options) => (bridge::run(project, options)?, options.check),
        Bench::Integrations(options) => (integrations::run(project, options)?, options.check),
    };
    tables.iter().for_each(print);
    let missed: usize = tables.iter().map(Table::missed).sum();
    if check && missed > 0 {
        bail!("{missed} targets are missed");
    }
    Ok(())
}

fn print(table: &Table) {
    println!("\n{table}");
}

/// The middle of several measurements: one disturbed run does not move it.
fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_unstable_by(f64::total_cmp);
    match samples.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => samples[odd / 2],
        even => f64::midpoint(samples[even / 2 - 1], samples[even / 2]),
    }
}

/// The median of one figure over the rounds in which a host has measured it.
fn median_of(rounds: &Value, key: &str) -> Result<f64> {
    let samples: Vec<f64> = rounds.as_array().into_iter().flatten().filter_map(|round| round[key].as_f64()).collect();
    ensure!(!samples.is_empty(), "{key} was not measured");
    Ok(median(samples))
}

fn mebibytes(bytes: f64) -> f64 {
    bytes / f64::from(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_ignores_an_outlier() {
        assert_eq!(median(vec![3.0, 1.0, 100.0]), 3.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(vec![]).is_nan());
    }
}
