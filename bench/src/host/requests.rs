//! The calls that are measured. Each checks its answer: a provider that fails fast is not a fast provider.

use anyhow::{Result, bail, ensure};

use crate::plugin::Client;
use crate::wire::get_provider_schema::Response as ProviderSchema;
use crate::wire::schema::{Attribute, Block};
use crate::wire::{Diagnostic, schema};
use crate::wire::{
    DynamicValue, apply_resource_change, configure_provider, diagnostic, plan_resource_change, read_resource,
};

/// An object without attributes, and null, in MessagePack.
const EMPTY: &[u8] = &[0x80];
const NULL: &[u8] = &[0xc0];

/// The number of types of things that the providers have.
const THING_TYPES: usize = 500;

fn value(encoded: &[u8]) -> Option<DynamicValue> {
    Some(DynamicValue { msgpack: encoded.to_vec(), json: Vec::new() })
}

/// Fails with the first error.
pub fn no_errors(diagnostics: &[Diagnostic]) -> Result<()> {
    let error = diagnostics.iter().find(|diagnostic| diagnostic.severity() == diagnostic::Severity::Error);
    if let Some(error) = error {
        bail!("{}: {}", error.summary, error.detail);
    }
    Ok(())
}

/// A provider's configuration without settings.
pub fn configure() -> configure_provider::Request {
    configure_provider::Request {
        terraform_version: "1.14.0".to_owned(),
        config: value(EMPTY),
        client_capabilities: None,
    }
}

/// Plans the creation of the empty resource.
pub async fn plan(mut client: Client, _: usize) -> Result<()> {
    let request = plan_resource_change::Request {
        type_name: "bench_empty".to_owned(),
        prior_state: value(NULL),
        proposed_new_state: value(EMPTY),
        config: value(EMPTY),
        ..Default::default()
    };
    let answer = client.plan_resource_change(request).await?.into_inner();
    no_errors(&answer.diagnostics)?;
    ensure!(answer.planned_state == value(EMPTY), "planned {:?}", answer.planned_state);
    Ok(())
}

/// Creates the empty resource.
pub async fn apply(mut client: Client, _: usize) -> Result<()> {
    let request = apply_resource_change::Request {
        type_name: "bench_empty".to_owned(),
        prior_state: value(NULL),
        planned_state: value(EMPTY),
        config: value(EMPTY),
        ..Default::default()
    };
    let answer = client.apply_resource_change(request).await?.into_inner();
    no_errors(&answer.diagnostics)?;
    ensure!(answer.new_state == value(EMPTY), "made {:?}", answer.new_state);
    Ok(())
}

/// Reads a thing: another one, of another type, with each call.
pub async fn read(mut client: Client, number: usize) -> Result<()> {
    let state = value(&thing(&format!("thing-{number}")));
    let request = read_resource::Request {
        type_name: format!("bench_thing_{:03}", number % THING_TYPES),
        current_state: state.clone(),
        ..Default::default()
    };
    let answer = client.read_resource(request).await?.into_inner();
    no_errors(&answer.diagnostics)?;
    ensure!(answer.new_state == state, "read {:?}", answer.new_state);
    Ok(())
}

/// A thing in MessagePack, its attributes in order.
fn thing(name: &str) -> Vec<u8> {
    let mut out = vec![0x80 | 9];
    let text = |out: &mut Vec<u8>, text: &str| {
        // Texts here have less than 32 bytes, which is what this form holds.
        out.push(0xa0 | text.len() as u8);
        out.extend(text.as_bytes());
    };
    text(&mut out, "description");
    text(&mut out, "for the bench");
    text(&mut out, "enabled");
    out.push(0xc3);
    text(&mut out, "endpoint");
    out.push(0x80 | 2);
    text(&mut out, "host");
    text(&mut out, "localhost");
    text(&mut out, "port");
    out.extend([0xcd, 0x1f, 0x90]);
    text(&mut out, "id");
    text(&mut out, name);
    text(&mut out, "members");
    out.push(0x90 | 2);
    text(&mut out, "alice");
    text(&mut out, "bob");
    text(&mut out, "name");
    text(&mut out, name);
    text(&mut out, "ports");
    out.extend([0x90 | 3, 1, 2, 3]);
    text(&mut out, "size");
    out.push(7);
    text(&mut out, "tags");
    // A single entry: Go's maps have no order, and answers are compared byte by byte.
    out.push(0x80 | 1);
    text(&mut out, "owner");
    text(&mut out, "somebody");
    out
}

/// A schema as far as two providers must agree in it: without the order of attributes, which has no meaning, and without
/// capabilities.
pub fn comparable(mut provider: ProviderSchema) -> ProviderSchema {
    provider.server_capabilities = None;
    provider.provider_meta = None;
    for schema in provider.resource_schemas.values_mut().chain(&mut provider.provider) {
        schema.block.iter_mut().for_each(in_order);
    }
    provider
}

fn in_order(block: &mut Block) {
    sort(&mut block.attributes);
    block.description_kind = schema::Block::default().description_kind;
    // Of the resource as a whole nothing but the content is compared.
    block.description.clear();
}

fn sort(attributes: &mut [Attribute]) {
    attributes.sort_by(|one, other| one.name.cmp(&other.name));
    // Whether a description without a mark is called plain or Markdown makes no difference.
    attributes.iter_mut().for_each(|attribute| attribute.description_kind = 0);
    for nested in attributes.iter_mut().filter_map(|attribute| attribute.nested_type.as_mut()) {
        sort(&mut nested.attributes);
    }
}

/// The first thing in which two schemas differ.
pub fn difference(one: &ProviderSchema, other: &ProviderSchema) -> Option<String> {
    let count = |schema: &ProviderSchema| schema.resource_schemas.len();
    if count(one) != count(other) {
        return Some(format!("{} and {} resource types", count(one), count(other)));
    }
    let differing =
        one.resource_schemas.iter().find(|(name, schema)| other.resource_schemas.get(*name) != Some(*schema));
    if let Some((name, schema)) = differing {
        return Some(format!("{name}: {schema:?} and {:?}", other.resource_schemas.get(name)));
    }
    (one != other).then(|| "something else than resources".to_owned())
}
