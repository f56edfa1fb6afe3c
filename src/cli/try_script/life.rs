//! The two ways to run a script: its whole life at once, or a step at a time with a state file.

use denobridge_core::cty::Value;
use denobridge_core::planning::Action;
use denobridge_framework::host::ResourceState;

use super::arguments::{Arguments, Wanted};
use super::printer::Printer;
use super::session::Session;
use super::state_file::StateFile;

/// Runs the whole life: create, then every further version of the props, then delete. Whatever was created is deleted in
/// the end, also when something went wrong: by [`clean_up`], which gets what this returns.
pub(super) async fn whole(session: &mut Session<'_>, printer: &Printer, wanted: &Wanted) -> Option<ResourceState> {
    let mut state = None;
    for (index, written) in wanted.configurations.iter().enumerate() {
        printer.heading(if index == 0 { "plan" } else { "plan the change" });
        let Some(config) = session.config(written) else { break };
        let Some(plan) = session.plan(&config, state.as_ref()).await else { break };
        printer.heading(&plan.action.to_string());
        state = session.apply(&plan, &config).await;
        let Some(present) = state.as_ref().filter(|_| !session.failed()) else { break };
        printer.heading("read");
        state = session.refresh(present).await;
        if state.is_none() && !session.failed() {
            session.fail("read", "the object is gone right after it was made: `read` answers that it does not exist");
        }
        let Some(present) = state.as_ref().filter(|_| !session.failed()) else { break };
        session.plan_nothing(&config, present).await;
        if session.failed() {
            break;
        }
    }
    state
}

/// Deletes what a run has made.
pub(super) async fn clean_up(session: &mut Session<'_>, printer: &Printer, state: &ResourceState) {
    printer.heading("delete");
    if let Some(left) = session.destroy(state).await {
        let id = left.value.attribute("id").map(super::show::value).unwrap_or_default();
        printer.note(&format!("the object {id} may still exist; nothing remembers it but you"));
    }
}

/// One step with a state file, as one `terraform` command.
pub(super) async fn step(
    session: &mut Session<'_>,
    printer: &Printer,
    arguments: &Arguments,
    wanted: &Wanted,
    file: &StateFile,
) -> Result<(), String> {
    if !arguments.plan {
        file.check_writable()?;
    }
    let mut state = match file.read()? {
        Some(stored) => {
            let step = session.resource().load(&stored).await;
            if !session.heard("state", &step.report) {
                return Ok(());
            }
            step.value
        }
        None => None,
    };
    if let Some(id) = &wanted.import {
        if state.is_some() {
            return Err(format!(
                "{} already holds an object; import into a state file that does not exist",
                file.shown()
            ));
        }
        printer.heading("import");
        let imported = session.import(id).await;
        return save(session, file, imported.as_ref());
    }
    if let Some(known) = &state {
        printer.heading("read");
        state = session.refresh(known).await;
        if session.failed() {
            return Ok(());
        }
    }
    if arguments.refresh {
        return save(session, file, state.as_ref());
    }
    if arguments.destroy {
        printer.heading("delete");
        let left = match &state {
            Some(state) => session.destroy(state).await,
            None => {
                printer.note("there is nothing to delete");
                None
            }
        };
        return save(session, file, left.as_ref());
    }
    printer.heading("plan");
    let Some(written) = wanted.configurations.first() else { return Ok(()) };
    apply_to(session, printer, arguments, written, state, file).await
}

async fn apply_to(
    session: &mut Session<'_>,
    printer: &Printer,
    arguments: &Arguments,
    written: &Value,
    state: Option<ResourceState>,
    file: &StateFile,
) -> Result<(), String> {
    let Some(config) = session.config(written) else { return Ok(()) };
    let Some(plan) = session.plan(&config, state.as_ref()).await else { return Ok(()) };
    if arguments.plan {
        return Ok(());
    }
    if plan.action == Action::NoOp {
        return save(session, file, state.as_ref());
    }
    printer.heading(&plan.action.to_string());
    let state = session.apply(&plan, &config).await;
    save(session, file, state.as_ref())
}

/// What exists is written down whatever else went wrong.
fn save(session: &Session<'_>, file: &StateFile, state: Option<&ResourceState>) -> Result<(), String> {
    let stored = state.map(|state| session.resource().store(state)).transpose().map_err(|error| error.to_string())?;
    file.write(stored.as_ref())
}
