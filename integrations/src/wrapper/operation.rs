//! Stages of a whole run, made of what each provider process says of its own.
//!
//! A provider process sees its own beginning and end. Integrations are asked once: at the start when the first provider gets there
//! that they are asked about, and at the end when nothing of the stage can follow. Of a plan that is: something is about to be
//! changed, Terraform has summed it up, Pulumi has let go of everybody who made the preview, or the command has ended.
//!
//! A command may start several hosts, one after the other (a script that plans and applies). Each of them is an operation of its
//! own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use denobridge_core::call::LogSink;
use denobridge_core::{Diagnostic, Diagnostics};
use tokio::sync::Mutex;

use super::server::Tell;
use super::stream::Stream;
use super::wire::StageAsk;
use crate::Hook;
use crate::configuration::FailMode;
use crate::engine::{Engine, Label, Outcome, Question, Who};
use crate::protocol::{Counts, Host, HostKind, Operation as AskedFor, Phase, Run, Stage, StageEvent};

/// A provider process: its connection, and the host that it belongs to.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    pub(super) connection: u64,
    pub(super) host: Arc<str>,
}

/// The stages of a run.
pub(super) struct Operation {
    engine: Arc<Engine>,
    /// What the user has asked for, as far as the command line says it.
    asked_for: AskedFor,
    sequence: AtomicU64,
    hosts: Mutex<Hosts>,
    /// Where goes what nobody else can be told.
    tell: Tell,
    /// What Terraform says, where it can be read.
    stream: Option<Arc<Stream>>,
}

#[derive(Default)]
struct Hosts {
    by_process: BTreeMap<Arc<str>, OneHost>,
    /// Whether a hard integration has refused at the end of a stage.
    refused: bool,
}

/// What one host has come to.
struct OneHost {
    /// The run and the host, as its first provider told them.
    run: Run,
    host: Host,
    connections: BTreeSet<u64>,
    /// Integrations that are asked about a provider that has taken part.
    met: BTreeSet<Arc<str>>,
    initialized: Started,
    ready: Started,
    plan: Option<Walk>,
    apply: Option<Walk>,
}

impl OneHost {
    fn new(run: Run, host: Host) -> Self {
        Self {
            run,
            host,
            connections: BTreeSet::new(),
            met: BTreeSet::new(),
            initialized: Started::default(),
            ready: Started::default(),
            plan: None,
            apply: None,
        }
    }
}

/// A moment that integrations are told of once, each when the first provider gets there that it is asked about.
#[derive(Default)]
struct Started {
    /// Whether any provider has got there.
    has_begun: bool,
    told: BTreeSet<Arc<str>>,
    /// What was said by who refused: it holds for every provider.
    refusal: Option<Diagnostics>,
}

/// A stage.
struct Walk {
    began: Instant,
    pass: u32,
    started: Started,
    counts: Counts,
    /// Which providers are in it.
    open: BTreeSet<(u64, Arc<str>)>,
    /// Which have been through it.
    ended: BTreeSet<Arc<str>>,
    is_complete: bool,
}

impl Walk {
    fn new(pass: u32) -> Self {
        Self {
            began: Instant::now(),
            pass,
            started: Started::default(),
            counts: Counts::default(),
            open: BTreeSet::new(),
            ended: BTreeSet::new(),
            is_complete: false,
        }
    }

    /// Whether a provider that begins to plan has done so before, and nobody is at it any more.
    fn is_over_for(&self, stage: &StageAsk) -> bool {
        self.open.is_empty() && self.ended.contains(&stage.provider)
    }

    /// Whether a provider begins with the next plan, which is one of its own: Terraform makes two to destroy.
    fn is_followed_by(&self, asked_for: AskedFor, stage: &StageAsk) -> bool {
        asked_for == AskedFor::Destroy
            && stage.run.host == HostKind::Terraform
            && self.pass == 1
            && !self.is_complete
            && self.is_over_for(stage)
    }

    /// Whether a provider begins with another plan of a command that may make any number of them, and apply each: `terraform test`.
    fn is_of_several(&self, stage: &StageAsk) -> bool {
        stage.is_test && (self.is_complete || self.is_over_for(stage))
    }

