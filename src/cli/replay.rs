//! `denobridge replay`: a recording, played without the provider.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::recording::{self, CallOutcome, Contents, Outcome};

/// Arguments of `denobridge replay`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// What was recorded with DENOBRIDGE_RECORD.
    file: PathBuf,
}

/// Plays the recording; fails where this version answers otherwise than what was recorded.
pub async fn run(arguments: &Arguments) -> ExitCode {
    match replay(arguments).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {}: {error}", arguments.file.display());
            ExitCode::FAILURE
        }
    }
}

/// Whether everything is as it was recorded.
async fn replay(arguments: &Arguments) -> Result<bool, String> {
    let text = std::fs::read_to_string(&arguments.file).map_err(|error| match error.kind() {
        ErrorKind::InvalidData => "it is no recording: it is not text".to_owned(),
        _ => error.to_string(),
    })?;
    let mut counts = Counts::default();
    match recording::read(&text).map_err(|error| error.to_string())? {
        Contents::Ours(processes) => {
            for (index, process) in processes.iter().enumerate() {
                println!("process {} of {}, for {}:", index + 1, processes.len(), process.tool);
                let unused = recording::play(process, |call| counts.tell(&call)).await?;
                tell_unused(unused);
            }
        }
        Contents::GoLog(log) => {
            println!("a log of the Go bridge, of a provider of protocol {}:", log.protocol);
            let unused = recording::play_log(log, |call| counts.tell(&call)).await?;
            tell_unused(unused);
        }
    }
    println!("{} as recorded, {} different", counts.same, counts.different);
    Ok(counts.different == 0)
}

fn tell_unused(unused: usize) {
    if unused > 0 {
        println!("  (of what the provider was asked, it was not asked again {unused} times)");
    }
}

#[derive(Default)]
struct Counts {
    same: usize,
    different: usize,
}

impl Counts {
    fn tell(&mut self, call: &CallOutcome) {
        match call.outcome {
            Outcome::NotPlayed => {}
            Outcome::Same if call.unknown.is_empty() => self.same += 1,
            _ => self.different += 1,
        }
        print!("{}", described(call));
    }
}

fn described(CallOutcome { procedure, about, unknown, outcome }: &CallOutcome) -> String {
    let word = match outcome {
        Outcome::NotPlayed => "not played",
        Outcome::Same if unknown.is_empty() => "same",
        _ => "different",
    };
    let mut text = format!("  {word:<10} {procedure} {about}").trim_end().to_owned();
    text.push('\n');
    let unknown = unknown.iter().map(|unknown| format!("the provider was asked something else: {unknown}"));
    let different = match outcome {
        Outcome::Different(found) => found.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    };
    for line in unknown.chain(different).flat_map(|said| said.lines().map(str::to_owned).collect::<Vec<_>>()) {
        text.push_str(&format!("    {line}\n"));
    }
    text
}
