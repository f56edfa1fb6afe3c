//! Starts integrations so that they end with us.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use denobridge_integrations::configuration::{Integration, Program};
use denobridge_integrations::process::{Launched, Launcher, ProcessGroup};
use futures::future::BoxFuture;

use crate::children::{self, Group, Watcher};

/// Starts integrations.
pub struct ProcessLauncher(Arc<Watcher>);

impl ProcessLauncher {
    /// Whose processes this watcher knows.
    #[must_use]
    pub fn new(watcher: Arc<Watcher>) -> Self {
        Self(watcher)
    }
}

impl Launcher for ProcessLauncher {
    fn launch(&self, integration: Arc<Integration>) -> BoxFuture<'static, io::Result<Launched>> {
        let watcher = Arc::clone(&self.0);
        Box::pin(async move {
            let mut command = command(&integration)?;
            // What the file says of other files is meant from where it is, whatever folder the host works in.
            command.current_dir(&integration.directory);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            command.env_clear().envs(integration.environment.of(std::env::vars_os()));
            let spawned = children::spawn(command, watcher).await?;
            Ok(Launched { child: spawned.child, group: Box::new(spawned.group) })
        })
    }
}

impl ProcessGroup for Group {
    fn ask_to_end(&self) {
        self.terminate();
    }
}

/// The command of an integration.
fn command(integration: &Integration) -> io::Result<Command> {
    match &integration.program {
        Program::Command(words) => {
            let (program, arguments) = words.split_first().ok_or_else(|| io::Error::other("the command is empty"))?;
            let mut command = Command::new(resolved(program, &integration.directory));
            command.args(arguments);
            Ok(command)
        }
        Program::Script { script, .. } => Err(io::Error::other(format!("{script}: scripts cannot be started yet"))),
    }
}

/// A program with a separator in its name is found from the file that names it, any other in the PATH.
fn resolved(program: &str, directory: &Path) -> PathBuf {
    let path = Path::new(program);
    let is_path = path.components().nth(1).is_some() || matches!(path.components().next(), Some(Component::CurDir));
    if is_path { directory.join(path) } else { path.to_owned() }
}
