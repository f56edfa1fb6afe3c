//! A provider that could not be built, and says so to the host.

use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::provider::{GetProviderSchemaRequest, GetProviderSchemaResponse};
use denobridge_core::{Call, CallError, Diagnostic, Provider};

use crate::provider::BuildError;

/// What to serve: the provider, or one that answers the host's first question with why it could not be built.
///
/// A plugin that ends before its handshake tells nobody anything: Terraform does not show what it wrote, and supposes that
/// it is a program for another processor. So the reason waits until the host asks for the schemas.
pub fn explained(built: Result<impl Provider + 'static, BuildError>) -> Arc<dyn Provider> {
    match built {
        Ok(provider) => Arc::new(provider),
        Err(error) => Arc::new(Unbuilt(error)),
    }
}

struct Unbuilt(BuildError);

#[async_trait]
impl Provider for Unbuilt {
    async fn get_provider_schema(
        &self,
        _: &Call,
        _: GetProviderSchemaRequest,
    ) -> Result<GetProviderSchemaResponse, CallError> {
        let detail = format!("{}\n\nThis is a mistake in the provider; please tell its developers.", self.0);
        let diagnostics = Diagnostic::error("The provider is not built as it should be", detail).into();
        Ok(GetProviderSchemaResponse { diagnostics, ..GetProviderSchemaResponse::default() })
    }
}

#[cfg(test)]
mod tests {
    use denobridge_core::cty::Type;
    use denobridge_core::schema::{Attribute, Block, Schema};

    use super::*;
    use crate::ProviderBuilder;

    #[tokio::test]
    async fn a_host_is_told_every_fault_of_a_provider_that_cannot_be_built() {
        let required = |name| Attribute { required: true, ..Attribute::new(name, Type::String) };
        let block = Block { attributes: vec![required("count!"), required("Bad-Name")], ..Block::default() };
        let builder = ProviderBuilder::new("example").config_schema(Schema { version: 0, block });
        let provider = explained(builder.build());
        let answer = provider.get_provider_schema(&Call::new(), GetProviderSchemaRequest {}).await.unwrap();
        let told = &answer.diagnostics.errors().next().unwrap().detail;
        assert!(told.contains("2 faults") && told.contains("count!") && told.contains("Bad-Name"), "{told}");
    }
}
