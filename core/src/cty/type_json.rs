//! Types as JSON: `"string"`, `["list","string"]`, `["object",{"name":"string"},["name"]]`.
//!
//! The reader is written by hand, since each level of an object type is two levels of JSON and general parsers count
//! those: a type is refused by the same depth here as everywhere else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use thiserror::Error;

use super::{ObjectType, Type, value::normalize};
use crate::limits::MAX_DEPTH;

/// Why JSON is not a type.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("not a type: {message}")]
pub struct TypeJsonError {
    /// What is wrong.
    pub message: String,
}

fn failure(message: impl Into<String>) -> TypeJsonError {
    TypeJsonError { message: message.into() }
}

/// Reads a type.
///
/// # Errors
/// The text is not a type, or exceeds [`crate::limits`].
pub fn decode(bytes: &[u8]) -> Result<Type, TypeJsonError> {
    decode_within(bytes, MAX_DEPTH)
}

/// Reads a type that nests at most `depth` levels.
pub(super) fn decode_within(bytes: &[u8], depth: usize) -> Result<Type, TypeJsonError> {
    let text = std::str::from_utf8(bytes).map_err(|_| failure("not UTF-8"))?;
    let mut reader = Reader { text, position: 0 };
    let ty = reader.read_type(depth)?;
    match reader.peek() {
        None => Ok(ty),
        Some(_) => Err(failure("extra data after the type")),
    }
}

/// Writes a type, as compact JSON with sorted attribute names.
#[must_use]
pub fn encode(ty: &Type) -> Vec<u8> {
    let mut out = Vec::new();
    write_type(ty, &mut out);
    out
}

/// A type as parsed JSON, for embedding in JSON.
pub(super) fn to_json(ty: &Type) -> serde_json::Value {
    use serde_json::{Value as Json, json};
    match ty {
        Type::String => "string".into(),
        Type::Number => "number".into(),
        Type::Bool => "bool".into(),
        Type::Dynamic => "dynamic".into(),
        Type::List(element) => json!(["list", to_json(element)]),
        Type::Set(element) => json!(["set", to_json(element)]),
        Type::Map(element) => json!(["map", to_json(element)]),
        Type::Tuple(elements) => json!(["tuple", elements.iter().map(to_json).collect::<Vec<_>>()]),
        Type::Object(object) => {
            let attributes: serde_json::Map<String, Json> =
                object.attributes.iter().map(|(name, ty)| (name.to_string(), to_json(ty))).collect();
            let optional: Vec<&str> = object.optional.iter().map(|name| &**name).collect();
            if optional.is_empty() { json!(["object", attributes]) } else { json!(["object", attributes, optional]) }
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    position: usize,
}

impl Reader<'_> {
    /// The next byte that is no white space, not consumed.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.position..];
        let blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
        self.position += blank;
        rest.get(blank).copied()
    }

    /// Consumes `byte` if it is next.
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.position += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), TypeJsonError> {
        if self.take(byte) {
            Ok(())
        } else {
            Err(failure(format!("'{}' expected at byte {}", char::from(byte), self.position)))
        }
    }

    fn read_string(&mut self) -> Result<String, TypeJsonError> {
        if self.peek() != Some(b'"') {
            return Err(failure(format!("a name in quotes expected at byte {}", self.position)));
        }
        let start = self.position;
        let bytes = self.text.as_bytes();
        let mut end = start + 1;
        loop {
            match bytes.get(end) {
                None => return Err(failure("a name without closing quote")),
                Some(b'"') => break,
                // Whatever is escaped, a quote above all, does not end the name.
                Some(b'\\') => end += 2,
                Some(_) => end += 1,
            }
        }
        self.position = end + 1;
        let literal = self.text.get(start..self.position).ok_or_else(|| failure("a name with a broken escape"))?;
        serde_json::from_str(literal).map_err(|_| failure(format!("an invalid name at byte {start}")))
    }

    fn read_type(&mut self, depth: usize) -> Result<Type, TypeJsonError> {
        if !self.take(b'[') {
            return match self.read_string()?.as_str() {
                "string" => Ok(Type::String),
                "number" => Ok(Type::Number),
                "bool" => Ok(Type::Bool),
                "dynamic" => Ok(Type::Dynamic),
                other => Err(failure(format!("no type is named {other:?}"))),
            };
        }
        let Some(depth) = depth.checked_sub(1) else {
            return Err(failure(format!("nested more than {MAX_DEPTH} levels deep")));
        };
        let kind = self.read_string()?;
        self.expect(b',')?;
        let ty = match kind.as_str() {
            "list" => Type::list(self.read_type(depth)?),
            "set" => Type::set(self.read_type(depth)?),
            "map" => Type::map(self.read_type(depth)?),
            "object" => self.read_object(depth)?,
            "tuple" => Type::tuple(self.read_elements(|reader| reader.read_type(depth))?),
            other => return Err(failure(format!("no kind of type is named {other:?}"))),
        };
        self.expect(b']')?;
        Ok(ty)
    }

    fn read_object(&mut self, depth: usize) -> Result<Type, TypeJsonError> {
        let mut attributes = BTreeMap::new();
        self.expect(b'{')?;
        if !self.take(b'}') {
            loop {
                let name = normalize(&self.read_string()?);
                self.expect(b':')?;
                attributes.insert(name, self.read_type(depth)?);
                if !self.take(b',') {
                    break;
                }
            }
            self.expect(b'}')?;
        }
        let optional: BTreeSet<Arc<str>> = if self.take(b',') {
            self.read_elements(|reader| Ok(normalize(&reader.read_string()?)))?.into_iter().collect()
        } else {
            BTreeSet::new()
        };
        match optional.iter().find(|name| !attributes.contains_key(*name)) {
            Some(name) => Err(failure(format!("{name:?} is optional but not an attribute"))),
            None => Ok(Type::Object(Arc::new(ObjectType { attributes, optional }))),
        }
    }

    fn read_elements<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, TypeJsonError>,
    ) -> Result<Vec<T>, TypeJsonError> {
        let mut elements = Vec::new();
        self.expect(b'[')?;
        if self.take(b']') {
            return Ok(elements);
        }
        loop {
            elements.push(read(self)?);
            if !self.take(b',') {
                break;
            }
        }
        self.expect(b']')?;
        Ok(elements)
    }
}

