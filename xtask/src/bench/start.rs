//! How soon the Pulumi plugin is ready, and what it holds while idle, against the Go bridge.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::table::Table;
use super::{median, usage};
use crate::project::{Profile, Project, place_binary};
use crate::tools::{self, Tool};

/// A tenth of the peer's time.
const TIME_TARGET: f64 = 0.1;

/// A fifth of the peer's memory.
const MEMORY_TARGET: f64 = 0.2;

/// How long a plugin is left alone before its memory is read.
const SETTLE: Duration = Duration::from_millis(300);

/// How often to start.
#[derive(Args)]
pub struct Options {
    /// Starts of each plugin, in turns.
    #[arg(long, default_value_t = 20)]
    runs: usize,
    /// Fail when a target is missed.
    #[arg(long)]
    pub check: bool,
}

#[derive(Default)]
struct Samples {
    milliseconds: Vec<f64>,
    mebibytes: Vec<f64>,
}

/// Starts each plugin several times, in turns.
pub fn run(project: &Project, options: &Options) -> Result<Table> {
    let tools = tools::find(project, &[Tool::GoBridge])?;
    let scene = tempfile::tempdir().context("cannot create a temporary folder")?;
    let binary = project.build_binary(Profile::Release)?;
    let ours = place_binary(&binary, scene.path(), "pulumi-resource-denobridge")?;
    let peer = tools.find(Tool::GoBridge);
    let (mut our_samples, mut peer_samples) = (Samples::default(), Samples::default());
    // The first start of each reads its file from disk; that is not what is compared.
    start(&ours, &mut Samples::default())?;
    if let Some(peer) = peer {
        start(peer, &mut Samples::default())?;
    }
    for _ in 0..options.runs {
        start(&ours, &mut our_samples)?;
        if let Some(peer) = peer {
            start(peer, &mut peer_samples)?;
        }
    }
    Ok(report(options.runs, our_samples, peer.map(|_| peer_samples)))
}

fn report(runs: usize, ours: Samples, peer: Option<Samples>) -> Table {
    let title = format!("Pulumi plugin: exec to port line, and resident memory when idle (median of {runs})");
    let mut table = Table::new(title, &["port line, ms", "memory, MiB"]);
    let (time, memory) = (median(ours.milliseconds), median(ours.mebibytes));
    table.row("denobridge", vec![format!("{time:.1}"), format!("{memory:.1}")]);
    match peer {
        Some(peer) => {
            let (peer_time, peer_memory) = (median(peer.milliseconds), median(peer.mebibytes));
            table.row("Go bridge", vec![format!("{peer_time:.1}"), format!("{peer_memory:.1}")]);
            table.target("time / peer's".to_owned(), time / peer_time, TIME_TARGET);
            table.target("memory / peer's".to_owned(), memory / peer_memory, MEMORY_TARGET);
        }
        None => table.row("Go bridge: `cargo xtask tools --peers` builds it", vec![]),
    }
    table
}

fn start(plugin: &Path, samples: &mut Samples) -> Result<()> {
    // An engine's address to connect to. Nothing is answered there: an engine would only be called later.
    let engine = TcpListener::bind(("127.0.0.1", 0)).context("cannot listen on the loopback interface")?;
    let mut command = Command::new(plugin);
    // Standard input stays open, as an engine's does: its end would tell the plugin that the engine has died.
    command.arg(engine.local_addr()?.to_string()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let started = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot start {}", plugin.display()))?;
    let measured = measure(&mut child, started, samples).with_context(|| plugin.display().to_string());
    child.kill().and_then(|()| child.wait()).context("cannot end the plugin")?;
    measured
}

fn measure(child: &mut Child, started: Instant, samples: &mut Samples) -> Result<()> {
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().context("no standard output")?).read_line(&mut line)?;
    let elapsed = started.elapsed();
    ensure!(line.trim().parse::<u16>().is_ok(), "instead of a port it printed {line:?}");
    samples.milliseconds.push(elapsed.as_secs_f64() * 1e3);
    std::thread::sleep(SETTLE);
    let bytes = usage::resident_memory(child.id())?;
    // Far below 2^53: exact.
    samples.mebibytes.push(bytes as f64 / f64::from(1 << 20));
    Ok(())
}
