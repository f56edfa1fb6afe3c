//! Pairs recorded from real providers: what each says of itself, and the package that the Go bridge makes of it when it
//! is given the binary `./bin/terraform-provider-NAME`.

use denobridge_sdk_gen::{Repair, Repairs};
use serde_json::Value;

use crate::difference::differences;
use crate::recorded::{PROVIDERS, package, recorded};

fn expected(name: &str) -> Value {
    serde_json::from_slice(&recorded(name, "pulumi-schema.json")).expect("a recorded schema")
}

/// Without repairs, nothing may differ.
fn assert_equal(name: &str) {
    let found = differences(&expected(name), &package(name, Repairs::none()).schema.to_value());
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
    for name in PROVIDERS {
        let expected = expected(name);
        let count = |repairs| differences(&expected, &package(name, repairs).schema.to_value()).len();
        // The large one has a use for one of them, as one look at all of them shows.
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
    aws: all 1
    ");
}

/// A repair adds to what the Go bridge says, and changes types; it takes away and renames nothing that programs use.
#[test]
fn repairs_take_no_property_away() {
    for name in PROVIDERS {
        let found = differences(&expected(name), &package(name, Repairs::all()).schema.to_value());
        let lost: Vec<_> = found.iter().filter(|difference| difference.ends_with(" is missing")).collect();
        assert_eq!(lost, Vec::<&String>::new(), "{name}");
    }
}
