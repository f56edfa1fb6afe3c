//! Pairs recorded from real providers: what each says of itself, and the package that the Go bridge makes of it when it
//! is given the binary `./bin/terraform-provider-NAME`.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use denobridge_sdk_gen::{BasePlugin, BridgedOptions, Package, Repair, Repairs, generate_bridged};
use flate2::read::GzDecoder;
use serde_json::Value;

use crate::difference::differences;
use crate::wire::provider_schema;

/// A recorded file, which is packed if it is large.
fn recorded(name: &str, file: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bridged/data").join(name);
    let packed: PathBuf = folder.join(format!("{file}.gz"));
    if !packed.exists() {
        return std::fs::read(folder.join(file)).expect("a recorded file");
    }
    let mut content = Vec::new();
    let bytes = std::fs::read(packed).expect("a recorded file");
    GzDecoder::new(bytes.as_slice()).read_to_end(&mut content).expect("a packed file");
    content
}

fn package(name: &str, repairs: Repairs) -> Package {
    let parameter = format!(r#"{{"local":{{"path":"./bin/terraform-provider-{name}"}}}}"#).into_bytes();
    let base = BasePlugin { name: "terraform-provider".to_owned(), version: "0.0.0-dev".to_owned(), parameter };
    let options = BridgedOptions { parameterization: Some(base), repairs, ..BridgedOptions::new(name, "0.0.0") };
    let protocol = if recorded(name, "protocol").starts_with(b"5") { 5 } else { 6 };
    let schema = provider_schema(&recorded(name, "provider-schema.pb"), protocol);
    generate_bridged(&schema, &options).expect("a package")
}

fn expected(name: &str) -> Value {
    serde_json::from_slice(&recorded(name, "pulumi-schema.json")).expect("a recorded schema")
}

/// Without repairs, nothing may differ.
fn assert_equal(name: &str) {
    let found = differences(&expected(name), &package(name, Repairs::none()).schema);
    let shown: Vec<_> = found.iter().take(30).cloned().collect();
    assert!(found.is_empty(), "{name}: {} differences, such as\n{}", found.len(), shown.join("\n"));
}

#[test]
fn time_is_what_the_go_bridge_makes_of_it() {
    assert_equal("time");
}

#[test]
fn random_is_what_the_go_bridge_makes_of_it() {
    assert_equal("random");
}

#[test]
fn tls_is_what_the_go_bridge_makes_of_it() {
    assert_equal("tls");
}

#[test]
fn local_is_what_the_go_bridge_makes_of_it() {
    assert_equal("local");
}

#[test]
fn aws_is_what_the_go_bridge_makes_of_it() {
    assert_equal("aws");
}

/// How many differences each repair makes by itself, and all together.
#[test]
fn repairs_make_the_differences_that_they_are_for() {
    let mut report = String::new();
    for name in ["time", "random", "tls", "local", "aws"] {
        let expected = expected(name);
        let count = |repairs| differences(&expected, &package(name, repairs).schema).len();
        // The large one has no use for any repair, which one look at all of them shows.
        let each = if name == "aws" { &[][..] } else { &Repair::ALL[..] };
        let counts: Vec<_> = each.iter().map(|repair| (repair.name(), count(Repairs::from_iter([*repair])))).collect();
        let made = counts.iter().filter(|(_, count)| *count > 0).map(|(name, count)| format!(" {name} {count},"));
        report.push_str(&format!("{name}:{} all {}\n", made.collect::<String>(), count(Repairs::all())));
    }
    insta::assert_snapshot!(report, @r"
    time: descriptions 4, all 4
    random: descriptions 10, new-kinds 2, all 12
    tls: descriptions 24, new-kinds 2, all 26
    local: descriptions 40, new-kinds 2, all 42
    aws: all 0
    ");
}

/// A repair adds to what the Go bridge says, and changes types; it takes away and renames nothing that programs use.
#[test]
fn repairs_take_no_property_away() {
    for name in ["time", "random", "tls", "local", "aws"] {
        let found = differences(&expected(name), &package(name, Repairs::all()).schema);
        let lost: Vec<_> = found.iter().filter(|difference| difference.ends_with(" is missing")).collect();
        assert_eq!(lost, Vec::<&String>::new(), "{name}");
    }
}
