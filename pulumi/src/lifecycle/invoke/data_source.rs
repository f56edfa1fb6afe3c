//! Reading a data source.

use std::sync::Arc;

use denobridge_core::cty::Value;
use denobridge_core::planning::rules;
use denobridge_core::provider::ReadDataSourceRequest;

use crate::errors::Failure;
use crate::lifecycle::{CAPABILITIES, Operation};
use crate::property_value::PropertyMap;

impl Operation {
    pub(super) async fn read_data_source(&self, config: Value) -> Result<PropertyMap, Failure> {
        let schema = self.schema()?;
        let request = ReadDataSourceRequest {
            type_name: Arc::clone(&self.type_name),
            config: config.clone().into(),
            client_capabilities: CAPABILITIES,
            ..ReadDataSourceRequest::default()
        };
        let answer = self.ask(|provider, call| provider.read_data_source(call, request)).await?;
        let found = self.decode(&answer.state, &schema.implied_type());
        if let Ok(found) = &found {
            self.learn_from(&answer.diagnostics, found);
        }
        self.settle(&answer.diagnostics)?;
        self.require(&rules::deferral(false, answer.deferred))?;
        let found = found?;
        self.require(&rules::data_result(&schema.block, &found))?;
        Ok(self.result_of(&found, &config))
    }
}
