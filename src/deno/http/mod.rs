//! The older contract: a script exports `fetch`, and each method of the life cycle is a POST to a path of its own.
//!
//! Such a script runs here under `deno serve`, on a port of the loopback interface (for a socket in a private folder Deno
//! would want the permissions to read and write it), or anywhere else behind an address ([`Remote`]). Callers need not know: they name methods and give parameters as JSON-RPC scripts get them, `contract`
//! says what becomes of both.

mod client;
mod contract;
#[cfg(test)]
mod tests;

use super::error::ScriptErrorKind;
use reqwest::Url;
use std::fmt;

pub(crate) use client::{Endpoint, Health, causes};

/// How a script is spoken to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Transport {
    /// JSON-RPC, unless the script turns out to be written for `deno serve`.
    #[default]
    Auto,
    /// JSON-RPC over standard input and output.
    JsonRpc,
    /// HTTP, with the script under `deno serve`.
    Http,
}

/// A `transport` that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`transport` is {0:?}; it can be \"auto\" (the script tells), \"jsonrpc\" or \"http\" (the script is for `deno serve`)"
)]
pub struct UnknownTransport(pub String);

impl Transport {
    /// Reads a `transport` setting; `None` where nothing is set.
    ///
    /// # Errors
    /// It is none of the words.
    pub fn parse(setting: Option<&str>) -> Result<Option<Self>, UnknownTransport> {
        match setting {
            None | Some("") => Ok(None),
            Some("auto") => Ok(Some(Self::Auto)),
            Some("jsonrpc") => Ok(Some(Self::JsonRpc)),
            Some("http") => Ok(Some(Self::Http)),
            Some(other) => Err(UnknownTransport(other.to_owned())),
        }
    }
}

/// Where scripts run on another machine.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Remote {
    base: Url,
    token: Option<String>,
}

/// Why an address cannot be that of remote scripts; reads on after the setting's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RemoteError {
    /// It cannot be read.
    #[error("is no address: {0}")]
    Malformed(String),
    /// The token and the props would travel in clear.
    #[error("must start with https://, except on this machine (localhost): props and token would travel in clear")]
    NotPrivate,
}

impl Remote {
    /// Scripts below an address. `token` is sent there as a bearer token.
    ///
    /// # Errors
    /// The address is none, or neither encrypted nor on this machine.
    pub fn new(address: &str, token: Option<&str>) -> Result<Self, RemoteError> {
        let mut base = Url::parse(address).map_err(|error| RemoteError::Malformed(error.to_string()))?;
        let is_here = matches!(base.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
        if base.scheme() != "https" && !(base.scheme() == "http" && is_here) {
            return Err(RemoteError::NotPrivate);
        }
        // So that `https://host/scripts` does not stand for `https://host/scripts-of-others` too.
        if !base.path().ends_with('/') {
            let path = format!("{}/", base.path());
            base.set_path(&path);
        }
        base.set_query(None);
        base.set_fragment(None);
        Ok(Self { base, token: token.map(str::to_owned) })
    }

    /// Where a script is called, if it is one of these.
    pub(crate) fn endpoint(&self, script: &str) -> Option<Result<Endpoint, ScriptErrorKind>> {
        let address = Url::parse(script).ok()?;
        // Parsed addresses have no `..` left in them.
        if address.origin() != self.base.origin() || !address.path().starts_with(self.base.path()) {
            return None;
        }
        Some(Endpoint::remote(address, self.token.clone()))
    }
}

/// Without the token.
impl fmt::Debug for Remote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Remote").field("base", &self.base.as_str()).finish_non_exhaustive()
    }
}
