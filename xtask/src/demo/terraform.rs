//! The demo under `terraform`, by a development override, so that no registry is asked.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::Stage;
use super::story::{self, Change, Host, Wanted};
use crate::process;
use crate::project::place_binary;
use crate::terraform::{cli_configuration, isolate, quote};

const RESOURCE: &str = "denobridge_resource.note";

/// A working folder of Terraform with our provider.
pub struct Terraform<'stage> {
    stage: Stage<'stage>,
    terraform: PathBuf,
}

impl<'stage> Terraform<'stage> {
    /// Places our binary as a provider and writes the CLI configuration that points at it.
    pub fn prepare(stage: Stage<'stage>, terraform: &Path) -> Result<Self> {
        let provider_folder = stage.path("provider");
        place_binary(&stage.binary, &provider_folder, "terraform-provider-denobridge")?;
        stage.write("terraform.rc", &cli_configuration(&[("brad-jones/denobridge", &provider_folder)]))?;
        Ok(Self { stage, terraform: terraform.to_path_buf() })
    }

    fn command(&self, arguments: &[&str]) -> Result<Command> {
        let mut command = Command::new(&self.terraform);
        isolate(&mut command, &self.stage.path("terraform.rc"));
        command.current_dir(self.stage.folder()).args(arguments).env("PATH", self.stage.tools.path_variable(&[])?);
        Ok(command)
    }

    fn run(&self, arguments: &[&str]) -> Result<String> {
        let mut command = self.command(arguments)?;
        println!("    $ terraform {}", story::subcommand(arguments));
        let output = process::capture(&mut command)?.success()?;
        self.stage.echo(&output);
        Ok(output)
    }

    fn write_configuration(&self, wanted: &Wanted) -> Result<()> {
        let (script, path) = (quote(&self.stage.script.display()), quote(&wanted.path.display()));
        let (content, mode) = (quote(&wanted.content), quote(&wanted.mode));
        let text = format!(
            r#"terraform {{
  required_providers {{
    denobridge = {{ source = "brad-jones/denobridge" }}
  }}
}}

resource "denobridge_resource" "note" {{
  path = {script}
  props = {{
    path    = {path}
    content = {content}
    mode    = {mode}
  }}
  permissions = {{ allow = ["read", "write"] }}
}}
"#
        );
        self.stage.write("main.tf", &text)
    }
}

impl Host for Terraform<'_> {
    fn folder(&self) -> &Path {
        self.stage.folder()
    }

    fn plan(&mut self, wanted: &Wanted) -> Result<Change> {
        self.write_configuration(wanted)?;
        self.run(&["plan", "-input=false", "-no-color", "-out=plan.bin"])?;
        // For its JSON; a person would read what `plan` printed.
        let shown = process::capture(&mut self.command(&["show", "-json", "plan.bin"])?)?.success()?;
        let shown: Value = serde_json::from_str(&shown).context("terraform show printed no JSON")?;
        let changes = shown["resource_changes"].as_array().context("the plan lists no resources")?;
        ensure!(changes.len() == 1, "the plan is about {} resources, not one", changes.len());
        match &changes[0]["change"]["actions"] {
            actions if *actions == json!(["no-op"]) => Ok(Change::None),
            actions if *actions == json!(["create"]) => Ok(Change::Create),
            actions if *actions == json!(["update"]) => Ok(Change::Update),
            actions if *actions == json!(["delete", "create"]) => Ok(Change::Replace),
            actions => bail!("terraform plans {actions}"),
        }
    }

    fn apply(&mut self, wanted: &Wanted) -> Result<()> {
        self.write_configuration(wanted)?;
        self.run(&["apply", "-input=false", "-no-color", "-auto-approve"]).map(drop)
    }

    fn forget_and_import(&mut self, wanted: &Wanted) -> Result<()> {
        self.run(&["state", "rm", RESOURCE])?;
        let id = json!({
            "id": wanted.path,
            "path": self.stage.script,
            "props": wanted.props(),
            "permissions": { "allow": ["read", "write"] },
        });
        self.run(&["import", "-input=false", "-no-color", RESOURCE, &id.to_string()]).map(drop)
    }

    fn state(&mut self) -> Result<Option<Value>> {
        let shown = process::capture(&mut self.command(&["show", "-json"])?)?.success()?;
        let mut shown: Value = serde_json::from_str(&shown).context("terraform show printed no JSON")?;
        let resource = shown.pointer_mut("/values/root_module/resources/0/values/state");
        Ok(resource.map(Value::take))
    }

    fn destroy(&mut self) -> Result<()> {
        self.run(&["destroy", "-input=false", "-no-color", "-auto-approve"]).map(drop)
    }
}
