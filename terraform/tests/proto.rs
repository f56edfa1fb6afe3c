//! Our protocol files declare what other implementations' compiled files declare, field by field.
// Helpers of tests may stop at the first wrong thing, as tests may.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../proto/testdata/facts.rs"]
mod facts;

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
