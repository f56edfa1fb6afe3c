#![allow(clippy::unwrap_used, clippy::panic, reason = "vectors that cannot be read must fail the test")]
//! Values from the notation of the vectors (see go-cty-vectors/notation.go), built by constructors and no codec.

use denobridge_core::cty::{Number, Refinement, Type, Value, type_json};
use serde_json::Value as Json;

/// The type of its JSON.
pub fn ty(json: &Json) -> Type {
    type_json::decode(json.to_string().as_bytes()).unwrap()
}

fn number(json: &Json) -> Number {
    json.as_str().unwrap().parse().unwrap()
}

/// The value that the notation describes. In strict mode a set must be noted as it is: in order, without duplicates.
pub fn value(notation: &Json, strict: bool) -> Value {
    let argument = &notation[1];
    let items =
        |json: &Json| -> Vec<Value> { json.as_array().unwrap().iter().map(|part| value(part, strict)).collect() };
    let entries = |json: &Json| -> Vec<(String, Value)> {
        json.as_object().unwrap().iter().map(|(key, part)| (key.clone(), value(part, strict))).collect()
    };
    match notation[0].as_str().unwrap() {
        "s" => Value::string(argument.as_str().unwrap()),
        "n" => Value::number(number(argument)),
        "b" => Value::bool(argument.as_bool().unwrap()),
        "0" => Value::null(ty(argument)),
        "?" => unknown(ty(argument), &notation[2]),
        "l" => Value::list(ty(argument), items(&notation[2])),
        "S" => {
            let items = items(&notation[2]);
            let set = Value::set(ty(argument), items.clone());
            assert!(!strict || set.as_elements() == Some(items.as_slice()), "{set:?} should be in the order {items:?}");
            set
        }
        "m" => Value::map(ty(argument), entries(&notation[2])),
        "o" => Value::object(entries(argument)),
        "t" => Value::tuple(items(argument)),
        other => panic!("no notation {other}"),
    }
}

fn unknown(ty: Type, refinement: &Json) -> Value {
    let bound = |key: &str| refinement.get(key).map(|bound| (number(&bound[0]), bound[1].as_bool().unwrap()));
    Value::unknown_refined(
        ty,
        Refinement {
            not_null: refinement.get("nn").is_some(),
            string_prefix: refinement
                .get("sp")
                .map(|prefix| Value::string(prefix.as_str().unwrap()).as_str().unwrap().into()),
            number_min: bound("n>"),
            number_max: bound("n<"),
            length_min: refinement.get("l>").and_then(Json::as_u64),
            length_max: refinement.get("l<").and_then(Json::as_u64),
        },
    )
}
