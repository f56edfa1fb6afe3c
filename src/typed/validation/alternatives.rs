//! What is meant where a value fits none of several schemas: mostly one of them, with a slip.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;

use super::steps;

/// What is wrong with the value as the one alternative that it is recognisably meant to be. `None` where that cannot be
/// told.
pub(super) fn meant<'e>(error: &'e ValidationError<'_>) -> Option<&'e [ValidationError<'static>]> {
    let branches = match error.kind() {
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => context,
        _ => return None,
    };
    let depth = steps(error).len();
    let mut candidates = branches.iter().filter(|branch| !branch.iter().any(|error| tells_apart(error, depth)));
    let candidate = candidates.next()?;
    candidates.next().is_none().then_some(candidate.as_slice())
}

/// Whether an error says that another alternative is meant: the type of the whole is another, or a member such as `kind` that
/// has only one value.
fn tells_apart(error: &ValidationError<'_>, depth: usize) -> bool {
    let at = steps(error).len();
    match error.kind() {
        ValidationErrorKind::Type { .. } => at == depth,
        ValidationErrorKind::Constant { .. } | ValidationErrorKind::Enum { .. } => at <= depth + 1,
        _ => false,
    }
}
