//! Python: all SDKs by one run of pyright, in its standard mode, which is what editors show.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::{Errors, file};
use crate::languages::Workshop;
use crate::languages::packages::Package;
use crate::process;

/// Where npm has put pyright.
pub const CHECKER: &str = "pyright/index.js";

pub fn check<'a>(workshop: &Workshop<'_>, packages: impl Iterator<Item = &'a Package>) -> Result<Errors> {
    println!("checking Python …");
    let mut errors = Errors::new();
    let folders: Vec<String> = packages.map(|package| format!("sdks/{}/python", package.name)).collect();
    for (path, error) in pyright(workshop, &workshop.folder, &json!({"include": folders}))? {
        if is_the_generators(Path::new(&path), &error) {
            continue;
        }
        file(&mut errors, &workshop.path("sdks"), Path::new(&path), error);
    }
    Ok(errors)
}

/// Whether the generator is wrong there in every SDK, whatever the schema says: in its own module of helpers, and where
/// constructors hand their arguments on.
fn is_the_generators(path: &Path, error: &str) -> bool {
    path.file_name().is_some_and(|name| name == "_utilities.py")
        || error.contains(r#"cannot be assigned to parameter "props" of type "Inputs | None""#)
}

/// The errors that pyright finds in a folder, each with its file.
pub fn pyright(workshop: &Workshop<'_>, folder: &Path, configuration: &Value) -> Result<Vec<(String, String)>> {
    let file = folder.join("pyrightconfig.json");
    std::fs::write(&file, configuration.to_string()).context("cannot write a configuration of pyright")?;
    let mut check = workshop.environment.node(CHECKER)?;
    check.args(["--outputjson", "--pythonpath"]).arg(workshop.environment.python()).arg("-p").arg(&file);
    let ended = process::capture(check.current_dir(folder))?;
    let report: Value = serde_json::from_str(&ended.stdout).with_context(|| ended.report())?;
    ensure!(report["summary"]["filesAnalyzed"].as_u64() > Some(0), "pyright has looked at nothing");
    let found = report["generalDiagnostics"].as_array().context("pyright reports no diagnostics")?;
    let errors = found.iter().filter(|one| one["severity"] == "error").map(|one| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let path = text(&one["file"]);
        let line = one["range"]["start"]["line"].as_u64().unwrap_or_default() + 1;
        let name = Path::new(&path).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let message = text(&one["message"]);
        let summary = message.lines().next().unwrap_or_default();
        (path, format!("{name}:{line}: {summary} ({})", text(&one["rule"])))
    });
    Ok(errors.collect())
}
