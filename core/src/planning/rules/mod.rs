//! The rules that Terraform core holds a provider's answers to. Each function looks at one kind of answer and returns
//! what is wrong with it; an empty list means that core would accept it.
//!
//! The numbers R1 to R19 are this project's; each rule names where in Terraform core it comes from. R8 (plan a
//! replacement a second time, from nothing) and R12 (what is kept of a failed apply) tell the host what to do rather than
//! what an answer must be. R18 and R19 are about several answers, or a stream of them. So these four have no function
//! here: see the framework's `host`.
//!
//! Core tolerates violations of R3, R4, R5 and R11 by providers that say they use the old SDK
//! (`legacy_type_system`); that is for the caller to decide.

mod apply;
mod plan;
mod results;

use crate::cty::Path;
use crate::diagnostics::Diagnostic;

pub use apply::{apply_result, final_plan};
pub use plan::plan_result;
pub use results::{
    data_result, deferral, ephemeral_result, identity_kept, identity_result, imported, known_after_apply, moved_state,
    object_conforms, read_result, upgraded_state, value_conforms, write_only_null,
};

/// A rule that an answer can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// R1: a returned object is of its schema's type.
    Conformance,
    /// R2: something is planned exactly where the configuration wants something; a destroy plan is null.
    PlanExistence,
    /// R3: an attribute is planned as configured or as it was, unless it is the provider's to compute.
    PlanAttribute,
    /// R4: nested attributes are planned in the configured number and under the configured keys.
    PlanNestedAttribute,
    /// R5: nested blocks are planned in the configured number and under the configured keys, and never null or unknown.
    PlanBlock,
    /// R6: write-only attributes are null in every answer.
    WriteOnly,
    /// R7: a path that requires replacement exists.
    RequiresReplacePath,
    /// R9: planning again at apply time, with more known, says the same.
    FinalPlan,
    /// R10: after apply everything is known, and something is there exactly if it was not deleted.
    KnownAfterApply,
    /// R11: what was planned is what apply returns.
    AppliedAsPlanned,
    /// R13: what a read returns is known.
    ReadResult,
    /// R13: an import finds an object that can be read.
    Import,
    /// R14: upgraded state is known and of the current schema.
    Upgrade,
    /// R15: the result of a data source is there and known.
    DataSource,
    /// R15: the result of an ephemeral resource is what its configuration says.
    Ephemeral,
    /// R16: an identity is of its schema's type, and known once the object exists.
    Identity,
    /// R17: a provider puts off an answer only if it was told that it may.
    Deferral,
    /// R18: the same configuration is judged the same each time: it is validated in several walks of one run.
    Validation,
    /// R19: an answer has the parts that its procedure demands: a function's result or its error, and the same for the
    /// same arguments; one end of an action, with nothing after it; no more objects than asked for, each with its
    /// identity; a state in adjoining chunks of the size that was agreed on.
    Protocol,
}

impl Rule {
    /// The rule's number.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Conformance => "R1",
            Self::PlanExistence => "R2",
            Self::PlanAttribute => "R3",
            Self::PlanNestedAttribute => "R4",
            Self::PlanBlock => "R5",
            Self::WriteOnly => "R6",
            Self::RequiresReplacePath => "R7",
            Self::FinalPlan => "R9",
            Self::KnownAfterApply => "R10",
            Self::AppliedAsPlanned => "R11",
            Self::ReadResult | Self::Import => "R13",
            Self::Upgrade => "R14",
            Self::DataSource | Self::Ephemeral => "R15",
            Self::Identity => "R16",
            Self::Deferral => "R17",
            Self::Validation => "R18",
            Self::Protocol => "R19",
        }
    }

    /// What Terraform calls it when the rule is broken.
    #[must_use]
    pub fn summary(self) -> &'static str {
        match self {
            Self::Conformance | Self::ReadResult | Self::Upgrade | Self::DataSource => {
                "Provider produced invalid object"
            }
            Self::PlanExistence
            | Self::PlanAttribute
            | Self::PlanNestedAttribute
            | Self::PlanBlock
            | Self::RequiresReplacePath => "Provider produced invalid plan",
            Self::WriteOnly => "Provider returned a value for a write-only attribute",
            Self::FinalPlan => "Provider produced inconsistent final plan",
            Self::KnownAfterApply => "Provider returned invalid result object after apply",
            Self::AppliedAsPlanned => "Provider produced inconsistent result after apply",
            Self::Import => "Provider produced invalid import result",
            Self::Ephemeral => "Provider produced invalid ephemeral resource instance",
            Self::Identity => "Provider produced invalid identity",
            Self::Deferral => "Provider deferred changes when that was not allowed",
            Self::Validation => "Provider validated inconsistently",
            Self::Protocol => "Provider produced an answer that the protocol does not allow",
        }
    }
}

/// One thing that is wrong with an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The rule that is broken.
    pub rule: Rule,
    /// Where; root for the whole object.
    pub path: Path,
    /// What is wrong there. Never shows a sensitive value.
    pub message: String,
}

impl Violation {
    /// A violation of `rule` at `path`; the message must not show a sensitive value.
    #[must_use]
    pub fn new(rule: Rule, path: Path, message: impl Into<String>) -> Self {
        Self { rule, path, message: message.into() }
    }

    /// The violation as an error about `subject`, a resource in the user's words.
    #[must_use]
    pub fn to_diagnostic(&self, subject: &str) -> Diagnostic {
        let detail = format!(
            "{subject}: {self}.\n\nThis is a mistake in the provider (rule {}), not in the configuration.",
            self.rule.code()
        );
        Diagnostic::error(self.rule.summary(), detail).at(self.path.clone())
    }
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.path.is_root() { f.write_str(&self.message) } else { write!(f, "{}: {}", self.path, self.message) }
    }
}

/// Violations found on the way through a value.
#[derive(Default)]
struct Found {
    path: Path,
    violations: Vec<Violation>,
}

impl Found {
    fn add(&mut self, rule: Rule, message: impl Into<String>) {
        self.violations.push(Violation::new(rule, self.path.clone(), message));
    }

    fn at(&mut self, step: crate::cty::PathStep, check: impl FnOnce(&mut Self)) {
        self.path.push(step);
        check(self);
        self.path.pop();
    }

    fn at_attribute(&mut self, name: &std::sync::Arc<str>, check: impl FnOnce(&mut Self)) {
        self.at(crate::cty::PathStep::Attribute(std::sync::Arc::clone(name)), check);
    }
}
