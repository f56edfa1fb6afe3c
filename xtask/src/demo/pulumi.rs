//! The demo under `pulumi`, with a YAML program, a backend in a folder and our binary as the plugin on PATH.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::Stage;
use super::story::{self, Change, Host, Wanted};
use crate::process;
use crate::project::place_binary;

/// The type of a scripted resource in the generic package.
const TOKEN: &str = "denobridge:index:Script";
const URN: &str = "urn:pulumi:demo::denobridge-demo::denobridge:index:Script::note";

/// A Pulumi project of one resource.
pub struct Pulumi<'stage> {
    stage: Stage<'stage>,
    pulumi: PathBuf,
}

impl<'stage> Pulumi<'stage> {
    /// Places our binary as a plugin and creates a stack.
    pub fn prepare(stage: Stage<'stage>, pulumi: &Path) -> Result<Self> {
        place_binary(&stage.binary, &stage.path("plugin"), "pulumi-resource-denobridge")?;
        for folder in ["state", "home"] {
            std::fs::create_dir(stage.path(folder)).with_context(|| format!("cannot create the folder {folder}"))?;
        }
        let host = Self { stage, pulumi: pulumi.to_path_buf() };
        host.stage.write("Pulumi.yaml", "name: denobridge-demo\nruntime: yaml\n")?;
        host.run(&["stack", "init", "demo"])?;
        Ok(host)
    }

    fn command(&self, arguments: &[&str]) -> Result<Command> {
        let mut command = Command::new(&self.pulumi);
        process::forget_variables(&mut command, &["PULUMI_"]);
        command.current_dir(self.stage.folder()).args(arguments).arg("--non-interactive");
        command.env("PATH", self.stage.tools.path_variable(&[&self.stage.path("plugin")])?);
        command.env("PULUMI_HOME", self.stage.path("home"));
        command.env("PULUMI_BACKEND_URL", format!("file://{}", self.stage.path("state").display()));
        command.env("PULUMI_CONFIG_PASSPHRASE", "demo");
        // Everything that is needed is here; nothing is to be fetched or asked.
        command.env("PULUMI_SKIP_UPDATE_CHECK", "1").env("PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION", "1");
        Ok(command)
    }

    fn run(&self, arguments: &[&str]) -> Result<String> {
        println!("    $ pulumi {}", story::subcommand(arguments));
        let output = process::capture(&mut self.command(arguments)?)?.success()?;
        self.stage.echo(&output);
        Ok(output)
    }

    fn exported_resources(&self) -> Result<Vec<Value>> {
        let exported = process::capture(&mut self.command(&["stack", "export"])?)?.success()?;
        let mut exported: Value = serde_json::from_str(&exported).context("the exported stack is no JSON")?;
        match exported["deployment"]["resources"].take() {
            Value::Array(resources) => Ok(resources),
            _ => Ok(Vec::new()),
        }
    }

    fn write_program(&self, wanted: &Wanted) -> Result<()> {
        let program = json!({
            "name": "denobridge-demo",
            "runtime": "yaml",
            "resources": {
                "note": {
                    "type": TOKEN,
                    "properties": {
                        "path": self.stage.script,
                        "props": wanted.props(),
                        "permissions": { "allow": ["read", "write"] },
                    },
                },
            },
        });
        // JSON is YAML; this is a program that a person can read all the same.
        self.stage.write("Pulumi.yaml", &format!("{program:#}\n"))
    }
}

impl Host for Pulumi<'_> {
    fn folder(&self) -> &Path {
        self.stage.folder()
    }

    fn plan(&mut self, wanted: &Wanted) -> Result<Change> {
        self.write_program(wanted)?;
        let preview = self.run(&["preview", "--refresh", "--json", "--show-sames"])?;
        let preview: Value = serde_json::from_str(&preview).context("pulumi preview printed no JSON")?;
        let steps = preview["steps"].as_array().context("the preview lists no steps")?;
        let ours = steps.iter().filter(|step| step["urn"] == URN).filter_map(|step| step["op"].as_str());
        // What the refresh found is a step of its own; a replacement is told as three steps.
        let mut operations: Vec<&str> = ours.filter(|operation| *operation != "refresh").collect();
        operations.sort_unstable();
        match operations.as_slice() {
            ["same"] => Ok(Change::None),
            ["create"] => Ok(Change::Create),
            ["update"] => Ok(Change::Update),
            several if several.contains(&"replace") => Ok(Change::Replace),
            other => bail!("pulumi plans {other:?}"),
        }
    }

    fn apply(&mut self, wanted: &Wanted) -> Result<()> {
        self.write_program(wanted)?;
        self.run(&["up", "--yes", "--refresh", "--skip-preview"]).map(drop)
    }

    fn forget_and_import(&mut self, wanted: &Wanted) -> Result<()> {
        self.run(&["state", "delete", URN, "--yes"])?;
        let id = json!({
            "id": wanted.path,
            "path": self.stage.script,
            "props": wanted.props(),
            "permissions": { "allow": ["read", "write"] },
        });
        let id = id.to_string();
        let import =
            ["import", TOKEN, "note", &id, "--yes", "--protect=false", "--generate-code=false", "--skip-preview"];
        self.run(&import).map(drop)
    }

    fn state(&mut self) -> Result<Option<Value>> {
        let mut resources = self.exported_resources()?;
        let ours = resources.iter_mut().find(|resource| resource["urn"] == URN);
        Ok(ours.map(|resource| resource["outputs"]["state"].take()))
    }

    fn destroy(&mut self) -> Result<()> {
        self.run(&["destroy", "--yes", "--skip-preview"])?;
        let left = self.exported_resources()?.len();
        ensure!(left == 0, "{left} resources are left in the stack");
        Ok(())
    }
}
