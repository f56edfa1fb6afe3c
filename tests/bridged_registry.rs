//! What a user of `pulumi package gen-sdk` gets from registries: good ones, failing ones, and many asking at once.
// A test, though clippy does not look at a program of its own for one.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "support/tools.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod tools;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use denobridge_registry_testing::{Authority, Fault, Package, Registry, Reply, SigningKey, platform};
use futures::future::join_all;
use regex::Regex;
use tokio::process::Command;

/// What cases publish: a real provider under a name of its own.
const PROVIDER: &str = "acme/time";
const VERSION: &str = "0.14.2";

/// A machine of its own: home, cache, registry, and the plugin by its name.
struct Machine {
    folder: tempfile::TempDir,
    registry: Registry,
    key: SigningKey,
}

fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn time_provider() -> Package {
    let binary = tools::tool(&project(), "terraform-provider-time", "DENOBRIDGE_TEST_TERRAFORM_PROVIDER_TIME").unwrap();
    Package::new(PROVIDER, VERSION).executable_from(&binary)
}

impl Machine {
    async fn new() -> Self {
        let authority = Authority::new();
        let folder = tempfile::tempdir().unwrap();
        let machine = Self { registry: Registry::start(&authority).await, key: SigningKey::new(), folder };
        std::fs::write(machine.path("ca.pem"), authority.certificate()).unwrap();
        std::fs::write(machine.path("terraform.rc"), "").unwrap();
        std::fs::create_dir(machine.path("bin")).unwrap();
        let plugin = env!("CARGO_BIN_EXE_denobridge");
        tools::link(Path::new(plugin), &machine.path("bin/pulumi-resource-denobridge")).unwrap();
        let host = tools::tool(&project(), "pulumi-language-yaml", "DENOBRIDGE_TEST_PULUMI_LANGUAGE_YAML").unwrap();
        tools::link(&host, &machine.path("bin/pulumi-language-yaml")).unwrap();
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn publish(&self, package: &Package) {
        self.registry.publish(package, &[&self.key]);
    }

    /// The Pulumi CLI, in a folder of this machine.
    fn pulumi(&self, directory: &str, words: &[&str]) -> Command {
        let program = tools::tool(&project(), "pulumi", "DENOBRIDGE_TEST_PULUMI").unwrap();
        let directory = self.path(directory);
        std::fs::create_dir_all(&directory).unwrap();
        let mut path = vec![self.path("bin")];
        path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let mut command = Command::new(program);
        command.args(words).args(["--non-interactive", "--color", "never"]).current_dir(directory);
        command
            .env("PATH", std::env::join_paths(path).unwrap())
            .env("HOME", self.folder.path())
            .env("PULUMI_HOME", self.path("pulumi-home"))
            .env("PULUMI_BACKEND_URL", format!("file://{}", self.folder.path().display()))
            .env("PULUMI_CONFIG_PASSPHRASE", "correct horse battery staple")
            .env("PULUMI_SKIP_UPDATE_CHECK", "1")
            .env("PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION", "1")
            .env("PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR", self.path("cache"))
            .env("SSL_CERT_FILE", self.path("ca.pem"))
            .env("TF_CLI_CONFIG_FILE", self.path("terraform.rc"))
            .env("TF_REGISTRY_DISCOVERY_RETRY", "1")
            .env("TF_PROVIDER_DOWNLOAD_RETRY", "1");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        command
    }

    /// `pulumi package gen-sdk` of a provider of this machine's registry.
    fn gen_sdk(&self, directory: &str, provider: &str, rest: &[&str]) -> Command {
        let plugin = self.path("bin/pulumi-resource-denobridge");
        let address = format!("{}/{provider}", self.registry.host());
        let mut command = self.pulumi(directory, &["package", "gen-sdk", "--language", "yaml", "--out", "sdks"]);
        command.arg(plugin).arg("--").arg(address).args(rest);
        command
    }

    async fn succeeds(&self, mut command: Command) -> String {
        let output = command.output().await.unwrap();
        assert!(output.status.success(), "{}", self.said(&output));
        self.said(&output)
    }

    async fn fails(&self, mut command: Command) -> String {
        let output = command.output().await.unwrap();
        assert!(!output.status.success(), "it succeeded");
        self.said(&output)
    }

    /// What a person sees, without what differs from run to run.
    fn said(&self, output: &Output) -> String {
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        let text = text.replace(self.folder.path().to_str().unwrap(), "[DIR]").replace(&platform(), "[PLATFORM]");
        let text = text.replace(&self.registry.host(), "[REGISTRY]");
        let filters = [
            (r"[0-9a-f]{64}", "[SUM]"),
            (r"h1:[A-Za-z0-9+/]{43}=", "h1:[SUM]"),
            (r"\([0-9A-F]{16}\)", "([KEY])"),
            (r"after \d+ of \d+ bytes", "after [SIZE] of [SIZE] bytes"),
            (r"\x1b\[[0-9;]*m", ""),
        ];
        let filtered = filters.iter().fold(text, |text, (pattern, replacement)| {
            Regex::new(pattern).unwrap().replace_all(&text, *replacement).into_owned()
        });
        filtered.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// The files below a folder, with their contents.
    fn files(&self, directory: &str) -> BTreeMap<String, Vec<u8>> {
        let root = self.path(directory);
        let (mut files, mut open) = (BTreeMap::new(), vec![root.clone()]);
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).unwrap().flatten() {
                match entry.path() {
                    path if path.is_dir() => open.push(path),
                    path => {
                        let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
                        files.insert(name, std::fs::read(path).unwrap());
                    }
                }
            }
        }
        files
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_sdk_is_the_same_wherever_it_is_made_and_names_what_it_was_made_of() {
    let machine = Machine::new().await;
    machine.publish(&time_provider().for_platforms(&[&platform(), "plan9_mips"]));
    // Without a version, from the registry; then the exact version, from the cache.
    machine.succeeds(machine.gen_sdk("first", PROVIDER, &[])).await;
    machine.registry.server.fault("", Fault::Instead(Reply::status(500)));
    machine.succeeds(machine.gen_sdk("second", PROVIDER, &[VERSION])).await;
    assert_eq!(machine.files("first"), machine.files("second"));

    let files = machine.files("first");
    let file: String = files.values().map(|content| String::from_utf8_lossy(content).into_owned()).collect();
    let value = Regex::new("value: \"?([A-Za-z0-9+/=]+)").unwrap().captures(&file).unwrap()[1].to_owned();
    let value = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, value).unwrap();
    let value: serde_json::Value = serde_json::from_slice(&value).unwrap();
    let remote = &value["remote"];
    assert_eq!(remote["url"], format!("{}/{PROVIDER}", machine.registry.host()));
    assert_eq!(remote["version"], VERSION);
    assert!(remote["hashes"].as_array().unwrap().len() >= 2, "the archive's and the files': {remote}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_with_a_registry_is_told() {
    let mut told = Vec::new();
    let faults: [(&str, &str, Fault); 6] = [
        ("unknown provider", "/versions", Fault::Instead(Reply::status(404))),
        ("no access", "/versions", Fault::Instead(Reply::status(401))),
        ("too many questions", "/versions", Fault::Instead(Reply::status(429).header("Retry-After", "3600"))),
        ("out of order", "/versions", Fault::Instead(Reply::status(500))),
        ("not JSON", "/versions", Fault::Instead(Reply::bytes(b"<html>".to_vec()))),
        ("half an archive", ".zip", Fault::Half),
    ];
    let machine = Machine::new().await;
    machine.publish(&time_provider());
    for (name, path, fault) in faults {
        machine.registry.server.fault(path, fault);
        told.push(format!("# {name}\n{}", machine.fails(machine.gen_sdk("sdk", PROVIDER, &[])).await));
        machine.registry.server.recover();
    }
    let packages: [(&str, &str, Package); 3] = [
        ("not a provider", "acme/script", Package::new("acme/script", "1.0.0")),
        (
            "ends at once",
            "acme/broken",
            Package::new("acme/broken", "1.0.0").executable(b"#!/bin/sh\necho no licence found >&2\nexit 3\n"),
        ),
        (
            "not for this platform",
            "acme/elsewhere",
            Package::new("acme/elsewhere", "1.0.0").for_platforms(&["plan9_mips"]),
        ),
    ];
    for (name, provider, package) in packages {
        machine.publish(&package);
        told.push(format!("# {name}\n{}", machine.fails(machine.gen_sdk("sdk", provider, &[])).await));
    }
    told.push(format!("# no such version\n{}", machine.fails(machine.gen_sdk("sdk", PROVIDER, &["~> 9.0"])).await));
    let package = Package::new("acme/forged", "1.0.0");
    machine.registry.publish_signed(&package, Some(&SigningKey::new()), &[&machine.key]);
    told.push(format!("# signed by a stranger\n{}", machine.fails(machine.gen_sdk("sdk", "acme/forged", &[])).await));
    let package = Package::new("acme/replaced", "1.0.0");
    machine.publish(&package);
    machine.registry.replace(&package.archive_name(&platform()), &package.file("more", b"more").archive());
    told.push(format!("# another archive\n{}", machine.fails(machine.gen_sdk("sdk", "acme/replaced", &[])).await));
    insta::assert_snapshot!(told.join("\n\n"));
}

/// A program that uses the SDK in the folder `sdks` beside it.
const PROGRAM: &str = "name: hashes\nruntime: yaml\nresources:\n  static:\n    type: time:Static\n    properties: { rfc3339: \"2026-01-02T03:04:05Z\" }\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_must_be_the_recorded_one_wherever_the_sdk_is_used() {
    let machine = Machine::new().await;
    machine.publish(&time_provider());
    machine.succeeds(machine.gen_sdk("project", PROVIDER, &[])).await;
    std::fs::write(machine.path("project/Pulumi.yaml"), PROGRAM).unwrap();
    machine.succeeds(machine.pulumi("project", &["stack", "init", "dev"])).await;
    machine.succeeds(machine.pulumi("project", &["preview"])).await;

    // What was installed is changed: it is installed again.
    let name = machine.files("cache").into_keys().find(|name| name.contains("terraform-provider-time")).unwrap();
    let installed = machine.path("cache").join(&name);
    let mut content = std::fs::read(&installed).unwrap();
    let last = content.len() - 1;
    content[last] ^= 1;
    let original = machine.files("cache")[&name].clone();
    std::fs::write(&installed, &content).unwrap();
    let said = machine.succeeds(machine.pulumi("project", &["preview"])).await;
    assert!(said.contains("was installed again, since it was not as it had been installed"), "{said}");
    assert_eq!(std::fs::read(&installed).unwrap(), original);

    // Another machine, to which the registry gives another archive under the same version, well signed.
    std::fs::remove_dir_all(machine.path("cache")).unwrap();
    machine.publish(&time_provider().file("more", b"more"));
    let said = machine.fails(machine.pulumi("project", &["preview"])).await;
    let told = Regex::new(r"\[REGISTRY\]/acme/time .* is not the one that was recorded.*").unwrap();
    insta::assert_snapshot!(told.find(&said).map_or(said.as_str(), |told| told.as_str()));
}

#[tokio::test(flavor = "multi_thread")]
async fn many_ask_at_once_for_what_nobody_has_yet_and_one_of_them_is_killed() {
    let machine = Machine::new().await;
    machine.publish(&time_provider());
    machine.registry.server.fault(".zip", Fault::Slow(Duration::from_secs(2)));
    let commands = (0..16).map(|number| machine.gen_sdk(&format!("sdk-{number}"), PROVIDER, &[]));
    let mut running: Vec<_> = commands.map(|mut command| command.spawn().unwrap()).collect();
    // Whoever asks for the archive holds the lock. It is one of these, and which is a matter of luck; killing the first three
    // leaves enough for every order.
    while machine.registry.downloads() == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    for killed in running.drain(..3) {
        drop(killed);
    }
    let outputs = join_all(running.into_iter().map(tokio::process::Child::wait_with_output)).await;
    for output in outputs {
        let output = output.unwrap();
        assert!(output.status.success(), "{}", machine.said(&output));
    }
    assert!(machine.registry.downloads() <= 4, "{} downloads", machine.registry.downloads());
    let reference = machine.files("sdk-3");
    for number in 4..16 {
        assert_eq!(machine.files(&format!("sdk-{number}")), reference, "{number}");
    }
    let cached = machine.files("cache");
    let executables = cached.keys().filter(|name| name.contains("terraform-provider-time")).count();
    assert_eq!(executables, 1, "{:?}", cached.keys());
}
