//! Where providers come from, as the user has configured it.

use std::fs;

use denobridge_registry_testing::{Package, SigningKey, platform};

use super::machine::{Machine, world};

fn pack(machine: &Machine, folder: &str, package: &Package, address: &str) {
    let folder = machine.path(folder).join(address);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(package.archive_name(&platform())), package.archive()).unwrap();
}

fn unpack(machine: &Machine, folder: &str, address: &str, version: &str, content: &str) {
    let folder = machine.path(folder).join(address).join(version).join(platform());
    fs::create_dir_all(&folder).unwrap();
    let name = address.rsplit('/').next().unwrap();
    let path = folder.join(format!("terraform-provider-{name}"));
    fs::write(&path, content).unwrap();
}

#[tokio::test]
async fn a_network_mirror_is_asked_instead_of_the_registry_with_its_own_token() {
    let (_authority, mirror, mut machine) = world().await;
    mirror.publish(&Package::new("acme/random", "1.0.0"), &[]);
    machine.set(&format!("TF_TOKEN_{}", mirror.host()), "hunter2").set("TF_TOKEN_unreachable_example", "other");
    machine.configure(&format!("provider_installation {{ network_mirror {{ url = \"{}\" }} }}", mirror.mirror()));
    let installed = machine.install("unreachable.example/acme/random", "").await.unwrap();
    assert_eq!(installed.version.to_string(), "1.0.0");
    let asked = mirror.server.asked();
    let paths: Vec<_> = asked.iter().map(|request| machine.tidy(&request.path)).collect();
    insta::assert_snapshot!(paths.join("\n"), @r"
    /mirror/unreachable.example/acme/random/index.json
    /mirror/unreachable.example/acme/random/1.0.0.json
    /files/terraform-provider-random_1.0.0_PLATFORM.zip
    ");
    assert!(asked.iter().all(|request| request.authorization.as_deref() == Some("Bearer hunter2")));
    let texts = [
        machine.told("unreachable.example/acme/none", "").await,
        machine.told("unreachable.example/acme/random", "2.0.0").await,
    ];
    insta::assert_snapshot!(texts.join("\n"), @r"
    there is no provider unreachable.example/acme/none in the mirror https://HOST/mirror/. Check the spelling of the namespace and the type. A private registry may also hide what a token does not allow.
    there is no unreachable.example/acme/random 2.0.0: the newest in the mirror https://HOST/mirror/ is 1.0.0. Ask for another version, or leave it out for the newest.
    ");
}

#[tokio::test]
async fn a_filesystem_mirror_has_providers_in_both_layouts() {
    let (_authority, _registry, machine) = world().await;
    let package = Package::new("acme/random", "1.0.0");
    pack(&machine, "mirror", &package, "unreachable.example/acme/random");
    unpack(&machine, "mirror", "unreachable.example/acme/other", "2.0.0", "one");
    machine.configure("provider_installation { filesystem_mirror { path = \"mirror\" } }");
    let packed = machine.install("unreachable.example/acme/random", "").await.unwrap();
    assert!(packed.path.starts_with(machine.path(".pulumi")), "{packed:?}");
    assert_eq!(packed.hashes.len(), 2);
    let unpacked = machine.install("unreachable.example/acme/other", "").await.unwrap();
    assert!(unpacked.path.starts_with(machine.path("mirror")), "used where it is: {unpacked:?}");
    assert_eq!(unpacked.hashes.len(), 1);
    unpack(&machine, "mirror", "unreachable.example/acme/other", "2.0.0", "another");
    let replaced = machine.install_recorded("unreachable.example/acme/other", "2.0.0", &unpacked.hashes).await;
    insta::assert_snapshot!(machine.tidy(&replaced.unwrap_err().report()), @"unreachable.example/acme/other 2.0.0 from HOME/mirror/unreachable.example/acme/other/2.0.0/PLATFORM is not the one that was recorded: it is h1:SUM, recorded are h1:SUM. If the provider was replaced on purpose, record it anew by adding the package again (`pulumi package add`). If it was not, do not use it: somebody may have tampered with it. An unpacked folder can be compared only with what was recorded on the same platform; use the packed archive instead.");
}

#[tokio::test]
async fn include_and_exclude_lead_providers_to_places_and_the_order_counts() {
    let (_authority, registry, machine) = world().await;
    let key = SigningKey::new();
    let host = registry.host();
    registry.publish(&Package::new("acme/random", "2.0.0"), &[&key]);
    registry.publish(&Package::new("other/thing", "1.0.0"), &[&key]);
    pack(&machine, "mirror", &Package::new("acme/random", "1.0.0"), &format!("{host}/acme/random"));
    machine.configure(&format!(
        "provider_installation {{\n filesystem_mirror {{ path = \"mirror\" include = [\"{host}/acme/*\"] }}\n direct {{ exclude = [\"{host}/acme/*\", \"{host}/no/*\"] }}\n}}"
    ));
    let version = |name: &'static str| {
        let (machine, host) = (&machine, &host);
        async move { machine.told(&format!("{host}/{name}"), "").await }
    };
    let texts = [version("acme/random").await, version("other/thing").await, version("no/where").await];
    insta::assert_snapshot!(texts.join("\n"), @r"
    installed 1.0.0; 
    installed 1.0.0; 
    the provider_installation block in HOME/.terraformrc says nowhere to get HOST/no/where from. Add an installation method whose `include` fits the provider.
    ");
    machine.configure("provider_installation { filesystem_mirror { path = \"mirror\" }\n direct {} }");
    assert_eq!(machine.install(&format!("{host}/acme/random"), "").await.unwrap().version.to_string(), "2.0.0");
}

#[tokio::test]
async fn folders_that_terraform_implies_come_before_the_registry() {
    let (_authority, registry, machine) = world().await;
    let address = format!("{}/acme/random", registry.host());
    registry.publish(&Package::new("acme/random", "2.0.0"), &[&SigningKey::new()]);
    unpack(&machine, ".terraform.d/plugins", &address, "1.0.0", "local");
    assert_eq!(machine.install(&address, "").await.unwrap().version.to_string(), "1.0.0");
    assert_eq!(registry.server.asked(), []);
}

#[tokio::test]
async fn terraforms_plugin_cache_is_read_and_never_written() {
    let (authority, registry, mut machine) = world().await;
    let address = format!("{}/acme/random", registry.host());
    unpack(&machine, "plugin-cache", &address, "1.0.0", "cached");
    machine.set("TF_PLUGIN_CACHE_DIR", machine.path("plugin-cache").to_str().unwrap());
    let found = machine.install(&address, "1.0.0").await.unwrap();
    assert!(found.path.starts_with(machine.path("plugin-cache")), "{found:?}");
    assert_eq!(registry.server.asked(), []);
    let package = Package::new("acme/random", "1.0.0");
    registry.publish(&package, &[&SigningKey::new()]);
    // Recorded elsewhere, from the registry: what is in the plugin cache is something else, and is left alone.
    let elsewhere = Machine::new(&authority);
    let recorded = elsewhere.install(&address, "1.0.0").await.unwrap().hashes;
    let installed = machine.install_recorded(&address, "1.0.0", &recorded).await.unwrap();
    assert!(installed.path.starts_with(machine.path(".pulumi")), "{installed:?}");
    assert_eq!(machine.names(&machine.path("plugin-cache").join(&address)), ["1.0.0"]);
}

#[tokio::test]
async fn a_provider_that_is_being_developed_comes_before_everything() {
    let (_authority, registry, machine) = world().await;
    let address = format!("{}/acme/random", registry.host());
    fs::create_dir(machine.path("bin")).unwrap();
    machine.configure(&format!("provider_installation {{ dev_overrides {{ \"{address}\" = \"bin\" }} }}"));
    let missing = machine.told(&address, "").await;
    fs::write(machine.path("bin/terraform-provider-random"), "").unwrap();
    let found = machine.told(&address, "~> 7").await;
    insta::assert_snapshot!(format!("{missing}\n{found}"), @r#"
    HOME/bin (dev_overrides) has no file whose name begins with "terraform-provider-random". If the folder is yours, put the provider there. If it was downloaded, tell its author.
    installed 0.0.0; HOST/acme/random is the one in HOME/bin, since dev_overrides in Terraform's CLI configuration says so; versions and hashes are not looked at
    "#);
    assert_eq!(registry.server.asked(), []);
}

/// The registry's token comes from a program, and goes where a token goes.
#[cfg(unix)]
#[tokio::test]
async fn a_credentials_helper_is_asked_for_tokens() {
    let (_authority, registry, machine) = world().await;
    registry.publish(&Package::new("acme/random", "1.0.0"), &[&SigningKey::new()]);
    machine.configure("credentials_helper \"vault\" { args = [\"--quietly\"] }");
    let address = format!("{}/acme/random", registry.host());
    let missing = machine.told(&address, "1.0.0").await;
    insta::assert_snapshot!(missing.replace(&platform(), "PLATFORM"), @r#"installed 1.0.0; the credentials_helper "vault" in HOME/.terraformrc is not run: there is no terraform-credentials-vault in HOME/.terraform.d/plugins/PLATFORM nor in HOME/.terraform.d/plugins"#);
    assert!(registry.server.asked().iter().all(|request| request.authorization.is_none()));
    fs::remove_dir_all(machine.path(".pulumi")).unwrap();
    let program = machine.path(".terraform.d/plugins/terraform-credentials-vault");
    let script = "#!/bin/sh\nwords=$(echo \"of $*\" | tr ' :' '-_')\necho '{\"token\": \"'$words'\"}'\n";
    fs::write(machine.path("script"), script).unwrap();
    let mut install = std::process::Command::new("install");
    assert!(install.args(["-D", "-m755"]).args([machine.path("script"), program]).status().unwrap().success());
    let before = registry.server.asked().len();
    machine.install(&address, "1.0.0").await.unwrap();
    let sent: Vec<_> =
        registry.server.asked().split_off(before).into_iter().filter_map(|asked| asked.authorization).collect();
    let expected = format!("Bearer of---quietly-get-{}", registry.host().replace(':', "_"));
    assert!(!sent.is_empty() && sent.iter().all(|sent| *sent == expected), "{sent:?}");
}

#[tokio::test]
async fn a_host_block_says_where_a_registry_is() {
    let (_authority, registry, machine) = world().await;
    registry.publish(&Package::new("acme/random", "1.0.0"), &[&SigningKey::new()]);
    machine.configure(&format!(
        "host \"unreachable.example\" {{ services = {{ \"providers.v1\" = \"{}/v1/providers/\" }} }}",
        registry.server.url()
    ));
    machine.install("unreachable.example/acme/random", "").await.unwrap();
}

#[tokio::test]
async fn what_cannot_be_used_is_told_when_it_would_be() {
    let (_authority, registry, mut machine) = world().await;
    machine.configure("provider_installation { oci_mirror { repository_template = \"x\" include = [\"a/*\"] } }");
    let unsupported = machine.told("a/b", "").await;
    machine.configure("provider_installation { filesystem_mirror { path = \"/none\" } }");
    let missing = machine.told("a/b", "").await;
    machine.configure("provider_installation {");
    let syntax = machine.told("a/b", "").await;
    machine.configure("");
    machine.set("DENOBRIDGE_PROVIDER_MAX_BYTES", "lots");
    let setting = machine.told("a/b", "").await;
    insta::assert_snapshot!([unsupported, missing, syntax, setting].join("\n"), @r#"
    registry.opentofu.org/a/b would come from an oci_mirror, as the provider_installation block in HOME/.terraformrc says, which is not supported. Use direct, network_mirror or filesystem_mirror for this provider.
    /none: this filesystem_mirror is no folder.
    HOME/.terraformrc cannot be used: line 1: a block does not end. Correct the file, or have TF_CLI_CONFIG_FILE name another one.
    DENOBRIDGE_PROVIDER_MAX_BYTES is "lots", and must be a whole number above 0.
    "#);
    drop(registry);
}
