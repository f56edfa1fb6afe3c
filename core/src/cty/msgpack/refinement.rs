//! Unknown values: extension values, with what is known of them in the body.

use super::decode::number;
use super::read::{Extension, Reader};
use super::write::Writer;
use crate::cty::failure::Failure;
use crate::cty::value::normalize;
use crate::cty::{Number, Refinement, Type, Value};
use crate::limits::{MAX_REFINEMENT_BYTES, MAX_REFINEMENT_PREFIX_BYTES};

/// The code of an extension that holds refinements; an unknown without any has code 0.
const REFINED: u8 = 12;

/// The keys of the map in a refined unknown.
mod key {
    pub(super) const NULLNESS: u64 = 1;
    pub(super) const STRING_PREFIX: u64 = 2;
    pub(super) const NUMBER_MIN: u64 = 3;
    pub(super) const NUMBER_MAX: u64 = 4;
    pub(super) const LENGTH_MIN: u64 = 5;
    pub(super) const LENGTH_MAX: u64 = 6;
}

/// Reads an unknown value. Keys of later versions are skipped, which only loses knowledge.
pub(super) fn decode(extension: &Extension<'_>, ty: &Type) -> Result<Value, Failure> {
    if extension.body.len() <= 1 {
        return Ok(Value::unknown(ty.clone()));
    }
    if extension.code.cast_unsigned() != REFINED {
        return Err(Failure::new(format!("no value has the extension code {}", extension.code)));
    }
    if extension.body.len() > MAX_REFINEMENT_BYTES {
        return Err(Failure::new(format!("the refinement of an unknown value exceeds {MAX_REFINEMENT_BYTES} bytes")));
    }
    let mut reader = Reader::new(extension.body);
    let mut refinement = Refinement::default();
    let mut is_null = false;
    for _ in 0..reader.map_length(REQUIRED)? {
        match integer(&mut reader)? {
            key::NULLNESS if reader.bool().map_err(invalid)? => is_null = true,
            key::NULLNESS => refinement.not_null = true,
            key::STRING_PREFIX if *ty == Type::String => {
                refinement.string_prefix = Some(normalize(reader.text(REQUIRED)?));
            }
            key::NUMBER_MIN if *ty == Type::Number => refinement.number_min = Some(bound(&mut reader)?),
            key::NUMBER_MAX if *ty == Type::Number => refinement.number_max = Some(bound(&mut reader)?),
            key::LENGTH_MIN if ty.is_collection() => refinement.length_min = Some(integer(&mut reader)?),
            key::LENGTH_MAX if ty.is_collection() => refinement.length_max = Some(integer(&mut reader)?),
            // An unknown of no type has no refinements, and what a later version knows is no business of ours.
            key::STRING_PREFIX..=key::LENGTH_MAX if *ty != Type::Dynamic => {
                return Err(Failure::new(format!("a refinement that {ty} cannot have")));
            }
            _ => return Ok(Value::unknown_refined(ty.clone(), refinement)),
        }
    }
    match (is_null, refinement.not_null) {
        (true, true) => Err(contradiction()),
        (true, false) => Ok(Value::null(ty.clone())),
        (false, _) if refinement.excludes_all() => Err(contradiction()),
        (false, _) => Ok(Value::unknown_refined(ty.clone(), refinement)),
    }
}

const REQUIRED: &str = "the refinement of an unknown value is invalid";

fn invalid(_: Failure) -> Failure {
    Failure::new(REQUIRED)
}

fn contradiction() -> Failure {
    Failure::new("the refinement of an unknown value contradicts itself")
}

fn integer(reader: &mut Reader<'_>) -> Result<u64, Failure> {
    let integer = number(reader).map_err(invalid)?;
    integer.to_i64().and_then(|integer| u64::try_from(integer).ok()).ok_or_else(|| Failure::new(REQUIRED))
}

fn bound(reader: &mut Reader<'_>) -> Result<(Number, bool), Failure> {
    if reader.array_length(REQUIRED)? != 2 {
        return Err(Failure::new(REQUIRED));
    }
    Ok((number(reader).map_err(invalid)?, reader.bool().map_err(invalid)?))
}

/// Writes an unknown value.
pub(super) fn encode(refinement: Option<&Refinement>, out: &mut Writer) {
    let Some(refinement) = refinement else { return out.extension(0, &[0]) };
    let mut body = Writer::default();
    let mut entries = 0;
    let mut entry = |key: u64, body: &mut Writer| {
        entries += 1;
        body.unsigned(key);
    };
    if refinement.not_null {
        entry(key::NULLNESS, &mut body);
        body.bool(false);
    }
    if let Some(prefix) = &refinement.string_prefix {
        entry(key::STRING_PREFIX, &mut body);
        body.text(shorten(prefix));
    }
    for (key, bound) in [(key::NUMBER_MIN, &refinement.number_min), (key::NUMBER_MAX, &refinement.number_max)] {
        if let Some((bound, inclusive)) = bound {
            entry(key, &mut body);
            body.array_length(2);
            super::encode::number(bound, &mut body);
            body.bool(*inclusive);
        }
    }
    for (key, bound) in [(key::LENGTH_MIN, refinement.length_min), (key::LENGTH_MAX, refinement.length_max)] {
        if let Some(bound) = bound {
            entry(key, &mut body);
            body.unsigned(bound);
        }
    }
    // A body beyond the bound, which only bounds of thousands of digits reach, would be refused: say less instead.
    if entries == 0 || body.bytes.len() >= MAX_REFINEMENT_BYTES {
        return out.extension(0, &[0]);
    }
    let mut whole = Writer::default();
    whole.map_length(entries);
    whole.bytes.append(&mut body.bytes);
    out.extension(REFINED, &whole.bytes);
}

/// The beginning of a prefix that is short enough. The last character goes too, since what follows might combine with it.
fn shorten(prefix: &str) -> &str {
    if prefix.len() <= MAX_REFINEMENT_PREFIX_BYTES {
        return prefix;
    }
    let end = (0..MAX_REFINEMENT_PREFIX_BYTES).rev().find(|end| prefix.is_char_boundary(*end)).unwrap_or(0);
    let mut characters = prefix[..end].chars();
    characters.next_back();
    characters.as_str()
}
