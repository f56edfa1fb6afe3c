//! Logs of the Go bridge, played to our door: it must ask providers what the Go bridge asks them.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::sync::Arc;

use async_trait::async_trait;
use base64::Engine as _;
use denobridge::bridged::{PluginIdentity, RecordedPackage};
use denobridge::recording::{self, CallOutcome, Contents, Outcome};
use denobridge_core::Call;
use denobridge_core::recording::Recorder;
use denobridge_pulumi::{Options, PackageError, PackageSource, Parameter, Player, ServedPackage};
use denobridge_terraform::recording::{Tape, go_log, replay};
use serde_json::{Value as Json, json};

const RANDOM_PET: &str = include_str!("go_logs/random_pet.json");
const PHPIPAM: &str = include_str!("go_logs/phpipam_section_destroy.json");

struct Logged {
    package: RecordedPackage,
    plugin: PluginIdentity,
    tape: Arc<Tape>,
    recorder: Option<Arc<Recorder>>,
}

#[async_trait]
impl PackageSource for Logged {
    async fn resolve(&self, call: &Call, _: Parameter) -> Result<ServedPackage, PackageError> {
        let provider = replay::provider(&self.package.title, Arc::clone(&self.tape), None);
        let provider = recording::recorded(provider, self.recorder.as_ref());
        self.package.served(call, &self.plugin, provider).await
    }
}

/// A door that has become the package of the provider that was logged.
async fn door(log: &str, name: &str) -> (Player, Arc<Tape>) {
    recorded_door(log, name, None).await
}

fn plugin() -> PluginIdentity {
    PluginIdentity { name: "terraform-provider".to_owned(), version: "0.1.0".to_owned() }
}

