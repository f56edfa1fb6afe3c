//! The real programs that tests, demo and benches run: found on PATH, or put into the git-ignored `.tools/`.
//!
//! What is installed is pinned in this tree (versions here, Go modules with their sums under `tests/tools/`), built or
//! unpacked aside, and renamed into place, so that an interrupted run leaves nothing half done.

mod aws;
mod deno;
mod go;
mod store;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};

use crate::process;
use crate::project::Project;
use store::Store;

/// A program that tests, demo or benches need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// Runs the scripts.
    Deno,
    /// Terraform itself. Never installed by us: its licence and its users' version managers leave that to people.
    Terraform,
    /// The Pulumi CLI.
    Pulumi,
    /// Pulumi's language host for YAML programs.
    PulumiYaml,
    /// Pulumi's generators of SDKs for several languages, behind one program of ours.
    LanguageHosts,
    /// Pulumi's language host for Java, of which only the generator is used.
    PulumiJava,
    /// A native Go provider: a foreign provider in tests, and the yardstick of the script bench.
    TimeProvider,
    /// A provider of ours written with terraform-plugin-framework, for tests of the bridge.
    EverythingProvider,
    /// A provider of ours written with terraform-plugin-sdk, for tests of the bridge.
    ClassicProvider,
    /// OpenTofu: what is shown under it are runs of their own.
    OpenTofu,
    /// The Go bridge: what the start bench compares with.
    GoBridge,
    /// The AWS provider 3.39.0: the largest schema that bench and tests of the bridge meet.
    AwsProvider,
    /// The AWS provider 2.70.0, made with an SDK of long ago.
    OldAwsProvider,
    /// A provider written with terraform-plugin-framework: what the framework bench compares with.
    BenchProvider,
}

impl Tool {
    /// Everything that `cargo xtask test` needs, the slowest last.
    pub fn for_tests() -> impl Iterator<Item = Self> {
        let providers = [Self::TimeProvider, Self::EverythingProvider, Self::ClassicProvider];
        [Self::Terraform, Self::Deno].into_iter().chain(providers).chain([Self::PulumiYaml, Self::Pulumi])
    }

    /// The foreign providers that somebody has built for this machine. They are large, and only the peers' cases use them.
    pub fn foreign() -> &'static [Self] {
        if aws::IS_SUPPORTED { &[Self::AwsProvider, Self::OldAwsProvider] } else { &[] }
    }

    /// The name that people know it by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Deno => "deno",
            Self::Terraform => "terraform",
            Self::Pulumi => "pulumi",
            Self::PulumiYaml => "pulumi-language-yaml",
            Self::LanguageHosts => "pulumi-language-hosts",
            Self::PulumiJava => "pulumi-language-java",
            Self::TimeProvider => "terraform-provider-time",
            Self::EverythingProvider => "terraform-provider-everything",
            Self::ClassicProvider => "terraform-provider-classic",
            Self::OpenTofu => "tofu",
            Self::GoBridge => "pulumi-resource-terraform-provider",
            Self::AwsProvider => "terraform-provider-aws",
            Self::OldAwsProvider => "terraform-provider-aws-2",
            Self::BenchProvider => "terraform-provider-bench",
        }
    }
}

/// Where each tool that was asked for is.
pub struct Paths {
    bin: PathBuf,
    found: BTreeMap<Tool, PathBuf>,
}

impl Paths {
    /// The executable of a tool.
    ///
    /// # Errors
    /// When it was not among the tools asked for, or is not installed.
    pub fn get(&self, tool: Tool) -> Result<&Path> {
        self.find(tool).ok_or_else(|| anyhow!("{} is not installed: run `cargo xtask tools`", tool.name()))
    }

    /// The executable of a tool that may be absent.
    pub fn find(&self, tool: Tool) -> Option<&Path> {
        self.found.get(&tool).map(PathBuf::as_path)
    }

    /// The folder of installed tools. Put it first on PATH: `pulumi` finds its language hosts there.
    pub fn bin(&self) -> &Path {
        &self.bin
    }

    /// The PATH that finds `folders` first, then the installed tools, then everything else.
    pub fn path_variable(&self, folders: &[&Path]) -> Result<OsString> {
        let deno_folder = self.find(Tool::Deno).and_then(Path::parent);
        let tools = [Some(self.bin()), deno_folder];
        process::path_with(&folders.iter().copied().chain(tools.into_iter().flatten()).collect::<Vec<_>>())
    }
}

