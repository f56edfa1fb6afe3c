//! The provider as a plugin: every procedure of protocol 6.11 over its socket with mutual TLS, as two hosts call them that
//! share no code with it: a raw gRPC client, and one made of go-plugin and terraform-plugin-go.
#![allow(clippy::unwrap_used, clippy::panic)]
#![cfg(unix)]

use std::path::Path;

use denobridge_core::cty::Value;
use denobridge_raw_client::{Answers, Plugin, Script, every_procedure, go_host};
use rusqlite::Connection;
use serde_json::{Value as Json, json};

const PROGRAM: &str = env!("CARGO_BIN_EXE_terraform-provider-sqlite");

/// A database with a table whose column `pin` holds a secret.
fn library(folder: &Path) -> Connection {
    let database = Connection::open(folder.join("library.db")).unwrap();
    database.execute_batch("CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, pin TEXT)").unwrap();
    database
}

fn script(folder: &Path) -> Script {
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let values = json!({ "type": ["object", { "title": "string" }], "value": { "title": "One" } });
    Script {
        provider: json!({ "file": path("library.db"), "token_lifetime": 600 }),
        resource: Some(("sqlite_row", json!({ "table": "books", "values": values, "secrets": { "pin": "canary" } }))),
        import_id: "books/1:title",
        moved: None,
        data_source: Some(("sqlite_query", json!({ "sql": "SELECT title FROM books" }))),
        ephemeral_resource: Some(("sqlite_token", json!({ "purpose": "loan" }))),
        action: Some(("sqlite_backup", json!({ "to": path("copy.db"), "pages_per_step": 1 }))),
        list_resource: Some(("sqlite_row", json!({ "table": "books", "columns": ["title"] }))),
        state_store: Some(("sqlite_states", json!({}))),
        function: Some(("select", ["books", "title"].map(Value::string).to_vec())),
    }
}

/// Fails unless the answer to each of these procedures has this text in it.
fn has(answers: &Answers, expected: &[(&str, &str)]) {
    for (name, part) in expected {
        let answer = answers[name].as_ref().unwrap();
        assert!(answer.text.contains(part), "{name}: {answer:?}");
    }
}

/// F4, F14 to F21: every procedure does its work, but for the one that takes over objects of other resources, which only
/// tables do.
#[tokio::test]
async fn f4_every_procedure_of_the_example_does_its_work() {
    let folder = tempfile::tempdir().unwrap();
    let database = library(folder.path());
    // For a row to be there still when rows are listed.
    database.execute_batch("INSERT INTO books (id, title, pin) VALUES (7, 'Seven', 'canary')").unwrap();
    let plugin = Plugin::start(PROGRAM).await;
    let script = Script { import_id: "books/7:title", ..script(folder.path()) };
    let answers = every_procedure(&plugin, &script).await;
    for (name, answer) in &answers {
        let answer = answer.as_ref().unwrap_or_else(|status| panic!("{name}: {status}"));
        assert_eq!(answer.failed, *name == "MoveResourceState", "{name}: {answer:#?}");
        let shown = answer.text.contains("canary");
        assert!(!shown || *name == "UpgradeResourceState from version 0", "{name} shows the secret: {answer:#?}");
    }
    has(
        &answers,
        &[
            ("GetMetadata", "sqlite_backup"),
            ("GetProviderSchema", "author"),
            ("GetResourceIdentitySchemas", "number"),
            ("ApplyResourceChange", "books/8"),
            ("ImportResourceState", "Seven"),
            ("ReadDataSource", "Seven"),
            ("CallFunction", "SELECT"),
            ("ListResource", "books/7"),
            ("InvokeAction", "pages copied"),
            ("InvokeAction", "Completed"),
            ("ReadStateBytes", r#"bytes: b"abcd""#),
            ("GetStates", "default"),
        ],
    );
    let progress = &answers["InvokeAction"].as_ref().unwrap().said;
    assert!(progress.len() > 2 && progress[0].starts_with("1 of "), "{progress:?}");
    let copied: i64 = Connection::open(folder.path().join("copy.db"))
        .unwrap()
        .query_row("SELECT count(*) FROM books", [], |row| row.get(0))
        .unwrap();
    assert_eq!(copied, 1, "the other row is destroyed by then");
    for (left, table) in [(1, "books"), (0, "_tokens"), (0, "_states"), (0, "_locks")] {
        let count: i64 = database.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap();
        assert_eq!(count, left, "{table}");
    }
}

/// F4: the same for a resource that takes over objects and has states of an older version.
#[tokio::test]
async fn f4_every_procedure_about_tables_does_its_work() {
    let folder = tempfile::tempdir().unwrap();
    drop(library(folder.path()));
    let plugin = Plugin::start(PROGRAM).await;
    let column = json!({ "type": "text", "required": null, "default": null });
    let input = json!({ "type": "string", "value": "books" });
    let script = Script {
        provider: script(folder.path()).provider,
        resource: Some(("sqlite_table", json!({ "name": "others", "columns": { "title": column } }))),
        import_id: "books",
        moved: Some(("terraform_data", json!({ "id": "8a0e", "input": input }))),
        ..Script::default()
    };
    let answers = every_procedure(&plugin, &script).await;
    for name in [
        "ValidateResourceConfig",
        "PlanResourceChange",
        "ApplyResourceChange",
        "ReadResource",
        "UpgradeResourceState",
        "GenerateResourceConfig",
        "ImportResourceState",
        "MoveResourceState",
        "ApplyResourceChange of a deletion",
    ] {
        let answer = answers[name].as_ref().unwrap();
        assert!(!answer.failed, "{name}: {answer:#?}");
    }
    has(&answers, &[("ImportResourceState", "books"), ("MoveResourceState", "books")]);
}

/// What differs from run to run, checked and replaced.
fn settled(mut answers: Json) -> Json {
    let mut replace = |pointer: &str, is_right: fn(&str) -> bool| {
        let value = answers.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}"));
        let text = value.as_str().unwrap();
        assert!(is_right(text), "{pointer}: {text}");
        *value = json!("(another each time)");
    };
    let is_hexadecimal = |text: &str| text.len() >= 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_moment = |text: &str| text.contains('T') && text.ends_with('Z');
    replace("/OpenEphemeralResource/result/value", is_hexadecimal);
    replace("/OpenEphemeralResource/renew_at", is_moment);
    replace("/RenewEphemeralResource/renew_at", is_moment);
    replace("/LockState/lock_id", is_hexadecimal);
    answers
}

/// F4, F60: the same with the libraries that Terraform itself is made of, with AutoMTLS. With `UPDATE_EXPECT` set, what was
/// answered becomes what is expected.
#[tokio::test]
async fn f4_every_procedure_of_the_example_answers_a_go_host() {
    let folder = tempfile::tempdir().unwrap();
    drop(library(folder.path()));
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).join("go-host-of-sqlite");
    let arguments = ["-plugin", PROGRAM, "-provider", "sqlite", "-protocol", "6"];
    let answers = settled(go_host::answers(&build, &arguments, folder.path()).await);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/go_host_answers.json");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, serde_json::to_string_pretty(&answers).unwrap() + "\n").unwrap();
    }
    let expected = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let differences = go_host::differences(&answers, &expected);
    assert!(differences.is_empty(), "{differences:#?}");
}
