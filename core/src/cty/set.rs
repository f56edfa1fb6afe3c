//! The order of set elements, which is go-cty's: a set looks the same on every wire.
//!
//! Known elements come first, then unknown ones, then null. Text is ordered by its bytes, numbers by value, `false` before
//! `true`. Elements of other types go-cty orders by a text that it also hashes them by; [`sort_key`] writes the same text.
//! Where go-cty's order depends on the order of insertion (equal texts: numbers that agree in their first ten digits,
//! several unknowns) ours falls back on a total order of values, so that equal sets are always equal vectors.

use std::cmp::Ordering;
use std::fmt::Write;

use super::{Number, Value, ValueKind};

/// Sorted without duplicates. Elements that are not wholly known stay apart even when they look the same: they may turn
/// out to differ.
pub(super) fn canonical(mut items: Vec<Value>) -> Vec<Value> {
    if items.len() < 2 {
        return items;
    }
    if items.iter().all(is_simple) {
        items.sort_by(compare);
    } else {
        items.sort_by_cached_key(|item| SortKey { rank: rank(item), text: sort_key(item), item: item.clone() });
    }
    items.dedup_by(|right, left| left == right && left.is_wholly_known());
    items
}

/// Whether the element needs no sort key.
fn is_simple(item: &Value) -> bool {
    match item.kind() {
        ValueKind::Bool(_) | ValueKind::Number(_) | ValueKind::String(_) => true,
        ValueKind::Null(ty) | ValueKind::Unknown(ty, _) => ty.is_primitive(),
        _ => false,
    }
}

struct SortKey {
    rank: u8,
    text: String,
    item: Value,
}

impl Ord for SortKey {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank
            .cmp(&other.rank)
            .then_with(|| self.text.cmp(&other.text))
            .then_with(|| compare(&self.item, &other.item))
    }
}

impl PartialOrd for SortKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SortKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for SortKey {}

/// Known before unknown before null.
fn rank(value: &Value) -> u8 {
    match value.kind() {
        ValueKind::Null(_) => 2,
        ValueKind::Unknown(..) => 1,
        _ => 0,
    }
}

/// A total order of values: `Equal` exactly for equal values. Marks do not count, since sets hold none.
pub(super) fn compare(left: &Value, right: &Value) -> Ordering {
    use ValueKind::{Bool, List, Map, Null, Object, Set, String, Tuple, Unknown};
    match (left.kind(), right.kind()) {
        (String(left), String(right)) => left.cmp(right),
        (ValueKind::Number(left), ValueKind::Number(right)) => left.cmp(right),
        (Bool(left), Bool(right)) => left.cmp(right),
        (Null(left), Null(right)) => left.cmp(right),
        (Unknown(left_type, left), Unknown(right_type, right)) => {
            left_type.cmp(right_type).then_with(|| left.cmp(right))
        }
        (List(left_type, left), List(right_type, right)) | (Set(left_type, left), Set(right_type, right)) => {
            compare_all(left, right).then_with(|| left_type.cmp(right_type))
        }
        (Tuple(left), Tuple(right)) => compare_all(left, right),
        (Map(left_type, left), Map(right_type, right)) => {
            compare_entries(left, right).then_with(|| left_type.cmp(right_type))
        }
        (Object(left), Object(right)) => compare_entries(left, right),
        _ => kind_order(left).cmp(&kind_order(right)),
    }
}

fn compare_all(left: &[Value], right: &[Value]) -> Ordering {
    let differing = left.iter().zip(right).map(|(left, right)| compare(left, right)).find(|order| order.is_ne());
    differing.unwrap_or_else(|| left.len().cmp(&right.len()))
}

fn compare_entries<K: Ord>(
    left: &std::collections::BTreeMap<K, Value>,
    right: &std::collections::BTreeMap<K, Value>,
) -> Ordering {
    let differing = left
        .iter()
        .zip(right)
        .map(|((left_key, left), (right_key, right))| left_key.cmp(right_key).then_with(|| compare(left, right)))
        .find(|order| order.is_ne());
    differing.unwrap_or_else(|| left.len().cmp(&right.len()))
}

fn kind_order(value: &Value) -> u8 {
    match value.kind() {
        ValueKind::String(_) => 0,
        ValueKind::Number(_) => 1,
        ValueKind::Bool(_) => 2,
        ValueKind::List(..) => 3,
        ValueKind::Set(..) => 4,
        ValueKind::Map(..) => 5,
        ValueKind::Object(_) => 6,
        ValueKind::Tuple(_) => 7,
        ValueKind::Unknown(..) => 8,
        ValueKind::Null(_) => 9,
    }
}

/// The text that go-cty hashes and orders an element by.
fn sort_key(value: &Value) -> String {
    let mut text = String::new();
    append_sort_key(value, &mut text);
    text
}

fn append_sort_key(value: &Value, out: &mut String) {
    match value.kind() {
        ValueKind::Unknown(..) => out.push('?'),
        ValueKind::Null(_) => out.push('~'),
        ValueKind::Bool(value) => out.push(if *value { 'T' } else { 'F' }),
        ValueKind::Number(value) => append_number(value, out),
        ValueKind::String(text) => append_quoted(text, out),
        ValueKind::Map(_, entries) => {
            out.push('{');
            for (key, value) in entries.iter() {
                append_quoted(key, out);
                out.push(':');
                append_sort_key(value, out);
                out.push(';');
            }
            out.push('}');
        }
        ValueKind::List(_, items) | ValueKind::Set(_, items) => append_items('[', items.iter(), ']', out),
        ValueKind::Tuple(items) => append_items('<', items.iter(), '>', out),
        ValueKind::Object(attributes) => append_items('<', attributes.values(), '>', out),
    }
}

