//! One running provider: started, connected to, and ended.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use hyper_util::rt::TokioIo;
use prost::Message as _;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::process::{Child, Command};
use tonic::transport::{Channel, Endpoint};

use crate::requests;
use crate::wire::get_provider_schema::{Request, Response};
use crate::wire::provider_client::ProviderClient;

/// The host's side of a connection; clones share it.
pub type Client = ProviderClient<Channel>;

/// What go-plugin hosts say, so that a provider knows that it was started as a plugin.
const COOKIE: (&str, &str) =
    ("TF_PLUGIN_MAGIC_COOKIE", "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2");

/// Terraform reads schemas up to this size, in bytes.
const LARGEST_ANSWER: usize = 64 << 20;

/// How long a provider may take to say where it listens.
const PATIENCE: Duration = Duration::from_secs(60);

/// A provider that was started.
pub struct Plugin {
    child: Child,
    /// Its process id.
    pub process: u32,
    /// When it was started.
    pub started: Instant,
    /// The connection to it.
    pub client: Client,
}

impl Plugin {
    /// Starts a provider without TLS and connects to its socket.
    pub async fn start(program: &Path) -> Result<Self> {
        let started = Instant::now();
        let mut command = Command::new(program);
        command.env(COOKIE.0, COOKIE.1).env("PLUGIN_PROTOCOL_VERSIONS", "6").env_remove("PLUGIN_CLIENT_CERT");
        // Standard error is the provider's log, which is not asked for here.
        command.env_remove("TF_LOG").stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut child = command.spawn().context("cannot start it")?;
        let process = child.id().context("it ended at once")?;
        let output = child.stdout.take().context("no standard output")?;
        let mut line = String::new();
        let mut output = BufReader::new(output);
        tokio::time::timeout(PATIENCE, output.read_line(&mut line)).await.context("no handshake line")??;
        let channel = connect(&line).await.with_context(|| format!("handshake line {line:?}"))?;
        let client = ProviderClient::new(channel).max_decoding_message_size(LARGEST_ANSWER);
        Ok(Self { child, process, started, client })
    }

    /// Its schema, and the schema's size in bytes.
    pub async fn schema(&mut self) -> Result<(Response, usize)> {
        let schema = self.client.get_provider_schema(Request {}).await?.into_inner();
        requests::no_errors(&schema.diagnostics)?;
        let size = schema.encoded_len();
        Ok((schema, size))
    }

    /// Configures it with nothing, which providers wait for.
    pub async fn configure(&mut self) -> Result<()> {
        let answer = self.client.configure_provider(requests::configure()).await?.into_inner();
        requests::no_errors(&answer.diagnostics)
    }

    /// Ends it.
    pub async fn end(mut self) -> Result<()> {
        self.child.kill().await.context("cannot end it")
    }
}

/// `1|6|unix|/path|grpc|`
async fn connect(line: &str) -> Result<Channel> {
    let fields: Vec<&str> = line.trim().split('|').collect();
    let [_, version, network, address, ..] = fields[..] else { bail!("too few fields") };
    ensure!((version, network) == ("6", "unix"), "not protocol 6 over a unix socket");
    let address = address.to_owned();
    let connector = tower::service_fn(move |_| {
        let address = address.clone();
        async move { UnixStream::connect(address).await.map(TokioIo::new) }
    });
    Ok(Endpoint::from_static("http://localhost").connect_with_connector(connector).await?)
}
