use bytes::Bytes;
use denobridge_core::cty::Value;
use denobridge_core::planning::Action;
use denobridge_framework::host::MovedFrom;
use serde_json::json;

use super::{Library, converged, text};

/// A table with these columns: names and their types.
fn table(name: &str, columns: &[(&'static str, &str)]) -> Value {
    let columns = columns.iter().map(|(name, kind)| (*name, Value::object([("type", text(kind))])));
    Value::object([("name", text(name)), ("columns", Value::object(columns))])
}

#[tokio::test]
async fn a_table_is_renamed_and_changed_in_place_and_replaced_when_a_column_becomes_another() {
    let library = Library::new().await;
    let books = library.host.resource("sqlite_table", "books").unwrap();
    let made = converged(&books, &table("books", &[("title", "text"), ("pages", "integer")]), None).await;
    library.run("INSERT INTO books (title) VALUES ('kept')");

    let made = converged(&books, &table("volumes", &[("title", "text"), ("year", "integer")]), Some(&made.state)).await;
    assert_eq!((made.action, library.ask::<String>("SELECT title FROM volumes")), (Action::Update, "kept".to_owned()));

    let made = converged(&books, &table("volumes", &[("title", "blob"), ("year", "integer")]), Some(&made.state)).await;
    assert_eq!((made.action, library.ask::<i64>("SELECT count(*) FROM volumes")), (Action::Replace, 0));

    library.run("ALTER TABLE volumes DROP COLUMN year");
    let drifted = books.refresh(&made.state).await.expect_some();
    let made = converged(&books, &table("volumes", &[("title", "blob"), ("year", "integer")]), Some(&drifted)).await;
    assert_eq!(made.action, Action::Update, "the column is added again");
    assert_eq!(books.import("volumes").await.expect_some().value, made.state.value);

    books.destroy(&made.state).await.expect_none();
    books.refresh(&made.state).await.expect_none();
}

#[tokio::test]
async fn a_state_of_version_0_is_brought_to_the_current_form() {
    let library = Library::new().await;
    library.run("CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, pages INTEGER)");
    let books = library.host.resource("sqlite_table", "books").unwrap();
    let stored = json!({
        "type": "sqlite_table",
        "schema_version": 0,
        "attributes": { "id": "books", "name": "books", "columns": ["title text", "pages integer"] },
    });
    let loaded = books.load(&serde_json::from_value(stored).unwrap()).await.expect_some();
    assert_eq!(books.refresh(&loaded).await.expect_some().value, loaded.value);
    let made = converged(&books, &table("books", &[("title", "text"), ("pages", "integer")]), Some(&loaded)).await;
    assert_eq!(made.action, Action::NoOp);
}

#[tokio::test]
async fn a_table_that_a_command_made_is_taken_over() {
    let library = Library::new().await;
    library.run("CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT)");
    let books = library.host.resource("sqlite_table", "books").unwrap();
    let made_by_hand = |input| MovedFrom {
        provider_address: "terraform.io/builtin/terraform".to_owned(),
        type_name: "terraform_data".to_owned(),
        schema_version: 0,
        attributes: json!({ "id": "8a0e", "input": input, "output": input, "triggers_replace": null }),
        private: Bytes::new(),
        identity: None,
        identity_schema_version: 0,
    };
    let moved = books.move_from(&made_by_hand(json!({ "type": "string", "value": "books" }))).await.expect_some();
    let found = books.refresh(&moved).await.expect_some();
    assert_eq!(converged(&books, &table("books", &[("title", "text")]), Some(&found)).await.action, Action::NoOp);
    let unnamed = made_by_hand(json!({ "type": "number", "value": 1 }));
    books.move_from(&unnamed).await.expect_error("must be the table's name");
}

#[tokio::test]
async fn what_is_wrong_with_a_table_is_said_of_its_attribute() {
    let library = Library::new().await;
    let books = library.host.resource("sqlite_table", "books").unwrap();
    for (wrong, attribute) in
        [(table("sqlite_books", &[]), "name"), (table("books", &[("title", "clob")]), "columns[\"title\"].type")]
    {
        let report = books.validate(&books.config(&wrong).unwrap()).await.report;
        let refusals: Vec<String> = report.diagnostics.errors().map(|refusal| refusal.attribute.to_string()).collect();
        assert_eq!(refusals, [attribute]);
    }
    library.run("CREATE TABLE books (id)");
    let config = books.config(&table("books", &[("title", "text")])).unwrap();
    let plan = books.plan(&config, None).await.expect_some();
    books.apply(&plan, &config).await.expect_error("table \"books\" already exists");
}
