//! `cargo xtask compat`: the cases of the Go provider's configurations, under Terraform or under OpenTofu.

use anyhow::Result;
use clap::Args;

use crate::process;
use crate::project::Project;
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
    let mut test = project.cargo();
    test.args(["test", "--workspace", "--test", "compat", "--"]).args(&options.arguments);
    test.env("DENOBRIDGE_TEST_DENO", tools.get(Tool::Deno)?);
    let variable = if options.opentofu { "DENOBRIDGE_COMPAT_OPENTOFU" } else { "DENOBRIDGE_TEST_TERRAFORM" };
    process::run(test.env(variable, tools.get(host)?))
}
