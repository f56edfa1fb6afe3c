//! `denobridge build`: a package of scripts as a provider of its own, in the layout that each registry wants.
//!
//! | folder | for | files |
//! |---|---|---|
//! | `terraform` | the registries of Terraform and OpenTofu, by way of a release | a zip for each platform, the manifest, `SHA256SUMS` and its signature |
//! | `docs` | the same registries | a page for each component |
//! | `pulumi` | Pulumi's plugin downloads, with `--pulumi` | a tar.gz for each platform, the package's schema, and their sums |
//!
//! The scripts are asked here what they are, so that nobody has to ask them when the provider starts.

mod archive;
mod layout;
mod modules;
mod target;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use denobridge_core::Call;
use denobridge_core::call::{LogLevel, LogSink};
use denobridge_core::schema::ProviderSchema;
use denobridge_framework::documentation::{self, Documentation};
use denobridge_sdk_gen::generate;
use thiserror::Error;

use self::layout::Layout;
use self::modules::{Files, ModulesError};
use self::target::Target;
use super::tell;
use crate::deno::FindError;
use crate::packages::schema_of;
use crate::scripted::{Runtime, ScriptedOptions};
use crate::typed::folder::{self, FolderError, Opened, Wishes};
use crate::typed::{self, CollectError, Collector, CollectorOptions, Release, TypedError};

/// Arguments of `denobridge build`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The package: a folder of scripts, or one script.
    #[arg(value_name = "PATH")]
    package: PathBuf,
    /// Where to put it; must not be there, or be empty.
    #[arg(long, value_name = "FOLDER", default_value = "dist")]
    out: PathBuf,
    /// The version to release, if not the one in denobridge.json.
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,
    /// The provider's source address for Terraform: [HOSTNAME/]NAMESPACE/NAME. Without it, local/NAME.
    #[arg(long, value_name = "ADDRESS")]
    address: Option<String>,
    /// This program for another platform, by Go's names: linux_arm64=PATH. May be repeated. Without it, this one for this machine.
    #[arg(long, value_name = "PLATFORM=PATH")]
    binary: Vec<Target>,
    /// A folder that Terraform is told to take providers from (`filesystem_mirror`), to add the provider to.
    #[arg(long, value_name = "FOLDER")]
    mirror: Option<PathBuf>,
    /// Make the plugin for Pulumi too.
    #[arg(long)]
    pulumi: bool,
    /// Where Pulumi downloads the plugin from, such as github://api.github.com/OWNER/REPOSITORY.
    #[arg(long, value_name = "URL", requires = "pulumi")]
    download_url: Option<String>,
    /// Signs the sums: a command that gets their file as its last word and leaves a detached signature beside it, as FILE.sig.
    #[arg(long, value_name = "COMMAND")]
    sign: Option<String>,
    /// A permission that scripts ask for beside those in denobridge.json. May be repeated.
    #[arg(long, value_name = "PERMISSION")]
    allow: Vec<String>,
}

