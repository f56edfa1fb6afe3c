//! Asking a foreign provider under Pulumi: what its tests share.

use std::sync::Arc;

use denobridge_pulumi::proto::Struct;
use denobridge_pulumi::proto::pulumirpc::*;
use serde_json::{Value as Json, json};
use tonic::{Response, Status};

use crate::bridged_provider::{Acme, Bridged};
use crate::support::{Door, json_of, object};

/// A door with a foreign provider behind it. Tests of one resource type say which.
pub struct Foreign {
    pub door: Door,
    pub acme: Arc<Acme>,
    pub urn: String,
}

pub fn provider_urn(name: &str) -> String {
    format!("urn:pulumi:dev::project::pulumi:providers:acme::{name}")
}

impl Foreign {
    /// A resource called `t` of a type, such as `server:Server`.
    pub async fn open(token: &str) -> Self {
        let acme = Arc::new(Acme::default());
        let door = Door::serve(Arc::new(Bridged(Arc::clone(&acme)))).await;
        Self { door, acme, urn: format!("urn:pulumi:dev::project::acme:index/{token}::t") }
    }

    pub async fn server() -> Self {
        Self::open("server:Server").await
    }

    pub async fn check_with(&mut self, request: CheckRequest) -> (Json, Vec<(String, String)>) {
        let request = CheckRequest { urn: self.urn.clone(), ..request };
        let answer = self.door.client.check(request).await.expect("checks").into_inner();
        (json_of(&answer.inputs.expect("inputs")), failures(answer.failures))
    }

    pub async fn check(&mut self, news: Json) -> (Json, Vec<(String, String)>) {
        self.check_with(CheckRequest { news: Some(object(news)), random_seed: b"seed".to_vec(), ..Default::default() })
            .await
    }

    pub async fn check_config(&mut self, provider: &str, news: Json) -> (Json, Vec<(String, String)>) {
        let request = CheckRequest { urn: provider_urn(provider), news: Some(object(news)), ..Default::default() };
        let answer = self.door.client.check_config(request).await.expect("checks").into_inner();
        (json_of(&answer.inputs.expect("inputs")), failures(answer.failures))
    }

    pub async fn configure(&mut self, args: Json) {
        let request =
            ConfigureRequest { args: Some(object(args)), urn: Some(provider_urn("default")), ..Default::default() };
        self.door.client.configure(request).await.expect("configures");
    }

    pub async fn create_with(&mut self, inputs: Json, preview: bool, timeout: f64) -> Result<CreateResponse, Status> {
        let properties = Some(object(inputs));
        let request = CreateRequest { urn: self.urn.clone(), properties, preview, timeout, ..Default::default() };
        self.door.client.create(request).await.map(Response::into_inner)
    }

    /// The outputs of a new resource.
    pub async fn create(&mut self, inputs: Json) -> Struct {
        self.create_with(inputs, false, 0.0).await.expect("creates").properties.expect("outputs")
    }

    pub async fn diff(&mut self, olds: &Struct, old_inputs: Json, news: Json, ignored: &[&str]) -> DiffResponse {
        let request = DiffRequest {
            urn: self.urn.clone(),
            olds: Some(olds.clone()),
            old_inputs: Some(object(old_inputs)),
            news: Some(object(news)),
            ignore_changes: ignored.iter().map(ToString::to_string).collect(),
            ..Default::default()
        };
        self.door.client.diff(request).await.expect("diffs").into_inner()
    }

    pub async fn update(
        &mut self,
        olds: &Struct,
        news: Json,
        ignored: &[&str],
        timeout: f64,
    ) -> Result<Struct, Status> {
        let request = UpdateRequest {
            urn: self.urn.clone(),
            olds: Some(olds.clone()),
            news: Some(object(news)),
            ignore_changes: ignored.iter().map(ToString::to_string).collect(),
            timeout,
            ..Default::default()
        };
        self.door.client.update(request).await.map(|answer| answer.into_inner().properties.expect("outputs"))
    }

    pub async fn read(&mut self, id: &str, properties: Option<Struct>, inputs: Option<Json>) -> ReadResponse {
        let (urn, inputs) = (self.urn.clone(), inputs.map(object));
        let request = ReadRequest { id: id.to_owned(), urn, properties, inputs, ..Default::default() };
        self.door.client.read(request).await.expect("reads").into_inner()
    }

    pub async fn import(&mut self, id: &str) -> Result<ReadResponse, Status> {
        let properties = Some(object(json!({})));
        let request = ReadRequest { id: id.to_owned(), urn: self.urn.clone(), properties, ..Default::default() };
        self.door.client.read(request).await.map(Response::into_inner)
    }

    pub async fn delete(&mut self, outputs: Struct, timeout: f64) {
        let request = DeleteRequest { urn: self.urn.clone(), properties: Some(outputs), timeout, ..Default::default() };
        self.door.client.delete(request).await.expect("deletes");
    }

    pub async fn invoke(&mut self, function: &str, args: Json, preview: bool) -> Result<InvokeResponse, Status> {
        let request = InvokeRequest { tok: format!("acme:index/{function}"), args: Some(object(args)), preview };
        self.door.client.invoke(request).await.map(Response::into_inner)
    }
}

pub fn failures(failures: Vec<CheckFailure>) -> Vec<(String, String)> {
    failures.into_iter().map(|failure| (failure.property, failure.reason)).collect()
}