    /// Whether a provider plans again what it has planned: so it looks when a host applies that does not say so, which Terraform
    /// does. It may have another configuration of the same provider that comes late.
    fn is_repeated_by(&self, asked_for: AskedFor, stage: &StageAsk) -> bool {
        asked_for == AskedFor::Apply
            && stage.run.host == HostKind::Terraform
            && stage.host.name != "terraform"
            && self.is_over_for(stage)
    }
}

impl Operation {
    /// Nothing has begun.
    pub(super) fn new(engine: Arc<Engine>, asked_for: AskedFor, tell: Tell, stream: Option<Arc<Stream>>) -> Self {
        Self { engine, asked_for, sequence: AtomicU64::new(0), hosts: Mutex::default(), tell, stream }
    }

    /// Makes an event of a provider one of the whole run.
    pub(super) fn adopt(&self, run: &mut Run) {
        run.id = Arc::clone(self.engine.run().id());
        run.seq = self.sequence.fetch_add(1, Ordering::Relaxed) + 1;
        run.operation = self.asked_for(run);
    }

    /// A provider is at the beginning or the end of a stage.
    pub(super) async fn stage(&self, peer: &Peer, stage: StageAsk, log: &Arc<dyn LogSink>) -> Outcome {
        let mut hosts = self.hosts.lock().await;
        self.finish_others(&mut hosts, peer).await;
        let Hosts { by_process, refused } = &mut *hosts;
        let host = by_process
            .entry(Arc::clone(&peer.host))
            .or_insert_with(|| OneHost::new(stage.run.clone(), stage.host.clone()));
        host.connections.insert(peer.connection);
        let all = self.engine.configuration().integrations.iter();
        host.met.extend(all.filter(|one| one.is_for(&stage.provider)).map(|one| Arc::clone(&one.name)));
        let provider = &stage.provider;
        let key = (peer.connection, Arc::clone(provider));
        match stage.hook {
            Hook::InitStageStart => {
                let mut started = std::mem::take(&mut host.initialized);
                let outcome = self.start(&mut started, host, &stage, 1, log).await;
                host.initialized = started;
                outcome
            }
            Hook::InitStageComplete => {
                let mut started = std::mem::take(&mut host.ready);
                let outcome = self.start(&mut started, host, &stage, 1, log).await;
                host.ready = started;
                outcome
            }
            Hook::PlanStageStart => {
                let asked_for = self.asked_for(&stage.run);
                if host.plan.as_ref().is_some_and(|walk| walk.is_followed_by(asked_for, &stage)) {
                    self.complete_plan(host, refused).await;
                    host.plan = Some(Walk::new(2));
                }
                if let Some(walk) = &host.plan
                    && walk.is_of_several(&stage)
                {
                    let pass = walk.pass + 1;
                    self.complete_stages(host, refused).await;
                    (host.plan, host.apply) = (Some(Walk::new(pass)), None);
                }
                let mut walk = host.plan.take().unwrap_or_else(|| Walk::new(1));
                let outcome = if walk.is_complete || walk.is_repeated_by(asked_for, &stage) {
                    Outcome::default()
                } else {
                    walk.open.insert(key);
                    self.start(&mut walk.started, host, &stage, walk.pass, log).await
                };
                host.plan = Some(walk);
                outcome
            }
            Hook::ApplyStageStart => {
                self.complete_plan(host, refused).await;
                let mut walk = host.apply.take().unwrap_or_else(|| Walk::new(1));
                walk.open.insert(key);
                let outcome = self.start(&mut walk.started, host, &stage, 1, log).await;
                host.apply = Some(walk);
                outcome
            }
            hook => {
                let walk = if hook == Hook::PlanStageComplete { &mut host.plan } else { &mut host.apply };
                if let Some(walk) = walk.as_mut().filter(|walk| !walk.is_complete)
                    && walk.open.remove(&key)
                {
                    walk.ended.insert(Arc::clone(provider));
                    walk.counts += stage.counts.unwrap_or_default();
                }
                Outcome::default()
            }
        }
    }

    /// What the host was asked to do.
    fn asked_for(&self, run: &Run) -> AskedFor {
        if self.asked_for == AskedFor::Unknown { run.operation } else { self.asked_for }
    }

