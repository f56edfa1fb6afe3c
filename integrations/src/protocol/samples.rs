//! One event of every hook, as a run that makes, changes and removes an instance has them: for trying an integration without
//! a run.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::{
    Action, AddressSource, Counts, Event, HostKind, InstanceEvent, Operation, Phase, Provider, Resource, Run, Stage,
    StageEvent, State,
};
use crate::{Hook, Moment, Subject};

const PROVIDER: &str = "registry.terraform.io/hashicorp/example";

/// An event of every hook, in the order in which an operation gets to them.
#[must_use]
pub fn samples() -> Vec<(Hook, Event)> {
    (1..).zip(Hook::ALL).map(|(seq, hook)| (*hook, sample(*hook, seq))).collect()
}

fn sample(hook: Hook, seq: u64) -> Event {
    let run = run(hook, seq);
    match hook.subject() {
        Subject::Instance => Event::Instance { resource: resource(hook), event: Box::new(instance(hook)), run },
        Subject::Stage => {
            let (operation, workspace) = (run.operation, run.workspace.clone());
            let is_over = hook.moment() == Moment::After;
            Event::Stage(StageEvent {
                run,
                operation,
                workspace,
                counts: is_over.then_some(Counts { create: 1, ..Counts::default() }),
                duration_ms: is_over.then_some(120),
                summary: is_over.then(|| "1 to create".to_owned()),
                changes: None,
            })
        }
    }
}

fn run(hook: Hook, seq: u64) -> Run {
    let stage = match hook {
        Hook::InitStageStart | Hook::InitStageComplete => Stage::Init,
        Hook::ApplyStageStart
        | Hook::PreApply
        | Hook::PostApply
        | Hook::PreInvokeAction
        | Hook::PostInvokeAction
        | Hook::ApplyStageComplete => Stage::Apply,
        _ => Stage::Plan,
    };
    Run {
        id: "sample".into(),
        seq,
        host: HostKind::Terraform,
        operation: Operation::Apply,
        stage,
        pass: 1,
        phase: if stage == Stage::Apply { Phase::Apply } else { Phase::Plan },
        workspace: Some("default".into()),
        project: Some("sample".into()),
        provider: Some(Provider { address: PROVIDER.into(), alias_hint: None }),
    }
}

fn resource(hook: Hook) -> Resource {
    let (type_name, id) = match hook {
        Hook::PreReadDataSource | Hook::PostReadDataSource => ("example_zone", None),
        Hook::PreOpenEphemeral | Hook::PostOpenEphemeral => ("example_session", None),
        Hook::PreInvokeAction | Hook::PostInvokeAction => ("example_restart", None),
        Hook::PostApply | Hook::PreRefresh | Hook::PostRefresh => ("example_server", Some("server-1".to_owned())),
        _ => ("example_server", None),
    };
    let name: Arc<str> = "web".into();
    Resource {
        type_name: type_name.into(),
        address: Some(format!("{type_name}.{name}").into()),
        name: Some(name),
        address_source: AddressSource::State,
        module_path: None,
        deposed_key: None,
        urn: None,
        id,
        identity: None,
        provider: PROVIDER.into(),
    }
}

fn instance(hook: Hook) -> InstanceEvent {
    let mut event = InstanceEvent::default();
    let server = json!({ "name": "web", "size": "small", "tags": { "team": "a" } });
    let created = json!({ "id": "server-1", "name": "web", "size": "small", "tags": { "team": "a" } });
    let planned =
        || Some(State { value: server.clone(), redacted: vec!["password".into()], unknown: vec!["id".into()] });
    let actual = |value: Json| Some(State { value, redacted: vec!["password".into()], unknown: Vec::new() });
    let nothing = Some(State::default());
    match hook {
        Hook::PrePlan => (event.prior_state, event.proposed_state) = (nothing, planned()),
        Hook::PostPlan => {
            (event.action, event.prior_state, event.planned_state) = (Some(Action::Create), nothing, planned());
            event.requires_replace = Some(Vec::new());
        }
        Hook::PreApply => {
            (event.action, event.prior_state, event.planned_state) = (Some(Action::Create), nothing, planned());
        }
        Hook::PostApply => {
            (event.action, event.prior_state, event.new_state) = (Some(Action::Create), nothing, actual(created));
        }
        Hook::PreRefresh => (event.prior_state, event.import) = (actual(created), Some(false)),
        Hook::PostRefresh => {
            let drifted = json!({ "id": "server-1", "name": "web", "size": "large", "tags": { "team": "a" } });
            (event.prior_state, event.new_state) = (actual(created), actual(drifted));
            (event.import, event.drift) = (Some(false), Some(vec!["size".into()]));
        }
        _ => {
            event.config = Some(State { value: json!({ "name": "web" }), ..State::default() });
            if hook == Hook::PostReadDataSource {
                event.new_state = actual(json!({ "name": "web", "zone": "a" }));
            }
        }
    }
    if hook.moment() == Moment::After {
        (event.diagnostics, event.duration_ms) = (Some(Vec::new()), Some(12));
    }
    event
}
