//! What we tell the engine while we work: its log service, reached lazily and never waited for.
//!
//! No secret that the engine has ever told us, and none that a provider has told us by its schema, is in any line. A foreign
//! provider is a process of its own, where marks do not go: it may write what it was given into its log, its errors, or
//! the error of another resource. So secrets are remembered for as long as this process lives, apart from very short ones.
//!
//! Lines go into a bounded queue that one task empties. A handler that finds the queue full drops the line and counts it;
//! the number of dropped lines is told once there is room. Waiting here could deadlock: the engine may be waiting for
//! the very call that logs.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use denobridge_core::call::{LogLevel, LogSink, ProgressSink};
use denobridge_core::cty::Value;
use denobridge_core::mask::Secrets;
use denobridge_core::schema::Block;
use tokio::sync::{mpsc, oneshot};
use tonic::transport::{Channel, Endpoint};

use crate::property_value::{PropertyMap, PropertyValue};
use crate::proto::pulumirpc::engine_client::EngineClient;
use crate::proto::pulumirpc::{LogRequest, LogSeverity};

/// Lines that may wait to be sent.
const QUEUE_LENGTH: usize = 1024;

/// How long one line may take to be sent, and a connection to be made. A line that takes longer is lost.
const SEND_LIMIT: Duration = Duration::from_secs(5);

/// Longest message that is sent whole, in bytes. The engine takes 400 MiB, terminals do not.
const MESSAGE_LIMIT: usize = 64 << 10;

/// The engine's log. Cloning gives another handle to the same queue.
#[derive(Clone)]
pub struct EngineLog(Arc<Inner>);

struct Inner {
    address: Mutex<Option<String>>,
    queue: mpsc::Sender<Item>,
    dropped: AtomicU64,
    /// Warnings that were told, by URN and text.
    told: Mutex<HashSet<(String, String)>>,
    secrets: RwLock<Secrets>,
}

enum Item {
    Line(LogRequest),
    Flush(oneshot::Sender<()>),
}

impl EngineLog {
    /// A log that connects once it has an address and something to say. Must be called inside a tokio runtime.
    #[must_use]
    pub fn new(address: Option<String>) -> Self {
        let (queue, items) = mpsc::channel(QUEUE_LENGTH);
        let inner = Arc::new(Inner {
            address: Mutex::new(address),
            queue,
            dropped: AtomicU64::new(0),
            told: Mutex::default(),
            secrets: RwLock::default(),
        });
        tokio::spawn(Sender { inner: Arc::downgrade(&inner), connection: None }.run(items));
        Self(inner)
    }

    /// The engine listens here from now on.
    pub fn set_address(&self, address: &str) {
        if !address.is_empty() {
            *self.0.address.lock().unwrap_or_else(PoisonError::into_inner) = Some(address.to_owned());
        }
    }

    /// Remembers what is secret in properties, so that it is never shown.
    pub fn learn(&self, properties: &PropertyMap) {
        let mut found = Secrets::default();
        properties.values().for_each(|value| collect_secrets(value, false, &mut found));
        self.remember(&found);
    }

    /// Remembers what is secret in a value of a schema, so that it is never shown.
    pub fn learn_value(&self, block: &Block, value: &Value) {
        self.remember(&Secrets::of(block, value));
    }

    fn remember(&self, found: &Secrets) {
        let found = found.long();
        if !found.is_empty() {
            self.0.secrets.write().unwrap_or_else(PoisonError::into_inner).extend(&found);
        }
    }

    /// The text without any secret that is known.
    #[must_use]
    pub fn masked(&self, text: &str) -> String {
        self.0.secrets.read().unwrap_or_else(PoisonError::into_inner).mask(text).into_owned()
    }

    /// Sends a line about a resource; the empty URN stands for the whole stack.
    pub fn line(&self, severity: LogSeverity, urn: &str, message: impl Into<String>) {
        self.send(severity, urn, message.into(), false);
    }

    /// Warns about a resource, unless that was said already: a provider repeats its warnings each time it validates and
    /// plans, which one deployment makes it do several times.
    pub fn warn_once(&self, urn: &str, message: impl Into<String>) {
        let message = message.into();
        let new = self.told().insert((urn.to_owned(), message.clone()));
        if new {
            self.line(LogSeverity::Warning, urn, message);
        }
    }

    /// A deployment has ended: what was said in it may be said again.
    pub fn forget_warnings(&self) {
        self.told().clear();
    }

    fn told(&self) -> MutexGuard<'_, HashSet<(String, String)>> {
        self.0.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows a text in the resource's status column until the next one.
    pub fn status(&self, urn: &str, message: impl Into<String>) {
        self.send(LogSeverity::Info, urn, message.into(), true);
    }

