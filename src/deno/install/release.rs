//! Finds out which release of Deno to download, from where, and what its checksum must be.

use super::super::version::{MINIMUM, VersionWish};
use super::{InstallError, Source};
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderValue, USER_AGENT};
use reqwest::{Client, StatusCode};
use semver::Version;
use serde::Deserialize;

/// Releases asked for at a time: the most that GitHub gives.
const PAGE: usize = 100;
/// How many pages to look through for a range. Deno 2.0 was some fifty releases ago.
const PAGES: usize = 5;
/// An answer that names releases is a few megabytes at most.
const LONGEST_ANSWER: usize = 32 << 20;

/// A release of Deno for this platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Release {
    pub(super) version: Version,
    pub(super) archive: String,
    pub(super) checksum: Checksum,
}

/// Where the archive's SHA-256 is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Checksum {
    /// In the release's description.
    Known(String),
    /// In a file of its own beside the archive.
    File(String),
}

/// The part of GitHub's description of a release that counts.
#[derive(Debug, Deserialize)]
struct Described {
    tag_name: String,
    #[serde(default)]
    draft: bool,
    #[serde(default)]
    prerelease: bool,
    #[serde(default)]
    assets: Vec<Asset>,
}

#[derive(Debug, Deserialize)]
struct Asset {
    name: String,
    browser_download_url: String,
    /// `sha256:` and the sum in hexadecimal digits; older releases have none.
    digest: Option<String>,
}

/// Asks where releases come from.
pub(super) struct Releases<'a> {
    pub(super) client: &'a Client,
    pub(super) source: &'a Source,
    /// The target in archive names.
    pub(super) target: &'static str,
}

impl Releases<'_> {
    /// The release to download for a wish.
    pub(super) async fn find(&self, wish: &VersionWish) -> Result<Release, InstallError> {
        match (self.source, wish.exact()) {
            (Source::Mirror { base }, Some(version)) => Ok(self.mirrored(base, version)),
            (Source::Mirror { base }, None) => self.newest_mirrored(base, wish).await,
            (Source::GitHub { .. }, Some(version)) => {
                let described: Described = self.ask(&format!("tags/v{version}")).await?;
                self.described(&described)
            }
            (Source::GitHub { .. }, None) => self.newest_described(wish).await,
        }
    }

    async fn newest_described(&self, wish: &VersionWish) -> Result<Release, InstallError> {
        let latest: Described = self.ask("latest").await?;
        if version_of_tag(&latest.tag_name).is_some_and(|version| wish.accepts(&version)) {
            return self.described(&latest);
        }
        for page in 1..=PAGES {
            let releases: Vec<Described> = self.ask(&format!("?per_page={PAGE}&page={page}")).await?;
            let fits = |release: &&Described| {
                let version = version_of_tag(&release.tag_name);
                !release.draft && version.is_some_and(|version| version >= MINIMUM && wish.accepts(&version))
            };
            // A release candidate only when no other fits: a range does not mean one unless it names one.
            let newest = releases
                .iter()
                .filter(fits)
                .max_by_key(|release| (!release.prerelease, version_of_tag(&release.tag_name)));
            if let Some(newest) = newest {
                return self.described(newest);
            }
            if releases.len() < PAGE {
                break;
            }
        }
        Err(InstallError::NoSuchRelease { wish: wish.to_string() })
    }

    fn described(&self, release: &Described) -> Result<Release, InstallError> {
        let unusable = |reason: String| InstallError::Unusable { tag: release.tag_name.clone(), reason };
        let version = version_of_tag(&release.tag_name).ok_or_else(|| unusable("its tag is no version".to_owned()))?;
        let asset = |name: &str| release.assets.iter().find(|asset| asset.name == name);
        let name = self.archive();
        let archive = asset(&name).ok_or_else(|| unusable(format!("it has no {name}")))?;
        let digest = archive.digest.as_deref().and_then(|digest| digest.strip_prefix("sha256:"));
        let checksum = match (digest, asset(&format!("{name}.sha256sum"))) {
            (Some(digest), _) => Checksum::Known(digest.to_ascii_lowercase()),
            (None, Some(file)) => Checksum::File(file.browser_download_url.clone()),
            (None, None) => return Err(unusable(format!("no checksum of {name} is published"))),
        };
        Ok(Release { version, archive: archive.browser_download_url.clone(), checksum })
    }

    fn mirrored(&self, base: &str, version: Version) -> Release {
        let archive = format!("{}/v{version}/{}", base.trim_end_matches('/'), self.archive());
        Release { version, checksum: Checksum::File(format!("{archive}.sha256sum")), archive }
    }

    /// A mirror is files without a list of them: all that it can tell is its newest release.
    async fn newest_mirrored(&self, base: &str, wish: &VersionWish) -> Result<Release, InstallError> {
        let address = format!("{}/release-latest.txt", base.trim_end_matches('/'));
        let tag = text(self.client, &address, HeaderMap::new()).await?;
        let newest = version_of_tag(tag.trim())
            .ok_or_else(|| InstallError::Answer { address, reason: "it is not the tag of a release".to_owned() })?;
        if wish.accepts(&newest) {
            Ok(self.mirrored(base, newest))
        } else {
            Err(InstallError::NotNewest { wish: wish.to_string(), newest })
        }
    }

    fn archive(&self) -> String {
        format!("deno-{}.zip", self.target)
    }

    async fn ask<T: for<'de> Deserialize<'de>>(&self, what: &str) -> Result<T, InstallError> {
        let Source::GitHub { api, token } = self.source else {
            return Err(InstallError::NoSuchRelease { wish: what.to_owned() });
        };
        let separator = if what.starts_with('?') { "" } else { "/" };
        let address = format!("{}/repos/denoland/deno/releases{separator}{what}", api.trim_end_matches('/'));
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/vnd.github+json"));
        // Only to the API: what it names may be anywhere.
        if let Some(token) = token
            && let Ok(mut value) = HeaderValue::from_str(&format!("Bearer {token}"))
        {
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        let text = text(self.client, &address, headers).await?;
        serde_json::from_str(&text).map_err(|error| InstallError::Answer { address, reason: error.to_string() })
    }
}

