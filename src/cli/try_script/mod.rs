//! `denobridge try`: a script without Terraform or Pulumi. How people write scripts.
//!
//! The embedded provider behind the framework's host, which holds every answer to Terraform core's rules; what goes to the
//! script and comes back is shown as it happens.

mod arguments;
mod describe;
mod diff;
mod findings;
mod kinds;
mod life;
mod permissions;
mod printer;
mod session;
mod show;
mod state_file;
mod style;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use denobridge_core::call::Call;
use denobridge_core::diagnostics::Diagnostics;
use denobridge_framework::host::{Host, HostOptions, Observer};
use tokio_util::sync::CancellationToken;

pub(super) use arguments::Arguments;

use crate::scripted::{self, Runtime, ScriptedOptions};
use arguments::{Kind, Only, Wanted};
use findings::Findings;
use printer::Printer;
use session::Session;
use state_file::StateFile;
use style::Style;

/// Runs the command; 1 if anything went wrong.
pub(super) async fn run(arguments: &Arguments) -> ExitCode {
    let style = Style::of_standard_output();
    let mut printer = Printer::new(Box::new(std::io::stdout()), style, arguments.verbose);
    if let Some(path) = &arguments.record {
        match File::create(path) {
            Ok(file) => printer = printer.recording_to(Box::new(file)),
            Err(error) => {
                printer.bad(&format!("cannot write --record {}: {error}", path.display()));
                return ExitCode::FAILURE;
            }
        }
    }
    let printer = Arc::new(printer);
    let stop = CancellationToken::new();
    let listener = tokio::spawn(cancel_on_interrupt(stop.clone(), Arc::clone(&printer)));
    let good = run_with(arguments, &printer, &stop, &Runtime::default()).await;
    listener.abort();
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn cancel_on_interrupt(stop: CancellationToken, printer: Arc<Printer>) {
    if interruption().await.is_ok() {
        printer.note("interrupted: waiting a little for the running call to end");
        stop.cancel();
    }
}

/// Ends when somebody wants us to end: by Ctrl-C or, where there is one, by the signal for that.
async fn interruption() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

async fn run_with(arguments: &Arguments, printer: &Arc<Printer>, stop: &CancellationToken, runtime: &Runtime) -> bool {
    let outcome = match arguments.read() {
        Ok(_) if arguments.only == Some(Only::Schema) => {
            let collector = describe::collector(arguments);
            describe::show(arguments, collector, printer, stop).await.map_err(Failure::Message)
        }
        Ok(wanted) => drive(arguments, &wanted, printer, stop, runtime).await,
        Err(message) => Err(Failure::Message(message)),
    };
    runtime.shutdown().await;
    match outcome {
        Ok(good) => good,
        Err(Failure::Message(message)) => {
            printer.bad(&message);
            false
        }
        Err(Failure::Said(diagnostics)) => {
            printer.diagnostics(&diagnostics);
            false
        }
    }
}

/// Why the script was not even started.
enum Failure {
    Message(String),
    Said(Diagnostics),
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Message(message)
    }
}

async fn drive(
    arguments: &Arguments,
    wanted: &Wanted,
    printer: &Arc<Printer>,
    stop: &CancellationToken,
    runtime: &Runtime,
) -> Result<bool, Failure> {
    let provider =
        scripted::provider(ScriptedOptions { runtime: runtime.clone(), deno: arguments.deno.as_ref().map(Into::into) })
            .map_err(|error| Failure::Message(error.to_string()))?;
    let call = Call::new().with_log(Arc::clone(printer) as _);
    let options = HostOptions {
        call: call.clone().with_cancellation(stop.clone()),
        observer: Arc::clone(printer) as Arc<dyn Observer>,
        ..HostOptions::default()
    };
    let host = Host::start(provider, options).await.map_err(Failure::Said)?;
    let configured = host.configure(&wanted.provider).await.report;
    if configured.failed() {
        return Err(Failure::Said(configured.diagnostics));
    }
    printer.diagnostics(&configured.diagnostics);
    let name = instance_name(&arguments.script);
    if arguments.kind != Kind::Resource {
        let mut findings = Findings::new(printer);
        let hosts = kinds::Hosts { host: &host, uncancelled: &host.with_call(call) };
        let tried = kinds::run(hosts, &mut findings, arguments.kind, &name, wanted).await;
        tried.map_err(|diagnostic| Failure::Said(diagnostic.into()))?;
        return Ok(findings.verdict("the script did what was asked of it, by Terraform's rules"));
    }
    let resource = |host| Host::resource(host, scripted::RESOURCE, &name).map_err(|error| Failure::Said(error.into()));
    let uncancelled = host.with_call(call);
    let mut session = Session::new(resource(&host)?, printer);
    if let Some(path) = &arguments.state {
        let file = StateFile::new(path.clone());
        life::step(&mut session, printer, arguments, wanted, &file).await?;
        return Ok(session.verdict("done"));
    }
    if let Some(id) = &wanted.import {
        printer.heading("import");
        session.import(id).await;
        return Ok(session.verdict("the object can be imported; nothing was changed"));
    }
    if arguments.plan {
        printer.heading("plan");
        if let Some(config) = wanted.configurations.first().and_then(|written| session.config(written)) {
            session.plan(&config, None).await;
        }
        return Ok(session.verdict("planned; nothing was changed"));
    }
    let state = life::whole(&mut session, printer, wanted).await;
    if let Some(state) = state {
        // Also after an interruption: then with calls that are not cancelled.
        session.go_on_with(resource(&uncancelled)?);
        life::clean_up(&mut session, printer, &state).await;
    }
    Ok(session.verdict("the script did all that was asked of it, by Terraform's rules"))
}

/// What the instance is called in messages: the script's file name without its extension, as an identifier.
fn instance_name(script: &str) -> String {
    let stem = Path::new(script).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name: String = stem.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    if name.trim_matches('_').is_empty() { "script".to_owned() } else { name }
}
