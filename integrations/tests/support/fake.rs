//! For tests only: an integration that does as it is told, above all what an integration must not do.
//!
//! ```sh
//! fake-integration '{"on": {"pre_plan_resource": {"result": {"status": "fail", "message": "no"}}}}'
//! fake-integration behaviour.json
//! ```
//!
//! Its argument is a JSON object, or the name of a file with one, with these members:
//!
//! - `record`: a file. Each process leaves a line `{"started": PID}` in it, and then every line that it reads, as it is.
//! - `on`: what to do at each method; `*` stands for all that are not named. Either one behaviour, or a list: one for each
//!   time the method is called, the last for all further times. Times are counted in the file `record`, so they go on when the
//!   process is started again.
//!
//! A behaviour is an object. What it names happens in this order, and everything is optional:
//!
//! | member | what it does |
//! |---|---|
//! | `stderr` | writes the text to standard error |
//! | `log` | sends the notification `log` with these params |
//! | `fork` | `true`: starts a process that holds the standard streams open for ten minutes |
//! | `flood` | `{"stream": "stdout" or "stderr", "line": TEXT, "times": N}`: writes the line N times |
//! | `oversize` | writes a line of N bytes |
//! | `die` | ends with this exit code |
//! | `stop_reading` | `true`: does nothing more for ten minutes |
//! | `silent` | `true`: gives no answer |
//! | `delay` | waits so many milliseconds; goes on reading, so that answers come out of order |
//! | `line` | writes this text in the place of an answer; `$id` stands for the call's id |
//! | `id` | answers with this id (any JSON) instead of the call's |
//! | `error` | answers with this error |
//! | `result` | answers with this result |
//! | `environment` | `true`: answers `pass`, with the environment variables as metadata |
//! | `stay` | `true`, for `shutdown`: does not end, also not when standard input does |
//!
//! By itself it subscribes to all available hooks, answers `pass`, with the most calls that it has had at once as the
//! metadata `in_flight`, and ends at `shutdown` and at the end of its input.
// A test, though without the harness by which clippy knows one.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs::OpenOptions;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::process::{Command, exit};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value as Json, json};

const TEN_MINUTES: Duration = Duration::from_secs(600);

/// Calls that have not been answered, and the most of them that there have been.
static IN_FLIGHT: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// Lines are written whole, whoever writes them.
static OUTPUT: Mutex<()> = Mutex::new(());

fn main() {
    let argument = std::env::args().nth(1).unwrap_or_else(|| "{}".into());
    if argument == "sleep" {
        thread::sleep(TEN_MINUTES);
        return;
    }
    let text = if argument.starts_with('{') { argument } else { std::fs::read_to_string(argument).unwrap() };
    let behaviour: Json = serde_json::from_str(&text).expect("the behaviour is JSON");
    let record = behaviour["record"].as_str().map(PathBuf::from);
    let note = |line: &str| {
        if let Some(record) = &record {
            let mut file = OpenOptions::new().create(true).append(true).open(record).unwrap();
            file.write_all(format!("{line}\n").as_bytes()).unwrap();
        }
    };
    note(&json!({"started": std::process::id()}).to_string());
    let mut stays = false;
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let message: Json = serde_json::from_str(&line).unwrap_or_default();
        let method = message["method"].as_str().unwrap_or_default().to_owned();
        let times = record.as_ref().map_or(0, |record| times_before(record, &method));
        note(&line);
        let step = step(&behaviour["on"], &method, times);
        stays |= step["stay"] == true;
        act(message, &step);
    }
    if stays {
        thread::sleep(TEN_MINUTES);
    }
}

/// How often the method has been called before, by this process and those before it.
fn times_before(record: &PathBuf, method: &str) -> usize {
    let text = std::fs::read_to_string(record).unwrap_or_default();
    let marker = format!("\"method\":\"{method}\"");
    text.lines().filter(|line| line.contains(&marker)).count()
}

fn step(on: &Json, method: &str, times: usize) -> Json {
    let behaviour = on.get(method).or_else(|| on.get("*")).cloned().unwrap_or_default();
    match behaviour {
        Json::Array(steps) => steps.get(times).or(steps.last()).cloned().unwrap_or_default(),
        other => other,
    }
}

fn act(message: Json, step: &Json) {
    let number = |name: &str| step[name].as_u64();
    if let Some(text) = step["stderr"].as_str() {
        eprintln!("{text}");
    }
    if let Some(params) = step.get("log") {
        write(&json!({"jsonrpc": "2.0", "method": "log", "params": params}).to_string());
    }
    if step["fork"] == true {
        // It is there to be left behind.
        #[allow(clippy::zombie_processes)]
        let _left_behind = Command::new(std::env::current_exe().unwrap()).arg("sleep").spawn().unwrap();
    }
    if let Some(flood) = step.get("flood") {
        let (line, times) = (flood["line"].as_str().unwrap_or("x"), flood["times"].as_u64().unwrap_or(1));
        let to_stderr = flood["stream"] == "stderr";
        (0..times).for_each(|_| if to_stderr { eprintln!("{line}") } else { write(line) });
    }
    if let Some(bytes) = number("oversize") {
        write(&"x".repeat(usize::try_from(bytes).unwrap()));
    }
    if let Some(code) = number("die") {
        exit(i32::try_from(code).unwrap());
    }
    if step["stop_reading"] == true {
        thread::sleep(TEN_MINUTES);
    }
    if message.get("id").is_none() || step["silent"] == true {
        return;
    }
    MOST.fetch_max(IN_FLIGHT.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
    match number("delay") {
        Some(milliseconds) => {
            let step = step.clone();
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(milliseconds));
                answer(&message, &step);
            });
        }
        None => answer(&message, step),
    }
}

fn answer(message: &Json, step: &Json) {
    let most = MOST.load(Ordering::SeqCst);
    IN_FLIGHT.fetch_sub(1, Ordering::SeqCst);
    let method = message["method"].as_str().unwrap_or_default();
    if let Some(line) = step["line"].as_str() {
        write(&line.replace("$id", &message["id"].to_string()));
        return;
    }
    let id = step.get("id").unwrap_or(&message["id"]);
    if let Some(error) = step.get("error") {
        write(&json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string());
        return;
    }
    let result = step.get("result").cloned().unwrap_or_else(|| match method {
        "initialize" => {
            let hooks = &message["params"]["available_hooks"];
            json!({"name": "fake", "version": "1.0.0", "subscribed_hooks": hooks})
        }
        "shutdown" => Json::Null,
        _ if step["environment"] == true => {
            let environment: serde_json::Map<String, Json> =
                std::env::vars().map(|(name, value)| (name, value.into())).collect();
            json!({"status": "pass", "metadata": environment})
        }
        _ => json!({"status": "pass", "metadata": {"in_flight": most}}),
    });
    write(&json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string());
    if method == "shutdown" && step["stay"] != true {
        exit(0);
    }
}

fn write(line: &str) {
    let _whole = OUTPUT.lock().unwrap();
    let mut output = std::io::stdout().lock();
    // Whoever reads may be gone; then this ends soon, too.
    let _ = output.write_all(format!("{line}\n").as_bytes()).and_then(|()| output.flush());
}
