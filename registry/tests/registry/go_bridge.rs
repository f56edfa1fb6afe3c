//! The Go bridge and we share a cache: either runs what the other has installed. Needs the tools that `cargo xtask tools
//! --peers` builds.

use std::path::{Path, PathBuf};
use std::process::Command;

use denobridge_registry::Environment;
use denobridge_registry_testing::{Package, SigningKey};

use super::machine::{Machine, world};

/// The Pulumi CLI, the Go bridge and a provider. `None`: some of them are not there.
fn tools() -> Option<[PathBuf; 3]> {
    let environment = Environment::of_process();
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.tools");
    let tools = [
        environment.variable("DENOBRIDGE_TEST_PULUMI")?.into(),
        tools.join("peers/pulumi-resource-terraform-provider"),
        tools.join("bin/terraform-provider-time"),
    ];
    tools.iter().all(|tool| tool.is_file()).then_some(tools)
}

/// Has the Go bridge find and run a provider, and returns the schema that it makes of it, or what it says instead.
async fn schema(machine: &Machine, [pulumi, bridge, _]: &[PathBuf; 3], address: &str) -> String {
    let mut command = Command::new(pulumi);
    command.args(["package", "get-schema"]).arg(bridge).args([address, "0.14.2"]);
    command.current_dir(machine.path("")).env_clear().envs(&machine.variables);
    // Go takes the home folder from the user's account.
    command.env("PULUMI_HOME", machine.path(".pulumi"));
    command.env("PULUMI_SKIP_UPDATE_CHECK", "1").env("PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION", "1");
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[tokio::test]
async fn either_runs_what_the_other_has_installed() {
    let Some(tools) = tools() else {
        eprintln!("not compared: the Go bridge is not there");
        return;
    };
    let (_authority, registry, machine) = world().await;
    let package = Package::new("hashicorp/time", "0.14.2").executable_from(&tools[2]);
    registry.publish(&package, &[&SigningKey::new()]);
    let address = format!("{}/hashicorp/time", registry.host());
    let is_schema = |text: String| assert!(text.contains("dynamically bridged from time"), "{text}");
    is_schema(schema(&machine, &tools, &address).await);
    let theirs = machine.names(&machine.cached(&address, "0.14.2"));
    assert_eq!(theirs, ["PLATFORM", "PLATFORM.lock"]);
    let installed = machine.install(&address, "0.14.2").await.unwrap();
    assert_eq!(registry.downloads(), 2, "what it left is not recorded, so that nobody knows what it is");
    assert!(installed.path.starts_with(machine.cached(&address, "0.14.2")));
    drop(registry);
    is_schema(schema(&machine, &tools, &address).await);
    machine.install(&address, "0.14.2").await.unwrap();
}
