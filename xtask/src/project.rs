//! Where things are in the working tree, and how our own binary is built and named for each host.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;

/// The working tree that this task runner was compiled from.
pub struct Project {
    root: PathBuf,
}

/// Cargo's profiles that tasks build with.
#[derive(Clone, Copy)]
pub enum Profile {
    /// Quick to build: demo and tests.
    Dev,
    /// What users run: benches.
    Release,
}

impl Project {
    /// The tree that holds this crate: Cargo tells at compile time, so tasks work from any working directory.
    pub fn locate() -> Self {
        let crate_directory = Path::new(env!("CARGO_MANIFEST_DIR"));
        Self { root: crate_directory.parent().unwrap_or(crate_directory).to_path_buf() }
    }

    /// A tree elsewhere.
    #[cfg(test)]
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_path_buf() }
    }

    /// The top folder of the tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path below the top folder.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Builds `denobridge` and returns the executable.
    pub fn build_binary(&self, profile: Profile) -> Result<PathBuf> {
        self.build("denobridge", "denobridge", profile)
    }

    /// Builds one program of a package and returns the executable that Cargo reports, wherever its target folder is.
    pub fn build(&self, package: &str, program: &str, profile: Profile) -> Result<PathBuf> {
        self.build_target(package, "--bin", program, profile)
    }

    /// Builds one example of a package and returns the executable.
    pub fn build_example(&self, package: &str, name: &str) -> Result<PathBuf> {
        self.build_target(package, "--example", name, Profile::Dev)
    }

    /// Builds one of `denobridge`'s own benches and returns the executable.
    pub fn build_bench(&self, name: &str) -> Result<PathBuf> {
        self.build_target("denobridge", "--bench", name, Profile::Release)
    }

    fn build_target(&self, package: &str, kind: &str, program: &str, profile: Profile) -> Result<PathBuf> {
        println!("building {program} …");
        let mut build = self.cargo();
        build.arg("build");
        match profile {
            // As it is published: with the features that this package alone asks for.
            Profile::Release => build.args(["--release", "--package", package]),
            // With a test of the whole workspace beside it: so that dependencies have the features that they have for all tests, and
            // none is compiled again.
            Profile::Dev => build.args(["--workspace", "--test", "bounded"]),
        };
        build.args([kind, program]);
        build.arg("--message-format=json-render-diagnostics").stderr(std::process::Stdio::inherit());
        let messages = process::capture(&mut build)?.success()?;
        for line in messages.lines() {
            let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else { continue };
            let is_ours = message["reason"] == "compiler-artifact" && message["target"]["name"] == program;
            if let (true, Some(executable)) = (is_ours, message["executable"].as_str()) {
                return Ok(PathBuf::from(executable));
            }
        }
        bail!("cargo build reported no executable named {program}")
    }

    /// Cargo, run at the top of the tree; inside `cargo xtask` the very Cargo that started us.
    pub fn cargo(&self) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(&self.root);
        command
    }
}

/// Puts `binary` into `directory` under `name`, since hosts choose a plugin by its file name and ours picks its role by it.
pub fn place_binary(binary: &Path, directory: &Path, name: &str) -> Result<PathBuf> {
    let placed = directory.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    std::fs::create_dir_all(directory).with_context(|| format!("cannot create {}", directory.display()))?;
    link_or_copy(binary, &placed).with_context(|| format!("cannot place {}", placed.display()))?;
    Ok(placed)
}

#[cfg(unix)]
fn link_or_copy(binary: &Path, placed: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(binary, placed)
}

#[cfg(not(unix))]
fn link_or_copy(binary: &Path, placed: &Path) -> std::io::Result<()> {
    std::fs::copy(binary, placed).map(drop)
}
