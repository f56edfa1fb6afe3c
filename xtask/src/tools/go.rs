//! Tools built from Go modules. Each has a module of its own, committed with its sums: under `tests/tools/` those that pin
//! somebody else's program, under `tests/providers/` those that are our own.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use super::Tool;
use super::store::{Recipe, Store};
use crate::process;
use crate::project::Project;

/// What is built from one of the modules.
struct GoProgram {
    /// The folder of its module.
    pin: &'static str,
    /// The pinned module, whose version is the program's.
    module: &'static str,
    /// The package with its `main`.
    package: &'static str,
    /// The string variable that holds the program's version, which releases set at link time.
    version_variable: Option<&'static str>,
    /// The folder below `.tools/`: peers are kept off PATH.
    folder: &'static str,
}

/// The package of a program that is written here, and not in the module that its folder pins.
const OWN_PACKAGE: &str = ".";

fn program(tool: Tool) -> Result<GoProgram> {
    Ok(match tool {
        Tool::Pulumi => GoProgram {
            pin: "tests/tools/pulumi",
            module: "github.com/pulumi/pulumi/pkg/v3",
            package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
            version_variable: Some("github.com/pulumi/pulumi/sdk/v3/go/common/version.Version"),
            folder: "bin",
        },
        Tool::PulumiYaml => GoProgram {
            pin: "tests/tools/pulumi-yaml",
            module: "github.com/pulumi/pulumi-yaml",
            package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
            version_variable: Some("github.com/pulumi/pulumi-yaml/pkg/version.Version"),
            folder: "bin",
        },
        Tool::LanguageHosts => GoProgram {
            pin: "tests/tools/languages",
            module: "github.com/pulumi/pulumi/pkg/v3",
            package: OWN_PACKAGE,
            version_variable: None,
            folder: "peers",
        },
        Tool::PulumiJava => GoProgram {
            pin: "tests/tools/pulumi-java",
            module: "github.com/pulumi/pulumi-java/pkg",
            package: "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java",
            version_variable: None,
            folder: "peers",
        },
        Tool::TimeProvider => GoProgram {
            pin: "tests/tools/terraform-provider-time",
            module: "github.com/hashicorp/terraform-provider-time",
            package: "github.com/hashicorp/terraform-provider-time",
            version_variable: None,
            folder: "bin",
        },
        Tool::EverythingProvider => GoProgram {
            pin: "tests/providers/everything",
            module: "github.com/hashicorp/terraform-plugin-framework",
            package: OWN_PACKAGE,
            version_variable: None,
            folder: "bin",
        },
        Tool::ClassicProvider => GoProgram {
            pin: "tests/providers/classic",
            module: "github.com/hashicorp/terraform-plugin-sdk/v2",
            package: OWN_PACKAGE,
            version_variable: None,
            folder: "bin",
        },
        Tool::OpenTofu => GoProgram {
            pin: "tests/tools/opentofu",
            module: "github.com/opentofu/opentofu",
            package: "github.com/opentofu/opentofu/cmd/tofu",
            version_variable: None,
            folder: "bin",
        },
        Tool::GoBridge => GoProgram {
            pin: "tests/tools/go-bridge",
            module: "github.com/pulumi/pulumi-terraform-bridge/v3",
            package: "github.com/pulumi/pulumi-terraform-bridge/v3/dynamic",
            version_variable: None,
            folder: "peers",
        },
        Tool::BenchProvider => GoProgram {
            pin: "tests/tools/bench-provider",
            module: "github.com/hashicorp/terraform-plugin-framework",
            package: OWN_PACKAGE,
            version_variable: None,
            folder: "peers",
        },
        Tool::Deno | Tool::Terraform | Tool::AwsProvider | Tool::OldAwsProvider => {
            bail!("{} is not built from Go modules", tool.name())
        }
    })
}

/// What the tool would be built from now.
pub fn recipe(project: &Project, tool: Tool) -> Result<Recipe> {
    let program = program(tool)?;
    let pin = project.path(program.pin);
    let read = |name: &str| {
        let path = pin.join(name);
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let (go_mod, go_sum) = (read("go.mod")?, read("go.sum")?);
    let version = required_version(&go_mod, program.module)
        .with_context(|| format!("{} does not require {}", pin.join("go.mod").display(), program.module))?;
    let source = if program.package == OWN_PACKAGE { sources(&pin)? } else { Vec::new() };
    let mut digest = Sha256::new();
    let pinned = [go_mod.as_str(), &go_sum, program.package, program.version_variable.unwrap_or_default()];
    for part in pinned.into_iter().chain(source.iter().map(String::as_str)) {
        digest.update(part.as_bytes());
        digest.update([0]);
    }
    let fingerprint = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Recipe { file_name: tool.name(), folder: program.folder, version: version.to_owned(), fingerprint })
}

/// The text of all Go files of a package of ours, in an order that is always the same.
fn sources(folder: &Path) -> Result<Vec<String>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let files = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end == "go")).collect();
    files.sort();
    let read =
        |file: &PathBuf| std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()));
    files.iter().map(read).collect()
}

/// Builds the tool aside and moves it to its place.
pub fn build(project: &Project, store: &Store, tool: Tool, recipe: &Recipe) -> Result<PathBuf> {
    if process::find_on_path("go").is_none() {
        bail!("it is built from Go modules, and go is not on PATH: install Go 1.26.8 or newer from https://go.dev/dl/");
    }
    let program = program(tool)?;
    println!("{:<36} {:<10} building from Go modules …", tool.name(), recipe.version);
    let work = store.work_folder()?;
    let binary = work.path().join(tool.name());
    // The symbol tables are a third of the size and serve no test.
    let mut linker_flags = "-s -w".to_owned();
    if let Some(variable) = program.version_variable {
        linker_flags.push_str(&format!(" -X {variable}={}", recipe.version));
    }
    let mut build = Command::new("go");
    build.current_dir(project.path(program.pin));
    // Read-only: what is built is what the committed sums say, or nothing.
    build.args(["build", "-mod=readonly", "-ldflags", &linker_flags, "-o"]).arg(&binary).arg(program.package);
    // A go.work of the user's would mix other modules in.
    process::run(build.env("GOWORK", "off"))?;
    store.keep(recipe, &binary)
}

/// The version in a `require` line, within a block or alone.
fn required_version<'text>(go_mod: &'text str, module: &str) -> Option<&'text str> {
    go_mod.lines().find_map(|line| {
        let mut words = line.trim().trim_start_matches("require ").split_whitespace();
        (words.next() == Some(module)).then(|| words.next()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::required_version;

    #[test]
    fn a_requirement_is_read_in_both_forms() {
        let go_mod = "module m\nrequire a.example/one v1.2.3\nrequire (\n\ta.example/two v0.1.0 // indirect\n)\n\
                      replace a.example/one => a.example/fork v9.9.9\n";
        assert_eq!(required_version(go_mod, "a.example/one"), Some("v1.2.3"));
        assert_eq!(required_version(go_mod, "a.example/two"), Some("v0.1.0"));
        assert_eq!(required_version(go_mod, "a.example/o"), None);
    }
}
