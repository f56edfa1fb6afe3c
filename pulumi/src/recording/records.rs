//! The records that we keep among the outputs of a resource, such as `__meta`: JSON in a text. What they hold is read again
//! when the recording is played, so what stands for a secret in them has the form that is read there.
//!
//! | member | what stands for it |
//! |---|---|
//! | `private`, `private_state`: private data in base64 | the placeholder of the data, in base64 |
//! | `types` | itself: types hold no values |
//! | `numbers`: digits that no double holds | nothing where the number is a secret: its placeholder is a double |
//! | other texts of a secret record | their placeholders |

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use denobridge_core::recording::Placeholders;
use serde_json::{Map, Value as Json};

use crate::property_value::wire::{SIGNATURE_KEY, is_secret_signature};

/// Replaces the secrets in records.
pub(super) struct Records<'a> {
    pub(super) placeholders: &'a Placeholders,
    /// Whether they are of an answer of ours; see [`Placeholders::hide_part`].
    pub(super) is_answer: bool,
}

impl Records<'_> {
    /// Replaces the secrets in a record, which is a secret as a whole or is not. Whether anything is left of it: where the
    /// recording is played, an empty record is not written.
    pub(super) fn conceal(&self, record: &mut Json) -> bool {
        match record {
            Json::String(text) => self.clear(text),
            Json::Object(members) if is_secret_signature(members) => match members.get_mut("value") {
                Some(Json::String(text)) => return self.secret(text),
                Some(other) => self.whole(other),
                None => {}
            },
            _ => {}
        }
        true
    }

    fn clear(&self, text: &mut String) {
        let Some(mut record) = object_in(text) else { return };
        if self.private(&mut record) {
            *text = Json::Object(record).to_string();
        }
    }

    fn secret(&self, text: &mut String) -> bool {
        let Some(mut record) = object_in(text) else {
            *text = self.placeholders.text(text);
            return true;
        };
        self.private(&mut record);
        self.numbers(&mut record);
        let others = record.iter_mut().filter(|(name, _)| *name != "types" && *name != "numbers" && !is_private(name));
        others.for_each(|(_, member)| self.leaves(member));
        *text = Json::Object(record).to_string();
        text != "{}"
    }

    /// Replaces private data. It is known by itself too from then on, as a provider is given it.
    fn private(&self, record: &mut Map<String, Json>) -> bool {
        let mut found = false;
        for (_, private) in record.iter_mut().filter(|(name, _)| is_private(name)) {
            match private.as_str().map(|text| STANDARD.decode(text)) {
                Some(Ok(bytes)) => *private = STANDARD.encode(self.placeholders.bytes(&bytes)).into(),
                _ => self.placeholders.replace(private),
            }
            found = true;
        }
        found
    }

    fn numbers(&self, record: &mut Map<String, Json>) {
        let Some(Json::Object(numbers)) = record.get_mut("numbers") else { return };
        numbers.retain(|_, digits| {
            let number = digits.as_str().and_then(|digits| serde_json::from_str::<Json>(digits).ok());
            let Some(mut number) = number.filter(Json::is_number) else {
                self.leaves(digits);
                return true;
            };
            self.replace(&mut number);
            *digits = number;
            !digits.is_number()
        });
        if numbers.is_empty() {
            record.shift_remove("numbers");
        }
    }

    /// Replaces a record that is no text: every value in it.
    fn whole(&self, json: &mut Json) {
        match json {
            Json::Array(items) => items.iter_mut().for_each(|item| self.whole(item)),
            Json::Object(members) => {
                let members = members.iter_mut().filter(|(name, _)| *name != SIGNATURE_KEY);
                members.for_each(|(_, member)| self.whole(member));
            }
            Json::String(_) => self.leaves(json),
            other => self.replace(other),
        }
    }

    /// Replaces a value that is a secret, or a part of one in an answer.
    pub(super) fn replace(&self, json: &mut Json) {
        match self.is_answer {
            true => self.placeholders.hide_part(json),
            false => self.placeholders.replace(json),
        }
    }

    /// Replaces the texts in a part of a record, some of which have a form that is known already.
    fn leaves(&self, json: &mut Json) {
        match json {
            Json::String(text) => {
                let masked = self.placeholders.masked(text);
                match masked == *text {
                    true if self.is_answer => self.placeholders.hide_part(json),
                    true => *text = self.placeholders.text(text),
                    false => *text = masked,
                }
            }
            Json::Array(items) => items.iter_mut().for_each(|item| self.leaves(item)),
            Json::Object(members) => members.values_mut().for_each(|member| self.leaves(member)),
            _ => {}
        }
    }
}

