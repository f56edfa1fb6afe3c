//! What a plan changes, part by part.

use std::collections::BTreeSet;
use std::sync::Arc;

use denobridge_core::cty::{Path, PathStep, Value, ValueKind};
use denobridge_core::planning::same_value;

use super::show;

/// One part that changes.
#[derive(Debug, PartialEq)]
pub(super) struct Part {
    /// `+`, `-` or `~`.
    pub(super) sign: char,
    /// Where in the resource.
    pub(super) path: Path,
    /// The value before; null where it comes.
    pub(super) before: String,
    /// The value after; null where it goes.
    pub(super) after: String,
}

impl Part {
    /// The value that comes or goes, or `before -> after`.
    pub(super) fn text(&self) -> String {
        match self.sign {
            '+' => self.after.clone(),
            '-' => self.before.clone(),
            _ => format!("{} -> {}", self.before, self.after),
        }
    }
}

/// The parts in which two values differ, in the order of their names. Null and absent are the same here, so a null before
/// is a part that comes. Marked values are compared but never shown.
pub(super) fn parts(before: &Value, after: &Value) -> Vec<Part> {
    let mut found = Vec::new();
    compare(before, after, &mut Path::root(), &mut found);
    found
}

fn compare(before: &Value, after: &Value, path: &mut Path, found: &mut Vec<Part>) {
    if same_value(before, after) || (before.is_null() && after.is_null()) {
        return;
    }
    let shown_whole = !before.marks().is_empty() || !after.marks().is_empty();
    if !shown_whole && let Some(steps) = common_steps(before, after) {
        let null = Value::null(denobridge_core::cty::Type::Dynamic);
        for step in steps {
            path.push(step.clone());
            compare(part(before, &step).unwrap_or(&null), part(after, &step).unwrap_or(&null), path, found);
            path.pop();
        }
        return;
    }
    let sign = match (before.is_null(), after.is_null()) {
        (true, _) => '+',
        (_, true) => '-',
        _ => '~',
    };
    found.push(Part { sign, path: path.clone(), before: show::value(before), after: show::value(after) });
}

/// The steps to the parts of two values, if they can be compared part by part. What comes or goes as a whole is taken
/// apart as well, unless it is empty.
fn common_steps(before: &Value, after: &Value) -> Option<Vec<PathStep>> {
    match (steps(before), steps(after)) {
        (Some(Steps::Named(before)), Some(Steps::Named(after))) => {
            let names: BTreeSet<Arc<str>> = before.into_iter().chain(after).collect();
            Some(names.into_iter().map(PathStep::Attribute).collect())
        }
        (Some(Steps::Counted(before)), Some(Steps::Counted(after))) => Some(counted(before.max(after))),
        (Some(Steps::Named(names)), None) if after.is_null() && !names.is_empty() => Some(named(names)),
        (None, Some(Steps::Named(names))) if before.is_null() && !names.is_empty() => Some(named(names)),
        _ => None,
    }
}

enum Steps {
    Named(Vec<Arc<str>>),
    Counted(usize),
}

fn named(names: Vec<Arc<str>>) -> Vec<PathStep> {
    names.into_iter().map(PathStep::Attribute).collect()
}

fn counted(length: usize) -> Vec<PathStep> {
    (0..i64::try_from(length).unwrap_or(i64::MAX)).map(PathStep::Index).collect()
}

fn steps(value: &Value) -> Option<Steps> {
    match value.kind() {
        ValueKind::Object(entries) | ValueKind::Map(_, entries) => {
            Some(Steps::Named(entries.keys().cloned().collect()))
        }
        ValueKind::List(_, items) | ValueKind::Tuple(items) => Some(Steps::Counted(items.len())),
        _ => None,
    }
}

fn part<'v>(value: &'v Value, step: &PathStep) -> Option<&'v Value> {
    match step {
        PathStep::Attribute(name) => value.as_entries()?.get(name),
        step => value.step(step),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use denobridge_core::cty::{Marks, Type};

    fn lines(before: &Value, after: &Value) -> Vec<String> {
        parts(before, after).iter().map(|part| format!("{} {} = {}", part.sign, part.path, part.text())).collect()
    }

    fn state(id: Value, props: Value) -> Value {
        Value::object([("id", id), ("props", props)])
    }

    #[test]
    fn a_creation_lists_what_comes() {
        let null = Value::null(Type::Dynamic);
        let props = Value::object([("path", Value::string("/x")), ("none", Value::null(Type::String))]);
        let after = state(Value::unknown(Type::String), props);
        assert_eq!(lines(&null, &after), ["+ id = (known after apply)", r#"+ props.path = "/x""#]);
        assert_eq!(lines(&after, &null).len(), 2);
    }

    #[test]
    fn an_update_lists_only_what_changes() {
        let id = || Value::string("1");
        let props = |content: &str, tags: Vec<Value>| {
            state(id(), Value::object([("content", Value::string(content)), ("tags", Value::tuple(tags))]))
        };
        let (a, b) = (Value::string("a"), Value::string("b"));
        assert_eq!(
            lines(&props("x", vec![a.clone()]), &props("y", vec![a, b])),
            [r#"~ props.content = "x" -> "y""#, r#"+ props.tags[1] = "b""#]
        );
    }

    #[test]
    fn sensitive_values_change_unseen() {
        let secret = |text: &str| state(Value::null(Type::String), Value::string(text).with_marks(Marks::SENSITIVE));
        assert_eq!(lines(&secret("hunter2"), &secret("hunter3")), ["~ props = (sensitive) -> (sensitive)"]);
        assert!(lines(&secret("hunter2"), &secret("hunter2")).is_empty());
    }
}
