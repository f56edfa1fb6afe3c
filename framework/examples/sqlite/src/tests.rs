//! What Terraform 1.11 cannot ask for, in the embedded host, which holds every answer to Terraform core's rules. The rest is
//! in `tests/cases/framework/sqlite`, with the real tools.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use denobridge_core::cty::Value;
use denobridge_framework::host::{Host, HostOptions};
use rusqlite::Connection;

/// A configured provider over a new database, and the folder that both are in.
async fn host(settings: &[(&'static str, Value)]) -> (Host, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("library.db");
    let own = [("file", Value::string(file.to_string_lossy()))];
    let host = Host::start(Arc::new(crate::provider::provider().unwrap()), HostOptions::default()).await.unwrap();
    host.configure(&Value::object(own.into_iter().chain(settings.iter().cloned()))).await.expect_ok();
    (host, folder)
}

#[tokio::test]
async fn a_backup_tells_how_far_it_is() {
    let (host, folder) = host(&[]).await;
    let database = Connection::open(folder.path().join("library.db")).unwrap();
    database.execute_batch("CREATE TABLE large AS SELECT zeroblob(40000) AS content").unwrap();
    let (backup, copy) = (host.action("sqlite_backup", "nightly").unwrap(), folder.path().join("copy.db"));
    let config = [("to", Value::string(copy.to_string_lossy())), ("pages_per_step", Value::number(4))];
    let config = backup.config(&Value::object(config)).unwrap();
    let told = backup.invoke(&config).await.expect_ok();
    assert!(told.len() > 2, "{told:?}");
    assert!(told.first().unwrap().starts_with("4 of "), "{told:?}");
    let copied = Connection::open(copy).unwrap();
    let length: i64 = copied.query_row("SELECT length(content) FROM large", [], |row| row.get(0)).unwrap();
    assert_eq!(length, 40000);

    let nowhere = [("to", Value::string(folder.path().join("missing/copy.db").to_string_lossy()))];
    let nowhere = backup.config(&Value::object(nowhere)).unwrap();
    backup.invoke(&nowhere).await.expect_error("unable to open database file");
}

#[tokio::test]
async fn states_are_kept_and_locked() {
    let (host, _folder) = host(&[]).await;
    let store = host.state_store("sqlite_states").unwrap();
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
    let (host, folder) = host(&[("token_lifetime", Value::number(60))]).await;
    let database = Connection::open(folder.path().join("library.db")).unwrap();
    let count = || -> i64 { database.query_row("SELECT count(*) FROM _tokens", [], |row| row.get(0)).unwrap() };
    let token = host.ephemeral_resource("sqlite_token", "loan").unwrap();
    let config = token.config(&Value::object([("purpose", Value::string("loan"))])).unwrap();
    let open = token.open(&config).await.expect_some();
    assert!(open.renew_at.is_some());
    database.execute("UPDATE _tokens SET expires = 0", []).unwrap();
    let open = token.renew(open).await.expect_ok();
    let expires: i64 = database.query_row("SELECT expires FROM _tokens", [], |row| row.get(0)).unwrap();
    assert!(expires > 0);
    assert_eq!(count(), 1);
    token.close(open.clone()).await.expect_ok();
    assert_eq!(count(), 0);
    token.renew(open).await.expect_error("somebody has deleted the token");
}

#[tokio::test]
async fn queries_only_read() {
    let (host, _folder) = host(&[]).await;
    let query = host.data_source("sqlite_query", "one").unwrap();
    let config = query.config(&Value::object([("sql", Value::string("CREATE TABLE made (a)"))])).unwrap();
    query.read(&config).await.expect_error("the statement would change the database");
}
