//! Holds what was sent to scripts over HTTP and answered by them against the contract's document.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use denobridge::contracts::Contract;
use serde_json::Value as Json;

use crate::json_schema;

/// Checks recorded requests, a JSON object on each line: `method`, `path`, `body` as text, `status`, `answer` as text.
///
/// # Errors
/// With everything that the document does not allow.
pub fn check(project: &Path, recorded: &str) -> Result<()> {
    let file = project.join("docs/reference").join(Contract::Http.file_name());
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let document: Json = serde_json::from_str(&text)?;
    let mut wrong = Vec::new();
    for line in recorded.lines() {
        let exchange: Json = serde_json::from_str(line).with_context(|| format!("no JSON: {line}"))?;
        wrong.extend(problem(&exchange, &document).map(|problem| format!("{problem}\n  {line}")));
    }
    match (recorded.is_empty(), wrong.is_empty()) {
        (true, _) => bail!("nothing was recorded"),
        (false, true) => Ok(()),
        (false, false) => bail!("not as the contract's document says:\n{}", wrong.join("\n")),
    }
}

fn problem(exchange: &Json, document: &Json) -> Option<String> {
    let text = |name: &str| exchange[name].as_str().unwrap_or_default();
    let operation = &document["paths"][text("path")][text("method").to_lowercase()];
    if operation.is_null() {
        return Some(format!("there is no {} {}", text("method"), text("path")));
    }
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    if !body.is_null()
        && let Some(problem) = json_problem(text("body"), body, document)
    {
        return Some(format!("the body: {problem}"));
    }
    let status = exchange["status"].to_string();
    let answers = &operation["responses"];
    let documented = [status.clone(), format!("{}XX", &status[..1])].iter().find_map(|status| answers.get(status));
    let Some(answer) = documented else { return Some(format!("the status {status} is not in the document")) };
    let problem = answer_problem(text("answer"), &answer["content"], document)?;
    Some(format!("the answer: {problem}"))
}

fn answer_problem(answer: &str, content: &Json, document: &Json) -> Option<String> {
    if let Some(media) = content.get("application/json") {
        return json_problem(answer, &media["schema"], document);
    }
    match content.get("application/jsonl") {
        Some(media) => answer.lines().find_map(|line| json_problem(line, &media["schema"], document)),
        None => (!answer.is_empty()).then(|| "there must be none".to_owned()),
    }
}

fn json_problem(text: &str, schema: &Json, document: &Json) -> Option<String> {
    match serde_json::from_str(text) {
        Ok(json) => json_schema::problem(&json, schema, document),
        Err(error) => Some(format!("{text:?} is no JSON: {error}")),
    }
}
