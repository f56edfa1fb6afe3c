//! R2 to R6: whether a plan is one that the configuration allows. Terraform core: `objchange.AssertPlanValid`.

use std::sync::Arc;

use super::{Found, Rule, Violation};
use crate::cty::{PathStep, Value, ValueKind};
use crate::planning::compare::{elements, member, same_value};
use crate::planning::sensitive::{is_sensitive, mark_sensitive};
use crate::schema::{Attribute, AttributeType, Block, NestedBlock, NestedObject, Nesting};

const BLOCK_UNKNOWN: &str =
    "element representing nested block must not be unknown itself; set nested attribute values to unknown instead";

/// Checks the planned state of `block` against prior state and configuration.
///
/// A provider may plan something else than what is configured only for computed attributes that the configuration leaves
/// out, or by repeating the prior value, which says "what you wrote means what is there". `config` is what was sent,
/// so computed blocks that it leaves out are null ([`crate::planning::unset_computed_blocks`]).
#[must_use]
pub fn plan_result(block: &Block, prior: &Value, config: &Value, planned: &Value) -> Vec<Violation> {
    let mut found = Found::default();
    found.planned_block(block, prior, config, planned);
    found.violations
}

impl Found {
    fn planned_block(&mut self, block: &Block, prior: &Value, config: &Value, planned: &Value) {
        if !self.planned_existence(Rule::PlanExistence, config, planned) {
            return;
        }
        self.planned_attributes(&block.attributes, prior, config, planned);
        for nested in &block.blocks {
            let part = |whole: &Value| member(whole, &nested.name, || nested.implied_type());
            let (prior, config, planned) = (part(prior), part(config), part(planned));
            self.at_attribute(&nested.name, |found| found.planned_nested_block(nested, &prior, &config, &planned));
        }
    }

    /// R2, and whether there is anything further to check.
    fn planned_existence(&mut self, rule: Rule, config: &Value, planned: &Value) -> bool {
        match (config.is_null(), planned.is_null()) {
            (false, true) => self.add(rule, "planned for absence but config wants existence"),
            (true, false) => self.add(rule, "planned for existence but config wants absence"),
            (true, true) => {}
            (false, false) => return true,
        }
        false
    }

    fn planned_attributes(&mut self, attributes: &[Attribute], prior: &Value, config: &Value, planned: &Value) {
        for attribute in attributes {
            let part = |whole: &Value| member(whole, &attribute.name, || attribute.implied_type());
            let (prior, config, planned) = (part(prior), part(config), part(planned));
            self.at_attribute(&attribute.name, |found| found.planned_attribute(attribute, &prior, &config, &planned));
        }
    }

    fn planned_attribute(&mut self, attribute: &Attribute, prior: &Value, config: &Value, planned: &Value) {
        if attribute.write_only {
            if !planned.is_null() {
                self.add(Rule::WriteOnly, "planned value for write-only attribute is not null");
            }
            return;
        }
        let repeats_prior = !prior.is_null() && !config.is_null() && same_value(planned, prior);
        let may_compute = attribute.computed && (config.is_null() || !attribute.optional);
        if same_value(planned, config) || repeats_prior || may_compute {
            return;
        }
        let secret =
            is_sensitive(attribute) || [prior, config, planned].iter().any(|value| !value.marks_deep().is_empty());
        if config.is_null() && !planned.is_null() {
            let message = if secret {
                "sensitive planned value for a non-computed attribute".to_owned()
            } else {
                format!("planned value {planned:?} for a non-computed attribute")
            };
            return self.add(Rule::PlanAttribute, message);
        }
        if let AttributeType::Nested(nested) = &attribute.ty {
            return self.planned_nested_attribute(nested, prior, config, planned);
        }
        let message = match (prior.is_null(), secret) {
            (true, true) => "sensitive planned value does not match config value".to_owned(),
            (false, true) => "sensitive planned value does not match config value nor prior value".to_owned(),
            (true, false) => format!("planned value {planned:?} does not match config value {config:?}"),
            (false, false) => {
                format!("planned value {planned:?} does not match config value {config:?} nor prior value {prior:?}")
            }
        };
        self.add(Rule::PlanAttribute, message);
    }

    /// R4.
    fn planned_nested_attribute(&mut self, nested: &NestedObject, prior: &Value, config: &Value, planned: &Value) {
        const RULE: Rule = Rule::PlanNestedAttribute;
        if !self.planned_existence(RULE, config, planned) {
            return;
        }
        if !planned.is_known() {
            return self.add(RULE, "planned unknown for configured value");
        }
        match nested.nesting {
            Nesting::Single | Nesting::Group => self.planned_attributes(&nested.attributes, prior, config, planned),
            Nesting::List => {
                if self.planned_count(RULE, config, planned) {
                    for (step, planned) in elements(planned) {
                        let (prior, config) = (counterpart(prior, &step), counterpart(config, &step));
                        self.at(step, |found| {
                            found.planned_attributes(&nested.attributes, &prior, &config, planned);
                        });
                    }
                }
            }
            Nesting::Map => {
                if self.planned_count(RULE, config, planned) && self.planned_keys("map key", RULE, config, planned) {
                    for (step, planned) in elements(planned) {
                        let (prior, config) = (counterpart(prior, &step), counterpart(config, &step));
                        self.at(step, |found| {
                            found.planned_attributes(&nested.attributes, &prior, &config, planned);
                        });
                    }
                }
            }
            // Elements of sets have no name by which to tell which belong together: only their number can be checked,
            // and that only as far as unknown ones may not turn out to be equal.
            Nesting::Set => {
                let (least, most) = possible_lengths(planned);
                let (config_least, config_most) = possible_lengths(config);
                if config.is_known() && (config_most < least || config_least > most) {
                    self.count_mismatch(RULE, config, planned);
                }
            }
        }
    }

