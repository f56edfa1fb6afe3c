//! What makes a package of a provider, beside the provider: enough to make the same package again when it is played from a
//! recording.

use std::sync::Arc;

use denobridge_core::recording::Recorder;
use denobridge_core::{Call, Provider};
use denobridge_pulumi::{Conventions, PackageError, ServedPackage};
use denobridge_sdk_gen::{BasePlugin, BridgedOptions, SchemaError, generate_bridged};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::find::Found;
use super::{PluginIdentity, View, value};
use crate::packages::schema_of;

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedPackage {
    /// What people call the provider: `hashicorp/random 3.6.3`.
    pub title: String,
    /// The last part of its address, or of its file's name.
    pub name: String,
    /// Who publishes it.
    #[serde(default)]
    pub namespace: Option<String>,
    /// Its version.
    pub version: String,
    /// The parameter that leads to it, as it is kept in SDKs.
    pub parameter: String,
}

impl RecordedPackage {
    pub(super) fn new(found: &Found, parameter: &[u8]) -> Self {
        Self {
            title: found.title.clone(),
            name: found.name.clone(),
            namespace: found.namespace.clone(),
            version: found.version.to_string(),
            // It was read as JSON, or written as such.
            parameter: String::from_utf8_lossy(parameter).into_owned(),
        }
    }

    /// Records it.
    pub fn note(&self, recorder: &Recorder) {
        recorder.note("package", [("package".to_owned(), json!(self))].into_iter().collect());
    }

    /// The package over what stands in for the provider.
    ///
    /// # Errors
    /// The parameter is none, or the schema of the provider makes no package.
    pub async fn served(
        &self,
        call: &Call,
        plugin: &PluginIdentity,
        provider: Arc<dyn Provider>,
    ) -> Result<ServedPackage, PackageError> {
        let wanted = value::read(self.parameter.as_bytes());
        let wanted = wanted
            .map_err(|reason| PackageError::InvalidParameter(format!("the parameter cannot be read: {reason}")))?;
        self.described(call, plugin, provider, &wanted.view).await
    }

    pub(super) async fn described(
        &self,
        call: &Call,
        plugin: &PluginIdentity,
        provider: Arc<dyn Provider>,
        view: &View,
    ) -> Result<ServedPackage, PackageError> {
        let unavailable = |reason: &dyn std::fmt::Display| {
            PackageError::Unavailable(format!("the provider {} cannot be a Pulumi package: {reason}", self.title))
        };
        let schema = schema_of(call, &*provider).await.map_err(|reason| unavailable(&reason))?;
        let options = self.options(plugin, view);
        let package = generate_bridged(&schema, &options).map_err(|error| match error {
            SchemaError::InvalidPackageName { .. } => {
                unavailable(&format!("{error}. Choose another name with --provider-name"))
            }
            other => unavailable(&other),
        })?;
        Ok(ServedPackage {
            provider,
            package,
            name: options.package_name().to_owned(),
            version: options.version.clone(),
            conventions: Conventions::GoBridge,
            takes_over: Vec::new(),
        })
    }

    fn options(&self, plugin: &PluginIdentity, view: &View) -> BridgedOptions {
        let PluginIdentity { name, version } = plugin.clone();
        BridgedOptions {
            namespace: self.namespace.clone(),
            package: view.package.clone(),
            includes: view.includes.iter().cloned().collect(),
            excludes: view.excludes.iter().cloned().collect(),
            parameterization: Some(BasePlugin { name, version, parameter: self.parameter.clone().into_bytes() }),
            repairs: view.repairs.clone(),
            ..BridgedOptions::new(&self.name, self.version.clone())
        }
    }
}
