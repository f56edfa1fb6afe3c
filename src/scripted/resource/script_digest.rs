//! Noticing that a script has changed, for those who want that to be a change of the object: `script_digest` holds a digest
//! of the file that `path` names. Modules that it imports do not count.

use denobridge_core::cty::{Type, Value};
use denobridge_core::planning::same_value;
use denobridge_framework::{PlanEdit, PlanKind};
use sha2::{Digest as _, Sha256};

use super::super::call::attribute;
use crate::deno::command::Location;
use crate::files::hexadecimal;

/// The attribute that asks for it.
const WANTED: &str = "detect_script_changes";
/// The attribute that holds the digest.
const DIGEST: &str = "script_digest";

/// The digest to plan, if it can be told. A change of it alone is a change too.
///
/// A new one stays unknown until the object is made or changed: a script that is edited between plan and apply would
/// otherwise break the promise of the plan, and the host would blame the provider.
pub(super) fn plan(plan: &mut PlanEdit) -> Option<Value> {
    if plan.kind() == PlanKind::Delete {
        return None;
    }
    let digest = of(plan.planned(), attribute(plan.prior(), DIGEST))?;
    let prior = attribute(plan.prior(), DIGEST);
    if digest.is_null() || same_value(prior, &digest) {
        return Some(digest);
    }
    if plan.kind() == PlanKind::Update && differs(prior, &digest) && !plan.has_changes() {
        plan.expect_changes();
    }
    None
}

/// Plans it.
pub(super) fn set(plan: &mut PlanEdit, digest: Value) {
    plan.set(DIGEST, digest);
}

/// Whether the script of the planned object is another than the one that has worked on it.
pub(super) fn has_changed(prior: &Value, planned: &Value) -> bool {
    differs(attribute(prior, DIGEST), attribute(planned, DIGEST))
}

/// That nobody has looked before is no change.
fn differs(prior: &Value, planned: &Value) -> bool {
    !prior.is_null() && !planned.is_null() && !same_value(prior, planned)
}

/// The object with its digest, where the plan did not know it.
pub(super) fn settled(object: Value) -> Value {
    if attribute(&object, DIGEST).is_known() {
        return object;
    }
    let nothing = Value::null(Type::String);
    let digest = of(&object, &nothing).unwrap_or(nothing);
    object.with_attribute(DIGEST, digest)
}

/// The digest that an object has now: null when none is wanted, nothing while it cannot be told.
fn of(object: &Value, prior: &Value) -> Option<Value> {
    let wanted = attribute(object, WANTED);
    if !wanted.is_known() || !attribute(object, "path").is_known() {
        return None;
    }
    if wanted.as_bool() != Some(true) {
        return Some(Value::null(Type::String));
    }
    // A script that is not there fails when it is called, which says more than a digest could.
    Some(of_file(attribute(object, "path").as_str()?).map_or_else(|| prior.clone(), Value::string))
}

fn of_file(script: &str) -> Option<String> {
    let location = Location::parse(script, &std::env::current_dir().ok()?).ok()?;
    let hash = Sha256::digest(std::fs::read(location.file()?).ok()?);
    Some(format!("sha256:{}", hexadecimal(&hash)))
}
