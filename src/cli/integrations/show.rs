//! What is printed about integrations and what they say.

use std::fmt::Write as _;

use denobridge_integrations::configuration::{FailMode, Integration, Program, Values};
use denobridge_integrations::process::lines;
use denobridge_integrations::protocol::{HookResult, RequestedAction, Status};

use super::events::Event;

/// How many there are.
pub(super) fn count(integrations: usize) -> String {
    format!("{integrations} integration{}", if integrations == 1 { "" } else { "s" })
}

/// What an integration is, as its file has it.
pub(super) fn integration(integration: &Integration) -> String {
    let program = match &integration.program {
        Program::Command(words) => words.join(" "),
        Program::Script { script, permissions } => format!("{script} with the permissions {permissions}"),
    };
    let fail_mode = match integration.fail_mode {
        FailMode::Soft => "soft",
        FailMode::Hard => "hard",
    };
    let values = match integration.values {
        Values::None => "none",
        Values::Redacted => "redacted",
        Values::Full => "full",
    };
    let hooks = match &integration.hooks {
        None => "all hooks that it asks for".to_owned(),
        Some(hooks) => hooks.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    };
    let providers = match integration.providers.as_slice() {
        [] => "all providers".to_owned(),
        providers => providers.join(", "),
    };
    let timeout = integration.timeout;
    format!(
        "{}: {program}\n  {fail_mode}, {timeout:?} for an answer, values {values}, at {hooks}, of {providers}\n",
        integration.name
    )
}

/// What an integration has answered: a line, with further lines below it.
pub(super) fn result(event: &Event, result: &HookResult) -> String {
    let status = match result.status {
        Status::Pass => "pass",
        Status::Warn => "warn",
        Status::Fail => "fail",
    };
    let halt = match result.action {
        Some(RequestedAction::Halt) => ", and asks that the operation ends",
        None => "",
    };
    let mut text = line(event, &format!("{status}{halt}"));
    for message in lines(result) {
        let _ = writeln!(text, "    {message}");
    }
    for (name, value) in result.metadata.iter().flatten() {
        let _ = writeln!(text, "    {name} = {value}");
    }
    text
}

/// What an event came to.
pub(super) fn line(event: &Event, outcome: &str) -> String {
    let subject = event.subject();
    format!("  {:<20} {subject:<24} {outcome}\n", event.hook.configured())
}
