//! What stands for secrets in a recording.
//!
//! The same secret has the same placeholder wherever it stands, so that a recording can be played, and a placeholder tells
//! nothing of its secret: it only says in which order they were found. Placeholders have the type of what they stand for.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use serde_json::{Value as Json, json};

use crate::cty::Number;
use crate::mask::spellings::in_json;
use crate::mask::{self, SHORT};

/// What the placeholders of texts begin with; a number follows.
const TEXT: &str = "denobridge-secret-";

/// Placeholders of numbers count from here: integers that every number type holds, and that rarely mean anything.
const FIRST_NUMBER: u64 = 900_000_001;

/// Names of members are replaced for secrets of this length only: a name is far more often the name of a property.
const LONG_TEXT: usize = 8;

/// Shorter numbers are secrets only at their own place: there are too many others that are the same by chance.
const LONG_NUMBER: usize = 5;

/// Members that say what kind of value an object is, and hold none. The last is Pulumi's signature of special objects.
const OF_THE_FORM: [&str; 3] = ["$unknown", "$type", "4dabf18193072939515e22adb298388d"];

/// The member of the object that stands for what is hidden: `{"$hidden": true}`.
pub(super) const HIDDEN: &str = "$hidden";

/// The secrets of a process and what stands for them.
#[derive(Default)]
pub struct Placeholders(Mutex<Known>);

#[derive(Default)]
struct Known {
    count: u64,
    texts: BTreeMap<String, String>,
    /// The texts and their other forms by first byte, the longest first.
    by_start: HashMap<u8, Vec<(String, String)>>,
    /// What stands for numbers, and for the doubles that are nearest to them.
    numbers: HashMap<Number, u64>,
    /// How many placeholders of numbers there are.
    number_count: u64,
    /// Hashes of the texts that were recorded as they are, but for secrets in them. Where two have the same hash, a part of a
    /// secret whole is hidden without being looked for elsewhere.
    clear: HashSet<u64>,
    /// Which of the two stands for false: the first secret that is a bool does.
    first_bool: Option<bool>,
}

impl Placeholders {
    /// The placeholder of a text, which is a secret from now on. Nothing is the placeholder of nothing.
    pub fn text(&self, secret: &str) -> String {
        self.known().secret_text(secret)
    }

    /// The placeholder of bytes that are a secret as a whole.
    pub fn bytes(&self, secret: &[u8]) -> String {
        match std::str::from_utf8(secret) {
            Ok(text) => self.text(text),
            Err(_) => self.known().bytes(secret),
        }
    }

    /// Replaces everything in `json` that could tell something: it is all one secret.
    pub fn replace(&self, json: &mut Json) {
        self.known().replace(json);
    }

    /// Replaces the secrets that are known, wherever else they stand: also as a part of longer texts, inside of JSON text
    /// and in base64. Members of these names are left as they are, at the top.
    pub fn mask(&self, json: &mut Json, except: &[&str]) {
        let mut known = self.known();
        match json {
            Json::Object(members) => {
                let members = members.iter_mut().filter(|(name, _)| !except.contains(&name.as_str()));
                members.for_each(|(_, member)| known.mask(member));
            }
            other => known.mask(other),
        }
    }

    /// Replaces a part of an answer that is called secret as a whole because something in it is. What is known to be secret
    /// has its placeholder, and a text that was never recorded in clear gets one. Of the rest nobody can say whether it is
    /// the secret or stands beside it: it is [`HIDDEN`] here, and as it is elsewhere.
    pub fn hide_part(&self, json: &mut Json) {
        let mut known = self.known();
        match json {
            Json::Null => {}
            Json::String(text) if text.is_empty() || known.is_secret_text(text) => known.replace(json),
            Json::Number(number) if known.is_secret_number(number) => known.replace(json),
            Json::Array(_) | Json::Object(_) => known.replace(json),
            _ => *json = json!({HIDDEN: true}),
        }
    }

    /// A text without the secrets that are known.
    #[must_use]
    pub fn masked(&self, text: &str) -> String {
        self.known().masked(text, 0)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // Whatever has panicked, the maps are whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn is_secret_text(&self, text: &str) -> bool {
        self.texts.contains_key(text) || placeholder_at(text) == Some(text.len()) || !self.clear.contains(&hash(text))
    }

    fn is_secret_number(&self, number: &serde_json::Number) -> bool {
        number.as_str().parse().is_ok_and(|number| self.numbers.contains_key(&number))
    }

    fn text(&mut self, secret: &str) -> String {
        if secret.is_empty() || placeholder_at(secret) == Some(secret.len()) {
            return secret.to_owned();
        }
        if let Some(placeholder) = self.texts.get(secret) {
            return placeholder.clone();
        }
        let placeholder = self.json_text(secret).unwrap_or_else(|| {
            self.count += 1;
            format!("{TEXT}{}", self.count)
        });
        self.texts.insert(secret.to_owned(), placeholder.clone());
        if is_short_number(secret) {
            return placeholder;
        }
        self.insert(secret.to_owned(), placeholder.clone());
        let escaped = (in_json(secret), in_json(&placeholder));
        for (form, of_placeholder) in [(in_json(&escaped.0), in_json(&escaped.1)), escaped] {
            self.insert(form, of_placeholder);
        }
        self.insert_encoded(secret.as_bytes(), &placeholder);
        placeholder
    }

    /// The placeholder of JSON text is JSON with placeholders in it: whoever gets it may read what is in it.
    fn json_text(&mut self, secret: &str) -> Option<String> {
        let mut json = secret.starts_with(['{', '[']).then(|| serde_json::from_str::<Json>(secret).ok())??;
        self.replace(&mut json);
        Some(json.to_string())
    }

