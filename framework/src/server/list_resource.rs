//! The procedures of list resources.

use std::sync::Arc;

use denobridge_core::cty::{Type, Value};
use denobridge_core::planning::{mark_sensitive, rules, write_only_nulled};
use denobridge_core::provider::*;
use denobridge_core::{Call, Diagnostic, Diagnostics, DynamicValue};
use futures::stream::{self, BoxStream, StreamExt};
use tokio::sync::mpsc;

use super::{Server, decode};
use crate::erased::{Found, ListQuery, Listed};
use crate::guard::Operation;
use crate::mask::Secrets;

const KIND: &str = "list resource";

pub(super) async fn validate(
    server: &Server,
    call: &Call,
    request: ValidateListResourceConfigRequest,
) -> ValidateListResourceConfigResponse {
    let type_name = &request.type_name;
    let diagnostics = async {
        let entry = server.find(&server.catalog().list_resources, KIND, type_name)?;
        let config = decode(&request.config, &entry.ty, "configuration", type_name)?;
        decode(&request.include_resource_object, &Type::Bool, "include_resource", type_name)?;
        let limit = decode(&request.limit, &Type::Number, "limit", type_name)?;
        if limit.as_number().is_some_and(|limit| limit.to_string().starts_with('-')) {
            return Err(Diagnostic::error("Invalid limit", format!("The limit of {type_name} must not be negative.")));
        }
        let context = |call| server.context(call, type_name).with_capability(entry.capability.clone());
        let validate = |call| async { entry.component.validate(&context(call), &config).await };
        Ok::<_, Diagnostic>(server.checked(call, type_name, &entry.schema.block, &config, validate).await)
    };
    ValidateListResourceConfigResponse { diagnostics: diagnostics.await.unwrap_or_else(Into::into) }
}

pub(super) async fn list(server: &Server, call: &Call, request: ListResourceRequest) -> ListResourceResponse {
    let events =
        listed(server, call, request).unwrap_or_else(|diagnostic| stream::iter([about(diagnostic.into())]).boxed());
    ListResourceResponse { events }
}

/// Messages about the search as a whole.
fn about(diagnostics: Diagnostics) -> ListResourceEvent {
    ListResourceEvent { diagnostics, ..ListResourceEvent::default() }
}

fn listed(
    server: &Server,
    call: &Call,
    request: ListResourceRequest,
) -> Result<BoxStream<'static, ListResourceEvent>, Diagnostic> {
    let ListResourceRequest { type_name, config, include_resource_object: include_object, limit } = request;
    let entry = server.find(&server.catalog().list_resources, KIND, &type_name)?;
    let config = decode(&config, &entry.ty, "configuration", &type_name)?;
    server.ready(&type_name, entry.capability.as_ref())?;
    let secrets = Secrets::of(&entry.schema.block, &config);
    let context = server.context(call.clone(), &type_name).with_capability(entry.capability.clone());
    let component = Arc::clone(&entry.component);
    // One at a time: the search goes on when its last find has been taken.
    let (sender, finds) = mpsc::channel(1);
    let (worker, checker, call, searched) = (server.clone(), server.clone(), call.clone(), Arc::clone(&type_name));
    let work = async move {
        let operation = Operation { name: "listing", component: &searched };
        let found = Found(sender);
        let query = ListQuery { config, include_object, limit };
        let handler = |call| async {
            let context = context.with_call(call);
            component.list(&context, query, &found).await
        };
        let diagnostics = worker.run(&call, operation, &secrets, handler).await.unwrap_or_else(Into::into);
        worker.said(operation, &secrets, diagnostics)
    };
    let most = usize::try_from(limit).ok().filter(|limit| *limit > 0).unwrap_or(usize::MAX);
    let finds = Box::pin(stream::unfold((finds, 0), move |(mut finds, taken)| async move {
        if taken == most {
            return None;
        }
        let listed: Listed = finds.recv().await?;
        Some((listed, (finds, taken + 1)))
    }));
    let finds = finds.map(move |listed| event(&checker, &type_name, listed, include_object));
    let (done, result) = futures::channel::oneshot::channel();
    let work = stream::once(async move {
        let _ = done.send(work.await);
        None
    });
    let found = stream::select(work, finds.map(Some)).filter_map(std::future::ready);
    let end = stream::once(async move { result.await.unwrap_or_default() })
        .filter(|diagnostics: &Diagnostics| std::future::ready(!diagnostics.is_empty()))
        .map(about);
    Ok(found.chain(end).boxed())
}

/// What was found, as it may be sent.
fn event(server: &Server, type_name: &Arc<str>, listed: Listed, include_object: bool) -> ListResourceEvent {
    let operation = Operation { name: "listing", component: type_name };
    let Ok(resource) = server.resource(type_name) else { return ListResourceEvent::default() };
    let Listed { identity, display_name, object, mut diagnostics } = listed;
    let mut secrets = Secrets::default();
    if let Some(schema) = &resource.identity {
        let mut broken = rules::identity_result(&schema.schema, &identity, false);
        if identity.is_null() {
            diagnostics.push(operation.error("It returned an object without an identity."));
        }
        diagnostics.extend(broken.drain(..).map(|broken| operation.broken(broken)));
    }
    let block = &resource.schema.block;
    let object = object.filter(|_| include_object).map(|object| {
        secrets.add(block, &object);
        let object = write_only_nulled(block, &object);
        diagnostics.extend(rules::read_result(block, &object).into_iter().map(|broken| operation.broken(broken)));
        mark_sensitive(block, &object)
    });
    if include_object && object.is_none() && !diagnostics.has_errors() {
        diagnostics.push(Diagnostic::warning(
            "Incomplete result",
            format!("The whole {type_name} was asked for, and the provider returned its identity only."),
        ));
    }
    let diagnostics = server.said(operation, &secrets, diagnostics);
    let sendable = |value: Value| if diagnostics.has_errors() { DynamicValue::Absent } else { value.into() };
    ListResourceEvent {
        identity: sendable(identity),
        display_name,
        resource_object: object.map(sendable),
        diagnostics: diagnostics.clone(),
    }
}
