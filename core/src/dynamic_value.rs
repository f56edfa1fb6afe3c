//! A value on its way through the seam: still encoded, or already a value.

use bytes::Bytes;

use crate::cty::{self, Type, Value};

/// A value of a type that the receiver knows from the schema. A call that stays in the process hands over the value
/// itself and is never encoded.
#[derive(Clone, Default, PartialEq)]
pub enum DynamicValue {
    /// Nothing was sent, which means null.
    #[default]
    Absent,
    /// MessagePack, as Terraform sends values.
    MessagePack(Bytes),
    /// JSON, as Terraform may send values.
    Json(Bytes),
    /// A canonical value: text in NFC, sets in order, all attributes present.
    Value(Value),
}

impl DynamicValue {
    /// The value, as type `ty`.
    ///
    /// # Errors
    /// The bytes are not a value of that type, or exceed [`crate::limits`].
    pub fn decode(&self, ty: &Type) -> Result<Value, cty::msgpack::DecodeError> {
        match self {
            Self::Absent => Ok(null(ty)),
            Self::MessagePack(bytes) | Self::Json(bytes) if bytes.is_empty() => Ok(null(ty)),
            Self::MessagePack(bytes) => cty::msgpack::decode(bytes, ty),
            Self::Json(bytes) => cty::json::decode(bytes, ty).map_err(Into::into),
            Self::Value(value) => Ok(value.clone()),
        }
    }

    /// The value as MessagePack of type `ty`, which is what Terraform wants answers in. Marks are dropped.
    ///
    /// # Errors
    /// The value does not conform to the type.
    pub fn to_msgpack(&self, ty: &Type) -> Result<Bytes, cty::msgpack::EncodeError> {
        match self {
            Self::MessagePack(bytes) if !bytes.is_empty() => Ok(bytes.clone()),
            Self::Value(value) => cty::msgpack::encode(value, ty),
            Self::Absent | Self::MessagePack(_) => cty::msgpack::encode(&Value::null(Type::Dynamic), ty),
            Self::Json(_) => {
                let value = self.decode(ty).map_err(cty::msgpack::EncodeError::from_decode)?;
                cty::msgpack::encode(&value, ty)
            }
        }
    }

    /// Whether this is certainly null, told without decoding.
    #[must_use]
    pub fn is_null(&self) -> bool {
        match self {
            Self::Absent => true,
            Self::MessagePack(bytes) => bytes.is_empty() || bytes[..] == [0xc0],
            Self::Json(bytes) => bytes.is_empty() || bytes.trim_ascii() == b"null",
            Self::Value(value) => value.is_null(),
        }
    }
}

/// What nothing at all stands for.
fn null(ty: &Type) -> Value {
    Value::null(ty.to_value_type().into_owned())
}

impl From<Value> for DynamicValue {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl std::fmt::Debug for DynamicValue {
    /// Encoded values show only their size: they may hold secrets that no mark protects.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Absent => f.write_str("Absent"),
            Self::MessagePack(bytes) => write!(f, "MessagePack({} bytes)", bytes.len()),
            Self::Json(bytes) => write!(f, "Json({} bytes)", bytes.len()),
            Self::Value(_) => f.write_str("Value(…)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_null() {
        for nothing in [
            DynamicValue::Absent,
            DynamicValue::MessagePack(Bytes::new()),
            DynamicValue::Json(Bytes::new()),
            DynamicValue::MessagePack(Bytes::from_static(b"\xc0")),
            DynamicValue::Json(Bytes::from_static(b" null\n")),
            DynamicValue::Value(Value::null(Type::String)),
        ] {
            assert!(nothing.is_null(), "{nothing:?}");
            assert_eq!(nothing.decode(&Type::String).unwrap(), Value::null(Type::String), "{nothing:?}");
            assert_eq!(nothing.to_msgpack(&Type::String).unwrap(), Bytes::from_static(b"\xc0"), "{nothing:?}");
        }
        assert_eq!(DynamicValue::Absent.to_msgpack(&Type::Dynamic).unwrap(), Bytes::from_static(b"\xc0"));
    }

    #[test]
    fn every_form_is_read_and_answered_in_messagepack() {
        let ty = Type::list(Type::Number);
        let value = Value::list(Type::Number, [Value::number(1), Value::number(2)]);
        for given in [
            DynamicValue::MessagePack(Bytes::from_static(b"\x92\x01\x02")),
            DynamicValue::Json(Bytes::from_static(b"[1,\"2\"]")),
            DynamicValue::from(value.clone()),
        ] {
            assert!(!given.is_null());
            assert_eq!(given.decode(&ty).unwrap(), value, "{given:?}");
            assert_eq!(given.to_msgpack(&ty).unwrap(), Bytes::from_static(b"\x92\x01\x02"), "{given:?}");
        }
        let wrong = DynamicValue::Json(Bytes::from_static(b"[true]"));
        assert_eq!(wrong.decode(&ty).unwrap_err().to_string(), "[0]: a number is required");
        assert_eq!(wrong.to_msgpack(&ty).unwrap_err().to_string(), "[0]: a number is required");
    }

    #[test]
    fn encoded_values_are_never_shown() {
        let secret = DynamicValue::Json(Bytes::from_static(b"\"hunter2\""));
        assert_eq!(format!("{secret:?}"), "Json(9 bytes)");
        assert_eq!(format!("{:?}", DynamicValue::from(Value::string("hunter2"))), "Value(…)");
    }
}
