//! The engine's side: a client, a log service, and property values as JSON.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use denobridge_pulumi::proto::Struct;
use denobridge_pulumi::proto::pulumirpc::engine_server::{Engine, EngineServer};
use denobridge_pulumi::proto::pulumirpc::resource_provider_client::ResourceProviderClient;
use denobridge_pulumi::proto::pulumirpc::*;
use denobridge_pulumi::{Ending, Options, PackageSource, PulumiServer};
use prost::Message as _;
use prost_types::value::Kind;
use prost_types::{ListValue, Value};
use serde_json::{Value as Json, json};
use tokio::sync::oneshot;
use tonic::transport::Channel;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use crate::provider::{Demo, Source, TOKEN};

pub const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";
pub const UNKNOWN: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/// A running plugin with an engine that listens to it.
pub struct Door {
    pub demo: Arc<Demo>,
    pub client: ResourceProviderClient<Channel>,
    pub log: Arc<Mutex<Vec<LogRequest>>>,
    _end: oneshot::Sender<()>,
}

impl Door {
    pub async fn open() -> Self {
        Self::open_with(Demo::default(), false).await
    }

    pub async fn open_reencoded() -> Self {
        Self::open_with(Demo::default(), true).await
    }

    pub async fn open_with(demo: Demo, reencoded: bool) -> Self {
        let demo = Arc::new(demo);
        Self { demo: Arc::clone(&demo), ..Self::serve(Arc::new(Source { demo, reencoded })).await }
    }

    /// Serves something else than the demo.
    pub async fn serve(source: Arc<dyn PackageSource>) -> Self {
        let log = Arc::default();
        let engine_address = engine(Arc::clone(&log)).await;
        let (address, end) = start(source, Some(engine_address));
        Self { demo: Arc::default(), client: connect(address).await, log, _end: end }
    }

    pub async fn check(&mut self, news: Json) -> CheckResponse {
        let request = CheckRequest { urn: urn("t"), news: Some(object(news)), ..CheckRequest::default() };
        self.client.check(request).await.expect("checks").into_inner()
    }

    pub async fn create(&mut self, inputs: Json) -> Result<CreateResponse, Status> {
        self.create_with(inputs, false, 0.0).await
    }

    pub async fn create_with(&mut self, inputs: Json, preview: bool, timeout: f64) -> Result<CreateResponse, Status> {
        let properties = Some(object(inputs));
        let request = CreateRequest { urn: urn("t"), properties, preview, timeout, ..CreateRequest::default() };
        self.client.create(request).await.map(Response::into_inner)
    }

    pub async fn diff(&mut self, olds: &Struct, old_inputs: Json, news: Json, ignore: &[&str]) -> DiffResponse {
        let request = DiffRequest {
            id: "id".to_owned(),
            urn: urn("t"),
            olds: Some(olds.clone()),
            news: Some(object(news)),
            old_inputs: Some(object(old_inputs)),
            ignore_changes: ignore.iter().map(ToString::to_string).collect(),
            ..DiffRequest::default()
        };
        self.client.diff(request).await.expect("diffs").into_inner()
    }

    pub async fn update(&mut self, olds: &Struct, news: Json, preview: bool) -> Result<UpdateResponse, Status> {
        let request = UpdateRequest {
            id: "id".to_owned(),
            urn: urn("t"),
            olds: Some(olds.clone()),
            news: Some(object(news)),
            preview,
            ..UpdateRequest::default()
        };
        self.client.update(request).await.map(Response::into_inner)
    }

    pub async fn read(&mut self, id: &str, properties: Option<Struct>, inputs: Option<Json>) -> ReadResponse {
        let inputs = inputs.map(object);
        let request = ReadRequest { id: id.to_owned(), urn: urn("t"), properties, inputs, ..ReadRequest::default() };
        self.client.read(request).await.expect("reads").into_inner()
    }

