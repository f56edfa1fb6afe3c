//! The rules that look at one answer by itself, or beside its configuration.

use super::plan::plan_result;
use super::{Found, Rule, Violation};
use crate::cty::{Path, Type, Value};
use crate::planning::compare::unknown_paths;
use crate::planning::conformance::{Mismatch, block_mismatches, type_mismatches};
use crate::planning::write_only::write_only_paths;
use crate::planning::{Action, compare};
use crate::provider::{Deferred, ImportedResource};
use crate::schema::{Block, IdentitySchema};

/// R1: checks that an object is of its schema's type, with every attribute there. Null is of every type. Decoding has
/// already told this of values that crossed a wire; values that never left the process are held to it here.
#[must_use]
pub fn object_conforms(block: &Block, object: &Value) -> Vec<Violation> {
    mismatches(Rule::Conformance, block_mismatches(block, object))
}

/// R1 for what is not an object of a schema, such as the result of a function: checks that a value is of a type. Null is of
/// every type.
#[must_use]
pub fn value_conforms(ty: &Type, value: &Value) -> Vec<Violation> {
    mismatches(Rule::Conformance, type_mismatches(value, ty))
}

fn mismatches(rule: Rule, mismatches: Vec<Mismatch>) -> Vec<Violation> {
    mismatches.into_iter().map(|mismatch| Violation::new(rule, mismatch.path, mismatch.message)).collect()
}

/// R6: checks that write-only attributes are null. Terraform core: `ephemeral.ValidateWriteOnlyAttributes`.
#[must_use]
pub fn write_only_null(block: &Block, object: &Value) -> Vec<Violation> {
    write_only_paths(block, object)
        .into_iter()
        .filter(|path| compare::apply_path(object, path).is_some_and(|value| !value.is_null()))
        .map(|path| Violation::new(Rule::WriteOnly, path, "write-only attributes must be null in everything returned"))
        .collect()
}

/// R10: checks that everything is known after apply, and that there is an object unless it was deleted. Terraform core:
/// `NodeAbstractResourceInstance.apply`. What is wrongly unknown is stored as null
/// ([`crate::planning::unknowns_as_null`]).
#[must_use]
pub fn known_after_apply(action: Action, actual: &Value) -> Vec<Violation> {
    let mut violations = unknowns(
        Rule::KnownAfterApply,
        actual,
        "after the apply operation, the provider still indicated an unknown value; all values must be known after apply",
    );
    let message = match (action, actual.is_null()) {
        (Action::Delete, false) => "after a delete, the provider returned a non-null object",
        (Action::Create | Action::Update | Action::Replace, true) => {
            "the provider returned a null object although nothing was to be deleted"
        }
        _ => return violations,
    };
    violations.push(Violation::new(Rule::KnownAfterApply, Path::root(), message));
    violations
}

fn unknowns(rule: Rule, value: &Value, message: &str) -> Vec<Violation> {
    unknown_paths(value).into_iter().map(|path| Violation::new(rule, path, message)).collect()
}

/// R13 (with R1 and R6): checks what a read returned. Null is fine: the object is gone. Terraform core:
/// `NodeAbstractResourceInstance.refresh`.
#[must_use]
pub fn read_result(block: &Block, state: &Value) -> Vec<Violation> {
    stored(Rule::ReadResult, "the returned state contains an unknown value", block, state)
}

/// R14 (with R1 and R6): checks upgraded state. Terraform core: `upgradeResourceState`.
#[must_use]
pub fn upgraded_state(block: &Block, state: &Value) -> Vec<Violation> {
    stored(Rule::Upgrade, "the upgraded state contains an unknown value", block, state)
}

/// R14 (with R1 and R6): checks the state that a resource took over from another type, which there must be. Terraform core:
/// `crossTypeMover`.
#[must_use]
pub fn moved_state(block: &Block, state: &Value) -> Vec<Violation> {
    if state.is_null() {
        return vec![Violation::new(Rule::Upgrade, Path::root(), "the move returned no state")];
    }
    stored(Rule::Upgrade, "the moved state contains an unknown value", block, state)
}

fn stored(rule: Rule, unknown: &str, block: &Block, state: &Value) -> Vec<Violation> {
    let mut violations = object_conforms(block, state);
    violations.extend(unknowns(rule, state, unknown));
    violations.extend(write_only_null(block, state));
    violations
}

