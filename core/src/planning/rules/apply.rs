//! R9 and R11: whether a later answer keeps what the plan promised. Terraform core: `objchange.AssertObjectCompatible`.

use super::{Found, Rule, Violation};
use crate::cty::{PathStep, Refinement, Type, Value, ValueKind};
use crate::planning::Action;
use crate::planning::compare::{elements, member, same_value};
use crate::planning::conformance::type_conforms;
use crate::planning::sensitive::{is_sensitive, mark_sensitive};
use crate::schema::{Block, NestedBlock, Nesting};

/// R11: checks the state after apply against the planned one. Known parts are as planned, unknown ones are filled within
/// their type and refinements. Not for deletions, and core leaves it out when the answer has errors of its own.
#[must_use]
pub fn apply_result(block: &Block, planned: &Value, actual: &Value) -> Vec<Violation> {
    let mut found = Compatibility { rule: Rule::AppliedAsPlanned, found: Found::default() };
    found.block(block, planned, actual);
    found.found.violations
}

/// R9: checks the plan made at apply time, when more is known, against the one that the user has seen. The action must be
/// the same, but that an update may turn out to be none; known values stay, unknown ones may become known.
#[must_use]
pub fn final_plan(block: &Block, first: (Action, &Value), last: (Action, &Value)) -> Vec<Violation> {
    let mut found = Compatibility { rule: Rule::FinalPlan, found: Found::default() };
    if first.0 != last.0 && (first.0, last.0) != (Action::Update, Action::NoOp) {
        found.add(format!("the planned action changed from {} to {}", first.0, last.0));
    }
    found.block(block, first.1, last.1);
    found.found.violations
}

struct Compatibility {
    rule: Rule,
    found: Found,
}

impl Compatibility {
    fn add(&mut self, message: impl Into<String>) {
        self.found.add(self.rule, message);
    }

    fn at(&mut self, step: PathStep, check: impl FnOnce(&mut Self)) {
        self.found.path.push(step);
        check(self);
        self.found.path.pop();
    }

    /// What `check` finds, taken out again.
    fn apart(&mut self, check: impl FnOnce(&mut Self)) -> Vec<Violation> {
        let before = self.found.violations.len();
        check(self);
        self.found.violations.split_off(before)
    }

    fn block(&mut self, block: &Block, planned: &Value, actual: &Value) {
        let whole = if self.found.path.is_root() { "root object " } else { "" };
        match (planned.is_null(), actual.is_null()) {
            (true, false) => return self.add(format!("{whole}was absent, but now present")),
            (false, true) => return self.add(format!("{whole}was present, but now absent")),
            (true, true) => return,
            (false, false) => {}
        }
        for attribute in &block.attributes {
            let part = |whole: &Value| member(whole, &attribute.name, || attribute.implied_type());
            let (planned, actual) = (part(planned), part(actual));
            self.at(PathStep::Attribute(attribute.name.clone()), |found| {
                let secret =
                    is_sensitive(attribute) || !planned.marks_deep().is_empty() || !actual.marks_deep().is_empty();
                let violations = found.apart(|found| found.value(&planned, &actual));
                match (violations.is_empty(), secret) {
                    (true, _) => {}
                    (false, true) => found.add("inconsistent values for sensitive attribute"),
                    (false, false) => found.found.violations.extend(violations),
                }
            });
        }
        for nested in &block.blocks {
            let part = |whole: &Value| member(whole, &nested.name, || nested.implied_type());
            let (planned, actual) = (part(planned), part(actual));
            self.at(PathStep::Attribute(nested.name.clone()), |found| found.nested(nested, &planned, &actual));
        }
    }

    fn nested(&mut self, nested: &NestedBlock, planned: &Value, actual: &Value) {
        let single = matches!(nested.nesting, Nesting::Single | Nesting::Group);
        if nested.block.computed {
            if actual.is_null() && nested.nesting != Nesting::Single {
                return self.add("null block value after apply");
            }
            if !planned.is_known() {
                return self.value(planned, actual);
            }
        }
        // An unknown placeholder for blocks may have become any number of them.
        if single && (planned.is_known() || !actual.is_null()) {
            return self.block(&nested.block, planned, actual);
        }
        let comparable = |value: &Value| value.is_known() && !value.is_null();
        if single || !comparable(planned) || !comparable(actual) {
            return;
        }
        match nested.nesting {
            Nesting::Set => {
                let pairs =
                    |found: &mut Self, planned: &Value, actual: &Value| found.block(&nested.block, planned, actual);
                self.set(planned, actual, pairs, |element| mark_sensitive(&nested.block, element));
                if length(planned) < length(actual) {
                    self.add(format!("block set length changed from {} to {}", length(planned), length(actual)));
                }
            }
            Nesting::Map if matches!(planned.kind(), ValueKind::Object(_)) => {
                self.keyed_blocks(nested, planned, actual)
            }
            _ if length(planned) != length(actual) => {
                self.add(format!("block count changed from {} to {}", length(planned), length(actual)));
            }
            _ => {
                for (step, planned) in elements(planned) {
                    if let Some(actual) = actual.step(&step).cloned() {
                        self.at(step, |found| found.block(&nested.block, planned, &actual));
                    }
                }
            }
        }
    }

    /// Map blocks whose content has dynamic attributes, which makes objects of them.
    fn keyed_blocks(&mut self, nested: &NestedBlock, planned: &Value, actual: &Value) {
        for (step, planned) in elements(planned) {
            match actual.step(&step).cloned() {
                Some(actual) => self.at(step, |found| found.block(&nested.block, planned, &actual)),
                None => self.add(format!("block key {} has vanished", shown_step(&step))),
            }
        }
        for (step, _) in elements(actual) {
            if planned.step(&step).is_none() {
                self.add(format!("new block key {} has appeared", shown_step(&step)));
            }
        }
    }

