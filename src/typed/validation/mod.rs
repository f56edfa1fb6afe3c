//! What Terraform's types cannot say: patterns, ranges, unions, and whatever else a script's schema asks of its values. It is
//! checked before anything runs, at the attribute, in words. No value is ever quoted.

mod alternatives;
#[cfg(test)]
mod tests;
mod words;

use denobridge_core::cty::{Path, Value};
use denobridge_core::{Diagnostic, Diagnostics};
use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::{Value as Json, json};

use super::TypedError;
use super::error::SchemaFault;
use super::schema::{Located, Place, Property, Shape, located};
use crate::scripted::values;

/// Checks what is given for the properties of a schema.
pub(super) struct Checker {
    validator: Validator,
    schema: Json,
    properties: Vec<Property>,
}

/// Something that is wrong with a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Problem {
    /// The attribute.
    pub path: Path,
    /// What goes on after its name: `must be at least 1`.
    pub rule: String,
}

impl Problem {
    /// As the user sees it. Terraform finds the line of an attribute and of what is directly in it.
    pub fn diagnostic(&self) -> Diagnostic {
        let what = match self.path.is_root() {
            true => "The configuration".to_owned(),
            false => format!("`{}`", self.path),
        };
        let detail = format!("{what} {}.", self.rule);
        Diagnostic::error("Value not allowed", detail).at(crate::scripted::shown_at(&self.path))
    }
}

impl Checker {
    /// `properties` are those that were read from the schema.
    pub fn new(schema: &Json, properties: &[Property], place: &Place<'_>) -> Result<Self, TypedError> {
        let options = jsonschema::options().with_draft(jsonschema::Draft::Draft202012).should_validate_formats(true);
        let validator = options.should_ignore_unknown_formats(true).build(schema).map_err(|error| {
            place.fault(SchemaFault::Invalid(format!("{} ({})", error.masked(), error.schema_path())))
        })?;
        Ok(Self { validator, schema: schema.clone(), properties: properties.to_vec() })
    }

    /// What is wrong with what a script would get. Of what is not known yet, and of what depends on it, nothing is said.
    pub fn check(&self, value: &Value) -> Vec<Problem> {
        let nothing = Value::object::<&str>([]);
        let value = if value.is_null() { &nothing } else { value };
        let (instance, unknown) = values::to_json_with_unknowns(value, "");
        let unknown: Vec<Vec<String>> = unknown.iter().map(|path| path.iter().skip(1).map(step).collect()).collect();
        let mut problems = Vec::new();
        for error in self.validator.iter_errors(&instance) {
            self.add(&error, &unknown, &mut problems);
        }
        problems
    }

    fn add(&self, error: &ValidationError<'_>, unknown: &[Vec<String>], problems: &mut Vec<Problem>) {
        let steps = steps(error);
        let depends = |path: &Vec<String>| path.iter().zip(&steps).all(|(left, right)| left == right);
        if unknown.iter().any(depends) {
            return;
        }
        let located = located(&self.properties, &steps);
        if is_said_anyway(error.kind(), &located, &self.properties, steps.is_empty()) {
            return;
        }
        if let Some(branch) = alternatives::meant(error) {
            return branch.iter().for_each(|error| self.add(error, unknown, problems));
        }
        let rule = words::rule(error, &self.schema, located.sensitive);
        let problem = Problem { path: located.path, rule };
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
}

/// Checks one value by itself, such as an argument.
pub(super) struct ValueChecker(Checker);

impl ValueChecker {
    /// A value of any schema is checked as the only member of an object.
    pub fn new(schema: &Json, place: &Place<'_>) -> Result<Self, TypedError> {
        let mut whole = json!({ "type": "object", "properties": { VALUE: schema } });
        // References start from the root of the document.
        if let (Some(members), Some(inner)) = (whole.as_object_mut(), schema.as_object()) {
            for name in ["$defs", "definitions"] {
                if let Some(definitions) = inner.get(name) {
                    members.insert(name.to_owned(), definitions.clone());
                }
            }
        }
        Ok(Self(Checker::new(&whole, &[], place)?))
    }

    /// What is wrong with it: where in it, and which rule it breaks.
    pub fn check(&self, value: &Value) -> Vec<String> {
        let whole = Value::object([(VALUE, value.clone())]);
        let (instance, _) = values::to_json_with_unknowns(&whole, "");
        let said = self.0.validator.iter_errors(&instance).map(|error| {
            let place = steps(&error).iter().skip(1).fold(String::new(), |place, step| match step.parse::<usize>() {
                Ok(index) => format!("{place}[{index}]"),
                Err(_) => format!("{place}.{step}"),
            });
            let place = place.trim_start_matches('.');
            let rule = words::rule(&error, &self.0.schema, false);
            if place.is_empty() { rule } else { format!("`{place}` {rule}") }
        });
        said.collect()
    }
}

/// What a single value is called while it is checked.
const VALUE: &str = "value";

/// All problems as diagnostics.
pub(super) fn diagnostics(problems: &[Problem]) -> Diagnostics {
    problems.iter().map(Problem::diagnostic).collect()
}

/// The steps to what is wrong.
fn steps(error: &ValidationError<'_>) -> Vec<String> {
    let pointer = error.instance_path().as_str();
    pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect()
}

fn step(step: &Json) -> String {
    step.as_str().map_or_else(|| step.to_string(), str::to_owned)
}

/// Whether Terraform or the framework says the same by itself, from the attribute's type or annotations.
fn is_said_anyway(kind: &ValidationErrorKind, located: &Located<'_>, root: &[Property], is_root: bool) -> bool {
    match kind {
        ValidationErrorKind::Required { property } => {
            let properties = match located.shape {
                Some(Shape::Object(properties)) => properties,
                None if is_root => root,
                _ => return false,
            };
            let name = property.as_str().unwrap_or_default();
            properties.iter().any(|property| *property.script == *name && property.must_be_given())
        }
        ValidationErrorKind::Enum { .. }
        | ValidationErrorKind::Constant { .. }
        | ValidationErrorKind::AnyOf { .. }
        | ValidationErrorKind::OneOfNotValid { .. } => {
            located.property.is_some_and(|property| !property.facts.allowed.is_empty())
        }
        _ => false,
    }
}
