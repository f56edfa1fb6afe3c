//! `cargo xtask test`: everything that must hold before a change lands, with the real tools. Nothing is skipped: a missing
//! tool fails the run.

mod licences;
mod scripts;

use anyhow::Result;
use clap::Args;

use crate::process;
use crate::project::Project;
use crate::tools::{self, Paths, Tool};

/// What to run.
#[derive(Args)]
pub struct Options {
    /// Leave out formatting, lints and licences, for quick turns while writing.
    #[arg(long)]
    no_lint: bool,
    /// Arguments for `cargo test`, such as a filter or `-p PACKAGE`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    cargo_test: Vec<String>,
}

/// Runs the checks, the cheapest first, and `cargo test` last.
pub fn run(project: &Project, options: &Options) -> Result<()> {
    let wanted: Vec<Tool> = Tool::for_tests().collect();
    if !options.no_lint {
        heading("formatting and licences");
        process::run(project.cargo().args(["fmt", "--all", "--check"]))?;
        licences::check(project)?;
    }
    heading("tools");
    let tools = tools::install(project, &wanted)?;
    if !options.no_lint {
        heading("scripts");
        scripts::check(project, tools.get(Tool::Deno)?)?;
        heading("clippy");
        process::run(project.cargo().args(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]))?;
    }
    heading("tests");
    cargo_test(project, &tools, &options.cargo_test)
}

fn cargo_test(project: &Project, tools: &Paths, arguments: &[String]) -> Result<()> {
    let mut test = project.cargo();
    test.arg("test");
    let names_a_package = |word: &String| word.starts_with("-p") || word.starts_with("--package");
    if !arguments.iter().take_while(|word| *word != "--").any(names_a_package) {
        test.arg("--workspace");
    }
    test.args(arguments);
    test.env("DENOBRIDGE_TEST_DENO", tools.get(Tool::Deno)?);
    test.env("DENOBRIDGE_TEST_TERRAFORM", tools.get(Tool::Terraform)?);
    test.env("DENOBRIDGE_TEST_PULUMI", tools.get(Tool::Pulumi)?);
    test.env("DENOBRIDGE_TEST_PULUMI_LANGUAGE_YAML", tools.get(Tool::PulumiYaml)?);
    test.env("DENOBRIDGE_TEST_TOOLS_BIN", tools.bin());
    // Snapshots are compared, never written, however the user's own environment is set.
    test.env("INSTA_UPDATE", "no");
    process::run(&mut test)
}

fn heading(text: &str) {
    println!("\n== {text}");
}