    /// Tells integrations that are asked about this provider and have not been told yet.
    async fn start(
        &self,
        started: &mut Started,
        host: &OneHost,
        stage: &StageAsk,
        pass: u32,
        log: &Arc<dyn LogSink>,
    ) -> Outcome {
        if let Some(refusal) = &started.refusal {
            return Outcome { diagnostics: refusal.clone(), denied: true };
        }
        let all = &self.engine.configuration().integrations;
        let new: BTreeSet<Arc<str>> = all
            .iter()
            .filter(|integration| integration.is_for(&stage.provider) && !started.told.contains(&integration.name))
            .map(|integration| Arc::clone(&integration.name))
            .collect();
        // The report has it in any case.
        if std::mem::replace(&mut started.has_begun, true) && new.is_empty() {
            return Outcome::default();
        }
        let event = self.event(host, stage.hook, pass);
        let outcome = self.ask(host, stage.hook, &new, &event, Some(log)).await;
        started.told.extend(new);
        if outcome.denied {
            started.refusal = Some(outcome.diagnostics.clone());
        }
        outcome
    }

    /// Something is about to be changed: what was planned is complete.
    pub(super) async fn before_changes(&self, peer: &Peer) {
        let mut hosts = self.hosts.lock().await;
        let Hosts { by_process, refused } = &mut *hosts;
        if let Some(host) = by_process.get_mut(&peer.host) {
            self.complete_plan(host, refused).await;
        }
    }

    /// Terraform has summed up what it plans.
    pub(super) async fn plan_is_told(&self) {
        let mut hosts = self.hosts.lock().await;
        let Hosts { by_process, refused } = &mut *hosts;
        // What is read of is the output of one command.
        if let Some(host) =
            by_process.values_mut().find(|host| host.plan.as_ref().is_some_and(|plan| !plan.is_complete))
        {
            self.complete_plan(host, refused).await;
        }
    }

    /// A provider process has ended.
    pub(super) async fn closed(&self, peer: &Peer) {
        let mut hosts = self.hosts.lock().await;
        let Hosts { by_process, refused } = &mut *hosts;
        let Some(host) = by_process.get_mut(&peer.host) else { return };
        host.connections.remove(&peer.connection);
        for walk in [&mut host.plan, &mut host.apply].into_iter().flatten() {
            let has_left = |(connection, _): &&(u64, Arc<str>)| *connection == peer.connection;
            let left: Vec<_> = walk.open.iter().filter(has_left).cloned().collect();
            for key in left {
                walk.open.remove(&key);
                walk.ended.insert(key.1);
            }
        }
        // Pulumi keeps all of them until its preview is done.
        if host.run.host == HostKind::Pulumi && host.connections.is_empty() && host.apply.is_none() {
            self.complete_plan(host, refused).await;
        }
    }

    /// The command has ended: so have all stages. Whether a hard integration has refused at the end of one.
    pub(super) async fn finish(&self) -> bool {
        let mut hosts = self.hosts.lock().await;
        let Hosts { by_process, refused } = &mut *hosts;
        for host in by_process.values_mut() {
            self.complete_stages(host, refused).await;
        }
        self.tell_of_absent(&hosts);
        hosts.refused
    }

    /// A hard integration that nothing was asked about guards nothing, which nobody may have meant.
    fn tell_of_absent(&self, hosts: &Hosts) {
        if self.asked_for == AskedFor::Unknown {
            return;
        }
        let is_met = |name: &Arc<str>| hosts.by_process.values().any(|host| host.met.contains(name));
        let all = self.engine.configuration().integrations.iter();
        for absent in all.filter(|one| one.fail_mode == FailMode::Hard && !is_met(&one.name)) {
            (self.tell)(&Diagnostic::warning(
                format!("[{}] guards nothing: no provider that it is for took part in this run", absent.name),
                "Its `scope` may name others, the command may clear its environment, or a provider is not wrapped.",
            ));
        }
    }

    /// Ends what earlier hosts of the command have left open.
    async fn finish_others(&self, hosts: &mut Hosts, peer: &Peer) {
        let Hosts { by_process, refused } = hosts;
        if by_process.contains_key(&peer.host) {
            return;
        }
        for host in by_process.values_mut().filter(|host| host.connections.is_empty()) {
            self.complete_stages(host, refused).await;
        }
    }

