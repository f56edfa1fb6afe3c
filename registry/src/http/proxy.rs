//! Proxies, by the variables that Go programs read: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, or in small letters.

use reqwest::{NoProxy, Proxy};

use super::error::causes;
use crate::cli_config::ConfigurationError;
use crate::environment::Environment;

/// Go never asks a proxy for these.
const OURSELVES: &str = "localhost,127.0.0.0/8,::1";

pub(super) fn from(environment: &Environment) -> Result<Vec<Proxy>, ConfigurationError> {
    let variable = |name: &str| {
        let small = name.to_lowercase();
        environment.variable(name).or_else(|| environment.variable(&small))
    };
    let exceptions = match variable("NO_PROXY") {
        Some(more) => format!("{OURSELVES},{more}"),
        None => OURSELVES.to_owned(),
    };
    let mut proxies = Vec::new();
    for name in ["HTTPS_PROXY", "HTTP_PROXY"] {
        if let Some(address) = variable(name) {
            let proxy = if name == "HTTPS_PROXY" { Proxy::https(address) } else { Proxy::http(address) };
            let proxy = proxy.map_err(|error| ConfigurationError::new(name, causes(&error.without_url())))?;
            proxies.push(proxy.no_proxy(NoProxy::from_string(&exceptions)));
        }
    }
    Ok(proxies)
}
