//! What every bridge does with values.

use denobridge_core::cty::Value;
use denobridge_core::{Diagnostic, Diagnostics};

use super::digits::Given;
use super::failure::Failure;
use crate::model::{Model, ModelProblem};

/// A value as a model. `what` is what it is of the request: `prior state`.
pub(super) fn read<M: Model>(what: &str, value: &Value) -> Result<M, Diagnostics> {
    M::from_value(value).map_err(|error| {
        let detail = format!("In the {what}, {error}. The provider's {} has no room for that.", M::NAME);
        Diagnostic::error("The provider cannot use a value", detail).at(error.path()).into()
    })
}

/// The same, with what the model has been given.
pub(super) fn read_given<M: Model>(what: &str, value: &Value) -> Result<(M, Given), Diagnostics> {
    let model = read(what, value)?;
    let given = Given::to(value, &model);
    Ok((model, given))
}

/// What the check functions of a model say of a configuration and, where they accept it, what `validate` says. That is not
/// asked while a part is unknown for which the model has no room: it will be once everything is known.
pub(super) fn validated<M: Model>(config: &Value, validate: impl FnOnce(&M) -> Result<(), Failure>) -> Diagnostics {
    let mut found = M::check_all(config);
    if found.has_errors() {
        return found;
    }
    match M::from_value(config) {
        Ok(config) => found.extend(said(validate(&config))),
        Err(error) if *error.problem() == ModelProblem::Unknown => {}
        Err(error) => found.push(error.to_diagnostic()),
    }
    found
}

/// The messages of an operation that has no other result.
pub(super) fn said(outcome: Result<(), Failure>) -> Diagnostics {
    outcome.err().map(Failure::into_diagnostics).unwrap_or_default()
}

/// The result of an operation, unless it failed; then its messages are added to what there is to say already.
pub(super) fn unless_failed<T>(outcome: Result<T, Failure>, diagnostics: &mut Diagnostics) -> Option<T> {
    outcome.map_err(|failure| diagnostics.extend(failure.into_diagnostics())).ok()
}
