//! Java: the libraries that SDKs need are not to be had everywhere, so a compiler, where there is one, reads the files and
//! stops before it looks for what they import: what it finds is words that cannot be names.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result};

use super::Errors;
use crate::languages::packages::Package;
use crate::languages::{Language, Workshop};
use crate::process;

pub fn check<'a>(workshop: &Workshop<'_>, packages: impl Iterator<Item = &'a Package>) -> Result<Errors> {
    let Some(compiler) = process::find_on_path("javac") else {
        println!("no Java compiler on PATH: SDKs for Java are written and not read");
        return Ok(Errors::new());
    };
    println!("reading Java …");
    let mut errors = Errors::new();
    for package in packages {
        let folder = package.sdk(workshop, Language::Java);
        let mut files = Vec::new();
        java_files(&folder, &mut files)?;
        let list: String = files.iter().map(|file| format!("\"{}\"\n", file.display())).collect();
        let arguments = folder.join("files.txt");
        std::fs::write(&arguments, list).context("cannot write a list of files")?;
        let mut read = workshop.command(&compiler)?;
        read.args(["-proc:none", "-XDshould-stop.ifError=PARSE", "-XDshould-stop.ifNoError=PARSE"]);
        let ended = process::capture(read.arg(format!("@{}", arguments.display())).stderr(Stdio::piped()))?;
        if !ended.status.success() {
            let lines = ended.stderr.lines().filter(|line| line.contains(": error: "));
            errors.insert(package.name.clone(), lines.map(str::to_owned).collect());
        }
    }
    Ok(errors)
}

fn java_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            java_files(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "java") {
            files.push(path);
        }
    }
    Ok(())
}
