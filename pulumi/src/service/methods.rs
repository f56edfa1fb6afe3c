//! Methods of providers: foreign ones have `terraformConfig`, which gives a program their configuration in Terraform's names,
//! to be handed on to a Terraform module.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio_util::sync::CancellationToken;

use super::Shared;
use crate::conventions::Conventions;
use crate::errors::Failure;
use crate::package::LoadedPackage;
use crate::property_value::{PropertyMap, PropertyValue, wire};
use crate::proto::pulumirpc::{CallRequest, CallResponse};
use crate::translate::outputs;

pub(super) async fn call(
    shared: Arc<Shared>,
    token: CancellationToken,
    request: CallRequest,
) -> Result<CallResponse, Failure> {
    let owner = request.tok.strip_prefix("pulumi:providers:").and_then(|rest| rest.strip_suffix("/terraformConfig"));
    let Some(package) = owner else { return Err(Failure::Unimplemented("Call")) };
    let package = shared.packages.named(&shared.general_call(token), Some(package)).await?;
    if package.served.conventions != Conventions::GoBridge {
        return Err(Failure::Unimplemented("Call"));
    }
    let result = terraform_config(&package)?;
    Ok(CallResponse { r#return: Some(wire::encode(&result)), ..CallResponse::default() })
}

/// All settings by their Terraform names. Each is a secret: which of them the user holds for one is not told here.
fn terraform_config(package: &LoadedPackage) -> Result<PropertyMap, Failure> {
    let name = &package.served.name;
    if package.settings_unknown.load(Ordering::Relaxed) {
        return Err(Failure::InvalidRequest(format!(
            "terraformConfig of the provider {name} needs all its settings, and some are known only after `pulumi up`"
        )));
    }
    let Some(config) = package.last_configuration.get() else {
        return Err(Failure::InvalidRequest(format!("the provider {name} has not been configured yet")));
    };
    let config = config
        .decode(&package.schema.provider.implied_type())
        .map_err(|error| Failure::Bridge(format!("the configuration of {name} cannot be read: {error}")))?;
    let settings = match outputs::as_it_is(&config) {
        PropertyValue::Object(settings) => settings,
        _ => PropertyMap::new(),
    };
    let settings = settings.into_iter().map(|(name, value)| (name, value.without_secrets().into_secret())).collect();
    Ok([("result".to_owned(), PropertyValue::Object(settings))].into())
}
