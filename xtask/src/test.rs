//! `cargo xtask test`: everything that must hold before a change lands, with the real tools. Nothing is skipped: a missing
//! tool fails the run.

mod licences;
mod links;
mod scripts;

use std::ffi::OsStr;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;

use crate::checklist;
use crate::process;
use crate::project::Project;
use crate::tools::{self, Paths, Tool};

/// What to run.
#[derive(Args)]
pub struct Options {
    /// Leave out formatting, lints, links and licences, for quick turns while writing.
    #[arg(long)]
    no_lint: bool,
    /// Arguments for `cargo test`, such as a filter or `-p PACKAGE`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    cargo_test: Vec<String>,
}

/// Runs the checks, the cheapest first, and `cargo test` last.
pub fn run(project: &Project, options: &Options) -> Result<()> {
    let wanted: Vec<Tool> = Tool::for_tests().collect();
    let mut parts = Parts::default();
    if !options.no_lint {
        parts.run("formatting, licences and links", || {
            process::run(project.cargo().args(["fmt", "--all", "--check"]))?;
            licences::check(project)?;
            links::check(project)
        })?;
    }
    let tools = parts.run("tools", || tools::install(project, &wanted))?;
    if !options.no_lint {
        parts.run("scripts", || scripts::check(project, tools.get(Tool::Deno)?))?;
        parts.run("clippy", || {
            let clippy = ["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"];
            process::run(project.cargo().args(clippy))
        })?;
    }
    parts.run("tests", || cargo_test(project, &tools, &options.cargo_test))?;
    // What was just tested in part may not even be built.
    if options.cargo_test.is_empty() {
        parts.run("names in checklists", || checklist::check_names(project))?;
    }
    parts.print();
    Ok(())
}

fn cargo_test(project: &Project, tools: &Paths, arguments: &[String]) -> Result<()> {
    let mut test = project.cargo();
    test.arg("test");
    let names_a_package = |word: &String| word.starts_with("-p") || word.starts_with("--package");
    if !arguments.iter().take_while(|word| *word != "--").any(names_a_package) {
        test.arg("--workspace");
    }
    test.args(arguments);
    environment(&mut test, tools)?;
    process::run(&mut test)
}

/// Tells tests which tools to use.
pub fn environment(test: &mut Command, tools: &Paths) -> Result<()> {
    test.env("DENOBRIDGE_TEST_DENO", tools.get(Tool::Deno)?);
    test.env("DENOBRIDGE_TEST_TERRAFORM", tools.get(Tool::Terraform)?);
    test.env("DENOBRIDGE_TEST_PULUMI", tools.get(Tool::Pulumi)?);
    test.env("DENOBRIDGE_TEST_PULUMI_LANGUAGE_YAML", tools.get(Tool::PulumiYaml)?);
    test.env("DENOBRIDGE_TEST_TOOLS_BIN", tools.bin());
    // Snapshots and documentation are compared, never written, however the user's own environment is set.
    test.env("INSTA_UPDATE", "no").env_remove("UPDATE_DOCS");
    Ok(())
}

/// Runs the end-to-end cases of that name that need one thing more, which the variable names.
pub fn end_to_end(
    project: &Project,
    tools: &Paths,
    filter: &str,
    (variable, value): (&str, impl AsRef<OsStr>),
) -> Result<()> {
    let mut run = project.cargo();
    run.args(["test", "--workspace", "--test", "end_to_end", "--", filter]);
    environment(&mut run, tools)?;
    process::run(run.env(variable, value))
}

/// What was run so far, and how long it took.
#[derive(Default)]
struct Parts(Vec<(&'static str, Duration)>);

impl Parts {
    fn run<T>(&mut self, name: &'static str, part: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("\n== {name}");
        let started = Instant::now();
        let result = part()?;
        self.0.push((name, started.elapsed()));
        Ok(result)
    }

    fn print(&self) {
        println!("\n== everything passed");
        for (name, took) in &self.0 {
            println!("{:>7.1} s  {name}", took.as_secs_f64());
        }
    }
}