fn write_type(ty: &Type, out: &mut Vec<u8>) {
    match ty {
        Type::String => out.extend_from_slice(b"\"string\""),
        Type::Number => out.extend_from_slice(b"\"number\""),
        Type::Bool => out.extend_from_slice(b"\"bool\""),
        Type::Dynamic => out.extend_from_slice(b"\"dynamic\""),
        Type::List(element) => write_collection(b"[\"list\",", element, out),
        Type::Set(element) => write_collection(b"[\"set\",", element, out),
        Type::Map(element) => write_collection(b"[\"map\",", element, out),
        Type::Tuple(elements) => {
            out.extend_from_slice(b"[\"tuple\",[");
            write_separated(elements.iter(), out, write_type);
            out.extend_from_slice(b"]]");
        }
        Type::Object(object) => {
            out.extend_from_slice(b"[\"object\",{");
            write_separated(object.attributes.iter(), out, |(name, ty), out| {
                write_string(name, out);
                out.push(b':');
                write_type(ty, out);
            });
            out.push(b'}');
            if !object.optional.is_empty() {
                out.extend_from_slice(b",[");
                write_separated(object.optional.iter(), out, |name, out| write_string(name, out));
                out.push(b']');
            }
            out.push(b']');
        }
    }
}

fn write_collection(opening: &[u8], element: &Type, out: &mut Vec<u8>) {
    out.extend_from_slice(opening);
    write_type(element, out);
    out.push(b']');
}

fn write_separated<T>(items: impl Iterator<Item = T>, out: &mut Vec<u8>, write: impl Fn(T, &mut Vec<u8>)) {
    for (position, item) in items.enumerate() {
        if position > 0 {
            out.push(b',');
        }
        write(item, out);
    }
}

/// A JSON string as Go's encoder writes it, which also escapes what HTML or JavaScript would trip over: types are
/// compared as bytes in places.
fn write_string(text: &str, out: &mut Vec<u8>) {
    let escaped = serde_json::Value::from(text).to_string();
    for character in escaped.chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out.extend_from_slice(format!("\\u{:04x}", u32::from(character)).as_bytes());
            }
            _ => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, ty: &Type) {
        assert_eq!(decode(text.as_bytes()).unwrap(), *ty);
        assert_eq!(String::from_utf8(encode(ty)).unwrap(), text);
        assert_eq!(to_json(ty).to_string(), text);
    }

    #[test]
    fn types_and_their_json() {
        check(r#""string""#, &Type::String);
        check(r#"["list",["map",["set","number"]]]"#, &Type::list(Type::map(Type::set(Type::Number))));
        check(r#"["tuple",[]]"#, &Type::tuple([]));
        check(r#"["tuple",["bool","dynamic"]]"#, &Type::tuple([Type::Bool, Type::Dynamic]));
        check(r#"["object",{}]"#, &Type::object::<&str>([]));
        let optional = Type::Object(Arc::new(ObjectType {
            attributes: [("a".into(), Type::String), ("b".into(), Type::Bool)].into(),
            optional: ["b".into()].into(),
        }));
        check(r#"["object",{"a":"string","b":"bool"},["b"]]"#, &optional);
    }

    #[test]
    fn blanks_and_escapes_are_read() {
        let ty = decode(" [ \"object\" , { \"\\u0061\\\"\" : \"string\" , \"e\u{301}\" : \"bool\" } ] ".as_bytes());
        assert_eq!(ty.unwrap(), Type::object([("a\"", Type::String), ("é", Type::Bool)]));
    }

    #[test]
    fn what_is_no_type_is_refused() {
        for text in [
            "",
            "null",
            "5",
            "\"int\"",
            "\"list\"",
            "[]",
            "[\"list\"]",
            "[\"list\",\"string\",\"string\"]",
            "[\"list\",",
            "[\"object\",[]]",
            "[\"object\",{\"a\":\"string\"},[\"b\"]]",
            "[\"tuple\",\"string\"]",
            "\"string\" x",
            "\"string",
            "[\"object\",{\"a\\",
            "\"\\",
        ] {
            assert!(decode(text.as_bytes()).is_err(), "{text}");
        }
        assert!(decode(b"\"\xff\"").is_err());
    }

    #[test]
    fn deep_nesting_is_an_error() {
        let nested = |levels: usize| {
            let opening = "[\"object\",{\"a\":".repeat(levels);
            decode(format!("{opening}\"string\"{}", "}]".repeat(levels)).as_bytes())
        };
        assert_eq!(nested(MAX_DEPTH).unwrap().depth(), MAX_DEPTH);
        assert_eq!(nested(MAX_DEPTH + 1).unwrap_err().message, "nested more than 128 levels deep");
        assert!(nested(100_000).is_err());
    }
}
