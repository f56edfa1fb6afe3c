//! The answers of the Go dynamic bridge for a resource with primitive attributes, recorded by its own tests
//! (`go_bridge_answers/*.json`, from pulumi/pulumi-terraform-bridge, Apache-2.0), and ours for the same requests to a provider
//! with the same schema: `terraform-provider-everything` under the name of the one that they were recorded with.
//!
//! Ours may say more than theirs where [`MORE`] says so, and secrets are wrapped in ours: the recording engine did not accept
//! them. Everything else is equal.

#[path = "support/tools.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod tools;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use denobridge_pulumi::proto::Struct;
use denobridge_pulumi::proto::pulumirpc::parameterize_request::{Parameters, ParametersArgs};
use denobridge_pulumi::proto::pulumirpc::resource_provider_client::ResourceProviderClient;
use denobridge_pulumi::proto::pulumirpc::*;
use prost_types::value::Kind;
use prost_types::{ListValue, Value as WireValue};
use serde_json::{Map, Value, json};

/// Members of answers that the Go bridge leaves out, with the reason.
const MORE: [(&str, &str, &str); 5] = [
    ("diff-none", "hasDetailedDiff", "differences are told in detail by default"),
    ("diff-some", "hasDetailedDiff", "differences are told in detail by default"),
    ("diff-some", "detailedDiff", "differences are told in detail by default"),
    ("diff-all", "hasDetailedDiff", "differences are told in detail by default"),
    ("diff-all", "detailedDiff", "differences are told in detail by default"),
];

const TOKEN: &str = "pfprovider:index/primitive:Primitive";

/// A plugin that was started by hand, which is killed in the end.
struct Plugin(Child);

impl Drop for Plugin {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(folder: &Path) -> Result<(Plugin, String)> {
    let program = folder.join("pulumi-resource-terraform-provider");
    tools::link(Path::new(env!("CARGO_BIN_EXE_denobridge")), &program)?;
    let mut command = Command::new(&program);
    command.current_dir(folder).env("PULUMI_HOME", folder).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut plugin = Plugin(command.stderr(Stdio::null()).spawn().context("cannot start the plugin")?);
    let mut port = String::new();
    BufReader::new(plugin.0.stdout.take().context("no output")?).read_line(&mut port)?;
    Ok((plugin, format!("http://127.0.0.1:{}", port.trim())))
}

#[tokio::test]
async fn answers_are_those_of_the_go_bridge() -> Result<()> {
    let scene = tempfile::tempdir()?;
    let provider = scene.path().join("terraform-provider-pfprovider");
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    tools::link(&tools::tool(project, "terraform-provider-everything", "DENOBRIDGE_TEST_EVERYTHING")?, &provider)?;
    let (_plugin, address) = start(scene.path())?;
    let mut client = ResourceProviderClient::connect(address).await?;

    let urn = || format!("urn:pulumi:test::test::{TOKEN}::prim");
    let inputs = json!({
        "attrBoolRequired": true,
        "attrStringRequired": "s",
        "attrIntRequired": 64,
        "attrNumberRequired": 12.3456,
        "attrStringDefaultOverridden": "overridden",
    });
    let with = |base: &Value, more: Value| {
        let mut merged = base.as_object().cloned().unwrap_or_default();
        merged.extend(more.as_object().cloned().unwrap_or_default());
        Value::Object(merged)
    };
    let stored = with(&inputs, json!({ "attrStringDefault": "default-value", "id": "output-id" }));
    let mut seen: Vec<(&str, Value)> = Vec::new();

    let args = vec![provider.display().to_string()];
    let parameters = Some(Parameters::Args(ParametersArgs { args }));
    let answer = client.parameterize(ParameterizeRequest { parameters }).await?.into_inner();
    seen.push(("parameterize", json!({ "name": answer.name, "version": answer.version })));
    client.configure(ConfigureRequest { args: Some(object(&json!({}))), ..Default::default() }).await?;

    let request = CheckRequest { urn: urn(), news: Some(object(&inputs)), ..Default::default() };
    let answer = client.check(request).await?.into_inner();
    ensure!(answer.failures.is_empty(), "{:?}", answer.failures);
    seen.push(("check", json!({ "inputs": json_of(answer.inputs) })));

    for (name, preview) in [("create-preview", true), ("create", false)] {
        let properties = Some(object(&inputs));
        let request = CreateRequest { urn: urn(), properties, preview, ..Default::default() };
        let answer = client.create(request).await?.into_inner();
        let id = if answer.id.is_empty() { json!({}) } else { json!({ "id": answer.id }) };
        seen.push((name, with(&id, json!({ "properties": json_of(answer.properties) }))));
    }

    let computed = json!({
        "attrBoolComputed": false,
        "attrBoolRequired": true,
        "attrIntComputed": 128,
        "attrIntRequired": 64,
        "attrNumberRequired": 12.3456,
        "attrStringComputed": "t",
        "attrStringRequired": "s",
        "id": "example-id",
    });
    let changed = json!({ "attrBoolRequired": true, "attrStringRequired": "u", "attrIntRequired": 64 });
    let all_changed = json!({
        "attrBoolRequired": false,
        "attrStringRequired": "u",
        "attrIntRequired": 65,
        "attrNumberRequired": 12.3456789,
    });
    for (name, olds, news) in
        [("diff-none", &stored, &inputs), ("diff-some", &computed, &changed), ("diff-all", &computed, &all_changed)]
    {
        let request = DiffRequest {
            id: "example-id".to_owned(),
            urn: urn(),
            olds: Some(object(olds)),
            news: Some(object(news)),
            old_inputs: Some(object(&inputs)),
            ..Default::default()
        };
        seen.push((name, diff_of(client.diff(request).await?.into_inner())));
    }

    let before = with(&stored, json!({ "attrStringRequired": "before" }));
    let request = UpdateRequest {
        id: "output-id".to_owned(),
        urn: urn(),
        olds: Some(object(&before)),
        news: Some(object(&inputs)),
        old_inputs: Some(object(&inputs)),
        ..Default::default()
    };
    let answer = client.update(request).await?.into_inner();
    seen.push(("update", json!({ "properties": json_of(answer.properties) })));

    let found = with(&stored, json!({ "attrStringComputed": "t" }));
    for (name, id, properties) in [("read", "output-id", Some(&found)), ("import", "imported", None)] {
        let inputs = properties.map(|_| object(&json!({})));
        let properties = properties.map(object);
        let request = ReadRequest { id: id.to_owned(), urn: urn(), properties, inputs, ..Default::default() };
        let answer = client.read(request).await?.into_inner();
        let (inputs, properties) = (json_of(answer.inputs), json_of(answer.properties));
        seen.push((name, json!({ "id": answer.id, "inputs": inputs, "properties": properties })));
    }

    let properties = Some(object(&stored));
    client.delete(DeleteRequest { id: "output-id".to_owned(), urn: urn(), properties, ..Default::default() }).await?;
    seen.push(("delete", json!({})));

    let differences: Vec<String> =
        seen.iter().filter_map(|(name, ours)| difference(name, ours).transpose()).collect::<Result<_>>()?;
    ensure!(differences.is_empty(), "{}", differences.join("\n\n"));
    Ok(())
}

/// What is different from the Go bridge's answer, for people.
fn difference(name: &str, ours: &Value) -> Result<Option<String>> {
    let path = format!("{}/tests/go_bridge_answers/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let theirs: Value = serde_json::from_str(&std::fs::read_to_string(&path).with_context(|| path.clone())?)?;
    let mut compared = ours.clone();
    if let Some(members) = compared.as_object_mut() {
        members.retain(|member, _| !MORE.iter().any(|(of, more, _)| *of == name && more == member));
    }
    if normal(&compared) == normal(&theirs) {
        return Ok(None);
    }
    Ok(Some(format!("{name}\n  ours:   {}\n  theirs: {}", normal(&compared), normal(&theirs))))
}

/// Pulumi's mark of a secret on the wire.
const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";

/// With members in order, secrets unwrapped, and numbers as doubles, which is all that Pulumi's wire carries.
fn normal(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => Value::Array(items.iter().map(normal).collect()),
        Value::Object(members) if members.contains_key(SIGNATURE) => normal(&members["value"]),
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| name.as_str());
            Value::Object(members.into_iter().map(|(name, value)| (name.clone(), normal(value))).collect())
        }
        other => other.clone(),
    }
}

