//! Picks the role that this process plays; everything else is in the library.

use std::future::Future;
use std::process::ExitCode;

use denobridge::role::Role;
use denobridge::{children, cli, plugins};

fn main() -> ExitCode {
    // The watcher is this program started again: it must not begin anything else.
    children::run_if_asked();

    let program = std::env::args_os().next();
    match Role::of(program.as_deref(), denobridge_terraform::started_by_host()) {
        Role::TerraformPlugin => run(plugins::serve_terraform()),
        Role::TerraformPluginHelp => {
            denobridge_terraform::refuse_direct_start(&program.unwrap_or_default().to_string_lossy())
        }
        Role::PulumiPlugin(name) => {
            let arguments = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
            run(plugins::serve_pulumi(name, arguments.collect()))
        }
        Role::CommandLine => cli::run(std::env::args_os()),
    }
}

/// Runs a role to its end. Two threads are enough for a program that mostly waits for others, and keep an idle plugin small.
fn run(role: impl Future<Output = Result<(), plugins::PluginError>>) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let ended = match runtime {
        Ok(runtime) => runtime.block_on(role).map_err(|error| error.to_string()),
        Err(error) => Err(format!("cannot start threads: {error}")),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("denobridge: {message}");
            ExitCode::FAILURE
        }
    }
}
