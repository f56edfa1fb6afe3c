//! The host's side of go-plugin, as small as it can be: starts a plugin with mutual TLS and makes raw calls of its
//! procedures. [`every_procedure`] makes all of them.
//!
//! For tests only: whatever goes wrong is a panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(unix)]

mod calls;
pub mod go_host;
mod schema;

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::process::Stdio;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use denobridge_core::cty::{Type, Value};
use denobridge_core::{DynamicValue, limits};
use denobridge_terraform::proto::tfplugin6 as pb;
use hyper_util::rt::TokioIo;
use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair, PKCS_ECDSA_P521_SHA512};
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::process::{Child, ChildStderr, ChildStdout, Command};
use tokio_rustls::TlsConnector;
use tonic::codegen::{Service, http};
use tonic::transport::{Channel, Endpoint};

pub use calls::{Answer, Answers, Script, every_procedure};

/// What Terraform sets.
pub const COOKIE: (&str, &str) =
    ("TF_PLUGIN_MAGIC_COOKIE", "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2");

/// Longest time that anything here may take.
pub const LIMIT: Duration = Duration::from_secs(20);

/// `work`, or a failed test.
pub async fn soon<T>(what: &str, work: impl Future<Output = T>) -> T {
    tokio::time::timeout(LIMIT, work).await.unwrap_or_else(|_| panic!("{what}: not within {LIMIT:?}"))
}

impl Default for ClientCertificate {
    fn default() -> Self {
        Self::new()
    }
}

/// A certificate of the kind that go-plugin hosts make: P-521, self-signed, a certificate authority and a leaf at once.
pub struct ClientCertificate {
    /// As the plugin is given it.
    pub pem: String,
    certificate: CertificateDer<'static>,
    key: Vec<u8>,
}

impl ClientCertificate {
    /// Another one each time.
    pub fn new() -> Self {
        let key = KeyPair::generate_for(&PKCS_ECDSA_P521_SHA512).unwrap();
        let mut params = CertificateParams::new(["localhost".to_owned()]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).unwrap();
        Self { pem: certificate.pem(), certificate: certificate.der().clone(), key: key.serialize_der() }
    }

    /// A client that trusts `server` and shows this certificate.
    fn config(&self, server: CertificateDer<'static>) -> ClientConfig {
        let key = PrivatePkcs8KeyDer::from(self.key.clone()).into();
        trusting(server).with_client_auth_cert(vec![self.certificate.clone()], key).unwrap()
    }
}

fn trusting(server: CertificateDer<'static>) -> rustls::ConfigBuilder<ClientConfig, rustls::client::WantsClientCert> {
    let mut roots = RootCertStore::empty();
    roots.add(server).unwrap();
    let provider = Arc::new(aws_lc_rs::default_provider());
    ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
}

/// The plugin as a process, after its handshake.
pub struct Plugin {
    /// The process.
    pub child: Child,
    /// The fields of the handshake line.
    pub fields: Vec<String>,
    /// Kept open: the plugin may write to it.
    stdout: BufReader<ChildStdout>,
    stderr: BufReader<ChildStderr>,
    certificate: Option<ClientCertificate>,
}

impl Plugin {
    /// Starts a plugin as Terraform does.
    pub async fn start(program: &str) -> Self {
        Self::start_with(program, &[]).await
    }

    /// Starts a plugin with more in its environment.
    pub async fn start_with(program: &str, variables: &[(&str, &str)]) -> Self {
        let certificate = ClientCertificate::new();
        let mut variables = variables.to_vec();
        variables.push(("PLUGIN_CLIENT_CERT", &certificate.pem));
        let mut plugin = Self::launch(program, &variables).await;
        plugin.certificate = Some(certificate);
        plugin
    }

    /// Starts a plugin without TLS, as with `TF_DISABLE_PLUGIN_TLS`.
    pub async fn start_plain(program: &str) -> Self {
        Self::launch(program, &[]).await
    }

    async fn launch(program: &str, variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(program);
        // One that stands before another plugin has started that one, and is not asked to end it.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command
            .env_clear()
            .env(COOKIE.0, COOKIE.1)
            .env("PLUGIN_PROTOCOL_VERSIONS", "5,6")
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        if soon("the handshake", stdout.read_line(&mut line)).await.unwrap() == 0 {
            let mut said = String::new();
            soon("why there is no handshake", stderr.read_to_string(&mut said)).await.unwrap();
            panic!("{program} has ended without a handshake: {said}");
        }
        let fields = line.trim_end().split('|').map(str::to_owned).collect();
        Self { child, fields, stdout, stderr, certificate: None }
    }

