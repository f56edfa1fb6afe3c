//! All tests of the workspace, as their own programs list them, and running some of them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};
use serde_json::Value;

use crate::process;
use crate::project::Project;
use crate::test;
use crate::tools::Paths;

/// What the end-to-end suite adds to the name of a case when it runs it a second time.
const SECOND_RUN: &str = " (re-encoded)";

/// Every test program and the tests in it.
pub struct Suite {
    programs: Vec<Program>,
}

/// A program that Cargo built from one package's library, binary or integration test.
struct Program {
    /// `denobridge-core lib`, for people.
    label: String,
    executable: PathBuf,
    /// The folder of its package, where Cargo would run it.
    folder: PathBuf,
    tests: Vec<String>,
}

/// A test: the index of its program, and its whole name there.
pub type TestId = (usize, String);

/// What became of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It ran and succeeded.
    Passed,
    /// It failed, or did not run although it was asked for.
    Failed,
}

impl Suite {
    /// Builds all tests and asks each program for its list.
    pub fn build(project: &Project) -> Result<Self> {
        let mut build = project.cargo();
        build.args(["test", "--workspace", "--no-run", "--quiet", "--message-format=json-render-diagnostics"]);
        let messages = process::capture(build.stderr(std::process::Stdio::inherit()))?.success()?;
        let programs = messages.lines().filter_map(|line| program(&serde_json::from_str(line).ok()?));
        let mut programs: Vec<Program> = programs.collect();
        for program in &mut programs {
            let list = program.capture(project, None, &["--list", "--format", "terse"])?.success()?;
            program.tests = list.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect();
        }
        programs.sort_by(|one, other| one.label.cmp(&other.label));
        Ok(Self { programs })
    }

    /// All tests of that name: the last parts of their paths, or the whole.
    pub fn find(&self, name: &str) -> BTreeSet<TestId> {
        let programs = self.programs.iter().enumerate();
        let tests = programs.flat_map(|(index, program)| program.tests.iter().map(move |test| (index, test)));
        tests.filter(|(_, test)| is_called(test, name)).map(|(index, test)| (index, test.clone())).collect()
    }

    /// Runs these tests and no others, program by program.
    pub fn run(&self, project: &Project, tools: &Paths, tests: &BTreeSet<TestId>) -> Result<BTreeMap<TestId, Outcome>> {
        let mut outcomes = BTreeMap::new();
        for (index, program) in self.programs.iter().enumerate() {
            let names: Vec<&str> = tests.iter().filter(|(of, _)| *of == index).map(|(_, name)| name.as_str()).collect();
            if names.is_empty() {
                continue;
            }
            let passed = program.run(project, tools, &names)?;
            for name in names {
                let outcome = if passed.contains(name) { Outcome::Passed } else { Outcome::Failed };
                outcomes.insert((index, name.to_owned()), outcome);
            }
        }
        Ok(outcomes)
    }
}

/// Whether a test can be meant by a name.
fn is_called(test: &str, name: &str) -> bool {
    let test = test.strip_suffix(SECOND_RUN).unwrap_or(test);
    test.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with("::"))
}

/// What a message of Cargo's says about a test program.
fn program(message: &Value) -> Option<Program> {
    let executable = PathBuf::from(message["executable"].as_str()?);
    if message["profile"]["test"] != true {
        return None;
    }
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_path_buf();
    let (kind, target) = (message["target"]["kind"][0].as_str()?, message["target"]["name"].as_str()?);
    let package = package_name(message["package_id"].as_str()?)?;
    Some(Program { label: format!("{package} {kind} {target}"), executable, folder, tests: Vec::new() })
}

/// `path+file:///folder/core#denobridge-core@0.1.0`, or `…/core#0.1.0` where the folder has the package's name.
fn package_name(id: &str) -> Option<&str> {
    let (path, rest) = id.split_once('#')?;
    match rest.split_once('@') {
        Some((name, _)) => Some(name),
        None => path.rsplit('/').next(),
    }
}

