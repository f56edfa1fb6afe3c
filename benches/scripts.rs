//! What the pool and JSON-RPC cost in one process, against a client that does nothing but write lines and read lines.
//! `cargo xtask bench scripts` builds and runs it:
//!
//! ```text
//! scripts sequential DENO SCRIPT CALLS ROUNDS   calls one after the other, both ways in turns; prints microseconds per call
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

/// Calls one after the other, in rounds of both clients.
fn sequential(deno: &str, script: &Path, calls: usize, rounds: usize) -> Result<()> {
    // As in a plugin: the call is made by a task, on the runtime that every program of ours has.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let mut bare = Bare::start(deno, script)?;
    let pool = Arc::new(Pool::new(PoolOptions::default()));
    let folder = script.parent().context("the script has no folder")?;
    let mut spec = ScriptSpec::new(Path::new(deno), script.to_string_lossy());
    spec.working_directory = Some(folder.to_owned());
    spec.permissions.allow = vec!["write".to_owned()];
    let (mut of_bare, mut of_pool) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        (0..WARM_UP).try_for_each(|index| bare.call(index).map(drop))?;
        let began = Instant::now();
        (0..calls).try_for_each(|index| bare.call(index).map(drop))?;
        of_bare.push(microseconds_each(began, calls));
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
    println!("{}", json!({ "bare": of_bare, "pool": of_pool }));
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

/// A script with nothing around it: blocking, one thread, no limits, no checks.
struct Bare {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Bare {
    fn start(deno: &str, script: &Path) -> Result<Self> {
        let mut command = Command::new(deno);
        command.args(["run", "-q", "--allow-write"]).arg(script);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("cannot start Deno")?;
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
