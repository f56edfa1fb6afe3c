//! Where two recorded messages differ.

use serde_json::Value as Json;

use super::placeholders::HIDDEN;
use crate::cty::Number;

/// One place where two messages are not the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where, as in `config.tags["a"]`; empty for the whole.
    pub path: String,
    /// What is recorded there; none if nothing is.
    pub recorded: Option<Json>,
    /// What is there now; none if nothing is.
    pub now: Option<Json>,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown = |json: &Option<Json>| json.as_ref().map_or_else(|| "nothing".to_owned(), Json::to_string);
        let path = if self.path.is_empty() { "the whole message" } else { &self.path };
        write!(f, "{path}: recorded {}, now {}", shown(&self.recorded), shown(&self.now))
    }
}

/// The places where two messages differ, as deep inside as can be said. Numbers are compared as numbers, and text that holds
/// a JSON object by what it holds. What was hidden when it was recorded is the same as anything but nothing.
#[must_use]
pub fn differences(recorded: &Json, now: &Json) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(recorded, now, &mut String::new(), &mut found);
    found
}

fn compare(recorded: &Json, now: &Json, path: &mut String, found: &mut Vec<Difference>) {
    match (recorded, now) {
        (Json::Object(one), now) if one.contains_key(HIDDEN) && !now.is_null() => {}
        (Json::Object(one), Json::Object(other)) => {
            for (name, recorded) in one {
                within(path, &member(name), |path| match other.get(name) {
                    Some(now) => compare(recorded, now, path, found),
                    None => found.push(Difference { path: path.clone(), recorded: Some(recorded.clone()), now: None }),
                });
            }
            for (name, now) in other.iter().filter(|(name, _)| !one.contains_key(*name)) {
                within(path, &member(name), |path| {
                    found.push(Difference { path: path.clone(), recorded: None, now: Some(now.clone()) });
                });
            }
        }
        (Json::Array(one), Json::Array(other)) if one.len() == other.len() => {
            for (index, (recorded, now)) in one.iter().zip(other).enumerate() {
                within(path, &format!("[{index}]"), |path| compare(recorded, now, path, found));
            }
        }
        (Json::String(one), Json::String(other)) if one != other => match (object_in(one), object_in(other)) {
            (Some(recorded), Some(now)) => compare(&recorded, &now, path, found),
            _ => found.push(different(recorded, now, path)),
        },
        _ if is_same(recorded, now) => {}
        _ => found.push(different(recorded, now, path)),
    }
}

fn different(recorded: &Json, now: &Json, path: &str) -> Difference {
    Difference { path: path.to_owned(), recorded: Some(recorded.clone()), now: Some(now.clone()) }
}

fn is_same(recorded: &Json, now: &Json) -> bool {
    let number = |json: &Json| match json {
        Json::Number(number) => number.as_str().parse::<Number>().ok(),
        _ => None,
    };
    recorded == now || number(recorded).is_some_and(|one| Some(one) == number(now))
}

fn object_in(text: &str) -> Option<Json> {
    serde_json::from_str(text).ok().filter(Json::is_object)
}

fn member(name: &str) -> String {
    let is_plain = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if is_plain { format!(".{name}") } else { format!("[{name:?}]") }
}

fn within(path: &mut String, step: &str, then: impl FnOnce(&mut String)) {
    let length = path.len();
    let step = if path.is_empty() { step.trim_start_matches('.') } else { step };
    path.push_str(step);
    then(path);
    path.truncate(length);
}
