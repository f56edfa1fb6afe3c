use super::*;
use crate::cty::{Number, Refinement, ValueKind, type_json};
use crate::limits::MAX_DEPTH;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

/// The value has exactly this form, and the form is read as the value.
fn check(value: &Value, ty: &Type, expected: &str) {
    assert_eq!(hex(&encode(value, ty).unwrap()), expected, "{value:?}");
    assert_eq!(decode(&unhex(expected), ty).unwrap(), *value, "{expected}");
}

fn number(text: &str) -> Value {
    Value::number(text.parse::<Number>().unwrap())
}

fn refused(bytes: &str, ty: &Type) -> String {
    decode(&unhex(bytes), ty).unwrap_err().to_string()
}

#[test]
fn numbers_take_their_shortest_exact_form() {
    check(&number("1"), &Type::Number, "01");
    check(&number("-33"), &Type::Number, "d0df");
    check(&number("1.5"), &Type::Number, "cb3ff8000000000000");
    check(&number("0.1"), &Type::Number, "a3302e31");
    check(&number("9223372036854775807"), &Type::Number, "cf7fffffffffffffff");
    check(&number("9223372036854775808"), &Type::Number, "b339323233333732303336383534373735383038");
    check(&number("1e-7"), &Type::Number, "a9302e30303030303031");
}

/// go-cty sends what is exactly a double as a double, and prints and compares that by its shortest decimal. A text would keep
/// the digits, but core's own copy of the plan has the double, and what is planned again for the apply must equal that.
#[test]
fn a_double_that_is_printed_shorter_is_what_is_printed() {
    for (exact, bytes, printed) in [
        ("10000000000000.4375", "cb42a2309ce54000e0", "10000000000000.438"),
        ("0.000000000931322574615478515625", "cb3e10000000000000", "0.0000000009313225746154785"),
    ] {
        assert_eq!(hex(&encode(&number(exact), &Type::Number).unwrap()), bytes);
        assert_eq!(decode(&unhex(bytes), &Type::Number).unwrap(), number(printed));
    }
}

#[test]
fn numbers_are_read_in_every_form() {
    for (bytes, expected) in [
        ("cc80", "128"),
        ("cd0100", "256"),
        ("d3ffffffffffffffff", "-1"),
        ("cfffffffffffffffff", "18446744073709551615"),
        ("ca3fc00000", "1.5"),
        // A double stands for the decimal it was written as.
        ("cb3fb999999999999a", "0.1"),
        ("c403312e35", "1.5"),
        ("a3316532", "100"),
    ] {
        assert_eq!(decode(&unhex(bytes), &Type::Number).unwrap(), number(expected), "{bytes}");
    }
    assert_eq!(refused("cb7ff0000000000000", &Type::Number), "a finite number is required, not infinity or NaN");
    assert_eq!(refused("cb7ff8000000000000", &Type::Number), "a finite number is required, not infinity or NaN");
    assert_eq!(refused("a3315f31", &Type::Number), "a number is required");
}

#[test]
fn text_is_normalised() {
    check(&Value::string("hé"), &Type::String, "a368c3a9");
    let decomposed = encode(&Value::string("he\u{301}"), &Type::String).unwrap();
    assert_eq!(hex(&decomposed), "a368c3a9");
    assert_eq!(decode(b"\xa4he\xcc\x81", &Type::String).unwrap(), Value::string("hé"));
    assert_eq!(refused("a1ff", &Type::String), "text is not UTF-8");
}

#[test]
fn unknowns_carry_refinements() {
    let not_null = Refinement::not_null();
    check(&Value::unknown(Type::String), &Type::String, "d40000");
    check(&Value::unknown_refined(Type::String, not_null.clone()), &Type::String, "c7030c8101c2");
    let prefix = Refinement { string_prefix: Some("b-".into()), ..not_null.clone() };
    check(&Value::unknown_refined(Type::String, prefix), &Type::String, "c7070c8201c202a2622d");
    let bounds =
        Refinement { number_min: Some((1.into(), true)), number_max: Some((2.into(), false)), ..Refinement::default() };
    check(&Value::unknown_refined(Type::Number, bounds), &Type::Number, "c7090c82039201c3049202c2");
    let strings = Type::list(Type::String);
    let lengths = Refinement { length_min: Some(1), length_max: Some(3), ..Refinement::default() };
    check(&Value::unknown_refined(strings.clone(), lengths), &strings, "c7050c8205010603");
}

#[test]
fn refinements_that_cannot_hold_are_refused() {
    for (bytes, ty) in [
        // Null and not null; at least 3 and at most 1; a prefix of a number; a negative length.
        ("c7050c8201c301c2", Type::String),
        ("c7050c8205030601", Type::list(Type::String)),
        ("c7050c8102a2622d", Type::Number),
        ("d60c8105d0ff", Type::list(Type::String)),
    ] {
        assert!(decode(&unhex(bytes), &ty).is_err(), "{bytes}");
    }
    assert_eq!(refused("c7030d8101c2", &Type::String), "no value has the extension code 13");
}

#[test]
fn dynamic_values_bring_their_type() {
    check(&Value::string("a"), &Type::Dynamic, "92c40822737472696e6722a161");
    check(&Value::null(Type::String), &Type::Dynamic, "92c40822737472696e6722c0");
    check(&Value::unknown(Type::String), &Type::Dynamic, "92c40822737472696e6722d40000");
    check(&Value::null(Type::Dynamic), &Type::Dynamic, "c0");
    check(&Value::unknown(Type::Dynamic), &Type::Dynamic, "d40000");
}

