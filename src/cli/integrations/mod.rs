//! `denobridge integrations`: looking at integrations without a run of Terraform or Pulumi.

mod check;
mod events;
mod show;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

/// Arguments of `denobridge integrations`.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Read a configuration, and ask its integrations about events that were recorded, or about samples of all kinds.
    Check(Check),
}

/// Arguments of `denobridge integrations check`.
#[derive(Debug, Args)]
struct Check {
    /// The configuration; without it, the one that would be in force here.
    file: Option<PathBuf>,
    /// The report of a run, whose events are asked again.
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// Ask only the integration of this name; may be given several times.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Start nothing: only say what is wrong with the configuration.
    #[arg(long, conflicts_with_all = ["events", "only"])]
    no_start: bool,
}

/// Runs the command. Fails when something is wrong with the configuration, or an integration does not answer; what it answers
/// is its own business.
pub async fn run(arguments: Arguments) -> ExitCode {
    let Command::Check(arguments) = arguments.command;
    match check::run(&arguments).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
