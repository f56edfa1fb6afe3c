//! What the pool and JSON-RPC cost in one process, against a client that does nothing but write lines and read lines.
//! `cargo xtask bench scripts` builds and runs it:
//!
//! ```text
//! scripts sequential DENO SCRIPT CALLS ROUNDS   calls one after the other, each way in turns; prints microseconds per call
//! scripts floor DENO SCRIPT COUNT METHOD…       COUNT requests of each method, pipelined by the bare client
//! ```

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use denobridge::deno::{CallOptions, Pool, PoolOptions, ScriptSpec};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _};

/// Calls before each measurement, which are not measured.
const WARM_UP: usize = 300;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["sequential", deno, script, calls, rounds] => {
            sequential(deno, Path::new(script), calls.parse()?, rounds.parse()?)
        }
        ["floor", deno, script, count, ref methods @ ..] => floor(deno, Path::new(script), count.parse()?, methods),
        _ => bail!("run it with `cargo xtask bench scripts`"),
    }
}

/// The request that both clients send.
fn params(index: usize) -> Value {
    json!({ "id": format!("item-{index}"), "props": { "name": format!("item-{index}") }, "state": { "created": true } })
}

/// Calls one after the other, in rounds of all clients: one that blocks its thread, one that waits on the runtime as every
/// program of ours does, and the pool. What the pool adds is what lies between the last two; the first shows what the
/// runtime costs.
fn sequential(deno: &str, script: &Path, calls: usize, rounds: usize) -> Result<()> {
    // As in a plugin: the call is made by a task, on the runtime that every program of ours has.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let mut bare = Bare::start(deno, script)?;
    let pool = Arc::new(Pool::new(PoolOptions::default()));
    let folder = script.parent().context("the script has no folder")?;
    let mut spec = ScriptSpec::new(Path::new(deno), script.to_string_lossy());
    spec.working_directory = Some(folder.to_owned());
    spec.permissions.allow = vec!["write".to_owned()];
    let mut waiting = Some(runtime.block_on(Waiting::start(deno, script))?);
    let (mut of_bare, mut of_waiting, mut of_pool) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        (0..WARM_UP).try_for_each(|index| bare.call(index).map(drop))?;
        let began = Instant::now();
        (0..calls).try_for_each(|index| bare.call(index).map(drop))?;
        of_bare.push(microseconds_each(began, calls));
        let mut client = waiting.take().context("no client")?;
        let measured = runtime.spawn(async move {
            for index in 0..WARM_UP {
                client.call(index).await?;
            }
            let began = Instant::now();
            for index in 0..calls {
                client.call(index).await?;
            }
            anyhow::Ok((microseconds_each(began, calls), client))
        });
        let (each, client) = runtime.block_on(measured)??;
        of_waiting.push(each);
        waiting = Some(client);
        let (pool, spec) = (Arc::clone(&pool), spec.clone());
        let measured = runtime.spawn(async move {
            for index in 0..WARM_UP {
                pool.call(&spec, "read", &params(index), &CallOptions::default()).await?;
            }
            let began = Instant::now();
            for index in 0..calls {
                pool.call(&spec, "read", &params(index), &CallOptions::default()).await?;
            }
            anyhow::Ok(microseconds_each(began, calls))
        });
        of_pool.push(runtime.block_on(measured)??);
    }
    bare.end()?;
    runtime.block_on(pool.shutdown());
    println!("{}", json!({ "blocking": of_bare, "waiting": of_waiting, "pool": of_pool }));
    Ok(())
}

fn microseconds_each(began: Instant, calls: usize) -> f64 {
    began.elapsed().as_secs_f64() * 1e6 / calls as f64
}

/// All requests written at once, while their answers are read.
fn floor(deno: &str, script: &Path, count: usize, methods: &[&str]) -> Result<()> {
    let mut bare = Bare::start(deno, script)?;
    let mut lines = Vec::new();
    for (number, method) in methods.iter().enumerate() {
        for index in 0..count {
            writeln!(lines, "{}", request(number * count + index + 1, method, &params(index)))?;
        }
    }
    let mut input = bare.input.take().context("no input")?;
    let writer = std::thread::spawn(move || input.write_all(&lines).map(|()| input));
    for _ in 0..count * methods.len() {
        bare.answer()?;
    }
    bare.input = Some(writer.join().map_err(|_| anyhow::anyhow!("the writer panicked"))??);
    bare.end()
}

fn request(id: usize, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn command(deno: &str, script: &Path) -> Command {
    let mut command = Command::new(deno);
    command.args(["run", "-q", "--allow-write"]).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

/// A script with nothing around it: blocking, one thread, no limits, no checks.
struct Bare {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Bare {
    fn start(deno: &str, script: &Path) -> Result<Self> {
        let mut child = command(deno, script).spawn().context("cannot start Deno")?;
        let output = BufReader::new(child.stdout.take().context("no output")?);
        let mut bare = Self { input: child.stdin.take(), child, output };
        bare.send("health", 0, &json!({}))?;
        bare.answer()?;
        Ok(bare)
    }

    fn send(&mut self, method: &str, id: usize, params: &Value) -> Result<()> {
        let mut line = request(id, method, params).to_string();
        line.push('\n');
        Ok(self.input.as_mut().context("the input is closed")?.write_all(line.as_bytes())?)
    }

    fn answer(&mut self) -> Result<Value> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let mut answer: Value = serde_json::from_str(&line)?;
        Ok(answer["result"].take())
    }

    fn call(&mut self, index: usize) -> Result<Value> {
        self.send("read", index, &params(index))?;
        self.answer()
    }

    fn end(mut self) -> Result<()> {
        self.send("shutdown", 0, &json!({}))?;
        self.input = None;
        ensure!(self.child.wait()?.success(), "the script failed");
        Ok(())
    }
}

/// The same on the runtime: nothing but a line there and a line back.
struct Waiting {
    _child: tokio::process::Child,
    input: tokio::process::ChildStdin,
    output: tokio::io::BufReader<tokio::process::ChildStdout>,
}

impl Waiting {
    async fn start(deno: &str, script: &Path) -> Result<Self> {
        let mut command = tokio::process::Command::from(command(deno, script));
        let mut child = command.kill_on_drop(true).spawn().context("cannot start Deno")?;
        let input = child.stdin.take().context("no input")?;
        let output = tokio::io::BufReader::new(child.stdout.take().context("no output")?);
        let mut waiting = Self { _child: child, input, output };
        waiting.ask("health", 0, &json!({})).await?;
        Ok(waiting)
    }

    async fn ask(&mut self, method: &str, id: usize, params: &Value) -> Result<Value> {
        let mut line = request(id, method, params).to_string();
        line.push('\n');
        self.input.write_all(line.as_bytes()).await?;
        let mut line = String::new();
        self.output.read_line(&mut line).await?;
        let mut answer: Value = serde_json::from_str(&line)?;
        Ok(answer["result"].take())
    }

    async fn call(&mut self, index: usize) -> Result<Value> {
        self.ask("read", index, &params(index)).await
    }
}
