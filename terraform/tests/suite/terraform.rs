//! The real Terraform drives the tiny provider.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use denobridge_core::Call;
use denobridge_core::cty::Value;
use denobridge_core::planning::conform_config;
use denobridge_core::provider::{GetProviderSchemaRequest, Provider as _};
use denobridge_terraform::{LaunchOptions, launch};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde_json::Value as Json;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Command;

use super::launch::options;
use super::support::{PROGRAM, soon, start_debug};

const NEEDED: &str = "terraform must be on PATH for these tests";

/// A root module in a folder of its own.
struct Module {
    folder: TempDir,
    variables: Vec<(String, String)>,
}

impl Module {
    /// With the provider found through dev_overrides.
    fn new(body: &str) -> Self {
        let module = Self::without_overrides(body);
        let directory = Path::new(PROGRAM).parent().unwrap().display();
        let settings = format!(
            "provider_installation {{\n  dev_overrides {{ \"example/tiny\" = \"{directory}\" }}\n  direct {{}}\n}}\n"
        );
        std::fs::write(module.path("terraformrc"), settings).unwrap();
        module
    }

    fn without_overrides(body: &str) -> Self {
        let module = Self { folder: tempfile::tempdir().unwrap(), variables: Vec::new() };
        std::fs::write(module.path("terraformrc"), "").unwrap();
        module.write(body);
        module
    }

    fn write(&self, body: &str) {
        let required = "terraform {\n  required_providers { tiny = { source = \"example/tiny\" } }\n}\n";
        std::fs::write(self.path("main.tf"), format!("{required}provider \"tiny\" {{}}\n{body}")).unwrap();
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// Runs terraform; the exit code and all output.
    async fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let mut command = self.command(arguments);
        let output = soon("terraform", command.output()).await.expect(NEEDED);
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), text)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("terraform");
        command
            .args(arguments)
            .arg("-no-color")
            .current_dir(self.folder.path())
            .env("TF_CLI_CONFIG_FILE", self.path("terraformrc"))
            .env("CHECKPOINT_DISABLE", "1")
            .env_remove("TF_LOG")
            .envs(self.variables.iter().cloned())
            .stdin(Stdio::null());
        command
    }

    async fn succeeds(&self, arguments: &[&str]) -> String {
        let (code, text) = self.run(arguments).await;
        assert_eq!(code, Some(0), "terraform {arguments:?}:\n{text}");
        text
    }

    async fn apply(&self) -> String {
        self.succeeds(&["apply", "-auto-approve", "-input=false"]).await
    }

    /// Whether a plan has changes.
    async fn has_changes(&self) -> bool {
        let (code, text) = self.run(&["plan", "-detailed-exitcode", "-input=false"]).await;
        match code {
            Some(0) => false,
            Some(2) => true,
            _ => panic!("terraform plan:\n{text}"),
        }
    }

    fn state(&self) -> Json {
        serde_json::from_slice(&std::fs::read(self.path("terraform.tfstate")).unwrap()).unwrap()
    }

    fn content(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.path(name)).ok()
    }
}

fn note(path: &str, text: &str) -> String {
    format!("resource \"tiny_note\" \"a\" {{\n  path = \"{path}\"\n  text = {text}\n}}\n")
}

#[tokio::test]
async fn a_resource_lives_through_all_its_changes() {
    let module = Module::new(&note("a.txt", "\"one\""));
    module.apply().await;
    assert_eq!(module.content("a.txt").as_deref(), Some("one"));
    assert!(!module.has_changes().await);

    module.write(&note("a.txt", "\"two\""));
    let text = module.apply().await;
    assert!(text.contains("0 added, 1 changed, 0 destroyed"), "{text}");
    assert_eq!(module.content("a.txt").as_deref(), Some("two"));

    std::fs::write(module.path("a.txt"), "drift").unwrap();
    assert!(module.has_changes().await);
    module.apply().await;
    assert_eq!(module.content("a.txt").as_deref(), Some("two"));

    module.write(&note("b.txt", "\"two\""));
    let text = module.apply().await;
    assert!(text.contains("# forces replacement") && text.contains("1 added, 0 changed, 1 destroyed"), "{text}");
    assert_eq!((module.content("a.txt"), module.content("b.txt").as_deref()), (None, Some("two")));

    module.succeeds(&["destroy", "-auto-approve", "-input=false"]).await;
    assert_eq!(module.content("b.txt"), None);
    assert_eq!(module.state()["resources"], Json::Array(vec![]));
}

#[tokio::test]
async fn functions_data_sources_and_imports_work_together() {
    let body = note("a.txt", "provider::tiny::shout(\"hé\")")
        + "data \"tiny_length\" \"l\" { text = tiny_note.a.text }\noutput \"length\" { value = data.tiny_length.l.length }\n";
    let module = Module::new(&body);
    std::fs::write(module.path("a.txt"), "HÉ").unwrap();
    module.succeeds(&["import", "-input=false", "tiny_note.a", "a.txt"]).await;
    let text = module.apply().await;
    assert!(text.contains("0 added, 0 changed, 0 destroyed"), "{text}");
    assert_eq!(module.state()["outputs"]["length"]["value"], 2);
}

