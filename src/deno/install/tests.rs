//! Downloads from a server on this machine, with a real Deno in the archive.

use super::super::program::{Deno, Search};
use super::super::testing::deno;
use super::super::testing::server::{Reply, Server};
use super::super::{DenoSource, FindError, VersionWish};
use super::platform::{executable, target};
use super::{Cache, InstallError, Installer, Source};
use semver::Version;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

/// An archive as Deno publishes it, with this file in it as the executable.
fn archive(folder: &Path, program: &[u8]) -> (PathBuf, String) {
    let path = folder.join("deno.zip");
    let mut zip = zip::ZipWriter::new(File::create(&path).unwrap());
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    zip.start_file(executable(), options).unwrap();
    zip.write_all(program).unwrap();
    let mut file = zip.finish().unwrap();
    file.rewind().unwrap();
    let mut sum = Sha256::new();
    std::io::copy(&mut file_again(&path), &mut sum).unwrap();
    (path, format!("{:x}", sum.finalize()))
}

fn file_again(path: &Path) -> File {
    File::open(path).unwrap()
}

fn archive_name() -> String {
    format!("deno-{}.zip", target(std::env::consts::OS, std::env::consts::ARCH).unwrap())
}

/// A shell script that says it is a Deno; quick to copy, and as good as a real one until it is to run something.
fn pretender(version: &str) -> Vec<u8> {
    format!("#!/bin/sh\necho 'deno {version} (stable, release, test)'\n").into_bytes()
}

/// A mirror with the given releases, the first of them the newest.
async fn mirror(folder: &Path, releases: &[&str]) -> Server {
    let folder = folder.to_owned();
    let newest = format!("v{}\n", releases[0]);
    let files: Vec<(String, PathBuf, String)> = releases
        .iter()
        .map(|version| {
            let place = folder.join(version);
            std::fs::create_dir(&place).unwrap();
            let (path, sum) = archive(&place, &pretender(version));
            (format!("/v{version}/{}", archive_name()), path, sum)
        })
        .collect();
    Server::start(move |asked| {
        if asked.path == "/release-latest.txt" {
            return Reply::Text(200, newest.clone());
        }
        for (path, file, sum) in &files {
            if asked.path == *path {
                return Reply::File(file.clone());
            }
            if asked.path == format!("{path}.sha256sum") {
                return Reply::Text(200, format!("{sum}  {}\n", archive_name()));
            }
        }
        Reply::Text(404, String::new())
    })
    .await
}

fn search(server: &Server, cache: &Path, version: &str) -> Search {
    Search {
        source: DenoSource::default(),
        version: VersionWish::parse(Some(version)).unwrap(),
        download: Some(Source::Mirror { base: server.address.clone() }),
        cache: Some(cache.to_owned()),
        download_limit: LIMIT,
    }
}

fn folders() -> (tempfile::TempDir, tempfile::TempDir) {
    (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap())
}

#[tokio::test]
async fn a_real_deno_is_downloaded_once_by_sixteen_that_start_together() {
    let (files, cache) = folders();
    let real = super::super::version::version_of(&deno()).await.unwrap();
    let (path, sum) = archive(files.path(), &std::fs::read(deno()).unwrap());
    let server = Server::start(move |asked| match asked.path.ends_with(".sha256sum") {
        true => Reply::Text(200, sum.clone()),
        false => Reply::File(path.clone()),
    })
    .await;
    // Each with clients and locks of its own, as processes have them.
    let starts = (0..16).map(|_| {
        let deno = Deno::from(search(&server, cache.path(), &real.to_string()));
        async move { deno.locate().await.unwrap() }
    });
    let found = futures::future::join_all(starts).await;
    let expected = cache.path().join(format!("deno/v{real}")).join(executable());
    assert!(found.iter().all(|program| *program == expected), "{found:?}");
    assert_eq!(super::super::version::version_of(&expected).await.unwrap(), real);
    let archives = server.paths().iter().filter(|path| path.ends_with(".zip")).count();
    assert_eq!(archives, 1);
    let left: Vec<_> =
        std::fs::read_dir(cache.path().join("deno")).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left.len(), 2, "the version and its lock: {left:?}");
}

#[tokio::test]
async fn versions_ranges_and_the_newest() {
    let (files, cache) = folders();
    let server = mirror(files.path(), &["2.9.8", "2.4.0"]).await;
    let base = search(&server, cache.path(), "");
    let locate = |version: &str| {
        let version = VersionWish::parse(Some(version)).unwrap();
        let deno = Deno::from(Search { version, ..base.clone() });
        async move { deno.locate().await.map(|program| program.parent().unwrap().file_name().unwrap().to_owned()) }
    };
    assert_eq!(locate("v2.4.0").await.unwrap(), "v2.4.0");
    assert_eq!(locate("^2.1").await.unwrap(), "v2.4.0", "what is there will do");
    assert_eq!(locate("").await.unwrap(), "v2.4.0");
    assert_eq!(locate("latest").await.unwrap(), "v2.9.8");
    assert_eq!(locate(">=2.5").await.unwrap(), "v2.9.8");
    let asked = server.asked.lock().unwrap().len();
    assert_eq!(locate("latest").await.unwrap(), "v2.9.8");
    assert_eq!(server.asked.lock().unwrap().len(), asked, "the newest is known for a day");
    drop(server);
    assert_eq!(locate("v2.4.0").await.unwrap(), "v2.4.0", "what is there needs no network");
}

