//! Terraform itself against our registry, so that the registry is not wrong in the way that we are; and what it installs and
//! records, against what we do. Needs `DENOBRIDGE_TEST_TERRAFORM`, which `cargo xtask test` sets.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use denobridge_registry::Environment;
use denobridge_registry_testing::{Package, SigningKey, platform};

use super::machine::{Machine, world};

/// `None`: there is no Terraform to be had. Otherwise what it printed.
async fn init(machine: &Machine, address: &str, version: &str) -> Option<String> {
    let terraform = Environment::of_process().variable("DENOBRIDGE_TEST_TERRAFORM").map(str::to_owned);
    let Some(terraform) = terraform else {
        eprintln!("not compared: DENOBRIDGE_TEST_TERRAFORM is not set");
        return None;
    };
    let folder = machine.path("project");
    fs::create_dir_all(&folder).unwrap();
    let _ = fs::remove_dir_all(folder.join(".terraform"));
    let provider = format!("random = {{ source = {address:?}, version = {version:?} }}");
    let block = format!("terraform {{\n required_providers {{\n {provider}\n }}\n}}\n");
    fs::write(folder.join("main.tf"), block).unwrap();
    let mut command = Command::new(terraform);
    command.args(["init", "-no-color"]).current_dir(folder).env_clear().envs(&machine.variables);
    command.env("CHECKPOINT_DISABLE", "1");
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    Some(text)
}

/// The hashes that Terraform recorded.
fn locked(machine: &Machine) -> BTreeSet<String> {
    let lock = fs::read_to_string(machine.path("project/.terraform.lock.hcl")).unwrap();
    let quoted = lock.split('"').filter(|text| text.starts_with("h1:") || text.starts_with("zh:"));
    quoted.map(str::to_owned).collect()
}

#[tokio::test]
async fn terraform_records_the_same_hashes_from_a_registry() {
    let (_authority, registry, machine) = world().await;
    let package = Package::new("acme/random", "1.4.0").file("docs/b.md", b"b").file("LICENSE", b"a");
    let other = Package::new("acme/random", "1.3.0");
    for package in [package.for_platforms(&[&platform(), "plan9_mips"]), other] {
        registry.publish(&package, &[&SigningKey::with_subkey()]);
    }
    let address = format!("{}/acme/random", registry.host());
    let Some(told) = init(&machine, &address, "~> 1.0").await else { return };
    assert!(told.contains("v1.4.0") && told.contains("self-signed"), "{told}");
    let installed = machine.install(&address, "~> 1.0").await.unwrap();
    let hashes: BTreeSet<_> = installed.hashes.iter().map(ToString::to_string).collect();
    assert_eq!(hashes, locked(&machine));
}

#[tokio::test]
async fn terraform_uses_the_same_mirror_and_we_use_its_plugin_cache() {
    let (_authority, registry, mut machine) = world().await;
    registry.publish(&Package::new("acme/random", "1.0.0"), &[]);
    machine.configure(&format!("provider_installation {{ network_mirror {{ url = \"{}\" }} }}", registry.mirror()));
    machine.set("TF_PLUGIN_CACHE_DIR", machine.path("plugin-cache").to_str().unwrap());
    fs::create_dir(machine.path("plugin-cache")).unwrap();
    if init(&machine, "unreachable.example/acme/random", "1.0.0").await.is_none() {
        return;
    }
    drop(registry);
    let installed = machine.install("unreachable.example/acme/random", "1.0.0").await.unwrap();
    assert!(installed.path.starts_with(machine.path("plugin-cache")), "{installed:?}");
    assert!(locked(&machine).contains(&installed.hashes[0].to_string()));
}
