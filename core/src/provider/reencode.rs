//! A layer for tests: every value that crosses the seam is encoded and handed on as bytes.
//!
//! A call that stays in the process hands over values as they are, marks and all, which could hide that a worker or a
//! door relies on something that Terraform's wire does not carry. With this layer in between, nothing but the wire form
//! gets through, in either direction.

use std::sync::Arc;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::{
    ApplyResourceChangeRequest, ApplyResourceChangeResponse, CallFunctionRequest, CallFunctionResponse,
    ConfigureProviderRequest, ConfigureProviderResponse, GetProviderSchemaRequest, ImportResourceStateRequest,
    ImportResourceStateResponse, Layer, OpenEphemeralResourceRequest, OpenEphemeralResourceResponse,
    PlanResourceChangeRequest, PlanResourceChangeResponse, Provider, ReadDataSourceRequest, ReadDataSourceResponse,
    ReadResourceRequest, ReadResourceResponse, UpgradeResourceStateRequest, UpgradeResourceStateResponse,
    ValidateProviderConfigRequest, ValidateProviderConfigResponse, ValidateResourceConfigRequest,
    ValidateResourceConfigResponse,
};
use crate::call::{Call, CallError};
use crate::cty::Type;
use crate::dynamic_value::DynamicValue;
use crate::schema::ProviderSchema;

/// See the module.
pub struct Reencode {
    inner: Arc<dyn Provider>,
}

impl Reencode {
    /// Puts the layer around a provider.
    #[must_use]
    pub fn new(inner: Arc<dyn Provider>) -> Self {
        Self { inner }
    }

    async fn schema(&self, call: &Call) -> Result<Arc<ProviderSchema>, CallError> {
        // The question itself must not be cancelled half-way by a caller that only wants its own answer sooner.
        let call = call.clone().with_cancellation(CancellationToken::new());
        Ok(self.inner.get_provider_schema(&call, GetProviderSchemaRequest::default()).await?.schema)
    }

    async fn resource_type(&self, call: &Call, type_name: &str) -> Result<Option<Type>, CallError> {
        Ok(self.schema(call).await?.resources.get(type_name).map(crate::schema::Schema::implied_type))
    }
}

/// Encodes in place. A component that the schema lacks has no type to encode by: its values pass as they are and the
/// provider answers that it does not know the component.
fn encode(value: &mut DynamicValue, ty: Option<&Type>) -> Result<(), CallError> {
    let (Some(ty), DynamicValue::Value(_)) = (ty, &*value) else { return Ok(()) };
    let bytes = value
        .to_msgpack(ty)
        .map_err(|error| CallError::Internal { message: format!("a value does not fit its schema: {error}") })?;
    *value = DynamicValue::MessagePack(bytes);
    Ok(())
}

#[async_trait]
impl Layer for Reencode {
    fn inner(&self) -> &dyn Provider {
        &*self.inner
    }

    async fn validate_provider_config(
        &self,
        call: &Call,
        mut request: ValidateProviderConfigRequest,
    ) -> Result<ValidateProviderConfigResponse, CallError> {
        let ty = self.schema(call).await?.provider.implied_type();
        encode(&mut request.config, Some(&ty))?;
        self.inner.validate_provider_config(call, request).await
    }

    async fn configure_provider(
        &self,
        call: &Call,
        mut request: ConfigureProviderRequest,
    ) -> Result<ConfigureProviderResponse, CallError> {
        let ty = self.schema(call).await?.provider.implied_type();
        encode(&mut request.config, Some(&ty))?;
        self.inner.configure_provider(call, request).await
    }

    async fn validate_resource_config(
        &self,
        call: &Call,
        mut request: ValidateResourceConfigRequest,
    ) -> Result<ValidateResourceConfigResponse, CallError> {
        let ty = self.resource_type(call, &request.type_name).await?;
        encode(&mut request.config, ty.as_ref())?;
        self.inner.validate_resource_config(call, request).await
    }

