//! `google.protobuf.Struct`, which carries all properties, decoded to any depth that we want.
//!
//! prost refuses a message with more than 100 others around it. An object takes three (itself, its entry, the value in there),
//! so 33 objects in each other are too many; the Go implementation takes 10,000 messages. What the engine has stored may well
//! be deeper: the record that rebuilds a foreign resource's state takes up to five objects for each level of the state. So the
//! outermost message is decoded here, with everything that is in it, and the bound is ours.

use std::collections::BTreeMap;

use bytes::{Buf, BufMut, Bytes};
use prost::encoding::{self, DecodeContext, WireType};
use prost::{DecodeError, Message};
use prost_types::value::Kind;
use prost_types::{ListValue, Value};

/// Whatever is inside of more values than this is left out: one more than anybody may read, who therefore sees that there
/// was more.
const MOST_VALUES: usize = crate::property_value::wire::MAX_RECORD_NESTING + 2;

/// An object with its entries in order of name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Struct {
    /// The entries.
    pub fields: BTreeMap<String, Value>,
}

impl From<Struct> for prost_types::Struct {
    fn from(object: Struct) -> Self {
        Self { fields: object.fields }
    }
}

impl From<prost_types::Struct> for Struct {
    fn from(object: prost_types::Struct) -> Self {
        Self { fields: object.fields }
    }
}

impl Message for Struct {
    fn encode_raw(&self, buffer: &mut impl BufMut) {
        use encoding::{message, string};
        encoding::btree_map::encode(
            string::encode,
            string::encoded_len,
            message::encode,
            message::encoded_len,
            1,
            &self.fields,
            buffer,
        );
    }

    fn encoded_len(&self) -> usize {
        use encoding::{message, string};
        encoding::btree_map::encoded_len(string::encoded_len, message::encoded_len, 1, &self.fields)
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buffer: &mut impl Buf,
        _: DecodeContext,
    ) -> Result<(), DecodeError> {
        merge_entry(&mut self.fields, tag, wire_type, buffer, 0)
    }

    fn clear(&mut self) {
        self.fields.clear();
    }
}

/// One field of an object: an entry. `depth` values are around it.
fn merge_entry(
    fields: &mut BTreeMap<String, Value>,
    tag: u32,
    wire_type: WireType,
    buffer: &mut impl Buf,
    depth: usize,
) -> Result<(), DecodeError> {
    if tag != 1 {
        return skip(tag, wire_type, buffer);
    }
    let (mut key, mut value) = (String::new(), Value::default());
    let mut entry = message(wire_type, buffer)?;
    while entry.has_remaining() {
        match encoding::decode_key(&mut entry)? {
            (1, wire_type) => encoding::string::merge(wire_type, &mut key, &mut entry, DecodeContext::default())?,
            (2, wire_type) => merge_value(&mut value, &mut message(wire_type, &mut entry)?, depth + 1)?,
            (tag, wire_type) => skip(tag, wire_type, &mut entry)?,
        }
    }
    fields.insert(key, value);
    Ok(())
}

/// All of a value that has `depth - 1` others around it.
fn merge_value(value: &mut Value, buffer: &mut Bytes, depth: usize) -> Result<(), DecodeError> {
    if depth > MOST_VALUES {
        return Ok(());
    }
    while buffer.has_remaining() {
        let (tag, wire_type) = encoding::decode_key(buffer)?;
        let context = DecodeContext::default();
        value.kind = Some(match tag {
            1 => {
                let mut null = 0;
                encoding::int32::merge(wire_type, &mut null, buffer, context)?;
                Kind::NullValue(null)
            }
            2 => {
                let mut number = 0.0;
                encoding::double::merge(wire_type, &mut number, buffer, context)?;
                Kind::NumberValue(number)
            }
            3 => {
                let mut text = String::new();
                encoding::string::merge(wire_type, &mut text, buffer, context)?;
                Kind::StringValue(text)
            }
            4 => {
                let mut bool = false;
                encoding::bool::merge(wire_type, &mut bool, buffer, context)?;
                Kind::BoolValue(bool)
            }
            5 => Kind::StructValue(object(message(wire_type, buffer)?, depth)?),
            6 => Kind::ListValue(list(message(wire_type, buffer)?, depth)?),
            _ => {
                skip(tag, wire_type, buffer)?;
                continue;
            }
        });
    }
    Ok(())
}

