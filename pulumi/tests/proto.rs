//! Our protocol files declare exactly what Pulumi's own packages declare, field by field.
// Helpers of tests may stop at the first wrong thing, as tests may.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../../proto/testdata/facts.rs"]
mod facts;

#[test]
fn pulumi_protocol_matches_the_record() {
    let files = ["pulumi/provider.proto", "pulumi/engine.proto", "pulumi/errors.proto", "google/rpc/status.proto"];
    let differences = facts::unexpected_differences(&files, include_str!("../../proto/testdata/pulumi.txt"), &[], &[]);
    assert!(differences.is_empty(), "{differences:#?}");
}
