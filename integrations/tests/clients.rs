//! The libraries that integrations are written with, and the examples that are written with them: their own tests, in their own
//! languages.
// clippy does not see that helpers are part of tests.
#![allow(clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Command;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs tests in a folder of the project.
fn pass(folder: &str, mut command: Command) {
    let output = command.current_dir(project().join(folder)).output();
    let output = output.unwrap_or_else(|error| panic!("{command:?} in {folder}: {error}"));
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{command:?} in {folder}:\n{said}");
}

/// The tests of a folder in Python, of which every warning is an error.
fn pass_in_python(folder: &str) {
    let mut python = Command::new(if cfg!(windows) { "python" } else { "python3" });
    python.args(["-W", "error", "-m", "unittest"]).env("PYTHONDONTWRITEBYTECODE", "1");
    pass(folder, python);
}

/// The Deno of the other tests: `DENOBRIDGE_TEST_DENO`, or what `cargo xtask tools` has put into the project.
fn pass_in_deno(folder: &str, tests: &[&str]) {
    let installed = || project().join(".tools/bin").join(format!("deno{}", std::env::consts::EXE_SUFFIX));
    let deno = std::env::var_os("DENOBRIDGE_TEST_DENO").map_or_else(installed, PathBuf::from);
    let mut deno = Command::new(deno);
    deno.args(["test", "--quiet", "--allow-all"]).args(tests).env("NO_COLOR", "1");
    pass(folder, deno);
}

#[test]
fn m45_the_library_for_typescript_speaks_the_protocol() {
    pass_in_deno("script-sdk", &["tests/integration_test.ts"]);
}

#[test]
fn m45_the_library_for_python_speaks_the_protocol() {
    pass_in_python("clients/python");
}

#[test]
fn m45_the_examples_in_typescript_pass_their_tests() {
    pass_in_deno("examples", &["integrations"]);
}

#[test]
fn m45_the_examples_in_python_pass_their_tests() {
    pass_in_python("examples/integrations/audit");
    pass_in_python("examples/integrations/notifier");
}
