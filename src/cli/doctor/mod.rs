//! `denobridge doctor`: looks at what the bridge needs and says what is wrong and what to do about it.

mod checks;
mod probe;

use std::fmt;
use std::process::ExitCode;

use clap::Args;

use probe::Machine;

/// Arguments of `denobridge doctor`.
#[derive(Debug, Args)]
pub struct Arguments {}

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// As it should be.
    Good,
    /// Not there, and not needed by everybody.
    Absent,
    /// Works, but not all of it.
    Limited,
    /// Nothing works without it.
    Wrong,
}

/// What was found of one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finding {
    verdict: Verdict,
    subject: &'static str,
    /// What is there.
    found: String,
    /// What to do about it.
    advice: Option<String>,
}

impl Finding {
    fn new(verdict: Verdict, subject: &'static str, found: impl Into<String>) -> Self {
        Self { verdict, subject, found: found.into(), advice: None }
    }

    fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.verdict {
            Verdict::Good => "ok  ",
            Verdict::Absent => "-   ",
            Verdict::Limited => "note",
            Verdict::Wrong => "BAD ",
        };
        write!(formatter, "{mark}  {:<18} {}", self.subject, self.found)?;
        if let Some(advice) = &self.advice {
            for line in advice.lines() {
                write!(formatter, "\n      {:<18} {line}", "")?;
            }
        }
        Ok(())
    }
}

/// Prints what it finds; 1 if something is wrong.
pub async fn run(_: &Arguments) -> ExitCode {
    let findings = checks::all(&Machine::this()).await;
    for finding in &findings {
        println!("{finding}");
    }
    let wrong = findings.iter().filter(|finding| finding.verdict == Verdict::Wrong).count();
    if wrong == 0 {
        println!("\nNothing is wrong.");
        return ExitCode::SUCCESS;
    }
    println!("\n{wrong} {} wrong.", if wrong == 1 { "thing is" } else { "things are" });
    ExitCode::FAILURE
}
