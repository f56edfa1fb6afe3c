//! Values and JSON as text for people: compact, cut where they would flood the screen, and never a secret.

use denobridge_core::cty::{Value, ValueKind};
use serde_json::Value as Json;

/// Longest text of one value, in characters.
const LONGEST_VALUE: usize = 160;
/// A part of JSON that ends by this column stays on one line.
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
    match value.kind() {
        // That something is not known yet is no secret.
        ValueKind::Unknown(..) => text.push_str("(known after apply)"),
        _ if !value.marks().is_empty() => text.push_str("(sensitive)"),
        ValueKind::Null(_) => text.push_str("null"),
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

/// JSON text, each part of it on one line if it fits, else spread; cut when there are too many lines.
pub(super) fn json(text: &str) -> String {
    let Ok(parsed) = serde_json::from_str::<Json>(text) else { return cut(text) };
    let mut lines = Vec::new();
    let last = lay_out(&parsed, String::new(), 0, &mut lines);
    lines.push(last);
    let count = lines.len();
    lines.truncate(MOST_LINES);
    if count > MOST_LINES {
        lines.push(format!("… ({} more lines)", count - MOST_LINES));
    }
    lines.join("\n")
}

/// Adds the lines of `json` to `lines`, the first of which starts with `start`, and returns the unfinished last one.
fn lay_out(json: &Json, start: String, indent: usize, lines: &mut Vec<String>) -> String {
    let on_one_line = one_line(json);
    let parts: Vec<(String, &Json)> = match json {
        _ if start.chars().count() + on_one_line.chars().count() <= ONE_LINE => return start + &on_one_line,
        Json::Object(members) => members.iter().map(|(name, value)| (format!("{}: ", quoted(name)), value)).collect(),
        Json::Array(items) => items.iter().map(|item| (String::new(), item)).collect(),
        _ => return start + &cut(&on_one_line),
    };
    let (open, close) = if json.is_object() { ('{', '}') } else { ('[', ']') };
    lines.push(format!("{start}{open}"));
    let inner = indent + 2;
    let count = parts.len();
    for (index, (name, value)) in parts.into_iter().enumerate() {
        let line = lay_out(value, format!("{}{name}", " ".repeat(inner)), inner, lines);
        lines.push(if index + 1 < count { line + "," } else { line });
    }
    format!("{}{close}", " ".repeat(indent))
}

fn one_line(json: &Json) -> String {
    match json {
        Json::Object(members) => {
            let members = members.iter().map(|(name, value)| format!("{}: {}", quoted(name), one_line(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Json::Array(items) => format!("[{}]", items.iter().map(one_line).collect::<Vec<_>>().join(", ")),
        leaf => leaf.to_string(),
    }
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
    fn json_is_spread_only_where_it_must_be() {
        assert_eq!(json(r#"{"a":1,"b":[true,null]}"#), r#"{"a": 1, "b": [true, null]}"#);
        let long = "x".repeat(60);
        let shown = json(&format!(r#"{{"inner":{{"a":"{long}","b":"{long}"}},"short":{{"c":[1]}}}}"#));
        let expected = format!(
            "{{\n  \"inner\": {{\n    \"a\": \"{long}\",\n    \"b\": \"{long}\"\n  }},\n  \"short\": {{\"c\": [1]}}\n}}"
        );
        assert_eq!(shown, expected);
    }

    #[test]
    fn long_json_is_cut() {
        let many = serde_json::to_string(&(0..100).collect::<Vec<_>>()).unwrap();
        let shown = json(&many);
        assert_eq!((shown.lines().next(), shown.lines().last()), (Some("["), Some("… (62 more lines)")));
        assert_eq!(json("not json"), "not json");
    }
}
