//! Packages that come from elsewhere: a script by its URL, or a `denobridge.json` and the scripts that it names.
//!
//! What an SDK was made of is pinned: the manifest by its digest, and every module that the scripts load, wherever it is, by
//! a lock file of Deno's that the SDK keeps. Other code is an error, never run.
//!
//! ```text
//! CACHE/packages/SHA256/deno.json     tells Deno of the lock, and that it may not change
//! CACHE/packages/SHA256/deno.lock
//! ```

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use denobridge_core::Call;
use reqwest::Url;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::collect::Collector;
use super::folder::{Assembly, FolderError, MANIFEST, Manifest, Opened, Wishes, is_pattern};
use super::parameter::Pin;
use crate::deno::{Deno, causes};
use crate::files::{hexadecimal, write_aside};

/// The largest manifest that is read, in bytes.
const LARGEST_MANIFEST: usize = 1 << 20;

/// How long it may take to get a manifest.
const FETCH_LIMIT: Duration = Duration::from_secs(60);

/// What is needed to read a package from elsewhere.
pub(super) struct Remote<'a> {
    /// Asks the scripts.
    pub collector: &'a Collector,
    /// Makes the lock.
    pub deno: &'a Deno,
    /// Where locks are put for Deno to read.
    pub cache: &'a Path,
}

/// What a URL comes to before any code was loaded.
struct Named {
    manifest: Manifest,
    /// Of the manifest, where there is one.
    digest: Option<String>,
    /// What names it where it has no name of its own.
    stem: String,
    /// The addresses of the scripts, with what they are called in the package.
    scripts: Vec<(String, String)>,
}

impl Remote<'_> {
    /// Reads the package at a URL. With a `pin` it must be what that was made of.
    ///
    /// # Errors
    /// It is not there, is no package, or is not what it was.
    pub(super) async fn open(
        &self,
        call: &Call,
        url: &str,
        wishes: &Wishes,
        pin: Option<&Pin>,
    ) -> Result<(Opened, Pin), FolderError> {
        let named = named(url).await?;
        if let Some(pin) = pin
            && pin.manifest != named.digest
        {
            return Err(elsewhere(url, "it is not what the SDK was made of, so nothing of it is run"));
        }
        let addresses: Vec<String> = named.scripts.iter().map(|(_, address)| address.clone()).collect();
        let lock = match pin {
            Some(pin) => pin.lock.clone(),
            None => self.lock(url, &addresses).await?,
        };
        let config_file = self.configuration(&lock).map_err(|error| elsewhere(url, &error.to_string()))?;
        let mut collected = self
            .collector
            .collect_remote(call, Some(&config_file), &addresses)
            .await
            .map_err(|error| FolderError::Unasked { reason: error.to_string() })?;
        for (script, (file, _)) in collected.iter_mut().zip(&named.scripts) {
            script.file.clone_from(file);
        }
        let all = named.scripts.iter().map(|(file, _)| file.clone()).collect();
        let locations = named.scripts.into_iter().collect();
        let pin = Pin { manifest: named.digest, lock };
        let config_file = Some(config_file.display().to_string());
        let assembly =
            Assembly { place: url, manifest: named.manifest, stem: &named.stem, locations, config_file, named: all };
        Ok((assembly.package(call, collected, wishes)?, pin))
    }

    /// A lock over all that the scripts load.
    async fn lock(&self, url: &str, addresses: &[String]) -> Result<String, FolderError> {
        let failed = |reason: &str| elsewhere(url, reason);
        let deno = self.deno.locate().await.map_err(|error| failed(&error.to_string()))?;
        let folder = tempfile::tempdir().map_err(|error| failed(&error.to_string()))?;
        let lock = folder.path().join("deno.lock");
        let mut command = tokio::process::Command::new(deno);
        command.args(["cache", "--quiet", "--no-config", "--frozen=false", "--lock"]).arg(&lock).args(addresses);
        command.current_dir(folder.path()).stdin(Stdio::null()).kill_on_drop(true);
        // What Deno says is for people, and who asked for backtraces did not mean Deno's own.
        command.env("NO_COLOR", "1").env("RUST_BACKTRACE", "0");
        let output = command.output().await.map_err(|error| failed(&format!("Deno does not start: {error}")))?;
        if !output.status.success() {
            return Err(failed(String::from_utf8_lossy(&output.stderr).trim()));
        }
        // Deno writes none where there is nothing to lock.
        Ok(std::fs::read_to_string(&lock).unwrap_or_else(|_| json!({ "version": "5" }).to_string()))
    }

    /// A configuration of Deno's that holds it to the lock.
    fn configuration(&self, lock: &str) -> std::io::Result<PathBuf> {
        let folder = self.cache.join("packages").join(digest(lock.as_bytes()));
        let config = json!({ "lock": { "path": "./deno.lock", "frozen": true } }).to_string();
        std::fs::create_dir_all(&folder)?;
        for (name, text) in [("deno.lock", lock), ("deno.json", &config)] {
            let path = folder.join(name);
            if std::fs::read_to_string(&path).is_ok_and(|present| present == text) {
                continue;
            }
            write_aside(&path, text.as_bytes())?;
        }
        Ok(folder.join("deno.json"))
    }
}

