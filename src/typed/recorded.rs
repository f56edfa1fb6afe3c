//! What makes a package of scripts, beside what the scripts answer: enough to make the same package again when it is played
//! from a recording.

use std::sync::Arc;

use denobridge_core::provider::{GetProviderSchemaRequest, GetProviderSchemaResponse};
use denobridge_core::recording::Recorder;
use denobridge_core::{Call, Provider};
use denobridge_pulumi::{PackageError, ServedPackage};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::folder::Manifest;
use super::packages::Described;
use super::{Release, ScriptPackage, provider};
use crate::bridged::PluginIdentity;
use crate::scripted::{Runtime, ScriptedOptions};

/// See the module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedScripts {
    package: ScriptPackage,
    manifest: Manifest,
    /// The parameter that leads to it, as it is kept in SDKs; none for a plugin of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parameter: Option<String>,
    /// Where a plugin of its own is downloaded from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    download_url: Option<String>,
}

impl RecordedScripts {
    /// A package that an SDK leads to.
    pub(super) fn new(package: ScriptPackage, manifest: Manifest, parameter: &[u8]) -> Self {
        // It was read as JSON, or written as such.
        let parameter = String::from_utf8_lossy(parameter).into_owned();
        Self { package, manifest, parameter: Some(parameter), download_url: None }
    }

    /// Records it.
    pub fn note(&self, recorder: &Recorder) {
        recorder.note("scripts", [("scripts".to_owned(), json!(self))].into_iter().collect());
    }

    /// The schema of its provider, which is made of what the scripts have said of themselves.
    ///
    /// # Errors
    /// They make no provider of this version.
    pub async fn schema(&self, call: &Call) -> Result<GetProviderSchemaResponse, String> {
        let options = ScriptedOptions { runtime: Runtime::default(), deno: None };
        let provider = provider(&self.package, options).map_err(|error| error.to_string())?;
        provider.get_provider_schema(call, GetProviderSchemaRequest {}).await.map_err(|error| error.to_string())
    }

    /// The package over what stands in for the provider.
    ///
    /// # Errors
    /// The scripts make no package of this version.
    pub async fn served(
        &self,
        call: &Call,
        plugin: &PluginIdentity,
        provider: Arc<dyn Provider>,
    ) -> Result<ServedPackage, PackageError> {
        let (package, manifest) = (self.package.clone(), self.manifest.clone());
        let mut described = Described::of(call, plugin.clone(), provider, package, manifest).await?;
        described.options.plugin_download_url.clone_from(&self.download_url);
        described.served(self.parameter.as_ref().map(String::as_bytes))
    }
}

impl From<&Release> for RecordedScripts {
    fn from(release: &Release) -> Self {
        let (package, manifest) = (release.package.clone(), release.manifest.clone());
        Self { package, manifest, parameter: None, download_url: release.download_url.clone() }
    }
}
