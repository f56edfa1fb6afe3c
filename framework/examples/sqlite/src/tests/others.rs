use std::sync::Arc;

use denobridge_core::cty::{Type, Value};
use denobridge_framework::host::{Host, HostOptions};
use denobridge_framework::schema::{Advice, lint};
use rusqlite::Connection;

use super::{Library, text};

#[tokio::test]
async fn a_backup_tells_how_far_it_is() {
    let library = Library::new().await;
    library.run("CREATE TABLE large AS SELECT zeroblob(40000) AS content");
    let (backup, copy) =
        (library.host.action("sqlite_backup", "nightly").unwrap(), library.folder.path().join("copy.db"));
    let config = [("to", text(&copy.to_string_lossy())), ("pages_per_step", Value::number(4))];
    let config = backup.config(&Value::object(config)).unwrap();
    let told = backup.invoke(&config).await.expect_ok();
    assert!(told.len() > 2, "{told:?}");
    assert!(told.first().unwrap().starts_with("4 of "), "{told:?}");
    let copied = Connection::open(copy).unwrap();
    let length: i64 = copied.query_row("SELECT length(content) FROM large", [], |row| row.get(0)).unwrap();
    assert_eq!(length, 40000);

    let nowhere = [("to", text(&library.folder.path().join("missing/copy.db").to_string_lossy()))];
    let nowhere = backup.config(&Value::object(nowhere)).unwrap();
    backup.invoke(&nowhere).await.expect_error("unable to open database file");
}

#[tokio::test]
async fn states_are_kept_and_locked() {
    let library = Library::new().await;
    let store = library.host.state_store("sqlite_states").unwrap();
    let config = store.config(&Value::object::<&str>([])).unwrap();
    let store = store.configure(&config).await.expect_some();
    store.read("default").await.expect_none();
    let lock = store.lock("default", "apply").await.expect_some();
    store.lock("default", "plan").await.expect_error("\"apply\" holds the lock");
    store.write("default", "first".into()).await.expect_ok();
    store.write("default", "second".into()).await.expect_ok();
    assert_eq!(store.read("default").await.expect_some(), "second");
    store.unlock("default", "another").await.expect_error("there is no lock another");
    store.unlock("default", &lock).await.expect_ok();
    store.lock("default", "plan").await.expect_some();
    assert_eq!(store.states().await.expect_ok(), ["default"]);
    store.delete("default").await.expect_ok();
    store.read("default").await.expect_none();
}

#[tokio::test]
async fn tokens_are_renewed_and_go() {
    let library = Library::with(&[("token_lifetime", Value::number(60))]).await;
    let count = || library.ask::<i64>("SELECT count(*) FROM _tokens");
    let token = library.host.ephemeral_resource("sqlite_token", "loan").unwrap();
    let config = token.config(&Value::object([("purpose", text("loan"))])).unwrap();
    let open = token.open(&config).await.expect_some();
    assert!(open.renew_at.is_some());
    library.run("UPDATE _tokens SET expires = 0");
    let open = token.renew(open).await.expect_ok();
    assert!(library.ask::<i64>("SELECT expires FROM _tokens") > 0);
    assert_eq!(count(), 1);
    token.close(open.clone()).await.expect_ok();
    assert_eq!(count(), 0);
    token.renew(open).await.expect_error("somebody has deleted the token");
}

#[tokio::test]
async fn queries_only_read() {
    let library = Library::new().await;
    let query = library.host.data_source("sqlite_query", "one").unwrap();
    let config = query.config(&Value::object([("sql", text("CREATE TABLE made (a)"))])).unwrap();
    query.read(&config).await.expect_error("the statement would change the database");

    let sql = "SELECT 1 AS whole, 0.5 AS half, NULL AS nil, ? AS given, x'0aff' AS bytes";
    let asked = Value::object([("sql", text(sql)), ("parameters", Value::tuple([text("hé")]))]);
    let read = query.read(&query.config(&asked).unwrap()).await.expect_some();
    let half = Value::number("0.5".parse::<denobridge_core::cty::Number>().unwrap());
    let row = [
        ("whole", Value::number(1)),
        ("half", half),
        ("nil", Value::null(Type::Dynamic)),
        ("given", text("hé")),
        ("bytes", text("0aff")),
    ];
    assert_eq!(read.attribute("rows"), Some(&Value::tuple([Value::object(row)])));
}

#[tokio::test]
async fn functions_need_no_database() {
    let provider = Arc::new(crate::provider::provider().unwrap());
    let host = Host::start(provider, HostOptions::default()).await.unwrap();
    let select = host.function("select").unwrap();
    let made = select.call(&[text("odd \"name\""), text("title"), text("pages")]).await.expect_some();
    assert_eq!(made, text("SELECT \"title\", \"pages\" FROM \"odd \"\"name\"\"\""));
    assert_eq!(select.call(&[text("books")]).await.expect_some(), text("SELECT * FROM \"books\""));
    select.call(&[text("books"), text("")]).await.expect_error("a name cannot be empty");
    let literal = host.function("parse_literal").unwrap();
    assert_eq!(literal.call(&[text("'it''s'")]).await.expect_some(), text("it's"));
    assert_eq!(literal.call(&[text("true")]).await.expect_some(), Value::bool(true));
    literal.call(&[text("'it's'")]).await.expect_error("the text ends before the literal does");
    literal.call(&[text("books")]).await.expect_error("this is no number, text, bool or NULL");
    let quote = host.function("quote_identifier").unwrap();
    assert_eq!(quote.call(&[text("a\"b")]).await.expect_some(), text("\"a\"\"b\""));
}

#[tokio::test]
async fn schemas_say_everything() {
    let library = Library::new().await;
    let mut advice = lint("sqlite", library.host.schema());
    advice.retain(|found| found.advice != Advice::VersionZero);
    assert_eq!(advice, []);
}
