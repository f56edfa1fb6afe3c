//! The procedures of actions.

use std::sync::Arc;

use denobridge_core::provider::*;
use denobridge_core::{Call, Diagnostic, Diagnostics};
use futures::stream::{self, BoxStream, StreamExt};
use tokio::sync::mpsc;

use super::{Server, decode, forbidden_deferral};
use crate::erased::Progress;
use crate::guard::Operation;
use crate::mask::Secrets;

const KIND: &str = "action";

pub(super) async fn validate(
    server: &Server,
    call: &Call,
    request: ValidateActionConfigRequest,
) -> ValidateActionConfigResponse {
    let type_name = &request.type_name;
    let diagnostics = async {
        let entry = server.find(&server.catalog().actions, KIND, type_name)?;
        let config = decode(&request.config, &entry.ty, "configuration", type_name)?;
        let context = |call| server.context(call, type_name).with_capability(entry.capability.clone());
        let validate = |call| async { entry.component.validate(&context(call), &config).await };
        Ok::<_, Diagnostic>(server.checked(call, type_name, &entry.schema.block, &config, validate).await)
    };
    ValidateActionConfigResponse { diagnostics: diagnostics.await.unwrap_or_else(Into::into) }
}

pub(super) async fn plan(server: &Server, call: &Call, request: PlanActionRequest) -> PlanActionResponse {
    match planned(server, call, request).await {
        Ok(response) => response,
        Err(diagnostics) => PlanActionResponse { diagnostics, deferred: None },
    }
}

async fn planned(server: &Server, call: &Call, request: PlanActionRequest) -> Result<PlanActionResponse, Diagnostics> {
    let type_name = &request.type_name;
    let entry = server.find(&server.catalog().actions, KIND, type_name)?;
    let config = decode(&request.config, &entry.ty, "configuration", type_name)?;
    let client = request.client_capabilities;
    if let Some(deferred) = server.deferred(client) {
        return Ok(PlanActionResponse { deferred: Some(deferred), ..Default::default() });
    }
    server.ready(type_name, entry.capability.as_ref())?;
    let operation = Operation { name: "planning", component: type_name };
    let secrets = Secrets::of(&entry.schema.block, &config);
    let context = |call| server.context(call, type_name).with_capabilities(client);
    let context = |call| context(call).with_capability(entry.capability.clone());
    let plan = server
        .run(call, operation, &secrets, |call| async { entry.component.plan(&context(call), &config).await })
        .await;
    let plan = plan.map_err(|panic| server.said(operation, &secrets, panic.into()))?;
    let mut diagnostics = plan.diagnostics;
    diagnostics.extend(forbidden_deferral(operation, client, plan.deferred));
    if plan.deferred.is_some_and(|reason| reason != Deferred::ProviderConfigUnknown) {
        diagnostics.push(operation.error("An action can be put off only until the provider's configuration is known."));
    }
    Ok(PlanActionResponse { diagnostics: server.said(operation, &secrets, diagnostics), deferred: plan.deferred })
}

pub(super) async fn invoke(server: &Server, call: &Call, request: InvokeActionRequest) -> InvokeActionResponse {
    let events = invoked(server, call, request)
        .unwrap_or_else(|diagnostic| stream::iter([InvokeActionEvent::Completed(diagnostic.into())]).boxed());
    InvokeActionResponse { events }
}

fn invoked(
    server: &Server,
    call: &Call,
    request: InvokeActionRequest,
) -> Result<BoxStream<'static, InvokeActionEvent>, Diagnostic> {
    let InvokeActionRequest { type_name, config, client_capabilities } = request;
    let entry = server.find(&server.catalog().actions, KIND, &type_name)?;
    let config = decode(&config, &entry.ty, "configuration", &type_name)?;
    server.ready(&type_name, entry.capability.as_ref())?;
    let secrets = Secrets::of(&entry.schema.block, &config);
    let context = server.context(call.clone(), &type_name).with_capabilities(client_capabilities);
    let context = context.with_capability(entry.capability.clone());
    let component = Arc::clone(&entry.component);
    let (sender, progress) = mpsc::unbounded_channel();
    let told = secrets.clone();
    let (worker, teller, call) = (server.clone(), server.clone(), call.clone());
    let work = async move {
        let operation = Operation { name: "run", component: &type_name };
        let progress = Progress(sender);
        let handler = |call| async {
            let context = context.with_call(call);
            component.invoke(&context, config, &progress).await
        };
        let diagnostics = worker.run(&call, operation, &secrets, handler).await.unwrap_or_else(Into::into);
        worker.said(operation, &secrets, diagnostics)
    };
    let progress = Box::pin(stream::unfold(progress, |mut progress: mpsc::UnboundedReceiver<String>| async {
        let message = progress.recv().await?;
        Some((message, progress))
    }));
    let progress = progress.map(move |text| InvokeActionEvent::Progress(teller.secrets_of_text(&text, &told)));
    // The work runs as the stream is read, so whoever stops reading stops it. Its sender goes with it, which ends the
    // progress: then everything told has been passed on, and the result is last.
    let (done, result) = futures::channel::oneshot::channel();
    let work = stream::once(async move {
        let _ = done.send(work.await);
        None
    });
    let told = stream::select(work, progress.map(Some)).filter_map(std::future::ready);
    let end = stream::once(async move { result.await.unwrap_or_default() }).map(InvokeActionEvent::Completed);
    Ok(told.chain(end).boxed())
}
