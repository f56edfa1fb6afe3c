//! An action that copies the database while it is in use, and tells how far it is.

use denobridge_core::Call;
use denobridge_framework::erased::Progress;
use denobridge_framework::prelude::*;
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use crate::database::{DatabaseError, connected};

/// A copy of the database.
#[derive(Model)]
pub(crate) struct Copy {
    /// The file to write; one that exists is replaced.
    #[tf(required)]
    to: String,
    /// How many pages to copy before others have a turn. Default: 100.
    pages_per_step: Option<u16>,
}

/// The action `sqlite_backup`.
pub(crate) struct Backups;

#[action]
impl Action for Backups {
    type Config = Copy;

    async fn invoke(&self, context: &Context, run: Invocation<'_, Copy>) -> Result<(), Failure> {
        let (copy, call, progress) = (run.config, context.call().clone(), run.progress.clone());
        connected(context, move |database| copied(database, &copy, &call, &progress)).await
    }
}

fn copied(database: &Connection, copy: &Copy, call: &Call, progress: &Progress) -> Result<(), DatabaseError> {
    let mut target = Connection::open(&copy.to)?;
    let backup = Backup::new(database, &mut target)?;
    let pages = copy.pages_per_step.unwrap_or(100).max(1);
    let unfinished = |why: &str| DatabaseError::Refused(format!("{why} before {} was complete", copy.to));
    loop {
        if call.cancellation().is_cancelled() {
            return Err(unfinished("it was stopped"));
        }
        let step = backup.step(pages.into())?;
        let state = backup.progress();
        progress.report(format!("{} of {} pages copied", state.pagecount - state.remaining, state.pagecount));
        match step {
            StepResult::Done => return Ok(()),
            StepResult::More => {}
            // By now SQLite has waited as long as `busy_timeout` says.
            _ => return Err(unfinished("others held the database for longer than busy_timeout")),
        }
    }
}
