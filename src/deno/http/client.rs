//! Calls scripts over HTTP.

use super::super::error::ScriptErrorKind;
use super::super::frames;
use super::super::message::RpcError;
use super::super::process::{CallOptions, ProgressSink};
use super::contract::Request;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Client, Response, StatusCode, Url};
use serde_json::Value;
use std::error::Error;
use std::sync::OnceLock;
use std::time::Duration;

/// How long to wait for a connection. What comes after is bounded by the limit of the call.
const CONNECT: Duration = Duration::from_secs(20);

/// The clients of this process, which keep connections open between calls.
static REMOTE: OnceLock<Client> = OnceLock::new();
static LOCAL: OnceLock<Client> = OnceLock::new();

fn client(kept: &OnceLock<Client>, builder: reqwest::ClientBuilder) -> Result<Client, ScriptErrorKind> {
    if let Some(client) = kept.get() {
        return Ok(client.clone());
    }
    // A redirect would repeat a change somewhere else.
    let client = builder.connect_timeout(CONNECT).redirect(reqwest::redirect::Policy::none()).build();
    let client = client.map_err(|error| ScriptErrorKind::Unreachable {
        address: "the network".to_owned(),
        reason: causes(&error),
        is_remote: true,
    })?;
    Ok(kept.get_or_init(|| client).clone())
}

/// Where a script answers.
#[derive(Clone)]
pub(crate) struct Endpoint {
    client: Client,
    address: Url,
    token: Option<String>,
    is_remote: bool,
}

/// An answer to `/health`.
pub(crate) enum Health {
    /// It serves, and this is what it says of itself.
    Ready(Value),
    /// It does not serve yet, or not at all.
    Status(u16),
}

impl Endpoint {
    /// A script on another machine.
    pub(super) fn remote(address: Url, token: Option<String>) -> Result<Self, ScriptErrorKind> {
        Ok(Self { client: client(&REMOTE, Client::builder())?, address, token, is_remote: true })
    }

    /// A script of ours, served on a port of this machine, where no proxy may come between.
    pub(crate) fn local(port: u16) -> Result<Self, ScriptErrorKind> {
        let address = Url::parse(&format!("http://127.0.0.1:{port}/"));
        let address = address.map_err(|error| ScriptErrorKind::UnusablePath { reason: error.to_string() })?;
        Ok(Self { client: client(&LOCAL, Client::builder().no_proxy())?, address, token: None, is_remote: false })
    }

    pub(crate) fn address(&self) -> &str {
        self.address.as_str()
    }

    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    fn at(&self, path: &str) -> Url {
        let mut address = self.address.clone();
        // A query stays: it may say which of the host's scripts is meant.
        let base = address.path().trim_end_matches('/').to_owned();
        address.set_path(&format!("{base}/{path}"));
        address
    }

    async fn send(&self, mut request: reqwest::RequestBuilder) -> Result<Response, ScriptErrorKind> {
        if let Some(token) = &self.token {
            let value = HeaderValue::from_str(&format!("Bearer {token}")).map(|mut value| {
                value.set_sensitive(true);
                value
            });
            request = match value {
                Ok(value) => request.header(AUTHORIZATION, value),
                Err(_) => return Err(self.unreachable("the token has characters that no header can have".to_owned())),
            };
        }
        request.send().await.map_err(|error| self.unreachable(causes(&error)))
    }

    fn unreachable(&self, reason: String) -> ScriptErrorKind {
        ScriptErrorKind::Unreachable { address: self.address.to_string(), reason, is_remote: self.is_remote }
    }

    /// Asks whether the script serves.
    pub(crate) async fn health(&self, longest: usize) -> Result<Health, ScriptErrorKind> {
        let response = self.send(self.client.get(self.at("health"))).await?;
        match response.status() {
            StatusCode::OK | StatusCode::NO_CONTENT => {
                // What it says is optional, so whatever else is there is no mistake.
                let text = self.text(response, longest).await?;
                Ok(Health::Ready(serde_json::from_str(&text).unwrap_or_default()))
            }
            other => Ok(Health::Status(other.as_u16())),
        }
    }

