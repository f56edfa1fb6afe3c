//! Registries, networks and disks that fail, and what the user is told then.

use std::time::Duration;

use denobridge_registry_testing::{Fault, Package, Proxy, Registry, Reply, Server, SigningKey, platform};
use serde_json::json;

use super::machine::{Machine, world};

async fn published() -> (denobridge_registry_testing::Authority, Registry, Machine, String) {
    let (authority, registry, machine) = world().await;
    registry.publish(&Package::new("acme/random", "1.0.0"), &[&SigningKey::new()]);
    let address = format!("{}/acme/random", registry.host());
    (authority, registry, machine, address)
}

#[tokio::test]
async fn what_the_user_is_told_when_a_host_fails() {
    let (_authority, registry, mut machine, address) = published().await;
    machine.set("TF_REGISTRY_CLIENT_TIMEOUT", "1").set("DENOBRIDGE_PROVIDER_DOWNLOAD_TIMEOUT", "1");
    let says = |status, text: &str| Fault::Instead(Reply { status, ..Reply::bytes(text.as_bytes().to_vec()) });
    let redirect = |to: &str| Fault::Instead(Reply::status(302).header("Location", to));
    let circle = format!("{}/v1/providers/acme/random/versions", registry.server.url());
    let limited = Fault::Instead(Reply::status(429).header("Retry-After", "3600"));
    let evil = Package::new("acme/random", "1.0.0").executable(b"evil").archive();
    let slow = || Fault::Slow(Duration::from_secs(20));
    let mut texts = Vec::new();
    for (name, part, fault) in [
        ("no discovery document", "terraform.json", says(404, "")),
        ("no registry", "terraform.json", Fault::Instead(Reply::json(&json!({ "modules.v1": "/" })))),
        ("a page", "terraform.json", says(200, "<html>Please log in</html>")),
        ("unknown", "versions", says(404, r#"{"errors":["Not Found"]}"#)),
        ("needs a token", "versions", says(401, r#"{"errors":["who are you?"]}"#)),
        ("forbidden archive", ".zip", says(403, "<xml/>")),
        ("too many requests", "versions", limited),
        ("broken", "versions", says(500, "")),
        ("garbled", "versions", says(200, "{")),
        ("half an answer", "versions", Fault::Half),
        ("half an archive", ".zip", Fault::Half),
        ("another archive", ".zip", Fault::Instead(Reply::bytes(evil))),
        ("no archive", ".zip", says(404, "")),
        ("in a circle", "versions", redirect(&circle)),
        ("without TLS", "versions", redirect("http://127.0.0.1:1/")),
        ("slow", "versions", slow()),
        ("slow archive", ".zip", slow()),
    ] {
        registry.server.recover();
        registry.server.fault(part, fault);
        texts.push(format!("{name}: {}", machine.told(&address, "").await));
        let left = machine.names(&machine.cached(&address, "1.0.0"));
        assert!(left.iter().all(|name| name.ends_with(".lock")), "{name}: {left:?}");
    }
    registry.server.recover();
    machine.install(&address, "").await.unwrap();
    insta::assert_snapshot!(texts.join("\n"), @r#"
    no discovery document: HOST is no registry of providers: https://HOST/.well-known/terraform.json names no service "providers.v1". Check the host at the beginning of the address. If HOST cannot be reached from here, configure a network_mirror or filesystem_mirror in the provider_installation block of Terraform's CLI configuration.
    no registry: HOST is no registry of providers: https://HOST/.well-known/terraform.json names no service "providers.v1". Check the host at the beginning of the address. If HOST cannot be reached from here, configure a network_mirror or filesystem_mirror in the provider_installation block of Terraform's CLI configuration.
    a page: HOST answered "" instead of application/json (asked for https://HOST/.well-known/terraform.json). Check the host: something else than a registry may be answering in its place.
    unknown: there is no provider HOST/acme/random in the registry HOST. Check the spelling of the namespace and the type. A private registry may also hide what a token does not allow.
    needs a token: HOST answered 401: who are you? (asked for https://HOST/v1/providers/acme/random/versions). No token is configured for HOST: add a block `credentials "HOST"` to Terraform's CLI configuration.
    forbidden archive: HOST answered 403 (asked for https://HOST/files/terraform-provider-random_1.0.0_PLATFORM.zip). No token is configured for HOST: add a block `credentials "HOST"` to Terraform's CLI configuration.
    too many requests: HOST answered 429 (asked for https://HOST/v1/providers/acme/random/versions). Too many requests came from here. Try again in 3600 s, or use a mirror.
    broken: HOST answered 500 (asked for https://HOST/v1/providers/acme/random/versions). The host has a problem of its own. Try again later, or use a mirror.
    garbled: https://HOST/v1/providers/acme/random/versions answered something that cannot be used: EOF while parsing an object at line 1 column 1.
    half an answer: HOST broke off after 49 of 98 bytes: error reading a body from connection: end of file before message length reached (asked for https://HOST/v1/providers/acme/random/versions). Check the network. Behind a proxy, set HTTPS_PROXY; behind a firewall, configure a network_mirror or filesystem_mirror in Terraform's CLI configuration (TF_CLI_CONFIG_FILE). A provider that was installed once is kept, and needs no network when its exact version is asked for.
    half an archive: HOST broke off after 92 of 185 bytes: error reading a body from connection: end of file before message length reached (asked for https://HOST/files/terraform-provider-random_1.0.0_PLATFORM.zip). Check the network. Behind a proxy, set HTTPS_PROXY; behind a firewall, configure a network_mirror or filesystem_mirror in Terraform's CLI configuration (TF_CLI_CONFIG_FILE). A provider that was installed once is kept, and needs no network when its exact version is asked for.
    another archive: HOST/acme/random 1.0.0 from https://HOST/files/terraform-provider-random_1.0.0_PLATFORM.zip cannot be trusted: its archive has the hash zh:SUM, and zh:SUM is announced. The download may be damaged: try again. If that does not help, do not use it: somebody may have replaced it on its way.
    no archive: HOST answered 404 (asked for https://HOST/files/terraform-provider-random_1.0.0_PLATFORM.zip). What leads there is wrong: tell whoever runs the registry, or ask for another version.
    in a circle: HOST redirects in a circle (asked for https://HOST/v1/providers/acme/random/versions). What leads there is wrong: tell whoever runs the registry, or ask for another version.
    without TLS: HOST redirects to http://127.0.0.1:1/, which is not protected by TLS (asked for https://HOST/v1/providers/acme/random/versions). What leads there is wrong: tell whoever runs the registry, or ask for another version.
    slow: HOST did not answer within 1 s, which is what TF_REGISTRY_CLIENT_TIMEOUT allows (asked for https://HOST/v1/providers/acme/random/versions). Check the network. Behind a proxy, set HTTPS_PROXY; behind a firewall, configure a network_mirror or filesystem_mirror in Terraform's CLI configuration (TF_CLI_CONFIG_FILE). A provider that was installed once is kept, and needs no network when its exact version is asked for.
    slow archive: HOST did not answer within 1 s, which is what DENOBRIDGE_PROVIDER_DOWNLOAD_TIMEOUT allows (asked for https://HOST/files/terraform-provider-random_1.0.0_PLATFORM.zip). Check the network. Behind a proxy, set HTTPS_PROXY; behind a firewall, configure a network_mirror or filesystem_mirror in Terraform's CLI configuration (TF_CLI_CONFIG_FILE). A provider that was installed once is kept, and needs no network when its exact version is asked for.
    "#);
}

#[tokio::test]
async fn a_host_that_recovers_is_asked_again() {
    let (_authority, registry, machine, address) = published().await;
    for part in ["terraform.json", "versions", "download", "SUMS", ".zip"] {
        registry.server.fault(part, Fault::Times(1, Reply::status(503)));
    }
    registry.server.fault(".sig", Fault::Times(1, Reply::status(429).header("Retry-After", "1")));
    machine.install(&address, "").await.unwrap();
    assert_eq!(registry.downloads(), 2);
}

#[tokio::test]
async fn a_token_goes_to_its_host_and_to_no_other() {
    let (authority, registry, mut machine, address) = published().await;
    let host = registry.host();
    machine.set(&format!("TF_TOKEN_{host}"), "hunter2");
    let name = format!("terraform-provider-random_1.0.0_{}.zip", platform());
    let archive = Package::new("acme/random", "1.0.0").archive();
    let elsewhere = Server::start(&authority, move |_| Reply::bytes(archive.clone())).await;
    let redirect = Reply::status(307).header("Location", &format!("{}/{name}?X-Signature=s3cret", elsewhere.url()));
    registry.server.fault(".zip", Fault::Instead(redirect));
    machine.install(&address, "").await.unwrap();
    assert!(registry.server.asked().iter().all(|asked| asked.authorization.as_deref() == Some("Bearer hunter2")));
    assert_eq!(elsewhere.asked().len(), 1);
    assert_eq!(elsewhere.asked()[0].authorization, None);
}

#[tokio::test]
async fn what_the_user_is_told_about_tokens() {
    let (authority, registry, mut machine, address) = published().await;
    let host = registry.host();
    registry.server.fault("versions", Fault::Instead(Reply::status(401)));
    machine.configure(&format!("credentials \"{host}\" {{ token = \"hunter2\" }}"));
    let wrong = machine.told(&address, "").await;
    let elsewhere = Server::start(&authority, |_| Reply::status(403)).await;
    let redirect = Reply::status(302).header("Location", &format!("{}/x?X-Signature=s3cret", elsewhere.url()));
    registry.server.fault("versions", Fault::Instead(redirect));
    machine.set("TF_TOKEN_other_example", "x");
    let not_sent = machine.told(&address, "").await;
    machine.configure(&format!("credentials \"{host}\" {{ token = \"hunter\\n2\" }}"));
    let unusable = machine.told(&address, "").await;
    let texts = [wrong, not_sent, unusable].join("\n");
    assert!(!texts.contains("hunter") && !texts.contains("s3cret"));
    insta::assert_snapshot!(texts, @r"
    HOST answered 401 (asked for https://HOST/v1/providers/acme/random/versions). The token from the credentials block in HOME/.terraformrc was sent: check that it is valid and allows reading this provider.
    HOST answered 403 (asked for https://HOST/x). The token from the credentials block in HOME/.terraformrc is for localhost, and was not sent to HOST. The registry has to serve this without one, or from its own host.
    HOST cannot be sent the token from the credentials block in HOME/.terraformrc, which has a character that tokens do not have (asked for https://HOST/.well-known/terraform.json). Correct the token.
    ");
}

#[tokio::test]
async fn a_host_that_redirects_discovery_does_not_give_its_token_away() {
    let (authority, registry, mut machine, _) = published().await;
    let to = format!("{}/.well-known/terraform.json", registry.server.url());
    let front = Server::start(&authority, move |_| Reply::status(302).header("Location", &to)).await;
    machine.set(&format!("TF_TOKEN_{}", front.host()), "hunter2");
    machine.install(&format!("{}/acme/random", front.host()), "").await.unwrap();
    assert_eq!(front.asked()[0].authorization.as_deref(), Some("Bearer hunter2"));
    assert!(registry.server.asked().iter().all(|asked| asked.authorization.is_none()));
}

#[tokio::test]
async fn certificates_of_strangers_are_refused_with_the_way_out() {
    let (_authority, registry, mut machine, address) = published().await;
    machine.set("SSL_CERT_FILE", "");
    insta::assert_snapshot!(machine.told(&address, "").await, @"HOST cannot be reached: client error (Connect): invalid peer certificate: UnknownIssuer (asked for https://HOST/.well-known/terraform.json). If the certificate is from an authority of your own, have SSL_CERT_FILE name a file with the authority's certificate.");
    machine.set("SSL_CERT_DIR", machine.path("certificates").to_str().unwrap());
    std::fs::create_dir(machine.path("certificates")).unwrap();
    std::fs::rename(machine.path("ca.pem"), machine.path("certificates/ca.pem")).unwrap();
    machine.install(&address, "").await.unwrap();
    drop(registry);
}

#[tokio::test]
async fn a_proxy_is_asked_for_everything_but_ourselves_and_exceptions() {
    let (_authority, registry, mut machine, address) = published().await;
    let proxy = Proxy::start(registry.server.port()).await;
    machine.set("https_proxy", &format!("http://{}", proxy.address()));
    machine.install("registry.example/acme/random", "").await.unwrap();
    assert!(proxy.asked().iter().all(|host| host == "registry.example:443") && !proxy.asked().is_empty());
    let asked = proxy.asked().len();
    machine.install(&address, "").await.unwrap();
    assert_eq!(proxy.asked().len(), asked);
    machine.set("NO_PROXY", ".example").set("TF_REGISTRY_CLIENT_TIMEOUT", "1");
    let told = machine.told("registry.example/acme/random", "9.0.0").await;
    assert!(told.starts_with("registry.example cannot be reached") || told.contains("did not answer"), "{told}");
    assert_eq!(proxy.asked().len(), asked);
}

#[tokio::test]
async fn a_socks_proxy_is_asked_for_names() {
    for (variable, scheme) in [("ALL_PROXY", "socks5"), ("all_proxy", "socks5h"), ("HTTPS_PROXY", "SOCKS5")] {
        let (_authority, registry, mut machine, address) = published().await;
        let proxy = Proxy::start(registry.server.port()).await;
        machine.set(variable, &format!("{scheme}://{}", proxy.address()));
        machine.install("registry.example/acme/random", "").await.unwrap();
        assert!(proxy.asked().iter().all(|host| host == "registry.example:443") && !proxy.asked().is_empty());
        let asked = proxy.asked().len();
        machine.install(&address, "").await.unwrap();
        machine.set("NO_PROXY", ".example").set("TF_REGISTRY_CLIENT_TIMEOUT", "1");
        machine.told("registry.example/acme/random", "9.0.0").await;
        assert_eq!(proxy.asked().len(), asked, "{variable}");
    }
}

#[tokio::test]
async fn what_is_no_proxy_is_told_without_its_password() {
    let (_authority, _registry, mut machine, address) = published().await;
    let mut told = Vec::new();
    for proxy in ["socks9://user:hunter2@127.0.0.1:1", "http://user:hunter2@:x"] {
        machine.set("ALL_PROXY", proxy);
        told.push(machine.told(&address, "").await);
    }
    assert!(!told.concat().contains("hunter2"), "{told:?}");
    insta::assert_snapshot!(told.join("\n"), @r#"
    ALL_PROXY cannot be used: "socks9" is no kind of proxy; there are http, https, socks5 and socks5h. Correct the variable.
    ALL_PROXY cannot be used: builder error: empty host. Correct the variable.
    "#);
}

#[tokio::test]
async fn archives_that_would_do_harm_are_not_unpacked() {
    let (_authority, registry, mut machine, _) = published().await;
    let key = SigningKey::new();
    let package = |name: &str| Package::new(&format!("acme/{name}"), "1.0.0");
    registry.publish(&package("escape").file("../../evil", b""), &[&key]);
    registry.publish(&package("absolute").file("/evil", b""), &[&key]);
    registry.publish(&package("bomb").file("zeros", &vec![0; 3 << 20]), &[&key]);
    registry.publish(&package("empty").without_files().file("README.md", b"hello"), &[&key]);
    registry.publish(&package("page"), &[]);
    machine.set("DENOBRIDGE_PROVIDER_MAX_BYTES", "1048576");
    let page = format!("[\"{}/acme/page\"]", registry.host());
    machine.configure(&format!(
        "provider_installation {{ network_mirror {{ url = \"{}\" include = {page} }}\n direct {{ exclude = {page} }} }}",
        registry.mirror()
    ));
    let name = format!("terraform-provider-page_1.0.0_{}.zip", platform());
    registry.server.fault(
        "page/1.0.0.json",
        Fault::Instead(Reply::json(&json!({
            "archives": { platform(): { "url": format!("/files/{name}") } }
        }))),
    );
    registry.replace(&name, b"<html>");
    let mut texts = Vec::new();
    for name in ["escape", "absolute", "bomb", "empty", "page"] {
        texts.push(format!("{name}: {}", machine.told(&format!("{}/acme/{name}", registry.host()), "").await));
    }
    insta::assert_snapshot!(texts.join("\n"), @r#"
    escape: the archive from https://HOST/files/terraform-provider-escape_1.0.0_PLATFORM.zip cannot be unpacked: "../../evil" is no name of a file. The package is damaged at its source. Ask for another version, or tell its author.
    absolute: the archive from https://HOST/files/terraform-provider-absolute_1.0.0_PLATFORM.zip cannot be unpacked: "/evil" is no name of a file. The package is damaged at its source. Ask for another version, or tell its author.
    bomb: the archive from https://HOST/files/terraform-provider-bomb_1.0.0_PLATFORM.zip unpacks to more than 1048576 bytes, which is what DENOBRIDGE_PROVIDER_MAX_BYTES allows. If the provider really is that large, set DENOBRIDGE_PROVIDER_MAX_BYTES higher.
    empty: https://HOST/files/terraform-provider-empty_1.0.0_PLATFORM.zip has no file whose name begins with "terraform-provider-empty". If the folder is yours, put the provider there. If it was downloaded, tell its author.
    page: the archive from https://HOST/files/terraform-provider-page_1.0.0_PLATFORM.zip cannot be unpacked: invalid Zip archive: Could not find EOCD. The package is damaged at its source. Ask for another version, or tell its author.
    "#);
}

/// Where a small disk is to be, of a process that [`a_full_disk_is_told_and_leaves_nothing`] has started.
const SMALL_DISK: &str = "DENOBRIDGE_TEST_SMALL_DISK";

/// Nothing, unless this is such a process.
#[tokio::test]
async fn installs_on_a_small_disk() {
    let environment = denobridge_registry::Environment::of_process();
    let Some(address) = environment.variable(SMALL_DISK) else { return };
    let requirement = denobridge_registry::Requirement::parse(address, "1.0.0").unwrap();
    let installer = denobridge_registry::Installer::from_environment(&environment).unwrap();
    println!("told: {}", installer.install(&requirement).await.unwrap_err().report());
    let folder = environment.variable("PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR").unwrap();
    let left = std::fs::read_dir(format!("{folder}/{address}/1.0.0")).unwrap().flatten();
    let left: Vec<_> =
        left.map(|entry| entry.file_name()).filter(|name| !name.to_string_lossy().ends_with("lock")).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Where an unprivileged user may mount something in a name space of his own, which few containers allow.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_is_told_and_leaves_nothing() {
    use std::process::Command;
    let mount = "mount -t tmpfs -o size=256k none \"$PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR\"";
    let (_authority, registry, mut machine, address) = published().await;
    let noise: Vec<u8> = (0..1u32 << 20).map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()[3]).collect();
    registry.publish(&Package::new("acme/random", "1.0.0").file("noise", &noise), &[&SigningKey::new()]);
    std::fs::create_dir(machine.path("small")).unwrap();
    machine.set("PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR", machine.path("small").to_str().unwrap());
    machine.set(SMALL_DISK, &address);
    let shell = |script: String| {
        let mut command = Command::new("unshare");
        command.args(["-rm", "sh", "-c", &script]).env_clear().env("PATH", std::env::var_os("PATH").unwrap());
        command.envs(&machine.variables);
        command
    };
    if !shell(mount.to_owned()).output().is_ok_and(|output| output.status.success()) {
        eprintln!("not shown here: no small disk can be mounted");
        return;
    }
    let test = std::env::current_exe().unwrap();
    let run = format!("{mount} && '{}' --exact faults::installs_on_a_small_disk --nocapture", test.display());
    let output = tokio::task::spawn_blocking({
        let mut command = shell(run);
        move || command.output().unwrap()
    });
    let output = output.await.unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let told = text.lines().find_map(|line| line.split_once("told: ")).unwrap().1;
    let told = regex::Regex::new(r"-\w{6}/").unwrap().replace(told, "-RANDOM/").into_owned();
    insta::assert_snapshot!(machine.tidy(&told), @"HOME/small/HOST/acme/random/1.0.0/.PLATFORM-RANDOM/unpacked/noise: No space left on device (os error 28). The disk is full: make room on it, or have PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR name a folder on another one. Nothing half is left behind.");
}

#[tokio::test]
async fn a_host_may_say_itself_that_its_registry_is_elsewhere_and_its_token_follows() {
    let (authority, registry, mut machine, _) = published().await;
    let service = json!({ "providers.v1": format!("{}/v1/providers", registry.server.url()) });
    let front = Server::start(&authority, move |_| Reply::json(&service)).await;
    machine.set(&format!("TF_TOKEN_{}", front.host()), "hunter2");
    machine.install(&format!("{}/acme/random", front.host()), "").await.unwrap();
    assert!(registry.server.asked().iter().all(|asked| asked.authorization.as_deref() == Some("Bearer hunter2")));
}
