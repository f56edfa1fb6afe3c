//! Our protocol files declare what other implementations' compiled files declare, field by field.
// Helpers of tests may stop at the first wrong thing, as tests may.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../proto/testdata/facts.rs"]
mod facts;
#[path = "../src/proto/shared.rs"]
mod shared;

use std::collections::BTreeSet;

const FILES: [&str; 1] = ["tfplugin6/tfplugin6.proto"];

/// Protocol 6.11, which no recorded package has yet.
const NEW_IN_6_11: [&str; 4] = [
    "field .tfplugin6.ClientCapabilities.computed_blocks_allowed = 4 optional bool",
    "field .tfplugin6.ClientCapabilities.store_planned_private = 3 optional bool",
    "field .tfplugin6.PlanResourceChange.Request.planned_private = 9 optional bytes",
    "field .tfplugin6.Schema.Block.computed = 8 optional bool",
];

/// The 6.5 package was made while functions were a preview: its errors of functions were diagnostics.
const PREVIEW_IN_6_5: [&str; 2] = [
    "field .tfplugin6.CallFunction.Response.diagnostics = 2 repeated .tfplugin6.Diagnostic",
    "field .tfplugin6.Diagnostic.function_argument = 5 presence int64",
];

#[test]
fn protocol_6_matches_the_record_of_6_10() {
    let record = include_str!("../../proto/testdata/tfplugin6-6.10.txt");
    let differences = facts::unexpected_differences(&FILES, record, &[], &NEW_IN_6_11);
    assert!(differences.is_empty(), "{differences:#?}");
}

#[test]
fn everything_in_6_5_is_still_there() {
    let record = include_str!("../../proto/testdata/tfplugin6-6.5.txt");
    let missing: Vec<String> = facts::unexpected_differences(&FILES, record, &PREVIEW_IN_6_5, &[])
        .into_iter()
        .filter(|difference| !difference.starts_with("only here: "))
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn protocol_5_matches_the_record_of_5_10() {
    let record = include_str!("../../proto/testdata/tfplugin5-5.10.txt");
    let differences = facts::unexpected_differences(&["tfplugin5/tfplugin5.proto"], record, &[], &[]);
    assert!(differences.is_empty(), "{differences:#?}");
}

/// The name in protocol 6 of what `name`, without its package, is in protocol 5.
fn in_protocol_6(name: &str) -> Option<String> {
    shared::SHARED_MESSAGES.iter().find_map(|(of_5, of_6)| {
        let rest = name.strip_prefix(of_5).filter(|rest| rest.is_empty() || rest.starts_with('.'))?;
        Some(format!(".tfplugin6.{of_6}{rest}"))
    })
}

/// Everything that protocol 5 declares about shared messages, with every name as it is in protocol 6.
fn shared_facts_of_5() -> BTreeSet<String> {
    let renamed = |word: &str| {
        let name = word.strip_prefix(".tfplugin5.");
        name.and_then(in_protocol_6).unwrap_or_else(|| word.to_owned())
    };
    facts::declared(&["tfplugin5/tfplugin5.proto"])
        .into_iter()
        .filter(|fact| !fact.starts_with("method "))
        .map(|fact| fact.split(' ').map(renamed).collect::<Vec<_>>().join(" "))
        .filter(|fact| fact.split(' ').nth(1).is_some_and(|name| name.starts_with(".tfplugin6.")))
        .collect()
}

#[test]
fn messages_that_are_one_type_have_the_same_fields_in_both_protocols() {
    let of_5 = shared_facts_of_5();
    let is_shared = |fact: &str| {
        let name = fact.split(' ').nth(1).and_then(|name| name.strip_prefix(".tfplugin6."));
        let within = |message: &str| {
            name.and_then(|name| name.strip_prefix(message))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        !fact.starts_with("method ") && shared::SHARED_MESSAGES.iter().any(|(_, of_6)| within(of_6))
    };
    let of_6: BTreeSet<String> = facts::declared(&FILES).into_iter().filter(|fact| is_shared(fact)).collect();

    let missing: Vec<_> = of_5.difference(&of_6).collect();
    assert!(missing.is_empty(), "not the same in protocol 6: {missing:#?}");
    let newer: Vec<&str> = of_6
        .difference(&of_5)
        .map(|fact| fact.split(' ').nth(1).unwrap().strip_prefix(".tfplugin6.").unwrap())
        .collect();
    assert_eq!(newer, shared::ONLY_IN_6);
}
