//! Which stage of an operation a provider is in, told from what it is asked, and what was counted in it.

use std::time::{Duration, Instant};

use crate::protocol::{Counts, Operation, Phase, Stage};

/// A stage that has begun.
#[derive(Clone, Debug)]
struct Open {
    stage: Stage,
    began: Instant,
    counts: Counts,
}

/// The stages of one provider process.
#[derive(Debug, Default)]
pub(super) struct Stages {
    open: Option<Open>,
    pass: Option<u32>,
    is_apply: bool,
}

impl Stages {
    pub(super) fn stage(&self) -> Stage {
        self.open.as_ref().map_or(Stage::Init, |open| open.stage)
    }

    /// The stage that has begun and not ended.
    pub(super) fn open(&self) -> Option<Stage> {
        self.open.as_ref().map(|open| open.stage)
    }

    pub(super) fn begin(&mut self, stage: Stage, pass: u32) {
        self.is_apply = stage == Stage::Apply;
        self.pass = Some(pass);
        self.open = Some(Open { stage, began: Instant::now(), counts: Counts::default() });
    }

    pub(super) fn end(&mut self) {
        self.open = None;
    }

    /// What was counted in the stage that is open, and how long it has lasted.
    pub(super) fn so_far(&self) -> Option<(Counts, Duration)> {
        self.open.as_ref().map(|open| (open.counts, open.began.elapsed()))
    }

    pub(super) fn pass(&self) -> u32 {
        self.pass.unwrap_or(1)
    }

    pub(super) fn phase(&self) -> Phase {
        if self.is_apply { Phase::Apply } else { Phase::Plan }
    }

    /// What the user asked for: as the command line says it, or else as what has happened so far looks.
    pub(super) fn operation(&self, said: Operation) -> Operation {
        match (said, self.open()) {
            (Operation::Unknown, Some(Stage::Apply)) => Operation::Apply,
            (Operation::Unknown, Some(Stage::Plan)) => Operation::Plan,
            (said, _) => said,
        }
    }

    /// Counts in the stage that is open.
    pub(super) fn count(&mut self, count: impl FnOnce(&mut Counts)) {
        if let Some(open) = &mut self.open {
            count(&mut open.counts);
        }
    }
}
