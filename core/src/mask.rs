//! Keeping secrets out of what people read: wherever the text of a secret value stands in a message or a log line, the
//! reader sees [`MASK`], also where the text is escaped in JSON, in a printed object or in an address.

pub(crate) mod spellings;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::call::{LogLevel, LogSink};
use crate::cty::{Marks, Value, ValueKind};
use crate::planning::{is_sensitive, mark_sensitive};
use crate::schema::Block;
use crate::{Call, Diagnostic, Diagnostics};

/// What stands where a secret would.
pub const MASK: &str = "(sensitive)";

/// Shorter secrets are masked only where they stand as a word of their own: a secret "a" must not make text unreadable.
pub(crate) const SHORT: usize = 4;

/// The texts that must not be shown, the longest first: so of two secrets one inside the other nothing is left over. They are
/// kept in the order in which they are looked for, since that is done for every line that is written.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secrets(BTreeSet<Secret>);

/// A text that must not be shown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Secret {
    length: Reverse<usize>,
    text: String,
    /// Masked only where it stands as a word of its own, because the secret, which may be escaped here, is [`SHORT`].
    is_short: bool,
}

impl Secret {
    fn new(text: String, is_short: bool) -> Self {
        Self { length: Reverse(text.len()), text, is_short }
    }
}

impl Secrets {
    /// The texts of everything in a value that its schema calls sensitive or write-only.
    #[must_use]
    pub fn of(block: &Block, value: &Value) -> Self {
        let mut secrets = Self::default();
        secrets.add(block, value);
        secrets
    }

    /// Adds the secrets of another value.
    pub fn add(&mut self, block: &Block, value: &Value) {
        self.collect(&mark_sensitive(block, value), false);
    }

    /// Adds a text.
    pub fn add_text(&mut self, text: &str) {
        pieces(text).for_each(|piece| self.insert_text(piece));
    }

    /// Those that are masked wherever they stand. Who remembers secrets beyond a call keeps these only: a short one, such as
    /// the number 2, would be missing from what is said of everything else.
    #[must_use]
    pub fn long(&self) -> Self {
        Self(self.0.iter().filter(|secret| !secret.is_short).cloned().collect())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the texts of a value, all of which is secret.
    pub fn add_all(&mut self, value: &Value) {
        self.collect(value, true);
    }

    /// Adds the texts of the parts of a value that have a mark.
    pub fn add_marked(&mut self, value: &Value) {
        self.collect(value, false);
    }

    /// Adds other secrets.
    pub fn extend(&mut self, other: &Self) {
        self.0.extend(other.0.iter().cloned());
    }

    /// The text without secrets.
    #[must_use]
    pub fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut masked = Cow::Borrowed(text);
        for secret in &self.0 {
            if masked.contains(secret.text.as_str()) {
                masked = Cow::Owned(without(&masked, secret));
            }
        }
        masked
    }

    /// JSON without secrets: they are taken out of its texts, names and numbers, and it stays JSON.
    #[must_use]
    pub fn mask_json(&self, json: Json) -> Json {
        match json {
            Json::String(text) => Json::String(self.mask(&text).into_owned()),
            Json::Number(number) => match self.mask(&number.to_string()) {
                Cow::Borrowed(_) => Json::Number(number),
                Cow::Owned(masked) => Json::String(masked),
            },
            Json::Array(items) => items.into_iter().map(|item| self.mask_json(item)).collect(),
            Json::Object(members) => {
                let members = members.into_iter();
                Json::Object(
                    members.map(|(name, value)| (self.mask(&name).into_owned(), self.mask_json(value))).collect(),
                )
            }
            other => other,
        }
    }

    /// Adds whatever stands under the name of a sensitive attribute in a stored object, which may be of another version of
    /// the schema.
    pub fn add_stored(&mut self, block: &Block, stored: &Json) {
        for attribute in block.attributes.iter().filter(|attribute| is_sensitive(attribute)) {
            self.collect_stored(&stored[&*attribute.name]);
        }
    }

    /// A call whose log shows no secrets, whatever is written to it.
    #[must_use]
    pub fn out_of_log(&self, call: Call) -> Call {
        if self.0.is_empty() {
            return call;
        }
        let log = MaskedLog { log: Arc::clone(call.log_sink()), secrets: self.clone() };
        call.with_log(Arc::new(log))
    }

    /// The messages without secrets.
    #[must_use]
    pub fn mask_diagnostics(&self, diagnostics: Diagnostics) -> Diagnostics {
        if self.0.is_empty() {
            return diagnostics;
        }
        let masked = diagnostics.into_iter().map(|diagnostic| Diagnostic {
            summary: self.mask(&diagnostic.summary).into_owned(),
            detail: self.mask(&diagnostic.detail).into_owned(),
            ..diagnostic
        });
        masked.collect()
    }

