//! `denobridge serve`: the provider without a tool that started it.

use std::process::ExitCode;

use clap::Args;

use crate::plugins;

/// Arguments of `denobridge serve`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Print TF_REATTACH_PROVIDERS and serve every Terraform that has it in its environment, until interrupted.
    #[arg(long, required = true)]
    debug: bool,
}

/// Serves until interrupted.
pub async fn run(Arguments { debug: _ }: Arguments) -> ExitCode {
    match plugins::serve_terraform_debug().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
