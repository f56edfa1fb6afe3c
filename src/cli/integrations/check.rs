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

use super::events::{Event, Events, EventsError};
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
    #[error(
        "{file} was found and not named, so nothing is started because of it. To allow that, name it, here (`denobridge \
         integrations check {file}`) or in {VARIABLE}, or set {GATE}=1; `--no-start` looks at it and starts nothing"
    )]
    Gated { file: String },
    #[error("{0}")]
    Events(#[from] EventsError),
    #[error("there is no integration {name:?}; there are {known}")]
    UnknownName { name: String, known: String },
}

/// Whether all integrations have answered.
pub(super) async fn run(arguments: &Check) -> Result<bool, CheckError> {
    let file = match &arguments.file {
        Some(file) => file.clone(),
        None => found(arguments.no_start)?,
    };
    let configuration = Configuration::read(&file)?;
    println!("{}: {}", file.display(), show::count(configuration.integrations.len()));
    let chosen = chosen(&configuration, &arguments.only)?;
    if arguments.no_start {
        chosen.iter().for_each(|integration| print!("{}", show::integration(integration)));
        return Ok(true);
    }
    let events = match &arguments.events {
        Some(path) => Events::read(path)?,
        None => Events::sampled(),
    };
    let mut is_well = true;
    for integration in chosen {
        print!("\n{}", show::integration(&integration));
        is_well &= ask(integration, &events).await;
    }
    Ok(is_well)
}

/// The configuration that would be in force here. One that was found and not named is as little trusted as in a run; it may be
/// looked at.
fn found(only_looks: bool) -> Result<PathBuf, CheckError> {
    let variable = |name: &str| std::env::var_os(name);
    let working_directory = std::env::current_dir().unwrap_or_default();
    let shorter = |file: PathBuf| file.strip_prefix(&working_directory).map(Path::to_path_buf).unwrap_or(file);
    let search = Search { variable: &variable, named: None, working_directory: &working_directory };
    match search.find()? {
        Discovery::Nothing => Err(CheckError::Nothing),
        Discovery::File(file) => Ok(shorter(file)),
        Discovery::Gated(file) if only_looks => {
            println!("Not in force: it is used when it is named in {VARIABLE}, or with {GATE}=1.");
            Ok(shorter(file))
        }
        Discovery::Gated(file) => Err(CheckError::Gated { file: shorter(file).display().to_string() }),
    }
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

/// Starts one integration, asks it about all events that are for it, one after the other, and prints what it says. Whether it
/// has always answered.
async fn ask(integration: Arc<Integration>, events: &Events) -> bool {
    let Some(first) = events.all.first() else { return true };
    let log = Arc::new(StandardError);
    let launcher = Arc::new(ProcessLauncher::new(Watcher::shared()));
    let client = Client::new(Arc::clone(&integration), launcher, hello(&integration, first), Limits::default(), log);
    let is_well = match client.start().await {
        Ok(()) => ask_about(&client, events).await,
        Err(failure) => {
            println!("  does not start: {failure}");
            false
        }
    };
    client.take_remarks().iter().for_each(|remark| println!("  warning: {remark}"));
    client.shutdown(ShutdownReason::Complete).await;
    is_well
}

/// Asks one that runs.
async fn ask_about(client: &Client, events: &Events) -> bool {
    let integration = client.integration();
    let (mut is_well, mut fit, mut asked) = (true, 0, 0);
    for event in &events.all {
        let provider = event.about.run.provider.as_ref();
        if provider.is_some_and(|provider| !integration.is_for(&provider.address)) {
            continue;
        }
        fit += 1;
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
    if asked == 0 {
        println!("  started and initialized; not asked: {}", events.why_none(integration, fit));
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
