//! `cargo xtask compat`: the cases of the Go provider's configurations, under Terraform or under OpenTofu, and then also whole runs
//! of OpenTofu with integrations.

use anyhow::Result;
use clap::Args;

use crate::process;
use crate::project::Project;
use crate::test;
use crate::tools::{self, Tool};

/// What to run them under.
#[derive(Args)]
pub struct Options {
    /// OpenTofu instead of Terraform. It is built from Go modules first, which takes minutes once.
    #[arg(long)]
    opentofu: bool,
    /// Arguments for the test program, such as the name of a case.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Installs the tools and runs the cases.
pub fn run(project: &Project, options: &Options) -> Result<()> {
    let host = if options.opentofu { Tool::OpenTofu } else { Tool::Terraform };
    let tools = tools::install(project, &[Tool::Deno, host])?;
    let mut cases = project.cargo();
    cases.args(["test", "--workspace", "--test", "compat", "--"]).args(&options.arguments);
    cases.env("DENOBRIDGE_TEST_DENO", tools.get(Tool::Deno)?);
    let variable = if options.opentofu { "DENOBRIDGE_COMPAT_OPENTOFU" } else { "DENOBRIDGE_TEST_TERRAFORM" };
    process::run(cases.env(variable, tools.get(host)?))?;
    if options.opentofu { end_to_end(project) } else { Ok(()) }
}

/// The cases of `tests/opentofu/`, for which the other tools are needed too.
fn end_to_end(project: &Project) -> Result<()> {
    let tools = tools::install(project, &Tool::for_tests().chain([Tool::OpenTofu]).collect::<Vec<_>>())?;
    let mut run = project.cargo();
    run.args(["test", "--workspace", "--test", "end_to_end", "--", "opentofu/"]);
    test::environment(&mut run, &tools)?;
    process::run(run.env("DENOBRIDGE_TEST_OPENTOFU", tools.get(Tool::OpenTofu)?))
}
