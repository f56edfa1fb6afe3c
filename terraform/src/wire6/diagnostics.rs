//! Diagnostics and the paths in them.

use denobridge_core::cty::{Path, PathStep};
use denobridge_core::{Diagnostics, Severity};

use crate::proto::tfplugin6 as pb;

/// Messages in their order.
pub(crate) fn to_wire(diagnostics: Diagnostics) -> Vec<pb::Diagnostic> {
    diagnostics
        .into_iter()
        .map(|diagnostic| pb::Diagnostic {
            severity: match diagnostic.severity {
                Severity::Error => pb::diagnostic::Severity::Error,
                Severity::Warning => pb::diagnostic::Severity::Warning,
            }
            .into(),
            summary: diagnostic.summary,
            detail: diagnostic.detail,
            attribute: Some(path(&diagnostic.attribute)).filter(|path| !path.steps.is_empty()),
        })
        .collect()
}

/// The wire has no step into a set, so a path ends before one: the message is then about the whole set.
pub(super) fn path(path: &Path) -> pb::AttributePath {
    use pb::attribute_path::Step;
    use pb::attribute_path::step::Selector;
    let steps = path.steps().iter().map_while(|step| match step {
        PathStep::Attribute(name) => Some(Selector::AttributeName(name.to_string())),
        PathStep::Key(key) => Some(Selector::ElementKeyString(key.to_string())),
        PathStep::Index(index) => Some(Selector::ElementKeyInt(*index)),
        PathStep::Element(_) => None,
    });
    pb::AttributePath { steps: steps.map(|selector| Step { selector: Some(selector) }).collect() }
}

#[cfg(test)]
mod tests {
    use denobridge_core::Diagnostic;
    use denobridge_core::cty::Value;

    use super::*;

    #[test]
    fn a_message_about_the_whole_resource_has_no_path() {
        let wire = to_wire(Diagnostic::warning("summary", "detail").into());
        assert_eq!(wire[0].severity(), pb::diagnostic::Severity::Warning);
        assert_eq!(wire[0].attribute, None);
    }

    #[test]
    fn a_path_ends_before_a_set_element() {
        let element = PathStep::Element(Box::new(Value::string("x")));
        let into_set = Path::root().attribute("rules").index(2).key("k").then(element).attribute("port");
        let steps: Vec<_> = path(&into_set).steps.into_iter().filter_map(|step| step.selector).collect();
        use pb::attribute_path::step::Selector;
        let expected = [
            Selector::AttributeName("rules".to_owned()),
            Selector::ElementKeyInt(2),
            Selector::ElementKeyString("k".to_owned()),
        ];
        assert_eq!(steps, expected);
    }
}
