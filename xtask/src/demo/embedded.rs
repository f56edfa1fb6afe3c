//! The demo by the embedded host, `denobridge try`: no other program than Deno takes part.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};
use serde_json::Value;

use super::Stage;
use super::story::{Change, Host, Wanted};
use crate::process;

/// A state file of `denobridge try`.
pub struct Embedded<'stage> {
    stage: Stage<'stage>,
}

impl<'stage> Embedded<'stage> {
    /// Nothing is there yet but a folder.
    pub fn prepare(stage: Stage<'stage>) -> Self {
        Self { stage }
    }

    fn run(&self, arguments: &[&str]) -> Result<String> {
        let mut command = Command::new(&self.stage.binary);
        command.current_dir(self.stage.folder()).env("PATH", self.stage.tools.path_variable(&[])?);
        command.arg("try").arg(&self.stage.script).args(["--state", "state.json"]);
        command.args(["--allow", "read,write"]).args(arguments);
        let shown: Vec<String> = arguments.iter().map(|word| process::quote(word)).collect();
        println!("    $ denobridge try file.ts --state state.json --allow read,write {}", shown.join(" "));
        let output = process::capture(&mut command)?.success()?;
        self.stage.echo(&output);
        Ok(output)
    }
}

impl Host for Embedded<'_> {
    fn folder(&self) -> &Path {
        self.stage.folder()
    }

    fn plan(&mut self, wanted: &Wanted) -> Result<Change> {
        let output = self.run(&["--props", &wanted.props().to_string(), "--plan"])?;
        match output.lines().find_map(|line| line.strip_prefix("plan: ")) {
            Some("no change") => Ok(Change::None),
            Some("create") => Ok(Change::Create),
            Some("update") => Ok(Change::Update),
            Some("replace") => Ok(Change::Replace),
            other => bail!("`denobridge try` plans {other:?}:\n{output}"),
        }
    }

    fn apply(&mut self, wanted: &Wanted) -> Result<()> {
        self.run(&["--props", &wanted.props().to_string()]).map(drop)
    }

    fn forget_and_import(&mut self, wanted: &Wanted) -> Result<()> {
        std::fs::remove_file(self.stage.path("state.json"))?;
        let id = wanted.path.display().to_string();
        self.run(&["--props", &wanted.props().to_string(), "--import", &id]).map(drop)
    }

    fn state(&mut self) -> Result<Option<Value>> {
        let path = self.stage.path("state.json");
        if !path.exists() {
            return Ok(None);
        }
        let mut stored: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
        // A value of any type is stored beside its type.
        Ok(stored.pointer_mut("/attributes/state/value").map(Value::take))
    }

    fn destroy(&mut self) -> Result<()> {
        self.run(&["--destroy"]).map(drop)
    }
}
