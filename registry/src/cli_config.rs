//! The user's CLI configuration for Terraform or OpenTofu: where providers come from, and credentials.
//!
//! The same files, with the same rules, as those programs read: <https://opentofu.org/docs/cli/config/config-file/>.

mod credentials;
mod document;
mod hcl;
mod helper;
mod installation;
mod locate;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) use credentials::{Token, Tokens, token_variable};
pub(crate) use installation::{DevOverrides, Installation, Method, Place};
pub(crate) use locate::implied_mirrors;

use crate::address::normal_hostname;
use crate::environment::Environment;
use crate::limits::Limits;
use document::Body;
use helper::Helper;

/// Why the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{place} cannot be used: {reason}")]
pub struct ConfigurationError {
    place: String,
    reason: String,
    is_variable: bool,
}

impl ConfigurationError {
    pub(crate) fn new(place: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { place: place.into(), reason: reason.into(), is_variable: false }
    }

    /// About an environment variable.
    pub(crate) fn variable(name: &str, reason: impl Into<String>) -> Self {
        Self { is_variable: true, ..Self::new(name, reason) }
    }

    pub(crate) fn advice(&self) -> &'static str {
        match self.is_variable {
            true => "Correct the variable.",
            false => "Correct the file, or have TF_CLI_CONFIG_FILE name another one.",
        }
    }
}

/// What the configuration says.
#[derive(Clone, Debug, Default)]
pub(crate) struct CliConfiguration {
    /// `None`: implied mirrors, then registries.
    pub(crate) installation: Option<Installation>,
    pub(crate) dev_overrides: DevOverrides,
    /// Read only: Terraform's cache is Terraform's.
    pub(crate) plugin_cache: Option<PathBuf>,
    /// Where a host's registry is, instead of asking the host.
    pub(crate) registries: BTreeMap<String, String>,
    tokens: Tokens,
    /// Asked for the token of a host that has none here.
    helper: Option<Helper>,
    pub(crate) limits: Limits,
    /// What the user should know.
    pub(crate) warnings: Vec<String>,
}

impl CliConfiguration {
    /// Reads the files and variables.
    pub(crate) fn load(environment: &Environment) -> Result<Self, ConfigurationError> {
        let mut configuration = Self::default();
        let locations = locate::locations(environment);
        let mut files = Vec::from_iter(locations.named.or(locations.file));
        files.extend(locations.folder.into_iter().flat_map(|folder| files_in(&folder)));
        for file in files {
            configuration.add_file(&file, environment)?;
        }
        configuration.tokens.add_variables(environment);
        if let Some(folder) = environment.folder("TF_PLUGIN_CACHE_DIR") {
            configuration.plugin_cache = Some(folder);
        }
        Ok(configuration)
    }

    /// The token for a host, in the form of addresses.
    ///
    /// # Errors
    /// The credentials helper fails.
    pub(crate) async fn token_of(&self, host: &str) -> Result<Option<Token>, ConfigurationError> {
        match (self.tokens.of_host(host), &self.helper) {
            (Some(token), _) => Ok(Some(token.clone())),
            (None, Some(helper)) => helper.token_of(host, self.limits.request_timeout).await,
            (None, None) => Ok(None),
        }
    }

    fn add_file(&mut self, path: &Path, environment: &Environment) -> Result<(), ConfigurationError> {
        let file = path.display().to_string();
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            // As in Terraform: a name in a variable may be stale.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.warnings.push(format!("the CLI configuration {file} does not exist"));
                return Ok(());
            }
            Err(error) => return Err(ConfigurationError::new(file, error.to_string())),
        };
        let added = document::read(path, &text).and_then(|body| self.add(&body, &file, environment));
        added.map_err(|reason| ConfigurationError::new(file, reason))
    }

    fn add(&mut self, body: &Body, file: &str, environment: &Environment) -> Result<(), String> {
        for block in body.blocks("provider_installation") {
            if let Some(first) = &self.installation {
                return Err(format!("there can be only one provider_installation block, and {} has one", first.file));
            }
            let (installation, dev_overrides) = installation::read(block, file, environment)?;
            self.installation = Some(installation);
            self.dev_overrides = dev_overrides;
        }
        if let (None, Some(folder)) = (&self.plugin_cache, body.text("plugin_cache_dir")?) {
            self.plugin_cache = Some(environment.resolve(environment.expand(folder)));
        }
        self.tokens.add_file(body, file)?;
        self.add_hosts(body)?;
        for block in body.blocks("registry_protocols") {
            self.limits.request_retries = block.number("retry_count")?.unwrap_or(self.limits.request_retries);
            if let Some(seconds) = block.number("request_timeout_seconds")? {
                self.limits.request_timeout = Duration::from_secs(u64::from(seconds));
            }
        }
        for (name, block) in body.labelled("credentials_helper") {
            if self.helper.is_some() {
                return Err("there can be only one credentials_helper block".to_owned());
            }
            match Helper::find(name, block.texts("args")?, file, environment) {
                Ok(helper) => self.helper = Some(helper),
                Err(missing) => self.warnings.push(missing),
            }
        }
        Ok(())
    }

    fn add_hosts(&mut self, body: &Body) -> Result<(), String> {
        for (host, block) in body.labelled("host") {
            let host = normal_hostname(host).map_err(|reason| format!("in a host block {reason}"))?;
            for services in block.blocks("services") {
                if let Some(registry) = services.text(crate::source::PROVIDERS_SERVICE)? {
                    self.registries.insert(host.clone(), registry.to_owned());
                }
            }
        }
        Ok(())
    }
}

