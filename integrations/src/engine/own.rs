//! The engine that has integrations of its own: it starts them, asks them, and writes the report.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use denobridge_core::call::{LogLevel, LogSink};
use denobridge_core::{Diagnostic, Diagnostics};
use futures::future::join_all;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use tokio_util::sync::CancellationToken;

use super::awaited::{Awaited, settle};
use super::label::{Label, Lines};
use super::late_log::LateLog;
use super::metadata::Metadata;
use super::outcome::{Effect, Place, effect};
use super::{EngineOptions, Outcome, Question, REPORTED, Who, halted};
use crate::Hook;
use crate::configuration::{Configuration, FailMode, Integration, Values};
use crate::process::{Client, Failure, Launcher, Limits};
use crate::protocol::{HookResult, Initialize, PROTOCOL_VERSION, ShutdownReason, Status};
use crate::redaction::{Known, View};
use crate::report::{Answer, Report};
use crate::run::{RunFolder, Verdict};

/// Integrations that this process has started, or will when they are needed.
pub(super) struct Own {
    configuration: Arc<Configuration>,
    launcher: Arc<dyn Launcher>,
    limits: Limits,
    version: String,
    /// Started by the first hook, since only then is it known who asks.
    clients: tokio::sync::OnceCell<Vec<Arc<Client>>>,
    run: RunFolder,
    report: Option<Report>,
    known: Known,
    log: Arc<LateLog>,
    metadata: Metadata,
    lines: Lines,
    /// Integrations whose remarks have been made.
    remarked: Mutex<BTreeSet<Arc<str>>>,
    /// Those that the user has been told do not work.
    disabled: Mutex<BTreeSet<Arc<str>>>,
    interruption: CancellationToken,
}

impl Own {
    /// Nothing is started yet.
    pub(super) fn new(
        options: EngineOptions,
        configuration: Arc<Configuration>,
        known: Known,
        interruption: CancellationToken,
    ) -> Self {
        let EngineOptions { launcher, limits, version, run, .. } = options;
        let log = Arc::new(LateLog::new(known.clone()));
        let report = configuration.report.as_deref().map(|folder| Report::new(folder, &run, Arc::clone(&log) as _));
        Self {
            configuration,
            launcher,
            limits,
            version,
            clients: tokio::sync::OnceCell::new(),
            run,
            report,
            known,
            log,
            metadata: Metadata::default(),
            lines: Lines::default(),
            remarked: Mutex::default(),
            disabled: Mutex::default(),
            interruption,
        }
    }

    /// Where goes what is about no call.
    pub(super) fn log_to(&self, log: &Arc<dyn LogSink>) {
        self.log.begin(log);
    }

    async fn clients(&self, question: &Question<'_>) -> &[Arc<Client>] {
        let clients = self.clients.get_or_init(|| async {
            let client = |integration: &Arc<Integration>| {
                let hello = Initialize {
                    core_version: self.version.clone(),
                    protocol_version: PROTOCOL_VERSION,
                    available_hooks: Hook::ALL.to_vec(),
                    host: question.host.clone(),
                    run: question.run.clone(),
                    settings: integration.settings.clone(),
                };
                let (launcher, log) = (Arc::clone(&self.launcher), Arc::clone(&self.log) as _);
                Client::new(Arc::clone(integration), launcher, hello, self.limits.clone(), log)
            };
            self.configuration.integrations.iter().map(client).collect()
        });
        clients.await
    }