    async fn upgrade_resource_state(
        &self,
        call: &Call,
        request: UpgradeResourceStateRequest,
    ) -> Result<UpgradeResourceStateResponse, CallError> {
        let ty = self.resource_type(call, &request.type_name).await?;
        let mut response = self.inner.upgrade_resource_state(call, request).await?;
        encode(&mut response.upgraded_state, ty.as_ref())?;
        Ok(response)
    }

    async fn read_resource(
        &self,
        call: &Call,
        mut request: ReadResourceRequest,
    ) -> Result<ReadResourceResponse, CallError> {
        let ty = self.resource_type(call, &request.type_name).await?;
        encode(&mut request.current_state, ty.as_ref())?;
        let mut response = self.inner.read_resource(call, request).await?;
        encode(&mut response.new_state, ty.as_ref())?;
        Ok(response)
    }

    async fn plan_resource_change(
        &self,
        call: &Call,
        mut request: PlanResourceChangeRequest,
    ) -> Result<PlanResourceChangeResponse, CallError> {
        let ty = self.resource_type(call, &request.type_name).await?;
        encode(&mut request.prior_state, ty.as_ref())?;
        encode(&mut request.proposed_new_state, ty.as_ref())?;
        encode(&mut request.config, ty.as_ref())?;
        let mut response = self.inner.plan_resource_change(call, request).await?;
        encode(&mut response.planned_state, ty.as_ref())?;
        Ok(response)
    }

    async fn apply_resource_change(
        &self,
        call: &Call,
        mut request: ApplyResourceChangeRequest,
    ) -> Result<ApplyResourceChangeResponse, CallError> {
        let ty = self.resource_type(call, &request.type_name).await?;
        encode(&mut request.prior_state, ty.as_ref())?;
        encode(&mut request.planned_state, ty.as_ref())?;
        encode(&mut request.config, ty.as_ref())?;
        let mut response = self.inner.apply_resource_change(call, request).await?;
        encode(&mut response.new_state, ty.as_ref())?;
        Ok(response)
    }

    async fn import_resource_state(
        &self,
        call: &Call,
        request: ImportResourceStateRequest,
    ) -> Result<ImportResourceStateResponse, CallError> {
        let mut response = self.inner.import_resource_state(call, request).await?;
        for imported in &mut response.imported_resources {
            let ty = self.resource_type(call, &imported.type_name).await?;
            encode(&mut imported.state, ty.as_ref())?;
        }
        Ok(response)
    }

    async fn read_data_source(
        &self,
        call: &Call,
        mut request: ReadDataSourceRequest,
    ) -> Result<ReadDataSourceResponse, CallError> {
        let schema = self.schema(call).await?;
        let ty = schema.data_sources.get(&request.type_name).map(crate::schema::Schema::implied_type);
        encode(&mut request.config, ty.as_ref())?;
        let mut response = self.inner.read_data_source(call, request).await?;
        encode(&mut response.state, ty.as_ref())?;
        Ok(response)
    }

    async fn open_ephemeral_resource(
        &self,
        call: &Call,
        mut request: OpenEphemeralResourceRequest,
    ) -> Result<OpenEphemeralResourceResponse, CallError> {
        let schema = self.schema(call).await?;
        let ty = schema.ephemeral_resources.get(&request.type_name).map(crate::schema::Schema::implied_type);
        encode(&mut request.config, ty.as_ref())?;
        let mut response = self.inner.open_ephemeral_resource(call, request).await?;
        encode(&mut response.result, ty.as_ref())?;
        Ok(response)
    }

    async fn call_function(
        &self,
        call: &Call,
        mut request: CallFunctionRequest,
    ) -> Result<CallFunctionResponse, CallError> {
        let schema = self.schema(call).await?;
        let signature = schema.functions.get(&request.name);
        if let Some(signature) = signature {
            let parameters = signature.parameters.iter().chain(signature.variadic.iter().cycle());
            for (argument, parameter) in request.arguments.iter_mut().zip(parameters) {
                encode(argument, Some(&parameter.ty))?;
            }
        }
        let mut response = self.inner.call_function(call, request).await?;
        encode(&mut response.result, signature.map(|signature| &signature.returns))?;
        Ok(response)
    }
}