#[tokio::test]
async fn what_is_damaged_cut_or_missing_is_not_installed() {
    let (files, cache) = folders();
    let (archive, _) = archive(files.path(), &pretender("2.1.4"));
    let server = Server::start(move |asked| match asked.path.as_str() {
        path if path.ends_with(".sha256sum") => Reply::Text(200, "0".repeat(64)),
        path if path.starts_with("/v2.1.4/") => Reply::File(archive.clone()),
        path if path.starts_with("/v2.1.5/") => Reply::Cut(vec![1; 100]),
        _ => Reply::Text(404, String::new()),
    })
    .await;
    let installer = Installer::new(Source::Mirror { base: server.address.clone() }, Cache::new(cache.path())).unwrap();
    let fails = |version: &str| {
        let wish = VersionWish::parse(Some(version)).unwrap();
        let installer = &installer;
        async move { installer.install(&wish, LIMIT).await.unwrap_err() }
    };
    let damaged = fails("2.1.4").await;
    assert!(matches!(damaged, InstallError::Checksum { .. }));
    assert!(damaged.advice().starts_with("Nothing of it was kept. Try again;"), "it is no matter of the network");
    assert!(matches!(fails("2.1.5").await, InstallError::Unreachable { .. }));
    assert!(matches!(fails("2.1.6").await, InstallError::NotThere { .. }));
    assert!(matches!(fails("latest").await, InstallError::NotThere { .. }));
    assert!(Cache::new(cache.path()).versions().is_empty());
    let left = std::fs::read_dir(cache.path().join("deno")).unwrap().flatten();
    assert!(left.map(|entry| entry.file_name()).all(|name| name.to_string_lossy().ends_with(".lock")));
}

#[tokio::test]
async fn github_names_releases_and_gets_the_token_and_nobody_else_does() {
    let (files, cache) = folders();
    let (archive, sum) = archive(files.path(), &pretender("2.3.1"));
    let address: std::sync::Arc<OnceLock<String>> = std::sync::Arc::default();
    let own = std::sync::Arc::clone(&address);
    let server = Server::start(move |asked| {
        let release = |tag: &str, digest: Option<String>| {
            let url = format!("{}/files/{}", own.get().unwrap(), archive_name());
            json!({ "tag_name": tag, "assets": [
                { "name": archive_name(), "browser_download_url": url, "digest": digest },
                { "name": format!("{}.sha256sum", archive_name()), "browser_download_url": format!("{url}.sha256sum") },
            ] })
        };
        let digest = || Some(format!("sha256:{sum}"));
        let answer = match asked.path.as_str() {
            "/repos/denoland/deno/releases/latest" => release("v2.9.0", digest()),
            "/repos/denoland/deno/releases/tags/v2.3.1" => release("v2.3.1", None),
            path if path.starts_with("/repos/denoland/deno/releases?") => {
                json!([release("v2.9.0", digest()), release("v2.4.0", digest()), release("v2.3.1", digest())])
            }
            path if path.ends_with(".sha256sum") => return Reply::Text(200, sum.clone()),
            path if path.starts_with("/files/") => return Reply::File(archive.clone()),
            _ => return Reply::Text(403, String::new()),
        };
        Reply::Text(200, answer.to_string())
    })
    .await;
    address.set(server.address.clone()).unwrap();
    let source = Source::GitHub { api: server.address.clone(), token: Some("hunter2".into()) };
    let installer = Installer::new(source, Cache::new(cache.path())).unwrap();
    for (wish, version) in [("v2.3.1", "2.3.1"), (">=2.1, <2.5", "2.4.0"), ("latest", "2.9.0")] {
        let installed = installer.install(&VersionWish::parse(Some(wish)).unwrap(), LIMIT).await.unwrap();
        assert_eq!(installed.version, Version::parse(version).unwrap(), "{wish}");
    }
    for asked in server.asked.lock().unwrap().iter() {
        let is_api = asked.path.starts_with("/repos/");
        assert_eq!(asked.authorization.as_deref(), is_api.then_some("Bearer hunter2"), "{}", asked.path);
    }
}

