//! `cargo xtask opentofu`: whole runs of OpenTofu with integrations around its providers.

use anyhow::Result;
use clap::Args;

use crate::project::Project;
use crate::test;
use crate::tools::{self, Tool};

/// What to run.
#[derive(Args)]
pub struct Options {
    /// Which cases.
    #[arg(default_value = "opentofu/")]
    filter: String,
}

/// Installs the tools, builds OpenTofu, which takes minutes once, and runs the cases.
pub fn run(project: &Project, options: &Options) -> Result<()> {
    let wanted: Vec<Tool> = Tool::for_tests().chain([Tool::OpenTofu]).collect();
    let tools = tools::install(project, &wanted)?;
    test::end_to_end(project, &tools, &options.filter, ("DENOBRIDGE_TEST_OPENTOFU", tools.get(Tool::OpenTofu)?))
}
