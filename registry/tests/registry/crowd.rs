//! Many processes at once on a cold cache, one of which is killed in the middle.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use denobridge_registry::Installer;
use denobridge_registry::{Environment, Requirement};
use denobridge_registry_testing::{Fault, Package, SigningKey};

use super::machine::{Machine, world};

/// What a process of its own is to install.
const ADDRESS: &str = "DENOBRIDGE_TEST_INSTALL";

/// Nothing, unless this is a process that [`start`] has started.
#[tokio::test]
async fn installs_what_its_variables_say() {
    let environment = Environment::of_process();
    let Some(address) = environment.variable(ADDRESS) else { return };
    let requirement = Requirement::parse(address, "1.0.0").unwrap();
    let installed = Installer::from_environment(&environment).unwrap().install(&requirement).await.unwrap();
    let content = std::fs::read(&installed.path).unwrap();
    assert_eq!(content.len(), SIZE);
}

/// Large enough to be killed in the middle of.
const SIZE: usize = 8 << 20;

fn start(machine: &Machine, address: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "crowd::installs_what_its_variables_say"]).env_clear();
    command.envs(&machine.variables).env(ADDRESS, address);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[tokio::test]
async fn sixteen_processes_download_once_and_survive_the_death_of_the_first() {
    let (_authority, registry, machine) = world().await;
    let content: Vec<u8> = (0..SIZE).map(|index| u8::try_from(index * 7 % 251).unwrap()).collect();
    registry.publish(&Package::new("acme/random", "1.0.0").executable(&content), &[&SigningKey::new()]);
    let address = format!("{}/acme/random", registry.host());
    registry.server.fault(".zip", Fault::Slow(Duration::from_millis(1500)));
    let mut first = start(&machine, &address);
    while registry.downloads() == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let mut others: Vec<Child> = (0..16).map(|_| start(&machine, &address)).collect();
    let left = machine.names(&machine.cached(&address, "1.0.0"));
    assert!(left.iter().any(|name| name.starts_with(".PLATFORM-")), "it is in the middle: {left:?}");
    first.kill().unwrap();
    first.wait().unwrap();
    for other in &mut others {
        let status = loop {
            match other.try_wait().unwrap() {
                Some(status) => break status,
                None => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        };
        assert!(status.success(), "{status}");
    }
    assert_eq!(registry.downloads(), 2, "the one that was killed, and one for all others");
    let left = machine.names(&machine.cached(&address, "1.0.0"));
    assert_eq!(left, ["PLATFORM", "PLATFORM.denobridge.json", "PLATFORM.denobridge.lock", "PLATFORM.lock"]);
}

#[tokio::test]
async fn who_waits_too_long_is_told_for_what() {
    let (_authority, registry, mut machine) = world().await;
    registry.publish(&Package::new("acme/random", "1.0.0"), &[&SigningKey::new()]);
    let address = format!("{}/acme/random", registry.host());
    let folder = machine.cached(&address, "1.0.0");
    std::fs::create_dir_all(&folder).unwrap();
    let held =
        std::fs::File::create(folder.join(format!("{}.denobridge.lock", denobridge_registry_testing::platform())));
    held.as_ref().unwrap().lock().unwrap();
    machine.set("DENOBRIDGE_PROVIDER_LOCK_TIMEOUT", "1");
    insta::assert_snapshot!(machine.told(&address, "1.0.0").await, @"another process has been installing the same provider for 1 s, which is what DENOBRIDGE_PROVIDER_LOCK_TIMEOUT allows: it holds HOME/.pulumi/dynamic_tf_plugins/HOST/acme/random/1.0.0/PLATFORM.denobridge.lock. End that process, or wait longer.");
}
