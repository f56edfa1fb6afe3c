//! An action that copies the database while it is in use, and tells how far it is.

use std::time::Duration;

use async_trait::async_trait;
use denobridge_core::Call;
use denobridge_core::schema::Schema;
use denobridge_framework::erased::{ErasedAction, Progress};
use denobridge_framework::prelude::*;
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use crate::database::{DatabaseError, connected};

/// A copy of the database.
#[derive(Model)]
struct Copy {
    /// The file to write; one that exists is replaced.
    #[tf(required)]
    to: String,
    /// How many pages to copy before others have a turn. Default: 100.
    pages_per_step: Option<u16>,
}

/// The action `sqlite_backup`.
pub(crate) struct Backups;

#[async_trait]
impl ErasedAction for Backups {
    fn schema(&self) -> Schema {
        Copy::schema(0)
    }

    async fn invoke(&self, context: &Context, config: Value, progress: &Progress) -> Diagnostics {
        let copy = match Copy::from_value(&config) {
            Ok(copy) => copy,
            Err(error) => return error.to_diagnostic().into(),
        };
        let (call, progress) = (context.call().clone(), progress.clone());
        match connected(context, move |database| copied(database, &copy, &call, &progress)).await {
            Ok(()) => Diagnostics::new(),
            Err(error) => Diagnostic::error("The backup failed", format!("SQLite: {error}.")).into(),
        }
    }
}

fn copied(database: &Connection, copy: &Copy, call: &Call, progress: &Progress) -> Result<(), DatabaseError> {
    let mut target = Connection::open(&copy.to)?;
    let backup = Backup::new(database, &mut target)?;
    let pages = copy.pages_per_step.unwrap_or(100).max(1);
    loop {
        if call.cancellation().is_cancelled() {
            return Err(DatabaseError::Refused(format!("stopped before {} was complete", copy.to)));
        }
        let step = backup.step(pages.into())?;
        let state = backup.progress();
        progress.report(format!("{} of {} pages copied", state.pagecount - state.remaining, state.pagecount));
        match step {
            StepResult::Done => return Ok(()),
            StepResult::More => {}
            // Somebody writes.
            _ => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}
