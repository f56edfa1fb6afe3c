//! What a host remembers of earlier answers, to hold later ones to them: validations (R18) and function results (R19).

use std::sync::{Mutex, PoisonError};

use denobridge_core::cty::{Path, Value};
use denobridge_core::diagnostics::{Diagnostics, Severity};
use denobridge_core::planning::rules::{Rule, Violation};

/// Most answers of each kind that are remembered; older ones are forgotten first.
const REMEMBERED: usize = 256;

#[derive(Default)]
pub(super) struct Memory {
    validations: Mutex<Vec<Validation>>,
    results: Mutex<Vec<Call>>,
}

struct Validation {
    procedure: &'static str,
    type_name: String,
    config: Value,
    verdict: Vec<Verdict>,
}

/// What of a message must be the same; details may quote times and the like.
type Verdict = (Severity, String, Path);

struct Call {
    function: String,
    arguments: Vec<Value>,
    result: Value,
}

impl Memory {
    /// Forgets validations: what a provider accepts may depend on its own configuration.
    pub(super) fn configured(&self) {
        self.validations.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Compares a validation with the last one of the same configuration.
    pub(super) fn validated(
        &self,
        procedure: &'static str,
        type_name: &str,
        config: &Value,
        diagnostics: &Diagnostics,
    ) -> Vec<Violation> {
        let verdict: Vec<Verdict> =
            diagnostics.iter().map(|said| (said.severity, said.summary.clone(), said.attribute.clone())).collect();
        let mut known = self.validations.lock().unwrap_or_else(PoisonError::into_inner);
        let same = known.iter().find(|earlier| {
            earlier.procedure == procedure && earlier.type_name == type_name && earlier.config == *config
        });
        match same {
            Some(earlier) if earlier.verdict == verdict => Vec::new(),
            Some(earlier) => {
                let message = format!(
                    "the same configuration was judged differently before: then {}, now {}",
                    shown(&earlier.verdict),
                    shown(&verdict)
                );
                vec![Violation::new(Rule::Validation, Path::root(), message)]
            }
            None => {
                remember(
                    &mut known,
                    Validation { procedure, type_name: type_name.to_owned(), config: config.clone(), verdict },
                );
                Vec::new()
            }
        }
    }

    /// Compares a function's result with the last one for the same arguments.
    pub(super) fn called(&self, function: &str, arguments: &[Value], result: &Value) -> Vec<Violation> {
        let mut known = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let same = known.iter().find(|earlier| earlier.function == function && earlier.arguments == arguments);
        match same {
            Some(earlier) if earlier.result == *result => Vec::new(),
            Some(earlier) => {
                let message =
                    format!("the same arguments gave another result before: {:?}, now {result:?}", earlier.result);
                vec![Violation::new(Rule::Protocol, Path::root(), message)]
            }
            None => {
                let (function, arguments) = (function.to_owned(), arguments.to_vec());
                remember(&mut known, Call { function, arguments, result: result.clone() });
                Vec::new()
            }
        }
    }
}

fn remember<T>(known: &mut Vec<T>, new: T) {
    if known.len() == REMEMBERED {
        known.remove(0);
    }
    known.push(new);
}

fn shown(verdict: &[Verdict]) -> String {
    if verdict.is_empty() {
        return "nothing was said".to_owned();
    }
    let said: Vec<String> = verdict
        .iter()
        .map(|(_, summary, path)| if path.is_root() { summary.clone() } else { format!("{summary} (at {path})") })
        .collect();
    said.join("; ")
}