    /// Calls a method, with parameters and result as JSON-RPC scripts have them.
    pub(crate) async fn call(
        &self,
        method: &str,
        params: &Value,
        options: &CallOptions,
        longest: usize,
    ) -> Result<Value, ScriptErrorKind> {
        let request = Request::new(method, params, &options.left_out);
        let post = self.client.post(self.at(&request.path)).header(CONTENT_TYPE, "application/json");
        let response = self.send(post.body(request.body.to_string())).await?;
        let status = response.status().as_u16();
        if !response.status().is_success() {
            let body = self.text(response, longest).await?;
            return Err(refused(request.error(status, &body)));
        }
        if request.is_streamed() {
            self.stream(response, options.progress.as_ref(), longest).await?;
            return Ok(request.result(status, Value::Null));
        }
        let text = self.text(response, longest).await?;
        let body = match text.trim() {
            "" => Value::Null,
            text => serde_json::from_str(text).map_err(|error| broken(text, &error))?,
        };
        Ok(request.result(status, body))
    }

    async fn text(&self, mut response: Response, longest: usize) -> Result<String, ScriptErrorKind> {
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.unreachable(causes(&error)))? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > longest {
                return Err(ScriptErrorKind::TooLarge { limit: longest, object: object(&bytes) });
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Hands on the lines of progress as they come.
    async fn stream(
        &self,
        mut response: Response,
        progress: Option<&ProgressSink>,
        longest: usize,
    ) -> Result<(), ScriptErrorKind> {
        let mut line = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.unreachable(causes(&error)))? {
            for part in chunk.split_inclusive(|byte| *byte == b'\n') {
                line.extend_from_slice(part);
                if line.len() > longest {
                    return Err(ScriptErrorKind::TooLarge { limit: longest, object: None });
                }
                if part.ends_with(b"\n") {
                    report(&line, progress)?;
                    line.clear();
                }
            }
        }
        report(&line, progress)
    }
}

/// How much of an answer is looked through for an id.
const HEAD: usize = 4 << 10;

fn report(line: &[u8], progress: Option<&ProgressSink>) -> Result<(), ScriptErrorKind> {
    let text = String::from_utf8_lossy(line);
    if text.trim().is_empty() {
        return Ok(());
    }
    let event: Value = serde_json::from_str(&text).map_err(|error| broken(&text, &error))?;
    // An action that fails on its way can only say so in a line: the status has been sent.
    if let Some(error) = event.get("error") {
        let message = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
        return Err(refused(RpcError { code: 500, message, data: None, object: None }));
    }
    let message = match event.get("message") {
        Some(Value::String(message)) => message.clone(),
        Some(other) => other.to_string(),
        None => return Ok(()),
    };
    if let Some(progress) = progress {
        progress(message);
    }
    Ok(())
}

fn refused(error: RpcError) -> ScriptErrorKind {
    ScriptErrorKind::Refused { error: Box::new(error), uncaught: None }
}

fn broken(text: &str, error: &serde_json::Error) -> ScriptErrorKind {
    let (line, reason) = frames::damage(text.as_bytes(), error);
    ScriptErrorKind::BrokenAnswer { line, reason, object: object(text.as_bytes()) }
}

/// The `id` in an answer that cannot be read as a whole: the object that a `create` has made.
fn object(body: &[u8]) -> Option<Box<str>> {
    let result = [br#"{"result":"#, &body[..body.len().min(HEAD)]].concat();
    frames::object_id(&result).map(Into::into)
}

/// All causes of an error, outermost first; the error itself, which names the address, where it has none.
pub(crate) fn causes(error: &reqwest::Error) -> String {
    let mut reason = String::new();
    let mut cause = error.source();
    while let Some(error) = cause {
        reason.push_str(if reason.is_empty() { "" } else { ": " });
        reason.push_str(&error.to_string());
        cause = error.source();
    }
    if reason.is_empty() { error.to_string() } else { reason }
}