    fn insert_text(&mut self, text: &str) {
        let is_short = text.len() < SHORT;
        self.0.extend(spellings::spellings(text).into_iter().map(|spelling| Secret::new(spelling, is_short)));
        self.0.insert(Secret::new(text.to_owned(), is_short));
    }

    fn insert_number(&mut self, number: String) {
        let is_short = number.len() < SHORT;
        self.0.insert(Secret::new(number, is_short));
    }

    fn collect_stored(&mut self, stored: &Json) {
        match stored {
            Json::String(text) => self.add_text(text),
            Json::Number(number) => self.insert_number(number.to_string()),
            Json::Array(items) => items.iter().for_each(|item| self.collect_stored(item)),
            Json::Object(entries) => entries.values().for_each(|entry| self.collect_stored(entry)),
            _ => {}
        }
    }

    fn collect(&mut self, value: &Value, sensitive: bool) {
        let sensitive = sensitive || !value.marks().is_empty();
        match value.kind() {
            ValueKind::String(text) if sensitive => self.add_text(text),
            ValueKind::Number(number) if sensitive => self.insert_number(number.to_string()),
            _ => value.children().for_each(|child| self.collect(child, sensitive)),
        }
    }
}

/// A log without secrets.
struct MaskedLog {
    log: Arc<dyn LogSink>,
    secrets: Secrets,
}

impl LogSink for MaskedLog {
    fn enabled(&self, level: LogLevel) -> bool {
        self.log.enabled(level)
    }

    fn log(&self, level: LogLevel, module: &str, message: &str, fields: &[(&str, &str)]) {
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, self.secrets.mask(value))).collect();
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, &**value)).collect();
        self.log.log(level, module, &self.secrets.mask(message), &fields);
    }
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} secrets", self.0.len())
    }
}

/// Every text by which a secret is recognised: as messages quote it, and escaped as it stands in JSON, in a printed object or
/// in an address.
#[must_use]
pub fn forms(secret: &str) -> BTreeSet<String> {
    let forms = pieces(secret).flat_map(|piece| {
        let mut forms = spellings::spellings(piece);
        forms.insert(piece.to_owned());
        forms
    });
    forms.collect()
}

/// How messages quote a secret: without the white space around it, and one of several lines by the line. Short lines are
/// those of the form (braces, separators), and no secrets by themselves.
pub(crate) fn pieces(secret: &str) -> impl Iterator<Item = &str> {
    let lines = secret.lines().map(str::trim).filter(|line| line.len() >= SHORT);
    std::iter::once(secret.trim()).filter(|whole| !whole.is_empty()).chain(lines)
}

/// Whether what stands between these is no part of a word.
pub(crate) fn stands_alone(previous: Option<char>, after: &str) -> bool {
    let part_of_word = |neighbour: Option<char>| neighbour.is_some_and(char::is_alphanumeric);
    !part_of_word(previous) && !part_of_word(after.chars().next())
}

fn without(text: &str, Secret { text: secret, is_short, .. }: &Secret) -> String {
    if !is_short {
        return text.replace(secret, MASK);
    }
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(secret.as_str()) {
        let (before, after) = (&rest[..at], &rest[at + secret.len()..]);
        let previous = before.chars().next_back().or_else(|| masked.chars().next_back());
        masked.push_str(before);
        masked.push_str(if stands_alone(previous, after) { MASK } else { secret });
        rest = after;
    }
    masked.push_str(rest);
    masked
}

