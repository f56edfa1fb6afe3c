//! The provider under test, and what to ask it.

use denobridge_core::cty::Value;
use denobridge_raw_client::{Answers, Script};
use serde_json::json;

/// The provider under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_terraform-provider-kinds");

/// The part that all secrets have in common.
pub const CANARY: &str = "c4nary";

/// Every component asked to do `word`, with a secret wherever one can be.
pub fn script(word: &str) -> Script {
    let config = |secret: &str| json!({ "does": word, "secret": format!("{CANARY}-{secret}") });
    let mut resource = config("resource");
    resource["password"] = json!(format!("{CANARY}-password"));
    Script {
        provider: json!({ "does": if word == "x" { "x" } else { "" }, "token": format!("{CANARY}-token") }),
        resource: Some(("kinds_thing", resource)),
        import_id: if word.starts_with("panic") { "panic" } else { "7" },
        moved: Some(("old_thing", config("moved"))),
        data_source: Some(("kinds_lookup", config("data"))),
        ephemeral_resource: Some(("kinds_token", config("ephemeral"))),
        action: Some(("kinds_reboot", config("action"))),
        list_resource: Some(("kinds_thing", config("list"))),
        state_store: Some(("kinds_store", config("store"))),
        function: Some(("shout", vec![Value::string(word)])),
    }
}

/// All that a person reads of the answers.
pub fn said(answers: &Answers) -> String {
    let lines = answers.iter().flat_map(|(name, answer)| {
        let said = answer.as_ref().map_or_else(|status| vec![status.to_string()], |answer| answer.said.clone());
        said.into_iter().map(move |said| format!("{name}: {said}\n"))
    });
    lines.collect()
}
