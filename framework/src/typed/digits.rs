//! Numbers keep their digits on their way through a model.
//!
//! A field of type `f64` holds the double that is nearest to what the user wrote, and Terraform compares all digits:
//! `1 - 0.99` has 154 of them, and a state that has the double's seventeen instead is "inconsistent" to it.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::{Number, Value, ValueKind};

use crate::model::ToValue;

/// A value that a model was made of, and what the model has kept of it.
pub(super) struct Given {
    exact: Value,
    held: Value,
}

impl Given {
    /// `model` was made of `exact`.
    pub(super) fn to(exact: &Value, model: &impl ToValue) -> Self {
        Self { exact: exact.clone(), held: model.to_value() }
    }

    /// `made`, with all digits of the numbers that were given, wherever it has what the model has kept of them. Elements of
    /// lists are compared by place.
    pub(super) fn complete(&self, made: Value) -> Value {
        complete(made, &self.held, &self.exact)
    }

    /// The same for one attribute.
    pub(super) fn complete_attribute(&self, name: &str, made: Value) -> Value {
        match (self.held.attribute(name), self.exact.attribute(name)) {
            (Some(held), Some(exact)) => complete(made, held, exact),
            _ => made,
        }
    }
}

fn complete(made: Value, held: &Value, exact: &Value) -> Value {
    if held == exact {
        return made;
    }
    let kind = match (made.kind(), held.kind(), exact.kind()) {
        (ValueKind::Number(number), ValueKind::Number(held), ValueKind::Number(exact)) if number == held => {
            ValueKind::Number(exact.clone())
        }
        (ValueKind::List(ty, items), ValueKind::List(_, held), ValueKind::List(_, exact)) => {
            ValueKind::List(ty.clone(), by_place(items, held, exact))
        }
        (ValueKind::Tuple(items), ValueKind::Tuple(held), ValueKind::Tuple(exact)) => {
            ValueKind::Tuple(by_place(items, held, exact))
        }
        (ValueKind::Map(ty, entries), ValueKind::Map(_, held), ValueKind::Map(_, exact)) => {
            ValueKind::Map(ty.clone(), by_name(entries, held, exact))
        }
        (ValueKind::Object(entries), ValueKind::Object(held), ValueKind::Object(exact)) => {
            ValueKind::Object(by_name(entries, held, exact))
        }
        (ValueKind::Set(ty, items), ValueKind::Set(_, held), ValueKind::Set(_, exact)) => {
            Value::set(ty.clone(), by_likeness(items, held, exact)).into_kind()
        }
        _ => return made,
    };
    Value::from(kind).with_marks(made.marks())
}

fn by_place(items: &[Value], held: &[Value], exact: &[Value]) -> Arc<Vec<Value>> {
    let mut given = held.iter().zip(exact);
    let one = |item: &Value| match given.next() {
        Some((held, exact)) => complete(item.clone(), held, exact),
        None => item.clone(),
    };
    Arc::new(items.iter().map(one).collect())
}

type Entries = BTreeMap<Arc<str>, Value>;

fn by_name(entries: &Entries, held: &Entries, exact: &Entries) -> Arc<Entries> {
    let one = |(name, value): (&Arc<str>, &Value)| {
        let value = match (held.get(name), exact.get(name)) {
            (Some(held), Some(exact)) => complete(value.clone(), held, exact),
            _ => value.clone(),
        };
        (name.clone(), value)
    };
    Arc::new(entries.iter().map(one).collect())
}

/// Elements of sets have no place: one that the model has held, but that was not given so, is the one that was given and of
/// which a double is left.
fn by_likeness(items: &[Value], held: &[Value], exact: &[Value]) -> Vec<Value> {
    let given: Vec<&Value> = exact.iter().filter(|exact| !held.contains(exact)).collect();
    let shortened = held.iter().filter(|held| !exact.contains(held));
    let is_left = |held: &Value, exact: &Value| agree(held, exact, &is_left_of);
    let pairs: Vec<(&Value, &Value)> =
        shortened.filter_map(|held| Some((held, *given.iter().find(|exact| is_left(held, exact))?))).collect();
    let one = |item: &Value| {
        // What was unknown is known now.
        let is_held = |held: &Value| agree(item, held, &|item, held| item == held || !held.is_known());
        match pairs.iter().find(|(held, _)| is_held(held)) {
            Some((held, exact)) => complete(item.clone(), held, exact),
            None => item.clone(),
        }
    };
    items.iter().map(one).collect()
}

/// Whether the number is the exact one but for what a double has no room for; what is no number must be the same.
fn is_left_of(item: &Value, exact: &Value) -> bool {
    match (item.as_number(), exact.as_number()) {
        (Some(number), Some(exact)) => number == exact || Number::from_f64(exact.to_f64()).as_ref() == Some(number),
        _ => item == exact,
    }
}

/// Whether two values have the same parts, of which each two agree.
fn agree(left: &Value, right: &Value, leaves: &impl Fn(&Value, &Value) -> bool) -> bool {
    if let (Some(left), Some(right)) = (left.as_entries(), right.as_entries()) {
        return left.len() == right.len()
            && left
                .iter()
                .zip(right)
                .all(|((name, left), (other, right))| name == other && agree(left, right, leaves));
    }
    if let (Some(left), Some(right)) = (left.as_elements(), right.as_elements()) {
        return left.len() == right.len() && left.iter().zip(right).all(|(left, right)| agree(left, right, leaves));
    }
    leaves(left, right)
}

