//! What goes wrong inside the provider is an answer, and the process lives on.

use denobridge_core::cty::{Type, Value};
use denobridge_raw_client::{Client, Plugin, every_procedure, soon, wire};
use denobridge_terraform::proto::tfplugin6 as pb;

use super::support::{PROGRAM, said, script};

/// The procedures in which none of the provider's own code runs.
const WITHOUT_COMPONENTS: [&str; 6] = [
    "GetMetadata",
    "GetProviderSchema",
    "GetResourceIdentitySchemas",
    "GetFunctions",
    "ValidateProviderConfig",
    "StopProvider",
];

/// Whether it is the second call of a procedure, which says in words what it is about.
fn called_again(name: &str) -> bool {
    name.contains(' ')
}

/// F51 over the wire: a panic in each procedure, before the framework can catch it.
#[tokio::test]
async fn f51_a_panic_in_any_procedure_is_an_answer() {
    let plugin = Plugin::start_with(PROGRAM, &[("KINDS_FUSES", "1")]).await;
    // The schema's fuse goes first: every other procedure needs the schema.
    let schema = plugin.provider().await.get_provider_schema(pb::get_provider_schema::Request {}).await.unwrap();
    assert_eq!(schema.into_inner().diagnostics[0].summary, "The provider panicked");
    let answers = every_procedure(&plugin, &script("x")).await;
    for (name, answer) in &answers {
        let answer = answer.as_ref().unwrap_or_else(|status| panic!("{name}: {status}"));
        let of_the_schema = ["GetProviderSchema", "GetResourceIdentitySchemas", "GetFunctions"].contains(name);
        assert_eq!(answer.failed, !of_the_schema && !called_again(name), "{name}: {answer:#?}");
    }
    let answers = every_procedure(&plugin, &script("y")).await;
    let mut failed: Vec<_> = answers.iter().filter(|(_, answer)| answer.as_ref().unwrap().failed).collect();
    // Configured once, however that went.
    failed.retain(|(name, _)| **name != "ConfigureProvider");
    assert!(failed.is_empty(), "{failed:#?}");
}

/// F51 over the wire: a panic in each method of each component.
#[tokio::test]
async fn f51_a_panic_in_any_component_is_an_answer() {
    let plugin = Plugin::start(PROGRAM).await;
    let mut panicked = std::collections::BTreeSet::new();
    for word in ["panic", "panic in validation", "panic in planning", "later panic"] {
        let answers = every_procedure(&plugin, &script(word)).await;
        for (name, answer) in &answers {
            let answer = answer.as_ref().unwrap_or_else(|status| panic!("{word}: {name}: {status}"));
            if answer.failed && answer.said.iter().any(|said| said.contains("The provider panicked: deliberate")) {
                panicked.insert(*name);
            }
        }
    }
    panicked.extend(objects_that_panic(&mut plugin.provider().await).await);
    let mut expected: Vec<&str> = every_procedure(&plugin, &script("x")).await.into_keys().collect();
    expected.retain(|name| !WITHOUT_COMPONENTS.contains(name) && !called_again(name));
    panicked.retain(|name| !called_again(name));
    // Configured once; a panic in it has its own test.
    expected.retain(|name| *name != "ConfigureProvider");
    assert_eq!(panicked.into_iter().collect::<Vec<_>>(), expected);
    assert!(said(&every_procedure(&plugin, &script("x")).await).contains("Provider already configured"));
}

/// The procedures about objects that exist already, about one that makes the component panic.
async fn objects_that_panic(provider: &mut Client) -> Vec<&'static str> {
    let object = |does: &str| {
        let null = || Value::null(Type::String);
        let does = Value::string(does);
        Value::object([("does", does), ("secret", null()), ("id", null()), ("key", null()), ("password", null())])
    };
    let type_name = || "kinds_thing".to_owned();
    let raw = |json: &'static str| Some(pb::RawState { json: json.into(), ..Default::default() });
    let mut panicked = Vec::new();
    macro_rules! panics {
        ($name:literal, $procedure:ident { $($field:ident: $value:expr),* }) => {
            #[allow(clippy::needless_update)] // Some of these requests have more fields, some have not.
            let request = pb::$procedure::Request { $($field: $value,)* ..Default::default() };
            let said = provider.$procedure(request).await.unwrap().into_inner().diagnostics;
            if said.iter().any(|said| said.detail.contains("The provider panicked: deliberate")) {
                panicked.push($name);
            }
        };
    }
    panics!("ReadResource", read_resource { type_name: type_name(), current_state: wire(&object("panic")) });
    panics!(
        "GenerateResourceConfig",
        generate_resource_config { type_name: type_name(), state: wire(&object("panic")) }
    );
    panics!(
        "UpgradeResourceState",
        upgrade_resource_state { type_name: type_name(), version: 0, raw_state: raw(r#"{"does":"panic"}"#) }
    );
    panics!(
        "UpgradeResourceIdentity",
        upgrade_resource_identity { type_name: type_name(), version: 0, raw_identity: raw(r#"{"id":"panic"}"#) }
    );
    panicked
}

/// F51 over the wire: what the provider's own configuration does.
#[tokio::test]
async fn f51_a_panic_while_configuring_is_an_answer() {
    let plugin = Plugin::start(PROGRAM).await;
    let mut script = script("x");
    script.provider["does"] = "panic".into();
    let answers = every_procedure(&plugin, &script).await;
    let configured = answers["ConfigureProvider"].as_ref().unwrap();
    assert!(configured.said[0].contains("The provider panicked: deliberate"), "{configured:?}");
    assert!(!answers["ReadDataSource"].as_ref().unwrap().failed);
}

/// F57 over the wire: Stop ends an apply that waits, and what was made by then comes back; the server keeps serving.
#[tokio::test]
async fn f57_stopping_an_apply_returns_what_was_made() {
    let plugin = Plugin::start_with(PROGRAM, &[("TF_LOG", "INFO")]).await;
    let mut provider = plugin.provider().await;
    let null = || Value::null(Type::String);
    let unknown = || Value::unknown(Type::String);
    let text = Value::string;
    let config = [("does", text("slow")), ("secret", null()), ("id", null()), ("key", null()), ("password", null())];
    let planned =
        [("does", text("slow")), ("secret", null()), ("id", unknown()), ("key", unknown()), ("password", null())];
    let request = pb::apply_resource_change::Request {
        type_name: "kinds_thing".to_owned(),
        config: wire(&Value::object(config)),
        planned_state: wire(&Value::object(planned)),
        ..Default::default()
    };
    let mut applying = provider.clone();
    let applying = tokio::spawn(async move { applying.apply_resource_change(request).await });
    // The plugin says on standard error when the apply has got to where it waits.
    let mut plugin = plugin;
    soon("the apply to wait", plugin.stderr_line_with("waiting to be stopped")).await;
    assert!(!applying.is_finished());
    let stopped = soon("Stop", provider.stop_provider(pb::stop_provider::Request {})).await.unwrap().into_inner();
    assert_eq!(stopped.error, "");
    let applied = soon("the apply", applying).await.unwrap().unwrap().into_inner();
    assert_eq!(applied.diagnostics[0].summary, "stopped");
    let ty = Type::object(["does", "secret", "id", "key", "password"].map(|name| (name, Type::String)));
    let state = denobridge_raw_client::value(applied.new_state, &ty);
    assert_eq!(state.attribute("id"), Some(&text("1")), "what was made is kept");
    let answers = every_procedure(&plugin, &script("x")).await;
    assert!(!answers["ApplyResourceChange"].as_ref().unwrap().failed, "the server keeps serving");
}