/// A value as it may be logged: every marked part is [`MASK`] as a whole, whatever is in it; unknown values say so.
#[must_use]
pub fn shown(value: &Value) -> Json {
    if value.marks() != Marks::NONE {
        return Json::String(MASK.to_owned());
    }
    match value.kind() {
        ValueKind::Null(_) => Json::Null,
        ValueKind::Unknown(..) => Json::String("(unknown)".to_owned()),
        ValueKind::Bool(value) => Json::Bool(*value),
        ValueKind::Number(number) => Json::String(number.to_string()),
        ValueKind::String(text) => Json::String(text.to_string()),
        ValueKind::List(_, items) | ValueKind::Set(_, items) | ValueKind::Tuple(items) => {
            Json::Array(items.iter().map(shown).collect())
        }
        ValueKind::Map(_, entries) | ValueKind::Object(entries) => {
            Json::Object(entries.iter().map(|(name, value)| (name.to_string(), shown(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cty::Type;
    use crate::schema::Attribute;

    fn block() -> Block {
        let mut keys = Attribute::new("keys", Type::map(Type::list(Type::String)));
        (keys.optional, keys.sensitive) = (true, true);
        let mut name = Attribute::new("name", Type::String);
        name.required = true;
        Block { attributes: vec![keys, name], ..Block::default() }
    }

    fn value() -> Value {
        let texts = Value::list(Type::String, ["canary-1", "x"].map(Value::string));
        Value::object([
            ("keys", Value::map(Type::list(Type::String), [("k", texts)])),
            ("name", Value::string("visible")),
        ])
    }

    #[test]
    fn f61_whole_sensitive_values_are_masked_however_deep() {
        let marked = mark_sensitive(&block(), &value());
        assert_eq!(shown(&marked), serde_json::json!({"keys": MASK, "name": "visible"}));
    }

    #[test]
    fn f61_texts_lose_their_secrets_and_nothing_else() {
        let secrets = Secrets::of(&block(), &value());
        for (text, masked) in [
            ("the key canary-1 of visible", "the key (sensitive) of visible"),
            ("canary-1canary-1", "(sensitive)(sensitive)"),
            ("x of xylophone, box (x)", "(sensitive) of xylophone, box ((sensitive))"),
        ] {
            assert_eq!(secrets.mask(text), masked);
        }
        assert_eq!(format!("{secrets:?}"), "2 secrets");
        assert_eq!(secrets.long().mask("x and canary-1"), "x and (sensitive)");
    }

    #[test]
    fn secrets_of_several_lines_are_masked_line_by_line_and_the_longest_first() {
        let mut secrets = Secrets::default();
        for secret in ["hunter2", "hunter2-and-more", "KEY START\n  abcdef\n}\n"] {
            secrets.add_text(secret);
        }
        let text = "a: hunter2, hunter2-and-more, abcdef }";
        assert_eq!(secrets.mask(text), "a: (sensitive), (sensitive), (sensitive) }");
    }

    #[test]
    fn secrets_are_masked_however_they_are_escaped() {
        let mut secrets = Secrets::default();
        for secret in ["PASS\"word", "back\\slash\tab", "two\nlines \"a\"\n", "a\"b"] {
            secrets.add_text(secret);
        }
        let props =
            serde_json::json!({"p": "PASS\"word", "b": "back\\slash\tab", "l": "two\nlines \"a\"\n", "s": "a\"b"});
        let masked = r#"{"p":"(sensitive)","b":"(sensitive)","l":"(sensitive)\n","s":"(sensitive)"}"#;
        assert_eq!(secrets.mask(&props.to_string()), masked);
        let body = serde_json::json!({"body": props.to_string()}).to_string();
        let masked = r#"{"body":"{\"p\":\"(sensitive)\",\"b\":\"(sensitive)\",\"l\":\"(sensitive)\\n\",\"s\":\"(sensitive)\"}"}"#;
        assert_eq!(secrets.mask(&body), masked);
        let printed = r#"{ p: 'PASS"word', b: "back\\slash\tab", s: 'a"b', x: 'xa"bx' } ?p=PASS%22word"#;
        let masked = r#"{ p: '(sensitive)', b: "(sensitive)", s: '(sensitive)', x: 'xa"bx' } ?p=(sensitive)"#;
        assert_eq!(secrets.mask(printed), masked);
        assert_eq!(
            secrets.long().mask(r#"PASS\"word a\"b"#),
            r#"(sensitive) a\"b"#,
            "short ones are short escaped, too"
        );
    }

    #[test]
    fn json_stays_json_without_its_secrets() {
        let mut secrets = Secrets::default();
        secrets.add_text("hunter2");
        secrets.add_text("12345");
        let json = serde_json::json!({"a": ["my hunter2", 12345, 1, null], "hunter2": true});
        let masked = serde_json::json!({"a": ["my (sensitive)", "(sensitive)", 1, null], "(sensitive)": true});
        assert_eq!(secrets.mask_json(json), masked);
    }

    #[test]
    fn f61_stored_secrets_of_another_version_are_secrets() {
        let mut secrets = Secrets::default();
        secrets.add_stored(&block(), &serde_json::json!({"keys": {"k": ["canary-1", 12345]}, "name": "visible"}));
        assert_eq!(secrets.mask("canary-1 and 12345 of visible"), "(sensitive) and (sensitive) of visible");
    }

    #[test]
    fn f61_secrets_stay_out_of_the_log() {
        #[derive(Default)]
        struct Lines(std::sync::Mutex<Vec<String>>);
        impl LogSink for Lines {
            fn enabled(&self, level: LogLevel) -> bool {
                level > LogLevel::Debug
            }

            fn log(&self, _: LogLevel, module: &str, message: &str, fields: &[(&str, &str)]) {
                self.0.lock().unwrap().push(format!("{module}: {message} {fields:?}"));
            }
        }
        let lines = Arc::new(Lines::default());
        let call = Secrets::of(&block(), &value()).out_of_log(Call::new().with_log(Arc::clone(&lines) as _));
        call.log(LogLevel::Debug, "test", "not even asked");
        call.log_sink().log(LogLevel::Info, "test", "got canary-1", &[("key", "canary-1"), ("name", "visible")]);
        let expected = r#"test: got (sensitive) [("key", "(sensitive)"), ("name", "visible")]"#;
        assert_eq!(*lines.0.lock().unwrap(), [expected]);
    }
}
