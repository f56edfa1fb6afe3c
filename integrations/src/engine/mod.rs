//! Asks every integration that is to be asked, all at once, and makes one outcome of what they say, in the order in which
//! the file declares them. Where a program around the host has integrations for the whole run, that one is asked to ask them.

mod awaited;
mod label;
mod late_log;
mod metadata;
mod outcome;
mod own;
#[cfg(test)]
mod tests;
mod work;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use denobridge_core::call::LogSink;
use denobridge_core::{Call, Diagnostic, Diagnostics};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::configuration::{Configuration, Dynamic, FailMode, Integration, Values};
use crate::process::{Launcher, Limits};
use crate::protocol::{Action, Event, Host, HostKind, Run, ShutdownReason, StageEvent};
use crate::redaction::{Known, View};
use crate::run::{HostProcess, RunFolder, Verdict};
use crate::wrapper::{Endpoint, Remote};
use crate::{Hook, Moment, Subject};

pub(crate) use label::Label;
use outcome::Place;
use own::Own;
use work::{UnderWay, Work};

/// What reports are told of values: as much as an integration that asks for nothing special.
pub(crate) const REPORTED: View<'static> = View { values: Values::Redacted, attributes: None, dynamic: Dynamic::Walk };

/// Everything that an engine needs from outside.
pub struct EngineOptions {
    /// Which integrations there are.
    pub configuration: Configuration,
    /// Starts their processes.
    pub launcher: Arc<dyn Launcher>,
    /// Bounds of each process.
    pub limits: Limits,
    /// The version of this program, told to integrations.
    pub version: String,
    /// What the processes of one run share.
    pub run: RunFolder,
}

/// Everything that an engine needs whose questions somebody else asks.
pub struct WithinOptions {
    /// Which integrations there are; the same that the other has read.
    pub configuration: Configuration,
    /// What the processes of the run share.
    pub run: RunFolder,
    /// The host's process.
    pub host: HostProcess,
    /// What kind of host it is.
    pub kind: HostKind,
    /// How long the other may say nothing before it counts as gone.
    pub patience: Duration,
}

/// The integrations of one provider process, or of a whole run.
pub struct Engine {
    configuration: Arc<Configuration>,
    run: RunFolder,
    known: Known,
    /// Whoever is being asked has little time left.
    interruption: CancellationToken,
    work: Work,
    asking: Asking,
}

/// Who asks integrations.
enum Asking {
    /// This process.
    Own(Box<Own>),
    /// The program around the host.
    Wrapper(Remote),
}

/// One question to all integrations.
pub(crate) struct Question<'a> {
    pub(crate) hook: Hook,
    pub(crate) run: &'a Run,
    pub(crate) host: &'a Host,
    /// Which integrations it is for.
    pub(crate) who: Who<'a>,
    /// Tells what it is about from everything else that this process asks about.
    pub(crate) number: u64,
    /// The type of the component, where it is about one.
    pub(crate) type_name: Option<&'a str>,
    /// Its id, if it has one.
    pub(crate) id: Option<&'a str>,
    pub(crate) action: Option<Action>,
    /// What the user would call it.
    pub(crate) label: &'a Label,
    /// Whether it repeats what was asked in the plan: only for integrations that want that.
    pub(crate) repeated: bool,
    /// Where goes what integrations let pass; none once nobody asks the provider any more.
    pub(crate) log: Option<&'a Arc<dyn LogSink>>,
}

/// Which integrations a question is for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Who<'a> {
    /// Those that are asked about the provider of this source address.
    Of(&'a str),
    /// Those of these names.
    Named(&'a BTreeSet<Arc<str>>),
}

impl Question<'_> {
    /// Whether it is for an integration, as far as the file says it.
    pub(crate) fn may_concern(&self, integration: &Integration) -> bool {
        let is_meant = match self.who {
            Who::Of(provider) => integration.is_for(provider),
            Who::Named(names) => names.contains(&integration.name),
        };
        is_meant
            && (!self.repeated || integration.replan_events)
            && integration.hooks.as_ref().is_none_or(|hooks| hooks.contains(&self.hook))
    }
}

