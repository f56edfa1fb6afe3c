//! A host that does nothing but call: starts providers as Terraform does, without TLS, and measures what they cost. It speaks
//! protocol 6 by itself and knows nothing of the provider on the other side.
//!
//! `framework-bench-host --rounds N --calls N PROVIDER…` prints one JSON object per provider, in the order given. Providers
//! take turns, so that what else the machine does in the meantime meets all of them.

mod plugin;
mod requests;

/// Protocol 6, from `proto/`.
#[allow(missing_docs, clippy::all, rust_2018_idioms)]
pub mod wire {
    tonic::include_proto!("tfplugin6");
}

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use denobridge_bench::account;
use denobridge_bench::load::{self, Measured};
use serde_json::{Value, json};

use crate::plugin::Plugin;
use crate::wire::get_provider_schema::Response as ProviderSchema;

/// Reads that are under way at once.
const PARALLEL_READS: usize = 1_000;

/// Plans or applies that are under way at once: Terraform's own default is ten.
const PARALLEL_CHANGES: usize = 10;

struct Arguments {
    rounds: usize,
    /// Plans, applies and reads of each round.
    calls: usize,
    providers: Vec<PathBuf>,
}

/// What was measured of one provider, one entry per round.
#[derive(Default)]
struct Record {
    starts: Vec<Start>,
    reads: Vec<Measured>,
    plans: Vec<Measured>,
    applies: Vec<Measured>,
    /// Resident bytes after everything.
    memory_in_the_end: Vec<u64>,
}

struct Start {
    /// From exec to the decoded schema.
    took: Duration,
    cpu: Duration,
    /// Resident bytes once the schema was served.
    memory: u64,
    schema_bytes: usize,
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = arguments()?;
    let mut records: Vec<Record> = arguments.providers.iter().map(|_| Record::default()).collect();
    let mut schema: Option<ProviderSchema> = None;
    for _ in 0..arguments.rounds {
        for (provider, record) in arguments.providers.iter().zip(&mut records) {
            let served = round(provider, arguments.calls, record).await;
            let served = served.with_context(|| provider.display().to_string())?;
            let first = schema.get_or_insert_with(|| served.clone());
            if let Some(difference) = requests::difference(first, &served) {
                bail!("{} has another schema than the first provider: {difference}", provider.display());
            }
        }
    }
    for (provider, record) in arguments.providers.iter().zip(&records) {
        println!("{}", record.to_json(&provider.display().to_string()));
    }
    Ok(())
}

/// One provider from its start to its end. Returns its schema, in a form that can be compared.
async fn round(provider: &Path, calls: usize, record: &mut Record) -> Result<ProviderSchema> {
    let mut plugin = Plugin::start(provider).await?;
    let (schema, schema_bytes) = plugin.schema().await?;
    let took = plugin.started.elapsed();
    let cpu = account::cpu(plugin.process)?;
    record.starts.push(Start { took, cpu, memory: account::resident_memory(plugin.process)?, schema_bytes });
    plugin.configure().await?;
    // The first calls of a kind pay for what the others find ready.
    for measured in [false, true] {
        let calls = if measured { calls } else { calls / 10 };
        let (process, client) = (plugin.process, plugin.client.clone());
        let reader = client.clone();
        let reads = load::run(process, calls, PARALLEL_READS.min(calls), move |n| requests::read(reader.clone(), n));
        let reads = reads.await?;
        let planner = client.clone();
        let plans = load::run(process, calls, PARALLEL_CHANGES, move |n| requests::plan(planner.clone(), n)).await?;
        let applies = load::run(process, calls, PARALLEL_CHANGES, move |n| requests::apply(client.clone(), n)).await?;
        if measured {
            record.reads.push(reads);
            record.plans.push(plans);
            record.applies.push(applies);
        }
    }
    record.memory_in_the_end.push(account::resident_memory(plugin.process)?);
    plugin.end().await?;
    Ok(requests::comparable(schema))
}

impl Record {
    fn to_json(&self, provider: &str) -> Value {
        let kinds = [("read", &self.reads), ("plan", &self.plans), ("apply", &self.applies)];
        let kinds =
            kinds.map(|(name, rounds)| (name.to_owned(), Value::Array(rounds.iter().map(Measured::to_json).collect())));
        let starts = self.starts.iter().map(|start| {
            json!({
                "milliseconds": start.took.as_secs_f64() * 1e3,
                "cpu_milliseconds": start.cpu.as_secs_f64() * 1e3,
                "resident_bytes": start.memory,
                "schema_bytes": start.schema_bytes,
            })
        });
        json!({
            "provider": provider,
            "starts": starts.collect::<Vec<_>>(),
            "resident_bytes_in_the_end": self.memory_in_the_end,
            "calls": serde_json::Map::from_iter(kinds),
        })
    }
}

fn arguments() -> Result<Arguments> {
    let mut arguments = Arguments { rounds: 3, calls: 5_000, providers: Vec::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || -> Result<usize> {
            let number = words.next().with_context(|| format!("{word} needs a number"))?;
            number.parse().with_context(|| format!("{word} {number}"))
        };
        match word.as_str() {
            "--rounds" => arguments.rounds = number()?,
            "--calls" => arguments.calls = number()?,
            option if option.starts_with('-') => bail!("there is no option {option}"),
            _ => arguments.providers.push(word.into()),
        }
    }
    ensure!(!arguments.providers.is_empty(), "name the programs of one or more providers");
    Ok(arguments)
}
