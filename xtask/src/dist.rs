//! `cargo xtask dist`: what is published, as files in the layout that each registry wants.
//!
//! | folder | for | files |
//! |---|---|---|
//! | `terraform` | the registries of Terraform and OpenTofu, by way of a release | a zip for each platform, the manifest, `SHA256SUMS` and its signature |
//! | `pulumi` | Pulumi's plugin downloads | a tar.gz for each platform, and their sums |
//! | `cli` | people | the same with the program under its own name |
//!
//! Only this machine's platform is built here; programs that were built elsewhere are named by `--binary`. The same
//! programs make the same files, byte by byte.

mod archive;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use sha2::{Digest, Sha256};

use crate::process;
use crate::project::{Profile, Project};

/// The version that is published: that of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The version of Terraform's protocol that the provider needs of its host.
const TERRAFORM_PROTOCOL: &str = "6.0";

/// Read by the program's build: where Pulumi downloads the plugin from; it stands in the package's schema.
const DOWNLOAD_URL: &str = "DENOBRIDGE_PLUGIN_DOWNLOAD_URL";

/// What to make.
#[derive(Args)]
pub struct Options {
    /// Where to put it; must not be there, or be empty.
    #[arg(long, value_name = "FOLDER", default_value = "dist")]
    out: PathBuf,
    /// A program that was built elsewhere, with its platform by Go's names: linux_arm64=PATH. May be repeated. With one, nothing is built.
    #[arg(long, value_name = "PLATFORM=PATH")]
    binary: Vec<String>,
    /// Signs the sums: a command, such as the path of a script of yours around gpg, that gets their file as its last word and leaves a detached signature beside it, as FILE.sig.
    #[arg(long, value_name = "COMMAND")]
    sign: Option<String>,
    /// Where Pulumi downloads the plugin from, such as github://api.github.com/OWNER/REPOSITORY.
    #[arg(long, value_name = "URL")]
    download_url: Option<String>,
}

/// A program for a platform.
struct Binary {
    /// `linux`, `darwin`, `windows`.
    system: String,
    /// `amd64`, `arm64`.
    processor: String,
    path: PathBuf,
}

impl Binary {
    fn read(text: &str) -> Result<Self> {
        let parts = text.split_once('=').and_then(|(platform, path)| Some((platform.split_once('_')?, path)));
        let Some(((system, processor), path)) = parts else {
            bail!("`{text}` must be a platform and a path, such as linux_arm64=target/denobridge")
        };
        Ok(Self { system: system.to_owned(), processor: processor.to_owned(), path: path.into() })
    }

    fn suffix(&self) -> &'static str {
        if self.system == "windows" { ".exe" } else { "" }
    }
}

/// Builds, packs and sums.
pub fn run(project: &Project, options: &Options) -> Result<()> {
    if fs::read_dir(&options.out).is_ok_and(|mut entries| entries.next().is_some()) {
        bail!("{} is not empty: name another folder with --out, or remove it", options.out.display());
    }
    let mut binaries = options.binary.iter().map(|text| Binary::read(text)).collect::<Result<Vec<_>>>()?;
    if binaries.is_empty() {
        binaries.push(build(project, options.download_url.as_deref())?);
    }
    for file in pack(&options.out, &binaries, options.sign.as_deref())? {
        println!("{}", file.display());
    }
    if options.sign.is_none() {
        println!("not signed: Terraform's registry wants a signature of SHA256SUMS (--sign)");
    }
    Ok(())
}

fn build(project: &Project, download_url: Option<&str>) -> Result<Binary> {
    if let Some(url) = download_url {
        // Cargo hands its environment on to the compiler, which reads it there.
        process::run(project.cargo().env(DOWNLOAD_URL, url).args(["build", "--release", "--package", "denobridge"]))?;
    }
    let path = match download_url {
        Some(_) => project.path("target/release").join(format!("denobridge{}", std::env::consts::EXE_SUFFIX)),
        None => project.build_binary(Profile::Release)?,
    };
    let system = if std::env::consts::OS == "macos" { "darwin" } else { std::env::consts::OS };
    let processor = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    Ok(Binary { system: system.to_owned(), processor: processor.to_owned(), path })
}

/// Writes all files and returns them in order.
fn pack(out: &Path, binaries: &[Binary], sign: Option<&str>) -> Result<Vec<PathBuf>> {
    let mut files = terraform(&out.join("terraform"), binaries, sign)?;
    for (folder, archive, program) in [
        ("pulumi", format!("pulumi-resource-denobridge-v{VERSION}"), "pulumi-resource-denobridge"),
        ("cli", format!("denobridge-v{VERSION}"), "denobridge"),
    ] {
        let folder = out.join(folder);
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let mut archives = Vec::new();
        for binary in binaries {
            let file = folder.join(format!("{archive}-{}-{}.tar.gz", binary.system, binary.processor));
            archive::tar_gz(&file, &format!("{program}{}", binary.suffix()), &binary.path)?;
            archives.push(file);
        }
        let sums = sums(&folder.join("SHA256SUMS"), &archives)?;
        files.extend(archives);
        files.push(sums);
    }
    Ok(files)
}

