//! One running plugin: started, connected to, made a package, and ended.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tonic::transport::{Channel, Endpoint};

use crate::requests;
use crate::wire::parameterize_request::{Parameters, ParametersArgs};
use crate::wire::resource_provider_client::ResourceProviderClient;
use crate::wire::{ConfigureRequest, GetSchemaRequest, ParameterizeRequest};

/// The engine's side of a connection; clones share it.
pub type Client = ResourceProviderClient<Channel>;

/// The engine reads messages up to this size, in bytes.
const LARGEST_ANSWER: usize = 400 << 20;

/// How long a plugin may take to say where it listens, and to answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A plugin that was started.
pub struct Plugin {
    child: Child,
    /// Its process id.
    pub process: u32,
    /// From exec to its port line.
    pub started_in: Duration,
    /// The connection to it.
    pub client: Client,
}

impl Plugin {
    /// Starts a plugin and connects to its port.
    pub async fn start(program: &Path, engine: &str) -> Result<Self> {
        let mut command = Command::new(program);
        // Standard input stays open, as an engine's does: its end would tell the plugin that the engine has died.
        command.arg(engine).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        command.env_remove("TF_LOG");
        let started = Instant::now();
        let mut child = command.spawn().context("cannot start it")?;
        let process = child.id().context("it ended at once")?;
        let mut output = BufReader::new(child.stdout.take().context("no standard output")?);
        let mut line = String::new();
        tokio::time::timeout(PATIENCE, output.read_line(&mut line)).await.context("no port line")??;
        let started_in = started.elapsed();
        let port: u16 = line.trim().parse().with_context(|| format!("instead of a port it printed {line:?}"))?;
        let channel = Endpoint::try_from(format!("http://127.0.0.1:{port}"))?.timeout(PATIENCE).connect().await?;
        let client = ResourceProviderClient::new(channel).max_decoding_message_size(LARGEST_ANSWER);
        Ok(Self { child, process, started_in, client })
    }

    /// Makes it the package of a provider that lies in a file, and returns what the package is called.
    pub async fn parameterize(&mut self, provider: &Path) -> Result<String> {
        let args = vec![provider.to_str().context("the provider's path is no text")?.to_owned()];
        let parameters = Some(Parameters::Args(ParametersArgs { args }));
        let answer = self.client.parameterize(ParameterizeRequest { parameters }).await.context("Parameterize")?;
        Ok(answer.into_inner().name)
    }

    /// Asks for the schema of the package of that name, as the engine does of a plugin that was given parameters, and returns
    /// the schema's size in bytes.
    pub async fn schema(&mut self, package: String) -> Result<usize> {
        let request = GetSchemaRequest { subpackage_name: package, ..GetSchemaRequest::default() };
        let schema = self.client.get_schema(request).await.context("GetSchema")?.into_inner().schema;
        ensure!(schema.contains("\"resources\""), "the schema has no resources");
        Ok(schema.len())
    }

    /// Configures it with nothing.
    pub async fn configure(&mut self) -> Result<()> {
        let request = ConfigureRequest {
            args: Some(requests::object([])),
            accept_secrets: true,
            accept_resources: true,
            ..ConfigureRequest::default()
        };
        self.client.configure(request).await.context("Configure")?;
        Ok(())
    }

    /// Ends it.
    pub async fn end(mut self) -> Result<()> {
        self.child.kill().await.context("cannot end it")
    }
}