    /// Where the plugin listens.
    pub fn socket(&self) -> PathBuf {
        PathBuf::from(&self.fields[3])
    }

    fn server_certificate(&self) -> CertificateDer<'static> {
        STANDARD_NO_PAD.decode(&self.fields[5]).unwrap().into()
    }

    /// Connects as the host that started the plugin.
    pub async fn connect(&self) -> Channel {
        self.try_connect(self.certificate.as_ref()).await.unwrap()
    }

    /// Connects with another certificate or with none; an error when the plugin refuses.
    pub async fn try_connect(&self, shown: Option<&ClientCertificate>) -> Result<Channel, tonic::transport::Error> {
        let tls = (!self.fields[5].is_empty()).then(|| {
            let server = self.server_certificate();
            let mut config = match shown {
                Some(certificate) => certificate.config(server),
                None => trusting(server).with_no_client_auth(),
            };
            config.alpn_protocols = vec![b"h2".to_vec()];
            TlsConnector::from(Arc::new(config))
        });
        let connector = Connector { socket: self.socket(), tls };
        soon("connecting", Endpoint::from_static("http://localhost").connect_with_connector(connector)).await
    }

    /// The provider service, with go-plugin's limits.
    pub async fn provider(&self) -> Client {
        client(self.connect().await)
    }

    /// Waits for a line of standard error that has this text.
    pub async fn stderr_line_with(&mut self, text: &str) -> String {
        let mut line = String::new();
        while !line.contains(text) {
            line.clear();
            let length = self.stderr.read_line(&mut line).await.unwrap();
            assert!(length > 0, "standard error ended before {text:?}");
        }
        line
    }

    /// Everything the plugin wrote to standard error until it ended.
    pub async fn stderr_to_end(self) -> String {
        self.output_to_end().await.1
    }

    /// Everything the plugin wrote until it ended: to standard output after the handshake, and to standard error.
    pub async fn output_to_end(mut self) -> (String, String) {
        drop(self.child.start_kill());
        let (mut stdout, mut stderr) = (String::new(), String::new());
        soon("standard output", self.stdout.read_to_string(&mut stdout)).await.unwrap();
        soon("standard error", self.stderr.read_to_string(&mut stderr)).await.unwrap();
        (stdout, stderr)
    }
}

impl Drop for Plugin {
    fn drop(&mut self) {
        // The process itself is killed in any case, and is the only one where there are no groups.
        #[cfg(unix)]
        if let Some(group) = self.child.id().and_then(|id| rustix::process::Pid::from_raw(i32::try_from(id).ok()?)) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
}

/// A client of the provider service.
pub type Client = pb::provider_client::ProviderClient<Channel>;

/// A client with go-plugin's limits.
pub fn client(channel: Channel) -> Client {
    Client::new(channel)
        .max_decoding_message_size(limits::MAX_MESSAGE_BYTES)
        .max_encoding_message_size(limits::MAX_MESSAGE_BYTES)
}

#[derive(Clone)]
struct Connector {
    socket: PathBuf,
    tls: Option<TlsConnector>,
}

trait Io: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin {}

impl<T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Send + Unpin> Io for T {}

impl Service<http::Uri> for Connector {
    type Response = TokioIo<Box<dyn Io>>;
    type Error = std::io::Error;
    type Future = Pin<Box<dyn Future<Output = std::io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: http::Uri) -> Self::Future {
        let Self { socket, tls } = self.clone();
        Box::pin(async move {
            let stream = UnixStream::connect(socket).await?;
            let stream: Box<dyn Io> = match tls {
                None => Box::new(stream),
                Some(tls) => Box::new(tls.connect(ServerName::try_from("localhost").unwrap(), stream).await?),
            };
            Ok(TokioIo::new(stream))
        })
    }
}

/// A value on the wire.
pub fn wire(value: &Value) -> Option<pb::DynamicValue> {
    let msgpack = DynamicValue::from(value.clone()).to_msgpack(&value.ty()).unwrap();
    Some(pb::DynamicValue { msgpack, json: Default::default() })
}

/// A value from the wire.
pub fn value(wire: Option<pb::DynamicValue>, ty: &Type) -> Value {
    DynamicValue::MessagePack(wire.unwrap().msgpack).decode(ty).unwrap()
}

/// Severity, summary and detail of each message.
pub fn texts(diagnostics: &[pb::Diagnostic]) -> Vec<(&'static str, &str, &str)> {
    diagnostics
        .iter()
        .map(|said| (said.severity().as_str_name(), said.summary.as_str(), said.detail.as_str()))
        .collect()
}
