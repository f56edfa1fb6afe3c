//! What becomes of the answer of one integration, by its fail mode and by when it was asked.

use crate::configuration::{FailMode, Integration};
use crate::process::Failure;
use crate::protocol::{HookResult, RequestedAction, Status};
use crate::{Hook, Moment, Subject};

/// When an integration was asked, as far as it matters for what its answer can still do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Before something that can still be left undone.
    Before,
    /// After something that changed nothing outside.
    Harmless,
    /// After a real change: it must be recorded, whatever is said of it.
    Changed,
    /// After a whole plan: the host takes no diagnostics any more.
    Planned,
    /// After a whole apply: so it is there, and nothing more follows.
    Applied,
}

impl Place {
    /// Whether a whole stage is over, so that the host takes no diagnostics any more.
    pub(crate) fn is_end_of_stage(self) -> bool {
        matches!(self, Self::Planned | Self::Applied)
    }

    pub(crate) fn of(hook: Hook) -> Self {
        match (hook.subject(), hook.moment()) {
            (_, Moment::Before) => Self::Before,
            (Subject::Stage, Moment::After) if hook == Hook::InitStageComplete => Self::Harmless,
            (Subject::Stage, Moment::After) if hook == Hook::PlanStageComplete => Self::Planned,
            (Subject::Stage, Moment::After) => Self::Applied,
            (Subject::Instance, Moment::After) => match hook {
                Hook::PostApply | Hook::PostInvokeAction => Self::Changed,
                _ => Self::Harmless,
            },
        }
    }
}

/// What becomes of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effect {
    /// It is in the log and the report only.
    Noted,
    /// The user is warned.
    Warning,
    /// The user is warned, and nothing further is begun in this run.
    WarningAndHalt,
    /// What was asked about counts as failed.
    Error,
    /// What was asked about does not happen.
    Denied,
    /// It does not happen, and nothing further is begun in this run.
    DeniedAndHalt,
    /// The apply of this run does not begin.
    Verdict,
}

impl Effect {
    /// The name in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Noted => "noted",
            Self::Warning => "warned",
            Self::WarningAndHalt => "warned and halted",
            Self::Error => "failed",
            Self::Denied => "denied",
            Self::DeniedAndHalt => "denied and halted",
            Self::Verdict => "apply denied",
        }
    }

    pub(crate) fn halts(self) -> bool {
        matches!(self, Self::WarningAndHalt | Self::DeniedAndHalt)
    }

    pub(crate) fn denies(self) -> bool {
        matches!(self, Self::Denied | Self::DeniedAndHalt)
    }
}

/// The table of effects.
pub(crate) fn effect(integration: &Integration, place: Place, answer: &Result<HookResult, Failure>) -> Effect {
    let said = match answer {
        Ok(result) if result.action == Some(RequestedAction::Halt) => Said::Fail,
        Ok(HookResult { status: Status::Pass, .. }) => return Effect::Noted,
        Ok(HookResult { status: Status::Warn, .. }) => Said::Warn,
        Ok(HookResult { status: Status::Fail, .. }) => Said::Fail,
        Err(_) => Said::Fault,
    };
    match (integration.fail_mode, place, said) {
        // Diagnostics cannot follow the end of a stage.
        (FailMode::Hard, Place::Planned, Said::Fail | Said::Fault) => Effect::Verdict,
        (FailMode::Hard, Place::Applied, Said::Fail) => Effect::Verdict,
        (_, Place::Planned | Place::Applied, _) => Effect::Noted,
        (_, _, Said::Warn) | (FailMode::Soft, _, _) => Effect::Warning,
        (FailMode::Hard, Place::Before, Said::Fail) => Effect::DeniedAndHalt,
        (FailMode::Hard, Place::Before, Said::Fault) => Effect::Denied,
        (FailMode::Hard, Place::Harmless, _) => Effect::Error,
        // An error here would taint what was made, and a tainted resource is replaced.
        (FailMode::Hard, Place::Changed, _) => Effect::WarningAndHalt,
    }
}

#[derive(Clone, Copy)]
enum Said {
    Warn,
    Fail,
    Fault,
}
