//! Each component through the host.

use denobridge_core::{Call, Severity};

use super::*;

/// The summaries of a step's warnings.
fn warnings(report: &crate::host::Report) -> Vec<&str> {
    report.diagnostics.iter().filter(|said| said.severity == Severity::Warning).map(|said| &*said.summary).collect()
}

#[tokio::test]
async fn f17_a_typed_capability_adds_checks_and_needs_its_settings() {
    let host = host().await;
    let names: Vec<&str> = host.schema().provider.block.attributes.iter().map(|attribute| &*attribute.name).collect();
    assert_eq!(names, ["prefix", "endpoint", "region"]);
    let users = host.data_source("test_user", "one").unwrap();
    let config = users.config(&named("ann")).unwrap();
    users.read(&config).await.expect_error("Set \"endpoint\" in the configuration");
    host.configure(&Value::object([("region", Value::string("eu"))])).await.expect_ok();
    users.read(&config).await.expect_error("Set \"endpoint\" in the configuration");

    let step = host.configure(&Value::object([("endpoint", Value::string("http://x"))])).await;
    assert_eq!(step.report.diagnostics.errors().next().unwrap().attribute.to_string(), "endpoint");
    step.expect_error("Not secure");
    let settings = [("endpoint", Value::string("https://x")), ("prefix", Value::string("/home"))];
    host.configure(&Value::object(settings)).await.expect_ok();
    let found = users.read(&config).await.expect_some();
    assert_eq!(found.attribute("home"), Some(&Value::string("https://x/home/ann")));
}

#[tokio::test]
async fn f15_a_typed_data_source_is_validated_and_read() {
    let host = host().await;
    host.configure(&Value::object([("endpoint", Value::string("https://x"))])).await.expect_ok();
    let users = host.data_source("test_user", "one").unwrap();
    let step = users.read(&users.config(&named("bad")).unwrap()).await;
    assert_eq!(step.report.diagnostics.errors().next().unwrap().attribute.to_string(), "name");
    assert_eq!(step.expect_error("No such name"), None);
    let step = users.read(&users.config(&named("warn")).unwrap()).await;
    assert_eq!(warnings(&step.report), ["Slow"]);
    assert_eq!(step.expect_some().attribute("home"), Some(&Value::string("https://x/warn")));
    let failed = users.read(&users.config(&named("fail")).unwrap()).await;
    let error = failed.report.diagnostics.errors().next().unwrap();
    assert_eq!((&*error.summary, &*error.detail), ("The read of test_user failed", "the disk is on fire"));
    // What cannot wait is not asked whether it should: the word means nothing to a host without deferral.
    users.read(&users.config(&named("later")).unwrap()).await.expect_some();
}

#[tokio::test]
async fn f49_typed_components_put_off_their_answers_where_the_host_can_wait() {
    let provider = provider();
    let user = Value::object([("name", Value::string("later")), ("home", Value::null(Type::String))]);
    let capabilities = ClientCapabilities { deferral_allowed: true, ..ClientCapabilities::default() };
    let settings = ["prefix", "region"].map(|name| (name, Value::null(Type::String)));
    let config = Value::object(settings.into_iter().chain([("endpoint", Value::string("https://x"))]));
    let configure = ConfigureProviderRequest { config: config.into(), ..ConfigureProviderRequest::default() };
    assert!(provider.configure_provider(&Call::new(), configure).await.unwrap().diagnostics.is_empty());
    let read = ReadDataSourceRequest {
        type_name: "test_user".into(),
        config: user.clone().into(),
        client_capabilities: capabilities,
        ..ReadDataSourceRequest::default()
    };
    let response = provider.read_data_source(&Call::new(), read).await.unwrap();
    assert_eq!(response.deferred, Some(Deferred::AbsentPrerequisite), "{:?}", response.diagnostics);
    let open = OpenEphemeralResourceRequest {
        type_name: "test_login".into(),
        config: user.into(),
        client_capabilities: capabilities,
    };
    let response = provider.open_ephemeral_resource(&Call::new(), open).await.unwrap();
    assert_eq!(response.deferred, Some(Deferred::ProviderConfigUnknown), "{:?}", response.diagnostics);
    let plan = PlanActionRequest {
        type_name: "test_greeting".into(),
        config: named("later").into(),
        client_capabilities: capabilities,
    };
    let response = provider.plan_action(&Call::new(), plan).await.unwrap();
    assert_eq!(response.deferred, Some(Deferred::ProviderConfigUnknown), "{:?}", response.diagnostics);
}

#[tokio::test]
async fn f18_a_typed_ephemeral_resource_remembers_from_open_to_close() {
    let host = host().await;
    let logins = host.ephemeral_resource("test_login", "one").unwrap();
    assert_eq!(logins.open(&logins.config(&named("bad")).unwrap()).await.expect_error("No such name"), None);
    assert_eq!(logins.open(&logins.config(&named("fail")).unwrap()).await.expect_error("on fire"), None);
    let short = logins.open(&logins.config(&named("short")).unwrap()).await.expect_some();
    assert_eq!(short.renew_at, None);
    assert_eq!(warnings(&logins.close(short).await.report), ["Renewed 0 times"]);

    let step = logins.open(&logins.config(&named("warn")).unwrap()).await;
    assert_eq!(warnings(&step.report), ["Slow"]);
    let open = step.expect_some();
    assert_eq!(open.value.attribute("home"), Some(&Value::string("/")));
    assert_eq!(open.renew_at, Some(SystemTime::UNIX_EPOCH + Duration::from_secs(60)));
    let mut open = logins.renew(open).await.expect_ok();
    assert_eq!(open.renew_at, Some(SystemTime::UNIX_EPOCH + Duration::from_secs(120)));
    let step = logins.renew(open).await;
    assert_eq!(warnings(&step.report), ["Last time"]);
    open = step.expect_ok();
    assert_eq!(open.renew_at, None);
    open.renew_at = Some(SystemTime::UNIX_EPOCH);
    let mut open = logins.renew(open).await.expect_error("Expired");
    assert_eq!(warnings(&logins.close(open.clone()).await.report), ["Renewed 3 times"]);
    // Private data of another form are a fault that is told, not a panic.
    open.private = Bytes::from_static(b"{\".bridge\":1}");
    open.renew_at = Some(SystemTime::UNIX_EPOCH);
    assert!(logins.renew(open.clone()).await.report.failed());
    assert!(logins.close(open).await.report.failed());
}