fn append_items<'v>(open: char, items: impl Iterator<Item = &'v Value>, close: char, out: &mut String) {
    out.push(open);
    for item in items {
        append_sort_key(item, out);
        out.push(';');
    }
    out.push(close);
}

/// A number to ten significant digits, in C's `%.10g` form.
fn append_number(number: &Number, out: &mut String) {
    const DIGITS: usize = 10;
    let (negative, digits, point) = number.digits_and_point();
    let (digits, point) = round_digits(&digits, point, DIGITS);
    if negative {
        out.push('-');
    }
    let exponent = point - 1;
    let precision = if DIGITS > digits.len() && digits.len() as i64 >= point { digits.len() } else { DIGITS };
    if digits.is_empty() {
        out.push('0');
    } else if exponent < -4 || exponent >= precision as i64 {
        out.push_str(&digits[..1]);
        if digits.len() > 1 {
            out.push('.');
            out.push_str(&digits[1..]);
        }
        // Writing to a string cannot fail.
        let _ = write!(out, "e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
    } else if point <= 0 {
        out.push_str("0.");
        out.extend(std::iter::repeat_n('0', point.unsigned_abs() as usize));
        out.push_str(&digits);
    } else {
        let point = point as usize;
        out.extend(digits.chars().chain(std::iter::repeat('0')).take(point));
        if digits.len() > point {
            out.push('.');
            out.push_str(&digits[point..]);
        }
    }
}

/// Half to even, on decimal digits without trailing zeros.
fn round_digits(digits: &str, point: i64, most: usize) -> (String, i64) {
    let Some((kept, rest)) = digits.split_at_checked(most).filter(|(_, rest)| !rest.is_empty()) else {
        return (digits.to_owned(), point);
    };
    let odd = kept.ends_with(['1', '3', '5', '7', '9']);
    let up = rest.as_bytes() > b"5".as_slice() || (rest == "5" && odd);
    if !up {
        return (kept.trim_end_matches('0').to_owned(), point);
    }
    let without_nines = kept.trim_end_matches('9');
    match without_nines.as_bytes().split_last() {
        Some((last, head)) => {
            let mut rounded: String = head.iter().map(|byte| char::from(*byte)).collect();
            rounded.push(char::from(last + 1));
            (rounded, point)
        }
        None => ("1".to_owned(), point + 1),
    }
}

/// Text in double quotes with Go's escapes.
fn append_quoted(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            ' '..='~' => out.push(character),
            '\u{0}'..' ' | '\u{7f}' => {
                let _ = write!(out, "\\x{:02x}", u32::from(character));
            }
            _ if is_printable(character) => out.push(character),
            _ if u32::from(character) < 0x1_0000 => {
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            _ => {
                let _ = write!(out, "\\U{:08x}", u32::from(character));
            }
        }
    }
    out.push('"');
}

/// Whether Go prints a character as it is. The standard library's `escape_debug` follows the same rule; the leading letter
/// keeps it from escaping combining marks, which it does at the start of a text only.
fn is_printable(character: char) -> bool {
    let sample: String = ['a', character].into_iter().collect();
    sample.escape_debug().nth(1) == Some(character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cty::Type;

    fn key(value: &Value) -> String {
        sort_key(value)
    }

    fn number_key(text: &str) -> String {
        key(&Value::number(text.parse::<Number>().unwrap()))
    }

    #[test]
    fn numbers_are_written_to_ten_digits() {
        for (number, expected) in [
            ("0", "0"),
            ("-12", "-12"),
            ("100", "100"),
            ("1234567890", "1234567890"),
            ("12345678901", "1.23456789e+10"),
            ("1e100", "1e+100"),
            ("0.0001", "0.0001"),
            ("0.00001", "1e-05"),
            ("1.5", "1.5"),
            ("0.123456789012", "0.123456789"),
            ("99999999999", "1e+11"),
            ("1.99999999999", "2"),
            ("1.0000000004", "1"),
            ("1.0000000016", "1.000000002"),
        ] {
            assert_eq!(number_key(number), expected, "{number}");
        }
    }

    #[test]
    fn text_is_quoted_as_go_does() {
        let quoted = key(&Value::string("é\"\\\n\u{0}\u{7f}\u{200b}\u{e0001}\u{301}😀"));
        assert_eq!(quoted, "\"é\\\"\\\\\\n\\x00\\x7f\\u200b\\U000e0001\u{301}😀\"");
    }

    #[test]
    fn known_elements_come_first_and_null_last() {
        let set = Value::set(
            Type::Bool,
            [Value::null(Type::Bool), Value::unknown(Type::Bool), Value::bool(true), Value::bool(false)],
        );
        let expected = [Value::bool(false), Value::bool(true), Value::unknown(Type::Bool), Value::null(Type::Bool)];
        assert_eq!(set.as_elements(), Some(expected.as_slice()));
    }

    #[test]
    fn unknown_elements_are_not_taken_for_duplicates() {
        let unknown = Value::object([("a", Value::unknown(Type::String))]);
        let set = Value::set(unknown.ty(), [unknown.clone(), unknown.clone()]);
        assert_eq!(set.as_elements().map(<[Value]>::len), Some(2));
        let null = Value::object([("a", Value::null(Type::String))]);
        let set = Value::set(null.ty(), [null.clone(), null]);
        assert_eq!(set.as_elements().map(<[Value]>::len), Some(1));
    }
}
