//! `cargo xtask demo`: one script (`examples/file/file.ts`, which manages a file on disk) taken through its life by each host:
//! first the embedded one, which needs nothing but Deno, then terraform and pulumi where they are installed.
//! Every step is checked on disk, not by what a host says about it.

mod embedded;
mod pulumi;
mod story;
mod terraform;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::project::{Profile, Project};
use crate::tools::{self, Paths, Tool};
use story::Host;

/// What to show.
#[derive(Args)]
pub struct Options {
    /// Install the Pulumi tools first (the first time, ten minutes) and insist on terraform and pulumi.
    #[arg(long)]
    all: bool,
    /// Show everything that the hosts print.
    #[arg(long)]
    verbose: bool,
    /// Keep the folder that the demo worked in.
    #[arg(long)]
    keep: bool,
}

/// What every host is given.
struct Stage<'stage> {
    tools: &'stage Paths,
    /// Our own executable.
    binary: PathBuf,
    /// The script under management.
    script: PathBuf,
    /// A folder for this host alone.
    folder: PathBuf,
    verbose: bool,
}

/// Runs the demo.
pub fn run(project: &Project, options: &Options) -> Result<()> {
    let tools = install(project, options)?;
    let binary = project.build_binary(Profile::Dev)?;
    let script = project.path("examples/file/file.ts");
    ensure!(script.is_file(), "the demo's script is missing: {}", script.display());
    let scene =
        tempfile::Builder::new().prefix("denobridge-demo-").tempdir().context("cannot create a temporary folder")?;
    // Hosts compare paths as text: /tmp may be a link.
    let root = scene.path().canonicalize()?;
    println!("\nthe script: {}\nworking in: {}", script.display(), root.display());

    let stage = |name: &str| -> Result<Stage<'_>> {
        let folder = root.join(name);
        std::fs::create_dir(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(Stage { tools: &tools, binary: binary.clone(), script: script.clone(), folder, verbose: options.verbose })
    };
    let shown = show(&stage, &tools);
    if options.keep {
        println!("\nkept: {}", scene.keep().display());
    }
    shown
}

fn install(project: &Project, options: &Options) -> Result<Paths> {
    if options.all {
        return tools::install(project, &[Tool::Terraform, Tool::Deno, Tool::PulumiYaml, Tool::Pulumi]);
    }
    tools::install(project, &[Tool::Deno])?;
    tools::find(project, &[Tool::Terraform, Tool::Deno, Tool::PulumiYaml, Tool::Pulumi])
}

fn show<'stage>(stage: &dyn Fn(&str) -> Result<Stage<'stage>>, tools: &Paths) -> Result<()> {
    tell("the embedded host", || Ok(embedded::Embedded::prepare(stage("embedded")?)))?;
    match tools.find(Tool::Terraform) {
        Some(program) => tell("terraform", || terraform::Terraform::prepare(stage("terraform")?, program))?,
        None => println!("\nterraform 1.11 or newer is not on PATH: its part is left out"),
    }
    match (tools.find(Tool::Pulumi), tools.find(Tool::PulumiYaml)) {
        (Some(program), Some(_)) => tell("pulumi", || pulumi::Pulumi::prepare(stage("pulumi")?, program))?,
        _ => println!("\npulumi with its YAML host is not installed: `cargo xtask demo --all` installs it"),
    }
    println!("\nall steps did on disk what they had to");
    Ok(())
}

fn tell<H: Host>(name: &str, prepare: impl FnOnce() -> Result<H>) -> Result<()> {
    println!("\n== {name}");
    prepare().and_then(|mut host| story::tell(&mut host)).with_context(|| format!("the demo failed under {name}"))
}

impl Stage<'_> {
    /// A file in this host's folder.
    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.path(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Shows a host's output to those who asked for it.
    fn echo(&self, output: &str) {
        if self.verbose {
            for line in output.lines() {
                println!("      │ {line}");
            }
        }
    }

    fn folder(&self) -> &Path {
        &self.folder
    }
}