#[tokio::test]
async fn f20_a_typed_action_is_planned_and_done() {
    let host = host().await;
    let greeting = host.action("test_greeting", "one").unwrap();
    let config = |name: &str| greeting.config(&named(name)).unwrap();
    greeting.plan(&config("bad")).await.expect_error("No such name");
    assert_eq!(greeting.invoke(&config("nobody")).await.expect_error("Nobody is there"), Vec::<String>::new());
    let step = greeting.plan(&Value::object([("name", Value::unknown(Type::String))])).await;
    assert_eq!(warnings(&step.report), Vec::<&str>::new(), "the model has no room for what is unknown");
    step.expect_ok();
    let step = greeting.invoke(&config("warn")).await;
    assert_eq!(warnings(&step.report), ["Planned", "Slow"]);
    assert_eq!(step.expect_ok(), ["hello", "warn"]);
    let step = greeting.invoke(&config("fail")).await;
    assert_eq!(step.expect_error("on fire"), ["hello", "fail"], "what was told before it failed");
}

#[tokio::test]
async fn f19_a_typed_list_resource_finds_by_identity() {
    let host = host().await;
    let homes = host.list_resource("test_home", "all").unwrap();
    let config = |name: &str| homes.config(&named(name)).unwrap();
    assert!(homes.list(&config("bad"), false, 9).await.expect_error("No such name").is_empty());
    let found = homes.list(&config("a"), false, 9).await.expect_ok();
    let told: Vec<_> = found.iter().map(|found| (&*found.display_name, found.object.is_some())).collect();
    assert_eq!(told, [("home 0", false), ("home 1", false), ("home 2", false), ("home 3", false)]);
    assert_eq!(found[1].identity, named("a1 of 9"));
    let found = homes.list(&config("a"), true, 2).await.expect_ok();
    assert_eq!(found.len(), 2, "no more than asked for");
    let home = Value::object([("name", Value::string("a1 of 2")), ("home", Value::string("/"))]);
    assert_eq!(found[1].object, Some(home.clone()));
    let imported = host.resource("test_home", "one").unwrap().import_by_identity(&found[1].identity).await;
    assert_eq!(imported.expect_some().value.attribute("name"), Some(&Value::string("a1 of 2")));
    let step = homes.list(&config("warn"), false, 9).await;
    assert_eq!(warnings(&step.report), ["Slow"]);
    assert_eq!(homes.list(&config("fail"), false, 9).await.expect_error("on fire").len(), 4);
}

#[tokio::test]
async fn f21_a_typed_state_store_keeps_states() {
    let host = host().await;
    let store = || host.state_store("test_drawer").unwrap();
    let config = |name: &str| store().config(&named(name)).unwrap();
    assert!(store().configure(&config("bad")).await.expect_error("No such name").is_none());
    assert!(store().configure(&config("fail")).await.expect_error("on fire").is_none());
    let step = store().configure_with_chunks_of(&config("warn"), 3).await;
    assert_eq!(warnings(&step.report), ["Slow"]);
    let drawer = step.expect_some();

    assert_eq!(drawer.read("a").await.expect_ok(), None);
    drawer.write("a", Bytes::from_static(b"0123456")).await.expect_ok();
    drawer.write("b", Bytes::from_static(b"x")).await.expect_ok();
    assert_eq!(drawer.read("a").await.expect_some(), "0123456");
    assert_eq!(drawer.states().await.expect_ok(), ["a", "b"]);
    drawer.write("full", Bytes::from_static(b"x")).await.expect_error("Empty the drawer.");

    let key = drawer.lock("a", "apply").await.expect_some();
    assert_eq!(key, "key of a");
    assert_eq!(drawer.lock("a", "plan").await.expect_error("By apply."), None);
    drawer.unlock("a", "key of b").await.expect_error("Wrong key");
    drawer.unlock("a", &key).await.expect_ok();

    drawer.delete("a").await.expect_ok();
    assert_eq!(drawer.states().await.expect_ok(), ["b"]);
    drawer.delete("full").await.expect_error("Pull harder.");
}

#[tokio::test]
async fn f21_a_typed_state_store_is_used_once_it_is_configured() {
    let provider = provider();
    let request = || GetStatesRequest { type_name: "test_drawer".into() };
    let told = provider.get_states(&Call::new(), request()).await.unwrap().diagnostics;
    let error = told.errors().next().unwrap();
    assert_eq!(error.summary, "The state store is not configured");
    assert_eq!(error.detail, "test_drawer was used before it was configured.");
    let delete = DeleteStateRequest { type_name: "test_drawer".into(), state_id: "a".to_owned() };
    assert!(provider.delete_state(&Call::new(), delete).await.unwrap().diagnostics.has_errors());
    let unlock =
        UnlockStateRequest { type_name: "test_drawer".into(), state_id: "a".to_owned(), lock_id: "x".to_owned() };
    assert!(provider.unlock_state(&Call::new(), unlock).await.unwrap().diagnostics.has_errors());
}
