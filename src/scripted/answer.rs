//! What a script answered, member by member. A member that is absent and one that is null are the same.

use std::fmt;

use denobridge_core::cty::{Type, Value};
use serde_json::{Map, Value as Json};
use thiserror::Error;

use super::values::{self, ValueError};

/// Why an answer cannot be used. Never quotes a value.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(super) enum WrongAnswer {
    /// The answer as a whole is of another type.
    #[error("the answer must be an object, not {0}")]
    NoObject(Kind),
    /// A member is of another type.
    #[error("`{member}` must be {wanted}, not {found}")]
    Member {
        /// The member, as one would write it in the script.
        member: String,
        /// The type that it must have.
        wanted: &'static str,
        /// The type that it has.
        found: Kind,
    },
    /// A member cannot be stored.
    #[error("`{member}` cannot be stored: {error}")]
    Value {
        /// The member.
        member: &'static str,
        /// What is wrong with it.
        error: ValueError,
    },
}

/// The type of a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    pub fn of(json: &Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(_) => Self::Boolean,
            Json::Number(_) => Self::Number,
            Json::String(_) => Self::String,
            Json::Array(_) => Self::Array,
            Json::Object(_) => Self::Object,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        })
    }
}

/// The members of an answer.
#[derive(Debug, Default)]
pub(super) struct Answer(Map<String, Json>);

/// Members of the contract; whatever else is in an answer may be a state or result that was put there by mistake.
const CONTRACT: [&str; 12] = [
    "id",
    "props",
    "state",
    "sensitiveState",
    "result",
    "sensitiveResult",
    "renewAt",
    "privateData",
    "exists",
    "done",
    "diagnostics",
    "jsonrpc",
];

impl Answer {
    /// Takes an answer apart; null is an answer without members.
    pub fn read(json: Json) -> Result<Self, WrongAnswer> {
        match json {
            Json::Object(members) => Ok(Self(members)),
            Json::Null => Ok(Self(Map::new())),
            other => Err(WrongAnswer::NoObject(Kind::of(&other))),
        }
    }

    /// Whether nothing was answered.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A member of any type.
    pub fn get(&self, member: &str) -> Option<&Json> {
        self.0.get(member).filter(|json| !json.is_null())
    }

    /// A member that must be a string.
    pub fn text(&self, member: &str) -> Result<Option<&str>, WrongAnswer> {
        self.get(member).map(|json| json.as_str().ok_or_else(|| wrong(member, "a string", json))).transpose()
    }

    /// A member that must be true or false.
    pub fn flag(&self, member: &str) -> Result<Option<bool>, WrongAnswer> {
        self.get(member).map(|json| json.as_bool().ok_or_else(|| wrong(member, "a boolean", json))).transpose()
    }

    /// What is said to the user, and what is wrong with the rest of what was to be said.
    pub fn diagnostics(&self) -> (Vec<Reported>, Vec<WrongAnswer>) {
        let Some(json) = self.get("diagnostics") else { return (Vec::new(), Vec::new()) };
        let Some(items) = json.as_array() else { return (Vec::new(), vec![wrong("diagnostics", "an array", json)]) };
        let mut said = (Vec::new(), Vec::new());
        for (index, item) in items.iter().enumerate() {
            match Reported::read(index, item) {
                Ok(reported) => said.0.push(reported),
                Err(wrong) => said.1.push(wrong),
            }
        }
        said
    }

    /// Puts right what the published TypeScript library makes of a result that has diagnostics beside it: it sends the
    /// whole as it is, without splitting `sensitive` off the state or result, and that of an update or a data source
    /// without the member around it. `open` and `secret` are the names of the two parts in the contract.
    pub fn repair(&mut self, open: &str, secret: &str) {
        if self.get("diagnostics").is_none() {
            return;
        }
        if !self.0.contains_key(open) {
            let stray: Vec<String> = self.0.keys().filter(|name| !CONTRACT.contains(&name.as_str())).cloned().collect();
            if !stray.is_empty() {
                let members = stray.into_iter().filter_map(|name| self.0.remove_entry(&name)).collect();
                self.0.insert(open.to_owned(), Json::Object(members));
            }
        }
        if self.get(secret).is_none()
            && let Some(Json::Object(members)) = self.0.get_mut(open)
            && let Some(sensitive) = members.remove("sensitive")
        {
            self.0.insert(secret.to_owned(), sensitive);
        }
    }

    /// A member as a value that takes the place of `prior`.
    pub fn value(&self, member: &'static str, prior: &Value) -> Result<Value, WrongAnswer> {
        let Some(json) = self.get(member) else { return Ok(Value::null(Type::Dynamic)) };
        let value = if prior.is_known() { values::reconcile(prior, json) } else { values::from_json(json) };
        value.map_err(|error| WrongAnswer::Value { member, error })
    }
}

fn wrong(member: impl Into<String>, wanted: &'static str, found: &Json) -> WrongAnswer {
    WrongAnswer::Member { member: member.into(), wanted, found: Kind::of(found) }
}

