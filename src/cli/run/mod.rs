//! `denobridge run -- terraform apply`: a command with one set of integrations for all of it, instead of one for each provider
//! process. The command has our standard streams, so that it asks and shows what it always does.

mod child;
mod pipe;
mod search;

use std::ffi::OsString;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use denobridge_core::{Diagnostic, Severity};
use denobridge_integrations::configuration::{Configuration, ConfigurationErrors, VARIABLE};
use denobridge_integrations::run::{HostProcess, RUN_VARIABLE, RunFolder};
use denobridge_integrations::wrapper::{Wrapper, WrapperOptions};
use rand::Rng as _;
use thiserror::Error;

use crate::integrations::engine_options;
use child::Ended;
use pipe::Pipe;
use search::SearchError;

/// The exit code when nothing was started since the configuration is wrong: that of other programs that start one, such as `env`
/// and `timeout`. A plan has others for changes and for errors.
pub(super) const NOT_STARTED: u8 = 125;

/// The exit code of shells when a program cannot be run.
const NOT_RUN: u8 = 126;

/// The exit code of shells when there is no such program.
const NO_PROGRAM: u8 = 127;

/// What a plan with `-detailed-exitcode` ends with that has changes, which is a success.
const HAS_CHANGES: u8 = 2;

/// Arguments of `denobridge run`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The configuration of integrations; without it, the one that would be in force where the command works.
    #[arg(long, value_name = "FILE")]
    integrations: Option<PathBuf>,
    /// The command with its arguments, after `--`: terraform, tofu or pulumi, or a script that calls them.
    #[arg(required = true, last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Why the command was not started.
#[derive(Debug, Error)]
enum RunError {
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error("{0}")]
    Configuration(#[from] ConfigurationErrors),
    #[error("the folder that the processes of a run share: {0}")]
    Folder(std::io::Error),
    #[error("what the command says cannot be read: {0}")]
    Pipe(std::io::Error),
    #[error("cannot run {}: {reason}", program.to_string_lossy())]
    Program { program: OsString, reason: std::io::Error },
}

/// Runs the command. The exit code is the command's; 128 and the signal's number if a signal has ended it; 1 if it has succeeded
/// and a hard integration refuses what has come of it; 125 if it was not started.
pub async fn run(arguments: Arguments) -> ExitCode {
    match wrapped(arguments).await {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            show(&format!("error: {error}"));
            ExitCode::from(match error {
                RunError::Program { reason, .. } if reason.kind() == ErrorKind::NotFound => NO_PROGRAM,
                RunError::Program { .. } => NOT_RUN,
                _ => NOT_STARTED,
            })
        }
    }
}

async fn wrapped(arguments: Arguments) -> Result<u8, RunError> {
    let Arguments { integrations, command } = arguments;
    let words: Vec<String> = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let file = search::find(integrations.as_deref(), &words)?;
    let configuration = Configuration::read(&file)?;
    let folder = RunFolder::begin(&HostProcess::this_process()).map_err(RunError::Folder)?;
    let code = in_folder(&folder, configuration, &file, &command, &words).await;
    folder.remove();
    code
}

async fn in_folder(
    folder: &RunFolder,
    configuration: Configuration,
    file: &Path,
    command: &[OsString],
    words: &[String],
) -> Result<u8, RunError> {
    let Some((program, arguments)) = command.split_first() else { return Ok(NOT_STARTED) };
    let pipe = if search::writes_events(words) { Pipe::new().map_err(RunError::Pipe)? } else { None };
    let wrapper = Wrapper::start(WrapperOptions {
        engine: engine_options(configuration, folder.clone()),
        arguments: words.get(1..).unwrap_or_default().to_vec(),
        token: format!("{:032x}", rand::rng().random::<u128>()),
        tell: Arc::new(tell),
        stream: pipe.as_ref().map(Pipe::source),
    });
    let wrapper = wrapper.await.map_err(RunError::Folder)?;
    let mut started = std::process::Command::new(program);
    // Providers need not look for the file, nor be allowed to find it.
    started.args(arguments).env(RUN_VARIABLE, folder.path()).env(VARIABLE, file);
    let ended = match child::run(started, pipe, || wrapper.interrupt()).await {
        Ok(ended) => ended,
        Err(reason) => {
            wrapper.finish().await;
            return Err(RunError::Program { program: program.clone(), reason });
        }
    };
    let is_refused = wrapper.finish().await;
    Ok(code(ended, is_refused))
}

/// The exit code of all of it.
fn code(ended: Ended, is_refused: bool) -> u8 {
    let Ended::With(code) = ended else { return ended.code() };
    if is_refused && (code == 0 || code == HAS_CHANGES) {
        show(&format!(
            "denobridge run: the command has ended with {code}; this is 1, since a hard integration says no (see above)"
        ));
        return 1;
    }
    code
}

/// Shows what integrations say at the end of a stage.
fn tell(said: &Diagnostic) {
    let word = if said.severity == Severity::Error { "error" } else { "warning" };
    let detail: String = said.detail.lines().map(|line| format!("\n  {line}")).collect();
    show(&format!("{word}: {}{detail}", said.summary));
}

/// Writes a line to standard error. That nobody can read it changes nothing of what integrations have decided.
fn show(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_makes_a_success_a_failure_and_leaves_failures_as_they_are() {
        for (ended, refused, expected) in [
            (Ended::With(0), false, 0),
            (Ended::With(0), true, 1),
            (Ended::With(2), false, 2),
            (Ended::With(2), true, 1),
            (Ended::With(3), true, 3),
            (Ended::By(15), true, 143),
        ] {
            assert_eq!(code(ended, refused), expected, "{ended:?} {refused}");
        }
    }
}
