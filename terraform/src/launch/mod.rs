//! Starts a provider as Terraform does, or finds one that runs already, and connects to it.
//!
//! The plugin's side of the same conversation is in `serve`. The result is a [`ForeignProvider`]; it ends its process with
//! [`ForeignProvider::shutdown`], or kills it when dropped.

mod channel;
mod handshake;
mod output;
mod process;
mod reattach;
mod tls;
mod verbosity;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use denobridge_core::call::LogSink;
use futures::future::BoxFuture;
use thiserror::Error;
use tokio::process::Child;
use tonic::transport::Channel;

use crate::client::{DEFAULT_STOP_GRACE, ForeignProvider};
use crate::cookie::MAGIC_COOKIE;
use channel::Address;
use handshake::Handshake;
use output::Output;
pub(crate) use process::Process;
pub use reattach::{Reattach, ReattachError, parse_reattach};

/// Whether a line is one by which a plugin says where it listens; the error says what is wrong with it. For fuzzing.
#[doc(hidden)]
pub fn check_handshake(line: &str) -> Result<(), String> {
    Handshake::parse(line).map(drop)
}

/// How long a provider may take until it says where it listens, if nothing else is said. Terraform waits as long.
pub const DEFAULT_START_LIMIT: Duration = Duration::from_secs(60);

/// Waits between attempts to start a program that is still being written.
const BUSY_WAITS: [Duration; 3] = [Duration::from_millis(50), Duration::from_millis(100), Duration::from_millis(200)];

/// Protocol versions that we speak.
const PROTOCOL_VERSIONS: &str = "5,6";

/// Starts processes in a way that does not leave them behind.
pub trait Spawner: Send + Sync {
    /// Starts the command, whose output is piped.
    fn spawn(&self, command: Command) -> BoxFuture<'static, io::Result<Started>>;
}

/// A process that was started.
pub struct Started {
    /// The process.
    pub child: Child,
    /// What ends everything that it started in turn, when dropped.
    pub group: Box<dyn Send + Sync>,
}

/// Starts processes as they are: each is killed with its handle, and what it started is its own business.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainSpawner;

impl Spawner for PlainSpawner {
    fn spawn(&self, command: Command) -> BoxFuture<'static, io::Result<Started>> {
        let mut command = tokio::process::Command::from(command);
        command.kill_on_drop(true);
        Box::pin(async move { Ok(Started { child: command.spawn()?, group: Box::new(()) }) })
    }
}

/// How to start a provider.
pub struct LaunchOptions {
    /// What people call it, for messages: `hashicorp/random 3.6.3`.
    pub name: String,
    /// The executable.
    pub program: PathBuf,
    /// Its arguments; dev overrides of other tools have some, providers from a registry none.
    pub arguments: Vec<OsString>,
    /// Variables beside the whole environment of this process.
    pub environment: Vec<(OsString, OsString)>,
    /// Where it works; where this process works if nothing is said.
    pub directory: Option<PathBuf>,
    /// How long it may take until it says where it listens.
    pub start_limit: Duration,
    /// How long it may go on after it was asked to stop.
    pub stop_grace: Duration,
    /// Where its log goes.
    pub log: Arc<dyn LogSink>,
    /// Who starts the process.
    pub spawner: Arc<dyn Spawner>,
    /// Who reads what it writes beside the protocol.
    pub listener: Listener,
}

/// Who reads what a provider writes beside the protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listener {
    /// We do: its log goes to ours, it is told which lines of it are wanted, and its last words explain its end.
    #[default]
    Us,
    /// The host that started us: it writes to our standard error, as much as it wants, and what it prints over the
    /// connection is left to be asked for.
    Host,
}

impl LaunchOptions {
    /// A provider under `name` with every limit as it is by default.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        program: impl Into<PathBuf>,
        log: Arc<dyn LogSink>,
        spawner: Arc<dyn Spawner>,
    ) -> Self {
        Self {
            name: name.into(),
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            directory: None,
            start_limit: DEFAULT_START_LIMIT,
            stop_grace: DEFAULT_STOP_GRACE,
            log,
            spawner,
            listener: Listener::Us,
        }
    }
}

