//! An engine that does nothing but call: starts bridge plugins as Pulumi does and measures what they cost. It knows nothing of
//! the plugin on the other side.
//!
//! `bridge-bench-engine --rounds N --calls N --large PROVIDER --small PROVIDER PLUGIN…` prints one JSON object per plugin, in
//! the order given. In every round each plugin is started three times: left alone, made the package of the large provider, and
//! made the package of the small one, which is then called. Plugins take turns, so that what else the machine does in the
//! meantime meets all of them.

mod engine;
mod plugin;
mod requests;

/// Pulumi's protocol, from `proto/`.
#[allow(missing_docs, clippy::all, rust_2018_idioms)]
pub mod wire {
    tonic::include_proto!("pulumirpc");
}

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use denobridge_bench::account;
use denobridge_bench::load::{self, Measured};
use serde_json::{Map, Value, json};

use crate::plugin::Plugin;
use crate::requests::Resource;

/// Calls that are under way at once.
const PARALLEL: usize = 10;

/// How long a plugin is left alone before its idle memory is read.
const SETTLE: Duration = Duration::from_millis(300);

/// The kinds of calls, in the order in which they are made.
const CALLS: [&str; 6] = ["check", "create", "diff", "read", "update", "delete"];

struct Arguments {
    rounds: usize,
    /// Calls of each kind in each round.
    calls: usize,
    /// The program of a provider with a large schema.
    large: Option<PathBuf>,
    /// The program of `terraform-provider-time`.
    small: PathBuf,
    plugins: Vec<PathBuf>,
}

/// What was measured of one plugin, one entry per round.
#[derive(Default)]
struct Record {
    starts: Vec<Value>,
    large: Vec<Value>,
    /// By kind of call.
    calls: [Vec<Measured>; CALLS.len()],
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = arguments()?;
    let engine = engine::listen().await?;
    let mut records: Vec<Record> = arguments.plugins.iter().map(|_| Record::default()).collect();
    for round in 0..=arguments.rounds {
        for (plugin, record) in arguments.plugins.iter().zip(&mut records) {
            // The first start of each reads its file from disk, which is not what is compared.
            let mut thrown_away = Record::default();
            let record = if round == 0 { &mut thrown_away } else { record };
            measure(plugin, &engine, &arguments, record).await.with_context(|| plugin.display().to_string())?;
        }
    }
    for (plugin, record) in arguments.plugins.iter().zip(&records) {
        println!("{}", record.to_json(&plugin.display().to_string()));
    }
    Ok(())
}

async fn measure(program: &Path, engine: &str, arguments: &Arguments, record: &mut Record) -> Result<()> {
    record.starts.push(start(program, engine).await?);
    if let Some(large) = &arguments.large {
        record.large.push(schema(program, engine, large).await.context("the large provider")?);
    }
    call(program, engine, arguments, record).await.context("the small provider")
}

/// Exec to port line, and the memory of a plugin that nobody has asked anything.
async fn start(program: &Path, engine: &str) -> Result<Value> {
    // The plugin before this one has just been ended, with all the memory that it had for large providers: that takes the kernel
    // longer than a plugin takes to start.
    tokio::time::sleep(SETTLE).await;
    let plugin = Plugin::start(program, engine).await?;
    tokio::time::sleep(SETTLE).await;
    let memory = account::resident_memory(plugin.process)?;
    let milliseconds = plugin.started_in.as_secs_f64() * 1e3;
    plugin.end().await?;
    Ok(json!({ "milliseconds": milliseconds, "resident_bytes": memory }))
}

/// Parameterize and GetSchema.
async fn schema(program: &Path, engine: &str, provider: &Path) -> Result<Value> {
    let mut plugin = Plugin::start(program, engine).await?;
    let began = Instant::now();
    let package = plugin.parameterize(provider).await?;
    let parameterize = began.elapsed();
    let began = Instant::now();
    let schema_bytes = plugin.schema(package).await?;
    let schema = began.elapsed();
    let (cpu, peak) = (account::cpu(plugin.process)?, account::peak_memory(plugin.process)?);
    plugin.end().await?;
    Ok(json!({
        "parameterize_milliseconds": parameterize.as_secs_f64() * 1e3,
        "schema_milliseconds": schema.as_secs_f64() * 1e3,
        "cpu_milliseconds": cpu.as_secs_f64() * 1e3,
        "peak_bytes": peak,
        "schema_bytes": schema_bytes,
    }))
}

/// The life of many resources.
async fn call(program: &Path, engine: &str, arguments: &Arguments, record: &mut Record) -> Result<()> {
    let mut plugin = Plugin::start(program, engine).await?;
    plugin.parameterize(&arguments.small).await?;
    plugin.configure().await?;
    // The first calls of a kind pay for what the others find ready.
    live(&plugin, arguments.calls.div_ceil(10)).await?;
    let measured = live(&plugin, arguments.calls).await?;
    for (samples, measured) in record.calls.iter_mut().zip(measured) {
        samples.push(measured);
    }
    plugin.end().await
}

async fn live(plugin: &Plugin, count: usize) -> Result<[Measured; CALLS.len()]> {
    let resources: Arc<[Resource]> = (0..count).map(Resource::new).collect();
    macro_rules! run {
        ($procedure:ident) => {{
            let (client, resources) = (plugin.client.clone(), Arc::clone(&resources));
            let call = move |number: usize| {
                let (client, resources) = (client.clone(), Arc::clone(&resources));
                async move {
                    let resource = resources.get(number).context("no such resource")?;
                    resource.$procedure(client).await.context(stringify!($procedure))
                }
            };
            load::run(plugin.process, count, PARALLEL, call).await?
        }};
    }
    Ok([run!(check), run!(create), run!(diff), run!(read), run!(update), run!(delete)])
}

impl Record {
    fn to_json(&self, plugin: &str) -> Value {
        let rounds = |samples: &[Measured]| Value::Array(samples.iter().map(Measured::to_json).collect());
        let calls = CALLS.iter().zip(&self.calls).map(|(name, samples)| ((*name).to_owned(), rounds(samples)));
        json!({ "plugin": plugin, "starts": self.starts, "large": self.large, "calls": Map::from_iter(calls) })
    }
}

fn arguments() -> Result<Arguments> {
    let mut small = None;
    let mut arguments = Arguments { rounds: 3, calls: 500, large: None, small: PathBuf::new(), plugins: Vec::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match word.as_str() {
            "--rounds" => arguments.rounds = value()?.parse().context("--rounds")?,
            "--calls" => arguments.calls = value()?.parse().context("--calls")?,
            "--large" => arguments.large = Some(value()?.into()),
            "--small" => small = Some(value()?.into()),
            option if option.starts_with('-') => bail!("there is no option {option}"),
            _ => arguments.plugins.push(word.into()),
        }
    }
    arguments.small = small.context("--small is missing")?;
    ensure!(!arguments.plugins.is_empty(), "name the programs of one or more plugins");
    Ok(arguments)
}