    /// Asks all that want to be asked. `params` makes them as far as a view lets them out.
    pub(super) async fn ask<P: Serialize>(&self, question: &Question<'_>, params: impl Fn(&View<'_>) -> P) -> Outcome {
        let mut messages = Messages { params, made: Vec::new() };
        if let Some(report) = &self.report {
            let params = (messages.params)(&REPORTED);
            report.event(question.hook, question.label.text(), &params);
            messages.made.push((REPORTED, text(&params)));
        }
        if let Some(log) = question.log {
            self.log.begin(log);
        }
        let place = Place::of(question.hook);
        let mut outcome = Outcome::default();
        self.complain(place, &mut outcome);
        if place == Place::Before
            && question.hook.subject() == crate::Subject::Instance
            && let Some(halt) = self.run.halted()
        {
            outcome.denied = true;
            outcome.diagnostics.push(halted(&halt, question.label));
            return outcome;
        }
        let awaited = self.await_verdict(question);
        let asked = self.choose(question, messages, awaited.as_ref(), &mut outcome).await;
        let calls = asked.iter().map(|(client, text)| async {
            let began = Instant::now();
            let answer = client.call(question.hook, text).await;
            // A refusal counts once it is written down.
            if effect(client.integration(), place, &answer) != Effect::Verdict {
                settle(awaited.as_ref(), client.integration());
            }
            (answer, began.elapsed())
        });
        let answers = tokio::select! {
            answers = join_all(calls) => answers,
            () = self.given_up() => {
                self.interrupt(question, &asked, awaited.as_ref(), &mut outcome);
                return outcome;
            }
        };
        for ((client, _), (answer, took)) in asked.iter().zip(answers) {
            self.take(question, place, client.integration(), answer, took, &mut outcome);
            self.remark(client, place, &mut outcome);
        }
        // What they have said is written down.
        if let Some(awaited) = &awaited {
            awaited.answered();
        }
        outcome
    }

    /// Who wants to be asked, and with what. Those that cannot be asked have their say here.
    async fn choose<'a, P: Serialize>(
        &'a self,
        question: &Question<'_>,
        mut messages: Messages<'a, impl Fn(&View<'_>) -> P>,
        awaited: Option<&Awaited>,
        outcome: &mut Outcome,
    ) -> Vec<(&'a Arc<Client>, Arc<str>)> {
        let mut asked = Vec::new();
        for client in self.clients(question).await {
            let integration = client.integration();
            if !question.may_concern(integration) {
                continue;
            }
            match client.wants(question.hook, question.type_name, question.action).await {
                Ok(true) => asked.push((client, messages.seen_by(View::from(&**integration)))),
                Ok(false) => settle(awaited, integration),
                Err(failure) => {
                    let place = Place::of(question.hook);
                    self.take(question, place, integration, Err(failure), Duration::ZERO, outcome);
                    settle(awaited, integration);
                }
            }
        }
        asked
    }

    /// An interrupted run does not wait for those that are asked: what a hard one of them could refuse is refused.
    fn interrupt(
        &self,
        question: &Question<'_>,
        asked: &[(&Arc<Client>, Arc<str>)],
        awaited: Option<&Awaited>,
        outcome: &mut Outcome,
    ) {
        if let Some(awaited) = awaited.filter(|awaited| awaited.is_open()) {
            outcome.denied = true;
            self.remember(&awaited.verdict, RunFolder::deny_apply);
            awaited.answered();
        }
        let mut integrations = asked.iter().map(|(client, _)| client.integration());
        if Place::of(question.hook) == Place::Before && integrations.any(|one| one.fail_mode == FailMode::Hard) {
            outcome.denied = true;
            outcome.diagnostics.push(interrupted(question.label));
        }
    }

    /// Says once that the report cannot be written. Nobody can be told anything at the end of a stage.
    fn complain(&self, place: Place, outcome: &mut Outcome) {
        if place.is_end_of_stage() {
            return;
        }
        if let Some(complaint) = self.report.as_ref().and_then(Report::take_complaint) {
            outcome.diagnostics.push(Diagnostic::warning(format!("integrations: {complaint}"), ""));
        }
    }

    /// Where hard integrations are asked what is to become of the apply, that is denied until they have answered: the host may end
    /// this process before. If the program around the run ends, nothing begins anyway.
    fn await_verdict(&self, question: &Question<'_>) -> Option<Awaited> {
        if question.hook != Hook::PlanStageComplete || !matches!(question.who, Who::Of(_)) {
            return None;
        }
        let all = self.configuration.integrations.iter();
        let mut hard = all.filter(|one| one.fail_mode == FailMode::Hard && question.may_concern(one));
        let integration = Arc::clone(&hard.next()?.name);
        let message = format!("It has not answered to {} in time.", question.hook);
        let verdict = Verdict { integration, message };
        let file = self.remember(&verdict, RunFolder::ask_for_verdict);
        Some(Awaited::new(verdict, file, 1 + hard.count()))
    }

    /// Writes down what is to hold for the rest of the run.
    fn remember<T>(&self, verdict: &Verdict, write: impl Fn(&RunFolder, &Verdict) -> io::Result<T>) -> Option<T> {
        let written = write(&self.run, verdict);
        if let Err(error) = &written {
            self.log.log(LogLevel::Error, &verdict.integration, &format!("cannot be remembered: {error}"), &[]);
        }
        written.ok()
    }

    /// Makes of one answer what it amounts to.
    fn take(
        &self,
        question: &Question<'_>,
        place: Place,
        integration: &Integration,
        answer: Result<HookResult, Failure>,
        took: Duration,
        outcome: &mut Outcome,
    ) {
        let effect = effect(integration, place, &answer);
        let is_agreement = matches!(&answer, Ok(HookResult { status: Status::Pass, action: None, .. }));
        let lines = self.lines.of(integration, question.hook, &answer, &self.known);
        if let Some(report) = &self.report {
            let metadata = answer.as_ref().ok().and_then(|result| result.metadata.clone());
            // An integration that sees full values may give them back.
            let metadata = metadata.map(|metadata| match self.known.scrub_json(Json::Object(metadata)) {
                Json::Object(metadata) => metadata,
                _ => Map::new(),
            });
            let (kept, refused) = self.metadata.keep(&integration.name, metadata.as_ref());
            if let Some(refused) = refused {
                self.log.log(LogLevel::Warn, &integration.name, &refused, &[]);
            }
            report.answer(&Answer {
                run: question.run,
                hook: question.hook,
                subject: question.label.text(),
                integration: &integration.name,
                status: answer.as_ref().ok().map(|result| result.status),
                effect: effect.name(),
                messages: &lines,
                metadata: kept,
                duration: took,
            });
        }
        if effect.halts() || effect == Effect::Verdict {
            let verdict = Verdict { integration: Arc::clone(&integration.name), message: lines.join("\n") };
            self.remember(&verdict, if effect.halts() { RunFolder::halt } else { RunFolder::deny_apply });
        }
        // What does not work from the start is said once, not at each of a thousand resources.
        if effect == Effect::Warning
            && answer.as_ref().is_err_and(Failure::is_lasting)
            && !insert(&self.disabled, &integration.name)
        {
            return;
        }
        outcome.denied |= effect.denies() || effect == Effect::Verdict;
        self.tell(question, integration, effect, &lines, &mut outcome.diagnostics);
        // The host takes none of these. Who asks about a whole run has somebody to tell.
        if place.is_end_of_stage() && !is_agreement {
            outcome.diagnostics.push(at_the_end(question, integration, effect, &lines));
        }
    }

    /// Tells the user, or the log.
    fn tell(
        &self,
        question: &Question<'_>,
        integration: &Integration,
        effect: Effect,
        lines: &[String],
        diagnostics: &mut Diagnostics,
    ) {
        let (first, rest) = match lines.split_first() {
            Some((first, rest)) => (first.as_str(), rest.join("\n")),
            None if effect == Effect::Noted => return,
            None => ("said no, without a reason", String::new()),
        };
        let label = question.label;
        match effect {
            Effect::Noted | Effect::Verdict => {
                let level = if effect == Effect::Noted { LogLevel::Info } else { LogLevel::Error };
                let text = lines.join("; ");
                let log = question.log.map_or(&*self.log as &dyn LogSink, |log| &**log);
                log.log(level, &integration.name, &format!("{label}: {text}"), &[]);
            }
            Effect::Warning | Effect::WarningAndHalt => {
                let summary = self.lines.unique(format!("[{}] {label}: {first}", integration.name));
                diagnostics.push(Diagnostic::warning(summary, rest));
            }
            Effect::Error | Effect::Denied | Effect::DeniedAndHalt => {
                diagnostics.push(Diagnostic::error(format!("[{}] {label}: {first}", integration.name), rest));
            }
        }
    }

    /// Says once what there is to say about an integration itself.
    fn remark(&self, client: &Client, place: Place, outcome: &mut Outcome) {
        if place.is_end_of_stage() {
            return;
        }
        let integration = client.integration();
        let mut remarks = client.take_remarks();
        if insert(&self.remarked, &integration.name) && integration.values == Values::Full {
            remarks.push("sees sensitive values in the clear (`values = \"full\"`)".to_owned());
        }
        for remark in remarks {
            outcome.diagnostics.push(Diagnostic::warning(format!("[{}] {remark}", integration.name), ""));
        }
    }

    /// Ends when an interrupted run is to wait no longer.
    async fn given_up(&self) {
        self.interruption.cancelled().await;
        tokio::time::sleep(self.limits.grace).await;
    }

    /// Ends every integration.
    pub(super) async fn shutdown(&self, reason: ShutdownReason) {
        if let Some(clients) = self.clients.get() {
            join_all(clients.iter().map(|client| client.shutdown(reason))).await;
        }
        if let Some(report) = &self.report {
            report.close();
        }
    }
}

