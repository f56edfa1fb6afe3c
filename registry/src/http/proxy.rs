//! Proxies, by the variables that Go programs read: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, or in small letters. And
//! `ALL_PROXY`, which is where other programs look for a SOCKS proxy.

use std::borrow::Cow;

use reqwest::{NoProxy, Proxy};

use super::error::causes;
use crate::cli_config::ConfigurationError;
use crate::environment::Environment;

/// Go never asks a proxy for these.
const OURSELVES: &str = "localhost,127.0.0.0/8,::1";

/// What is good for any address that has no proxy of its own.
const FOR_ALL: &str = "ALL_PROXY";

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
    // The first that knows an address leads there.
    for name in ["HTTPS_PROXY", "HTTP_PROXY", FOR_ALL] {
        let Some(address) = variable(name) else { continue };
        let address = understood(address).map_err(|reason| ConfigurationError::variable(name, reason))?;
        let proxy = match name {
            "HTTPS_PROXY" => Proxy::https(&*address),
            "HTTP_PROXY" => Proxy::http(&*address),
            _ => Proxy::all(&*address),
        };
        let proxy = proxy.map_err(|error| ConfigurationError::variable(name, causes(&error.without_url())))?;
        proxies.push(proxy.no_proxy(NoProxy::from_string(&exceptions)));
    }
    Ok(proxies)
}

/// The address of a proxy of a kind that there is. One of SOCKS is asked for names under either scheme, as Go does it: whoever
/// needs a proxy to get out may have nobody else to ask for them.
fn understood(address: &str) -> Result<Cow<'_, str>, String> {
    let Some((scheme, rest)) = address.split_once("://") else { return Ok(Cow::Borrowed(address)) };
    match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" | "socks5h" => Ok(Cow::Borrowed(address)),
        "socks5" => Ok(Cow::Owned(format!("socks5h://{rest}"))),
        _ => Err(format!("{scheme:?} is no kind of proxy; there are http, https, socks5 and socks5h")),
    }
}
