//! What went wrong between us and a host.

use std::fmt;
use std::time::Duration;

use reqwest::Url;

/// Nobody answered, or not what was asked for. Names the host, and whether it got a token.
#[derive(Debug, thiserror::Error)]
#[error("{host} {fault} (asked for {url})")]
pub struct FetchError {
    host: String,
    url: String,
    token: Token,
    fault: Fault,
}

/// What was done about credentials.
#[derive(Debug)]
pub(super) enum Token {
    /// There is none.
    None,
    /// It was sent.
    Sent { from: String },
    /// There is one for the host that was asked first, and this is another one.
    ForAnotherHost { host: String, from: String },
}

#[derive(Debug)]
pub(super) enum Fault {
    Unreachable(String),
    TimedOut { limit: Duration, setting: &'static str },
    Status(Answer),
    BrokenOff { received: u64, announced: Option<u64>, reason: String },
    TooLarge { limit: u64, setting: Option<&'static str> },
    NotJson(String),
    TooManyRedirects,
    RedirectNowhere,
    RedirectWithoutTls(String),
    TokenUnusable(String),
}

/// An answer that is no success.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// The status code.
    pub(super) status: u16,
    /// What its text says.
    pub(super) said: Option<String>,
    /// When to ask again.
    pub(super) retry_after: Option<Duration>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(reason) => write!(f, "cannot be reached: {reason}"),
            Self::TimedOut { limit, setting } => {
                write!(f, "did not answer within {} s, which is what {setting} allows", limit.as_secs_f32())
            }
            Self::Status(Answer { status, said: None, .. }) => write!(f, "answered {status}"),
            Self::Status(Answer { status, said: Some(said), .. }) => write!(f, "answered {status}: {said}"),
            Self::BrokenOff { received, announced: Some(announced), reason } => {
                write!(f, "broke off after {received} of {announced} bytes: {reason}")
            }
            Self::BrokenOff { received, announced: None, reason } => {
                write!(f, "broke off after {received} bytes: {reason}")
            }
            Self::TooLarge { limit, setting: Some(setting) } => {
                write!(f, "answered more than {limit} bytes, which is what {setting} allows")
            }
            Self::TooLarge { limit, setting: None } => write!(f, "answered more than {limit} bytes"),
            Self::NotJson(kind) => write!(f, "answered {kind:?} instead of application/json"),
            Self::TooManyRedirects => write!(f, "redirects in a circle"),
            Self::RedirectNowhere => write!(f, "redirects to nowhere"),
            Self::RedirectWithoutTls(url) => write!(f, "redirects to {url}, which is not protected by TLS"),
            Self::TokenUnusable(from) => {
                write!(f, "cannot be sent the token from {from}, which has a character that tokens do not have")
            }
        }
    }
}

impl FetchError {
    pub(super) fn new(url: &Url, token: Token, fault: Fault) -> Self {
        let host = url.host_str().unwrap_or_default();
        let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        Self { host, url: shown(url), token, fault }
    }

    /// The status, if there was an answer.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        match &self.fault {
            Fault::Status(answer) => Some(answer.status),
            _ => None,
        }
    }

    /// Whether asking again may help: how long to wait at least, if the host said.
    pub(super) fn repeatable(&self) -> Option<Option<Duration>> {
        match &self.fault {
            Fault::Unreachable(reason) if is_certificate(reason) => None,
            Fault::Unreachable(_) | Fault::BrokenOff { .. } => Some(None),
            Fault::TimedOut { setting, .. } if *setting == crate::limits::REQUEST_TIMEOUT => Some(None),
            Fault::Status(Answer { status: 429 | 500 | 502..=504, retry_after, .. }) => Some(*retry_after),
            _ => None,
        }
    }

    /// Whether the host is out of reach, rather than of another opinion.
    pub(crate) fn is_unreachable(&self) -> bool {
        self.repeatable().is_some() || matches!(self.fault, Fault::TimedOut { .. })
    }

    pub(crate) fn advice(&self) -> String {
        match &self.fault {
            Fault::Status(Answer { status: 401 | 403, .. }) => self.credentials_advice(),
            Fault::Status(Answer { status: 404 | 410, .. })
            | Fault::TooManyRedirects
            | Fault::RedirectNowhere
            | Fault::RedirectWithoutTls(_) => {
                "What leads there is wrong: tell whoever runs the registry, or ask for another version.".into()
            }
            Fault::Status(Answer { status: 429, retry_after: Some(wait), .. }) => {
                format!("Too many requests came from here. Try again in {} s, or use a mirror.", wait.as_secs())
            }
            Fault::Status(Answer { status: 429, .. }) => {
                "Too many requests came from here. Try again later, or use a mirror.".into()
            }
            Fault::Status(Answer { status: 500.., .. }) => {
                "The host has a problem of its own. Try again later, or use a mirror.".into()
            }
            Fault::Unreachable(reason) if is_certificate(reason) => {
                "If the certificate is from an authority of your own, have SSL_CERT_FILE name a file with the authority's \
                 certificate."
                    .into()
            }
            Fault::Unreachable(_) | Fault::TimedOut { .. } | Fault::BrokenOff { .. } => {
                "Check the network. Behind a proxy, set HTTPS_PROXY; behind a firewall, configure a network_mirror or \
                 filesystem_mirror in Terraform's CLI configuration (TF_CLI_CONFIG_FILE). A provider that was installed \
                 once is kept, and needs no network when its exact version is asked for."
                    .into()
            }
            Fault::TokenUnusable(_) => "Correct the token.".into(),
            Fault::NotJson(_) => "Check the host: something else than a registry may be answering in its place.".into(),
            _ => String::new(),
        }
    }

    fn credentials_advice(&self) -> String {
        let host = &self.host;
        match &self.token {
            Token::Sent { from } => {
                format!("The token from {from} was sent: check that it is valid and allows reading this provider.")
            }
            Token::None => {
                let variable = crate::cli_config::token_variable(host);
                let set = variable.map(|variable| format!("set {variable} or ")).unwrap_or_default();
                format!(
                    "No token is configured for {host}: {set}add a block `credentials \"{host}\"` to Terraform's CLI \
                     configuration."
                )
            }
            Token::ForAnotherHost { host: other, from } => format!(
                "The token from {from} is for {other}, and was not sent to {host}. The registry has to serve this without \
                 one, or from its own host."
            ),
        }
    }
}

fn is_certificate(reason: &str) -> bool {
    reason.contains("invalid peer certificate")
}

/// An address without what may be secret in it.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    // Fails for addresses that cannot have them.
    let _ = url.set_password(None);
    let _ = url.set_username("");
    url.to_string()
}

/// What an HTTP client says first, and what goes without saying.
const SAYS_NOTHING: [&str; 2] = ["error sending request", "error decoding response body"];

/// An error and what caused it, outermost first.
pub(super) fn causes(error: &dyn std::error::Error) -> String {
    let mut texts = Vec::from_iter(Some(error.to_string()).filter(|text| !SAYS_NOTHING.contains(&text.as_str())));
    let mut source = error.source();
    while let Some(cause) = source {
        let text = cause.to_string();
        if !texts.iter().any(|said| said.contains(&text)) {
            texts.push(text);
        }
        source = cause.source();
    }
    texts.join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_secret_in_an_address_is_not_shown() {
        let url = Url::parse("https://ada:hunter2@host/path?signature=hunter2#x").unwrap();
        assert_eq!(shown(&url), "https://host/path");
    }
}