/// The configuration files of a folder, in the order of their names.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_one = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.ends_with(".tfrc") || name.ends_with(".tfrc.json")
    };
    let mut files: Vec<_> = entries.filter(is_one).collect();
    files.sort();
    files
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::limits::REQUEST_TIMEOUT;

    fn load(files: &[(&str, &str)], variables: &[(&str, &str)]) -> Result<CliConfiguration, String> {
        let home = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = home.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let path = home.path().to_str().unwrap().to_owned();
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let home_variable = [("HOME".to_owned(), path.clone())];
        let environment = Environment::new(home_variable.into_iter().chain(variables), home.path());
        let loaded = CliConfiguration::load(&environment);
        loaded.map_err(|error| error.to_string().replace(&path, "HOME"))
    }

    #[test]
    fn files_and_variables_are_put_together() {
        let files = [
            (
                ".terraformrc",
                "plugin_cache_dir = \"$HOME/cache\"\n\
                 host \"A.example\" { services { \"providers.v1\" = \"https://b.example/v1/\" } }\n\
                 registry_protocols { request_timeout_seconds = 3 }\n\
                 credentials_helper \"vault\" {}",
            ),
            (".terraform.d/z.tfrc", "provider_installation { direct {} }\nplugin_cache_dir = \"/other\""),
            (".terraform.d/credentials.tfrc.json", r#"{"credentials": {"a.example": {"token": "t"}}}"#),
            (".terraform.d/not-this", "}"),
        ];
        let configuration = load(&files, &[]).unwrap();
        assert!(configuration.plugin_cache.unwrap().ends_with("cache"));
        assert_eq!(configuration.registries["a.example"], "https://b.example/v1/");
        assert_eq!(configuration.limits.request_timeout, Duration::from_secs(3));
        assert_eq!(configuration.installation.unwrap().methods.len(), 1);
        assert!(configuration.tokens.of_host("a.example").is_some());
        assert!(configuration.warnings[0].starts_with("the credentials_helper \"vault\""));
        let named = load(&files, &[("TF_CLI_CONFIG_FILE", "gone"), ("TF_PLUGIN_CACHE_DIR", "/c")]).unwrap();
        assert!(named.tokens.of_host("a.example").is_none(), "a named file is the only one");
        assert_eq!(named.plugin_cache.unwrap(), Path::new("/c"));
        assert_eq!(named.warnings.len(), 1);
        let environment = Environment::new([(REQUEST_TIMEOUT.to_owned(), "7".to_owned())], ".");
        let limits = configuration.limits.overridden_by(&environment).unwrap();
        assert_eq!(limits.request_timeout, Duration::from_secs(7));
    }

    #[test]
    fn what_cannot_be_used_names_its_file() {
        let two = [(".tofurc", "provider_installation {}"), (".terraform.d/a.tfrc", "provider_installation {}")];
        let token = [(".tofurc", "credentials \"a\" { token = 3 }")];
        let host = [(".tofurc", "credentials \"a..b\" { token = \"t\" }")];
        let syntax = [(".tofurc", "\nplugin_cache_dir = cache")];
        let messages = [&two[..], &token, &host, &syntax].map(|files| load(files, &[]).unwrap_err());
        insta::assert_snapshot!(messages.join("\n"), @r#"
        HOME/.terraform.d/a.tfrc cannot be used: there can be only one provider_installation block, and HOME/.tofurc has one
        HOME/.tofurc cannot be used: "token" must be text
        HOME/.tofurc cannot be used: in a credentials block the hostname "a..b" is no name of a host
        HOME/.tofurc cannot be used: line 2: "cache" is no value; text needs quotes
        "#);
    }
}
