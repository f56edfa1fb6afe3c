use denobridge_core::cty::{Type, Value};
use denobridge_core::planning::Action;

use super::{Library, converged, text};

/// Two rows, of which nobody has said that `pin` is a secret.
const BOOKS: &str = "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, pages INTEGER, reader TEXT, pin TEXT);
                     INSERT INTO books VALUES (1, 'One', 320, 'canary-reader', 'canary-pin'), (2, 'Two', 7, NULL, NULL)";

async fn library() -> Library {
    let library = Library::new().await;
    library.run(BOOKS);
    library
}

fn row(title: &str, more: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let values = Value::object([("title", text(title)), ("lent", Value::bool(true))]);
    let own = [("table", text("books")), ("values", values)];
    Value::object(own.into_iter().chain(more))
}

fn hidden(column: &'static str, value: &str) -> Value {
    Value::object([(column, text(value))])
}

#[tokio::test]
async fn a_row_is_written_in_place_and_its_secrets_are_in_no_state() {
    let library = library().await;
    library.run("ALTER TABLE books ADD COLUMN lent INTEGER");
    let book = library.host.resource("sqlite_row", "book").unwrap();
    let more = |pin, version| {
        let version = ("secrets_version", Value::number(version));
        [("sensitive_values", hidden("reader", "somebody")), ("secrets", hidden("pin", pin)), version]
    };
    let made = converged(&book, &row("Three", more("canary-1", 1)), None).await;
    assert_eq!(
        library.ask::<String>("SELECT title || lent || reader || pin FROM books WHERE id = 3"),
        "Three1somebodycanary-1"
    );
    let identity = Value::object([("table", text("books")), ("number", Value::number(3))]);
    assert_eq!(made.state.identity.as_ref(), Some(&identity));

    // A secret that nobody stored cannot differ; another version says that it does.
    let made = converged(&book, &row("Three", more("canary-2", 1)), Some(&made.state)).await;
    assert_eq!(
        (made.action, library.ask::<String>("SELECT pin FROM books WHERE id = 3")),
        (Action::NoOp, "canary-1".to_owned())
    );
    let made = converged(&book, &row("Three", more("canary-2", 2)), Some(&made.state)).await;
    assert_eq!(
        (made.action, library.ask::<String>("SELECT pin FROM books WHERE id = 3")),
        (Action::Update, "canary-2".to_owned())
    );
    let stored = serde_json::to_string(&book.store(&made.state).unwrap()).unwrap();
    assert!(stored.contains("somebody") && !stored.contains("canary"), "{stored}");

    library.run("UPDATE books SET title = 'Drifted', lent = 0, reader = 'another' WHERE id = 3");
    let drifted = book.refresh(&made.state).await.expect_some();
    let another = Value::map(Type::String, [("reader", text("another"))]);
    assert_eq!(drifted.value.attribute("sensitive_values"), Some(&another));
    let made = converged(&book, &row("Three", []), Some(&drifted)).await;
    assert_eq!(made.action, Action::Update);
    assert_eq!(library.ask::<Option<String>>("SELECT reader FROM books WHERE id = 3"), None, "it is set no longer");

    book.destroy(&made.state).await.expect_none();
    book.refresh(&made.state).await.expect_none();
}

#[tokio::test]
async fn an_import_reads_no_column_that_it_is_not_told_to() {
    let library = library().await;
    let book = library.host.resource("sqlite_row", "book").unwrap();
    let identity = Value::object([("table", text("books")), ("number", Value::number(1))]);
    let by_id = book.import("books/1").await.expect_some();
    let by_identity = book.import_by_identity(&identity).await.expect_some();
    assert_eq!(by_id, by_identity);
    assert_eq!(by_id.value.attribute("values"), Some(&Value::object::<&str>([])));
    assert_eq!(by_id.value.attribute("id"), Some(&text("books/1")));

    let named = book.import("books/1:title,pages").await.expect_some();
    let values = Value::object([("title", text("One")), ("pages", Value::number(320))]);
    assert_eq!((named.value.attribute("values"), named.identity.as_ref()), (Some(&values), Some(&identity)));
    for state in [&by_id, &named] {
        let stored = serde_json::to_string(&book.store(state).unwrap()).unwrap();
        assert!(!stored.contains("canary"), "{stored}");
    }
    // Nothing is left to do for a configuration of the same columns, secrets included.
    let written = [("table", text("books")), ("values", values), ("secrets", hidden("pin", "canary-pin"))];
    assert_eq!(converged(&book, &Value::object(written), Some(&named)).await.action, Action::NoOp);

    book.import("books").await.expect_error("write it as TABLE/NUMBER");
    book.import("books/9").await.expect_error("there is no row 9 in the table books");
    book.import("books/1:titel").await.expect_error("the table books has no column titel");
}

#[tokio::test]
async fn rows_are_listed_with_the_columns_that_are_asked_for() {
    let library = library().await;
    let rows = library.host.list_resource("sqlite_row", "all").unwrap();
    let config = rows.config(&Value::object([("table", text("books"))])).unwrap();
    let found = rows.list(&config, false, 10).await.expect_ok();
    let names: Vec<&str> = found.iter().map(|row| &*row.display_name).collect();
    assert_eq!(names, ["books/1", "books/2"]);
    assert_eq!(rows.list(&config, true, 1).await.expect_ok().len(), 1);

    let columns = Value::tuple([text("title")]);
    let config = rows.config(&Value::object([("table", text("books")), ("columns", columns)])).unwrap();
    let found = rows.list(&config, true, 10).await.expect_ok();
    let object = found[1].object.as_ref().unwrap();
    assert_eq!(object.attribute("values"), Some(&hidden("title", "Two")));
    assert_eq!(object.attribute("sensitive_values"), Some(&Value::null(Type::map(Type::String))));
    // What is listed can be imported.
    let book = library.host.resource("sqlite_row", "book").unwrap();
    let imported = book.import_by_identity(&found[1].identity).await.expect_some();
    assert_eq!(imported.value.attribute("id"), Some(&text("books/2")));

    let nowhere = rows.config(&Value::object([("table", text("missing"))])).unwrap();
    rows.list(&nowhere, false, 10).await.expect_error("no such table: missing");
}

#[tokio::test]
async fn changes_are_recorded_for_who_answers_for_the_module() {
    let library = library().await;
    let host = library.host.with_provider_meta(&Value::object([("author", text("librarian"))])).unwrap();
    let book = host.resource("sqlite_row", "book").unwrap();
    let written = Value::object([("table", text("books")), ("values", hidden("title", "Three"))]);
    let made = converged(&book, &written, None).await;
    assert_eq!(
        library.ask::<String>("SELECT group_concat(author || ' ' || component) FROM _changes"),
        "librarian sqlite_row"
    );
    // What another module does, which says nothing, is not recorded.
    library.host.resource("sqlite_row", "book").unwrap().destroy(&made.state).await.expect_none();
    assert_eq!(library.ask::<i64>("SELECT count(*) FROM _changes"), 1);
}

#[tokio::test]
async fn what_the_database_refuses_leaves_nothing_behind() {
    let library = library().await;
    library.run("CREATE UNIQUE INDEX titles ON books (title)");
    let book = library.host.resource("sqlite_row", "book").unwrap();
    let config = Value::object([("table", text("books")), ("values", hidden("title", "One"))]);
    let config = book.config(&config).unwrap();
    let plan = book.plan(&config, None).await.expect_some();
    let left = book.apply(&plan, &config).await.expect_error("UNIQUE constraint failed: books.title");
    assert_eq!((left, library.ask::<i64>("SELECT count(*) FROM books")), (None, 2));
}