/// What all integrations together say.
#[derive(Debug, Default, PartialEq)]
pub struct Outcome {
    /// What the user is told.
    pub diagnostics: Diagnostics,
    /// Whether what was asked about must not happen.
    pub denied: bool,
}

impl Engine {
    /// One with integrations of its own. Nothing is started yet.
    #[must_use]
    pub fn new(options: EngineOptions) -> Arc<Self> {
        let (run, known, interruption) = (options.run.clone(), Known::default(), CancellationToken::new());
        let configuration = Arc::new(options.configuration.clone());
        let own = Own::new(options, Arc::clone(&configuration), known.clone(), interruption.clone());
        let (work, asking) = (Work::default(), Asking::Own(Box::new(own)));
        Arc::new(Self { configuration, run, known, interruption, work, asking })
    }

    /// One whose questions the program around the host asks, which listens there.
    #[must_use]
    pub fn within(endpoint: Endpoint, options: WithinOptions) -> Arc<Self> {
        let WithinOptions { configuration, run, host, kind, patience } = options;
        let (configuration, known) = (Arc::new(configuration), Known::with_news());
        let remote = Remote::new(endpoint, Arc::clone(&configuration), known.clone(), &host, (kind, patience));
        let (interruption, work, asking) = (CancellationToken::new(), Work::default(), Asking::Wrapper(remote));
        Arc::new(Self { configuration, run, known, interruption, work, asking })
    }

    /// The secrets that this process has seen.
    pub(crate) fn known(&self) -> &Known {
        &self.known
    }

    pub(crate) fn run(&self) -> &RunFolder {
        &self.run
    }

    pub(crate) fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// Where goes what is about no call; otherwise that is the log of the first call.
    pub(crate) fn log_to(&self, log: &Arc<dyn LogSink>) {
        if let Asking::Own(own) = &self.asking {
            own.log_to(log);
        }
    }

    /// Whether the file leaves it open that some integration is asked at one of these hooks about this provider.
    pub(crate) fn may_ask(&self, hooks: &[Hook], provider: &str) -> bool {
        self.configuration.report.is_some()
            || self.configuration.integrations.iter().any(|integration| {
                integration.is_for(provider)
                    && integration.hooks.as_ref().is_none_or(|wanted| hooks.iter().any(|hook| wanted.contains(hook)))
            })
    }

