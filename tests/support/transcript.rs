//! Transcripts of compatibility cases: steps, and what is the same in them whatever it looks like.

use std::collections::BTreeMap;

use serde_json::Value as Json;

/// What one step printed, after its heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The text after `==`.
    pub name: String,
    /// Why this is not the peer's outcome; lines that start with `#`.
    pub reason: Vec<String>,
    /// Everything else.
    pub lines: Vec<String>,
}

/// Reads a transcript.
pub fn read(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix("== ") {
            steps.push(Step { name: name.to_owned(), reason: Vec::new(), lines: Vec::new() });
        } else if let Some(step) = steps.last_mut() {
            let kind = if line.starts_with('#') { &mut step.reason } else { &mut step.lines };
            kind.push(line.to_owned());
        }
    }
    steps
}

/// Writes a transcript.
pub fn write(steps: &[Step]) -> String {
    let step = |step: &Step| {
        let lines: Vec<&str> = step.reason.iter().chain(&step.lines).map(String::as_str).collect();
        format!("== {}\n{}\n", step.name, lines.join("\n"))
    };
    steps.iter().map(step).collect::<Vec<_>>().join("\n")
}

/// The steps by name.
pub fn by_name(steps: Vec<Step>) -> BTreeMap<String, Step> {
    steps.into_iter().map(|step| (step.name.clone(), step)).collect()
}

/// Whether the order of lines means anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// It does.
    AsPrinted,
    /// Several objects were handled in no order of their own.
    None,
}

/// Which lines count, and how.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Whether their order means anything.
    pub order: Order,
    /// Lines that start so are left out: what the host at hand does not print.
    pub without: Option<&'static str>,
}

/// The lines of a step without what means the same in both bridges: what a script is sent beyond the peer's contract, and
/// members that are null where the peer leaves them out.
pub fn meaning(step: &Step, reading: Reading) -> Vec<String> {
    let printed = |line: &&String| reading.without.is_none_or(|without| !line.starts_with(without));
    let lines = step.lines.iter().filter(printed);
    let mut lines: Vec<String> = lines.map(|line| call(line).unwrap_or_else(|| line.clone())).collect();
    if reading.order == Order::None {
        lines.sort();
    }
    lines
}

/// Members of `read` that the peer's contract does not have.
const BEYOND_THE_CONTRACT: [&str; 2] = ["state", "sensitiveState"];

fn call(line: &str) -> Option<String> {
    let (method, params) = line.strip_prefix("  rpc ")?.split_once(" {")?;
    let Ok(Json::Object(mut params)) = serde_json::from_str(&format!("{{{params}")) else { return None };
    let reads = ["read", "POST /read"].contains(&method);
    // An import has props that are null, and says so.
    params.retain(|name, value| !value.is_null() || (reads && name == "props"));
    if reads {
        params.retain(|name, _| !BEYOND_THE_CONTRACT.contains(&name.as_str()));
    }
    Some(format!("  rpc {method} {}", Json::Object(params)))
}
