//! Where a package of scripts is, as people and SDKs say it.

use std::path::PathBuf;

use denobridge_registry::{Environment, local_candidates};

/// What the words of a command line ask for that name scripts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedScripts {
    /// A path or a URL, as it was given.
    pub location: String,
    /// What to call the package, if not as it calls itself.
    pub name: Option<String>,
    /// What the scripts ask for beside what the package says.
    pub allow: Vec<String>,
}

/// Whether something is an address and no path.
#[must_use]
pub fn is_url(location: &str) -> bool {
    location.contains("://") || location.starts_with("jsr:") || location.starts_with("npm:")
}

/// Whether something is on this machine, if it is anywhere.
#[must_use]
pub(super) fn is_local(location: &str) -> bool {
    !is_url(location) || location.starts_with("file://")
}

/// The script or the folder that a path means: from the working directory, then from the folder of the nearest `Pulumi.yaml`
/// upwards.
///
/// # Errors
/// Nothing is there; says where was looked.
pub(super) fn local(given: &str, environment: &Environment) -> Result<PathBuf, String> {
    if given.starts_with("file://") {
        let url = reqwest::Url::parse(given).map_err(|error| error.to_string())?;
        let path = url.to_file_path().map_err(|()| "it names no file of this machine".to_owned())?;
        return if path.exists() { Ok(path) } else { Err(format!("there is no {}", path.display())) };
    }
    let candidates = local_candidates(given, environment);
    if let Some(place) = candidates.iter().find(|place| place.exists()) {
        return Ok(place.clone());
    }
    let looked_for: Vec<_> = candidates.iter().map(|place| tidy(place).display().to_string()).collect();
    Err(format!("there is no {}", looked_for.join(" and no ")))
}

/// A path without the `.` that people write before it.
fn tidy(path: &std::path::Path) -> PathBuf {
    path.components().collect()
}
