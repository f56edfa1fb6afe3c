//! A user's machine: a home folder, variables and a configuration file of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use denobridge_registry::{Environment, InstallError, InstalledProvider, Installer, PackageHash, Requirement};
use denobridge_registry_testing::{Authority, Registry};
use tempfile::TempDir;

pub struct Machine {
    pub home: TempDir,
    pub variables: BTreeMap<String, String>,
}

impl Machine {
    /// One that trusts an authority.
    pub fn new(authority: &Authority) -> Self {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("ca.pem"), authority.certificate()).unwrap();
        let mut machine = Self { home, variables: BTreeMap::new() };
        machine.set("HOME", machine.path("").to_str().unwrap());
        machine.set("SSL_CERT_FILE", machine.path("ca.pem").to_str().unwrap());
        machine.set("XDG_DATA_DIRS", machine.path("share").to_str().unwrap());
        // Repetitions pause for half a second at first.
        machine.set("TF_REGISTRY_DISCOVERY_RETRY", "1").set("TF_PROVIDER_DOWNLOAD_RETRY", "1");
        machine
    }

    pub fn set(&mut self, name: &str, value: &str) -> &mut Self {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    /// The CLI configuration.
    pub fn configure(&self, text: &str) -> &Self {
        fs::write(self.path(".terraformrc"), text).unwrap();
        self
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub fn environment(&self) -> Environment {
        Environment::new(self.variables.clone(), self.home.path())
    }

    pub async fn installs(&self, requirement: &Requirement) -> Result<InstalledProvider, InstallError> {
        Installer::from_environment(&self.environment())?.install(requirement).await
    }

    pub async fn install(&self, address: &str, version: &str) -> Result<InstalledProvider, InstallError> {
        self.installs(&Requirement::parse(address, version)?).await
    }

    pub async fn install_recorded(
        &self,
        address: &str,
        version: &str,
        recorded: &[PackageHash],
    ) -> Result<InstalledProvider, InstallError> {
        let recorded = recorded.to_vec();
        self.installs(&Requirement { recorded, ..Requirement::parse(address, version)? }).await
    }

    pub async fn install_offline(&self, address: &str, version: &str) -> Result<InstalledProvider, InstallError> {
        self.installs(&Requirement { offline: true, ..Requirement::parse(address, version)? }).await
    }

    /// What a user is told when it does not work, without what differs from run to run.
    pub async fn told(&self, address: &str, version: &str) -> String {
        match self.install(address, version).await {
            Ok(installed) => format!("installed {}; {}", installed.version, self.tidy(&installed.warnings.join("; "))),
            Err(error) => self.tidy(&error.report()),
        }
    }

    pub fn tidy(&self, text: &str) -> String {
        let text = text.replace(self.home.path().to_str().unwrap(), "HOME");
        let patterns = [
            (r"localhost:\d+", "HOST"),
            (r"\b[0-9a-f]{64}\b", "SUM"),
            (r"h1:[0-9A-Za-z+/=]{44}", "h1:SUM"),
            (r"\b[0-9A-F]{16}\b", "KEY"),
            (r"(linux|darwin|windows)_(amd64|arm64)", "PLATFORM"),
        ];
        patterns.iter().fold(text, |text, (pattern, name)| {
            regex::Regex::new(pattern).unwrap().replace_all(&text, *name).into_owned()
        })
    }

    /// The cache's folder for a version.
    pub fn cached(&self, address: &str, version: &str) -> PathBuf {
        self.path(".pulumi/dynamic_tf_plugins").join(address).join(version)
    }

    /// The names in a folder, in order.
    pub fn names(&self, folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut names: Vec<_> = entries.map(|entry| self.tidy(&entry.file_name().to_string_lossy())).collect();
        names.sort();
        names
    }
}

/// An authority, a registry that it vouches for, and a machine that trusts it.
pub async fn world() -> (Authority, Registry, Machine) {
    let authority = Authority::new();
    let registry = Registry::start(&authority).await;
    let machine = Machine::new(&authority);
    (authority, registry, machine)
}