/// Why nothing was built.
#[derive(Debug, Error)]
enum BuildError {
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Collect(#[from] CollectError),
    #[error(transparent)]
    Typed(#[from] TypedError),
    #[error(transparent)]
    Modules(#[from] ModulesError),
    #[error("{0}")]
    Deno(#[from] FindError),
    #[error("--{option} is {given:?}: {problem}")]
    Argument { option: &'static str, given: String, problem: String },
    #[error("{} is not empty: name another folder with --out, or remove it", .0.display())]
    NotEmpty(PathBuf),
    #[error("the package cannot be one of Pulumi: {0}")]
    Pulumi(#[from] denobridge_sdk_gen::SchemaError),
    #[error("the provider does not tell its schema: {0}")]
    Schema(String),
    #[error("the documentation cannot be written: {0}")]
    Documentation(#[from] documentation::Error),
    #[error("{} cannot be written: {reason}", path.display())]
    Write { path: PathBuf, reason: std::io::Error },
    #[error("cannot find this program's own file: {0}")]
    Ourselves(std::io::Error),
    #[error("the sums could not be signed: {0}")]
    Sign(String),
}

/// Builds, and says what was made.
pub async fn run(arguments: Arguments) -> ExitCode {
    tell(build(arguments).await)
}

async fn build(arguments: Arguments) -> Result<String, BuildError> {
    if std::fs::read_dir(&arguments.out).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(BuildError::NotEmpty(arguments.out));
    }
    let call = Call::new().with_log(Arc::new(Console));
    let options = CollectorOptions::from_environment()?;
    let opened = open(&call, &arguments, Collector::new(options.clone())).await?;
    let schema = schema(&call, &opened).await?;
    let deno = options.deno.locate().await?;
    let files = Files::of(&opened.package, &folder::root(&arguments.package), &deno).await?;
    let address = address(arguments.address.as_deref(), &opened.package.name)?;
    let mut release = Release::new(address, opened.manifest.clone(), files.relative(&opened.package));
    release.download_url.clone_from(&arguments.download_url);
    let targets = match arguments.binary.is_empty() {
        true => vec![Target::of_process().map_err(BuildError::Ourselves)?],
        false => arguments.binary.clone(),
    };
    let layout = Layout { release: &release, targets: &targets, scripts: files.entries(&opened.package.name) };
    let terraform = arguments.out.join("terraform");
    let mut made = layout.terraform(&terraform, arguments.sign.as_deref())?;
    let pages = Documentation::new(typed::type_prefix(&opened.package)?, Arc::clone(&schema)).generate().pages;
    documentation::write(&arguments.out, &pages)?;
    if arguments.pulumi {
        let package = generate(&schema, &release.package_options()?)?;
        made.extend(layout.pulumi(&arguments.out.join("pulumi"), &package.schema.to_value())?);
    }
    if let Some(mirror) = &arguments.mirror {
        made.extend(layout.mirror(mirror, &terraform)?);
    }
    Ok(told(&opened, &made, &arguments))
}

async fn open(call: &Call, arguments: &Arguments, collector: Collector) -> Result<Opened, BuildError> {
    let wrong = |option: &'static str, given: &str, problem: String| BuildError::Argument {
        option,
        given: given.to_owned(),
        problem,
    };
    for entry in &arguments.allow {
        folder::check_permission(entry).map_err(|problem| wrong("allow", entry, problem))?;
    }
    let wishes = Wishes { allow: arguments.allow.clone(), ..Wishes::default() };
    let mut opened = folder::open(call, &arguments.package, &wishes, &collector).await?;
    if let Some(version) = &arguments.version {
        let parsed = semver::Version::parse(version);
        parsed.map_err(|error| wrong("version", version, format!("it is no version, such as 1.2.0: {error}")))?;
        opened.package.version.clone_from(version);
    }
    Ok(opened)
}

/// The provider's whole address.
fn address(given: Option<&str>, name: &str) -> Result<String, BuildError> {
    let Some(given) = given else { return Ok(format!("registry.terraform.io/local/{name}")) };
    let wrong = |problem: &str| BuildError::Argument {
        option: "address",
        given: given.to_owned(),
        problem: problem.to_owned(),
    };
    let parts: Vec<&str> = given.split('/').collect();
    if parts.iter().any(|part| part.is_empty()) || !(2..=3).contains(&parts.len()) {
        return Err(wrong("an address is [HOSTNAME/]NAMESPACE/NAME"));
    }
    if parts.last() != Some(&name) {
        return Err(wrong(&format!("it must end with the package's name, {name}")));
    }
    Ok(if parts.len() == 2 { format!("registry.terraform.io/{given}") } else { given.to_owned() })
}

/// What the provider is to Terraform, by which all of it is described.
async fn schema(call: &Call, opened: &Opened) -> Result<Arc<ProviderSchema>, BuildError> {
    let options = ScriptedOptions { runtime: Runtime::default(), deno: None };
    let provider = typed::provider(&opened.package, options)?;
    schema_of(call, &*provider).await.map_err(BuildError::Schema)
}

fn told(opened: &Opened, made: &[PathBuf], arguments: &Arguments) -> String {
    let mut lines: Vec<String> = made.iter().map(|file| file.display().to_string()).collect();
    lines.push(arguments.out.join("docs").display().to_string());
    if let Some(permissions) = typed::told_permissions(&opened.package) {
        lines.push(permissions);
    }
    if arguments.sign.is_none() {
        lines.push("not signed: Terraform's registry wants a signature of SHA256SUMS (--sign)".to_owned());
    }
    lines.join("\n") + "\n"
}

/// Shows who is not part of the package, and why.
struct Console;

impl LogSink for Console {
    fn enabled(&self, level: LogLevel) -> bool {
        level >= LogLevel::Info
    }

    fn log(&self, level: LogLevel, _: &str, message: &str, _: &[(&str, &str)]) {
        if self.enabled(level) {
            eprintln!("{message}");
        }
    }
}
