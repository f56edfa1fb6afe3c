//! How a change is planned, between the state that the host proposes and the resource's own last word.
//!
//! The order: fill in defaults; null out write-only attributes; if anything differs from the prior state, make computed
//! attributes that the configuration leaves out unknown; attribute modifiers; the resource's `modify_plan`; sort what
//! requires replacement.

mod defaults;
mod generated;
mod unknowns;

use denobridge_core::cty::{Path, PathStep, Value};
use denobridge_core::planning::{same_value, write_only_nulled};
use denobridge_core::schema::{AttributeType, Block};

pub use generated::config_of;

use crate::private::PrivateData;

/// How one attribute is planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanModifier {
    /// A computed attribute that keeps its value for the life of the object, such as an id: once known it stays known in
    /// plans.
    KeepState(Path),
    /// A change of the attribute cannot be made in place.
    RequiresReplace(Path),
}

/// What a plan is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanKind {
    /// There is no object yet.
    Create,
    /// There is one, and there will be one.
    Update,
    /// There will be none.
    Delete,
}

/// A plan in the making, for a resource to change.
#[derive(Clone, Debug)]
pub struct PlanEdit {
    kind: PlanKind,
    config: Value,
    prior: Value,
    /// The private data that go with the plan to apply.
    pub private: PrivateData,
    planned: Value,
    requires_replace: Vec<Path>,
    /// Computed attributes that the configuration leaves out, and what makes them known again.
    rules: Rules,
}

/// What of a schema planning needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    block: std::sync::Arc<Block>,
    modifiers: std::sync::Arc<[PlanModifier]>,
}

impl Rules {
    pub fn new(block: &Block, mut modifiers: Vec<PlanModifier>) -> Self {
        annotated_replacements(block, &mut modifiers);
        Self { block: std::sync::Arc::new(block.clone()), modifiers: modifiers.into() }
    }
}

/// The values that a plan starts from.
pub(crate) struct PlanInput {
    pub config: Value,
    pub prior: Value,
    pub proposed: Value,
    pub private: PrivateData,
}

impl PlanEdit {
    /// A plan of another resource with that schema, up to that resource's own part: for a resource that stands before it.
    #[must_use]
    pub fn of(
        block: &Block,
        modifiers: Vec<PlanModifier>,
        config: Value,
        prior: Value,
        proposed: Value,
        private: PrivateData,
    ) -> Self {
        Self::start(&Rules::new(block, modifiers), PlanInput { config, prior, proposed, private })
    }

    /// The parts that were said to require replacement so far.
    #[must_use]
    pub fn requires_replace(&self) -> &[Path] {
        &self.requires_replace
    }

    /// Everything up to the resource's own part.
    pub(crate) fn start(rules: &Rules, input: PlanInput) -> Self {
        let PlanInput { config, prior, proposed, private } = input;
        let kind = match (prior.is_null(), proposed.is_null()) {
            (_, true) => PlanKind::Delete,
            (true, false) => PlanKind::Create,
            (false, false) => PlanKind::Update,
        };
        let planned = write_only_nulled(&rules.block, &defaults::filled(&rules.block, &proposed, &config));
        let mut edit =
            Self { kind, config, prior, private, planned, requires_replace: Vec::new(), rules: rules.clone() };
        if edit.has_changes() {
            edit.expect_changes();
        }
        edit
    }

    /// The planned state and the sorted paths that require replacement.
    pub(crate) fn finish(self) -> (Value, Vec<Path>, PrivateData) {
        let mut paths = self.requires_replace;
        paths.sort_by_cached_key(ToString::to_string);
        paths.dedup();
        (self.planned, paths, self.private)
    }

    /// What the plan is for.
    #[must_use]
    pub fn kind(&self) -> PlanKind {
        self.kind
    }

    /// The configuration, write-only attributes included; null for a deletion.
    #[must_use]
    pub fn config(&self) -> &Value {
        &self.config
    }

    /// The state before; null for a creation.
    #[must_use]
    pub fn prior(&self) -> &Value {
        &self.prior
    }