    fn planned_count(&mut self, rule: Rule, config: &Value, planned: &Value) -> bool {
        let same = config.is_known() && length(config) == length(planned);
        if !same {
            self.count_mismatch(rule, config, planned);
        }
        same
    }

    fn count_mismatch(&mut self, rule: Rule, config: &Value, planned: &Value) {
        let shown = |value: &Value| if value.is_known() { length(value).to_string() } else { "unknown".to_owned() };
        let (planned, config) = (shown(planned), shown(config));
        let what = if rule == Rule::PlanBlock { "block count" } else { "count" };
        self.add(rule, format!("{what} in plan ({planned}) disagrees with count in config ({config})"));
    }

    fn planned_keys(&mut self, what: &str, rule: Rule, config: &Value, planned: &Value) -> bool {
        let before = self.violations.len();
        let (Some(config), Some(planned)) = (config.as_entries(), planned.as_entries()) else { return false };
        for key in planned.keys().filter(|key| !config.contains_key(*key)) {
            self.add(rule, format!("{what} {key:?} from plan is not present in config"));
        }
        for key in config.keys().filter(|key| !planned.contains_key(*key)) {
            self.add(rule, format!("{what} {key:?} from config is not present in plan"));
        }
        self.violations.len() == before
    }

    /// R5.
    fn planned_nested_block(&mut self, nested: &NestedBlock, prior: &Value, config: &Value, planned: &Value) {
        const RULE: Rule = Rule::PlanBlock;
        if planned.is_null() && nested.nesting != Nesting::Single {
            let mode = nesting_name(nested.nesting);
            return self.add(
                RULE,
                format!(
                    "attribute representing a {mode} of nested blocks must be empty to indicate no blocks, not null"
                ),
            );
        }
        if same_value(planned, config) {
            return;
        }
        if !config.is_known() {
            let shown = shown_blocks(nested, planned);
            return self.add(RULE, format!("planned value {shown} for unknown dynamic block"));
        }
        if config.is_null() && nested.block.computed {
            return;
        }
        if !planned.is_known() {
            let which = if nested.block.computed { "configured" } else { "non-computed" };
            return self.add(RULE, format!("planned unknown value for {which} block"));
        }
        let comparable = match nested.nesting {
            Nesting::Single | Nesting::Group => return self.planned_block(&nested.block, prior, config, planned),
            Nesting::List => self.planned_count(RULE, config, planned),
            Nesting::Map => self.planned_keys("block key", RULE, config, planned),
            Nesting::Set => true,
        };
        for (step, planned) in elements(planned) {
            let (prior, config) = (counterpart(prior, &step), counterpart(config, &step));
            self.at(step, |found| {
                if !planned.is_known() {
                    found.add(RULE, BLOCK_UNKNOWN);
                } else if comparable && nested.nesting != Nesting::Set {
                    found.planned_block(&nested.block, &prior, &config, planned);
                }
            });
        }
    }
}

fn shown_blocks(nested: &NestedBlock, value: &Value) -> String {
    // A block of just this nested block lets the schema's marks do the hiding.
    let whole = Block { blocks: vec![nested.clone()], ..Block::default() };
    let marked = mark_sensitive(&whole, &Value::object([(Arc::clone(&nested.name), value.clone())]));
    marked.attribute(&nested.name).map_or_else(String::new, |value| format!("{value:?}"))
}

fn nesting_name(nesting: Nesting) -> &'static str {
    match nesting {
        Nesting::Single => "single",
        Nesting::Group => "group",
        Nesting::List => "list",
        Nesting::Set => "set",
        Nesting::Map => "map",
    }
}

fn length(value: &Value) -> usize {
    value.children().count()
}

/// How few and how many elements a known set can turn out to have: unknown ones may become equal to others.
fn possible_lengths(set: &Value) -> (usize, usize) {
    let most = length(set);
    if set.is_wholly_known() { (most, most) } else { (most.min(1), most) }
}

/// The element at the same place in another value: null where there is none, unknown where all is unknown.
fn counterpart(other: &Value, step: &PathStep) -> Value {
    let found = match (step, other.kind()) {
        (_, ValueKind::Unknown(..)) => return Value::unknown(crate::cty::Type::Dynamic),
        // Maps of blocks are objects where their content has dynamic attributes; prior and planned may differ in that.
        (PathStep::Key(key) | PathStep::Attribute(key), ValueKind::Map(_, entries) | ValueKind::Object(entries)) => {
            entries.get(key)
        }
        _ => other.step(step),
    };
    found.cloned().unwrap_or_else(|| Value::null(crate::cty::Type::Dynamic))
}