#[tokio::test]
async fn an_ephemeral_value_leaves_no_trace() {
    let body = "ephemeral \"tiny_token\" \"t\" { for = \"me\" }\n".to_owned() + &note("a.txt", "\"one\"");
    let module = Module::new(&body);
    let text = module.apply().await;
    assert!(text.contains("ephemeral.tiny_token.t: Opening complete"), "{text}");
    assert!(!text.contains("t0ken"), "{text}");
    assert!(!module.state().to_string().contains("t0ken"));
}

#[tokio::test]
async fn ctrl_c_stops_a_running_apply_and_keeps_what_exists() {
    let module = Module::new("resource \"tiny_slow\" \"a\" { path = \"x\" }\n");
    let mut command = module.command(&["apply", "-auto-approve", "-input=false"]);
    // A group of its own, to which the interrupt goes as from a terminal: to terraform and the plugin alike.
    let mut terraform = command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect(NEEDED);
    let mut lines = BufReader::new(terraform.stdout.take().unwrap()).lines();
    while let Some(line) = soon("the creation", lines.next_line()).await.unwrap() {
        if line.contains("tiny_slow.a: Creating...") {
            break;
        }
    }
    // The call must have arrived before the stop does.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let group = Pid::from_raw(i32::try_from(terraform.id().unwrap()).unwrap()).unwrap();
    kill_process_group(group, Signal::INT).unwrap();
    let drained = tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    let output = soon("the end", terraform.wait_with_output()).await.unwrap();
    drained.await.unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("The resource exists in part."), "{text}");
    let instance = &module.state()["resources"][0]["instances"][0];
    assert_eq!((&instance["status"], &instance["attributes"]["id"]), (&"tainted".into(), &"half done".into()));
}

#[tokio::test]
async fn a_panic_is_shown_as_what_it_is() {
    let module = Module::new("resource \"tiny_bomb\" \"a\" { path = \"x\" }\n");
    let crash =
        "Stack trace from the terraform-provider-tiny plugin:\n\npanic: in a call, whose answer says what it was";
    let mut said = String::new();
    // Terraform may be done with the answer before it has read what came on standard error.
    for _ in 0..3 {
        let (code, text) = module.run(&["plan", "-input=false"]).await;
        assert_eq!(code, Some(1));
        assert!(text.contains("Error: The provider panicked"), "{text}");
        assert!(text.contains("It said:\nthe bomb went off"), "{text}");
        if text.contains(crash) {
            return;
        }
        said = text;
    }
    panic!("no stack trace in {said}");
}

#[tokio::test]
async fn terraform_may_do_without_tls() {
    let mut module = Module::new(&note("a.txt", "\"one\""));
    module.variables.push(("TF_DISABLE_PLUGIN_TLS".to_owned(), "1".to_owned()));
    module.apply().await;
    assert_eq!(module.content("a.txt").as_deref(), Some("one"));
}

/// F63: debug mode.
#[tokio::test]
async fn f63_a_running_provider_is_found_through_reattach() {
    let mut module = Module::without_overrides(&note("a.txt", "\"one\""));
    let (mut server, reattach) = start_debug(module.folder.path()).await;
    let described: Json = serde_json::from_str(&reattach).unwrap();
    let socket = described["registry.terraform.io/example/tiny"]["Addr"]["String"].as_str().unwrap().to_owned();
    module.variables.push(("TF_REATTACH_PROVIDERS".to_owned(), reattach));

    // One process serves all of it, and is configured each time.
    module.apply().await;
    assert_eq!(module.content("a.txt").as_deref(), Some("one"));
    assert!(!module.has_changes().await);
    module.succeeds(&["destroy", "-auto-approve", "-input=false"]).await;
    assert_eq!(module.content("a.txt"), None);

    let process = i32::try_from(server.id().unwrap()).unwrap();
    kill_process(Pid::from_raw(process).unwrap(), Signal::INT).unwrap();
    assert_eq!(soon("the end", server.wait()).await.unwrap().code(), Some(0));
    assert!(!Path::new(&socket).exists());
}

