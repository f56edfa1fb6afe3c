//! Where on a host its registry is: `https://HOST/.well-known/terraform.json`.
//!
//! <https://developer.hashicorp.com/terraform/internals/remote-service-discovery>

use std::collections::BTreeMap;

use reqwest::Url;
use serde_json::Value;

use super::{answer, parse};
use crate::cli_config::{CliConfiguration, Token};
use crate::error::InstallError;
use crate::http::{Access, Http};

/// The service that hosts with providers have.
pub(crate) const PROVIDERS_SERVICE: &str = "providers.v1";

/// A host's registry.
#[derive(Clone, Debug)]
pub(super) struct Service {
    /// Ends with a slash.
    pub(super) url: Url,
    /// The host's token may go to the host, and to where the host itself says that its registry is.
    pub(super) access: Access,
}

/// Asks a host, unless the configuration says where its registry is.
pub(super) async fn discover(
    http: &Http,
    configuration: &CliConfiguration,
    host: &str,
) -> Result<Service, InstallError> {
    let base = Url::parse(&format!("https://{host}/.well-known/terraform.json"));
    let asked = base.map_err(|error| InstallError::Answer { place: host.to_owned(), reason: error.to_string() })?;
    let mut access = Access::default();
    let token = configuration.token_of(host).await?;
    access.grant(&asked, token.as_ref());
    if let Some(configured) = configuration.registries.get(host) {
        let url = service_url(&asked, configured)?;
        access.grant(&url, token.as_ref());
        return Ok(Service { url, access });
    }
    let no_registry =
        |place: &Url| InstallError::NoRegistry { host: host.to_owned(), place: crate::http::shown(place) };
    let document = match http.json(&asked, &access).await {
        Err(error) if error.status() == Some(404) => return Err(no_registry(&asked)),
        document => document?,
    };
    let services: BTreeMap<String, Value> = parse(&document)?;
    let Some(Value::String(service)) = services.get(PROVIDERS_SERVICE) else { return Err(no_registry(&document.url)) };
    let url = service_url(&document.url, service)?;
    // Whoever the host redirects to is not the host: its word does not decide where the host's token goes.
    let says_it_itself = document.url.origin() == asked.origin();
    let token = if says_it_itself { token } else { token_of(&url, configuration).await? };
    access.grant(&url, token.as_ref());
    Ok(Service { url, access })
}

/// The token that the user has for the host of an address.
pub(super) async fn token_of(url: &Url, configuration: &CliConfiguration) -> Result<Option<Token>, InstallError> {
    let host = url.host_str().unwrap_or_default();
    let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    match crate::address::normal_hostname(&host) {
        Ok(host) => Ok(configuration.token_of(&host).await?),
        Err(_) => Ok(None),
    }
}

fn service_url(base: &Url, service: &str) -> Result<Url, InstallError> {
    let url = base.join(service).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let mut url = url.ok_or_else(|| answer(base, format!("{service:?} is no address of a service")))?;
    if !url.path().ends_with('/') {
        let folder = format!("{}/", url.path());
        url.set_path(&folder);
    }
    Ok(url)
}