/// What the URL names.
async fn named(url: &str) -> Result<Named, FolderError> {
    let parsed = Url::parse(url).map_err(|error| elsewhere(url, &error.to_string()))?;
    let path = parsed.path().trim_end_matches('/');
    let last = path.rsplit('/').next().unwrap_or(path).to_owned();
    if last != MANIFEST {
        // The name of `@acme/infra@1.2.0` is infra, that of `bucket.ts` is bucket.
        let stem = last.split(['@', '.']).next().unwrap_or_default().to_owned();
        let scripts = vec![(last, url.to_owned())];
        return Ok(Named { manifest: Manifest::default(), digest: None, stem, scripts });
    }
    let text = fetch(&parsed).await.map_err(|reason| elsewhere(url, &reason))?;
    let manifest = Manifest::parse(url, &text)?;
    let mut scripts = Vec::new();
    for name in manifest.scripts.as_deref().unwrap_or_default() {
        let plain = name.strip_prefix("./").unwrap_or(name);
        let inside = !plain.starts_with('/') && !plain.split('/').any(|part| part == "..") && !plain.contains("://");
        let address = parsed.join(plain).ok().filter(|_| inside && !is_pattern(plain));
        let address = address.ok_or_else(|| {
            let problem =
                format!("{name:?} is not the name of a file beside it: patterns need a folder on this machine");
            FolderError::Manifest { place: url.to_owned(), member: Some("scripts".to_owned()), problem }
        })?;
        scripts.push((plain.to_owned(), address.to_string()));
    }
    if scripts.is_empty() {
        let problem = "must name the scripts: a folder that is elsewhere cannot be listed".to_owned();
        return Err(FolderError::Manifest { place: url.to_owned(), member: Some("scripts".to_owned()), problem });
    }
    let stem = path.rsplit('/').nth(1).unwrap_or_default().to_owned();
    Ok(Named { manifest, digest: Some(digest(text.as_bytes())), stem, scripts })
}

async fn fetch(url: &Url) -> Result<String, String> {
    let client = reqwest::Client::builder().timeout(FETCH_LIMIT).build().map_err(|error| error.to_string())?;
    let answer = client.get(url.clone()).send().await.and_then(reqwest::Response::error_for_status);
    let mut answer = answer.map_err(|error| causes(&error))?;
    let mut text = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|error| causes(&error))? {
        text.extend_from_slice(&chunk);
        if text.len() > LARGEST_MANIFEST {
            return Err(format!("it is larger than {LARGEST_MANIFEST} bytes"));
        }
    }
    String::from_utf8(text).map_err(|_| "it is no text".to_owned())
}

fn elsewhere(url: &str, reason: &str) -> FolderError {
    FolderError::Elsewhere { url: url.to_owned(), reason: reason.to_owned() }
}

fn digest(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}