/// The "and protocol 5 for schemas that fit it": Terraform speaks what the plugin's handshake says.
#[tokio::test]
async fn a_provider_of_protocol_5_lives_through_all_its_changes() {
    let body = note("a.txt", "provider::tiny::shout(\"one\")")
        + "data \"tiny_length\" \"l\" { text = tiny_note.a.text }\n\
           ephemeral \"tiny_token\" \"t\" { for = \"me\" }\n\
           output \"length\" { value = data.tiny_length.l.length }\n";
    let mut module = Module::new(&body);
    module.variables.push(("TINY_PROTOCOL".to_owned(), "5".to_owned()));
    module.variables.push(("TF_LOG_PROVIDER".to_owned(), "DEBUG".to_owned()));
    let text = module.apply().await;
    // What go-plugin writes when it has read the handshake.
    assert!(text.contains("using plugin: version=5"), "{text}");
    module.variables.pop();
    assert_eq!(module.content("a.txt").as_deref(), Some("ONE"));
    assert_eq!(module.state()["outputs"]["length"]["value"], 3);
    assert!(!module.has_changes().await);

    module.write(&note("b.txt", "\"two\""));
    let text = module.apply().await;
    assert!(text.contains("# forces replacement") && text.contains("1 added, 0 changed, 1 destroyed"), "{text}");
    module.succeeds(&["destroy", "-auto-approve", "-input=false"]).await;
    assert_eq!((module.content("a.txt"), module.content("b.txt")), (None, None));
}

#[tokio::test]
async fn what_protocol_5_cannot_say_is_named() {
    let mut module = Module::new(&note("a.txt", "\"one\""));
    module.variables.push(("TINY_NESTED".to_owned(), "1".to_owned()));
    module.succeeds(&["plan", "-input=false"]).await;
    module.variables.push(("TINY_PROTOCOL".to_owned(), "5".to_owned()));
    let (code, text) = module.run(&["plan", "-input=false"]).await;
    let text = text.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
    assert_eq!(code, Some(1), "{text}");
    let named = "\"notes\" of the resource type \"tiny_folder\" cannot be said in protocol 5";
    assert!(text.contains("Provider needs protocol 6") && text.contains(named), "{text}");
}

/// F62: JSON lines with level, message and fields.
#[tokio::test]
async fn f62_the_providers_log_is_part_of_terraforms_json_log() {
    let mut module = Module::new(&note("a.txt", "\"one\""));
    let log = module.path("log");
    module.variables.push(("TF_LOG".to_owned(), "JSON".to_owned()));
    module.variables.push(("TF_LOG_PATH".to_owned(), log.to_str().unwrap().to_owned()));
    module.apply().await;
    let lines = std::fs::read_to_string(log).unwrap();
    let mut lines = lines.lines().filter_map(|line| serde_json::from_str::<Json>(line).ok());
    let line = lines.find(|line| line["@message"] == "configured").expect("the provider's line");
    assert_eq!((&line["@level"], &line["version"]), (&"info".into(), &"1.11.4".into()), "{line}");
    assert!(line["@module"].as_str().unwrap().ends_with("tiny"), "{line}");
}

/// F63: a self-install helper for dev_overrides.
#[tokio::test]
async fn f63_an_installed_provider_is_what_terraform_uses() {
    let module = Module::without_overrides(&note("a.txt", "\"one\""));
    let mut install = Command::new(PROGRAM);
    install.arg("--install").env("TF_CLI_CONFIG_FILE", module.path("terraformrc"));
    let output = soon("the installation", install.output()).await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = module.apply().await;
    assert!(text.contains("Provider development overrides are in effect"), "{text}");
    assert_eq!(module.content("a.txt").as_deref(), Some("one"));

    std::fs::write(module.path("terraformrc"), "disable_checkpoint = true\n").unwrap();
    let output = soon("the installation", install.output()).await.unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("which stay as they are"));
    assert_eq!(module.content("terraformrc").as_deref(), Some("disable_checkpoint = true\n"));
}

/// F30: Terraform counts blocks as our own check of configurations does.
#[tokio::test]
async fn f30_too_few_and_too_many_blocks_are_refused_as_by_our_own_check() {
    let environment = vec![("TINY_NESTED".into(), "1".into())];
    let provider = soon("launch", launch(LaunchOptions { environment, ..options(PROGRAM) })).await.unwrap();
    let schema = provider.get_provider_schema(&Call::new(), GetProviderSchemaRequest {}).await.unwrap().schema;
    provider.shutdown().await;
    let block = &schema.resources["tiny_folder"].block;
    let mut module = Module::new("");
    module.variables.push(("TINY_NESTED".to_owned(), "1".to_owned()));
    for (count, said) in
        [(0, Some("Insufficient page blocks")), (1, None), (2, None), (3, Some("Too many page blocks"))]
    {
        let page = Value::object([("number", Value::string("1"))]);
        let written = Value::object([("page", Value::list(page.ty(), vec![page; count]))]);
        assert_eq!(conform_config(block, &written).is_err(), said.is_some(), "{count} blocks by our own check");

        let pages = "page { number = 1 }\n".repeat(count);
        module.write(&format!("resource \"tiny_folder\" \"a\" {{\n{pages}}}\n"));
        let (code, text) = module.run(&["validate"]).await;
        assert_eq!(code, Some(i32::from(said.is_some())), "{count} blocks: {text}");
        assert!(said.is_none_or(|said| text.contains(said)), "{count} blocks: {text}");
    }
}
