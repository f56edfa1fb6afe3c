//! Whether a value is what a schema asks for.

use denobridge_core::cty::Value;
use denobridge_core::planning::rules;
use denobridge_core::schema::Block;
use denobridge_core::{Diagnostic, Diagnostics};

/// Everything that is wrong with a configuration of this block, all at once: values of other types, required ones that are
/// missing, ones that only the provider may set, blocks in the wrong number, values that are not among the allowed ones.
/// Null is fine for what is optional; what is unknown is left for when it is known. Values are never quoted.
#[must_use]
pub fn check_value(block: &Block, value: &Value) -> Diagnostics {
    let mismatches = rules::object_conforms(block, value);
    if !mismatches.is_empty() {
        // A value of another shape has no parts to which the other rules could apply.
        let wrong_type = |violation: rules::Violation| {
            Diagnostic::error("Incorrect value type", violation.message).at(violation.path)
        };
        return mismatches.into_iter().map(wrong_type).collect();
    }
    crate::validate::configuration(block, value)
}
