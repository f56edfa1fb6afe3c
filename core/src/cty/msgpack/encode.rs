//! Values to MessagePack.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::refinement;
use super::write::Writer;
use crate::cty::conform::{kind_mismatch, missing_or_unsupported};
use crate::cty::failure::{Failure, too_deep};
use crate::cty::{Number, ObjectType, PathStep, Type, Value, ValueKind, type_json};
use crate::limits::MAX_DEPTH;

pub(super) fn encode(value: &Value, ty: &Type) -> Result<Vec<u8>, Failure> {
    let mut out = Writer::default();
    write(value, ty, MAX_DEPTH, &mut out)?;
    // Lengths are written in at most four bytes; none of them exceeds the whole.
    if u32::try_from(out.bytes.len()).is_err() {
        return Err(Failure::new("the value needs more than 4 GiB"));
    }
    Ok(out.bytes)
}

/// Writes one value that nests at most `depth` levels.
fn write(value: &Value, ty: &Type, depth: usize, out: &mut Writer) -> Result<(), Failure> {
    if *ty == Type::Dynamic {
        return dynamic(value, depth, out);
    }
    match (value.kind(), ty) {
        // A null is written the same whatever its type.
        (ValueKind::Null(_), _) => out.nil(),
        (ValueKind::Unknown(unknown, bounds), ty) => {
            if *unknown != Type::Dynamic && !unknown.conforms_to(ty) {
                return Err(kind_mismatch(value, ty));
            }
            refinement::encode(bounds.as_deref(), out);
        }
        (ValueKind::Bool(value), Type::Bool) => out.bool(*value),
        (ValueKind::Number(value), Type::Number) => number(value, out),
        (ValueKind::String(text), Type::String) => out.text(text),
        (ValueKind::List(_, items), Type::List(element)) | (ValueKind::Set(_, items), Type::Set(element)) => {
            let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
            out.array_length(items.len());
            for (index, item) in items.iter().enumerate() {
                write(item, element, depth, out).map_err(|failure| failure.at_index(index))?;
            }
        }
        (ValueKind::Map(_, entries), Type::Map(element)) => {
            let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
            out.map_length(entries.len());
            for (key, item) in entries.iter() {
                out.text(key);
                write(item, element, depth, out).map_err(|failure| failure.within(PathStep::Key(Arc::clone(key))))?;
            }
        }
        (ValueKind::Object(attributes), Type::Object(object)) => {
            object_attributes(attributes, object, depth.checked_sub(1).ok_or_else(too_deep)?, out)?;
        }
        (ValueKind::Tuple(items), Type::Tuple(types)) if items.len() == types.len() => {
            let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
            out.array_length(items.len());
            for (index, (item, ty)) in items.iter().zip(types.iter()).enumerate() {
                write(item, ty, depth, out).map_err(|failure| failure.at_index(index))?;
            }
        }
        _ => return Err(kind_mismatch(value, ty)),
    }
    Ok(())
}

/// A number: an integer of 64 bits, a double that is exactly it, or else its decimal text.
pub(super) fn number(number: &Number, out: &mut Writer) {
    if let Some(integer) = number.to_i64() {
        return out.integer(integer);
    }
    match number.to_wire_f64() {
        Some(double) => out.double(double),
        None => out.text(&number.to_string()),
    }
}

fn object_attributes(
    attributes: &BTreeMap<Arc<str>, Value>,
    object: &ObjectType,
    depth: usize,
    out: &mut Writer,
) -> Result<(), Failure> {
    out.map_length(object.attributes.len());
    let mut given = attributes.iter();
    // Both are sorted by name, so equal sets of names meet pairwise.
    for (name, ty) in &object.attributes {
        match given.next() {
            Some((given, value)) if given == name => {
                out.text(name);
                write(value, ty, depth, out)
                    .map_err(|failure| failure.within(PathStep::Attribute(Arc::clone(name))))?;
            }
            _ => return Err(missing_or_unsupported(attributes, object)),
        }
    }
    if given.next().is_some() { Err(missing_or_unsupported(attributes, object)) } else { Ok(()) }
}

/// A value together with its type, except for what has none.
fn dynamic(value: &Value, depth: usize, out: &mut Writer) -> Result<(), Failure> {
    let ty = value.ty();
    if ty == Type::Dynamic {
        if value.is_null() {
            out.nil()
        } else {
            refinement::encode(None, out)
        }
        return Ok(());
    }
    let depth = depth.checked_sub(1).filter(|depth| ty.depth() <= *depth).ok_or_else(too_deep)?;
    out.array_length(2);
    out.blob(&type_json::encode(&ty));
    write(value, &ty, depth, out)
}