/// How a tool came to be where it is.
enum Origin {
    OnPath,
    Kept,
    Made { how: &'static str, took: Duration },
}

struct Found {
    path: PathBuf,
    version: String,
    origin: Origin,
}

/// Installs what is not there yet, and prints for each tool what was done.
pub fn install(project: &Project, wanted: &[Tool]) -> Result<Paths> {
    let store = Store::open(project)?;
    let _lock = store.lock()?;
    let mut found = BTreeMap::new();
    for &tool in wanted {
        let located = locate(project, &store, tool)?;
        let tool_found = match located {
            Some(located) => located,
            None => make(project, &store, tool).with_context(|| format!("cannot install {}", tool.name()))?,
        };
        report(tool, &tool_found);
        found.insert(tool, tool_found.path);
    }
    Ok(Paths { bin: store.bin(), found })
}

/// Finds what is there already and installs nothing.
pub fn find(project: &Project, wanted: &[Tool]) -> Result<Paths> {
    let store = Store::open(project)?;
    let mut found = BTreeMap::new();
    for &tool in wanted {
        if let Some(located) = locate(project, &store, tool)? {
            found.insert(tool, located.path);
        }
    }
    Ok(Paths { bin: store.bin(), found })
}

fn report(tool: Tool, found: &Found) {
    let what = match &found.origin {
        Origin::OnPath => "found on PATH".to_owned(),
        Origin::Kept => "already there".to_owned(),
        Origin::Made { how, took } => format!("{how} in {:.0} s", took.as_secs_f64()),
    };
    println!("{:<36} {:<10} {what}: {}", tool.name(), found.version, found.path.display());
}

/// A tool that is there: on PATH if it is new enough, else as installed by us before.
fn locate(project: &Project, store: &Store, tool: Tool) -> Result<Option<Found>> {
    let on_path = match tool {
        Tool::Deno => deno::on_path(),
        Tool::Terraform => terraform_on_path(),
        Tool::Pulumi => pulumi_on_path(),
        Tool::PulumiYaml => yaml_host_on_path(),
        // These must be exactly the pinned ones: numbers and behaviour are compared with theirs.
        Tool::LanguageHosts
        | Tool::PulumiJava
        | Tool::TimeProvider
        | Tool::EverythingProvider
        | Tool::ClassicProvider
        | Tool::OpenTofu
        | Tool::GoBridge
        | Tool::AwsProvider
        | Tool::OldAwsProvider
        | Tool::BenchProvider => None,
    };
    if let Some((path, version)) = on_path {
        return Ok(Some(Found { path, version, origin: Origin::OnPath }));
    }
    let recipe = match tool {
        Tool::Terraform => return Ok(None),
        Tool::Deno => deno::recipe(),
        Tool::AwsProvider | Tool::OldAwsProvider => aws::recipe(tool),
        go_tool => go::recipe(project, go_tool)?,
    };
    let kept = store.kept(&recipe);
    Ok(kept.map(|path| Found { path, version: recipe.version, origin: Origin::Kept }))
}

fn make(project: &Project, store: &Store, tool: Tool) -> Result<Found> {
    let started = Instant::now();
    let (recipe, how, path) = match tool {
        Tool::Terraform => bail!(
            "terraform is not on PATH, and this project does not install it.\n\
             Get Terraform 1.11 or newer from https://developer.hashicorp.com/terraform/install and put it on PATH."
        ),
        Tool::Deno => {
            let recipe = deno::recipe();
            let (how, path) = deno::download(store, &recipe)?;
            (recipe, how, path)
        }
        Tool::AwsProvider | Tool::OldAwsProvider => {
            let recipe = aws::recipe(tool);
            let path = aws::download(store, &recipe)?;
            (recipe, "downloaded from PyPI", path)
        }
        go_tool => {
            let recipe = go::recipe(project, go_tool)?;
            let path = go::build(project, store, go_tool, &recipe)?;
            (recipe, "built", path)
        }
    };
    Ok(Found { path, version: recipe.version, origin: Origin::Made { how, took: started.elapsed() } })
}

fn terraform_on_path() -> Option<(PathBuf, String)> {
    let path = process::find_on_path("terraform")?;
    let mut ask = Command::new(&path);
    // Without these, `version` asks a server for newer versions and complains about a user's settings.
    ask.args(["version", "-json"]).env("CHECKPOINT_DISABLE", "1").env_remove("TF_CLI_CONFIG_FILE");
    let answer = process::capture(&mut ask).ok()?.success().ok()?;
    let answer: serde_json::Value = serde_json::from_str(&answer).ok()?;
    let version = answer["terraform_version"].as_str()?.to_owned();
    // Write-only attributes, which the tests use, came with 1.11.
    is_at_least(&version, (1, 11)).then_some((path, version))
}

fn pulumi_on_path() -> Option<(PathBuf, String)> {
    let path = process::find_on_path("pulumi")?;
    let mut ask = Command::new(&path);
    ask.arg("version").env("PULUMI_SKIP_UPDATE_CHECK", "1");
    let version = process::capture(&mut ask).ok()?.success().ok()?.trim().to_owned();
    is_at_least(&version, (3, 200)).then_some((path, version))
}

fn yaml_host_on_path() -> Option<(PathBuf, String)> {
    // The host cannot be asked for its version. It comes with a CLI, so take it only together with one that is new enough.
    let (_, version) = pulumi_on_path()?;
    let path = process::find_on_path("pulumi-language-yaml")?;
    Some((path, format!("(of {version})")))
}

/// Whether a version such as `v3.274.1` or `1.11.4` is at least the given major and minor.
fn is_at_least(version: &str, (major, minor): (u64, u64)) -> bool {
    let mut numbers =
        version.trim_start_matches('v').split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().ok());
    let found_major = numbers.next().flatten().unwrap_or(0);
    let found_minor = numbers.next().flatten().unwrap_or(0);
    (found_major, found_minor) >= (major, minor)
}

#[cfg(test)]
mod tests {
    use super::is_at_least;

    #[test]
    fn versions_compare_as_numbers() {
        assert!(is_at_least("v3.274.1", (3, 200)));
        assert!(is_at_least("1.11.4", (1, 11)));
        assert!(is_at_least("2.0.0-rc.1", (2, 0)));
        assert!(!is_at_least("v3.99.0", (3, 200)));
        assert!(!is_at_least("1.9.9", (1, 11)));
        assert!(!is_at_least("unknown", (1, 0)));
    }
}