async fn recorded_door(log: &str, name: &str, recorder: Option<Arc<Recorder>>) -> (Player, Arc<Tape>) {
    let tape = Arc::new(Tape::of_go_log(go_log::read(log).unwrap()).unwrap());
    let plugin = plugin();
    let parameter = format!(r#"{{"remote":{{"url":"registry.opentofu.org/x/{name}","version":"1.0.0"}}}}"#);
    let package = RecordedPackage {
        title: name.to_owned(),
        name: name.to_owned(),
        version: "1.0.0".to_owned(),
        parameter: parameter.clone(),
        ..RecordedPackage::default()
    };
    if let Some(recorder) = &recorder {
        package.note(recorder);
    }
    let options = Options { recorder: recorder.clone(), ..Options::new(&plugin.name, &plugin.version, None) };
    let player = Player::new(options, Arc::new(Logged { package, plugin, tape: Arc::clone(&tape), recorder }));
    let value = base64::engine::general_purpose::STANDARD.encode(parameter);
    let parameter = json!({"value": {"name": name, "version": "1.0.0", "value": value}});
    ask(&player, "Parameterize", parameter).await.unwrap();
    (player, tape)
}

async fn ask(player: &Player, procedure: &str, request: Json) -> Result<Json, Json> {
    player.play(procedure, &request).await.unwrap().unwrap()
}

/// The settings of the default provider, in the two calls that the engine makes for them.
async fn configured(player: &Player, package: &str, settings: Json) -> Result<Json, Json> {
    let ty = format!("pulumi:providers:{package}");
    let urn = format!("urn:pulumi:dev::logs::{ty}::default");
    let about = json!({"urn": urn, "type": ty, "name": "default"});
    let with = |name: &str, value: &Json| {
        let mut request = about.clone();
        request[name] = value.clone();
        request
    };
    ask(player, "CheckConfig", with("news", &settings)).await?;
    ask(player, "Configure", with("args", &settings)).await
}

#[tokio::test]
async fn a_create_asks_the_provider_byte_for_byte_what_the_go_bridge_asked() {
    let (player, tape) = door(RANDOM_PET, "random").await;
    configured(&player, "random", json!({})).await.unwrap();
    let ty = "random:index/pet:Pet";
    let about = json!({"urn": format!("urn:pulumi:dev::logs::{ty}::pet"), "type": ty, "name": "pet"});
    let mut request = about.clone();
    request["news"] = json!({"length": 3});
    let checked = ask(&player, "Check", request).await.unwrap();
    let mut request = about;
    request["properties"] = checked["inputs"].clone();
    let created = ask(&player, "Create", request).await.unwrap();
    assert_eq!(created["id"], "curiously-diverse-newt");
    assert_eq!(created["properties"]["separator"], "-");
    let unknown: Vec<_> = tape.take_unknown().iter().map(ToString::to_string).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    let exact = tape.exact();
    assert!(exact >= 5, "only {exact} questions were the same bytes");
}

/// A foreign provider is recorded with its package, and played as the same; what is secret is so in every place.
#[tokio::test]
async fn a_foreign_provider_is_recorded_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.jsonl");
    let recorder = recording::recorder(&file, recording::DEFAULT_MAX_BYTES, "pulumi", Some(&plugin())).unwrap();
    let (player, _) = recorded_door(RANDOM_PET, "random", Some(recorder)).await;
    configured(&player, "random", json!({})).await.unwrap();
    let ty = "random:index/pet:Pet";
    let secret = json!({"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "value": 3});
    let request = json!({
        "urn": format!("urn:pulumi:dev::logs::{ty}::pet"), "type": ty, "name": "pet", "properties": {"length": secret},
    });
    let created = ask(&player, "Create", request).await.unwrap();
    assert_eq!(created["properties"]["length"]["value"], json!(3.0));

    let text = std::fs::read_to_string(&file).unwrap();
    let calls = text.lines().filter(|line| line.contains(r#""kind":"seam""#) && line.contains("random_pet"));
    for call in calls {
        assert!(call.contains(r#""length":900000001"#) && !call.contains(r#""length":3"#), "{call}");
    }
    let Contents::Ours(processes) = recording::read(&text).unwrap() else { panic!("not ours") };
    let [process] = &processes[..] else { panic!("{} processes", processes.len()) };
    let mut played = Vec::new();
    let unused = recording::play(process, |outcome| played.push(outcome)).await.unwrap();
    let as_recorded = |outcome: &&CallOutcome| matches!(outcome.outcome, Outcome::Same) && outcome.unknown.is_empty();
    let others: Vec<_> = played.iter().filter(|outcome| !as_recorded(outcome)).collect();
    assert!(others.is_empty(), "{others:#?}");
    assert_eq!((played.len(), unused), (4, 0));
}

#[tokio::test]
async fn a_destroy_sends_the_state_that_the_go_bridge_made_of_the_outputs() {
    let (player, tape) = door(PHPIPAM, "phpipam").await;
    let settings = json!({
        "appId": "pulumi",
        "endpoint": "https://ipam.example.invalid/api/xxxxxxx",
        "password": "redacted-placeholder-xxxxxxxxx",
        "username": "pulumi",
    });
    configured(&player, "phpipam", settings.clone()).await.unwrap();
    let ty = "phpipam:index/section:Section";
    let request = json!({
        "id": "12", "urn": format!("urn:pulumi:dev::logs::{ty}::section"), "type": ty, "name": "section",
        "properties": {
            "description": "", "displayOrder": 0, "dnsResolverId": 0, "editDate": "", "masterSectionId": 0,
            "name": "Section Name", "permissions": "", "phpipamSectionId": "12", "sectionId": 12,
            "showSupernetOnly": false, "showVlanInSubnetListing": false, "showVrfInSubnetListing": false,
            "strictMode": true, "subnetOrdering": "",
        },
    });
    let deleted = ask(&player, "Delete", request).await;
    let unknown: Vec<_> = tape.take_unknown().iter().map(ToString::to_string).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    deleted.unwrap();

    // What is not as it was recorded is told with its place.
    let (player, tape) = door(PHPIPAM, "phpipam").await;
    let mut other = settings;
    other["username"] = json!("somebody");
    assert!(configured(&player, "phpipam", other).await.is_err());
    let unknown: Vec<_> = tape.take_unknown().iter().map(ToString::to_string).collect();
    let expected = "ValidateProviderConfig was not asked like this when this was recorded:\n  config.username: recorded \
                    \"pulumi\", now \"somebody\"";
    assert_eq!(unknown, [expected]);
}

#[test]
fn what_is_no_log_is_refused_with_the_place() {
    let told = |text: &str| go_log::read(text).unwrap_err();
    assert!(told("[{]").starts_with("this is no log: "), "{}", told("[{]"));
    let wrong = r#"{"name":"x.Provider.Invented","request":"","response":{}},"#;
    assert_eq!(told(wrong), "entry 1 (Invented): protocol 6 has no procedure Invented");
    let wrong = r#"{"name":"x.Provider.ReadResource","request":"type_name:5","response":{}},"#;
    assert!(told(wrong).starts_with("entry 1 (ReadResource): its request is not protobuf text: "), "{}", told(wrong));
}

#[test]
fn entries_are_named_by_the_function_that_asked() {
    let of = "github.com/pulumi/pulumi-terraform-bridge/v3/pkg/pf/tfbridge.(*provider)";
    let text = format!(
        r#"{{"name":"main.providerInfo.New.func2","request":"","response":"{{}}"}},
        {{"name":"{of}.ConfigureWithContext","request":"","response":"{{}}"}},
        {{"name":"{of}.plan","request":"type_name:\"x_y\"","response":"{{}}"}},
        {{"name":"{of}.DeleteWithContext","request":"type_name:\"x_y\"","response":"{{}}"}},"#
    );
    let log = go_log::read(&text).unwrap();
    let asked: Vec<_> = log.entries.iter().map(|entry| entry.procedure.as_str()).collect();
    assert_eq!(asked, ["GetProviderSchema", "ConfigureProvider", "PlanResourceChange", "ApplyResourceChange"]);
    assert_eq!(log.protocol, 6);
}

#[test]
fn entries_that_are_not_yet_an_array_and_protocol_5_are_read() {
    let path = r#"{"steps":[{"Selector":{"AttributeName":"a"}},{"Selector":{"ElementKeyInt":1}}]}"#;
    let entry = r#"{"name":"tfplugin5.Provider.ValidateResourceTypeConfig","request":"type_name:\"x_y\"","response":"#;
    let text = format!(
        "{entry}{{\"diagnostics\":[{{\"severity\":1,\"summary\":\"no\",\"attribute\":{path}}}]}}}},\n{entry}null,\"error\":[\"gone\"]}},\n"
    );
    let log = go_log::read(&text).unwrap();
    assert_eq!((log.protocol, log.entries.len()), (5, 2));
    let answer = log.entries[0].answer.as_ref().unwrap();
    assert!(answer.windows(2).any(|bytes| bytes == b"no") && answer.contains(&b'a'), "{answer:?}");
    assert_eq!(log.entries[1].answer.as_ref().unwrap_err(), "gone");
}