fn diff_of(answer: DiffResponse) -> Value {
    let mut diff = json!({ "changes": answer.changes().as_str_name() });
    let mut set = |name: &str, value: Value| diff.as_object_mut().map(|diff| diff.insert(name.to_owned(), value));
    for (name, list) in [("diffs", &answer.diffs), ("replaces", &answer.replaces), ("stables", &answer.stables)] {
        if !list.is_empty() {
            set(name, json!(list));
        }
    }
    if answer.delete_before_replace {
        set("deleteBeforeReplace", json!(true));
    }
    if answer.has_detailed_diff {
        set("hasDetailedDiff", json!(true));
    }
    if !answer.detailed_diff.is_empty() {
        set("detailedDiff", json!(answer.detailed_diff.keys().collect::<Vec<_>>()));
    }
    diff
}

fn object(json: &Value) -> Struct {
    let fields = json.as_object().into_iter().flatten().map(|(name, value)| (name.clone(), wire(value)));
    Struct { fields: fields.collect() }
}

fn wire(json: &Value) -> WireValue {
    let kind = match json {
        Value::Null => Kind::NullValue(0),
        Value::Bool(value) => Kind::BoolValue(*value),
        Value::Number(number) => Kind::NumberValue(number.as_f64().unwrap_or(f64::NAN)),
        Value::String(text) => Kind::StringValue(text.clone()),
        Value::Array(items) => Kind::ListValue(ListValue { values: items.iter().map(wire).collect() }),
        Value::Object(_) => Kind::StructValue(object(json).into()),
    };
    WireValue { kind: Some(kind) }
}

fn json_of(object: Option<Struct>) -> Value {
    let members = object.unwrap_or_default().fields.into_iter().map(|(name, value)| (name, json_of_value(value)));
    Value::Object(members.collect::<Map<_, _>>())
}

fn json_of_value(value: WireValue) -> Value {
    match value.kind {
        None | Some(Kind::NullValue(_)) => Value::Null,
        Some(Kind::BoolValue(value)) => json!(value),
        Some(Kind::NumberValue(value)) => json!(value),
        Some(Kind::StringValue(text)) => json!(text),
        Some(Kind::ListValue(list)) => Value::Array(list.values.into_iter().map(json_of_value).collect()),
        Some(Kind::StructValue(object)) => json_of(Some(object.into())),
    }
}