    /// The state after, as far as known; null for a deletion.
    #[must_use]
    pub fn planned(&self) -> &Value {
        &self.planned
    }

    /// Whether the planned state differs from the prior one, so that something would be done.
    #[must_use]
    pub fn has_changes(&self) -> bool {
        !same_value(&self.planned, &self.prior)
    }

    /// Sets one attribute of the planned state.
    pub fn set(&mut self, attribute: &str, value: Value) {
        let planned = std::mem::replace(&mut self.planned, Value::bool(false));
        self.planned = planned.with_attribute(attribute, value);
    }

    /// Plans nothing: the state stays as it is.
    pub fn keep_prior(&mut self) {
        self.planned = self.prior.clone();
        self.requires_replace.clear();
    }

    /// A change of this part cannot be made in place. Has an effect only on updates, and only where the planned value
    /// differs from the prior one, is unknown, or is write-only.
    pub fn require_replace(&mut self, path: Path) {
        self.requires_replace.push(path);
    }

    /// Says that applying will do something, so that computed attributes which the configuration leaves out may get other
    /// values. The framework does this itself when the configuration differs from the prior state; a resource that finds
    /// another reason calls it before it sets what it knows.
    pub fn expect_changes(&mut self) {
        if self.planned.is_null() {
            return;
        }
        let unknown = unknowns::computed_unknown(&self.rules.block, &self.planned, &self.config);
        self.planned = defaults::filled(&self.rules.block, &unknown, &self.config);
        for modifier in &*std::sync::Arc::clone(&self.rules.modifiers) {
            self.apply_modifier(modifier);
        }
    }

    fn apply_modifier(&mut self, modifier: &PlanModifier) {
        match modifier {
            PlanModifier::KeepState(path) => {
                let unknown = path.find(&self.planned).is_some_and(|value| !value.is_known());
                let unset = path.find(&self.config).is_none_or(Value::is_null);
                if let Some(prior) = path.find(&self.prior)
                    && unknown
                    && unset
                    && !prior.is_null()
                {
                    self.planned = unknowns::with_part(&self.planned, path.steps(), prior.clone());
                }
            }
            PlanModifier::RequiresReplace(path) => {
                let (prior, planned) = (path.find(&self.prior), path.find(&self.planned));
                let differs = match (prior, planned) {
                    (Some(prior), Some(planned)) => !same_value(prior, planned),
                    // What is inside of something unknown may turn out to differ. It must be said now: a plan that becomes
                    // a replacement only when it is applied is refused.
                    (_, None) if is_in_unknown(&self.planned, path) => true,
                    (prior, planned) => prior.is_some() != planned.is_some(),
                };
                if self.kind == PlanKind::Update && differs {
                    self.requires_replace.push(path.clone());
                }
            }
        }
    }
}

/// Whether the way along a path leads into something unknown.
fn is_in_unknown(value: &Value, path: &Path) -> bool {
    let mut current = value;
    for step in path.steps() {
        match current.step(step) {
            Some(part) => current = part,
            None => return !current.is_known(),
        }
    }
    false
}

/// The attributes whose annotations say that a change replaces, where a path can name them: at the root and inside single
/// nested attributes.
fn annotated_replacements(block: &Block, modifiers: &mut Vec<PlanModifier>) {
    fn walk(attributes: &[denobridge_core::schema::Attribute], path: &mut Path, found: &mut Vec<PlanModifier>) {
        for attribute in attributes {
            path.push(PathStep::Attribute(std::sync::Arc::clone(&attribute.name)));
            if attribute.annotations.as_ref().is_some_and(|annotations| annotations.replaces) {
                found.push(PlanModifier::RequiresReplace(path.clone()));
            }
            if let AttributeType::Nested(nested) = &attribute.ty
                && nested.nesting == denobridge_core::schema::Nesting::Single
            {
                walk(&nested.attributes, path, found);
            }
            path.pop();
        }
    }
    walk(&block.attributes, &mut Path::root(), modifiers);
}

#[cfg(test)]
mod tests;
