//! The packages of npm and PyPI that check and run programs: pinned by lock files in `tests/languages/`, downloaded once.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::process;
use crate::project::Project;

/// The files that say what is installed.
const PINNED: [&str; 3] = ["package.json", "package-lock.json", "requirements.txt"];

/// Where the packages are.
pub struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// Downloads what the lock files name, unless that was done before.
    pub fn install(project: &Project) -> Result<Self> {
        let environment = Self { folder: project.path(".tools/languages") };
        let pinned = pinned(project)?;
        let stamp = environment.folder.join("stamp");
        if std::fs::read_to_string(&stamp).is_ok_and(|stamp| stamp == pinned) {
            return Ok(environment);
        }
        println!("installing packages of npm and PyPI …");
        // A stamp never vouches for something half done.
        if environment.folder.exists() {
            std::fs::remove_dir_all(&environment.folder).context("cannot remove what was installed before")?;
        }
        std::fs::create_dir_all(&environment.folder).context("cannot create a folder in .tools")?;
        for file in PINNED {
            std::fs::copy(source(project, file), environment.folder.join(file)).context("cannot copy a lock file")?;
        }
        environment.install_npm()?;
        environment.install_python()?;
        std::fs::write(&stamp, pinned).with_context(|| format!("cannot write {}", stamp.display()))?;
        Ok(environment)
    }

    /// Where they are installed; `node_modules` is in it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The interpreter with the packages of PyPI.
    pub fn python(&self) -> PathBuf {
        let program = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
        self.folder.join("venv").join(program)
    }

    /// A program of npm's, run by Node.
    pub fn node(&self, script: &str) -> Result<Command> {
        let mut command = Command::new(program("node")?);
        command.arg(self.folder.join("node_modules").join(script));
        Ok(command)
    }

    fn install_npm(&self) -> Result<()> {
        let mut install = Command::new(program("npm")?);
        install.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]);
        process::run(install.current_dir(&self.folder))
    }

    fn install_python(&self) -> Result<()> {
        let found = ["python3", "python"].into_iter().find_map(process::find_on_path);
        let mut create = Command::new(found.context("Python is not on PATH")?);
        process::run(create.args(["-m", "venv", "venv"]).current_dir(&self.folder))?;
        let mut install = Command::new(self.python());
        install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]);
        install.args(["--only-binary", ":all:", "--requirement", "requirements.txt"]);
        process::run(install.current_dir(&self.folder))
    }
}

fn program(name: &str) -> Result<PathBuf> {
    process::find_on_path(name).with_context(|| format!("{name} is not on PATH: install Node.js 20 or newer"))
}

fn source(project: &Project, file: &str) -> PathBuf {
    project.path("tests/languages").join(file)
}

fn pinned(project: &Project) -> Result<String> {
    let mut digest = Sha256::new();
    for file in PINNED {
        let path = source(project, file);
        digest.update(std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?);
        digest.update([0]);
    }
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
