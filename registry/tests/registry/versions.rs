//! Which version is had, and when the network is asked for it.

use denobridge_registry_testing::{Package, SigningKey};

use super::machine::world;

#[tokio::test]
async fn the_newest_release_that_fits_is_had_and_an_exact_version_needs_no_network_again() {
    let (_authority, registry, machine) = world().await;
    let key = SigningKey::new();
    for version in ["1.0.0", "1.4.0", "2.0.0", "3.0.0-beta1"] {
        registry.publish(&Package::new("acme/random", version), &[&key]);
    }
    let address = format!("{}/acme/random", registry.host());
    for (constraint, version) in [("", "2.0.0"), ("~> 1.0", "1.4.0"), ("3.0.0-beta1", "3.0.0-beta1"), ("1", "1.0.0")] {
        let installed = machine.install(&address, constraint).await.unwrap();
        assert_eq!(installed.version.to_string(), version, "{constraint}");
        assert_eq!(installed.warnings, [""; 0]);
        let said = std::fs::read_to_string(&installed.path).unwrap();
        assert!(said.ends_with(&format!("echo {version}\n")), "{said}");
    }
    let asked = registry.server.asked().len();
    machine.install(&address, "2.0.0").await.unwrap();
    assert_eq!(registry.server.asked().len(), asked, "the cache answers for exact versions");
    registry.publish(&Package::new("acme/random", "2.1.0"), &[&key]);
    assert_eq!(machine.install(&address, "").await.unwrap().version.to_string(), "2.1.0", "and for nothing else");
}

#[tokio::test]
async fn without_the_network_the_newest_on_this_machine_is_had_with_a_warning() {
    let (_authority, registry, machine) = world().await;
    registry.publish(&Package::new("acme/random", "1.0.0"), &[&SigningKey::new()]);
    let address = format!("{}/acme/random", registry.host());
    machine.install(&address, "").await.unwrap();
    let asked = registry.server.asked().len();
    let offline = machine.install_offline(&address, "").await.unwrap();
    assert_eq!(registry.server.asked().len(), asked);
    let not_here = machine.install_offline(&address, "2.0.0").await.unwrap_err().report();
    drop(registry);
    let unreachable = machine.install(&address, "~> 1.0").await.unwrap();
    let texts =
        [offline.warnings[0].clone(), unreachable.warnings[0].clone(), not_here].map(|text| machine.tidy(&text));
    insta::assert_snapshot!(texts.join("\n"), @r"
    HOST/acme/random 1.0.0 is the newest that is on this machine; whether there is a newer one is not known: the network is not to be used
    HOST/acme/random 1.0.0 is the newest that is on this machine; whether there is a newer one is not known: HOST cannot be reached: client error (Connect): tcp connect error: Connection refused (os error 111) (asked for https://HOST/.well-known/terraform.json)
    HOST/acme/random 2.0.0 is not on this machine, and the network is not to be used. Run once with the network, or put the provider into a filesystem_mirror.
    ");
}

#[tokio::test]
async fn what_is_not_there_is_told_with_what_is() {
    let (_authority, registry, machine) = world().await;
    let key = SigningKey::new();
    registry.publish(&Package::new("acme/random", "1.0.0"), &[&key]);
    registry.publish(&Package::new("acme/other", "1.0.0").for_platforms(&["plan9_mips", "linux_riscv64"]), &[&key]);
    registry.publish(&Package::new("acme/early", "0.1.0-alpha"), &[&key]);
    registry.publish(&Package::new("acme/old", "1.0.0").speaking(&["4.0"]), &[&key]);
    registry.publish(&Package::new("acme/old", "1.1.0").speaking(&["4.0", "5.1"]), &[&key]);
    registry.publish(&Package::new("acme/old", "1.2.0").speaking(&["4.0"]), &[&key]);
    let host = registry.host();
    let mut texts = Vec::new();
    for (name, version) in [
        ("acme/none", ""),
        ("acme/none", "1.0.0"),
        ("acme/random", "2.0.0"),
        ("acme/random", "~> 3"),
        ("acme/early", ""),
        ("acme/other", ""),
        ("acme/old", ""),
        ("a b/c", ""),
        ("acme/random", "v1"),
    ] {
        texts.push(format!("{name} {version}: {}", machine.told(&format!("{host}/{name}"), version).await));
    }
    insta::assert_snapshot!(texts.join("\n"), @r#"
    acme/none : there is no provider HOST/acme/none in the registry HOST. Check the spelling of the namespace and the type. A private registry may also hide what a token does not allow.
    acme/none 1.0.0: there is no provider HOST/acme/none in the registry HOST. Check the spelling of the namespace and the type. A private registry may also hide what a token does not allow.
    acme/random 2.0.0: there is no HOST/acme/random 2.0.0: the newest in the registry HOST is 1.0.0. Ask for another version, or leave it out for the newest.
    acme/random ~> 3: there is no version of HOST/acme/random that is ~> 3: the newest in the registry HOST is 1.0.0. Ask for another version, or leave it out for the newest.
    acme/early : there is no released version of HOST/acme/early: the registry HOST has pre-releases only, the newest is 0.1.0-alpha. A pre-release is taken only when it is named: ask for 0.1.0-alpha.
    acme/other : HOST/acme/other 1.0.0 is not available for PLATFORM in the registry HOST. It is available for plan9_mips, linux_riscv64. Ask for another version, or its author for this platform.
    acme/old : HOST/acme/old 1.2.0 speaks versions 4.0 of the plugin protocol, and 5 and 6 are understood. Ask for version 1.1.0.
    a b/c : "HOST/a b/c" is not the address of a provider: the namespace "a b" may have only letters, digits and dashes. Write [HOSTNAME/][NAMESPACE/]TYPE, for example hashicorp/random.
    acme/random v1: "v1" is not a version constraint: a "v" prefix should not be used when specifying versions. Write for example 1.2.3, ">= 1.2, < 2.0" or "~> 1.2".
    "#);
}
