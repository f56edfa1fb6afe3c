//! This program in the place of a Terraform provider that somebody else wrote, which it starts: so integrations are asked about
//! what that provider is to do, under a Terraform that knows nothing of them.
//!
//! `denobridge wrap` makes a folder in which this program has the provider's name. Beside it is a file that names the provider:
//!
//! ```text
//! terraform-provider-random_v3.6.3     this program
//! random.denobridge.json               {"form": 1, "wraps": {"address": …, "version": …, "program": …}}
//! ```

mod observer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use denobridge_core::Call;
use denobridge_integrations::protocol::HostKind;
use denobridge_registry::Environment;
use denobridge_terraform::{LaunchOptions, TapError, TapOptions, tap};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::bridged::{WatchedSpawner, start_limit};
use crate::children::Watcher;
use crate::layers::{Layers, LayersError};
use crate::sidecar::{FORM, Sidecar, SidecarError};
use observer::Around;

/// A provider that this program stands before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wrapped {
    /// Its source address, such as `registry.terraform.io/hashicorp/random`.
    pub address: String,
    /// Its version.
    pub version: String,
    /// Its executable.
    pub program: PathBuf,
}

/// The file that names it.
#[derive(Serialize, Deserialize)]
struct Written {
    form: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wraps: Option<Wrapped>,
}

/// Why nobody could stand before a provider.
#[derive(Debug, Error)]
pub enum WrapError {
    /// It did not start, or the host cannot be served.
    #[error(transparent)]
    Tap(#[from] TapError),
    /// What was asked for around it cannot be had.
    #[error(transparent)]
    Layers(#[from] LayersError),
    /// A setting makes no sense.
    #[error("{0}")]
    Setting(String),
}

impl Wrapped {
    /// The provider that this process stands before, if it does.
    ///
    /// # Errors
    /// The file that should say so cannot be read.
    pub fn of_process() -> Result<Option<Self>, SidecarError> {
        Self::of(Sidecar::of_process()?)
    }

    /// The provider that a program stands before, if it does.
    ///
    /// # Errors
    /// The file that should say so cannot be read.
    pub fn behind(program: &Path) -> Result<Option<Self>, SidecarError> {
        Self::of(Sidecar::beside(Some(program), None)?)
    }

    fn of(sidecar: Option<Sidecar>) -> Result<Option<Self>, SidecarError> {
        match sidecar {
            Some(sidecar) => Ok(sidecar.read::<Written>()?.wraps),
            None => Ok(None),
        }
    }

    /// What is written beside the program. It ends with a new line.
    #[must_use]
    pub fn sidecar(&self) -> String {
        let written = Written { form: FORM, wraps: Some(self.clone()) };
        // It has texts only.
        serde_json::to_string_pretty(&written).unwrap_or_default() + "\n"
    }

    /// The last part of the address.
    #[must_use]
    pub fn provider_type(&self) -> &str {
        self.address.rsplit('/').next().unwrap_or_default()
    }
}

/// Stands between the Terraform that started this process and the provider, until that ends it.
///
/// # Errors
/// The provider does not start, or the host cannot be served.
pub async fn serve(wrapped: Wrapped) -> Result<(), WrapError> {
    let environment = Environment::of_process();
    let start_limit = start_limit(&environment).map_err(|error| WrapError::Setting(error.to_string()))?;
    // What it writes goes to the host as it is, and there is nothing of ours to add.
    let silent = Arc::clone(Call::new().log_sink());
    let spawner = Arc::new(WatchedSpawner { watcher: Watcher::shared(), log: Arc::clone(&silent) });
    let title = format!("{} {}", wrapped.address, wrapped.version);
    let launch = LaunchOptions { start_limit, ..LaunchOptions::new(title, &wrapped.program, silent, spawner) };
    let provider_type = wrapped.provider_type().to_owned();
    let observer = Around::observer(Layers::of_process(HostKind::Terraform, None)?, &wrapped.address);
    Ok(tap(TapOptions { provider_type, launch, observer }).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_beside_the_program() {
        let place = tempfile::tempdir().unwrap();
        let program = place.path().join("terraform-provider-random_v3.6.3");
        assert_eq!(Wrapped::behind(&program).unwrap(), None);
        let wrapped = Wrapped {
            address: "registry.terraform.io/hashicorp/random".to_owned(),
            version: "3.6.3".to_owned(),
            program: "/cache/terraform-provider-random_v3.6.3".into(),
        };
        std::fs::write(place.path().join("random.denobridge.json"), wrapped.sidecar()).unwrap();
        assert_eq!(wrapped.provider_type(), "random");
        assert_eq!(Wrapped::behind(&program).unwrap(), Some(wrapped));
        // A package of scripts is none.
        std::fs::write(place.path().join("random.denobridge.json"), r#"{"form": 1, "address": "a/b/c"}"#).unwrap();
        assert_eq!(Wrapped::behind(&program).unwrap(), None);
    }
}
