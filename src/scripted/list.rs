//! The list resource `denobridge_resource`: finds existing objects of a script, by its method `list`.
//!
//! The script answers page by page, so that nobody waits for the last object to see the first, and nothing is looked up
//! that nobody wants.

use async_trait::async_trait;
use denobridge_core::cty::{Type, Value};
use denobridge_core::planning::empty_block;
use denobridge_core::schema::Schema;
use denobridge_core::{Diagnostic, Diagnostics};
use denobridge_framework::Context;
use denobridge_framework::erased::{ErasedListResource, Found, ListQuery, Listed};
use serde_json::{Value as Json, json};

use super::answer::{Answer, Kind, WrongAnswer};
use super::call::{ScriptCall, attribute, props_json};
use super::messages::Operation;
use super::{resource, schema};

/// The list resource; all it needs is in the provider's data.
pub(crate) struct ScriptList;

#[async_trait]
impl ErasedListResource for ScriptList {
    fn schema(&self) -> Schema {
        schema::list_resource()
    }

    async fn list(&self, context: &Context, query: ListQuery, found: &Found) -> Diagnostics {
        list(context, query, found).await.unwrap_or_else(Into::into)
    }
}

async fn list(context: &Context, query: ListQuery, found: &Found) -> Result<Diagnostics, Diagnostic> {
    let call = ScriptCall::new(context, Operation::List, &query.config, &[])?;
    let mut left = usize::try_from(query.limit).ok().filter(|limit| *limit > 0);
    let (mut said, mut cursor) = (Diagnostics::new(), Json::Null);
    loop {
        let (answer, diagnostics) = call
            .ask(&json!({
                "props": props_json(&query.config),
                "includeObject": query.include_object,
                "limit": left,
                "cursor": cursor,
            }))
            .await?;
        let failed = diagnostics.has_errors();
        said.extend(diagnostics);
        if failed {
            return Ok(said);
        }
        for (index, object) in objects(&call, &answer)?.into_iter().enumerate() {
            if left == Some(0) || !found.push(listed(&call, &query, index, object)?).await {
                return Ok(said);
            }
            left = left.map(|left| left - 1);
        }
        match answer.get("cursor") {
            None => return Ok(said),
            Some(_) if left == Some(0) => return Ok(said),
            Some(next) if *next == cursor => {
                return Err(
                    call.failed("answered \"list\" with the `cursor` that it was given, which would never end.")
                );
            }
            Some(next) => cursor = next.clone(),
        }
    }
}

/// The objects of a page.
fn objects(call: &ScriptCall<'_>, answer: &Answer) -> Result<Vec<Json>, Diagnostic> {
    match answer.get("objects") {
        Some(Json::Array(objects)) => Ok(objects.clone()),
        Some(other) => Err(call.wrong(&wrong("objects".to_owned(), "an array", other))),
        None => {
            Err(call.failed("answered \"list\" without `objects`. When there are none, it must answer an empty array."))
        }
    }
}

fn wrong(member: String, wanted: &'static str, found: &Json) -> WrongAnswer {
    WrongAnswer::Member { member, wanted, found: Kind::of(found) }
}

fn listed(call: &ScriptCall<'_>, query: &ListQuery, index: usize, json: Json) -> Result<Listed, Diagnostic> {
    let refused =
        |wanted, found: &Json, member: &str| call.wrong(&wrong(format!("objects[{index}]{member}"), wanted, found));
    let Json::Object(_) = &json else { return Err(refused("an object", &json, "")) };
    let item = Answer::read(json).map_err(|wrong| call.wrong(&wrong))?;
    let id = match item.get("id") {
        Some(Json::String(id)) if !id.is_empty() => id.clone(),
        other => return Err(refused("a string that is not empty", other.unwrap_or(&Json::Null), ".id")),
    };
    let display_name = item.text("displayName").map_err(|wrong| call.wrong(&wrong))?.unwrap_or(&id).to_owned();
    let mut diagnostics = call.diagnostics(&item, &[]);
    let is_whole = item.get("props").is_some() || item.get("state").is_some();
    let object = (query.include_object && is_whole).then(|| object(call, &query.config, &item, &id));
    let object = object.transpose().unwrap_or_else(|diagnostic| {
        diagnostics.push(diagnostic);
        None
    });
    let identity = resource::identity::of(&query.config, &Value::string(&id));
    Ok(Listed { identity, display_name, object, diagnostics })
}

/// The object as a read would have it.
fn object(call: &ScriptCall<'_>, config: &Value, item: &Answer, id: &str) -> Result<Value, Diagnostic> {
    let value = |member| item.value(member, &Value::null(Type::Dynamic)).map_err(|wrong| call.wrong(&wrong));
    let parts = [
        ("id", Value::string(id)),
        ("path", attribute(config, "path").clone()),
        ("config_file", attribute(config, "config_file").clone()),
        ("permissions", attribute(config, "permissions").clone()),
        ("transport", attribute(config, "transport").clone()),
        ("props", value("props")?),
        ("state", value("state")?),
        ("sensitive_state", value("sensitiveState")?),
    ];
    let nothing = empty_block(&schema::resource().block);
    Ok(parts.into_iter().fold(nothing, |object, (name, value)| object.with_attribute(name, value)))
}