    fn value(&mut self, planned: &Value, actual: &Value) {
        let (planned_type, actual_type) = (planned.ty(), actual.ty());
        if planned_type == Type::Dynamic {
            return;
        }
        if !type_conforms(&actual_type, &planned_type) {
            return self.add(format!("wrong final value type: {planned_type} is required, but received {actual_type}"));
        }
        if let ValueKind::Unknown(_, refinement) = planned.kind() {
            if refinement.as_ref().is_some_and(|refinement| !may_hold(refinement, actual)) {
                self.add(format!("final value {actual:?} does not conform to planning placeholder {planned:?}"));
            }
            return;
        }
        match (planned.is_null(), actual.is_null()) {
            (true, true) => return,
            (false, true) => return self.add(format!("was {planned:?}, but now null")),
            (true, false) => return self.add(format!("was null, but now {actual:?}")),
            (false, false) => {}
        }
        if !actual.is_known() {
            return self.add("was known, but now unknown");
        }
        match planned.kind() {
            ValueKind::List(..) | ValueKind::Map(..) | ValueKind::Tuple(_) | ValueKind::Object(_) => {
                self.keyed(planned, actual);
            }
            ValueKind::Set(..) => {
                self.set(planned, actual, Self::value, Value::clone);
                if length(planned) < length(actual) {
                    self.add(format!("length changed from {} to {}", length(planned), length(actual)));
                }
            }
            _ if same_value(planned, actual) => {}
            _ => self.add(format!("was {planned:?}, but now {actual:?}")),
        }
    }

    fn keyed(&mut self, planned: &Value, actual: &Value) {
        for (step, planned) in elements(planned) {
            match actual.step(&step).cloned() {
                Some(actual) => self.at(step, |found| found.value(planned, &actual)),
                None => self.add(format!("element {} has vanished", shown_step(&step))),
            }
        }
        for (step, _) in elements(actual) {
            if planned.step(&step).is_none() {
                self.add(format!("new element {} has appeared", shown_step(&step)));
            }
        }
    }

    /// Elements of sets cannot be told apart by name, so each only needs a counterpart that it may have become or come
    /// from.
    fn set(
        &mut self,
        planned: &Value,
        actual: &Value,
        compare: impl Fn(&mut Self, &Value, &Value),
        hide: impl Fn(&Value) -> Value,
    ) {
        let planned: Vec<&Value> = planned.children().collect();
        let actual: Vec<&Value> = actual.children().collect();
        let mut planned_paired = vec![false; planned.len()];
        let mut actual_paired = vec![false; actual.len()];
        for (planned, planned_paired) in planned.iter().zip(&mut planned_paired) {
            for (actual, actual_paired) in actual.iter().zip(&mut actual_paired) {
                if *planned_paired && *actual_paired {
                    continue;
                }
                let step = PathStep::Element(Box::new((*actual).clone()));
                if self.apart(|found| found.at(step, |found| compare(found, planned, actual))).is_empty() {
                    *planned_paired = true;
                    *actual_paired = true;
                }
            }
        }
        let before = self.found.violations.len();
        for (element, _) in planned.iter().zip(planned_paired).filter(|(_, paired)| !paired) {
            self.add(format!("planned set element {:?} does not correlate with any element in actual", hide(element)));
        }
        if self.found.violations.len() > before {
            // The other side would only say the same again.
            return;
        }
        for (element, _) in actual.iter().zip(actual_paired).filter(|(_, paired)| !paired) {
            self.add(format!("actual set element {:?} does not correlate with any element in plan", hide(element)));
        }
    }
}

fn length(value: &Value) -> usize {
    value.children().count()
}

fn shown_step(step: &PathStep) -> String {
    match step {
        PathStep::Attribute(name) | PathStep::Key(name) => format!("{name:?}"),
        PathStep::Index(index) => index.to_string(),
        PathStep::Element(_) => "of the set".to_owned(),
    }
}

/// Whether a value can be what a refinement said about it. An unknown value can.
fn may_hold(refinement: &Refinement, actual: &Value) -> bool {
    if !actual.is_known() {
        return true;
    }
    if actual.is_null() {
        return !refinement.not_null;
    }
    let prefix = match (&refinement.string_prefix, actual.as_str()) {
        (Some(prefix), Some(text)) => text.starts_with(&**prefix),
        _ => true,
    };
    let bounds = match actual.as_number() {
        Some(number) => {
            let above = |(least, inclusive): &(_, bool)| number > least || (*inclusive && number == least);
            let below = |(most, inclusive): &(_, bool)| number < most || (*inclusive && number == most);
            refinement.number_min.as_ref().is_none_or(above) && refinement.number_max.as_ref().is_none_or(below)
        }
        None => true,
    };
    prefix && bounds && length_may_hold(refinement, actual)
}

fn length_may_hold(refinement: &Refinement, actual: &Value) -> bool {
    if !matches!(actual.kind(), ValueKind::List(..) | ValueKind::Set(..) | ValueKind::Map(..)) {
        return true;
    }
    let most = length(actual) as u64;
    // Unknown elements of a set may still turn out to be equal.
    let certain = !matches!(actual.kind(), ValueKind::Set(..)) || actual.is_wholly_known();
    let least = if certain { most } else { most.min(1) };
    refinement.length_min.is_none_or(|bound| most >= bound) && refinement.length_max.is_none_or(|bound| least <= bound)
}
