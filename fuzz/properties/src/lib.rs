//! What must hold for every input, whoever makes it: no panic, and whatever is read can be written and read again.
//!
//! Each function takes the bytes of one input, and panics where a property does not hold. The fuzz targets and the ordinary
//! tests call the same functions.
#![allow(clippy::unwrap_used, clippy::panic)] // A property that does not hold is a panic.

mod state;

use denobridge_core::cty::{
    Number, Type, Value, json as json_codec, msgpack as msgpack_codec, type_json as type_codec,
};
use denobridge_core::{DynamicValue, limits};

pub use state::raw_state;

/// Types that values are read as when the input names none.
fn usual_types() -> [Type; 4] {
    let object = Type::object([("name", Type::String), ("size", Type::Number), ("on", Type::Bool)]);
    [
        Type::Dynamic,
        Type::list(Type::map(Type::set(Type::Number))),
        Type::map(object.clone()),
        Type::tuple([object, Type::Dynamic, Type::String]),
    ]
}

/// The types to read a value as, and its bytes: the input is a type in JSON and the value, with a zero byte between them, or
/// a value alone.
fn typed(data: &[u8]) -> Vec<(Type, &[u8])> {
    let named = data.iter().position(|byte| *byte == 0).and_then(|end| {
        let ty = type_codec::decode(&data[..end]).ok()?;
        Some((ty, &data[end + 1..]))
    });
    match named {
        Some(named) => vec![named],
        None => usual_types().into_iter().map(|ty| (ty, data)).collect(),
    }
}

/// A value in MessagePack: what is read is of its type, and is written in a form that is read as the same.
pub fn msgpack(data: &[u8]) {
    for (ty, bytes) in typed(data) {
        let Ok(value) = msgpack_codec::decode(bytes, &ty) else { continue };
        let again = msgpack_codec::encode(&value, &ty).unwrap();
        comes_back(&again, &value, &ty);
        assert_eq!(msgpack_codec::encode(&value, &ty).unwrap(), again, "as {ty}: there is one form");
        if value.is_wholly_known() {
            through_json(&value, &ty);
        }
    }
}

/// A value in JSON: what is read is wholly known, and is written in a form that is read as the same.
pub fn json(data: &[u8]) {
    for (ty, bytes) in typed(data) {
        let Ok(value) = json_codec::decode(bytes, &ty) else { continue };
        assert!(value.is_wholly_known(), "JSON has no unknown values");
        through_json(&value, &ty);
        let wire = DynamicValue::from(value.clone()).to_msgpack(&ty).unwrap();
        comes_back(&wire, &value, &ty);
    }
}

/// What was written of a value is read as it, but for numbers that are exactly a double: they are the double's shortest decimal
/// then, as in Terraform core.
fn comes_back(written: &[u8], value: &Value, ty: &Type) {
    let read = msgpack_codec::decode(written, ty).unwrap();
    assert!(read == *value || is_printed_shorter(value), "as {ty}: {value:?} became {read:?}");
    let again = msgpack_codec::encode(&read, ty).unwrap();
    assert_eq!(msgpack_codec::decode(&again, ty).unwrap(), read, "as {ty}");
}

fn is_printed_shorter(value: &Value) -> bool {
    let is_shorter =
        |number: &Number| number.to_wire_f64().and_then(Number::from_f64).is_some_and(|short| short != *number);
    value.as_number().is_some_and(is_shorter) || value.children().any(is_printed_shorter)
}

fn through_json(value: &Value, ty: &Type) {
    // A number that needs many digits in full may be out of bounds when it is read again.
    let Ok(json) = json_codec::to_json(value, ty) else { return };
    assert_eq!(&json_codec::from_json(&json, ty).unwrap(), value, "as {ty}");
}

/// A type in JSON: what is read is written in a form that is read as the same.
pub fn type_json(data: &[u8]) {
    let Ok(ty) = type_codec::decode(data) else { return };
    assert_eq!(type_codec::decode(&type_codec::encode(&ty)).unwrap(), ty);
    assert!(data.len() <= limits::MAX_MESSAGE_BYTES);
}

/// The line by which a plugin says where it listens, and the variable that says where one listens already: read or
/// refused with words that are not longer than a person reads.
pub fn handshake(data: &[u8]) {
    const READABLE: usize = 2_000;
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Err(refused) = denobridge_terraform::launch::check_handshake(text) {
        assert!(refused.chars().count() <= READABLE, "{} characters", refused.chars().count());
    }
    let _ = denobridge_terraform::launch::parse_reattach(text);
}