/// What integrations are told. They often see the same, which is made once.
struct Messages<'a, F> {
    params: F,
    made: Vec<(View<'a>, Arc<str>)>,
}

impl<'a, P: Serialize, F: Fn(&View<'_>) -> P> Messages<'a, F> {
    fn seen_by(&mut self, view: View<'a>) -> Arc<str> {
        if let Some((_, text)) = self.made.iter().find(|(other, _)| *other == view) {
            return Arc::clone(text);
        }
        let text = text(&(self.params)(&view));
        self.made.push((view, Arc::clone(&text)));
        text
    }
}

/// Params as they are sent. None have a map with keys that are not texts, the only thing that JSON cannot have.
fn text(params: &impl Serialize) -> Arc<str> {
    serde_json::to_string(params).unwrap_or_default().into()
}

/// Whether it was not in there.
fn insert(set: &Mutex<BTreeSet<Arc<str>>>, name: &Arc<str>) -> bool {
    set.lock().unwrap_or_else(PoisonError::into_inner).insert(Arc::clone(name))
}

/// What an integration says at the end of a stage.
fn at_the_end(question: &Question<'_>, integration: &Integration, effect: Effect, lines: &[String]) -> Diagnostic {
    let (first, rest) =
        lines.split_first().map_or(("said no, without a reason", &[][..]), |(first, rest)| (first, rest));
    let summary = format!("[{}] {}: {first}", integration.name, question.label);
    let make = if effect == Effect::Verdict { Diagnostic::error } else { Diagnostic::warning };
    make(summary, rest.join("\n"))
}

fn interrupted(label: &Label) -> Diagnostic {
    let summary = format!("{label}: not begun, since the run was interrupted before all integrations had answered");
    Diagnostic::error(summary, "")
}
