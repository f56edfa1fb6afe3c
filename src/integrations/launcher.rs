//! Starts integrations so that they end with us: programs, and scripts with the Deno that runs all scripts.
//!
//! What the file says of other files is meant from where it is, whatever folder the host works in: programs and scripts are
//! found from its folder, and work there.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path};
use std::process::{Command, Stdio};
use std::sync::Arc;

use denobridge_integrations::configuration::{Integration, Program};
use denobridge_integrations::process::{Launched, Launcher, ProcessGroup};
use futures::future::BoxFuture;
use serde_json::Value as Json;

use crate::children::{self, Group, Watcher};
use crate::deno::command::{self, ConfigurationFile, Location, Mode};
use crate::deno::{Deno, Permissions, Search, environment};

/// Starts integrations.
pub struct ProcessLauncher {
    watcher: Arc<Watcher>,
    /// What runs scripts; looked for when the first is started.
    deno: Deno,
}

impl ProcessLauncher {
    /// Whose processes this watcher knows. Scripts run with the Deno that the environment says.
    #[must_use]
    pub fn new(watcher: Arc<Watcher>) -> Self {
        Self { watcher, deno: Search::from_environment().into() }
    }

    /// The same with this Deno.
    #[must_use]
    pub fn with_deno(mut self, deno: Deno) -> Self {
        self.deno = deno;
        self
    }
}

impl Launcher for ProcessLauncher {
    fn launch(&self, integration: Arc<Integration>) -> BoxFuture<'static, io::Result<Launched>> {
        let (watcher, deno) = (Arc::clone(&self.watcher), self.deno.clone());
        Box::pin(async move {
            let mut command = match &integration.program {
                Program::Command(words) => program(words, &integration.directory)?,
                Program::Script { script, permissions } => {
                    let deno = deno.locate().await.map_err(|error| {
                        let advice = error.advice();
                        io::Error::other(format!("{error}. {advice}"))
                    })?;
                    self::script(&deno, script, permissions, &integration.directory)?
                }
            };
            command.current_dir(&integration.directory);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            command.env_clear().envs(environment_of(&integration, std::env::vars_os().collect()));
            let name = command.get_program().to_string_lossy().into_owned();
            let spawned = children::spawn(command, watcher).await;
            let spawned = spawned.map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))?;
            if let Some(error) = spawned.unwatched {
                eprintln!(
                    "denobridge: what the integration {} starts may outlive this plugin, since it cannot be watched: {error}",
                    integration.name
                );
            }
            Ok(Launched { child: spawned.child, group: Box::new(spawned.group) })
        })
    }
}

impl ProcessGroup for Group {
    fn ask_to_end(&self) {
        self.terminate();
    }
}

/// The command of a program with its arguments.
fn program(words: &[String], directory: &Path) -> io::Result<Command> {
    let (program, arguments) = words.split_first().ok_or_else(|| io::Error::other("the command is empty"))?;
    let path = Path::new(program);
    // Any other is found in PATH.
    let is_path = path.components().nth(1).is_some() || matches!(path.components().next(), Some(Component::CurDir));
    let mut command = Command::new(if is_path { directory.join(path) } else { path.to_owned() });
    command.args(arguments);
    Ok(command)
}

/// The command of a script, as for any other script.
fn script(deno: &Path, script: &str, permissions: &Json, directory: &Path) -> io::Result<Command> {
    let location = Location::parse(script, directory)?;
    let configuration = ConfigurationFile::Discovered.in_mode(Mode::Run, &location);
    let mut command = Command::new(deno);
    command.args(command::arguments(Mode::Run, &location, &configuration, &permissions_of(permissions)));
    Ok(command)
}

/// Permissions as they are written in the file: `"all"`, `"none"`, a list of what is allowed, or a table.
fn permissions_of(given: &Json) -> Permissions {
    let list = |entries: &Json| {
        let entries = entries.as_array().into_iter().flatten();
        entries.filter_map(Json::as_str).map(str::to_owned).collect()
    };
    match given {
        Json::Array(_) => Permissions { allow: list(given), ..Permissions::default() },
        Json::Object(_) => Permissions {
            all: given["all"].as_bool().unwrap_or_default(),
            allow: list(&given["allow"]),
            deny: list(&given["deny"]),
        },
        word => Permissions { all: word == "all", ..Permissions::default() },
    }
}

/// What a process gets of the environment. Deno gets what it needs itself, too, also where the file lists what is inherited:
/// a script can read none of it without permission.
fn environment_of(integration: &Integration, ours: Vec<(OsString, OsString)>) -> BTreeMap<OsString, OsString> {
    let mut needed = BTreeMap::new();
    if matches!(integration.program, Program::Script { .. }) && integration.environment.only.is_some() {
        needed.extend(ours.iter().filter(|(name, _)| environment::is_needed(name)).cloned());
    }
    needed.extend(integration.environment.of(ours));
    needed
}

#[cfg(test)]
mod tests {

    use serde_json::json;
    use tokio::io::AsyncReadExt;

