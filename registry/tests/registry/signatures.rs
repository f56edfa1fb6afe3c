//! What must hold for an archive from a registry to be unpacked.

use denobridge_registry_testing::{Package, SigningKey, platform};

use super::machine::world;

#[tokio::test]
async fn a_primary_key_and_a_subkey_may_sign_and_any_of_several_keys() {
    let (_authority, registry, machine) = world().await;
    let (one, other) = (SigningKey::new(), SigningKey::with_subkey());
    registry.publish(&Package::new("acme/primary", "1.0.0"), &[&one]);
    registry.publish(&Package::new("acme/subkey", "1.0.0"), &[&other]);
    registry.publish(&Package::new("acme/rsa", "1.0.0"), &[&SigningKey::rsa()]);
    registry.publish_signed(&Package::new("acme/second", "1.0.0"), Some(&other), &[&one, &other]);
    let both = Package::new("acme/platforms", "1.0.0").for_platforms(&[&platform(), "plan9_mips"]);
    registry.publish(&both, &[&one]);
    for name in ["acme/primary", "acme/subkey", "acme/rsa", "acme/second"] {
        let installed = machine.install(&format!("{}/{name}", registry.host()), "").await.unwrap();
        assert_eq!(installed.warnings, [""; 0], "{name}");
    }
    let hashes = machine.install(&format!("{}/acme/platforms", registry.host()), "").await.unwrap().hashes;
    let kinds: Vec<_> = hashes.iter().map(|hash| machine.tidy(&hash.to_string())).collect();
    assert_eq!(kinds, ["zh:SUM", "h1:SUM"], "both platforms have the same archive here");
}

