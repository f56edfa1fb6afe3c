#![allow(clippy::unwrap_used, clippy::panic, reason = "vectors that cannot be read must fail the test")]
//! Holds core's values to go-cty: every vector that the program in `go-cty-vectors/` wrote must come out the same here.

use denobridge_core::cty::{Type, Value, convert, json, msgpack, type_json, unify};
use serde_json::Value as Json;

mod cty_support;

const CODECS: &str = include_str!("go-cty-vectors/codecs.jsonl");
const FORMS: &str = include_str!("go-cty-vectors/forms.jsonl");
const CONVERSIONS: &str = include_str!("go-cty-vectors/conversions.jsonl");
const UNIFICATIONS: &str = include_str!("go-cty-vectors/unifications.jsonl");

fn lines(file: &str) -> Vec<Json> {
    file.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Collects what differs, so that one run shows all of it.
#[derive(Default)]
struct Differences {
    found: Vec<String>,
    compared: usize,
}

impl Differences {
    fn compare<T: PartialEq + std::fmt::Debug>(&mut self, ours: T, theirs: T, about: impl Fn() -> String) {
        self.compared += 1;
        if ours != theirs {
            self.found.push(format!("{}\n    ours:   {ours:?}\n    go-cty: {theirs:?}", about()));
        }
    }

    /// Fails if anything differs, or if fewer comparisons than expected were made: an empty file must not pass.
    fn finish(self, at_least: usize) {
        let shown = self.found.iter().take(25).map(String::as_str).collect::<Vec<_>>().join("\n");
        assert!(self.found.is_empty(), "{} of {} differ:\n{shown}", self.found.len(), self.compared);
        assert!(self.compared >= at_least, "only {} comparisons", self.compared);
    }
}

/// A value and its type, since `Debug` and equality of some values do not show the type.
fn typed(value: &Value) -> (Value, Type) {
    (value.clone(), value.ty())
}

#[test]
fn codecs_write_and_read_the_same() {
    let mut differences = Differences::default();
    for line in lines(CODECS) {
        let about = |what: &str| format!("{what} of {line}");
        let ty = cty_support::ty(&line["t"]);
        differences
            .compare(String::from_utf8(type_json::encode(&ty)).unwrap(), line["t"].to_string(), || about("type"));
        let value = cty_support::value(&line["v"], true);
        if let Some(raw) = line.get("raw") {
            differences.compare(typed(&cty_support::value(raw, false)), typed(&value), || about("canonical form"));
        }
        let packed = line["m"].as_str().unwrap();
        let back = line.get("back").map_or_else(|| value.clone(), |back| cty_support::value(back, true));
        differences
            .compare(msgpack::encode(&value, &ty).map(|bytes| hex(&bytes)), Ok(packed.to_owned()), || about("msgpack"));
        let read = msgpack::decode(&unhex(packed), &ty);
        differences.compare(read.map(|value| typed(&value)), Ok(typed(&back)), || about("value from msgpack"));
        let written = json::to_json(&value, &ty).map(|json| json.to_string()).ok();
        let Some(text) = line.get("j").map(|text| text.as_str().unwrap()) else {
            differences.compare(written, None, || about("JSON"));
            continue;
        };
        // Parsed and written again, since Go escapes some characters that need no escape.
        let expected = serde_json::from_str::<Json>(text).unwrap().to_string();
        differences.compare(written, Some(expected), || about("JSON"));
        let read = json::decode(text.as_bytes(), &ty);
        differences.compare(read.map(|value| typed(&value)), Ok(typed(&value)), || about("value from JSON"));
    }
    differences.finish(6000);
}

#[test]
fn other_forms_are_read_or_refused_the_same() {
    let mut differences = Differences::default();
    for line in lines(FORMS) {
        let ty = cty_support::ty(&line["t"]);
        let expected = line.get("v").map(|value| typed(&cty_support::value(value, true)));
        let read = match (&line["m"], &line["j"]) {
            (Json::String(packed), _) => msgpack::decode(&unhex(packed), &ty).ok(),
            (_, Json::String(text)) => json::decode(text.as_bytes(), &ty).ok(),
            _ => panic!("{line}"),
        };
        differences.compare(read.map(|value| typed(&value)), expected, || line.to_string());
    }
    differences.finish(190);
}

#[test]
fn conversions_give_the_same_values_and_messages() {
    let mut file = lines(CONVERSIONS).into_iter();
    let mut table = || file.next().unwrap().as_array().unwrap().clone();
    let type_texts = table();
    let types: Vec<Type> = type_texts.iter().map(cty_support::ty).collect();
    let values: Vec<Value> = table().iter().map(|notation| cty_support::value(notation, false)).collect();
    let messages: Vec<String> = table().iter().map(|message| message.as_str().unwrap().to_owned()).collect();
    let mut differences = Differences::default();
    for (ty, text) in types.iter().zip(type_texts) {
        differences.compare(type_json::encode(ty), text.to_string().into_bytes(), || text.to_string());
    }
    for row in file {
        let value = &values[row["v"].as_u64().unwrap() as usize];
        for (target, expected) in types.iter().zip(row["r"].as_array().unwrap()) {
            let about = || format!("{value:?} of type {} as {target}", value.ty());
            let ours = convert::convert(value, target);
            match expected {
                Json::Number(number) => {
                    let expected = &values[number.as_u64().unwrap() as usize];
                    let ours = ours.map(|value| typed(&value)).map_err(|error| error.message);
                    differences.compare(ours, Ok(typed(expected)), about);
                }
                // go-cty panics, or answers one way or another: only that ours comes back.
                Json::String(code) if code == "p" || code == "?" => {}
                Json::String(code) => {
                    let message = code[1..].parse::<usize>().ok().map(|number| messages[number].clone());
                    match (ours, message) {
                        (Err(error), Some(message)) => differences.compare(error.message, message, about),
                        (ours, _) => differences.compare(ours.is_err(), true, about),
                    }
                }
                other => panic!("{other}"),
            }
        }
    }
    differences.finish(40_000);
}

#[test]
fn types_unify_the_same() {
    let file = lines(UNIFICATIONS);
    let types: Vec<Type> = file[0].as_array().unwrap().iter().map(cty_support::ty).collect();
    let results = file[1].as_array().unwrap();
    let mut differences = Differences::default();
    for row in &file[2..] {
        let row: Vec<usize> = row.as_array().unwrap().iter().map(|number| number.as_u64().unwrap() as usize).collect();
        let (chosen, expected) = row.split_at(row.len() - 2);
        let chosen: Vec<Type> = chosen.iter().map(|number| types[*number].clone()).collect();
        for (unsafe_conversions, expected) in [(false, &results[expected[0]]), (true, &results[expected[1]])] {
            let ours = unify::unify(&chosen, unsafe_conversions);
            if *expected == "?" {
                continue;
            }
            let expected = (!expected.is_null()).then(|| cty_support::ty(expected));
            let about = || {
                let names: Vec<String> = chosen.iter().map(Type::to_string).collect();
                format!("{} (unsafe: {unsafe_conversions})", names.join(" and "))
            };
            differences.compare(ours.map(|ty| ty.to_string()), expected.map(|ty| ty.to_string()), about);
        }
    }
    differences.finish(10_000);
}
