//! One installation: find the release, download, verify, unpack aside, rename.

use super::super::version::VersionWish;
use super::cache::{Cache, InUse};
use super::platform::{self, executable};
use super::release::{Checksum, Release, Releases, get, sum_in, text};
use super::{InstallError, Source};
use reqwest::Client;
use reqwest::header::HeaderMap;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// How long to wait for a connection; what comes after is bounded by the installation's own limit.
const CONNECT: Duration = Duration::from_secs(20);

/// Installs releases of Deno.
pub struct Installer {
    client: Client,
    source: Source,
    cache: Cache,
    target: &'static str,
}

impl Installer {
    /// An installer for this platform.
    ///
    /// # Errors
    /// Deno has no releases for it, or TLS cannot be set up.
    pub fn new(source: Source, cache: Cache) -> Result<Self, InstallError> {
        let (system, architecture) = (std::env::consts::OS, std::env::consts::ARCH);
        let target = platform::target(system, architecture)
            .ok_or_else(|| InstallError::Platform(format!("{system} on {architecture}")))?;
        let client = Client::builder().connect_timeout(CONNECT).build();
        let client = client.map_err(|error| InstallError::unreachable("the network", &error))?;
        Ok(Self { client, source, cache, target })
    }

    /// A version that fits the wish: installed already, or from now on.
    ///
    /// # Errors
    /// It cannot be found, downloaded, verified or unpacked, or takes longer than `limit`.
    pub async fn install(&self, wish: &VersionWish, limit: Duration) -> Result<InUse, InstallError> {
        let install = self.find_and_install(wish);
        tokio::time::timeout(limit, install).await.unwrap_or(Err(InstallError::TimedOut { limit }))
    }

    async fn find_and_install(&self, wish: &VersionWish) -> Result<InUse, InstallError> {
        if matches!(wish, VersionWish::Latest)
            && let Some(latest) = self.cache.known_latest()
            && let Some(installed) = self.cache.take(&latest)
        {
            return Ok(installed);
        }
        let release = Releases { client: &self.client, source: &self.source, target: self.target }.find(wish).await?;
        loop {
            if let Some(installed) = self.cache.take(&release.version) {
                return Ok(self.remembered(wish, installed));
            }
            let lock = self.cache.lock(&release.version).await?;
            // Whoever had the lock before may have installed it.
            if !self.cache.versions().contains(&release.version) {
                self.download(&release).await?;
                self.cache.tidy(&release.version);
            }
            drop(lock);
        }
    }

    fn remembered(&self, wish: &VersionWish, installed: InUse) -> InUse {
        if matches!(wish, VersionWish::Latest) {
            self.cache.remember_latest(&installed.version);
        }
        installed
    }

    async fn download(&self, release: &Release) -> Result<(), InstallError> {
        let expected = match &release.checksum {
            Checksum::Known(sum) => sum.clone(),
            Checksum::File(address) => {
                let text = text(&self.client, address, HeaderMap::new()).await?;
                let reason = "it has no SHA-256 in it".to_owned();
                sum_in(&text).ok_or_else(|| InstallError::Answer { address: address.clone(), reason })?
            }
        };
        let aside = self.cache.aside()?;
        let archive = aside.path().join("archive.zip");
        let found = self.save(&release.archive, &archive).await?;
        if found != expected {
            return Err(InstallError::Checksum { address: release.archive.clone(), expected, found });
        }
        let unpacked = aside.path().join("unpacked");
        let (address, place) = (release.archive.clone(), self.cache.version_folder(&release.version));
        let work = move || {
            unpack(&archive, &unpacked, &address)?;
            put_in_place(&unpacked, &place)
        };
        let outcome = tokio::task::spawn_blocking(work).await;
        outcome.map_err(|error| InstallError::io(self.cache.folder())(io::Error::other(error)))?
    }

    /// Saves what is at an address, and returns its SHA-256.
    async fn save(&self, address: &str, path: &Path) -> Result<String, InstallError> {
        let mut response = get(&self.client, address, HeaderMap::new()).await?;
        let mut file = File::create(path).map_err(InstallError::io(path))?;
        let mut sum = Sha256::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| InstallError::unreachable(address, &error))? {
            sum.update(&chunk);
            file.write_all(&chunk).map_err(InstallError::io(path))?;
        }
        Ok(format!("{:x}", sum.finalize()))
    }
}

/// Unpacks the executable, which is all that is in Deno's archives.
fn unpack(archive: &Path, folder: &Path, address: &str) -> Result<(), InstallError> {
    let unusable =
        |error: zip::result::ZipError| InstallError::Archive { address: address.to_owned(), reason: error.to_string() };
    let mut archive =
        zip::ZipArchive::new(File::open(archive).map_err(InstallError::io(archive))?).map_err(unusable)?;
    let mut packed = archive.by_name(&executable()).map_err(unusable)?;
    let path = folder.join(executable());
    fs::create_dir(folder).map_err(InstallError::io(folder))?;
    let mut file = File::create(&path).map_err(InstallError::io(&path))?;
    io::copy(&mut packed, &mut file).map_err(InstallError::io(&path))?;
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        file.set_permissions(mode).map_err(InstallError::io(&path))?;
    }
    // Before the rename, so that a machine that goes down has all of it or nothing.
    file.sync_all().map_err(InstallError::io(&path))
}

fn put_in_place(unpacked: &Path, place: &Path) -> Result<(), InstallError> {
    if place.exists() {
        // Without its executable, or we would not be here.
        fs::remove_dir_all(place).map_err(InstallError::io(place))?;
    }
    fs::rename(unpacked, place).map_err(InstallError::io(place))
}