    use super::*;
    use crate::children::WatcherProgram;
    use crate::deno::testing::deno;

    fn integration(program: Program, directory: &Path) -> Integration {
        Integration::new("x", program, directory)
    }

    fn words(command: &Command) -> Vec<String> {
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        words.map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[cfg(unix)]
    #[test]
    fn programs_are_found_from_the_folder_of_the_file() {
        let folder = Path::new("/folder");
        let command = |given: &[&str]| {
            let given: Vec<String> = given.iter().map(|word| (*word).to_owned()).collect();
            words(&program(&given, folder).unwrap()).join(" ")
        };
        assert_eq!(command(&["node", "./check.js", "a/b"]), "node ./check.js a/b");
        assert_eq!(command(&["./bin"]), "/folder/./bin");
        assert_eq!(command(&["bin/tool", "--x"]), "/folder/bin/tool --x");
        assert_eq!(command(&["/usr/bin/tool"]), "/usr/bin/tool");
        assert!(program(&[], folder).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn scripts_get_the_permissions_that_are_written_in_any_form() {
        let line =
            |permissions| words(&script(Path::new("deno"), "s.ts", &permissions, Path::new("/d")).unwrap()).join(" ");
        assert_eq!(line(json!("none")), "deno run -q --no-prompt /d/s.ts");
        assert_eq!(line(json!("all")), "deno run -q --no-prompt --allow-all /d/s.ts");
        assert_eq!(line(json!(["read", "net=a:1"])), "deno run -q --no-prompt --allow-read --allow-net=a:1 /d/s.ts");
        let table = json!({"all": true, "deny": ["write"]});
        assert_eq!(line(table), "deno run -q --no-prompt --allow-all --deny-write /d/s.ts");
        let table = json!({"allow": ["env=A"]});
        assert_eq!(line(table), "deno run -q --no-prompt --allow-env=A /d/s.ts");
    }

    #[test]
    fn m05_deno_gets_what_it_needs_and_a_program_what_is_listed() {
        let ours = || ["HOME", "DENO_DIR", "TF_VAR_x", "LISTED", "OTHER"].map(|name| (name.into(), "v".into())).into();
        let names = |program, only: Option<&[&str]>| {
            let mut integration = integration(program, Path::new("/d"));
            integration.environment.only = only.map(|only| only.iter().map(|name| (*name).to_owned()).collect());
            let names = environment_of(&integration, ours()).into_keys();
            names.map(|name| name.into_string().unwrap()).collect::<Vec<_>>().join(" ")
        };
        let script = || Program::Script { script: "s.ts".into(), permissions: json!("none") };
        let command = || Program::Command(vec!["x".into()]);
        assert_eq!(names(command(), Some(&["LISTED"])), "LISTED");
        assert_eq!(names(script(), Some(&["LISTED"])), "DENO_DIR HOME LISTED");
        assert_eq!(names(command(), None), "DENO_DIR HOME LISTED OTHER");
        assert_eq!(names(script(), None), "DENO_DIR HOME LISTED OTHER");
    }

    async fn output(integration: Integration) -> io::Result<String> {
        let launcher = ProcessLauncher::new(Watcher::new(WatcherProgram::None)).with_deno(deno().as_path().into());
        let mut launched = launcher.launch(Arc::new(integration)).await?;
        let mut text = String::new();
        launched.child.stdout.take().unwrap().read_to_string(&mut text).await?;
        launched.child.wait().await?;
        Ok(text)
    }

    #[tokio::test]
    async fn a_script_is_run_with_its_permissions_and_environment() {
        let folder = tempfile::tempdir().unwrap();
        let text = r#"
            import { greeting } from "greeting";
            const net = await Deno.permissions.query({ name: "net" });
            console.log(greeting, Deno.env.get("GIVEN"), net.state === "granted");"#;
        std::fs::write(folder.path().join("s.ts"), text).unwrap();
        std::fs::write(folder.path().join("greeting.ts"), "export const greeting = \"hello\";").unwrap();
        std::fs::write(folder.path().join("deno.json"), r#"{"imports": {"greeting": "./greeting.ts"}}"#).unwrap();
        let program = Program::Script { script: "s.ts".into(), permissions: json!(["env=GIVEN"]) };
        let mut integration = integration(program, folder.path());
        integration.environment.set = [("GIVEN".to_owned(), "value".to_owned())].into();
        assert_eq!(output(integration).await.unwrap(), "hello value false\n");
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn m14_a_program_leads_a_group_of_its_own() {
        let line = "ps -o pgid= -p $$ | tr -d ' '; echo $$";
        let program = Program::Command(["sh", "-c", line].map(str::to_owned).into());
        let text = output(integration(program, Path::new("/"))).await.unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], lines[1], "{text}");
    }

    #[tokio::test]
    async fn m10_a_program_that_is_not_there_is_named() {
        let program = Program::Command(vec!["no-such-program".into()]);
        let error = output(integration(program, Path::new("/"))).await.unwrap_err().to_string();
        assert!(error.starts_with("no-such-program: "), "{error}");
    }
}
