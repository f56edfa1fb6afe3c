//! What differs between two states, as the engine shows it: property paths with the kind of change.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use denobridge_core::cty::{Path, PathStep, Value, ValueKind};
use denobridge_core::planning::same_value;
use denobridge_sdk_gen::PropertyPath;

use crate::proto::pulumirpc::PropertyDiff;
use crate::proto::pulumirpc::property_diff::Kind;

/// One place where two states differ.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Difference {
    pub(crate) path: Path,
    pub(crate) change: Change,
    /// The new value is not known yet.
    pub(crate) unknown: bool,
}

/// What has happened at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Add,
    Delete,
    Update,
}

/// The places where two objects differ, as deep as they can be told apart. A set differs as a whole: its elements have
/// no names.
pub(crate) fn differences(prior: &Value, planned: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(Some(prior), Some(planned), &mut Path::root(), &mut found);
    found
}

fn compare(prior: Option<&Value>, planned: Option<&Value>, path: &mut Path, found: &mut Vec<Difference>) {
    let prior = prior.filter(|value| !value.is_null());
    let planned = planned.filter(|value| !value.is_null());
    let unknown = planned.is_some_and(|value| !value.is_known());
    let (before, after) = match (prior, planned) {
        // Nulls may differ in type, which nobody can see.
        (None, None) => return,
        (None, Some(_)) => return found.push(Difference { path: path.clone(), change: Change::Add, unknown }),
        (Some(_), None) => return found.push(Difference { path: path.clone(), change: Change::Delete, unknown }),
        (Some(before), Some(after)) => (before, after),
    };
    if before.is_known() && same_value(before, after) {
        return;
    }
    let count = found.len();
    if let (Some(before), Some(entries)) = (before.as_entries(), after.as_entries()) {
        let keys: BTreeSet<&Arc<str>> = before.keys().chain(entries.keys()).collect();
        let map = matches!(after.kind(), ValueKind::Map(..));
        for key in keys {
            path.push(if map { PathStep::Key(Arc::clone(key)) } else { PathStep::Attribute(Arc::clone(key)) });
            compare(before.get(key), entries.get(key), path, found);
            path.pop();
        }
    } else if let (Some(before), Some(items)) = (ordered(before), ordered(after)) {
        for index in 0..before.len().max(items.len()) {
            path.push(PathStep::Index(i64::try_from(index).unwrap_or(i64::MAX)));
            compare(before.get(index), items.get(index), path, found);
            path.pop();
        }
    }
    // Values that differ although no part of them does (in type, or a set in its elements) differ as a whole.
    if found.len() == count {
        found.push(Difference { path: path.clone(), change: Change::Update, unknown });
    }
}

fn ordered(value: &Value) -> Option<&[Value]> {
    match value.kind() {
        ValueKind::List(_, items) | ValueKind::Tuple(items) => Some(items),
        _ => None,
    }
}

/// Differences as the engine takes them, by property path.
#[derive(Clone, Debug, Default)]
pub(crate) struct DetailedDiff(BTreeMap<String, (PropertyPath, PropertyDiff)>);

impl DetailedDiff {
    /// Adds a difference; the first one at a path counts.
    pub(crate) fn add(&mut self, path: PropertyPath, change: Change, replace: bool, input_diff: bool) {
        let text = path.to_string();
        if text.is_empty() {
            return;
        }
        let kind = match (change, replace) {
            (Change::Add, false) => Kind::Add,
            (Change::Add, true) => Kind::AddReplace,
            (Change::Delete, false) => Kind::Delete,
            (Change::Delete, true) => Kind::DeleteReplace,
            (Change::Update, false) => Kind::Update,
            (Change::Update, true) => Kind::UpdateReplace,
        };
        self.0.entry(text).or_insert((path, PropertyDiff { kind: kind.into(), input_diff }));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The top-level properties in which something differs.
    pub(crate) fn properties(&self) -> Vec<String> {
        self.top_level(|_| true)
    }

    /// The top-level properties whose change replaces the resource.
    pub(crate) fn replaced(&self) -> Vec<String> {
        self.top_level(|diff| matches!(diff.kind(), Kind::AddReplace | Kind::DeleteReplace | Kind::UpdateReplace))
    }

    fn top_level(&self, wanted: impl Fn(&PropertyDiff) -> bool) -> Vec<String> {
        let properties = self.0.values().filter(|(_, diff)| wanted(diff));
        let names = properties.filter_map(|(path, _)| path.first_property().map(str::to_owned));
        names.collect::<BTreeSet<_>>().into_iter().collect()
    }

    pub(crate) fn into_wire(self) -> BTreeMap<String, PropertyDiff> {
        self.0.into_iter().map(|(text, (_, diff))| (text, diff)).collect()
    }
}

/// Whether one of two paths leads to or through the other.
pub(crate) fn overlap(left: &Path, right: &Path) -> bool {
    left.steps().iter().zip(right.steps()).all(|(left, right)| match (left, right) {
        // Providers do not always tell the steps of maps and objects apart.
        (PathStep::Attribute(left) | PathStep::Key(left), PathStep::Attribute(right) | PathStep::Key(right)) => {
            left == right
        }
        (left, right) => left == right,
    })
}

#[cfg(test)]
mod tests {
    use denobridge_core::cty::Type;

    use super::*;

    fn found(prior: Value, planned: Value) -> Vec<(String, Change)> {
        differences(&prior, &planned).into_iter().map(|found| (found.path.to_string(), found.change)).collect()
    }

    #[test]
    fn differences_are_as_deep_as_they_can_be() {
        let rules =
            |port: i64| Value::tuple([Value::object([("port", Value::number(port)), ("p", Value::bool(true))])]);
        let prior =
            Value::object([("rules", rules(1)), ("gone", Value::string("x")), ("new", Value::null(Type::String))]);
        let planned =
            Value::object([("rules", rules(2)), ("gone", Value::null(Type::String)), ("new", Value::string("y"))]);
        assert_eq!(
            found(prior, planned),
            [
                ("gone".to_owned(), Change::Delete),
                ("new".to_owned(), Change::Add),
                ("rules[0].port".to_owned(), Change::Update)
            ]
        );
    }

    #[test]
    fn sets_and_types_differ_as_a_whole() {
        let set = |text: &str| Value::object([("s", Value::set(Type::String, [Value::string(text)]))]);
        assert_eq!(found(set("a"), set("b")), [("s".to_owned(), Change::Update)]);
        let list = Value::object([("l", Value::list(Type::String, []))]);
        let tuple = Value::object([("l", Value::tuple([]))]);
        assert_eq!(found(list, tuple), [("l".to_owned(), Change::Update)]);
    }

    #[test]
    fn an_unknown_value_always_differs() {
        let prior = Value::object([("a", Value::string("x"))]);
        let planned = Value::object([("a", Value::unknown(Type::String))]);
        assert!(differences(&prior, &planned)[0].unknown);
    }
}
