use std::collections::{BTreeMap, BTreeSet};

use denobridge_core::cty::{Number, Refinement, Type, Value};
use proptest::prelude::*;

use super::*;

#[derive(Clone, Debug, Model, PartialEq)]
struct Everything {
    text: Tf<String>,
    #[tf(required)]
    flag: bool,
    #[tf(required)]
    exact: Number,
    #[tf(required)]
    whole: i64,
    #[tf(required)]
    large: u64,
    double: Option<f64>,
    list: Tf<Vec<Tf<i64>>>,
    set: Option<BTreeSet<String>>,
    map: Option<BTreeMap<String, Vec<bool>>>,
    #[tf(required)]
    pair: (String, i32),
    secret: Option<Secret<String>>,
    #[tf(required)]
    any: Value,
    #[tf(required)]
    inner: BTreeMap<String, Inner>,
    #[tf(blocks = "set")]
    block: Vec<Inner>,
}

#[derive(Clone, Debug, Model, PartialEq)]
struct Inner {
    #[tf(required, check = "low")]
    port: Tf<u16>,
}

fn low(port: &u16) -> Result<(), String> {
    if *port < 1024 { Ok(()) } else { Err("must be below 1024".to_owned()) }
}

fn tf<T: std::fmt::Debug + Clone>(known: impl Strategy<Value = T>) -> impl Strategy<Value = Tf<T>> {
    prop_oneof![
        Just(Tf::Null),
        Just(Tf::unknown()),
        Just(Tf::Unknown(Refinement::not_null())),
        known.prop_map(Tf::Known),
    ]
}

fn everything() -> impl Strategy<Value = Everything> {
    let text = "[a-z0-9 ]{0,8}";
    let inner = tf(any::<u16>()).prop_map(|port| Inner { port });
    let first = (
        tf(text),
        any::<bool>(),
        "-?[0-9]{1,40}\\.[0-9]{1,40}",
        any::<i64>(),
        any::<u64>(),
        prop::option::of(-1e300..1e300f64),
        tf(prop::collection::vec(tf(any::<i64>()), 0..4)),
    );
    let second = (
        prop::option::of(prop::collection::btree_set(text, 0..4)),
        prop::option::of(prop::collection::btree_map(text, prop::collection::vec(any::<bool>(), 0..3), 0..3)),
        (text, any::<i32>()),
        prop::option::of(text),
        prop_oneof![Just(Value::bool(true)), Just(Value::null(Type::Dynamic)), Just(Value::string("x"))],
        prop::collection::btree_map(text, inner, 0..3),
        prop::option::of(0..1024u16),
    );
    (first, second).prop_map(|(first, second)| {
        let (text, flag, exact, whole, large, double, list) = first;
        let (set, map, pair, secret, any, inner, block) = second;
        let block = block.into_iter().map(|port| Inner { port: port.into() }).collect();
        let (exact, secret) = (printed(exact.parse().unwrap()), secret.map(Secret::new));
        Everything { text, flag, exact, whole, large, double, list, set, map, pair, secret, any, inner, block }
    })
}

/// A number as the wire gives it back: what is exactly a double is the double's shortest decimal then.
fn printed(number: Number) -> Number {
    number.to_wire_f64().and_then(Number::from_f64).unwrap_or(number)
}

proptest! {
    #[test]
    fn f36_models_survive_as_values(model in everything()) {
        let value = model.to_value();
        prop_assert!(value.ty().conforms_to(&Everything::ty()), "{:?}", value.ty());
        prop_assert_eq!(Everything::from_value(&value), Ok(model));
    }

    #[test]
    fn f36_models_survive_the_wire(model in everything()) {
        let ty = Everything::ty();
        let bytes = denobridge_core::cty::msgpack::encode(&model.to_value(), &ty).unwrap();
        let value = denobridge_core::cty::msgpack::decode(&bytes, &ty).unwrap();
        prop_assert_eq!(Everything::from_value(&value), Ok(model));
    }
}

fn inner(port: Value) -> Value {
    Value::object([("port", port)])
}

#[test]
fn what_does_not_fit_is_named_as_users_write_it() {
    #[derive(Debug, Model)]
    #[allow(dead_code)]
    struct Outer {
        #[tf(required)]
        rules: Vec<Strict>,
    }
    #[derive(Debug, Model)]
    #[allow(dead_code)]
    struct Strict {
        #[tf(required)]
        port: u16,
    }
    let read = |port: Value| {
        let rule = inner(port);
        let outer = Value::object([("rules", Value::list(rule.ty(), [rule]))]);
        Outer::from_value(&outer).unwrap_err().to_string()
    };
    assert_eq!(read(Value::null(Type::Number)), "\"rules[0].port\": it is not set");
    assert_eq!(read(Value::unknown(Type::Number)), "\"rules[0].port\": it is not known yet");
    assert_eq!(read(Value::string("x")), "\"rules[0].port\": number is required, but this is string");
    assert_eq!(read(Value::number(70_000)), "\"rules[0].port\": the number is not within 0 and 65535");
    assert_eq!(read(Value::number("1.5".parse::<Number>().unwrap())), "\"rules[0].port\": a whole number is required");
    assert_eq!(Outer::from_value(&Value::object::<&str>([])).unwrap_err().to_string(), "\"rules\": it is missing");
}

#[test]
fn f44_checks_run_inside_collections_and_leave_the_unknown_alone() {
    #[derive(Model)]
    #[allow(dead_code)]
    struct Outer {
        #[tf(required)]
        rules: Tf<BTreeMap<String, Inner>>,
        #[tf(required)]
        name: String,
    }
    let rules = [("a", 80), ("b", 8080)].map(|(key, port)| (key, inner(Value::number(port))));
    let rules = Value::map(Inner::ty(), rules.into_iter().chain([("c", inner(Value::unknown(Type::Number)))]));
    // The name is not known and the model has no room for that; the rules are checked all the same.
    let found = Outer::check_all(&Value::object([("rules", rules), ("name", Value::unknown(Type::String))]));
    let told: Vec<_> = found.iter().map(|found| (found.attribute.to_string(), found.detail.as_str())).collect();
    assert_eq!(told, [("rules[\"b\"].port".to_owned(), "\"rules[\"b\"].port\" must be below 1024.")]);
}

#[test]
fn secrets_are_marked_and_doubles_without_a_number_are_not_hidden() {
    assert_eq!(format!("{:?}", Secret::new("hunter2".to_owned()).to_value()), "(sensitive)");
    assert!(!f64::NAN.to_value().is_known());
}
