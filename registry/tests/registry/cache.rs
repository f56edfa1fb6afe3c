//! What is kept: complete, recorded, verified before it is run, and in the Go bridge's layout.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use denobridge_registry::PackageHash;
use denobridge_registry_testing::{Package, Registry, SigningKey, platform};

use super::machine::{Machine, world};

async fn installed() -> (Registry, Machine, String, std::path::PathBuf) {
    let (_authority, registry, machine) = world().await;
    registry.publish(&Package::new("acme/random", "1.0.0").file("docs/README.md", b"hello"), &[&SigningKey::new()]);
    let address = format!("{}/acme/random", registry.host());
    let path = machine.install(&address, "1.0.0").await.unwrap().path;
    (registry, machine, address, path)
}

#[tokio::test]
async fn the_layout_is_the_go_bridges() {
    let (_registry, machine, address, path) = installed().await;
    let folder = machine.cached(&address, "1.0.0");
    assert_eq!(path, folder.join(platform()).join("terraform-provider-random_v1.0.0"));
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o755);
    let names = machine.names(&folder);
    assert_eq!(names, ["PLATFORM", "PLATFORM.denobridge.json", "PLATFORM.denobridge.lock", "PLATFORM.lock"]);
    assert_eq!(fs::read_to_string(folder.join(platform()).join("docs/README.md")).unwrap(), "hello");
    for name in [platform(), format!("{}.denobridge.json", platform())] {
        let mode = fs::metadata(folder.join(&name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o044, 0o044, "other users can read {name}");
    }
}

#[tokio::test]
async fn what_was_tampered_with_is_installed_again_and_told() {
    let (registry, machine, address, path) = installed().await;
    let good = fs::read(&path).unwrap();
    let changes: [(&str, &dyn Fn()); 3] = [
        ("a byte", &|| {
            let mut evil = good.clone();
            *evil.last_mut().unwrap() = b'!';
            fs::write(&path, evil).unwrap();
        }),
        ("a file more", &|| fs::write(path.parent().unwrap().join("terraform-provider-random"), "evil").unwrap()),
        ("a file less", &|| fs::remove_dir_all(path.parent().unwrap().join("docs")).unwrap()),
    ];
    let mut texts = Vec::new();
    for (number, (name, change)) in changes.into_iter().enumerate() {
        change();
        let again = machine.install(&address, "1.0.0").await.unwrap();
        texts.push(format!("{name}: {}", machine.tidy(&again.warnings.join("; "))));
        assert_eq!(fs::read(&again.path).unwrap(), good);
        assert_eq!(registry.downloads(), number + 2);
    }
    insta::assert_snapshot!(texts.join("\n"), @r"
    a byte: HOST/acme/random 1.0.0 was installed again, since it was not as it had been installed: terraform-provider-random_v1.0.0 has the SHA-256 SUM, and SUM was recorded
    a file more: HOST/acme/random 1.0.0 was installed again, since it was not as it had been installed: terraform-provider-random was added
    a file less: HOST/acme/random 1.0.0 was installed again, since it was not as it had been installed: docs/README.md is gone
    ");
}

#[tokio::test]
async fn files_are_hashed_again_only_when_they_look_different() {
    let (registry, machine, address, path) = installed().await;
    let record = path.parent().unwrap().with_extension("denobridge.json");
    let before = fs::metadata(&record).unwrap().ino();
    machine.install(&address, "1.0.0").await.unwrap();
    assert_eq!(fs::metadata(&record).unwrap().ino(), before, "nothing was hashed, so nothing was recorded");
    let content = fs::read(&path).unwrap();
    fs::write(&path, content).unwrap();
    let again = machine.install(&address, "1.0.0").await.unwrap();
    assert_eq!(again.warnings, [""; 0]);
    assert_ne!(fs::metadata(&record).unwrap().ino(), before, "the same content in another file");
    assert_eq!(registry.downloads(), 1);
}

#[tokio::test]
async fn what_nobody_recorded_is_installed_again() {
    let (registry, machine, address, path) = installed().await;
    fs::remove_file(path.parent().unwrap().with_extension("denobridge.json")).unwrap();
    fs::write(&path, "whatever").unwrap();
    let again = machine.install(&address, "1.0.0").await.unwrap();
    assert_eq!(registry.downloads(), 2);
    assert!(fs::read_to_string(again.path).unwrap().contains("echo 1.0.0"));
}

#[tokio::test]
async fn what_was_recorded_elsewhere_is_what_is_installed_here() {
    let (registry, machine, address, _) = installed().await;
    let recorded = machine.install(&address, "1.0.0").await.unwrap().hashes;
    machine.install_recorded(&address, "1.0.0", &recorded).await.unwrap();
    assert_eq!(registry.downloads(), 1);
    let archives_only: Vec<_> =
        recorded.iter().copied().filter(|hash| matches!(hash, PackageHash::Archive(_))).collect();
    machine.install_recorded(&address, "1.0.0", &archives_only).await.unwrap();
    // The registry now has something else under the same version, properly signed.
    let other = Package::new("acme/random", "1.0.0").executable(b"another");
    registry.publish(&other, &[&SigningKey::new()]);
    fs::remove_dir_all(machine.path(".pulumi")).unwrap();
    let mut texts = Vec::new();
    for recorded in [&recorded, &archives_only] {
        let error = machine.install_recorded(&address, "1.0.0", recorded).await.unwrap_err();
        texts.push(machine.tidy(&error.report()));
    }
    insta::assert_snapshot!(texts.join("\n"), @r"
    HOST/acme/random 1.0.0 from https://HOST/files/terraform-provider-random_1.0.0_PLATFORM.zip is not the one that was recorded: it is zh:SUM, h1:SUM, recorded are zh:SUM, h1:SUM. If the provider was replaced on purpose, record it anew by adding the package again (`pulumi package add`). If it was not, do not use it: somebody may have tampered with it. An unpacked folder can be compared only with what was recorded on the same platform; use the packed archive instead.
    HOST/acme/random 1.0.0 from https://HOST/files/terraform-provider-random_1.0.0_PLATFORM.zip is not the one that was recorded: it is zh:SUM, recorded are zh:SUM. If the provider was replaced on purpose, record it anew by adding the package again (`pulumi package add`). If it was not, do not use it: somebody may have tampered with it. An unpacked folder can be compared only with what was recorded on the same platform; use the packed archive instead.
    ");
    let unrecorded = machine.install(&address, "1.0.0").await.unwrap();
    assert!(machine.install_recorded(&address, "1.0.0", &recorded).await.is_err(), "{unrecorded:?}");
}

#[tokio::test]
async fn a_cache_that_cannot_be_written_is_named() {
    let (registry, mut machine, address, _) = installed().await;
    fs::write(machine.path("file"), "").unwrap();
    machine.set("PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR", machine.path("file/cache").to_str().unwrap());
    let told = machine.told(&address, "1.0.0").await;
    assert!(told.starts_with("HOME/file/cache/HOST/acme/random/1.0.0: "), "{told}");
    drop(registry);
}