#[tokio::test]
async fn what_is_not_signed_as_it_should_be_is_not_installed() {
    let (_authority, registry, machine) = world().await;
    let (key, stranger) = (SigningKey::new(), SigningKey::new());
    registry.publish_signed(&Package::new("acme/stranger", "1.0.0"), Some(&stranger), &[&key]);
    registry.publish(&Package::new("acme/unsigned", "1.0.0"), &[]);
    registry.publish(&Package::new("acme/revoked", "1.0.0"), &[&SigningKey::revoked()]);
    registry.publish(&Package::new("acme/certifier", "1.0.0"), &[&SigningKey::not_for_signing()]);
    registry.publish(&Package::new("acme/sha1", "1.0.0"), &[&SigningKey::rsa().signing_by_sha1()]);
    for name in ["garbled", "forged", "unlisted", "replaced"] {
        registry.publish(&Package::new(&format!("acme/{name}"), "1.0.0"), &[&key]);
    }
    registry.replace("terraform-provider-garbled_1.0.0_SHA256SUMS.sig", b"no signature");
    let forged = format!("{}  terraform-provider-forged_1.0.0_{}.zip\n", "0".repeat(64), platform());
    registry.replace("terraform-provider-forged_1.0.0_SHA256SUMS", forged.as_bytes());
    registry.replace("terraform-provider-unlisted_1.0.0_SHA256SUMS", b"");
    let archive = Package::new("acme/replaced", "1.0.0").executable(b"evil").archive();
    registry.replace(&format!("terraform-provider-replaced_1.0.0_{}.zip", platform()), &archive);
    let mut texts = Vec::new();
    for name in ["stranger", "unsigned", "revoked", "certifier", "sha1", "garbled", "forged", "unlisted", "replaced"] {
        texts.push(format!("{name}: {}", machine.told(&format!("{}/acme/{name}", registry.host()), "").await));
        let folder = machine.cached(&registry.host(), "acme").join(name).join("1.0.0");
        let left = machine.names(&folder);
        assert!(left.iter().all(|name| name.ends_with(".lock")), "{left:?}");
    }
    insta::assert_snapshot!(texts.join("\n"), @r"
    stranger: HOST/acme/stranger 1.0.0 from the registry HOST cannot be trusted: its list of checksums is signed by none of the keys that the registry announces (KEY). Do not use it: somebody may have replaced it. Tell whoever runs the registry, or ask for another version.
    unsigned: HOST/acme/unsigned 1.0.0 from the registry HOST cannot be trusted: the registry announces no key that it is signed with. Only registry.opentofu.org may serve providers without keys, and only unless OPENTOFU_ENFORCE_GPG_VALIDATION is true. Ask whoever runs the registry to announce the author's key, or install the provider from a filesystem_mirror that you filled yourself.
    revoked: HOST/acme/revoked 1.0.0 from the registry HOST cannot be trusted: it is signed with the key KEY, which was revoked. Do not use it: somebody may have replaced it. Tell whoever runs the registry, or ask for another version.
    certifier: HOST/acme/certifier 1.0.0 from the registry HOST cannot be trusted: it is signed with the key KEY, which is not for signing. Do not use it: somebody may have replaced it. Tell whoever runs the registry, or ask for another version.
    sha1: HOST/acme/sha1 1.0.0 from the registry HOST cannot be trusted: it is signed by way of SHA1, which can be forged. Do not use it: somebody may have replaced it. Tell whoever runs the registry, or ask for another version.
    garbled: HOST/acme/garbled 1.0.0 from the registry HOST cannot be trusted: the signature of its list of checksums cannot be read: not enough bytes in buffer: armor header. Do not use it: somebody may have replaced it. Tell whoever runs the registry, or ask for another version.
    forged: HOST/acme/forged 1.0.0 from the registry HOST cannot be trusted: the list of checksums has SUM for terraform-provider-forged_1.0.0_PLATFORM.zip, and the registry announces SUM. Do not use it: somebody may have replaced it. Tell whoever runs the registry, or ask for another version.
    unlisted: HOST/acme/unlisted 1.0.0 from the registry HOST cannot be trusted: the list of checksums has none for terraform-provider-unlisted_1.0.0_PLATFORM.zip. Do not use it: somebody may have replaced it. Tell whoever runs the registry, or ask for another version.
    replaced: HOST/acme/replaced 1.0.0 from https://HOST/files/terraform-provider-replaced_1.0.0_PLATFORM.zip cannot be trusted: its archive has the hash zh:SUM, and zh:SUM is announced. The download may be damaged: try again. If that does not help, do not use it: somebody may have replaced it on its way.
    ");
}

#[tokio::test]
async fn a_list_that_was_changed_after_it_was_signed_is_noticed() {
    let (_authority, registry, machine) = world().await;
    let package = Package::new("acme/random", "1.0.0");
    registry.publish(&package, &[&SigningKey::new()]);
    let sum = {
        use sha2::Digest as _;
        sha2::Sha256::digest(package.archive()).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    // The same entry, in other words: the list still has the archive.
    let list = format!("{sum} *{}\n", package.archive_name(&platform()));
    registry.replace("terraform-provider-random_1.0.0_SHA256SUMS", list.as_bytes());
    insta::assert_snapshot!(machine.told(&format!("{}/acme/random", registry.host()), "").await, @"HOST/acme/random 1.0.0 from the registry HOST cannot be trusted: the signature by the key KEY does not fit its list of checksums. Do not use it: somebody may have replaced it. Tell whoever runs the registry, or ask for another version.");
}

#[tokio::test]
async fn an_expired_key_is_a_warning_unless_that_is_enforced() {
    let (_authority, registry, mut machine) = world().await;
    registry.publish(&Package::new("acme/random", "1.0.0"), &[&SigningKey::expired()]);
    let address = format!("{}/acme/random", registry.host());
    machine.set("OPENTOFU_ENFORCE_GPG_EXPIRATION", "true");
    let enforced = machine.told(&address, "").await;
    machine.set("OPENTOFU_ENFORCE_GPG_EXPIRATION", "");
    let tolerated = machine.told(&address, "").await;
    insta::assert_snapshot!(format!("{enforced}\n{tolerated}"), @r"
    HOST/acme/random 1.0.0 from the registry HOST cannot be trusted: the key KEY has expired, and OPENTOFU_ENFORCE_GPG_EXPIRATION is true. Ask the author for a new key, or unset OPENTOFU_ENFORCE_GPG_EXPIRATION to take it with a warning.
    installed 1.0.0; HOST/acme/random was signed, but the key KEY has expired; OPENTOFU_ENFORCE_GPG_EXPIRATION=true would make that an error
    ");
}

#[tokio::test]
async fn a_good_key_among_expired_ones_is_enough() {
    let (_authority, registry, machine) = world().await;
    let (good, expired) = (SigningKey::new(), SigningKey::expired());
    registry.publish_signed(&Package::new("acme/random", "1.0.0"), Some(&good), &[&expired, &good]);
    let installed = machine.install(&format!("{}/acme/random", registry.host()), "").await.unwrap();
    assert_eq!(installed.warnings, [""; 0]);
}