fn object(mut message: Bytes, depth: usize) -> Result<prost_types::Struct, DecodeError> {
    let mut fields = BTreeMap::new();
    while message.has_remaining() {
        let (tag, wire_type) = encoding::decode_key(&mut message)?;
        merge_entry(&mut fields, tag, wire_type, &mut message, depth)?;
    }
    Ok(prost_types::Struct { fields })
}

fn list(mut buffer: Bytes, depth: usize) -> Result<ListValue, DecodeError> {
    let mut values = Vec::new();
    while buffer.has_remaining() {
        match encoding::decode_key(&mut buffer)? {
            (1, wire_type) => {
                let mut value = Value::default();
                merge_value(&mut value, &mut message(wire_type, &mut buffer)?, depth + 1)?;
                values.push(value);
            }
            (tag, wire_type) => skip(tag, wire_type, &mut buffer)?,
        }
    }
    Ok(ListValue { values })
}

/// The bytes of a message inside of another.
fn message(wire_type: WireType, buffer: &mut impl Buf) -> Result<Bytes, DecodeError> {
    let mut message = Bytes::new();
    encoding::bytes::merge(wire_type, &mut message, buffer, DecodeContext::default())?;
    Ok(message)
}

/// Passes over a field that this program does not know.
fn skip(tag: u32, wire_type: WireType, buffer: &mut impl Buf) -> Result<(), DecodeError> {
    encoding::skip_field(wire_type, tag, buffer, DecodeContext::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(kind: Kind) -> Value {
        Value { kind: Some(kind) }
    }

    fn nested(levels: usize) -> Value {
        (0..levels).fold(value(Kind::BoolValue(true)), |inner, level| {
            value(match level % 2 {
                0 => Kind::ListValue(ListValue { values: vec![inner] }),
                _ => Kind::StructValue(prost_types::Struct { fields: [("a".to_owned(), inner)].into() }),
            })
        })
    }

    fn levels(mut value: &Value) -> usize {
        for level in 0.. {
            let inner = match &value.kind {
                Some(Kind::ListValue(list)) => list.values.first(),
                Some(Kind::StructValue(object)) => object.fields.get("a"),
                _ => None,
            };
            let Some(inner) = inner else { return level };
            value = inner;
        }
        0
    }

    fn decoded(object: &Struct) -> Struct {
        Struct::decode(object.encode_to_vec().as_slice()).expect("decodes")
    }

    #[test]
    fn objects_are_those_of_the_protocol() {
        let kinds = [
            Kind::NullValue(0),
            Kind::NumberValue(-1.5),
            Kind::StringValue("é".to_owned()),
            Kind::BoolValue(true),
            Kind::ListValue(ListValue { values: vec![value(Kind::NullValue(0)), Value { kind: None }] }),
            Kind::StructValue(prost_types::Struct::default()),
        ];
        let fields = kinds.into_iter().enumerate().map(|(index, kind)| (index.to_string(), value(kind))).collect();
        let object = Struct { fields };
        let theirs = prost_types::Struct::from(object.clone());
        assert_eq!(object.encode_to_vec(), theirs.encode_to_vec());
        assert_eq!(decoded(&object), object);
        assert!(Struct::decode(&object.encode_to_vec()[..20]).is_err(), "what is cut off is no object");
    }

    #[test]
    fn fields_of_later_versions_are_passed_over() {
        // A field 9 beside the entry, inside of it and inside of its value.
        let bytes = [0x48, 1, 0x0a, 12, 0x0a, 1, b'k', 0x12, 5, 0x20, 1, 0x4a, 1, 7, 0x48, 3];
        let object = Struct::decode(&bytes[..]).expect("decodes");
        assert_eq!(object.fields, [("k".to_owned(), value(Kind::BoolValue(true)))].into());
    }

    #[test]
    fn what_is_too_deep_is_cut_off() {
        let object = |levels| Struct { fields: [("p".to_owned(), nested(levels))].into() };
        for deep in [40, MOST_VALUES - 1] {
            assert_eq!(decoded(&object(deep)), object(deep), "{deep}");
        }
        assert_eq!(levels(&decoded(&object(2_000)).fields["p"]), MOST_VALUES);
    }
}