/// Whether a record keeps private data under that name: in our own form, or in that of the Go bridge.
fn is_private(name: &str) -> bool {
    matches!(name, "private" | "private_state")
}

fn object_in(text: &str) -> Option<Map<String, Json>> {
    serde_json::from_str(text).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";

    fn concealed(placeholders: &Placeholders, is_answer: bool, record: &Json) -> Option<Json> {
        let mut json = json!({SIGNATURE_KEY: SECRET, "value": record.to_string()});
        let is_left = Records { placeholders, is_answer }.conceal(&mut json);
        is_left.then(|| serde_json::from_str(json["value"].as_str().unwrap()).unwrap())
    }

    /// The first that a process sees of private data may be what the engine has kept of it.
    #[test]
    fn private_data_is_private_data_when_it_is_played() {
        let placeholders = Placeholders::default();
        let private = r#"{"digest":"canary","pin":1234567}"#;
        let of_placeholder = STANDARD.encode(r#"{"digest":"denobridge-secret-1","pin":900000001}"#);
        let record = json!({"private": STANDARD.encode(private)});
        for is_answer in [false, true] {
            let expected = json!({"private": of_placeholder});
            assert_eq!(concealed(&placeholders, is_answer, &record), Some(expected));
        }
        // The provider is told the same.
        assert_eq!(placeholders.bytes(private.as_bytes()), r#"{"digest":"denobridge-secret-1","pin":900000001}"#);
    }

    #[test]
    fn private_data_in_a_record_in_clear_is_replaced_too() {
        let placeholders = Placeholders::default();
        let of_placeholder = STANDARD.encode("denobridge-secret-1");
        for name in ["private", "private_state"] {
            let mut record = json!(json!({"form": 1, name: STANDARD.encode("canary")}).to_string());
            assert!(Records { placeholders: &placeholders, is_answer: false }.conceal(&mut record));
            assert_eq!(record, json!({"form": 1, name: of_placeholder}).to_string());
        }
    }

    /// Types are read, and digits are kept of numbers only that no double holds.
    #[test]
    fn what_is_known_of_values_is_so_of_their_placeholders() {
        let placeholders = Placeholders::default();
        let exact = "0.1000000000000000055";
        let types = json!({"props": ["object", {"pin": "number"}]});
        let record = json!({"types": types, "numbers": {"/props/pin": exact}});
        assert_eq!(concealed(&placeholders, false, &record), Some(json!({"types": types})));
        assert_eq!(concealed(&placeholders, true, &record), Some(json!({"types": types})));
        assert_eq!(concealed(&placeholders, false, &json!({"numbers": {"/pin": exact}})), None);
        // The double beside the record and the exact number at the provider are the same.
        let mut numbers: Json = serde_json::from_str(&format!("[0.1, {exact}]")).unwrap();
        placeholders.replace(&mut numbers);
        assert_eq!(numbers, json!([900_000_001, 900_000_001]));
        let beside = json!({"numbers": {"/props/size": "0.2000000000000000055"}});
        let hidden = json!({"numbers": {"/props/size": {"$hidden": true}}});
        assert_eq!(concealed(&placeholders, true, &beside), Some(hidden));
    }
}
