//! `denobridge integrations check`: what a configuration says, and what its integrations answer.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use denobridge_core::call::{LogLevel, LogSink};
use denobridge_integrations::Hook;
use denobridge_integrations::configuration::{
    Configuration, ConfigurationErrors, Discovery, GATE, Integration, Search, SeveralFiles, VARIABLE,
};
use denobridge_integrations::process::{Client, Limits};
use denobridge_integrations::protocol::{Host, HostKind, Initialize, PROTOCOL_VERSION, ShutdownReason};
use thiserror::Error;

use super::events::{self, Event, EventsError};
use super::{Check, show};
use crate::children::Watcher;
use crate::integrations::ProcessLauncher;
use crate::packages::VERSION;

/// Why nothing was asked.
#[derive(Debug, Error)]
pub(super) enum CheckError {
    #[error("{0}")]
    Configuration(#[from] ConfigurationErrors),
    #[error("{0}")]
    Several(#[from] SeveralFiles),
    #[error(
        "there is no configuration of integrations here: name a file, or write integrations.toml (docs/integrations)"
    )]
    Nothing,
    #[error("{0}")]
    Events(#[from] EventsError),
    #[error("there is no integration {name:?}; there are {known}")]
    UnknownName { name: String, known: String },
}

/// Whether all integrations have answered.
pub(super) async fn run(arguments: &Check) -> Result<bool, CheckError> {
    let file = match &arguments.file {
        Some(file) => file.clone(),
        None => found()?,
    };
    let configuration = Configuration::read(&file)?;
    println!("{}: {}", file.display(), show::count(configuration.integrations.len()));
    let chosen = chosen(&configuration, &arguments.only)?;
    if arguments.no_start {
        chosen.iter().for_each(|integration| print!("{}", show::integration(integration)));
        return Ok(true);
    }
    let events = match &arguments.events {
        Some(path) => events::read(path)?,
        None => events::sampled(),
    };
    let mut is_well = true;
    for integration in chosen {
        print!("\n{}", show::integration(&integration));
        is_well &= ask(integration, &events).await;
    }
    Ok(is_well)
}

/// The configuration that would be in force here. Whether the gate is open makes no difference to looking at it.
fn found() -> Result<PathBuf, CheckError> {
    let variable = |name: &str| std::env::var_os(name);
    let working_directory = std::env::current_dir().unwrap_or_default();
    let search = Search { variable: &variable, named: None, working_directory: &working_directory };
    let file = match search.find()? {
        Discovery::Nothing => return Err(CheckError::Nothing),
        Discovery::File(file) => file,
        Discovery::Gated(file) => {
            println!("Not in force: it is used when it is named in {VARIABLE}, or with {GATE}=1.");
            file
        }
    };
    let shorter = file.strip_prefix(&working_directory).map(Path::to_path_buf);
    Ok(shorter.unwrap_or(file))
}

fn chosen(configuration: &Configuration, only: &[String]) -> Result<Vec<Arc<Integration>>, CheckError> {
    let is_there = |name: &&String| configuration.integrations.iter().any(|one| *one.name == ***name);
    if let Some(name) = only.iter().find(|name| !is_there(name)) {
        let known: Vec<&str> = configuration.integrations.iter().map(|one| &*one.name).collect();
        return Err(CheckError::UnknownName { name: name.clone(), known: known.join(", ") });
    }
    let is_chosen = |one: &&Arc<Integration>| only.is_empty() || only.iter().any(|name| **name == *one.name);
    Ok(configuration.integrations.iter().filter(is_chosen).cloned().collect())
}

/// Asks one integration about all events, one after the other, and prints what it says. Whether it has always answered.
async fn ask(integration: Arc<Integration>, events: &[Event]) -> bool {
    let Some(first) = events.first() else { return true };
    let log = Arc::new(StandardError);
    let launcher = Arc::new(ProcessLauncher::new(Watcher::shared()));
    let client = Client::new(Arc::clone(&integration), launcher, hello(&integration, first), Limits::default(), log);
    let (mut is_well, mut asked) = (true, 0);
    for event in events {
        if !integration.is_for(&event.about.run.provider.address) {
            continue;
        }
        let type_name = event.about.resource.as_ref().map(|resource| &*resource.type_name);
        let outcome = match client.wants(event.hook, type_name, event.about.action).await {
            Ok(false) => continue,
            Ok(true) => client.call(event.hook, &event.params).await,
            Err(failure) => Err(failure),
        };
        asked += 1;
        match outcome {
            Ok(result) => print!("{}", show::result(event, &result)),
            Err(failure) => {
                is_well = false;
                print!("{}", show::line(event, &format!("no answer: {failure}")));
                if failure.is_lasting() {
                    break;
                }
            }
        }
    }
    client.take_remarks().iter().for_each(|remark| println!("  warning: {remark}"));
    client.shutdown(ShutdownReason::Complete).await;
    if asked == 0 {
        println!("  not asked: none of the events is for it");
    }
    is_well
}

/// What it is told first.
fn hello(integration: &Integration, first: &Event) -> Initialize {
    let run = first.about.run.clone();
    let kind = run.host;
    let name = match kind {
        HostKind::Terraform => "terraform",
        HostKind::Pulumi => "pulumi",
    };
    Initialize {
        core_version: VERSION.to_owned(),
        protocol_version: PROTOCOL_VERSION,
        available_hooks: Hook::ALL.to_vec(),
        host: Host { name: name.to_owned(), version: None, kind },
        run,
        settings: integration.settings.clone(),
    }
}

/// What integrations write into the log, on standard error.
struct StandardError;

impl LogSink for StandardError {
    fn enabled(&self, level: LogLevel) -> bool {
        level >= LogLevel::Info
    }

    fn log(&self, level: LogLevel, module: &str, message: &str, _: &[(&str, &str)]) {
        if self.enabled(level) {
            eprintln!("[{}] {message}", module.strip_prefix("integration.").unwrap_or(module));
        }
    }
}
