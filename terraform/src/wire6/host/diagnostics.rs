//! What a provider says, and where.

use denobridge_core::cty::{Path, PathStep};
use denobridge_core::{Diagnostic, Diagnostics, Severity};

use crate::proto::tfplugin6 as pb;

/// Messages in their order. One whose severity is unknown counts as an error: nothing bad may pass for a success.
pub(crate) fn from_wire(diagnostics: Vec<pb::Diagnostic>) -> Diagnostics {
    let mut messages = Diagnostics::new();
    for diagnostic in diagnostics {
        let severity = match diagnostic.severity() {
            pb::diagnostic::Severity::Warning => Severity::Warning,
            pb::diagnostic::Severity::Error | pb::diagnostic::Severity::Invalid => Severity::Error,
        };
        let attribute = diagnostic.attribute.map(path).unwrap_or_default();
        messages.push(Diagnostic { severity, summary: diagnostic.summary, detail: diagnostic.detail, attribute });
    }
    messages
}

/// A path ends before a step that we do not know, and is then about what is around it.
pub(super) fn path(path: pb::AttributePath) -> Path {
    use pb::attribute_path::step::Selector;
    let steps = path.steps.into_iter().map_while(|step| {
        Some(match step.selector? {
            Selector::AttributeName(name) => PathStep::Attribute(name.into()),
            Selector::ElementKeyString(key) => PathStep::Key(key.into()),
            Selector::ElementKeyInt(index) => PathStep::Index(index),
        })
    });
    steps.fold(Path::root(), Path::then)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_we_sent_comes_back_the_same() {
        let mut said = Diagnostics::from(Diagnostic::warning("old", "use the new one"));
        said.push(Diagnostic::error("bad", "").at(Path::root().attribute("rules").index(2).key("k")));
        assert_eq!(from_wire(crate::wire6::diagnostics(said.clone())), said);
    }

    #[test]
    fn a_message_without_severity_is_an_error() {
        let unknown = pb::Diagnostic { severity: 9, summary: "what".to_owned(), ..pb::Diagnostic::default() };
        assert!(from_wire(vec![unknown]).has_errors());
    }
}
