//! A host made of go-plugin and terraform-plugin-go (`terraform/tests/go-client`), which shares no code with us: it calls
//! every procedure of one of the providers that it knows and prints the answers.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value as Json;
use tokio::process::Command;
use tokio::sync::Mutex;

use crate::soon;

/// Longest time for compiling the host, whose modules may have to be downloaded.
const BUILD_LIMIT: Duration = Duration::from_secs(600);

/// Builds the host as `program`, unless this process has done so already.
async fn build(program: &Path) {
    static BUILT: Mutex<BTreeSet<std::path::PathBuf>> = Mutex::const_new(BTreeSet::new());
    let mut built = BUILT.lock().await;
    if built.contains(program) {
        return;
    }
    let mut build = Command::new("go");
    build
        .args(["build", "-mod=readonly", "-o"])
        .arg(program)
        .arg(".")
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../go-client"))
        .kill_on_drop(true);
    let output = tokio::time::timeout(BUILD_LIMIT, build.output()).await.expect("the build takes too long");
    let output = output.expect("go must be on PATH for these tests");
    assert!(output.status.success(), "go build:\n{}", String::from_utf8_lossy(&output.stderr));
    built.insert(program.to_owned());
}

/// What the host was answered, by procedure. It is built as `program` and runs in `folder`; its arguments are told by its
/// `-help`.
pub async fn answers(program: &Path, arguments: &[&str], folder: &Path) -> Json {
    build(program).await;
    let mut run = Command::new(program);
    run.args(arguments).current_dir(folder).stdin(Stdio::null()).kill_on_drop(true);
    let output = soon("the Go host", run.output()).await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The procedures whose answers are not the expected ones.
pub fn differences(actual: &Json, expected: &Json) -> Vec<String> {
    let (actual, expected) = (actual.as_object().unwrap(), expected.as_object().unwrap());
    let names: BTreeSet<&String> = actual.keys().chain(expected.keys()).collect();
    names
        .into_iter()
        .filter(|&name| actual.get(name) != expected.get(name))
        .map(|name| format!("{name}: {:?}, expected {:?}", actual.get(name), expected.get(name)))
        .collect()
}
