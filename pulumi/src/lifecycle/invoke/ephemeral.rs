//! Opening an ephemeral resource, which then lives as long as the process.

use std::sync::Arc;

use denobridge_core::cty::Value;
use denobridge_core::planning::{rules, same_value};
use denobridge_core::provider::OpenEphemeralResourceRequest;

use crate::errors::Failure;
use crate::lease::{Lease, Leases};
use crate::lifecycle::{CAPABILITIES, Operation};
use crate::property_value::{PropertyMap, PropertyValue};

impl Operation {
    /// Opens it. All that comes back is secret, apart from what the program has said itself: nothing of an ephemeral
    /// value may be in the state in clear.
    pub(super) async fn open(&self, config: Value, leases: &Leases) -> Result<PropertyMap, Failure> {
        let schema = self.schema()?;
        let request = OpenEphemeralResourceRequest {
            type_name: Arc::clone(&self.type_name),
            config: config.clone().into(),
            client_capabilities: CAPABILITIES,
        };
        let answer = self.ask(|provider, call| provider.open_ephemeral_resource(call, request)).await?;
        self.settle(&answer.diagnostics)?;
        self.require(&rules::deferral(false, answer.deferred))?;
        // It is open: whatever is wrong with the result, it has to be closed.
        leases.hold(Lease {
            package: Arc::clone(&self.package),
            type_name: Arc::clone(&self.type_name),
            name: self.function_name().to_owned(),
            fields: self.fields().clone(),
            private: answer.private,
            renew_at: answer.renew_at,
            log: self.engine_log(),
        });
        let result = self.decode(&answer.result, &schema.implied_type())?;
        self.require(&rules::ephemeral_result(&schema.block, &config, &result))?;
        if !result.is_wholly_known() {
            return Err(self.failed(&["the provider returned a value that is not known".to_owned()]));
        }
        let mut properties = self.result_of(&result, &config);
        for field in self.fields().fields() {
            let said = match (config.attribute(&field.terraform), result.attribute(&field.terraform)) {
                (Some(said), Some(returned)) => !said.is_null() && same_value(said, returned),
                _ => false,
            };
            if let Some(property) = properties.get_mut(&*field.pulumi).filter(|_| !said) {
                *property = std::mem::take::<PropertyValue>(property).into_secret();
            }
        }
        Ok(properties)
    }
}
