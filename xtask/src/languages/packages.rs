//! What SDKs are made of, and making them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::{Language, Options, Workshop, files};
use crate::process;

/// The generic package, which the plugin describes itself.
const GENERIC: &str = "denobridge";

/// Packages that generators alone need minutes for.
const LARGE: [&str; 1] = ["aws"];

/// The package of scripts among the examples.
pub const SCRIPTS: &str = "infra";

/// Where a package comes from.
struct Source {
    /// The plugin or the schema that `gen-sdk` reads.
    file: PathBuf,
    /// What the plugin is told to make a package of.
    parameters: Vec<String>,
}

/// A package and its SDKs, which are in the folders `sdks/NAME/LANGUAGE`.
pub struct Package {
    pub name: String,
    source: Source,
    /// What is in it.
    pub resources: usize,
    pub functions: usize,
    pub types: usize,
    /// Languages whose generator refused it, and in which words.
    pub refused: Vec<(Language, String)>,
}

/// Makes the SDKs of all packages.
pub fn generate(workshop: &Workshop<'_>, options: &Options) -> Result<Vec<Package>> {
    write_schemas(workshop)?;
    copy_scripts(workshop)?;
    let mut packages = Vec::new();
    for (name, source) in sources(workshop)? {
        let is_left_out = options.names.is_empty() && !options.large && LARGE.contains(&name.as_str());
        if is_left_out || !options.wants(&name) {
            continue;
        }
        println!("generating {name} …");
        let mut package = Package::new(name, source);
        package.count(workshop)?;
        for language in Language::ALL {
            package.generate(workshop, language)?;
        }
        packages.push(package);
    }
    Ok(packages)
}

/// Has the schema generator write the schemas of recorded and made-up providers.
fn write_schemas(workshop: &Workshop<'_>) -> Result<()> {
    let schemas = workshop.project.build_example("denobridge-sdk-gen", "schemas")?;
    process::run(Command::new(schemas).arg(workshop.path("schemas")))
}

/// Puts the examples where nothing else is, with the library that they import.
fn copy_scripts(workshop: &Workshop<'_>) -> Result<()> {
    for folder in ["examples", "script-sdk"] {
        files::copy(&workshop.project.path(folder), &workshop.path(folder))?;
    }
    Ok(())
}

fn sources(workshop: &Workshop<'_>) -> Result<Vec<(String, Source)>> {
    let folder = workshop.path("schemas");
    let generic = Source { file: workshop.plugin.clone(), parameters: Vec::new() };
    let scripts = Source::of_scripts(workshop, &workshop.path("examples").join(SCRIPTS));
    let mut sources = vec![(GENERIC.to_owned(), generic), (SCRIPTS.to_owned(), scripts)];
    for entry in std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_stem().context("a schema without a name")?.to_string_lossy().into_owned();
        sources.push((name, Source { file: path, parameters: Vec::new() }));
    }
    sources.sort_by(|(left, _), (right, _)| left.cmp(right));
    Ok(sources)
}

impl Source {
    /// A folder of scripts, by its full path, so that a program finds it from wherever it runs.
    fn of_scripts(workshop: &Workshop<'_>, folder: &Path) -> Self {
        Self { file: workshop.plugin.clone(), parameters: vec![folder.display().to_string()] }
    }

    /// The end of a command line.
    fn words(&self) -> impl Iterator<Item = &str> {
        let parameters = self.parameters.iter().map(String::as_str);
        (!self.parameters.is_empty()).then_some("--").into_iter().chain(parameters)
    }
}

impl Package {
    fn new(name: String, source: Source) -> Self {
        Self { name, source, resources: 0, functions: 0, types: 0, refused: Vec::new() }
    }

    /// A package of the scripts in a folder, without SDKs so far, of which nothing is counted.
    pub fn of_scripts(workshop: &Workshop<'_>, name: &str, folder: &Path) -> Self {
        Self::new(name.to_owned(), Source::of_scripts(workshop, folder))
    }

    /// Where its SDK for a language is.
    pub fn sdk(&self, workshop: &Workshop<'_>, language: Language) -> PathBuf {
        workshop.path("sdks").join(&self.name).join(language.name())
    }

    /// Whether there is an SDK for a language.
    pub fn is_made(&self, language: Language) -> bool {
        self.refused.iter().all(|(refused, _)| *refused != language)
    }

    /// Makes its SDK for a language, or notes down why there is none.
    pub fn generate(&mut self, workshop: &Workshop<'_>, language: Language) -> Result<()> {
        let mut generate = workshop.command(workshop.tools.get(crate::tools::Tool::Pulumi)?)?;
        generate.args(["package", "gen-sdk"]).arg(&self.source.file).args(["--language", language.name(), "--local"]);
        generate.arg("--out").arg(workshop.path("sdks").join(&self.name)).args(self.source.words());
        let ended = process::capture(generate.stderr(std::process::Stdio::piped()))?;
        if !ended.status.success() {
            self.refused.push((language, ended.report()));
        } else if !self.sdk(workshop, language).is_dir() {
            bail!("gen-sdk says that all is well, but there is no SDK of {} for {}", self.name, language.name());
        }
        Ok(())
    }

    fn count(&mut self, workshop: &Workshop<'_>) -> Result<()> {
        let mut ask = workshop.command(workshop.tools.get(crate::tools::Tool::Pulumi)?)?;
        let schema =
            process::capture(ask.args(["package", "get-schema"]).arg(&self.source.file).args(self.source.words()))?;
        let schema = schema.success()?;
        let schema: Value = serde_json::from_str(&schema).with_context(|| format!("the schema of {}", self.name))?;
        let count = |part: &str| schema[part].as_object().map_or(0, serde_json::Map::len);
        (self.resources, self.functions, self.types) = (count("resources"), count("functions"), count("types"));
        Ok(())
    }
}
