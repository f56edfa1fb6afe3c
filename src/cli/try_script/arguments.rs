//! The arguments of `denobridge try`, and what they mean as configurations.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use denobridge_core::cty::{self, Value};
use serde_json::Value as Json;

use super::permissions;

/// What a script is tried as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Kind {
    /// Something with a life: create, read, update, delete
    Resource,
    /// Something that is looked up: read
    Datasource,
    /// Something that is lent: open, renew, close
    Ephemeral,
    /// Something that is done: invoke
    Action,
    /// Something that is computed: call
    Function,
    /// Something that is found: list
    List,
}

/// What else can be done with a script than to try it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Only {
    /// Show what it says of itself, as typed packages are made of it
    Schema,
}

/// Run a script without Terraform or Pulumi, and show all that is said.
///
/// A resource is run through its life. Without --state the whole life is run in one go: plan, create, read, plan again (nothing may change), the same for every
/// --then, and delete. With --state each run is one `terraform apply`: the state is kept in the file between runs.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("step").args(["plan", "refresh", "destroy", "import"]))]
pub(crate) struct Arguments {
    /// The script: a path, or anything that Deno resolves (https:, jsr:, npm:)
    pub(super) script: String,
    /// Only do this
    #[arg(value_enum, value_name = "schema")]
    pub(super) only: Option<Only>,
    /// What the script is
    #[arg(long, value_enum, default_value_t = Kind::Resource)]
    pub(super) kind: Kind,
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
    /// With --kind function: which of the script's functions to call
    #[arg(long, value_name = "NAME", default_value = "")]
    function: String,
    /// With --kind function: an argument, as JSON; may be given several times
    #[arg(long, value_name = "JSON", requires = "function")]
    argument: Vec<String>,
    /// What the provider's configuration tells scripts, as JSON
    #[arg(long, value_name = "JSON")]
    config: Option<String>,
    /// The secret part of that
    #[arg(long, value_name = "JSON")]
    sensitive_config: Option<String>,
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
    pub(super) config_file: Option<String>,
    /// The Deno executable, if not the `deno` on PATH
    #[arg(long, value_name = "PATH")]
    pub(super) deno: Option<String>,
    /// Write what goes to the script and comes back to this file too, a JSON object on each line
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
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
    /// The arguments of the function that calls functions of scripts.
    pub(super) call: Vec<Value>,
}

impl Arguments {
    /// Reads everything that is given as JSON or in files.
    pub(super) fn read(&self) -> Result<Wanted, String> {
        self.check_kind()?;
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
        let config = self.config.as_deref().map(|text| json("--config", text)).transpose()?;
        let secret = self.sensitive_config.as_deref().map(|text| json("--sensitive-config", text)).transpose()?;
        let provider = loosely_typed(&serde_json::json!({
            "deno_binary_path": self.deno,
            "config": config,
            "sensitive_config": secret,
        }))?;
        let import = self.import.as_ref().map(|id| self.import_id(id, props.as_ref(), &permissions));
        Ok(Wanted { configurations, provider, import, call: self.call()? })
    }

    /// What has a meaning for resources only must not be given in vain.
    fn check_kind(&self) -> Result<(), String> {
        let resource = self.kind == Kind::Resource;
        let given = [
            ("--then", !self.then.is_empty()),
            ("--write-only-props", self.write_only_props.is_some()),
            ("--state", self.state.is_some()),
            ("--plan", self.plan),
            ("--import", self.import.is_some()),
        ];
        if let Some((option, _)) = given.into_iter().find(|(_, given)| *given && !resource) {
            return Err(format!("{option} is for resources only"));
        }
        match (self.kind == Kind::Function, self.function.is_empty()) {
            (true, true) => Err("--kind function needs --function NAME".to_owned()),
            (false, false) => Err("--function is for --kind function only".to_owned()),
            _ => Ok(()),
        }
    }

    fn call(&self) -> Result<Vec<Value>, String> {
        let mut call = vec![Value::string(&self.script), Value::string(&self.function)];
        for text in &self.argument {
            call.push(loosely_typed(&json("--argument", text)?)?);
        }
        Ok(call)
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

fn json(origin: &str, text: &str) -> Result<Json, String> {
    serde_json::from_str(text).map_err(|error| format!("{origin}: not JSON: {error}"))
}

fn object(origin: &str, text: &str) -> Result<Json, String> {
    match json(origin, text)? {
        json @ Json::Object(_) => Ok(json),
        _ => Err(format!("{origin}: a JSON object is required, such as {{\"name\": \"value\"}}")),
    }
}

fn loosely_typed(json: &Json) -> Result<Value, String> {
    cty::json::from_json(json, &cty::json::implied_type(json))
        .map_err(|error| format!("cannot use the arguments: {error}"))
}
