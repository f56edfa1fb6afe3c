//! A configuration file as it was written, whatever its syntax.

use std::path::Path;

#[cfg(test)]
use std::fmt;

use super::hcl;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Text(String),
    Number(String),
    Flag(bool),
    List(Vec<Value>),
    Body(Body),
    /// JSON's.
    Null,
}

/// What is between braces.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Body {
    pub(super) items: Vec<Item>,
}

/// A value with its name, and for blocks with its labels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Item {
    /// The name and the labels.
    pub(super) keys: Vec<String>,
    /// Where it begins; 0 when that is not known.
    pub(super) line: usize,
    pub(super) value: Value,
}

/// Reads a file: JSON when its name ends so or it begins with a brace, as in HCL 1.
pub(super) fn read(path: &Path, text: &str) -> Result<Body, String> {
    let is_json = path.extension().is_some_and(|extension| extension == "json") || text.trim_start().starts_with('{');
    if !is_json {
        return hcl::parse(text);
    }
    let json: serde_json::Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match from_json(json, 0)? {
        Value::Body(body) => Ok(body),
        _ => Err("it is no JSON object".to_owned()),
    }
}

/// Objects deeper than this are refused, before the stack is.
const DEPTH: usize = 64;

fn from_json(json: serde_json::Value, depth: usize) -> Result<Value, String> {
    if depth == DEPTH {
        return Err("it is nested too deeply".to_owned());
    }
    Ok(match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(flag) => Value::Flag(flag),
        serde_json::Value::Number(number) => Value::Number(number.to_string()),
        serde_json::Value::String(text) => Value::Text(text),
        serde_json::Value::Array(values) => {
            let values = values.into_iter().map(|value| from_json(value, depth + 1));
            Value::List(values.collect::<Result<_, _>>()?)
        }
        serde_json::Value::Object(members) => {
            let item = |(key, value)| Ok(Item { keys: vec![key], line: 0, value: from_json(value, depth + 1)? });
            Value::Body(Body { items: members.into_iter().map(item).collect::<Result<_, String>>()? })
        }
    })
}

impl Body {
    /// The value with a name; the last one when there are several.
    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        let named = |item: &&Item| matches!(item.keys.as_slice(), [key] if key == name);
        self.items.iter().rfind(named).map(|item| &item.value).filter(|value| **value != Value::Null)
    }

    /// Blocks with a name and no label. In JSON a list of objects is a list of blocks.
    pub(super) fn blocks(&self, name: &str) -> Vec<&Body> {
        let named = self.items.iter().filter(|item| matches!(item.keys.as_slice(), [key] if key == name));
        named.flat_map(|item| item.value.bodies()).collect()
    }

    /// Blocks with a name and one label: `name "label" { … }`, or nested as in JSON.
    pub(super) fn labelled(&self, name: &str) -> Vec<(&str, &Body)> {
        let mut blocks = Vec::new();
        for item in self.items.iter().filter(|item| item.keys.first().is_some_and(|key| key == name)) {
            match item.keys.as_slice() {
                [_, label] => blocks.extend(item.value.bodies().into_iter().map(|body| (label.as_str(), body))),
                [_] => blocks.extend(item.value.bodies().into_iter().flat_map(Self::as_labels)),
                _ => {}
            }
        }
        blocks
    }

    fn as_labels(&self) -> impl Iterator<Item = (&str, &Self)> {
        let labelled = |item: &'_ Item| matches!(item.keys.as_slice(), [_]);
        self.items
            .iter()
            .filter(move |item| labelled(item))
            .flat_map(|item| item.value.bodies().into_iter().map(|body| (item.keys[0].as_str(), body)))
    }

    /// Text with a name.
    ///
    /// # Errors
    /// It is something else.
    pub(super) fn text(&self, name: &str) -> Result<Option<&str>, String> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(_) => Err(format!("\"{name}\" must be text")),
        }
    }

    /// A whole number with a name.
    ///
    /// # Errors
    /// It is something else.
    pub(super) fn number(&self, name: &str) -> Result<Option<u32>, String> {
        let number = match self.value(name) {
            None => return Ok(None),
            Some(Value::Number(number) | Value::Text(number)) => number.parse().ok(),
            Some(_) => None,
        };
        number.map(Some).ok_or_else(|| format!("\"{name}\" must be a whole number"))
    }

    /// Texts with a name; none when it is not there.
    ///
    /// # Errors
    /// It is something else than a list of texts.
    pub(super) fn texts(&self, name: &str) -> Result<Vec<&str>, String> {
        let values = match self.value(name) {
            None => return Ok(Vec::new()),
            Some(Value::List(values)) => values,
            Some(_) => return Err(format!("\"{name}\" must be a list of texts")),
        };
        let texts: Option<Vec<_>> = values.iter().map(Value::as_text).collect();
        texts.ok_or_else(|| format!("\"{name}\" must be a list of texts"))
    }

    /// Whether something is on. Off when it is not there.
    ///
    /// # Errors
    /// It is neither true nor false.
    pub(super) fn flag(&self, name: &str) -> Result<bool, String> {
        match self.value(name) {
            None => Ok(false),
            Some(Value::Flag(flag)) => Ok(*flag),
            Some(_) => Err(format!("\"{name}\" must be true or false")),
        }
    }
}

impl Value {
    fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The blocks that this is: one, or in JSON a list.
    pub(super) fn bodies(&self) -> Vec<&Body> {
        match self {
            Self::Body(body) => vec![body],
            Self::List(values) => values.iter().flat_map(Self::bodies).collect(),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::List(values) => {
                let texts: Vec<_> = values.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", texts.join(", "))
            }
            Self::Body(body) => write!(f, "{{ {} }}", body.to_string().trim_end().replace('\n', "; ")),
            Self::Null => write!(f, "null"),
        }
    }
}

#[cfg(test)]
impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.iter().try_for_each(|item| writeln!(f, "{} = {}", item.keys.join(" "), item.value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Of whatever is in a file, in either syntax, the outcome is a document or a fault.
        #[test]
        fn no_file_makes_us_fall(text in r#"([a-z"{}\[\]=,<\-\\#/*\n .0-9u$é]|EOF|<<E\n|\\u00)*"#, is_json: bool) {
            let _ = read(Path::new(if is_json { "x.json" } else { "x" }), &text);
        }
    }

    #[test]
    fn json_that_is_nested_too_deeply_is_told() {
        let deep = "[".repeat(100) + &"]".repeat(100);
        assert_eq!(read(Path::new("x.json"), &deep).unwrap_err(), "it is nested too deeply");
        let deeper = "[".repeat(100_000);
        assert!(read(Path::new("x.json"), &deeper).is_err());
    }
}