    fn send(&self, severity: LogSeverity, urn: &str, message: String, ephemeral: bool) {
        let mut message = self.masked(&message);
        if message.len() > MESSAGE_LIMIT {
            let end = (0..=MESSAGE_LIMIT).rev().find(|end| message.is_char_boundary(*end)).unwrap_or_default();
            let rest = message.len() - end;
            message.truncate(end);
            message.push_str(&format!("… ({rest} more bytes)"));
        }
        let request = LogRequest { severity: severity.into(), message, urn: urn.to_owned(), stream_id: 0, ephemeral };
        if self.0.queue.try_send(Item::Line(request)).is_err() {
            self.0.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits until what was said so far is sent, but no longer than `limit`.
    pub async fn flush(&self, limit: Duration) {
        let (sent, done) = oneshot::channel();
        let flushed = async {
            if self.0.queue.send(Item::Flush(sent)).await.is_ok() {
                let _ = done.await;
            }
        };
        // Nothing is lost by giving up: the task goes on sending.
        let _ = tokio::time::timeout(limit, flushed).await;
    }

    /// A log and status line for calls about one resource.
    #[must_use]
    pub fn about(&self, urn: &str) -> Arc<ResourceLog> {
        Arc::new(ResourceLog { engine: self.clone(), urn: urn.into() })
    }
}

/// The texts and numbers in what is a secret, however deep.
fn collect_secrets(value: &PropertyValue, inside: bool, found: &mut Secrets) {
    let secret = inside || value.is_secret();
    match value.plain() {
        PropertyValue::String(text) if secret => found.add_text(text),
        PropertyValue::Number(number) if secret => found.add_text(&number.to_string()),
        plain => plain.children().for_each(|child| collect_secrets(child, secret, found)),
    }
}

struct Sender {
    inner: std::sync::Weak<Inner>,
    connection: Option<(String, EngineClient<Channel>)>,
}

impl Sender {
    async fn run(mut self, mut items: mpsc::Receiver<Item>) {
        while let Some(item) = items.recv().await {
            match item {
                Item::Line(request) => {
                    self.deliver(request).await;
                    self.tell_dropped().await;
                }
                Item::Flush(done) => {
                    // Who waited may have given up.
                    let _ = done.send(());
                }
            }
        }
    }

    async fn tell_dropped(&mut self) {
        let dropped = self.inner.upgrade().map_or(0, |inner| inner.dropped.swap(0, Ordering::Relaxed));
        if dropped > 0 {
            self.deliver(LogRequest {
                severity: LogSeverity::Warning.into(),
                message: format!("{dropped} log lines were lost because the engine did not take them fast enough"),
                ..LogRequest::default()
            })
            .await;
        }
    }

    /// Sends one line. A log that cannot be written is no reason to fail anything, so errors end here.
    async fn deliver(&mut self, request: LogRequest) {
        let sent = tokio::time::timeout(SEND_LIMIT, async {
            let client = self.client().await?;
            client.log(request).await.ok()
        });
        if !matches!(sent.await, Ok(Some(_))) {
            self.connection = None;
        }
    }

    async fn client(&mut self) -> Option<&mut EngineClient<Channel>> {
        let inner = self.inner.upgrade()?;
        let address = inner.address.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        if self.connection.as_ref().is_none_or(|(connected, _)| *connected != address) {
            let channel = Endpoint::from_shared(format!("http://{address}")).ok()?.connect().await.ok()?;
            self.connection = Some((address, EngineClient::new(channel)));
        }
        self.connection.as_mut().map(|(_, client)| client)
    }
}

/// The engine's log for one resource.
pub struct ResourceLog {
    engine: EngineLog,
    urn: Arc<str>,
}

impl LogSink for ResourceLog {
    /// The engine shows debug lines on request and does not tell us whether it was requested.
    fn enabled(&self, level: LogLevel) -> bool {
        level >= LogLevel::Debug
    }

    fn log(&self, level: LogLevel, module: &str, message: &str, fields: &[(&str, &str)]) {
        let severity = match level {
            LogLevel::Trace | LogLevel::Debug => LogSeverity::Debug,
            LogLevel::Info => LogSeverity::Info,
            // An error line would mark the resource as failed although the call may succeed. When the call fails, its
            // status says so.
            LogLevel::Warn | LogLevel::Error => LogSeverity::Warning,
        };
        let mut line = format!("[{module}] {message}");
        for (name, value) in fields {
            line.push_str(&format!(" {name}={value}"));
        }
        self.engine.line(severity, &self.urn, line);
    }
}

impl ProgressSink for ResourceLog {
    fn progress(&self, message: &str) {
        self.engine.status(&self.urn, message);
    }
}
