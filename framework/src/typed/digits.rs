//! Numbers keep their digits on their way through a model.
//!
//! A field of type `f64` holds the double that is nearest to what the user wrote, and Terraform compares all digits:
//! `1 - 0.99` has 154 of them, and a state that has the double's seventeen instead is "inconsistent" to it.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use denobridge_core::cty::{Number, Value, ValueKind};

/// `made`, with the numbers of `given` wherever a model can only have rounded them. Elements of lists are compared by place,
/// and an element of a set with any element that it can have been.
pub(super) fn kept(made: Value, given: &Value) -> Value {
    if made == *given {
        return made;
    }
    let kind = match (made.kind(), given.kind()) {
        (ValueKind::Number(number), ValueKind::Number(exact)) if is_rounded(number, exact) => {
            ValueKind::Number(exact.clone())
        }
        (ValueKind::List(ty, items), ValueKind::List(_, given)) => ValueKind::List(ty.clone(), by_place(items, given)),
        (ValueKind::Tuple(items), ValueKind::Tuple(given)) => ValueKind::Tuple(by_place(items, given)),
        (ValueKind::Map(ty, entries), ValueKind::Map(_, given)) => ValueKind::Map(ty.clone(), by_name(entries, given)),
        (ValueKind::Object(entries), ValueKind::Object(given)) => ValueKind::Object(by_name(entries, given)),
        (ValueKind::Set(ty, items), ValueKind::Set(_, given)) => {
            Value::set(ty.clone(), by_likeness(items, given)).into_kind()
        }
        _ => return made,
    };
    Value::from(kind).with_marks(made.marks())
}

/// Whether `number` is what is left of `exact` in a double.
fn is_rounded(number: &Number, exact: &Number) -> bool {
    Number::from_f64(exact.to_f64()).as_ref() == Some(number)
}

fn by_place(items: &[Value], given: &[Value]) -> Arc<Vec<Value>> {
    let mut given = given.iter();
    let one = |item: &Value| given.next().map_or_else(|| item.clone(), |given| kept(item.clone(), given));
    Arc::new(items.iter().map(one).collect())
}

fn by_name(entries: &BTreeMap<Arc<str>, Value>, given: &BTreeMap<Arc<str>, Value>) -> Arc<BTreeMap<Arc<str>, Value>> {
    let one = |(name, value): (&Arc<str>, &Value)| {
        let value = given.get(name).map_or_else(|| value.clone(), |given| kept(value.clone(), given));
        (name.clone(), value)
    };
    Arc::new(entries.iter().map(one).collect())
}

fn by_likeness(items: &[Value], given: &[Value]) -> Vec<Value> {
    let made: HashSet<&Value> = items.iter().collect();
    let changed: Vec<&Value> = given.iter().filter(|given| !made.contains(given)).collect();
    let rounded_from = |item: &Value| changed.iter().copied().find(|given| kept(item.clone(), given) == **given);
    items.iter().map(|item| rounded_from(item).unwrap_or(item).clone()).collect()
}

#[cfg(test)]
mod tests {
    use denobridge_core::cty::Type;

    use super::*;

    /// 1 - 0.99 as Terraform computes it, shortened.
    const EXACT: &str = "0.01000000000000000000000000000000000003";

    fn number(text: &str) -> Value {
        Value::number(text.parse::<Number>().unwrap())
    }

    fn around(number: Value) -> Value {
        let set = Value::set(Type::Number, [number.clone(), Value::number(7)]);
        let rule = Value::object([("cost", number.clone()), ("name", Value::string("a"))]);
        let rules = Value::set(rule.ty(), [rule.clone()]);
        Value::object([
            ("one", number.clone()),
            ("list", Value::list(Type::Number, [Value::number(1), number.clone()])),
            ("tuple", Value::tuple([number.clone()])),
            ("map", Value::map(Type::Number, [("a", number)])),
            ("set", set),
            ("rules", rules),
        ])
    }

    #[test]
    fn what_a_double_has_rounded_keeps_its_digits_wherever_it_is() {
        assert_eq!(kept(around(number("0.01")), &around(number(EXACT))), around(number(EXACT)));
        let max = "340282346638528859811704183484516925440";
        assert_eq!(kept(number("340282346638528860000000000000000000000"), &number(max)), number(max));
    }

    #[test]
    fn what_a_provider_has_changed_stays_changed() {
        for made in [number("0.02"), number("0.010000000000000002"), Value::null(Type::Number), Value::string("0.01")] {
            assert_eq!(kept(made.clone(), &number(EXACT)), made);
        }
        assert_eq!(kept(around(number("0.02")), &around(number(EXACT))), around(number("0.02")));
        let longer = Value::list(Type::Number, [number("0.01"), number("0.01")]);
        let given = Value::list(Type::Number, [number(EXACT)]);
        assert_eq!(kept(longer, &given), Value::list(Type::Number, [number(EXACT), number("0.01")]));
    }
}
