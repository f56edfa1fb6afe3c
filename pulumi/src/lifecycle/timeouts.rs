//! The `timeouts` of a resource, which the user's `customTimeouts` fill where the program leaves them unset.
//!
//! A provider stops by itself after a time of its own choosing, often minutes before the user's limit, unless its `timeouts`
//! say otherwise. What is filled in is for one plan and its apply: it is no part of what the program has said, so it is in
//! no preview and no state, where the next plan would take it for a change.

use std::sync::Arc;
use std::time::Duration;

use denobridge_core::cty::{Type, Value};
use denobridge_core::schema::{AttributeType, Block, Nesting};

use super::Operation;

/// What providers call it.
const TIMEOUTS: &str = "timeouts";

/// What a provider calls the time of operations that it does not name.
const DEFAULT: &str = "default";

impl Operation {
    /// A configuration or state with this operation's limit in its `timeouts`; `None` where there is nothing to fill in.
    pub(super) fn with_limit(&self, block: &Block, value: &Value) -> Option<Value> {
        let limit = self.timeout().filter(|_| !value.is_null())?;
        let Type::Object(members) = timeouts_type(block)? else { return None };
        let name =
            [self.verb(), DEFAULT].into_iter().find(|name| members.attributes.get(*name) == Some(&Type::String))?;
        let given = value.attribute(TIMEOUTS).filter(|given| !given.is_null());
        let given = match given {
            Some(given) if !given.is_known() => return None,
            Some(given) => given.clone(),
            None => {
                Value::object(members.attributes.iter().map(|(name, ty)| (Arc::clone(name), Value::null(ty.clone()))))
            }
        };
        given.attribute(name).is_none_or(Value::is_null).then(|| {
            let filled = given.with_attribute(name, Value::string(duration(limit)));
            value.clone().with_attribute(TIMEOUTS, filled)
        })
    }
}

/// What the program has said of timeouts, if something was filled in beside it.
pub(super) fn said(filled: bool, value: &Value) -> Option<Value> {
    value.attribute(TIMEOUTS).filter(|_| filled).cloned()
}

/// A state with what the program has said of timeouts.
pub(super) fn restored(value: Value, said: Option<&Value>) -> Value {
    match said {
        Some(said) if value.attribute(TIMEOUTS).is_some() => value.with_attribute(TIMEOUTS, said.clone()),
        _ => value,
    }
}

/// The type of `timeouts`, where it is one object: a block in providers of both kinds, or an attribute.
fn timeouts_type(block: &Block) -> Option<Type> {
    if let Some(nested) = block.nested_block(TIMEOUTS) {
        return (nested.nesting == Nesting::Single).then(|| nested.block.implied_type());
    }
    let attribute = block.attribute(TIMEOUTS)?;
    let settable = attribute.optional || attribute.required;
    match &attribute.ty {
        AttributeType::Nested(nested) if nested.nesting == Nesting::Single => Some(attribute.implied_type()),
        AttributeType::Plain(ty @ Type::Object(_)) => Some(ty.without_optional()),
        _ => None,
    }
    .filter(|_| settable)
}

/// A duration as Go reads it.
fn duration(limit: Duration) -> String {
    let milliseconds = limit.as_millis().max(1);
    if milliseconds.is_multiple_of(1000) { format!("{}s", milliseconds / 1000) } else { format!("{milliseconds}ms") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_those_of_go() {
        assert_eq!(duration(Duration::from_secs(5400)), "5400s");
        assert_eq!(duration(Duration::from_millis(1500)), "1500ms");
        assert_eq!(duration(Duration::from_micros(10)), "1ms");
    }
}
