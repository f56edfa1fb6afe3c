//! The arguments of `denobridge try`, and what they mean as configurations.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use denobridge_core::cty::{Value, json};
use serde_json::Value as Json;

use super::permissions;

/// Run a resource script through its life without Terraform or Pulumi, and show all that is said.
///
/// Without --state the whole life is run in one go: plan, create, read, plan again (nothing may change), the same for every
/// --then, and delete. With --state each run is one `terraform apply`: the state is kept in the file between runs.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("step").args(["plan", "refresh", "destroy", "import"]))]
pub(crate) struct Arguments {
    /// The script: a path, or anything that Deno resolves (https:, jsr:, npm:)
    pub(super) script: String,
    /// The props, as a JSON object
    #[arg(long, value_name = "JSON", conflicts_with = "props_file")]
    props: Option<String>,
    /// A file with the props as a JSON object
    #[arg(long, value_name = "FILE")]
    props_file: Option<PathBuf>,
    /// Props to change to after the creation; may be given several times
    #[arg(long, value_name = "JSON", conflicts_with_all = ["state", "step"])]
    then: Vec<String>,
    /// Props that are given to the script and never stored, as a JSON object
    #[arg(long, value_name = "JSON")]
    write_only_props: Option<String>,
    /// Keep the state in this file between runs, and do one step at a time
    #[arg(long, value_name = "FILE")]
    pub(super) state: Option<PathBuf>,
    /// Only say what would be done
    #[arg(long)]
    pub(super) plan: bool,
    /// Only look whether what is in the state is still so
    #[arg(long, requires = "state")]
    pub(super) refresh: bool,
    /// Delete what is in the state
    #[arg(long, requires = "state")]
    pub(super) destroy: bool,
    /// Take over an existing object by the script's own id for it
    #[arg(long, value_name = "ID")]
    pub(super) import: Option<String>,
    /// Deno permissions to give the script, such as read,write,net=example.com; may be given several times
    #[arg(long, value_name = "LIST")]
    allow: Vec<String>,
    /// Deno permissions to take away
    #[arg(long, value_name = "LIST")]
    deny: Vec<String>,
    /// Give the script all Deno permissions
    #[arg(long)]
    allow_all: bool,
    /// The Deno configuration to run the script with; /dev/null for none
    #[arg(long, value_name = "FILE")]
    config_file: Option<String>,
    /// The Deno executable, if not the `deno` on PATH
    #[arg(long, value_name = "PATH")]
    deno: Option<String>,
    /// Show the requests of Terraform's protocol too
    #[arg(long, short)]
    pub(super) verbose: bool,
}

/// The arguments, read.
pub(super) struct Wanted {
    /// The configuration to create, and those to change to, each as loosely typed as JSON is.
    pub(super) configurations: Vec<Value>,
    /// The provider's own configuration.
    pub(super) provider: Value,
    /// The id to import, in the provider's form.
    pub(super) import: Option<String>,
}

impl Arguments {
    /// Reads everything that is given as JSON or in files.
    pub(super) fn read(&self) -> Result<Wanted, String> {
        let props = match (&self.props, &self.props_file) {
            (Some(text), _) => Some(object("--props", text)?),
            (None, Some(path)) => {
                let text = std::fs::read_to_string(path)
                    .map_err(|error| format!("cannot read --props-file {}: {error}", path.display()))?;
                Some(object(&path.display().to_string(), &text)?)
            }
            (None, None) => None,
        };
        let write_only = self.write_only_props.as_deref().map(|text| object("--write-only-props", text)).transpose()?;
        let permissions = self.permissions()?;
        let mut versions = vec![props.clone()];
        for text in &self.then {
            versions.push(Some(object("--then", text)?));
        }
        let configurations = versions
            .iter()
            .map(|props| {
                let mut configuration = serde_json::json!({
                    "path": self.script,
                    "props": props,
                    "config_file": self.config_file,
                    "permissions": permissions,
                });
                if let (Some(write_only), Some(members)) = (&write_only, configuration.as_object_mut()) {
                    members.insert("write_only_props".to_owned(), write_only.clone());
                }
                loosely_typed(&configuration)
            })
            .collect::<Result<_, _>>()?;
        let provider = loosely_typed(&serde_json::json!({ "deno_binary_path": self.deno }))?;
        let import = self.import.as_ref().map(|id| self.import_id(id, props.as_ref(), &permissions));
        Ok(Wanted { configurations, provider, import })
    }

    fn permissions(&self) -> Result<Json, String> {
        let allow = permissions::parse("--allow", &self.allow)?;
        let deny = permissions::parse("--deny", &self.deny)?;
        let list = |entries: Vec<String>| (!entries.is_empty()).then_some(entries);
        Ok(serde_json::json!({ "all": self.allow_all, "allow": list(allow), "deny": list(deny) }))
    }

    /// The import id of the provider is JSON with all that a script needs to be run. Members that are not given are left
    /// out: null is not the same to every reader.
    fn import_id(&self, id: &str, props: Option<&Json>, permissions: &Json) -> String {
        let members = serde_json::json!({
            "id": id,
            "path": self.script,
            "props": props,
            "config_file": self.config_file,
            "permissions": without_nulls(permissions),
        });
        without_nulls(&members).to_string()
    }
}

fn without_nulls(json: &Json) -> Json {
    let Json::Object(members) = json else { return json.clone() };
    members.iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn object(origin: &str, text: &str) -> Result<Json, String> {
    match serde_json::from_str(text) {
        Ok(json @ Json::Object(_)) => Ok(json),
        Ok(_) => Err(format!("{origin}: a JSON object is required, such as {{\"name\": \"value\"}}")),
        Err(error) => Err(format!("{origin}: not JSON: {error}")),
    }
}

fn loosely_typed(json: &Json) -> Result<Value, String> {
    json::from_json(json, &json::implied_type(json)).map_err(|error| format!("cannot use the arguments: {error}"))
}
