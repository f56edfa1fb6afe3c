//! `denobridge contract`: what a script must answer, as a document for tools.

use std::process::ExitCode;

use clap::Args;

use crate::contracts::Contract;

/// Arguments of `denobridge contract`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The kind of script.
    contract: Contract,
}

/// Prints the document.
pub fn run(arguments: &Arguments) -> ExitCode {
    print!("{}", arguments.contract.text());
    ExitCode::SUCCESS
}