    async fn complete_plan(&self, host: &mut OneHost, refused: &mut bool) {
        if let Some(walk) = host.plan.take() {
            host.plan = Some(self.complete(host, walk, Hook::PlanStageComplete, refused).await);
        }
    }

    /// Ends whatever stages of a host are open.
    async fn complete_stages(&self, host: &mut OneHost, refused: &mut bool) {
        self.complete_plan(host, refused).await;
        if let Some(walk) = host.apply.take() {
            host.apply = Some(self.complete(host, walk, Hook::ApplyStageComplete, refused).await);
        }
    }

    async fn complete(&self, host: &OneHost, mut walk: Walk, hook: Hook, refused: &mut bool) -> Walk {
        if std::mem::replace(&mut walk.is_complete, true) {
            return walk;
        }
        let event = StageEvent {
            counts: Some(walk.counts),
            duration_ms: Some(u64::try_from(walk.began.elapsed().as_millis()).unwrap_or(u64::MAX)),
            summary: Some(walk.counts.summary(hook == Hook::ApplyStageComplete)),
            changes: self
                .stream
                .as_ref()
                .and_then(|stream| stream.changes())
                .filter(|_| hook == Hook::PlanStageComplete),
            ..self.event(host, hook, walk.pass)
        };
        let outcome = self.ask(host, hook, &walk.started.told, &event, None).await;
        outcome.diagnostics.iter().for_each(|said| (self.tell)(said));
        *refused |= outcome.denied;
        walk
    }

    fn event(&self, host: &OneHost, hook: Hook, pass: u32) -> StageEvent {
        let mut run = host.run.clone();
        self.adopt(&mut run);
        run.provider = None;
        run.pass = pass;
        (run.stage, run.phase) = match hook {
            Hook::InitStageStart | Hook::InitStageComplete => (Stage::Init, run.phase),
            Hook::ApplyStageStart | Hook::ApplyStageComplete => (Stage::Apply, Phase::Apply),
            _ => (Stage::Plan, Phase::Plan),
        };
        StageEvent::of(run)
    }

    async fn ask(
        &self,
        host: &OneHost,
        hook: Hook,
        who: &BTreeSet<Arc<str>>,
        event: &StageEvent,
        log: Option<&Arc<dyn LogSink>>,
    ) -> Outcome {
        let question = Question {
            hook,
            run: &event.run,
            host: &host.host,
            who: Who::Named(who),
            number: 0,
            type_name: None,
            id: None,
            action: None,
            label: &Label::stage(hook),
            repeated: false,
            log,
        };
        self.engine.ask_about_stage(&question, event).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::samples;

    fn stage(name: &str) -> StageAsk {
        let sampled = samples().into_iter().find(|(hook, _)| *hook == Hook::PlanStageStart);
        let Some((hook, crate::protocol::Event::Stage(StageEvent { run, .. }))) = sampled else { panic!("no sample") };
        let host = Host { name: name.to_owned(), version: None, kind: HostKind::Terraform };
        StageAsk { id: 1, hook, run, host, provider: "acme/store".into(), counts: None, is_test: false }
    }

    #[test]
    fn a_configuration_that_comes_late_is_part_of_the_plan_where_the_host_says_that_it_applies() {
        let mut walk = Walk::new(1);
        assert!(!walk.is_repeated_by(AskedFor::Apply, &stage("tofu")), "it is the first");
        walk.ended.insert("acme/store".into());
        assert!(walk.is_repeated_by(AskedFor::Apply, &stage("tofu")));
        assert!(!walk.is_repeated_by(AskedFor::Apply, &stage("terraform")));
        assert!(!walk.is_repeated_by(AskedFor::Plan, &stage("tofu")));
        walk.open.insert((1, "acme/other".into()));
        assert!(!walk.is_repeated_by(AskedFor::Apply, &stage("tofu")), "somebody is still at it");
    }

    #[test]
    fn only_a_destroy_has_a_second_plan_and_no_third() {
        let mut walk = Walk::new(1);
        walk.ended.insert("acme/store".into());
        assert!(walk.is_followed_by(AskedFor::Destroy, &stage("terraform")));
        assert!(!walk.is_followed_by(AskedFor::Apply, &stage("terraform")));
        walk.pass = 2;
        assert!(!walk.is_followed_by(AskedFor::Destroy, &stage("terraform")));
    }
}