    /// Waits for a log line that contains a text.
    pub async fn logged(&self, part: &str) -> LogRequest {
        for _ in 0..100 {
            if let Some(line) = self.log.lock().expect("lock").iter().find(|line| line.message.contains(part)) {
                return line.clone();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("nobody has logged {part:?}: {:?}", self.log.lock().expect("lock"));
    }
}

/// Starts a plugin, which ends when the sender is dropped. Without the address of an engine it was started by hand.
pub fn start(source: Arc<dyn PackageSource>, engine_address: Option<String>) -> (SocketAddr, oneshot::Sender<()>) {
    let mut options = Options::new("demo", "9.9.9", engine_address);
    options.stop_grace = Duration::from_millis(500);
    let server = PulumiServer::bind(options, source).expect("binds");
    let address = server.address().expect("address");
    let (end, ended) = oneshot::channel::<()>();
    tokio::spawn(server.run(async {
        let _ = ended.await;
        Ending::Asked
    }));
    (address, end)
}

pub async fn connect(address: SocketAddr) -> ResourceProviderClient<Channel> {
    let client = ResourceProviderClient::connect(format!("http://{address}")).await.expect("connects");
    client.max_decoding_message_size(denobridge_pulumi::server::MAX_MESSAGE_BYTES)
}

pub fn urn(name: &str) -> String {
    format!("urn:pulumi:dev::project::{TOKEN}::{name}")
}

struct Listener(Arc<Mutex<Vec<LogRequest>>>);

#[tonic::async_trait]
impl Engine for Listener {
    async fn log(&self, request: Request<LogRequest>) -> Result<Response<()>, Status> {
        self.0.lock().expect("lock").push(request.into_inner());
        Ok(Response::new(()))
    }

    async fn get_root_resource(
        &self,
        _: Request<GetRootResourceRequest>,
    ) -> Result<Response<GetRootResourceResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn set_root_resource(
        &self,
        _: Request<SetRootResourceRequest>,
    ) -> Result<Response<SetRootResourceResponse>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn start_debugging(&self, _: Request<StartDebuggingRequest>) -> Result<Response<()>, Status> {
        Err(Status::unimplemented(""))
    }

    async fn require_pulumi_version(
        &self,
        _: Request<RequirePulumiVersionRequest>,
    ) -> Result<Response<RequirePulumiVersionResponse>, Status> {
        Err(Status::unimplemented(""))
    }
}

async fn engine(log: Arc<Mutex<Vec<LogRequest>>>) -> String {
    let incoming = TcpIncoming::bind("127.0.0.1:0".parse().expect("address")).expect("binds");
    let address = incoming.local_addr().expect("address").to_string();
    tokio::spawn(tonic::transport::Server::builder().serve_with_incoming(EngineServer::new(Listener(log)), incoming));
    address
}

pub fn object(json: Json) -> Struct {
    match value(json).kind {
        Some(Kind::StructValue(object)) => object.into(),
        other => panic!("not an object: {other:?}"),
    }
}

fn value(json: Json) -> Value {
    let kind = match json {
        Json::Null => Kind::NullValue(0),
        Json::Bool(value) => Kind::BoolValue(value),
        Json::Number(number) => Kind::NumberValue(number.as_f64().expect("double")),
        Json::String(text) => Kind::StringValue(text),
        Json::Array(items) => Kind::ListValue(ListValue { values: items.into_iter().map(value).collect() }),
        Json::Object(entries) => {
            let fields = entries.into_iter().map(|(name, json)| (name, value(json))).collect();
            Kind::StructValue(prost_types::Struct { fields })
        }
    };
    Value { kind: Some(kind) }
}

pub fn json_of(message: &Struct) -> Json {
    json_of_fields(&message.fields)
}

fn json_of_fields(fields: &BTreeMap<String, Value>) -> Json {
    Json::Object(fields.iter().map(|(name, value)| (name.clone(), json_of_value(value))).collect())
}

fn json_of_value(value: &Value) -> Json {
    match value.kind.as_ref().expect("kind") {
        Kind::NullValue(_) => Json::Null,
        Kind::BoolValue(value) => json!(value),
        Kind::NumberValue(value) if value.fract() == 0.0 && value.abs() < 1e15 => json!(*value as i64),
        Kind::NumberValue(value) => json!(value),
        Kind::StringValue(text) => json!(text),
        Kind::ListValue(list) => Json::Array(list.values.iter().map(json_of_value).collect()),
        Kind::StructValue(object) => json_of_fields(&object.fields),
    }
}

pub fn secret(value: Json) -> Json {
    json!({ SIGNATURE: "1b47061264138c4ac30d75fd1eb44270", "value": value })
}

/// The structured detail of an error.
pub fn detail<M: prost::Message + Default>(status: &Status) -> M {
    let decoded = denobridge_pulumi::proto::google::rpc::Status::decode(status.details()).expect("a status");
    assert_eq!(decoded.code, i32::from(status.code()), "Go drops details whose code differs");
    assert_eq!(decoded.message, status.message());
    M::decode(decoded.details[0].value.as_slice()).expect("detail")
}

pub fn without_meta(properties: &Struct) -> Json {
    let mut json = json_of(properties);
    let entries = json.as_object_mut().expect("object");
    entries.retain(|name, _| !name.starts_with("__"));
    json
}
