//! `credentials_helper`: a program of the user's that knows tokens.
//!
//! `terraform-credentials-NAME ARGUMENTS… get HOST` prints `{"token": "…"}`, or `{}` for a host that it knows nothing of:
//! <https://developer.hashicorp.com/terraform/internals/credentials-helpers>

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::process::Command;
use tokio::sync::Mutex;

use super::ConfigurationError;
use super::credentials::Token;
use super::locate::helper_folders;
use crate::environment::Environment;
use crate::limits::REQUEST_TIMEOUT;

/// How the name of every helper's program begins.
const PREFIX: &str = "terraform-credentials-";

/// How much of a helper's error is shown, in characters.
const SHOWN: usize = 500;

/// A helper, and what it has said.
#[derive(Clone, Debug)]
pub(super) struct Helper {
    name: String,
    program: PathBuf,
    arguments: Vec<String>,
    /// The configuration file that names it.
    file: String,
    /// By host. It is asked once for each, one host at a time: it may ask the user.
    said: Arc<Mutex<BTreeMap<String, Option<Token>>>>,
}

impl Helper {
    /// Looks for the program of a helper; without one, says so, and there are no tokens from it, as in Terraform.
    pub(super) fn find(
        name: &str,
        arguments: Vec<&str>,
        file: &str,
        environment: &Environment,
    ) -> Result<Self, String> {
        let program_name = format!("{PREFIX}{name}{}", std::env::consts::EXE_SUFFIX);
        let folders = helper_folders(environment);
        let program = folders.iter().map(|folder| folder.join(&program_name)).find(|program| program.is_file());
        let Some(program) = program else {
            let folders: Vec<_> = folders.iter().map(|folder| folder.display().to_string()).collect();
            return Err(format!(
                "the credentials_helper {name:?} in {file} is not run: there is no {program_name} in {}",
                folders.join(" nor in ")
            ));
        };
        let arguments = arguments.into_iter().map(str::to_owned).collect();
        Ok(Self { name: name.to_owned(), program, arguments, file: file.to_owned(), said: Arc::default() })
    }

    /// The token for a host, if the helper knows one.
    pub(super) async fn token_of(&self, host: &str, limit: Duration) -> Result<Option<Token>, ConfigurationError> {
        let mut said = self.said.lock().await;
        if let Some(token) = said.get(host) {
            return Ok(token.clone());
        }
        let token = self.ask(host, limit).await.map_err(|reason| {
            let place = format!("the credentials_helper {:?} in {}", self.name, self.file);
            ConfigurationError::new(place, format!("asked for {host}, {} {reason}", self.program.display()))
        })?;
        said.insert(host.to_owned(), token.clone());
        Ok(token)
    }

    /// What it says; an error never quotes what it has printed, which may be a token.
    async fn ask(&self, host: &str, limit: Duration) -> Result<Option<Token>, String> {
        let ascii = idna::domain_to_ascii(host).unwrap_or_else(|_| host.to_owned());
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).args(["get", &ascii]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let output = tokio::time::timeout(limit, command.output()).await.map_err(|_| {
            format!("did not answer within {} s, which is what {REQUEST_TIMEOUT} allows", limit.as_secs_f32())
        })?;
        let output = output.map_err(|error| format!("cannot be run: {error}"))?;
        if !output.status.success() {
            let complaint = String::from_utf8_lossy(&output.stderr);
            let complaint: String = complaint.trim().chars().take(SHOWN).collect();
            return Err(format!("ended with {}: {complaint}", output.status));
        }
        let answer: Map<String, Value> = serde_json::from_slice(&output.stdout)
            .map_err(|_| "printed something that is no JSON object".to_owned())?;
        match answer.get("token") {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(token)) if token.is_empty() => Ok(None),
            Some(Value::String(token)) => {
                Ok(Some(Token::new(token.as_str(), format!("the credentials_helper {:?}", self.name))))
            }
            Some(_) => Err("printed a token that is no text".to_owned()),
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;

    use super::*;

    /// A helper whose program is this script.
    fn helper(home: &std::path::Path, script: &str) -> Helper {
        let folder = home.join(".terraform.d/plugins");
        fs::create_dir_all(&folder).unwrap();
        let text = home.join("script");
        fs::write(&text, format!("#!/bin/sh\n{script}\n")).unwrap();
        // Written by another process, so that no fork of a test beside this one holds it open for writing.
        let program = folder.join("terraform-credentials-vault");
        let installed = std::process::Command::new("install").arg("-m755").args([&text, &program]).status();
        assert!(installed.unwrap().success());
        let environment = Environment::new([("HOME".to_owned(), home.to_str().unwrap().to_owned())], home);
        Helper::find("vault", vec!["--from", "here"], "FILE", &environment).unwrap()
    }

    #[tokio::test]
    async fn a_helper_is_asked_once_for_each_host() {
        let home = tempfile::tempdir().unwrap();
        let script = r#"echo "$@" >> "$(dirname "$0")/asked"
            case $4 in known.*) echo '{"token": "hunter2"}';; *) echo '{}';; esac"#;
        let helper = helper(home.path(), script);
        let mut tokens = Vec::new();
        for host in ["known.example", "other.example", "known.example", "other.example"] {
            tokens.push(
                helper.token_of(host, Duration::from_secs(60)).await.unwrap().map(|token| token.secret().to_owned()),
            );
        }
        assert_eq!(tokens, [Some("hunter2".to_owned()), None, Some("hunter2".to_owned()), None]);
        let asked = fs::read_to_string(home.path().join(".terraform.d/plugins/asked")).unwrap();
        assert_eq!(asked, "--from here get known.example\n--from here get other.example\n");
    }

    #[tokio::test]
    async fn what_a_helper_does_wrong_is_told_without_what_it_printed() {
        let mut told = String::new();
        for script in ["echo 'no such user' >&2; exit 3", "echo hunter2", r#"echo '{"token": 7}'"#, "exec sleep 60"] {
            let home = tempfile::tempdir().unwrap();
            let limit = Duration::from_millis(if script.contains("sleep") { 200 } else { 60_000 });
            let error = helper(home.path(), script).token_of("a.example", limit).await.unwrap_err().to_string();
            told.push_str(&error.replace(home.path().to_str().unwrap(), "HOME"));
            told.push('\n');
        }
        insta::assert_snapshot!(told, @r#"
        the credentials_helper "vault" in FILE cannot be used: asked for a.example, HOME/.terraform.d/plugins/terraform-credentials-vault ended with exit status: 3: no such user
        the credentials_helper "vault" in FILE cannot be used: asked for a.example, HOME/.terraform.d/plugins/terraform-credentials-vault printed something that is no JSON object
        the credentials_helper "vault" in FILE cannot be used: asked for a.example, HOME/.terraform.d/plugins/terraform-credentials-vault printed a token that is no text
        the credentials_helper "vault" in FILE cannot be used: asked for a.example, HOME/.terraform.d/plugins/terraform-credentials-vault did not answer within 0.2 s, which is what TF_REGISTRY_CLIENT_TIMEOUT allows
        "#);
    }
}
