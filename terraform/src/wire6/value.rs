//! Values, and the paths and marks that do not cross the wire.

use denobridge_core::cty::Type;
use denobridge_core::{Diagnostic, Diagnostics, DynamicValue};

use crate::proto::tfplugin6 as pb;

/// Takes a value as it came. MessagePack goes first: a host that fills both means the same.
pub(super) fn from_wire(value: Option<pb::DynamicValue>) -> DynamicValue {
    match value {
        Some(value) if !value.msgpack.is_empty() => DynamicValue::MessagePack(value.msgpack),
        Some(value) if !value.json.is_empty() => DynamicValue::Json(value.json),
        _ => DynamicValue::Absent,
    }
}

/// Encodes `value` of type `ty`. A value that does not fit becomes an error about `what`, and nothing is sent for it.
pub(super) fn to_wire(
    value: &DynamicValue,
    ty: &Type,
    what: &str,
    diagnostics: &mut Diagnostics,
) -> Option<pb::DynamicValue> {
    match value.to_msgpack(ty) {
        Ok(msgpack) => Some(pb::DynamicValue { msgpack, json: Default::default() }),
        Err(error) => {
            let detail = format!(
                "The provider's {what} does not fit its own schema: {error}. This is a bug in the provider; please \
                 report it to its developers."
            );
            diagnostics.push(Diagnostic::error("Provider returned an invalid value", detail).at(error.path));
            None
        }
    }
}

/// The identity of a resource; `None` where there is none.
pub(super) fn identity_from_wire(identity: Option<pb::ResourceIdentityData>) -> Option<DynamicValue> {
    Some(from_wire(identity?.identity_data))
}

/// Encodes an identity of type `ty`. A provider without an identity schema for the resource has nothing to send.
pub(super) fn identity_to_wire(
    identity: Option<&DynamicValue>,
    ty: Option<&Type>,
    diagnostics: &mut Diagnostics,
) -> Option<pb::ResourceIdentityData> {
    let identity_data = to_wire(identity?, ty?, "resource identity", diagnostics)?;
    Some(pb::ResourceIdentityData { identity_data: Some(identity_data) })
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use denobridge_core::cty::Value;

    use super::*;

    #[test]
    fn both_encodings_come_in_and_nothing_means_null() {
        let msgpack = Bytes::from_static(b"\xa1a");
        let json = Bytes::from_static(b"\"a\"");
        let wire = |msgpack: &Bytes, json: &Bytes| {
            from_wire(Some(pb::DynamicValue { msgpack: msgpack.clone(), json: json.clone() }))
        };
        assert_eq!(wire(&msgpack, &json), DynamicValue::MessagePack(msgpack.clone()));
        assert_eq!(wire(&Bytes::new(), &json), DynamicValue::Json(json.clone()));
        assert_eq!(wire(&Bytes::new(), &Bytes::new()), DynamicValue::Absent);
        assert_eq!(from_wire(None), DynamicValue::Absent);
    }

    #[test]
    fn a_value_of_another_type_is_an_error_and_is_not_sent() {
        let mut diagnostics = Diagnostics::new();
        let sent = to_wire(&Value::string("s3cret").into(), &Type::Bool, "planned state", &mut diagnostics);
        assert_eq!(sent, None);
        let error = diagnostics.errors().next().unwrap();
        assert!(error.detail.starts_with("The provider's planned state does not fit its own schema: "), "{error:?}");
        assert!(!error.detail.contains("s3cret"), "{error:?}");
    }
}