/// A short text from an address.
pub(super) async fn text(client: &Client, address: &str, headers: HeaderMap) -> Result<String, InstallError> {
    let mut response = get(client, address, headers).await?;
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| InstallError::unreachable(address, &error))? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > LONGEST_ANSWER {
            let reason = format!("it is longer than {LONGEST_ANSWER} bytes");
            return Err(InstallError::Answer { address: address.to_owned(), reason });
        }
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A successful answer from an address.
pub(super) async fn get(client: &Client, address: &str, headers: HeaderMap) -> Result<reqwest::Response, InstallError> {
    let request = client.get(address).header(USER_AGENT, concat!("denobridge/", env!("CARGO_PKG_VERSION")));
    let response = request.headers(headers).send().await.map_err(|error| InstallError::unreachable(address, &error))?;
    match response.status() {
        status if status.is_success() => Ok(response),
        StatusCode::NOT_FOUND => Err(InstallError::NotThere { address: address.to_owned() }),
        status => {
            let limited = response.headers().get("x-ratelimit-remaining").is_some_and(|left| left == "0");
            Err(InstallError::Status { address: address.to_owned(), status: status.as_u16(), limited })
        }
    }
}

fn version_of_tag(tag: &str) -> Option<Version> {
    Version::parse(tag.strip_prefix('v').unwrap_or(tag)).ok()
}

/// The sum in a published checksum file: the first word of 64 hexadecimal digits. Deno's files for Unix are those of
/// `sha256sum`, those for Windows what PowerShell's `Get-FileHash` prints.
pub(super) fn sum_in(text: &str) -> Option<String> {
    text.split(|character: char| !character.is_ascii_alphanumeric())
        .find(|word| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit()))
        .map(str::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_both_kinds_of_files() {
        let sum = "0123456789abcdef".repeat(4);
        assert_eq!(sum_in(&format!("{sum}  deno-x86_64-unknown-linux-gnu.zip\n")), Some(sum.clone()));
        let upper = sum.to_ascii_uppercase();
        assert_eq!(
            sum_in(&format!("Algorithm : SHA256\r\nHash      : {upper}\r\nPath      : D:\\a.zip\r\n")),
            Some(sum)
        );
        assert_eq!(sum_in("<html>not found</html>"), None);
    }
}
