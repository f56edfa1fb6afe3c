//! Holds what integrations were told in a case against the schema of their protocol: the events in the reports of its runs.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value as Json, json};

/// Checks every event in the reports in a folder and in the folders in it; how many there were.
///
/// # Errors
/// With everything that the schema does not allow.
pub fn check(project: &Path, folder: &Path) -> Result<usize> {
    let mut reports = Vec::new();
    collect(folder, &mut reports)?;
    if reports.is_empty() {
        return Ok(0);
    }
    let file = project.join("docs/integrations/protocol.schema.json");
    let mut schema: Json = serde_json::from_str(&std::fs::read_to_string(&file)?)?;
    schema["$ref"] = json!("#/$defs/to_integration");
    schema.as_object_mut().context("the schema is no object")?.remove("anyOf");
    let validator = jsonschema::validator_for(&schema).context("the schema of the protocol is none")?;
    let (mut seen, mut wrong) = (0, Vec::new());
    for line in reports.iter().flat_map(|report| report.lines()) {
        // Some cases have other files of that kind, such as an audit log.
        let Ok(line) = serde_json::from_str::<Json>(line) else { continue };
        if line["kind"] == "event" {
            seen += 1;
            let message = json!({ "jsonrpc": "2.0", "id": seen, "method": line["hook"], "params": line["params"] });
            wrong.extend(validator.iter_errors(&message).map(|error| format!("{error}\n  {message}")));
        }
    }
    if wrong.is_empty() { Ok(seen) } else { bail!("not as the protocol's schema says:\n{}", wrong.join("\n")) }
}

/// The texts of all files that may be reports.
fn collect(folder: &Path, reports: &mut Vec<String>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            reports.push(std::fs::read_to_string(&path)?);
        } else if path.is_dir() && !path.is_symlink() {
            collect(&path, reports)?;
        }
    }
    Ok(())
}