#[cfg(test)]
mod tests {
    use denobridge_core::cty::{Marks, Type};

    use super::*;
    use crate::prelude::*;

    /// 1 - 0.99 as Terraform computes it, shortened.
    const EXACT: &str = "0.01000000000000000000000000000000000003";

    fn number(text: &str) -> Value {
        Value::number(text.parse::<Number>().unwrap())
    }

    #[derive(Model)]
    struct Prices {
        #[tf(required)]
        one: f64,
        #[tf(required)]
        list: Vec<f64>,
        #[tf(required)]
        pair: (f64, String),
        #[tf(required)]
        map: BTreeMap<String, f64>,
        #[tf(required)]
        sets: Vec<Vec<f64>>,
        #[tf(blocks = "set")]
        rule: Vec<Rule>,
        secret: Option<Secret<f64>>,
        #[tf(required)]
        exact: Number,
        #[tf(required)]
        whole: i64,
    }

    #[derive(Model)]
    struct Rule {
        #[tf(computed)]
        id: Tf<String>,
        #[tf(required)]
        name: String,
        #[tf(required)]
        cost: f64,
    }

    fn prices(text: &str) -> Value {
        let rule = |name: &str| {
            let id = Value::unknown(Type::String);
            Value::object([("id", id), ("name", Value::string(name)), ("cost", number(text))])
        };
        Value::object([
            ("one", number(text)),
            ("list", Value::list(Type::Number, [Value::number(1), number(text)])),
            ("pair", Value::tuple([number(text), Value::string("a")])),
            ("map", Value::map(Type::Number, [("a", number(text))])),
            ("sets", Value::list(Type::list(Type::Number), [Value::list(Type::Number, [number(text)])])),
            ("rule", Value::set(rule("a").ty(), [rule("a"), rule("b")])),
            ("secret", number(text)),
            ("exact", number("0.0100000000000000000000000000000000000000000001")),
            ("whole", number("9007199254740993")),
        ])
    }

    fn completed(given: &Value, change: impl Fn(&mut Prices)) -> Value {
        let mut model = Prices::from_value(given).unwrap();
        let given = Given::to(given, &model);
        change(&mut model);
        given.complete(model.to_value())
    }

    #[test]
    fn what_a_double_has_no_room_for_is_kept_wherever_it_is() {
        for text in [EXACT, "0.25", "340282346638528859811704183484516925440"] {
            let completed = completed(&prices(text), |_| ());
            assert_eq!(completed.attribute("secret").map(Value::marks), Some(Marks::SENSITIVE));
            assert_eq!(completed.without_marks_deep(), prices(text));
        }
    }

    #[test]
    fn what_a_provider_has_changed_stays_changed() {
        let attribute = |change: fn(&mut Prices), name: &str| {
            completed(&prices(EXACT), change).attribute(name).unwrap().clone().without_marks_deep()
        };
        assert_eq!(attribute(|prices| prices.one = 0.02, "one"), number("0.02"));
        assert_eq!(attribute(|prices| prices.list[1] += 1.0, "list").as_elements().unwrap()[1], number("1.01"));
        // Exact numbers are what they say, also where a double would be the same.
        assert_eq!(attribute(|prices| prices.exact = "0.01".parse().unwrap(), "exact"), number("0.01"));
        assert_eq!(attribute(|prices| prices.whole -= 1, "whole"), number("9007199254740992"));
        let rules = attribute(|prices| prices.rule[0].cost = 5.0, "rule");
        let costs = rules.as_elements().unwrap().iter().map(|rule| rule.attribute("cost").unwrap().clone());
        assert_eq!(costs.collect::<Vec<_>>(), [number(EXACT), number("5")]);
        let rules = attribute(|prices| prices.rule[1].id = "x".into(), "rule");
        let known = rules.as_elements().unwrap().iter().find(|rule| rule.attribute("id") == Some(&Value::string("x")));
        assert_eq!(known.unwrap().attribute("cost"), Some(&number(EXACT)), "what was unknown is known now");
        let longer = attribute(|prices| prices.list.push(0.01), "list");
        assert_eq!(longer.as_elements().unwrap()[1..], [number(EXACT), number("0.01")]);
    }

    #[test]
    fn elements_of_a_set_stay_apart() {
        let set = |texts: &[&str]| Value::set(Type::Number, texts.iter().map(|text| number(text)));
        let (exact, held) = (set(&[EXACT, "0.5", "7"]), set(&["0.01", "0.5", "7"]));
        assert_eq!(complete(set(&["0.01", "7"]), &held, &exact), set(&[EXACT, "7"]));
        assert_eq!(complete(set(&["0.02"]), &held, &exact), set(&["0.02"]));
        // Which of the two is left, nobody knows.
        let (exact, held) = (set(&[EXACT, "0.01"]), set(&["0.01"]));
        assert_eq!(complete(set(&["0.01"]), &held, &exact), set(&["0.01"]));
    }
}