#[tokio::test]
async fn old_versions_go_except_those_in_use_and_the_new_one() {
    let (files, cache) = folders();
    let server = mirror(files.path(), &["2.9.0", "2.8.0", "2.7.0", "2.6.0", "2.1.0", "2.0.0"]).await;
    let installer = Installer::new(Source::Mirror { base: server.address.clone() }, Cache::new(cache.path())).unwrap();
    let mut in_use = Vec::new();
    for version in ["2.0.0", "2.6.0", "2.7.0", "2.8.0", "2.9.0", "2.1.0"] {
        let installed = installer.install(&VersionWish::parse(Some(version)).unwrap(), LIMIT).await.unwrap();
        if version == "2.0.0" {
            in_use.push(installed);
        }
    }
    let versions = || Cache::new(cache.path()).versions().iter().map(Version::to_string).collect::<Vec<_>>();
    assert_eq!(versions(), ["2.9.0", "2.8.0", "2.1.0", "2.0.0"]);
}

#[tokio::test]
async fn what_the_user_is_told() {
    let (files, cache) = folders();
    let server = mirror(files.path(), &["2.9.0"]).await;
    let told = |search: Search| async move {
        let error = Deno::from(search).locate().await.unwrap_err();
        format!("{}: {error}.\n{}", error.summary(), error.advice())
    };
    let base = search(&server, cache.path(), "");
    let program = |name: &str, text: &[u8]| {
        let path = files.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        Some(path.to_str().unwrap().to_owned())
    };
    let at = |configured| DenoSource { configured, ..DenoSource::default() };
    let old = Search { source: at(program("old", &pretender("1.46.3"))), ..base.clone() };
    let other = Search { source: at(program("other", b"#!/bin/sh\necho v22\n")), ..base.clone() };
    let named = DenoSource { variable: program("named", &pretender("2.1.0")).map(Into::into), ..DenoSource::default() };
    let named = Search { source: named, version: VersionWish::parse(Some("^2.5")).unwrap(), ..base.clone() };
    let forbidden = Search { download: None, version: VersionWish::parse(Some("^2.5")).unwrap(), ..base.clone() };
    let newest = Search { version: VersionWish::parse(Some("^3")).unwrap(), ..base.clone() };
    let offline = Search { download: Some(Source::Mirror { base: "http://127.0.0.1:1".into() }), ..base.clone() };
    let mut texts = Vec::new();
    for search in [old, other, named, forbidden, newest, offline] {
        texts.push(told(search).await);
    }
    let text = texts.join("\n\n").replace(files.path().to_str().unwrap(), "DIR").replace(&server.address, "SERVER");
    insta::assert_snapshot!(text, @r#"
    Deno is too old: DIR/old is Deno 1.46.3. Scripts need 2.0.0 or newer, since the contract's libraries are written for Deno 2, and older ones know neither its lock files nor `jsr:` workspaces.
    Run `deno upgrade`, or leave the path out to have a newer one downloaded.

    A program that is no Deno: `deno_binary_path` names "DIR/other", which is no Deno: `--version` said "v22".
    `deno_binary_path` must lead to the executable of Deno itself, such as /usr/local/bin/deno, not to a folder, an archive or another program. Correct it, or leave it out to use the "deno" that is on PATH, or else a downloaded one.

    Deno has another version: `deno_version` asks for ^2.5, and DIR/named (from the environment variable DENOBRIDGE_DENO) is Deno 2.1.0.
    Change `deno_version`, or unset DENOBRIDGE_DENO.

    Deno has another version: no Deno on this machine is ^2.5, and `deno_download` is false.
    Install that version of Deno and put it on PATH, set `deno_binary_path` to where it is, or allow the download with `deno_download = true`.

    Deno could not be downloaded: no Deno on this machine is ^3, and it could not be downloaded: the mirror's newest release is 2.9.0, which does not fit "^3", and a mirror cannot list others: name an exact version.
    Change `deno_version`, or install such a version of Deno and put it on PATH.

    Deno could not be downloaded: no Deno on this machine is 2.0.0 or newer, and it could not be downloaded: http://127.0.0.1:1/release-latest.txt cannot be reached: client error (Connect): tcp connect error: Connection refused (os error 111).
    Without a network: install that version of Deno and put it on PATH, or set `deno_binary_path` or the environment variable DENOBRIDGE_DENO to where it is. Behind a firewall: set `deno_mirror` to a copy of Deno's releases, or HTTPS_PROXY to a proxy. A version that was downloaded once is kept and needs no network again.
    "#);
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_is_named() {
    let (files, cache) = folders();
    let server = mirror(files.path(), &["2.9.0"]).await;
    let blocked = cache.path().join("file");
    std::fs::write(&blocked, "").unwrap();
    let error = Deno::from(search(&server, &blocked, "")).locate().await.unwrap_err();
    assert!(matches!(&error, FindError::NotInstalled { reason, .. } if reason.contains("file/deno")), "{error}");
}
