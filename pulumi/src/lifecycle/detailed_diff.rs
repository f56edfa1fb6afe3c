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

/// The places where two objects differ, as deep as they can be told apart. The elements of a set are matched by value:
/// those that come and go differ as a whole, and what is only computed anew in one is no difference if there is another.
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
    if let (ValueKind::Set(_, before), ValueKind::Set(_, after)) = (before.kind(), after.kind()) {
        compare_sets(before, after, path, found);
    }
    // Values that differ although no part of them does (in type, say) differ as a whole.
    if found.len() == count {
        found.push(Difference { path: path.clone(), change: Change::Update, unknown });
    }
}

fn compare_sets(before: &[Value], after: &[Value], path: &mut Path, found: &mut Vec<Difference>) {
    // Of one element that becomes another it can be said in what they differ.
    if let ([before], [after]) = (before, after) {
        path.push(PathStep::Element(Box::new(after.clone())));
        compare(Some(before), Some(after), path, found);
        path.pop();
        return;
    }
    let mut gone: Vec<&Value> =
        before.iter().filter(|item| !after.iter().any(|other| same_value(item, other))).collect();
    let mut come: Vec<&Value> =
        after.iter().filter(|item| !before.iter().any(|other| same_value(item, other))).collect();
    come.retain(|item| match gone.iter().position(|other| agrees(item, other)) {
        Some(position) => {
            gone.swap_remove(position);
            false
        }
        None => true,
    });
    for (items, change) in [(gone, Change::Delete), (come, Change::Add)] {
        found.extend(items.into_iter().map(|item| {
            let path = path.clone().then(PathStep::Element(Box::new(item.clone())));
            Difference { path, change, unknown: change == Change::Add && !item.is_known() }
        }));
    }
}

/// Whether a value can become the other: it is the same as far as it is known and set.
pub(crate) fn agrees(value: &Value, other: &Value) -> bool {
    if !value.is_known() || value.is_null() || same_value(value, other) {
        return true;
    }
    match (value.as_entries(), other.as_entries(), value.as_elements(), other.as_elements()) {
        (Some(entries), Some(others), ..) => entries.iter().all(|(key, value)| match others.get(key) {
            Some(other) => agrees(value, other),
            None => value.is_null(),
        }),
        (.., Some(items), Some(others)) => {
            items.len() == others.len() && items.iter().zip(others).all(|(item, other)| agrees(item, other))
        }
        _ => false,
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
    ///
    /// An element that goes and one that comes at the same place of an array are one that changes.
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
        let added = PropertyDiff { kind: kind.into(), input_diff };
        let (_, known) = self.0.entry(text).or_insert((path, added));
        match (known.kind(), kind) {
            (Kind::Delete, Kind::Add) => known.kind = Kind::Update.into(),
            (Kind::DeleteReplace, Kind::AddReplace) => known.kind = Kind::UpdateReplace.into(),
            _ => {}
        }
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
    fn types_differ_as_a_whole() {
        let list = Value::object([("l", Value::list(Type::String, []))]);
        let tuple = Value::object([("l", Value::tuple([]))]);
        assert_eq!(found(list, tuple), [("l".to_owned(), Change::Update)]);
    }

    #[test]
    fn elements_of_sets_are_matched_by_value() {
        let element = |port: i64, id: Value| Value::object([("port", Value::number(port)), ("id", id)]);
        let set = |elements: &[Value]| Value::object([("s", Value::set(elements[0].ty(), elements.to_vec()))]);
        let (a, unknown) = (Value::string("a"), Value::unknown(Type::String));
        let changes = |prior: &[Value], planned: &[Value]| -> Vec<Change> {
            differences(&set(prior), &set(planned)).into_iter().map(|found| found.change).collect()
        };
        let (one, two, three) = (element(1, a.clone()), element(2, a.clone()), element(3, a.clone()));
        assert_eq!(changes(&[one.clone(), two.clone()], &[two.clone(), three]), [Change::Delete, Change::Add]);
        // All of it that is known is the same as before, so the other element is what has changed.
        let new = element(4, unknown.clone());
        assert_eq!(changes(&[one.clone(), two], &[element(1, unknown.clone()), element(2, a), new]), [Change::Add]);
        let only = differences(&set(&[one]), &set(&[element(9, unknown)]));
        assert_eq!(only.iter().map(|found| found.path.steps().len()).collect::<Vec<_>>(), [3, 3]);
    }

    #[test]
    fn an_unknown_value_always_differs() {
        let prior = Value::object([("a", Value::string("x"))]);
        let planned = Value::object([("a", Value::unknown(Type::String))]);
        assert!(differences(&prior, &planned)[0].unknown);
    }
}
