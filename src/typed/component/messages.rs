//! What generic components say, at the attributes that it is about.

use denobridge_core::cty::{Path, PathStep};
use denobridge_core::{Diagnostic, Diagnostics};

use super::Layout;
use super::layout::SECRETS_VERSION;
use crate::scripted;
use crate::typed::schema::{Misfit, Property, located};

impl Layout {
    /// The diagnostics of a generic component as those of this one.
    pub fn diagnostics(&self, diagnostics: Diagnostics) -> Diagnostics {
        let moved = diagnostics.into_iter().map(|diagnostic| {
            let path = self.attribute_path(&diagnostic.attribute);
            let (attribute, detail) = scripted::placed(path, diagnostic.detail);
            Diagnostic { attribute, detail, ..diagnostic }
        });
        moved.collect()
    }

    /// The attribute for a place in the object of the generic component. What has none is the object as a whole.
    pub fn attribute_path(&self, path: &Path) -> Path {
        let Some((PathStep::Attribute(first), rest)) = path.steps().split_first() else { return Path::root() };
        let steps: Vec<String> = rest.iter().filter_map(name_of).collect();
        let within = |properties: &[Property]| located(properties, &steps).path;
        match &**first {
            "props" => within(&self.props),
            "write_only_props" => within(&self.write_only),
            "state" | "result" => within(&self.state),
            "sensitive_state" | "sensitive_result" => within(&self.sensitive),
            "id" => Path::root().attribute("id"),
            "write_only_props_version" if self.tracks_secrets() => Path::root().attribute(SECRETS_VERSION),
            _ => Path::root(),
        }
    }
}

fn name_of(step: &PathStep) -> Option<String> {
    match step {
        PathStep::Attribute(name) | PathStep::Key(name) => Some(name.to_string()),
        PathStep::Index(index) => Some(index.to_string()),
        PathStep::Element(_) => None,
    }
}

/// Says that a script's answer is not what its schema promises. `kept` is what became of the object all the same.
pub(super) fn misfits(misfits: &[Misfit], file: &str, method: &str, kept: &str) -> Option<Diagnostic> {
    let told: Vec<String> = match misfits {
        [] => return None,
        [misfit] => vec![format!("{misfit}.")],
        several => several.iter().map(|misfit| format!("\n  - {misfit}")).collect(),
    };
    let detail = format!(
        "Script {file} answered \"{method}\" with something else than its schema says: {}{kept}\n\nCorrect what the script \
         answers, or what it says of itself in \"schema\".",
        told.concat()
    );
    Some(Diagnostic::error("The answer does not fit the schema", detail))
}

/// Warns of what a script has answered and no attribute holds.
pub(super) fn unnamed(names: &[String], file: &str, method: &str) -> Option<Diagnostic> {
    if names.is_empty() {
        return None;
    }
    let detail = format!(
        "Script {file} answered \"{method}\" with {}, which its schema does not name. No attribute holds it, so it is not \
         kept.\n\nName it in the schema, or leave it out of the answer.",
        names.join(", ")
    );
    Some(Diagnostic::warning("A part of the answer is not kept", detail))
}