/// The files of a release as Terraform's registry reads them.
fn terraform(folder: &Path, binaries: &[Binary], sign: Option<&str>) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let named = |ending: &str| folder.join(format!("terraform-provider-denobridge_{VERSION}_{ending}"));
    let mut files = Vec::new();
    for binary in binaries {
        let file = named(&format!("{}_{}.zip", binary.system, binary.processor));
        let program = format!("terraform-provider-denobridge_v{VERSION}{}", binary.suffix());
        archive::zip(&file, &program, &binary.path)?;
        files.push(file);
    }
    let manifest = named("manifest.json");
    let protocols = serde_json::json!({ "version": 1, "metadata": { "protocol_versions": [TERRAFORM_PROTOCOL] } });
    fs::write(&manifest, format!("{protocols:#}\n"))?;
    files.push(manifest);
    let sums = sums(&named("SHA256SUMS"), &files)?;
    files.push(sums.clone());
    if let Some(command) = sign {
        files.push(signature(command, &sums)?);
    }
    Ok(files)
}

/// Writes the sums of files, as `sha256sum --check` reads them.
fn sums(file: &Path, files: &[PathBuf]) -> Result<PathBuf> {
    let mut text = String::new();
    for summed in files {
        let content = fs::read(summed).with_context(|| format!("cannot read {}", summed.display()))?;
        let digest: String = Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
        let name = summed.file_name().unwrap_or_default().to_string_lossy();
        text.push_str(&format!("{digest}  {name}\n"));
    }
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(file.to_owned())
}

/// Has the sums signed.
fn signature(command: &str, sums: &Path) -> Result<PathBuf> {
    let mut words = command.split_whitespace();
    let Some(program) = words.next() else { bail!("the command to sign with is empty") };
    process::run(Command::new(program).args(words).arg(sums))?;
    let signature = PathBuf::from(format!("{}.sig", sums.display()));
    if !signature.is_file() {
        bail!("`{command}` has left no {}", signature.display());
    }
    Ok(signature)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binaries(folder: &Path) -> Vec<Binary> {
        let path = folder.join("program");
        fs::write(&path, "program").unwrap();
        ["linux_amd64", "windows_amd64"]
            .map(|platform| Binary::read(&format!("{platform}={}", path.display())).unwrap())
            .into()
    }

    #[test]
    fn files_are_named_as_the_registries_want_them() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("dist");
        let files = pack(&out, &binaries(folder.path()), None).unwrap();
        let names: Vec<String> =
            files.iter().map(|file| file.strip_prefix(&out).unwrap().to_string_lossy().replace(VERSION, "V")).collect();
        assert_eq!(
            names,
            [
                "terraform/terraform-provider-denobridge_V_linux_amd64.zip",
                "terraform/terraform-provider-denobridge_V_windows_amd64.zip",
                "terraform/terraform-provider-denobridge_V_manifest.json",
                "terraform/terraform-provider-denobridge_V_SHA256SUMS",
                "pulumi/pulumi-resource-denobridge-vV-linux-amd64.tar.gz",
                "pulumi/pulumi-resource-denobridge-vV-windows-amd64.tar.gz",
                "pulumi/SHA256SUMS",
                "cli/denobridge-vV-linux-amd64.tar.gz",
                "cli/denobridge-vV-windows-amd64.tar.gz",
                "cli/SHA256SUMS",
            ]
        );
        let again = pack(&folder.path().join("again"), &binaries(folder.path()), None).unwrap();
        for (one, other) in files.iter().zip(&again) {
            assert_eq!(fs::read(one).unwrap(), fs::read(other).unwrap(), "{}", one.display());
        }
    }

    #[cfg(unix)]
    #[test]
    fn sums_hold_and_can_be_signed() {
        let _alone = process::CHILDREN.lock();
        let folder = tempfile::tempdir().unwrap();
        let signer = folder.path().join("sign.sh");
        fs::write(&signer, "cp \"$1\" \"$1.sig\"\n").unwrap();
        let out = folder.path().join("dist");
        let files = pack(&out, &binaries(folder.path()), Some(&format!("sh {}", signer.display()))).unwrap();
        assert!(files.iter().any(|file| file.to_string_lossy().ends_with("SHA256SUMS.sig")));
        let checked = Command::new("sha256sum")
            .args(["--check", "--strict"])
            .arg(format!("terraform-provider-denobridge_{VERSION}_SHA256SUMS"))
            .current_dir(out.join("terraform"))
            .output()
            .unwrap();
        assert!(checked.status.success(), "{checked:?}");
        let error = pack(&folder.path().join("more"), &binaries(folder.path()), Some("true")).unwrap_err();
        assert!(error.to_string().contains("has left no"), "{error}");
    }

    #[test]
    fn platforms_are_told_from_paths() {
        assert!(Binary::read("linux=path").is_err());
        assert!(Binary::read("path").is_err());
        assert_eq!(Binary::read("darwin_arm64=a=b").unwrap().path, Path::new("a=b"));
    }
}
