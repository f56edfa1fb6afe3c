//! `cargo xtask languages`: SDKs in every language that generators can be had for, made by the real `pulumi package gen-sdk`,
//! compiled or type-checked, and used by programs that run for real.
//!
//! What came out is the table in `docs/reference/languages.md`, which has to be what is found.

mod checks;
mod effects;
mod environment;
mod files;
mod newer;
mod packages;
mod programs;
mod table;
mod types;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use crate::process;
use crate::project::{Profile, Project, place_binary};
use crate::tools::{self, Paths, Tool};
use environment::Environment;

/// What to run.
#[derive(Args)]
pub struct Options {
    /// Write the table and what programs print rather than compare them.
    #[arg(long)]
    update: bool,
    /// Large packages too, such as the one of AWS, which takes a quarter of an hour and much memory; the table is left alone.
    #[arg(long)]
    large: bool,
    /// Only the packages or programs of these names; the table is left alone.
    names: Vec<String>,
}

impl Options {
    fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|wanted| wanted == name)
    }
}

/// A language that SDKs are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// TypeScript.
    Nodejs,
    /// Python.
    Python,
    /// Go.
    Go,
    /// Java.
    Java,
    /// YAML, whose SDK is a file that names the package.
    Yaml,
}

impl Language {
    /// In the order of the table.
    pub const ALL: [Self; 5] = [Self::Nodejs, Self::Python, Self::Go, Self::Java, Self::Yaml];

    /// What `gen-sdk --language` and the folder of the SDK call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nodejs => "nodejs",
            Self::Python => "python",
            Self::Go => "go",
            Self::Java => "java",
            Self::Yaml => "yaml",
        }
    }
}

/// Where a run does its work.
pub struct Workshop<'run> {
    project: &'run Project,
    tools: Paths,
    environment: Environment,
    /// The folder of this run. It is inside the one with the packages of npm, so that Node finds them from everywhere below.
    folder: PathBuf,
    /// Our plugin, under its name.
    plugin: PathBuf,
}

impl Workshop<'_> {
    fn path(&self, relative: &str) -> PathBuf {
        self.folder.join(relative)
    }

    /// A command that finds the tools, our plugin and the language hosts first, and nothing of the user's Pulumi.
    fn command(&self, program: &Path) -> Result<Command> {
        let mut command = Command::new(program);
        process::forget_variables(&mut command, &["PULUMI_", "DENOBRIDGE_"]);
        command.current_dir(&self.folder).env("PATH", self.tools.path_variable(&[&self.path("bin")])?);
        command.env("PULUMI_HOME", self.path("home")).env("PULUMI_CONFIG_PASSPHRASE", "languages");
        // Everything that is needed is here; nothing is to be fetched or asked.
        command.env("PULUMI_SKIP_UPDATE_CHECK", "1").env("PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION", "1");
        command.env("GOWORK", "off");
        Ok(command)
    }
}

/// Makes, compiles and uses SDKs, and compares the table.
pub fn run(project: &Project, options: &Options) -> Result<()> {
    let workshop = prepare(project)?;
    let packages = packages::generate(&workshop, options)?;
    let results = checks::check(&workshop, &packages)?;
    if options.names.is_empty() && !options.large {
        table::keep(project, &results, options.update)?;
    } else {
        table::print(&results)?;
    }
    programs::run(&workshop, &packages, options)
}

fn prepare(project: &Project) -> Result<Workshop<'_>> {
    let wanted: Vec<Tool> =
        [Tool::Deno, Tool::Terraform, Tool::PulumiYaml, Tool::Pulumi, Tool::LanguageHosts, Tool::PulumiJava].into();
    let tools = tools::install(project, &wanted)?;
    let environment = Environment::install(project)?;
    let folder = environment.folder().join("work");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    let bin = folder.join("bin");
    let plugin = place_binary(&project.build_binary(Profile::Dev)?, &bin, "pulumi-resource-denobridge")?;
    let hosts = tools.get(Tool::LanguageHosts)?;
    for language in [Language::Nodejs, Language::Python, Language::Go] {
        place_binary(hosts, &bin, &format!("pulumi-language-{}", language.name()))?;
    }
    place_binary(tools.get(Tool::PulumiJava)?, &bin, "pulumi-language-java")?;
    Ok(Workshop { project, tools, environment, folder, plugin })
}