/// A diagnostic as a script reported it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reported {
    /// Text of the script's choice; the contract knows `error` and `warning`.
    pub severity: String,
    pub summary: String,
    pub detail: String,
    /// Where, as names and positions; empty for the whole.
    pub prop_path: Vec<Json>,
}

impl Reported {
    fn read(index: usize, json: &Json) -> Result<Self, WrongAnswer> {
        let member = |name: &str| format!("diagnostics[{index}]{}{name}", if name.is_empty() { "" } else { "." });
        let Json::Object(members) = json else { return Err(wrong(member(""), "an object", json)) };
        let text = |name: &str| match members.get(name) {
            None | Some(Json::Null) => Ok(String::new()),
            Some(Json::String(text)) => Ok(text.clone()),
            Some(other) => Err(wrong(member(name), "a string", other)),
        };
        let prop_path = match members.get("propPath") {
            None | Some(Json::Null) => Vec::new(),
            Some(Json::Array(steps)) => {
                let is_step = |step: &&Json| !step.is_string() && !step.is_u64();
                if let Some(step) = steps.iter().find(is_step) {
                    return Err(wrong(member("propPath[]"), "a string", step));
                }
                steps.clone()
            }
            Some(other) => return Err(wrong(member("propPath"), "an array of strings", other)),
        };
        let (mut summary, mut detail) = (text("summary")?, text("detail")?);
        if summary.is_empty() {
            // A title is what the user sees first, so there is always one.
            summary = std::mem::take(&mut detail);
        }
        if summary.is_empty() {
            summary = "The script reported a problem and did not say which".to_owned();
        }
        Ok(Self { severity: text("severity")?, summary, detail, prop_path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(json: Json) -> Answer {
        Answer::read(json).unwrap()
    }

    #[test]
    fn wrong_types_are_named_with_their_member() {
        let message = |error: WrongAnswer| error.to_string();
        assert_eq!(message(Answer::read(json!([1])).unwrap_err()), "the answer must be an object, not an array");
        let answer = read(json!({"id": 5, "exists": "no", "diagnostics": [{"summary": []}]}));
        assert_eq!(message(answer.text("id").unwrap_err()), "`id` must be a string, not a number");
        assert_eq!(message(answer.flag("exists").unwrap_err()), "`exists` must be a boolean, not a string");
        let error = answer.diagnostics().1.remove(0);
        assert_eq!(message(error), "`diagnostics[0].summary` must be a string, not an array");
        let error = read(json!({"diagnostics": {}})).diagnostics().1.remove(0);
        assert_eq!(message(error), "`diagnostics` must be an array, not an object");
        let error = read(json!({"diagnostics": ["x"]})).diagnostics().1.remove(0);
        assert_eq!(message(error), "`diagnostics[0]` must be an object, not a string");
    }

    #[test]
    fn nothing_is_an_answer_without_members() {
        assert!(read(Json::Null).is_empty());
        assert_eq!(read(json!({"id": null})).text("id"), Ok(None));
    }

    #[test]
    fn a_state_beside_diagnostics_is_split_as_it_should_have_been() {
        let warning = json!([{"severity": "warning", "summary": "s"}]);
        let mut create = read(json!({"id": "x", "state": {"a": 1, "sensitive": {"t": 2}}, "diagnostics": warning}));
        create.repair("state", "sensitiveState");
        assert_eq!(create.get("state"), Some(&json!({"a": 1})));
        assert_eq!(create.get("sensitiveState"), Some(&json!({"t": 2})));
        let mut update = read(json!({"a": 1, "sensitive": {"t": 2}, "diagnostics": warning}));
        update.repair("state", "sensitiveState");
        assert_eq!(update.get("state"), Some(&json!({"a": 1})));
        assert_eq!(update.get("sensitiveState"), Some(&json!({"t": 2})));
    }

    #[test]
    fn a_result_beside_diagnostics_is_found_where_it_is() {
        let warning = json!([{"severity": "warning", "summary": "s"}]);
        let mut bare = read(json!({"a": 1, "sensitive": {"t": 2}, "diagnostics": warning}));
        bare.repair("result", "sensitiveResult");
        assert_eq!(bare.get("result"), Some(&json!({"a": 1})));
        assert_eq!(bare.get("sensitiveResult"), Some(&json!({"t": 2})));
        let mut open = read(json!({"result": {"a": 1, "sensitive": 2}, "renewAt": 3, "diagnostics": warning}));
        open.repair("result", "sensitiveResult");
        assert_eq!(open.get("result"), Some(&json!({"a": 1})));
        assert_eq!(open.get("sensitiveResult"), Some(&json!(2)));
    }

    #[test]
    fn what_is_right_is_left_alone() {
        let given = json!({"state": {"sensitive": 1}, "sensitiveState": {"t": 2}, "diagnostics": []});
        let mut answer = read(given.clone());
        answer.repair("state", "sensitiveState");
        assert_eq!(Json::Object(answer.0), given);
        let given = json!({"state": {"sensitive": 1}});
        let mut answer = read(given.clone());
        answer.repair("state", "sensitiveState");
        assert_eq!(Json::Object(answer.0), given);
    }
}
