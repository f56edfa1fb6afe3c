//! Holds the traffic with scripts, as the provider logs it, against the contract's documents.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use denobridge::contracts::Contract;
use serde_json::{Map, Value as Json, json};

use crate::json_schema;

/// The module of the log lines with traffic.
const MODULE: &str = "json-rpc";

/// Which answers are to be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// All of them.
    Checked,
    /// None: the case has scripts that answer wrongly on purpose.
    WrongOnPurpose,
}

/// The documents, ready to check by.
pub struct Documents {
    /// The method of a kind of script, and the document that it is in.
    methods: BTreeMap<(&'static str, String), Method>,
}

struct Method {
    params: Json,
    result: Json,
    document: Arc<Json>,
}

impl Documents {
    /// Reads the documents as they are committed.
    pub fn read(project: &std::path::Path) -> Result<Self> {
        let mut methods = BTreeMap::new();
        for contract in Contract::ALL.into_iter().filter(|contract| *contract != Contract::Http) {
            let file = project.join("docs/reference").join(contract.file_name());
            let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
            let document: Arc<Json> = Arc::new(serde_json::from_str(&text)?);
            for method in document["methods"].as_array().into_iter().flatten() {
                let name = method["name"].as_str().unwrap_or_default().to_owned();
                let (params, result) = (params_schema(method), method["result"]["schema"].clone());
                let document = Arc::clone(&document);
                methods.insert((contract.file_name(), name), Method { params, result, document });
            }
        }
        Ok(Self { methods })
    }

    /// Checks every call and answer in a log of JSON lines; how many there were.
    ///
    /// # Errors
    /// With everything that the documents do not allow.
    pub fn check(&self, log: &str, answers: Answers) -> Result<usize> {
        let (mut seen, mut wrong) = (0, Vec::new());
        // An answer has the kind of the call before it with the same method: cases run one call at a time.
        let mut kinds: BTreeMap<(String, String), &'static str> = BTreeMap::new();
        for line in log.lines() {
            let Ok(Json::Object(line)) = serde_json::from_str::<Json>(line) else { continue };
            if line.get("@module").and_then(Json::as_str) != Some(MODULE) {
                continue;
            }
            let text = |name: &str| line.get(name).and_then(Json::as_str).unwrap_or_default();
            let key = (text("script").to_owned(), text("method").to_owned());
            let (problem, shown) = match text("@message") {
                "call" => {
                    let params = parse(text("params"))?;
                    let kind = kind(&key.1, &params);
                    kinds.insert(key.clone(), kind);
                    (self.problem(kind, &key.1, &params, true), params)
                }
                "answer" if answers == Answers::Checked => {
                    let result = parse(text("result"))?;
                    let Some(kind) = kinds.get(&key) else { bail!("an answer to {key:?} without a call") };
                    (self.problem(kind, &key.1, &result, false), result)
                }
                _ => continue,
            };
            seen += 1;
            wrong.extend(problem.map(|problem| format!("{} {}: {problem}\n  {shown}", text("@message"), key.1)));
        }
        if wrong.is_empty() { Ok(seen) } else { bail!("not as the contract's document says:\n{}", wrong.join("\n")) }
    }

    fn problem(&self, kind: &'static str, method: &str, json: &Json, is_call: bool) -> Option<String> {
        match self.methods.get(&(kind, method.to_owned())) {
            None => Some(format!("{kind} has no method {method}")),
            Some(method) => {
                let schema = if is_call { &method.params } else { &method.result };
                json_schema::problem(json, schema, &method.document)
            }
        }
    }
}

/// What kind of script a call is for.
fn kind(method: &str, params: &Json) -> &'static str {
    let contract = match method {
        "read" if params.get("id").is_none() => Contract::Datasource,
        "open" | "renew" | "close" => Contract::Ephemeral,
        "invoke" => Contract::Action,
        "call" => Contract::Function,
        _ => Contract::Resource,
    };
    contract.file_name()
}

fn parse(text: &str) -> Result<Json> {
    serde_json::from_str(text).with_context(|| format!("no JSON: {text}"))
}

/// The params of a method as one object, which has no members but those.
fn params_schema(method: &Json) -> Json {
    let params: Vec<&Json> = method["params"].as_array().into_iter().flatten().collect();
    let name = |param: &Json| param["name"].as_str().unwrap_or_default().to_owned();
    let properties: Map<String, Json> = params.iter().map(|param| (name(param), param["schema"].clone())).collect();
    let required: Vec<String> =
        params.iter().filter(|param| param["required"] == true).map(|param| name(param)).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}
