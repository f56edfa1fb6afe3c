//! The requests in the life of a resource of `terraform-provider-time`, which computes what it is asked for and needs nothing
//! from outside.

use std::sync::OnceLock;

use anyhow::{Context, Result, ensure};
use prost_types::value::Kind;
use prost_types::{Struct, Value};

use crate::plugin::Client;
use crate::wire::diff_response::DiffChanges;
use crate::wire::{CheckRequest, CreateRequest, DeleteRequest, DiffRequest, ReadRequest, UpdateRequest};

const TOKEN: &str = "time:index/offset:Offset";

/// A resource on its way through its life.
pub struct Resource {
    name: String,
    urn: String,
    /// Id and outputs, once it has been created.
    created: OnceLock<(String, Struct)>,
}

/// A request about a resource: whom it is about is said in the same three fields of each.
macro_rules! about {
    ($resource:expr, $request:ident { $($field:ident $(: $value:expr)?),* }) => {
        $request {
            urn: $resource.urn.clone(),
            name: $resource.name.clone(),
            r#type: TOKEN.to_owned(),
            $($field $(: $value)?,)*
            ..$request::default()
        }
    };
}

impl Resource {
    /// The resource of that number, which does not exist yet.
    pub fn new(number: usize) -> Self {
        let name = format!("r{number}");
        let urn = format!("urn:pulumi:dev::bench::{TOKEN}::{name}");
        Self { name, urn, created: OnceLock::new() }
    }

    fn created(&self) -> Result<(String, Struct)> {
        self.created.get().cloned().context("it was not created")
    }

    pub async fn check(&self, mut client: Client) -> Result<()> {
        let request = about!(self, CheckRequest { news: Some(inputs(7)), random_seed: vec![7; 32] });
        let answer = client.check(request).await?.into_inner();
        ensure!(answer.failures.is_empty(), "{:?}", answer.failures);
        Ok(())
    }

    pub async fn create(&self, mut client: Client) -> Result<()> {
        let request = about!(self, CreateRequest { properties: Some(inputs(7)) });
        let answer = client.create(request).await?.into_inner();
        let outputs = answer.properties.context("no outputs")?;
        ensure!(outputs.fields.contains_key("rfc3339"), "no result: {outputs:?}");
        let _ = self.created.set((answer.id, outputs));
        Ok(())
    }

    pub async fn diff(&self, mut client: Client) -> Result<()> {
        let (id, olds) = self.created()?;
        let request =
            about!(self, DiffRequest { id, olds: Some(olds), news: Some(inputs(8)), old_inputs: Some(inputs(7)) });
        let answer = client.diff(request).await?.into_inner();
        ensure!(answer.changes() == DiffChanges::DiffSome, "no change was seen");
        Ok(())
    }

    pub async fn read(&self, mut client: Client) -> Result<()> {
        let (id, outputs) = self.created()?;
        let request = about!(self, ReadRequest { id, properties: Some(outputs), inputs: Some(inputs(7)) });
        let answer = client.read(request).await?.into_inner();
        ensure!(!answer.id.is_empty(), "it was not found");
        Ok(())
    }

    pub async fn update(&self, mut client: Client) -> Result<()> {
        let (id, olds) = self.created()?;
        let request =
            about!(self, UpdateRequest { id, olds: Some(olds), news: Some(inputs(8)), old_inputs: Some(inputs(7)) });
        client.update(request).await?;
        Ok(())
    }

    pub async fn delete(&self, mut client: Client) -> Result<()> {
        let (id, outputs) = self.created()?;
        let request = about!(self, DeleteRequest { id, properties: Some(outputs), old_inputs: Some(inputs(7)) });
        client.delete(request).await?;
        Ok(())
    }
}

/// Inputs; a change of the days is an update.
fn inputs(days: u32) -> Struct {
    let triggers = Kind::StructValue(object([("release", Kind::StringValue("a".to_owned()))]));
    object([
        ("baseRfc3339", Kind::StringValue("2026-01-01T00:00:00Z".to_owned())),
        ("offsetDays", Kind::NumberValue(days.into())),
        ("triggers", triggers),
    ])
}

/// A property map.
pub fn object<const N: usize>(entries: [(&str, Kind); N]) -> Struct {
    let fields = entries.into_iter().map(|(name, kind)| (name.to_owned(), Value { kind: Some(kind) }));
    Struct { fields: fields.collect() }
}