impl Program {
    /// The names of those that passed.
    fn run<'n>(&self, project: &Project, tools: &Paths, names: &[&'n str]) -> Result<BTreeSet<&'n str>> {
        println!("{}: {} tests", self.label, names.len());
        // Not every harness takes more than one name at a time. Those that do not, say so when they are to list several.
        let mut list = vec!["--list", "--format", "terse", "--exact"];
        list.extend(names);
        let takes_all = names.len() == 1
            || self.capture(project, None, &list)?.success().is_ok_and(|listed| listed.lines().count() >= names.len());
        let runs: Vec<&[&str]> = if takes_all { vec![names] } else { names.chunks(1).collect() };
        let mut passed = BTreeSet::new();
        for names in runs {
            let mut arguments = vec!["--exact"];
            arguments.extend(names);
            let captured = self.capture(project, Some(tools), &arguments)?;
            if captured.status.success() && count_of_passed(&captured.stdout) == Some(names.len()) {
                passed.extend(names);
            } else {
                println!("{}", captured.report());
                passed.extend(names.iter().filter(|name| is_reported_as_passed(&captured.stdout, name)));
            }
        }
        Ok(passed)
    }

    /// Runs the program as `cargo test` would: in the folder of its package.
    fn capture(&self, project: &Project, tools: Option<&Paths>, arguments: &[&str]) -> Result<process::Captured> {
        let mut command = Command::new(&self.executable);
        command.current_dir(&self.folder).args(arguments).env("CARGO_MANIFEST_DIR", &self.folder);
        command.env("CARGO", project.cargo().get_program());
        // Tests of procedural macros are linked with the compiler's own libraries.
        let libraries = compiler_libraries(project)?;
        for variable in ["LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"] {
            command.env(variable, &libraries);
        }
        if let Some(tools) = tools {
            test::environment(&mut command, tools)?;
        }
        process::capture(command.stderr(std::process::Stdio::piped()))
    }
}

/// Where the compiler's own libraries are: those that it is made of, and those that it links with.
fn compiler_libraries(project: &Project) -> Result<OsString> {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut folders = Vec::new();
    for (asked, within) in [("sysroot", "lib"), ("target-libdir", "")] {
        let mut ask = Command::new(&compiler);
        let told = process::capture(ask.current_dir(project.root()).args(["--print", asked]))?.success()?;
        if told.trim().is_empty() {
            bail!("rustc does not say where its {asked} is");
        }
        folders.push(Path::new(told.trim()).join(within));
    }
    Ok(std::env::join_paths(folders)?)
}

/// `test result: ok. 3 passed; 0 failed; …`
fn count_of_passed(output: &str) -> Option<usize> {
    let summary = output.lines().find_map(|line| line.strip_prefix("test result: ok. "))?;
    summary.split(' ').next()?.parse().ok()
}

/// `test NAME ... ok`, also where there is something between.
fn is_reported_as_passed(output: &str, name: &str) -> bool {
    output.lines().any(|line| {
        let rest = line.strip_prefix("test ").and_then(|rest| rest.trim_start().strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with(' ') && rest.ends_with(" ok"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_test_is_called_by_the_last_parts_of_its_path() {
        for name in ["c", "b::c", "a::b::c"] {
            assert!(is_called("a::b::c", name), "{name}");
        }
        for name in ["b", "bc", "::c", "a::b"] {
            assert!(!is_called("a::b::c", name), "{name}");
        }
        assert!(!is_called("a::b_c", "c"), "part of a word");
        assert!(is_called("terraform/life_cycle (re-encoded)", "terraform/life_cycle"));
        assert!(!is_called("terraform/life_cycle", "life_cycle"));
    }

    #[test]
    fn test_programs_are_recognised_among_cargos_messages() {
        let message = |test: bool| {
            json!({
                "package_id": "path+file:///p/terraform#denobridge-terraform@0.1.0",
                "manifest_path": "/p/terraform/Cargo.toml",
                "target": { "kind": ["test"], "name": "suite" },
                "profile": { "test": test },
                "executable": "/p/target/debug/deps/suite-1",
            })
        };
        let found = program(&message(true)).unwrap();
        assert_eq!(found.label, "denobridge-terraform test suite");
        assert_eq!(found.folder, Path::new("/p/terraform"));
        assert!(program(&message(false)).is_none());
        assert_eq!(package_name("path+file:///p/xtask#0.1.0"), Some("xtask"));
    }

    #[test]
    fn outcomes_are_read_from_the_output() {
        let output = "running 3 tests\ntest a::b ... ok\ntest c - should panic ... ok\ntest d ... FAILED\n\
                      test result: FAILED. 2 passed; 1 failed; 0 ignored\n";
        assert_eq!(["a::b", "c", "d", "a"].map(|name| is_reported_as_passed(output, name)), [true, true, false, false]);
        assert_eq!(count_of_passed(output), None);
        assert_eq!(count_of_passed("test result: ok. 12 passed; 0 failed; 3 ignored"), Some(12));
    }
}
