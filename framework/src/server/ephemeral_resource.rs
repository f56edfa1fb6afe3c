//! The procedures of ephemeral resources.

use bytes::Bytes;
use denobridge_core::cty::Value;
use denobridge_core::planning::{mark_sensitive, rules};
use denobridge_core::provider::*;
use denobridge_core::{Call, Diagnostic, Diagnostics, DynamicValue};

use super::resource::decode_private;
use super::{Server, decode, forbidden_deferral};
use crate::guard::Operation;
use crate::mask::Secrets;
use crate::private::PrivateData;

const KIND: &str = "ephemeral resource";

pub(super) async fn validate(
    server: &Server,
    call: &Call,
    request: ValidateEphemeralResourceConfigRequest,
) -> ValidateEphemeralResourceConfigResponse {
    let type_name = &request.type_name;
    let diagnostics = async {
        let entry = server.find(&server.catalog().ephemeral_resources, KIND, type_name)?;
        let config = decode(&request.config, &entry.ty, "configuration", type_name)?;
        let context = |call| server.context(call, type_name).with_capability(entry.capability.clone());
        let validate = |call| async { entry.component.validate(&context(call), &config).await };
        Ok::<_, Diagnostic>(server.checked(call, type_name, &entry.schema.block, &config, validate).await)
    };
    ValidateEphemeralResourceConfigResponse { diagnostics: diagnostics.await.unwrap_or_else(Into::into) }
}

pub(super) async fn open(
    server: &Server,
    call: &Call,
    request: OpenEphemeralResourceRequest,
) -> OpenEphemeralResourceResponse {
    match opened(server, call, request).await {
        Ok(response) => response,
        Err(diagnostics) => OpenEphemeralResourceResponse { diagnostics, ..Default::default() },
    }
}

async fn opened(
    server: &Server,
    call: &Call,
    request: OpenEphemeralResourceRequest,
) -> Result<OpenEphemeralResourceResponse, Diagnostics> {
    let type_name = &request.type_name;
    let entry = server.find(&server.catalog().ephemeral_resources, KIND, type_name)?;
    let config = decode(&request.config, &entry.ty, "configuration", type_name)?;
    let (block, client) = (&entry.schema.block, request.client_capabilities);
    if let Some(deferred) = server.deferred(client) {
        let result = DynamicValue::from(Value::unknown(entry.ty.clone()));
        return Ok(OpenEphemeralResourceResponse { result, deferred: Some(deferred), ..Default::default() });
    }
    server.ready(type_name, entry.capability.as_ref())?;
    let operation = Operation { name: "opening", component: type_name };
    let mut secrets = Secrets::of(block, &config);
    let mut private = PrivateData::default();
    let opened = {
        let (config, private) = (config.clone(), &mut private);
        let context = |call| server.context(call, type_name).with_capabilities(client);
        let context = |call| context(call).with_capability(entry.capability.clone());
        let handler = |call| async { entry.component.open(&context(call), config, private).await };
        server.run(call, operation, &secrets, handler).await
    };
    let opened = opened.map_err(|panic| server.said(operation, &secrets, panic.into()))?;
    let mut diagnostics = opened.diagnostics;
    diagnostics.extend(forbidden_deferral(operation, client, opened.deferred));
    let result = match opened.result {
        Some(result) => {
            secrets.add(block, &result);
            if !diagnostics.has_errors() {
                let broken = rules::ephemeral_result(block, &config, &result);
                diagnostics.extend(broken.into_iter().map(|broken| operation.broken(broken)));
            }
            mark_sensitive(block, &result)
        }
        None if opened.deferred.is_some() => Value::unknown(entry.ty.clone()),
        None => {
            if !diagnostics.has_errors() {
                diagnostics.push(operation.error("It returned neither a result nor an error."));
            }
            Value::null(entry.ty.clone())
        }
    };
    let diagnostics = server.said(operation, &secrets, diagnostics);
    let result = if diagnostics.has_errors() { DynamicValue::Absent } else { result.into() };
    let (renew_at, deferred) = (opened.renew_at, opened.deferred);
    Ok(OpenEphemeralResourceResponse { diagnostics, renew_at, result, private: private.encode(), deferred })
}

pub(super) async fn renew(
    server: &Server,
    call: &Call,
    request: RenewEphemeralResourceRequest,
) -> RenewEphemeralResourceResponse {
    // Without its private data it could never be closed, so they come back whatever happens.
    let before = request.private.clone();
    match renewed(server, call, request).await {
        Ok(response) => response,
        Err(diagnostics) => RenewEphemeralResourceResponse { diagnostics, renew_at: None, private: before },
    }
}

async fn renewed(
    server: &Server,
    call: &Call,
    request: RenewEphemeralResourceRequest,
) -> Result<RenewEphemeralResourceResponse, Diagnostics> {
    let type_name = &request.type_name;
    let entry = server.find(&server.catalog().ephemeral_resources, KIND, type_name)?;
    let mut private = decode_private(&request.private, type_name)?;
    let operation = Operation { name: "renewal", component: type_name };
    let renewed = {
        let private = &mut private;
        let context = |call| server.context(call, type_name).with_capability(entry.capability.clone());
        server
            .run(call, operation, &Secrets::default(), |call| async {
                entry.component.renew(&context(call), private).await
            })
            .await
    };
    let renewed = renewed.map_err(|panic| server.said(operation, &Secrets::default(), panic.into()))?;
    let diagnostics = server.said(operation, &Secrets::default(), renewed.diagnostics);
    let private: Bytes = private.encode();
    Ok(RenewEphemeralResourceResponse { diagnostics, renew_at: renewed.renew_at, private })
}

pub(super) async fn close(
    server: &Server,
    call: &Call,
    request: CloseEphemeralResourceRequest,
) -> CloseEphemeralResourceResponse {
    let type_name = &request.type_name;
    let operation = Operation { name: "closing", component: type_name };
    let closed = async {
        let entry = server.find(&server.catalog().ephemeral_resources, KIND, type_name)?;
        let private = decode_private(&request.private, type_name)?;
        let context = |call| server.context(call, type_name).with_capability(entry.capability.clone());
        server
            .run(call, operation, &Secrets::default(), |call| async {
                entry.component.close(&context(call), &private).await
            })
            .await
    };
    let diagnostics = closed.await.unwrap_or_else(Into::into);
    CloseEphemeralResourceResponse { diagnostics: server.said(operation, &Secrets::default(), diagnostics) }
}