/// R13: checks what an import found, of which there must be one object of a named type; `state` is its decoded value.
/// Objects beside the first are allowed by `terraform import` but not by import blocks, so they are a violation only if
/// `exactly_one`. Terraform core: `NodePlannableResourceInstance.importState`.
#[must_use]
pub fn imported(
    block: &Block,
    found: &[ImportedResource],
    state: &Value,
    exactly_one: bool,
    by_identity: bool,
) -> Vec<Violation> {
    let broken = |message: &str| Violation::new(Rule::Import, Path::root(), message);
    let Some(first) = found.first() else { return vec![broken("the import returned no resources")] };
    let mut violations = Vec::new();
    if exactly_one && found.len() > 1 {
        violations.push(broken("the import returned more than one resource"));
    }
    if first.type_name.is_empty() {
        violations.push(broken("the import did not say of which type the resource is"));
    }
    if by_identity && first.identity.is_none() {
        violations.push(broken("the import by identity returned no identity"));
    }
    if state.is_null() {
        violations.push(broken("the import returned a null resource"));
    }
    violations.extend(object_conforms(block, state));
    violations.extend(write_only_null(block, state));
    violations
}

/// R15 (with R1): checks the result of a data source. Terraform core: `readDataSource`.
#[must_use]
pub fn data_result(block: &Block, result: &Value) -> Vec<Violation> {
    if result.is_null() {
        return vec![Violation::new(Rule::DataSource, Path::root(), "the provider returned a null object")];
    }
    let mut violations = object_conforms(block, result);
    violations.extend(unknowns(Rule::DataSource, result, "the provider returned an unknown value; all must be known"));
    violations
}

/// R15 (with R1): checks the result of an ephemeral resource, which is held to its configuration as the plan of a new
/// object is. Terraform core: `openEphemeralResourceInstance`.
#[must_use]
pub fn ephemeral_result(block: &Block, config: &Value, result: &Value) -> Vec<Violation> {
    let mut violations = object_conforms(block, result);
    if violations.is_empty() {
        let prior = Value::null(block.implied_type());
        let plan = plan_result(block, &prior, config, result);
        violations.extend(plan.into_iter().map(|violation| Violation { rule: Rule::Ephemeral, ..violation }));
    }
    violations
}

/// R16: checks an identity. Null is always fine. `may_be_unknown` for the plan of a create or a replacement: the object
/// does not exist yet. Terraform core: `validateIdentity`, `validateIdentityKnown`.
#[must_use]
pub fn identity_result(schema: &IdentitySchema, identity: &Value, may_be_unknown: bool) -> Vec<Violation> {
    let mut violations = mismatches(Rule::Identity, type_mismatches(identity, &schema.implied_type()));
    if !may_be_unknown {
        violations.extend(unknowns(Rule::Identity, identity, "the identity contains an unknown value"));
    }
    if !identity.marks_deep().is_empty() {
        violations.push(Violation::new(Rule::Identity, Path::root(), "an identity cannot be sensitive"));
    }
    violations
}

/// R16: checks that an object which already had an identity still has it. Terraform core leaves this to the provider SDKs,
/// whose server refuses such an answer.
#[must_use]
pub fn identity_kept(before: Option<&Value>, after: Option<&Value>) -> Vec<Violation> {
    match (before, after) {
        (Some(before), Some(after)) if before != after => {
            vec![Violation::new(Rule::Identity, Path::root(), "the identity of an existing object has changed")]
        }
        _ => Vec::new(),
    }
}

/// R17: checks whether the provider was allowed to put off its answer. Terraform core:
/// `deferring.UnexpectedProviderDeferralDiagnostic`.
#[must_use]
pub fn deferral(allowed: bool, deferred: Option<Deferred>) -> Vec<Violation> {
    let mut found = Found::default();
    if let (false, Some(reason)) = (allowed, deferred) {
        let reason = match reason {
            Deferred::Unknown => "without a reason",
            Deferred::ResourceConfigUnknown => "because the resource's configuration is not known yet",
            Deferred::ProviderConfigUnknown => "because the provider's configuration is not known yet",
            Deferred::AbsentPrerequisite => "because something that must exist first does not",
        };
        found
            .add(Rule::Deferral, format!("the provider put off its answer ({reason}), which it was not allowed to do"));
    }
    found.violations
}
