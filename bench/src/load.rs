//! Many calls, and what each of them took.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::account;

/// What a number of equal calls cost.
pub struct Measured {
    calls: usize,
    wall: Duration,
    /// Of the plugin's process, for all calls.
    cpu: Duration,
    /// Of each call, in order of size.
    latencies: Vec<Duration>,
}

impl Measured {
    /// Throughput per second, latencies and CPU per call in microseconds.
    pub fn to_json(&self) -> Value {
        let percentile = |part: usize| {
            let index = (self.latencies.len() * part / 100).min(self.latencies.len().saturating_sub(1));
            self.latencies.get(index).map(|latency| latency.as_secs_f64() * 1e6)
        };
        // Far below 2^53: exact.
        let calls = self.calls as f64;
        json!({
            "per_second": calls / self.wall.as_secs_f64(),
            "p50_microseconds": percentile(50),
            "p99_microseconds": percentile(99),
            "cpu_microseconds": self.cpu.as_secs_f64() * 1e6 / calls,
        })
    }
}

/// Makes `calls` calls to a process, of which `parallel` are under way at any time.
///
/// # Errors
/// A call fails, or the process is gone.
pub async fn run<F>(
    process: u32,
    calls: usize,
    parallel: usize,
    call: impl Fn(usize) -> F + Clone + Send + 'static,
) -> Result<Measured>
where
    F: Future<Output = Result<()>> + Send + 'static,
{
    let next = Arc::new(AtomicUsize::new(0));
    let cpu_before = account::cpu(process)?;
    let started = Instant::now();
    let workers: Vec<_> = (0..parallel)
        .map(|_| {
            let (call, next) = (call.clone(), Arc::clone(&next));
            tokio::spawn(async move {
                let mut latencies = Vec::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= calls {
                        return anyhow::Ok(latencies);
                    }
                    let started = Instant::now();
                    call(number).await?;
                    latencies.push(started.elapsed());
                }
            })
        })
        .collect();
    let mut latencies = Vec::with_capacity(calls);
    for worker in workers {
        latencies.extend(worker.await.context("a worker broke down")??);
    }
    let wall = started.elapsed();
    let cpu = account::cpu(process)?.saturating_sub(cpu_before);
    latencies.sort_unstable();
    Ok(Measured { calls, wall, cpu, latencies })
}