#[test]
fn dynamic_elements_settle_the_element_type_when_they_agree() {
    let dynamics = Type::list(Type::Dynamic);
    let agreeing = decode(&unhex("93c092c40822737472696e6722a161d40000"), &dynamics).unwrap();
    let expected = [Value::null(Type::String), Value::string("a"), Value::unknown(Type::String)];
    assert_eq!(agreeing, Value::list(Type::String, expected));
    let differing = Value::list(Type::Dynamic, [Value::string("a"), Value::bool(true)]);
    check(&differing, &dynamics, "9292c40822737472696e6722a16192c40622626f6f6c22c3");
}

#[test]
fn sets_are_sorted_without_duplicates() {
    let strings = Type::set(Type::String);
    let set = Value::set(Type::String, ["b", "a", "a"].map(Value::string));
    check(&set, &strings, "92a161a162");
    assert_eq!(decode(&unhex("93a162a161a161"), &strings).unwrap(), set);
}

#[test]
fn objects_have_all_their_attributes_and_no_others() {
    let ty = Type::object([("b", Type::Bool), ("a", Type::String)]);
    let value = Value::object([("b", Value::bool(true)), ("a", Value::null(Type::String))]);
    check(&value, &ty, "82a161c0a162c3");
    assert_eq!(refused("80", &ty), "missing attributes \"a\", \"b\"");
    assert_eq!(refused("81a161c0", &ty), "missing attribute \"b\"");
    assert_eq!(refused("82a161c0a161c0", &ty), "missing attribute \"b\"");
    assert_eq!(refused("81a163c0", &ty), "unsupported attribute \"c\"");
    let nested = Type::list(Type::object([("x", ty)]));
    assert_eq!(refused("9181a17882a16101a162c3", &nested), "[0].x.a: a string is required");
}

#[test]
fn values_never_have_optional_attributes_in_their_type() {
    let constraint = type_json::decode(br#"["list",["object",{"a":"string","b":"string"},["b"]]]"#).unwrap();
    let plain = constraint.without_optional();
    assert_ne!(constraint, plain);
    for bytes in ["c0", "d40000", "90", "9182a161c0a162c0"] {
        assert_eq!(decode(&unhex(bytes), &constraint).unwrap().ty(), plain, "{bytes}");
    }
    // An attribute may be left out of a configuration, not of a value.
    assert_eq!(refused("9181a161c0", &constraint), "[0]: missing attribute \"b\"");
}

#[test]
fn values_of_another_type_are_not_encoded() {
    let failure = |value: Value, ty: Type| encode(&value, &ty).unwrap_err().to_string();
    assert_eq!(failure(Value::bool(true), Type::String), "string required, but received bool");
    assert_eq!(failure(Value::unknown(Type::Bool), Type::String), "string required, but received bool");
    let object = Type::object([("a", Type::String)]);
    assert_eq!(failure(Value::object::<&str>([]), object.clone()), "missing attribute \"a\"");
    let extra = Value::object([("a", Value::string("")), ("b", Value::string(""))]);
    assert_eq!(failure(extra, object.clone()), "unsupported attribute \"b\"");
    let wrong = Value::tuple([Value::object([("a", Value::bool(true))])]);
    assert_eq!(failure(wrong, Type::tuple([object])), "[0].a: string required, but received bool");
}

#[test]
fn claims_beyond_the_data_are_refused_before_allocation() {
    for (bytes, ty) in [
        ("ddffffffff", Type::list(Type::String)),
        ("dfffffffff", Type::map(Type::String)),
        ("dbffffffff", Type::String),
        ("c6ffffffff", Type::String),
        ("c9ffffffff0c", Type::String),
        ("92", Type::Dynamic),
        ("", Type::Bool),
    ] {
        assert_eq!(refused(bytes, &ty), "the data ends early", "{bytes}");
    }
    assert_eq!(refused("c3c3", &Type::Bool), "extra data after the value");
}

#[test]
fn deep_nesting_is_an_error() {
    let mut wrapped = Vec::new();
    for _ in 0..100_000 {
        wrapped.extend_from_slice(b"\x92\xc4\x09\"dynamic\"");
    }
    wrapped.push(0xc0);
    let message = decode(&wrapped, &Type::Dynamic).unwrap_err().to_string();
    assert_eq!(message, "nested more than 128 levels deep");

    let nested = |levels: usize| (0..levels).fold(Value::string("x"), |value, _| Value::tuple([value]));
    let deepest = nested(MAX_DEPTH - 1);
    let bytes = encode(&deepest, &Type::Dynamic).unwrap();
    assert_eq!(decode(&bytes, &Type::Dynamic).unwrap(), deepest);
    assert!(encode(&nested(MAX_DEPTH), &Type::Dynamic).is_err());
    let deep_null = Value::null(nested(MAX_DEPTH).ty());
    assert!(encode(&deep_null, &Type::Dynamic).is_err());
}

#[test]
fn long_prefixes_are_shortened() {
    let prefix = Refinement { string_prefix: Some("é".repeat(200).into()), ..Refinement::default() };
    let bytes = encode(&Value::unknown_refined(Type::String, prefix), &Type::String).unwrap();
    let value = decode(&bytes, &Type::String).unwrap();
    let ValueKind::Unknown(_, Some(refinement)) = value.kind() else { panic!("{value:?}") };
    assert_eq!(refinement.string_prefix.as_deref(), Some("é".repeat(126).as_str()));
}