/// Why a provider did not start.
#[derive(Debug, Error)]
pub enum LaunchError {
    /// The program could not be started.
    #[error("cannot start the provider {name} ({}): {reason}", program.display())]
    NotStarted {
        /// What people call the provider.
        name: String,
        /// Its executable.
        program: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// It ended before it said where it listens.
    #[error("the provider {name} ended before it said where it listens: {end}")]
    Ended {
        /// What people call the provider.
        name: String,
        /// How it ended, with what it last said.
        end: String,
    },
    /// It said nothing in time.
    #[error("the provider {name} did not say within {} s where it listens{said}", limit.as_secs_f64())]
    Silent {
        /// What people call the provider.
        name: String,
        /// How long it had.
        limit: Duration,
        /// What it said instead.
        said: String,
    },
    /// What it said makes no sense.
    #[error("the provider {name} is no plugin that we can talk to: {reason}{said}")]
    NoPlugin {
        /// What people call the provider.
        name: String,
        /// What is wrong.
        reason: String,
        /// What it said besides.
        said: String,
    },
    /// It cannot be connected to.
    #[error("cannot connect to the provider {name}: {reason}{said}")]
    NotConnected {
        /// What people call the provider.
        name: String,
        /// What is wrong.
        reason: String,
        /// What it said.
        said: String,
    },
}

/// Starts a provider and connects to it.
///
/// # Errors
/// The program does not start, ends at once, says nothing in time, or is no plugin.
pub async fn launch(options: LaunchOptions) -> Result<ForeignProvider, LaunchError> {
    let Connected { protocol, channel, process } = connect(&options).await?;
    Ok(ForeignProvider::new(options.name, protocol, channel, Some(process), options.stop_grace))
}

/// A provider that was started, and the connection to it.
pub(crate) struct Connected {
    pub(crate) protocol: u32,
    pub(crate) channel: Channel,
    pub(crate) process: Process,
}

/// Starts a provider and connects to it, without asking it anything.
pub(crate) async fn connect(options: &LaunchOptions) -> Result<Connected, LaunchError> {
    let certificate = tls::ClientCertificate::new().map_err(|reason| LaunchError::NotConnected {
        name: options.name.clone(),
        reason: format!("no certificate could be made: {reason}"),
        said: String::new(),
    })?;
    let mut started = start(options, &certificate.pem).await?;
    let output = Arc::new(Output::new(options.name.clone(), Arc::clone(&options.log)));
    output.follow_errors(started.child.stderr.take());
    let handshake = handshake(options, &mut started, &output).await?;

    let not_connected =
        |reason: String| LaunchError::NotConnected { name: options.name.clone(), reason, said: output.last_words() };
    let tls = handshake.certificate.map(|server| certificate.trusting(server)).transpose().map_err(not_connected)?;
    let channel = channel::connect(handshake.address, tls).await.map_err(not_connected)?;
    if options.listener == Listener::Us {
        output.follow_stdio(channel.clone());
    }
    let process = Process::new(started, output, channel.clone());
    Ok(Connected { protocol: handshake.protocol, channel, process })
}

/// Connects to a provider that runs already. It is never ended.
///
/// # Errors
/// Nobody listens where it should be.
pub async fn attach(name: &str, reattach: &Reattach) -> Result<ForeignProvider, LaunchError> {
    let channel = channel::connect(reattach.address.clone(), None)
        .await
        .map_err(|reason| LaunchError::NotConnected { name: name.to_owned(), reason, said: String::new() })?;
    Ok(ForeignProvider::new(name.to_owned(), reattach.protocol, channel, None, DEFAULT_STOP_GRACE))
}

async fn start(options: &LaunchOptions, client_certificate: &str) -> Result<Started, LaunchError> {
    let mut waits = BUSY_WAITS.iter();
    loop {
        match options.spawner.spawn(command(options, client_certificate)).await {
            Ok(started) => return Ok(started),
            // Another process holds a copy of the descriptor through which the file was written, for the moment between
            // its fork and its exec.
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => match waits.next() {
                Some(wait) => tokio::time::sleep(*wait).await,
                None => return Err(not_started(options, error)),
            },
            Err(error) => return Err(not_started(options, error)),
        }
    }
}

fn not_started(options: &LaunchOptions, reason: io::Error) -> LaunchError {
    LaunchError::NotStarted { name: options.name.clone(), program: options.program.clone(), reason }
}

fn command(options: &LaunchOptions, client_certificate: &str) -> Command {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|level| !level.is_empty());
    let (told, standard_error) = match options.listener {
        Listener::Us => (verbosity::variables(&options.program, &*options.log, is_set), Stdio::piped()),
        Listener::Host => (Vec::new(), Stdio::inherit()),
    };
    let mut command = Command::new(&options.program);
    command
        .args(&options.arguments)
        .env(MAGIC_COOKIE.0, MAGIC_COOKIE.1)
        .env("PLUGIN_PROTOCOL_VERSIONS", PROTOCOL_VERSIONS)
        .env("PLUGIN_MIN_PORT", "10000")
        .env("PLUGIN_MAX_PORT", "25000")
        .env("PLUGIN_CLIENT_CERT", client_certificate)
        // What the tool that started us asked of us is not for the provider.
        .env_remove("PLUGIN_UNIX_SOCKET_DIR")
        .env_remove("PLUGIN_UNIX_SOCKET_GROUP")
        .env_remove("PLUGIN_MULTIPLEX_GRPC")
        .envs(told)
        .envs(options.environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(standard_error);
    if let Some(directory) = &options.directory {
        command.current_dir(directory);
    }
    command
}

/// Waits for the line that says where the provider listens.
async fn handshake(
    options: &LaunchOptions,
    started: &mut Started,
    output: &Arc<Output>,
) -> Result<Handshake, LaunchError> {
    let Some(stdout) = started.child.stdout.take() else {
        return Err(not_started(options, io::Error::other("its output is not piped")));
    };
    let line = match tokio::time::timeout(options.start_limit, output.first_line(stdout)).await {
        Ok(Some(line)) => line,
        Ok(None) => {
            let status = tokio::time::timeout(Duration::from_secs(1), started.child.wait()).await;
            let status = status.map_or_else(|_| "it closed its output".to_owned(), process::describe);
            output.settle().await;
            return Err(LaunchError::Ended {
                name: options.name.clone(),
                end: format!("{status}{}", output.last_words()),
            });
        }
        Err(_) => {
            return Err(LaunchError::Silent {
                name: options.name.clone(),
                limit: options.start_limit,
                said: output.last_words(),
            });
        }
    };
    Handshake::parse(&line).map_err(|reason| LaunchError::NoPlugin {
        name: options.name.clone(),
        reason,
        said: output.last_words(),
    })
}
