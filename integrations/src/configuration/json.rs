//! Configuration in JSON.

use jsonc_parser::ast::{Object, Value as Ast};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::document::{Depth, Kind, Lines, Member, Table, Value};
use super::error::{Fault, Faults};

/// JSON as its standard has it: what the parser could do beyond that, other readers of the file could not.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Reads a text.
pub(super) fn read(text: &str, faults: &mut Faults) -> Option<Table> {
    let lines = Lines::of(text);
    let parsed = match parse_to_ast(text, &CollectOptions::default(), &STRICT) {
        Ok(parsed) => parsed,
        Err(error) => {
            faults.add(error.line_display(), Fault::Syntax(error.kind().to_string()));
            return None;
        }
    };
    let Some(value) = parsed.value else {
        faults.add(1, Fault::Syntax("it is empty".to_owned()));
        return None;
    };
    match value {
        Ast::Object(object) => Some(read_object(&object, &lines, Depth::TOP, faults)),
        other => {
            let line = lines.at(other.range().start);
            let found = read_value(&other, &lines, Depth::TOP, faults).described();
            faults.add(line, Fault::Type { what: "the file".to_owned(), expected: "an object", found });
            None
        }
    }
}

fn read_object(object: &Object<'_>, lines: &Lines<'_>, depth: Depth, faults: &mut Faults) -> Table {
    let mut table = Table::default();
    for property in &object.properties {
        let value = read_value(&property.value, lines, depth, faults);
        let (key, line) = (property.name.as_str().to_owned(), lines.at(property.range.start));
        table.add(Member { key, line, value }, faults);
    }
    table
}

fn read_value(value: &Ast<'_>, lines: &Lines<'_>, depth: Depth, faults: &mut Faults) -> Value {
    let line = lines.at(value.range().start);
    let Some(depth) = depth.further(line, faults) else { return Value { line, kind: Kind::Refused } };
    let kind = match value {
        Ast::StringLit(text) => Kind::Text(text.value.to_string()),
        Ast::NumberLit(number) => read_number(number.value, line, faults),
        Ast::BooleanLit(flag) => Kind::Flag(flag.value),
        Ast::Object(object) => Kind::Table(read_object(object, lines, depth, faults)),
        Ast::Array(array) => {
            Kind::List(array.elements.iter().map(|value| read_value(value, lines, depth, faults)).collect())
        }
        Ast::NullKeyword(_) => Kind::Null,
    };
    Value { line, kind }
}

fn read_number(text: &str, line: usize, faults: &mut Faults) -> Kind {
    match text.parse() {
        Ok(number) => Kind::Number(number),
        Err(_) => {
            faults.add(line, Fault::Syntax(format!("{text} is no number of JSON")));
            Kind::Refused
        }
    }
}
