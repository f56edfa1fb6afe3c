//! Files and folders as registries want them.

use std::path::{Path, PathBuf};

use denobridge_registry::Platform;
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};

use super::BuildError;
use super::archive::{self, Content, Entry};
use super::target::Target;
use crate::files::{copy_aside, hexadecimal};
use crate::typed::Release;

/// The version of Terraform's protocol that the provider needs of its host.
const TERRAFORM_PROTOCOL: &str = "6.0";

/// A release, before it is written.
pub(super) struct Layout<'a> {
    /// What it is.
    pub release: &'a Release,
    /// The programs.
    pub targets: &'a [Target],
    /// The scripts, as they are beside each program.
    pub scripts: Vec<Entry>,
}

impl Layout<'_> {
    fn name(&self) -> &str {
        &self.release.package.name
    }

    fn version(&self) -> &str {
        &self.release.package.version
    }

    /// The files of a release as Terraform's registry reads them.
    pub(super) fn terraform(&self, folder: &Path, sign: Option<&str>) -> Result<Vec<PathBuf>, BuildError> {
        let named = |ending: &str| folder.join(format!("{}_{ending}", self.beginning()));
        let mut files = Vec::new();
        for target in self.targets {
            let file = folder.join(self.zip_name(target));
            archive::zip(&file, &self.entries(target, &self.terraform_program(target))).map_err(writing(&file))?;
            files.push(file);
        }
        let manifest = named("manifest.json");
        let protocols = serde_json::json!({ "version": 1, "metadata": { "protocol_versions": [TERRAFORM_PROTOCOL] } });
        std::fs::write(&manifest, format!("{protocols:#}\n")).map_err(writing(&manifest))?;
        files.push(manifest);
        files.push(sums(&named("SHA256SUMS"), &files)?);
        if let (Some(command), Some(sums)) = (sign, files.last()) {
            files.push(signature(command, sums)?);
        }
        Ok(files)
    }

    /// The provider in a folder that Terraform takes providers from: the zips of the release, which `terraform` has made in
    /// its folder.
    pub(super) fn mirror(&self, folder: &Path, release: &Path) -> Result<Vec<PathBuf>, BuildError> {
        let folder = folder.join(&self.release.address);
        std::fs::create_dir_all(&folder).map_err(writing(&folder))?;
        let mut files = Vec::new();
        for target in self.targets {
            let name = self.zip_name(target);
            let file = folder.join(&name);
            // A mirror has what is newest, and somebody may be reading what was there before.
            copy_aside(&release.join(&name), &file).map_err(writing(&file))?;
            files.push(file);
        }
        Ok(files)
    }

    /// The plugin as Pulumi downloads it, and the schema that SDKs are made of.
    pub(super) fn pulumi(&self, folder: &Path, schema: &Json) -> Result<Vec<PathBuf>, BuildError> {
        let program = format!("pulumi-resource-{}", self.name());
        let mut files = Vec::new();
        for target in self.targets {
            let Platform { system, architecture } = &target.platform;
            let file = folder.join(format!("{program}-v{}-{system}-{architecture}.tar.gz", self.version()));
            let entries = self.entries(target, &format!("{program}{}", target.suffix()));
            archive::tar_gz(&file, &entries).map_err(writing(&file))?;
            files.push(file);
        }
        let file = folder.join("schema.json");
        std::fs::write(&file, format!("{schema:#}\n")).map_err(writing(&file))?;
        files.push(file);
        files.push(sums(&folder.join("SHA256SUMS"), &files)?);
        Ok(files)
    }

    fn beginning(&self) -> String {
        format!("terraform-provider-{}_{}", self.name(), self.version())
    }

    fn zip_name(&self, target: &Target) -> String {
        format!("{}_{}.zip", self.beginning(), target.platform)
    }

    fn terraform_program(&self, target: &Target) -> String {
        format!("terraform-provider-{}_v{}{}", self.name(), self.version(), target.suffix())
    }

    /// The program, what says what it serves, and the scripts.
    fn entries(&self, target: &Target, program: &str) -> Vec<Entry> {
        // Strings, and maps of them, always have a JSON form.
        let release = serde_json::to_vec_pretty(self.release).unwrap_or_default();
        let mut entries = vec![
            Entry { name: program.to_owned(), content: Content::File(target.program.clone()), is_program: true },
            Entry { name: Release::file_name(self.name()), content: Content::Bytes(release), is_program: false },
        ];
        entries.extend(self.scripts.iter().cloned());
        entries
    }
}

fn writing(path: &Path) -> impl FnOnce(std::io::Error) -> BuildError {
    let path = path.to_owned();
    move |reason| BuildError::Write { path, reason }
}

/// Writes the sums of files, as `sha256sum --check` reads them.
fn sums(file: &Path, files: &[PathBuf]) -> Result<PathBuf, BuildError> {
    let mut text = String::new();
    for summed in files {
        let content = std::fs::read(summed).map_err(writing(summed))?;
        let name = summed.file_name().unwrap_or_default().to_string_lossy();
        text += &format!("{}  {name}\n", hexadecimal(&Sha256::digest(&content)));
    }
    std::fs::write(file, text).map_err(writing(file))?;
    Ok(file.to_owned())
}

/// Has the sums signed.
fn signature(command: &str, sums: &Path) -> Result<PathBuf, BuildError> {
    let failed = |reason: String| BuildError::Sign(format!("`{command}` {reason}"));
    let mut words = command.split_whitespace();
    let program = words.next().ok_or_else(|| failed("is empty".to_owned()))?;
    let status = std::process::Command::new(program).args(words).arg(sums).status();
    let status = status.map_err(|error| failed(format!("does not start: {error}")))?;
    if !status.success() {
        return Err(failed(format!("ended with {status}")));
    }
    let signature = PathBuf::from(format!("{}.sig", sums.display()));
    match signature.is_file() {
        true => Ok(signature),
        false => Err(failed(format!("has left no {}", signature.display()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typed::ScriptPackage;

    /// Compressing a program takes most of the time of a build.
    #[test]
    fn a_mirror_has_the_zips_of_the_release() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        std::fs::write(path("program"), "program").unwrap();
        let package = ScriptPackage {
            name: "infra".to_owned(),
            version: "1.2.0".to_owned(),
            description: None,
            config: None,
            config_file: None,
            scripts: Vec::new(),
        };
        let release = Release::new("example.com/acme/infra".to_owned(), Default::default(), package);
        let targets = ["linux_amd64", "windows_arm64"]
            .map(|platform| Target { platform: Platform::parse(platform).unwrap(), program: path("program") });
        let layout = Layout { release: &release, targets: &targets, scripts: Vec::new() };
        let made = layout.terraform(&path("terraform"), None).unwrap();
        // Nothing can be made of it once more.
        std::fs::remove_file(path("program")).unwrap();
        for _ in 0..2 {
            let mirrored = layout.mirror(&path("mirror"), &path("terraform")).unwrap();
            assert_eq!(mirrored.len(), 2);
            for (mirrored, made) in mirrored.iter().zip(&made) {
                assert!(mirrored.starts_with(path("mirror/example.com/acme/infra")), "{}", mirrored.display());
                assert_eq!(mirrored.file_name(), made.file_name());
                assert_eq!(std::fs::read(mirrored).unwrap(), std::fs::read(made).unwrap());
            }
        }
    }
}
