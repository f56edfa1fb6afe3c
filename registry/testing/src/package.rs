//! Archives of providers.

use std::io::{Cursor, Write as _};
use std::path::Path;

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A version of a provider, for this platform unless another is named.
#[derive(Clone, Debug)]
pub struct Package {
    pub(crate) namespace: String,
    pub(crate) provider_type: String,
    pub(crate) version: String,
    pub(crate) platforms: Vec<String>,
    pub(crate) protocols: Vec<String>,
    files: Vec<(String, Vec<u8>)>,
}

/// This platform, as registries name it.
#[must_use]
pub fn platform() -> String {
    let system = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{system}_{architecture}")
}

#[expect(clippy::unwrap_used, reason = "a test that cannot make archives cannot run")]
impl Package {
    /// A provider whose executable is a script that says its version.
    ///
    /// # Panics
    /// The name is not `NAMESPACE/TYPE`.
    #[must_use]
    pub fn new(name: &str, version: &str) -> Self {
        let (namespace, provider_type) = name.split_once('/').unwrap();
        Self {
            namespace: namespace.to_owned(),
            provider_type: provider_type.to_owned(),
            version: version.to_owned(),
            platforms: vec![platform()],
            protocols: vec!["5.0".to_owned()],
            files: Vec::new(),
        }
        .executable(format!("#!/bin/sh\necho {version}\n").as_bytes())
    }

    /// The same with another executable, for example a provider that was built.
    #[must_use]
    pub fn executable(mut self, content: &[u8]) -> Self {
        let name = format!("terraform-provider-{}_v{}", self.provider_type, self.version);
        self.files.retain(|(known, _)| *known != name);
        self.file(&name, content)
    }

    /// The same with the executable of a file.
    ///
    /// # Panics
    /// The file cannot be read.
    #[must_use]
    pub fn executable_from(self, path: &Path) -> Self {
        let content = std::fs::read(path).unwrap();
        self.executable(&content)
    }

    /// The same with a further file.
    #[must_use]
    pub fn file(mut self, name: &str, content: &[u8]) -> Self {
        self.files.push((name.to_owned(), content.to_vec()));
        self
    }

    /// The same without any file.
    #[must_use]
    pub fn without_files(mut self) -> Self {
        self.files.clear();
        self
    }

    /// The same for other platforms. The archives are the same but for their names.
    #[must_use]
    pub fn for_platforms(mut self, platforms: &[&str]) -> Self {
        self.platforms = platforms.iter().map(|platform| (*platform).to_owned()).collect();
        self
    }

    /// The same with other versions of the plugin protocol.
    #[must_use]
    pub fn speaking(mut self, protocols: &[&str]) -> Self {
        self.protocols = protocols.iter().map(|protocol| (*protocol).to_owned()).collect();
        self
    }

    /// The name of its archive.
    #[must_use]
    pub fn archive_name(&self, platform: &str) -> String {
        format!("terraform-provider-{}_{}_{platform}.zip", self.provider_type, self.version)
    }

    /// Its archive.
    #[must_use]
    pub fn archive(&self) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in &self.files {
            let mode = if name.starts_with("terraform-provider-") { 0o755 } else { 0o644 };
            writer.start_file(name, SimpleFileOptions::default().unix_permissions(mode)).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }
}
