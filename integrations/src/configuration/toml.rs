//! Configuration in TOML.

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::document::{Depth, Kind, Lines, Member, Table, Value};
use super::error::{Fault, Faults};

/// Reads a text.
pub(super) fn read(text: &str, faults: &mut Faults) -> Option<Table> {
    let lines = Lines::of(text);
    match DeTable::parse(text) {
        Ok(table) => Some(read_table(table.get_ref(), &lines, Depth::TOP, faults)),
        Err(error) => {
            let line = lines.at(error.span().map_or(0, |span| span.start));
            faults.add(line, Fault::Syntax(error.message().trim().replace('\n', "; ")));
            None
        }
    }
}

fn read_table(table: &DeTable<'_>, lines: &Lines<'_>, depth: Depth, faults: &mut Faults) -> Table {
    let mut read = Table::default();
    for (key, value) in table {
        let value = read_value(value, lines, depth, faults);
        let (line, key) = (lines.at(key.span().start), key.get_ref().to_string());
        read.add(Member { key, line, value }, faults);
    }
    // The parser sorts by name.
    read.members.sort_by_key(|member| member.line);
    read
}

fn read_value(value: &Spanned<DeValue<'_>>, lines: &Lines<'_>, depth: Depth, faults: &mut Faults) -> Value {
    let line = lines.at(value.span().start);
    let Some(depth) = depth.further(line, faults) else { return Value { line, kind: Kind::Refused } };
    let kind = match value.get_ref() {
        DeValue::String(text) => Kind::Text(text.to_string()),
        DeValue::Integer(integer) => read_number(whole(integer), integer.as_str(), line, faults),
        DeValue::Float(float) => {
            let number = float.as_str().parse().ok().and_then(serde_json::Number::from_f64);
            read_number(number, float.as_str(), line, faults)
        }
        DeValue::Boolean(flag) => Kind::Flag(*flag),
        // JSON, in which settings are sent, has none.
        DeValue::Datetime(time) => Kind::Text(time.to_string()),
        DeValue::Array(values) => {
            Kind::List(values.iter().map(|value| read_value(value, lines, depth, faults)).collect())
        }
        DeValue::Table(table) => Kind::Table(read_table(table, lines, depth, faults)),
    };
    Value { line, kind }
}

fn whole(integer: &DeInteger<'_>) -> Option<serde_json::Number> {
    i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(Into::into)
}

fn read_number(number: Option<serde_json::Number>, text: &str, line: usize, faults: &mut Faults) -> Kind {
    match number {
        Some(number) => Kind::Number(number),
        None => {
            faults.add(line, Fault::Syntax(format!("the number {text} is none that can be sent on")));
            Kind::Refused
        }
    }
}
