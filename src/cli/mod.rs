//! The command line: what people and their shells call. Each command is a module with its arguments and a `run`.

mod build;
mod contract;
mod doctor;
mod install;
mod integrations;
mod new;
mod replay;
mod run;
mod serve;
mod try_script;
mod wrap;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub(crate) use new::LIBRARY_FOLDER;

/// Infrastructure written once as TypeScript, used from Terraform and from Pulumi.
#[derive(Debug, Parser)]
#[command(name = "denobridge", version, arg_required_else_help = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a script without Terraform or Pulumi, and show all that is said.
    Try(Box<try_script::Arguments>),
    /// Write a script to begin with, and its test.
    New(new::Arguments),
    /// Make a provider of its own of a package of scripts, for Terraform's registries and for Pulumi.
    Build(Box<build::Arguments>),
    /// Put this program where Terraform, OpenTofu or Pulumi looks for its plugins.
    Install(install::Arguments),
    /// Look at what the bridge needs on this machine, and say what is wrong and what to do about it.
    Doctor(doctor::Arguments),
    /// Print the contract of a kind of script: OpenRPC, or OpenAPI for scripts that answer HTTP requests.
    Contract(contract::Arguments),
    /// Serve the provider to a Terraform that was not started yet, for looking into it with a debugger.
    Serve(serve::Arguments),
    /// Look at what stands beside providers and sees what they do.
    Integrations(integrations::Arguments),
    /// Play what was recorded with DENOBRIDGE_RECORD, without the provider, and say what this version does otherwise.
    Replay(replay::Arguments),
    /// Run Terraform, OpenTofu or Pulumi with one set of integrations for all of it.
    Run(run::Arguments),
    /// Put this program before a Terraform provider, so that integrations are asked about what it does.
    Wrap(wrap::Arguments),
}

/// Runs the command in `arguments`, of which the first is the program's name.
///
/// Exit codes: 0 all well, 1 something failed, 2 the arguments cannot be understood. Those of `denobridge run` are mostly its
/// command's, so it has others.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let is_run = arguments.get(1).is_some_and(|command| command == "run");
    let command_line = match CommandLine::try_parse_from(arguments) {
        Ok(command_line) => command_line,
        Err(error) => {
            // Help and version are such errors too; clap knows which stream and exit code each has.
            let _ = error.print();
            if is_run && error.use_stderr() {
                return ExitCode::from(run::NOT_STARTED);
            }
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match command_line.command {
        Command::Try(arguments) => with_threads(try_script::run(&arguments)),
        Command::New(arguments) => new::run(&arguments),
        Command::Build(arguments) => with_threads(build::run(*arguments)),
        Command::Install(arguments) => install::run(&arguments),
        Command::Doctor(arguments) => with_threads(doctor::run(&arguments)),
        Command::Contract(arguments) => contract::run(&arguments),
        Command::Serve(arguments) => with_threads(serve::run(arguments)),
        Command::Integrations(arguments) => with_threads(integrations::run(arguments)),
        Command::Replay(arguments) => with_threads(replay::run(&arguments)),
        Command::Run(arguments) => with_threads(run::run(arguments)),
        Command::Wrap(arguments) => with_threads(wrap::run(&arguments)),
    }
}

/// Prints what a command did, or why it could not.
fn tell(outcome: Result<String, impl std::fmt::Display>) -> ExitCode {
    match outcome {
        Ok(told) => {
            print!("{told}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a command that waits for others.
fn with_threads(command: impl Future<Output = ExitCode>) -> ExitCode {
    match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(command),
        Err(error) => {
            eprintln!("error: cannot start the program's threads: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn steps_that_need_a_state_file_ask_for_it() {
        let refused = |arguments: &[&str]| {
            let arguments = ["denobridge", "try", "script.ts"].iter().chain(arguments);
            CommandLine::try_parse_from(arguments).is_err()
        };
        assert!(refused(&["--destroy"]) && refused(&["--refresh"]));
        assert!(refused(&["--state", "s.json", "--plan", "--destroy"]), "one step at a time");
        assert!(refused(&["--state", "s.json", "--then", "{}"]), "the whole life has no state file");
        assert!(!refused(&["--state", "s.json", "--destroy"]) && !refused(&["--plan"]));
    }
}
