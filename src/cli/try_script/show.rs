//! Values and JSON as text for people: compact, cut where they would flood the screen, and never a secret.

use denobridge_core::cty::{Value, ValueKind};

/// Longest text of one value, in characters.
const LONGEST_VALUE: usize = 160;
/// JSON up to this many characters stays on one line.
const ONE_LINE: usize = 100;
/// JSON of more lines than this is cut.
const MOST_LINES: usize = 40;

/// A value on one line.
pub(super) fn value(value: &Value) -> String {
    let mut text = String::new();
    write_value(value, &mut text);
    cut(&text)
}

fn write_value(value: &Value, text: &mut String) {
    if !value.marks().is_empty() {
        return text.push_str("(sensitive)");
    }
    match value.kind() {
        ValueKind::Null(_) => text.push_str("null"),
        ValueKind::Unknown(..) => text.push_str("(known after apply)"),
        ValueKind::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        ValueKind::Number(value) => text.push_str(&value.to_string()),
        ValueKind::String(value) => text.push_str(&quoted(value)),
        ValueKind::List(_, items) | ValueKind::Set(_, items) | ValueKind::Tuple(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index > 0 { ", " } else { "" });
                write_value(item, text);
            }
            text.push(']');
        }
        ValueKind::Map(_, entries) | ValueKind::Object(entries) => {
            text.push('{');
            for (index, (key, item)) in entries.iter().enumerate() {
                text.push_str(if index > 0 { ", " } else { "" });
                text.push_str(&quoted(key));
                text.push_str(": ");
                write_value(item, text);
            }
            text.push('}');
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST_VALUE) {
        None => text.to_owned(),
        Some((end, _)) => {
            let left = text[end..].chars().count();
            format!("{}… ({left} more characters)", &text[..end])
        }
    }
}

/// JSON text on one line if it is short, else in lines of their own, cut when there are too many.
pub(super) fn json(text: &str) -> String {
    if text.chars().count() <= ONE_LINE {
        return text.to_owned();
    }
    let Ok(parsed) = serde_json::from_str::<serde_json::Value>(text) else { return cut(text) };
    let pretty = serde_json::to_string_pretty(&parsed).unwrap_or_else(|_| text.to_owned());
    let lines: Vec<&str> = pretty.lines().collect();
    let mut shown: Vec<String> = lines.iter().take(MOST_LINES).map(|line| cut(line)).collect();
    if lines.len() > MOST_LINES {
        shown.push(format!("… ({} more lines)", lines.len() - MOST_LINES));
    }
    shown.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use denobridge_core::cty::{Marks, Type};

    #[test]
    fn values_are_json_with_words_for_what_json_lacks() {
        let object = Value::object([
            ("list", Value::tuple([Value::number(1), Value::bool(true), Value::null(Type::String)])),
            ("open", Value::unknown(Type::String)),
            ("pin", Value::string("hunter2").with_marks(Marks::SENSITIVE)),
            ("text", Value::string("a\"b\n")),
        ]);
        assert_eq!(
            value(&object),
            r#"{"list": [1, true, null], "open": (known after apply), "pin": (sensitive), "text": "a\"b\n"}"#
        );
    }

    #[test]
    fn long_texts_are_cut() {
        let shown = value(&Value::string("x".repeat(1000)));
        assert!(shown.ends_with("… (842 more characters)"), "{shown}");
    }

    #[test]
    fn long_json_is_spread_and_cut() {
        assert_eq!(json(r#"{"a":1}"#), r#"{"a":1}"#);
        let many = serde_json::to_string(&(0..100).collect::<Vec<_>>()).unwrap();
        let shown = json(&many);
        assert_eq!((shown.lines().next(), shown.lines().last()), (Some("["), Some("… (62 more lines)")));
    }
}
