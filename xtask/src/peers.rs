//! `cargo xtask peers`: the cases in which a peer takes our place and we take its, and those with the AWS provider.

use anyhow::{Context, Result};
use clap::Args;

use crate::project::Project;
use crate::test;
use crate::tools::{self, Tool};

/// What to run.
#[derive(Args)]
pub struct Options {
    /// Which cases.
    #[arg(default_value = "peers/")]
    filter: String,
}

/// Installs the tools, builds the peer and downloads the AWS provider, which takes minutes once, and runs the cases.
pub fn run(project: &Project, options: &Options) -> Result<()> {
    let foreign = Tool::foreign().iter().copied();
    let wanted: Vec<Tool> = Tool::for_tests().chain([Tool::GoBridge]).chain(foreign).collect();
    let tools = tools::install(project, &wanted)?;
    let peers = tools.get(Tool::GoBridge)?.parent().context("the Go bridge has no folder")?;
    test::end_to_end(project, &tools, &options.filter, ("DENOBRIDGE_TEST_PEERS", peers))
}
