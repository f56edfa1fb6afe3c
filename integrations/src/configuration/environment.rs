//! What an integration's process gets of the environment.
//!
//! Terraform and Pulumi are run with credentials, variables and passphrases in their environment, and hand it on to their
//! plugins. An integration is neither: it gets none of that unless its file says so.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use super::Environment;

/// What is not inherited, by how the name begins.
const PREFIXES: &[&str] = &[
    // Values of Terraform's input variables, which are as sensitive as they like.
    "TF_VAR_",
    // Arguments that are added to every command, `-var` among them.
    "TF_CLI_ARGS",
    // Tokens for hosts: `TF_TOKEN_app_terraform_io`.
    "TF_TOKEN_",
    // Addresses of providers that are running, each as good as the provider's credentials.
    "TF_REATTACH_PROVIDERS",
    // The key of OpenTofu's encrypted state.
    "TF_ENCRYPTION",
    // What go-plugin tells a plugin (certificates, sockets, protocol versions). A child that starts plugins of its own would
    // hand on what was meant for us.
    "PLUGIN_",
    // The cookie that makes a program think that it is a plugin.
    "TF_PLUGIN_MAGIC_COOKIE",
    // The configuration of the running program with its secrets in clear, and the passphrase and keys that stacks are
    // encrypted with.
    "PULUMI_CONFIG",
    // The engine's own socket for what runs within it.
    "PULUMI_MONITOR",
    "PULUMI_ENGINE",
];

/// What is not inherited, by what is in the name: credentials of clouds and services are called so everywhere
/// (`AWS_SECRET_ACCESS_KEY`, `ARM_CLIENT_SECRET`, `GOOGLE_APPLICATION_CREDENTIALS`, `PGPASSWORD`).
const PARTS: &[&str] = &[
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "ACCESS_KEY",
    "ACCOUNT_KEY",
    "PRIVATE_KEY",
    "API_KEY",
    "APIKEY",
    "ENCRYPTION_KEY",
    "SIGNING_KEY",
    // Google's older names for a file of credentials or what is in it.
    "KEYFILE",
    // They have the password in them.
    "CONNECTION_STRING",
    "DATABASE_URL",
];

/// What is not inherited, by a whole word of the name: `GITHUB_TOKEN`, `PULUMI_ACCESS_TOKEN`, `AWS_SESSION_TOKEN`,
/// `AZURE_DEVOPS_EXT_PAT`, `CLIENT_JWT`.
const WORDS: &[&str] = &["TOKEN", "TOKENS", "PAT", "JWT", "SAS", "AUTH"];

impl Environment {
    /// What a process gets, out of the variables that could be inherited.
    #[must_use]
    pub fn of(&self, inherited: impl IntoIterator<Item = (OsString, OsString)>) -> BTreeMap<OsString, OsString> {
        let mut variables: BTreeMap<OsString, OsString> =
            inherited.into_iter().filter(|(name, _)| self.is_inherited(name)).collect();
        for (name, value) in &self.set {
            // Windows does not tell names apart that differ in their case only.
            variables.retain(|inherited, _| !is_same(inherited, name));
            variables.insert(name.into(), value.into());
        }
        variables
    }

    /// A list of what is inherited is taken at its word.
    fn is_inherited(&self, name: &OsStr) -> bool {
        match &self.only {
            Some(only) => only.iter().any(|wanted| is_same(name, wanted)),
            None => !belongs_to_others(name),
        }
    }
}

fn is_same(one: &OsStr, other: &str) -> bool {
    one == other || (cfg!(windows) && one.eq_ignore_ascii_case(other))
}

/// Whether a variable holds what is not meant for integrations, as far as its name says so.
fn belongs_to_others(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || PARTS.iter().any(|part| name.contains(part))
        || name.split('_').any(|word| WORDS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(environment: &Environment, inherited: &[&str]) -> Vec<String> {
        let inherited = inherited.iter().filter_map(|pair| pair.split_once('='));
        let given = environment.of(inherited.map(|(name, value)| (name.into(), value.into())));
        given.iter().map(|(name, value)| format!("{}={}", name.to_string_lossy(), value.to_string_lossy())).collect()
    }

    #[test]
    fn m05_what_belongs_to_others_is_not_inherited() {
        let others = [
            "TF_VAR_db_password",
            "TF_VAR_region",
            "TF_CLI_ARGS_apply",
            "TF_TOKEN_app_terraform_io",
            "TF_REATTACH_PROVIDERS",
            "TF_PLUGIN_MAGIC_COOKIE",
            "TF_HTTP_PASSWORD",
            "PLUGIN_CLIENT_CERT",
            "PLUGIN_PROTOCOL_VERSIONS",
            "PULUMI_CONFIG",
            "PULUMI_CONFIG_PASSPHRASE",
            "PULUMI_CONFIG_PASSPHRASE_FILE",
            "PULUMI_CONFIG_SECRET_KEYS",
            "PULUMI_ACCESS_TOKEN",
            "AWS_ACCESS_KEY_ID",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_SESSION_TOKEN",
            "AWS_WEB_IDENTITY_TOKEN_FILE",
            "AWS_CONTAINER_CREDENTIALS_FULL_URI",
            "ARM_CLIENT_SECRET",
            "ARM_CLIENT_CERTIFICATE_PASSWORD",
            "AZURE_CLIENT_SECRET",
            "AZURE_DEVOPS_EXT_PAT",
            "GOOGLE_CREDENTIALS",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "GOOGLE_CLOUD_KEYFILE_JSON",
            "CLOUDFLARE_API_KEY",
            "DIGITALOCEAN_TOKEN",
            "GITHUB_TOKEN",
            "VAULT_TOKEN",
            "PGPASSWORD",
            "DATABASE_URL",
            "github_token",
        ];
        let others: Vec<String> = others.iter().map(|name| format!("{name}=canary")).collect();
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        assert_eq!(given(&Environment::default(), &others), [""; 0]);
    }

    #[test]
    fn m05_everything_else_is_inherited_and_what_is_set_wins() {
        let usual = ["AWS_REGION=eu", "HOME=/home/me", "PATH=/bin", "PWD=/", "TF_WORKSPACE=w", "TOKENIZERS=1"];
        assert_eq!(given(&Environment::default(), &usual), usual);
        let set = [("PATH", "/opt/bin"), ("VAULT_TOKEN", "mine")].map(|(name, value)| (name.into(), value.into()));
        let environment = Environment { set: set.into(), only: None };
        assert_eq!(
            given(&environment, &["PATH=/bin", "VAULT_TOKEN=theirs", "HOME=/"]),
            ["HOME=/", "PATH=/opt/bin", "VAULT_TOKEN=mine"]
        );
    }

    #[test]
    fn m05_a_list_of_what_is_inherited_is_taken_at_its_word() {
        let environment = Environment { only: Some(vec!["PATH".into(), "GITHUB_TOKEN".into()]), ..Default::default() };
        assert_eq!(
            given(&environment, &["PATH=/bin", "HOME=/", "GITHUB_TOKEN=wanted", "PATHS=/"]),
            ["GITHUB_TOKEN=wanted", "PATH=/bin"]
        );
        let nothing = Environment { only: Some(Vec::new()), ..Default::default() };
        assert_eq!(given(&nothing, &["PATH=/bin"]), [""; 0]);
    }
}