    fn replace(&mut self, json: &mut Json) {
        match json {
            Json::Null => {}
            Json::Bool(value) => *value = *self.first_bool.get_or_insert(*value) != *value,
            Json::Number(number) => {
                if let Ok(secret) = number.as_str().parse() {
                    *json = self.number(secret).into();
                }
            }
            Json::String(text) => *text = self.secret_text(text),
            Json::Array(items) => items.iter_mut().for_each(|item| self.replace(item)),
            Json::Object(members) => {
                let members = members.iter_mut().filter(|(name, _)| !OF_THE_FORM.contains(&name.as_str()));
                members.for_each(|(_, member)| self.replace(member));
            }
        }
    }

    /// The placeholder of a text, and those of the pieces by which messages quote it.
    fn secret_text(&mut self, secret: &str) -> String {
        let placeholder = self.text(secret);
        mask::pieces(secret).for_each(|piece| drop(self.text(piece)));
        placeholder
    }

    /// What is no text stands in texts in base64 only.
    fn bytes(&mut self, secret: &[u8]) -> String {
        let placeholder = self.text(&STANDARD.encode(secret));
        self.by_start.values_mut().for_each(|known| known.retain(|(_, stands_for_it)| *stands_for_it != placeholder));
        self.insert_encoded(secret, &placeholder);
        placeholder
    }

    fn insert_encoded(&mut self, secret: &[u8], placeholder: &str) {
        for engine in [STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD] {
            let form = engine.encode(secret);
            if form.len() >= SHORT {
                self.insert(form, engine.encode(placeholder));
            }
        }
    }

    fn insert(&mut self, secret: String, placeholder: String) {
        let Some(start) = secret.bytes().next() else { return };
        let same_start = self.by_start.entry(start).or_default();
        if same_start.iter().any(|(known, _)| *known == secret) {
            return;
        }
        let at = same_start.partition_point(|(known, _)| known.len() >= secret.len());
        same_start.insert(at, (secret, placeholder));
    }

    fn number(&mut self, secret: Number) -> u64 {
        let next = FIRST_NUMBER + self.number_count;
        let is_placeholder = |number: &Number| {
            number
                .to_i64()
                .is_some_and(|number| u64::try_from(number).is_ok_and(|number| (FIRST_NUMBER..next).contains(&number)))
        };
        if is_placeholder(&secret) {
            return secret.to_i64().and_then(|number| u64::try_from(number).ok()).unwrap_or(next);
        }
        if let Some(placeholder) = self.numbers.get(&secret) {
            return *placeholder;
        }
        // Pulumi has doubles where providers have all digits: both are the same secret.
        let double = Number::from_f64(secret.to_f64());
        let known = double.as_ref().and_then(|double| self.numbers.get(double)).copied();
        let placeholder = known.unwrap_or(next);
        self.number_count += u64::from(known.is_none());
        let text = secret.to_string();
        if text.len() >= LONG_NUMBER {
            self.insert(text, placeholder.to_string());
        }
        self.numbers.extend(double.map(|double| (double, placeholder)));
        self.numbers.insert(secret, placeholder);
        placeholder
    }

    fn mask(&mut self, json: &mut Json) {
        match json {
            Json::String(text) => {
                self.clear.insert(hash(text));
                *text = self.masked(text, 0);
            }
            Json::Number(number) if number.as_str().trim_end_matches(".0").len() >= LONG_NUMBER => {
                let known = number.as_str().parse().ok().and_then(|number| self.numbers.get(&number));
                if let Some(placeholder) = known {
                    *json = (*placeholder).into();
                }
            }
            Json::Array(items) => items.iter_mut().for_each(|item| self.mask(item)),
            Json::Object(members) => {
                let named = std::mem::take(members).into_iter().map(|(name, mut member)| {
                    self.mask(&mut member);
                    (self.masked(&name, LONG_TEXT), member)
                });
                *members = named.collect();
            }
            _ => {}
        }
    }

    /// The text without secrets of at least `least` bytes. One pass, so that no placeholder is looked into.
    fn masked(&self, text: &str, least: usize) -> String {
        let mut masked = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.bytes().next() {
            if let Some(length) = placeholder_at(rest) {
                masked.push_str(&rest[..length]);
                rest = &rest[length..];
                continue;
            }
            let same_start = self.by_start.get(&first).into_iter().flatten();
            let previous = text[..text.len() - rest.len()].chars().next_back();
            let found = same_start.filter(|(secret, _)| secret.len() >= least).find(|(secret, _)| {
                rest.starts_with(secret.as_str())
                    && (secret.len() >= SHORT || mask::stands_alone(previous, &rest[secret.len()..]))
            });
            match found {
                Some((secret, placeholder)) => {
                    masked.push_str(placeholder);
                    rest = &rest[secret.len()..];
                }
                None => {
                    let next = rest.chars().next().map_or(1, char::len_utf8);
                    masked.push_str(&rest[..next]);
                    rest = &rest[next..];
                }
            }
        }
        masked
    }
}

/// Whether a text is a number that stands in too many other places by chance, such as the version of a schema, to be looked
/// for there.
fn is_short_number(text: &str) -> bool {
    text.len() < SHORT && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The length of the placeholder that the text begins with.
fn placeholder_at(text: &str) -> Option<usize> {
    let number = text.strip_prefix(TEXT)?;
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then_some(TEXT.len() + digits)
}