    /// Asks all that want to be asked. `params` makes them as far as a view lets them out.
    pub(crate) async fn ask<P: Serialize>(&self, question: &Question<'_>, params: impl Fn(&View<'_>) -> P) -> Outcome {
        match &self.asking {
            Asking::Own(own) => own.ask(question, params).await,
            Asking::Wrapper(remote) => {
                let answer = remote.ask(question, params).await;
                answer.unwrap_or_else(|reason| self.unanswered(question, &reason))
            }
        }
    }

    /// Asks about a stage of one provider. The program around the host makes one stage of those of all providers.
    pub(crate) async fn ask_about_stage(&self, question: &Question<'_>, event: &StageEvent) -> Outcome {
        match &self.asking {
            Asking::Own(own) => own.ask(question, |_| Event::Stage(event.clone())).await,
            Asking::Wrapper(remote) => {
                let answer = remote.stage(question, event.counts).await;
                answer.unwrap_or_else(|reason| self.unanswered(question, &reason))
            }
        }
    }

    /// A provider is about to change something: where stages are those of a whole run, its plan is complete now. Denied if that
    /// cannot be found out.
    pub(crate) async fn before_changes(&self, provider: &str) -> Outcome {
        let Asking::Wrapper(remote) = &self.asking else { return Outcome::default() };
        match remote.before_changes().await {
            Ok(()) => Outcome::default(),
            Err(reason) => self.cannot_ask(Hook::PlanStageComplete, provider, "apply", &reason),
        }
    }

    /// What becomes of a question that the program around the host did not answer.
    fn unanswered(&self, question: &Question<'_>, reason: &str) -> Outcome {
        let (hook, label) = (question.hook, question.label);
        if (hook.subject(), hook.moment()) == (Subject::Instance, Moment::Before)
            && let Some(halt) = self.run.halted()
        {
            return Outcome { diagnostics: halted(&halt, label).into(), denied: true };
        }
        self.not_asked(hook, |integration| question.may_concern(integration), label.text(), reason)
    }

    /// What becomes of something that integrations cannot be told of, so that nothing gets past one that is hard.
    pub(crate) fn cannot_ask(&self, hook: Hook, provider: &str, subject: &str, reason: &str) -> Outcome {
        let is_asked = |integration: &Integration| {
            integration.is_for(provider) && integration.hooks.as_ref().is_none_or(|hooks| hooks.contains(&hook))
        };
        self.not_asked(hook, is_asked, subject, reason)
    }

    /// The same for those of whom `is_asked` says so.
    fn not_asked(&self, hook: Hook, is_asked: impl Fn(&Integration) -> bool, subject: &str, reason: &str) -> Outcome {
        let mut outcome = Outcome::default();
        for integration in self.configuration.integrations.iter().filter(|integration| is_asked(integration)) {
            let summary = format!("[{}] {subject}: cannot be asked at {hook}: {reason}", integration.name);
            let is_hard = integration.fail_mode == FailMode::Hard;
            outcome.diagnostics.push(match Place::of(hook) {
                // An error here would taint what was made.
                Place::Changed if is_hard => {
                    let verdict = Verdict { integration: Arc::clone(&integration.name), message: reason.to_owned() };
                    // Whoever is asked next cannot be asked either.
                    let _ = self.run.halt(&verdict);
                    Diagnostic::warning(summary, "It is a hard integration: nothing further begins in this run.")
                }
                _ if is_hard => {
                    outcome.denied |= Place::of(hook) != Place::Harmless;
                    Diagnostic::error(summary, "It is a hard integration: nothing happens that it has not agreed to.")
                }
                _ => Diagnostic::warning(summary, ""),
            });
        }
        outcome
    }

    /// The user has asked the host to stop: whoever is being asked has as long as a shutdown may take.
    pub fn interrupt(&self) {
        self.work.cut_off();
        self.hurry();
    }

    /// The host tells its providers to stop. Terraform does so when the user has interrupted it; Pulumi also at the end of every
    /// deployment, when nothing is under way: that is no interruption, but Pulumi does not wait long either.
    pub(crate) fn stop(&self, host: HostKind) {
        match host {
            HostKind::Terraform => self.work.cut_off(),
            HostKind::Pulumi => self.work.stop(),
        }
        self.hurry();
    }

    fn hurry(&self) {
        self.interruption.cancel();
        if let Asking::Wrapper(remote) = &self.asking {
            remote.interrupt();
        }
    }

    /// A call that integrations are asked about begins. It ends when what comes back is dropped.
    pub(crate) fn begin(&self, call: &Call) -> UnderWay {
        self.work.begin(call)
    }

    /// Ends every integration of this process. An operation that was interrupted is not complete.
    pub async fn shutdown(&self, reason: ShutdownReason) {
        let reason = if self.work.is_cut_off() { ShutdownReason::Interrupted } else { reason };
        match &self.asking {
            Asking::Own(own) => own.shutdown(reason).await,
            Asking::Wrapper(remote) => remote.close().await,
        }
    }
}

/// What is not begun in a run that was halted.
fn halted(halt: &Verdict, label: &Label) -> Diagnostic {
    let summary = format!("[{}] {label}: not begun, since this integration has halted the run", halt.integration);
    Diagnostic::error(summary, format!("It said: {}", halt.message))
}
