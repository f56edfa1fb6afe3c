//! The properties of the fuzz targets, for a bounded number of inputs: some as they come, and more that are nearly right.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Inputs that are right, to be damaged.
const SEEDS: [&[u8]; 16] = [
    b"[\"list\",\"string\"]\0\x92\xa1a\xa1b",
    b"\"number\"\0\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00",
    b"\"string\"\0\xc7\x07\x0c\x81\x02\xa2b-",
    b"[\"object\",{\"a\":\"bool\",\"b\":\"dynamic\"}]\0\x82\xa1a\xc3\xa1b\x92\xc4\x08\"string\"\xa1a",
    b"[\"set\",[\"tuple\",[\"number\",\"string\"]]]\0\x91\x92\x01\xa1a",
    b"[\"map\",\"number\"]\0{\"a\":1.5,\"b\":\"2\"}",
    b"\"dynamic\"\0{\"value\":[1],\"type\":[\"list\",\"number\"]}",
    b"[\"object\",{\"a\":\"bool\",\"b\":[\"set\",\"string\"]},[\"a\"]]\0{\"b\":[\"x\",\"x\"]}",
    b"[\"tuple\",[[\"map\",\"string\"],\"dynamic\"]]",
    b"1|6|unix|/tmp/plugin123|grpc|",
    b"1|5|tcp|127.0.0.1:10000|grpc|AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA|true",
    br#"{"a/b":{"Protocol":"grpc","ProtocolVersion":6,"Pid":1,"Test":true,"Addr":{"Network":"unix","String":"/x"}}}"#,
    br#"{"id":"1","secret":"s","any":{"value":"x","type":"string"},"sizes":{"a":[1,2]},"set":[{"text":"a"}]}"#,
    br#"{"list":[{"text":null}],"map":{"k":{"text":"a"}},"rule":[{"value":true}],"step":[{"value":null}],"one":null}"#,
    br#"{"id":["a","b"],"more":[]}"#,
    br#"{"any":{"type":["object",{"a":"number"}],"value":{"a":1e400}},"step":[{"value":1}]}"#,
];

/// An input with a few bytes of others, here or there.
fn nearly_right() -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<Index>(), any::<Index>(), vec(any::<u8>(), 0..3));
    (select(&SEEDS[..]), vec(change, 0..4), proptest::option::of(0..4_u8)).prop_map(|(seed, changes, version)| {
        let mut input = seed.to_vec();
        for (from, length, bytes) in changes {
            let from = from.index(input.len() + 1);
            let to = (from + length.index(3)).min(input.len());
            input.splice(from..to, bytes);
        }
        // A stored state begins with the version that wrote it.
        if let Some(version) = version {
            input.insert(0, version);
        }
        input
    })
}

fn input() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![1 => vec(any::<u8>(), 0..80), 4 => nearly_right()]
}

/// Cases enough to reach most branches, in a second or so.
fn bounded() -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    ProptestConfig { cases: config.cases.max(2_000), ..config }
}

proptest! {
    // More cases for a long run: PROPTEST_CASES=50000.
    #![proptest_config(bounded())]

    #[test]
    fn msgpack(input in input()) {
        denobridge_properties::msgpack(&input);
    }

    #[test]
    fn json(input in input()) {
        denobridge_properties::json(&input);
    }

    #[test]
    fn type_json(input in input()) {
        denobridge_properties::type_json(&input);
    }

    #[test]
    fn handshake(input in input()) {
        denobridge_properties::handshake(&input);
    }

    #[test]
    fn raw_state(input in input()) {
        denobridge_properties::raw_state(&input);
    }
}

/// Too many digits for a seed to become one by chance.
#[test]
fn a_number_that_is_printed_shorter_is_no_difference() {
    denobridge_properties::msgpack(b"\"number\"\0\xb310000000000000.4375");
    denobridge_properties::json(b"\"number\"\x0010000000000000.4375");
}

/// The seeds reach what they are meant to reach: most inputs that are nearly right are not refused at the door.
#[test]
fn the_seeds_are_read() {
    for seed in SEEDS {
        denobridge_properties::msgpack(seed);
        denobridge_properties::json(seed);
        denobridge_properties::type_json(seed);
        denobridge_properties::handshake(seed);
        for version in 0..4 {
            denobridge_properties::raw_state(&[&[version], seed].concat());
        }
    }
}
