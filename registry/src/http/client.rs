//! One question and its answer: redirects, tokens, limits.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER, USER_AGENT};
use reqwest::{Certificate, Response, StatusCode, Url};

use super::error::{Answer, Fault, FetchError, Token as Sent, causes, shown};
use super::proxy;
use super::retry::repeat;
use crate::cli_config::{ConfigurationError, Token};
use crate::environment::Environment;
use crate::error::InstallError;
use crate::limits::{DOCUMENT_BYTES, DOWNLOAD_TIMEOUT, Limits, PACKAGE_BYTES, REDIRECTS, REQUEST_TIMEOUT};

/// The version of Terraform whose registry client this one is like; registries refuse those that they take for too old.
const TERRAFORM_VERSION: &str = "1.11.4";
/// How much of an error's text is read.
const ERROR_BYTES: u64 = 8 << 10;

/// Scheme, host and port.
type Origin = (String, String, u16);

fn origin(url: &Url) -> Option<Origin> {
    Some((url.scheme().to_owned(), url.host_str()?.to_owned(), url.port_or_known_default()?))
}

/// Which token goes where.
///
/// A token goes to the origins that it was granted to and to no other, whoever redirects there, and never without TLS.
#[derive(Clone, Debug, Default)]
pub(crate) struct Access {
    grants: Vec<(Origin, Token)>,
}

impl Access {
    /// Lets a token go to where an address is.
    pub(crate) fn grant(&mut self, url: &Url, token: Option<&Token>) {
        if let (Some(origin), Some(token), "https") = (origin(url), token, url.scheme()) {
            self.grants.push((origin, token.clone()));
        }
    }

    fn token(&self, url: &Url) -> Option<&Token> {
        let asked = origin(url)?;
        self.grants.iter().find(|(granted, _)| *granted == asked).map(|(_, token)| token)
    }

    fn sent(&self, url: &Url) -> Sent {
        match (self.token(url), self.grants.first()) {
            (Some(token), _) => Sent::Sent { from: token.found_in.clone() },
            (None, Some(((_, host, _), token))) => {
                Sent::ForAnotherHost { host: host.clone(), from: token.found_in.clone() }
            }
            (None, None) => Sent::None,
        }
    }
}

/// What was found at an address.
pub(crate) struct Document {
    /// Where it was found in the end.
    pub(crate) url: Url,
    pub(crate) body: Vec<u8>,
}

/// Asks hosts.
#[derive(Clone, Debug)]
pub(crate) struct Http {
    client: reqwest::Client,
    limits: Limits,
}

impl Http {
    /// A client with the proxies and certificate authorities of the environment.
    pub(crate) fn new(environment: &Environment, limits: Limits) -> Result<Self, InstallError> {
        let mut builder = reqwest::Client::builder()
            .default_headers(headers(environment))
            .connect_timeout(limits.request_timeout)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .tls_certs_merge(certificates(environment)?);
        for proxy in proxy::from(environment)? {
            builder = builder.proxy(proxy);
        }
        let client = builder
            .build()
            .map_err(|error| ConfigurationError::new("the settings for TLS and proxies", causes(&error)))?;
        Ok(Self { client, limits })
    }

    /// Reads a document of JSON or text.
    pub(crate) async fn document(&self, url: &Url, access: &Access) -> Result<Document, FetchError> {
        let limit = self.limits.request_timeout;
        repeat(&self.limits, self.limits.request_retries, || async {
            let read = async {
                let (response, url) = self.send(url, access).await?;
                let body = self.read(response, &url, access, DOCUMENT_BYTES).await?;
                Ok(Document { url, body })
            };
            timed(url, access, limit, REQUEST_TIMEOUT, read).await
        })
        .await
    }

    /// Reads a document of JSON, and insists that it is called so, as OpenTofu does: a captive portal answers pages.
    pub(crate) async fn json(&self, url: &Url, access: &Access) -> Result<Document, FetchError> {
        let limit = self.limits.request_timeout;
        repeat(&self.limits, self.limits.request_retries, || async {
            let read = async {
                let (response, url) = self.send(url, access).await?;
                let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
                if kind.split(';').next().map(str::trim) != Some("application/json") {
                    return Err(error(&url, access, Fault::NotJson(kind.to_owned())));
                }
                let body = self.read(response, &url, access, DOCUMENT_BYTES).await?;
                Ok(Document { url, body })
            };
            timed(url, access, limit, REQUEST_TIMEOUT, read).await
        })
        .await
    }

    /// Saves what is at an address.
    pub(crate) async fn download(
        &self,
        url: &Url,
        access: &Access,
        retries: Option<u32>,
        path: &Path,
    ) -> Result<(), InstallError> {
        let limit = self.limits.download_timeout;
        let result = repeat(&self.limits, retries.unwrap_or(self.limits.download_retries), || async {
            let read = async {
                let (response, url) = self.send(url, access).await?;
                let file = File::create(path);
                Ok(match file {
                    Ok(file) => self.save(response, &url, access, file).await?,
                    Err(error) => Err(error),
                })
            };
            timed(url, access, limit, DOWNLOAD_TIMEOUT, read).await
        });
        result.await?.map_err(InstallError::io(path))
    }

    /// Asks, and goes where the answer sends us.
    async fn send(&self, url: &Url, access: &Access) -> Result<(Response, Url), FetchError> {
        let mut url = url.clone();
        for _ in 0..=REDIRECTS {
            let mut request = self.client.get(url.clone());
            if let Some(token) = access.token(&url) {
                request = request.header(AUTHORIZATION, bearer(token, &url, access)?);
            }
            let response = request.send().await;
            let response =
                response.map_err(|cause| error(&url, access, Fault::Unreachable(causes(&cause.without_url()))))?;
            if !response.status().is_redirection() {
                return self.successful(response, &url, access).await.map(|response| (response, url));
            }
            url = redirected(&response, &url, access)?;
        }
        Err(error(&url, access, Fault::TooManyRedirects))
    }

    async fn successful(&self, response: Response, url: &Url, access: &Access) -> Result<Response, FetchError> {
        let status = response.status();
        if status == StatusCode::OK {
            return Ok(response);
        }
        let wait = response.headers().get(RETRY_AFTER).and_then(|wait| wait.to_str().ok()?.trim().parse().ok());
        let body = self.read(response, url, access, ERROR_BYTES).await.unwrap_or_default();
        let answer = Answer { status: status.as_u16(), said: said(&body), retry_after: wait.map(Duration::from_secs) };
        Err(error(url, access, Fault::Status(answer)))
    }

    async fn read(&self, response: Response, url: &Url, access: &Access, limit: u64) -> Result<Vec<u8>, FetchError> {
        let mut body = Vec::new();
        let mut chunks = Chunks::new(response, url, access, limit, None);
        while let Some(chunk) = chunks.next().await? {
            body.extend_from_slice(chunk.as_ref());
        }
        Ok(body)
    }

    /// The inner result is about the file.
    async fn save(
        &self,
        response: Response,
        url: &Url,
        access: &Access,
        mut file: File,
    ) -> Result<std::io::Result<()>, FetchError> {
        let mut chunks = Chunks::new(response, url, access, self.limits.package_bytes, Some(PACKAGE_BYTES));
        while let Some(chunk) = chunks.next().await? {
            if let Err(error) = file.write_all(chunk.as_ref()) {
                return Ok(Err(error));
            }
        }
        Ok(Ok(()))
    }
}

/// The parts of a body as they come in, counted.
struct Chunks<'a> {
    response: Response,
    url: &'a Url,
    access: &'a Access,
    limit: u64,
    setting: Option<&'static str>,
    announced: Option<u64>,
    received: u64,
}

impl<'a> Chunks<'a> {
    fn new(response: Response, url: &'a Url, access: &'a Access, limit: u64, setting: Option<&'static str>) -> Self {
        let announced = response.content_length();
        Self { response, url, access, limit, setting, announced, received: 0 }
    }

    async fn next(&mut self) -> Result<Option<impl AsRef<[u8]> + use<>>, FetchError> {
        let too_large = |size: u64| size > self.limit;
        if self.announced.is_some_and(too_large) {
            return Err(self.too_large());
        }
        let chunk = match self.response.chunk().await {
            Ok(chunk) => chunk,
            Err(cause) => {
                let fault = Fault::BrokenOff {
                    received: self.received,
                    announced: self.announced,
                    reason: causes(&cause.without_url()),
                };
                return Err(error(self.url, self.access, fault));
            }
        };
        self.received += chunk.as_ref().map_or(0, |chunk| chunk.len() as u64);
        if self.received > self.limit {
            return Err(self.too_large());
        }
        Ok(chunk)
    }

    fn too_large(&self) -> FetchError {
        error(self.url, self.access, Fault::TooLarge { limit: self.limit, setting: self.setting })
    }
}

fn error(url: &Url, access: &Access, fault: Fault) -> FetchError {
    FetchError::new(url, access.sent(url), fault)
}

async fn timed<T>(
    url: &Url,
    access: &Access,
    limit: Duration,
    setting: &'static str,
    work: impl Future<Output = Result<T, FetchError>>,
) -> Result<T, FetchError> {
    let late = |_| Err(error(url, access, Fault::TimedOut { limit, setting }));
    tokio::time::timeout(limit, work).await.unwrap_or_else(late)
}

/// Where an answer sends us. TLS is not given up on the way.
fn redirected(response: &Response, url: &Url, access: &Access) -> Result<Url, FetchError> {
    let location = response.headers().get(LOCATION).and_then(|location| location.to_str().ok());
    let next = location.and_then(|location| url.join(location).ok());
    let Some(next) = next.filter(|next| matches!(next.scheme(), "http" | "https")) else {
        return Err(error(url, access, Fault::RedirectNowhere));
    };
    if url.scheme() == "https" && next.scheme() == "http" {
        return Err(error(url, access, Fault::RedirectWithoutTls(shown(&next))));
    }
    Ok(next)
}

fn bearer(token: &Token, url: &Url, access: &Access) -> Result<HeaderValue, FetchError> {
    let value = HeaderValue::from_str(&format!("Bearer {}", token.secret()));
    let mut value = value.map_err(|_| error(url, access, Fault::TokenUnusable(token.found_in.clone())))?;
    value.set_sensitive(true);
    Ok(value)
}

/// What an error's body says, when it is meant for people: a registry's `errors`, or a short line of text.
fn said(body: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(body);
    let text = match serde_json::from_str::<serde_json::Value>(&text) {
        Ok(json) => match (&json["errors"], &json["message"]) {
            (serde_json::Value::Array(errors), _) => {
                errors.iter().filter_map(serde_json::Value::as_str).collect::<Vec<_>>().join("; ")
            }
            (_, serde_json::Value::String(message)) => message.clone(),
            _ => return None,
        },
        Err(_) if text.contains('<') || text.trim().lines().count() != 1 => return None,
        Err(_) => text.into_owned(),
    };
    let line: String = text.trim().chars().filter(|letter| !letter.is_control()).take(200).collect();
    (!line.is_empty()).then_some(line)
}

fn headers(environment: &Environment) -> HeaderMap {
    let ours = concat!("denobridge/", env!("CARGO_PKG_VERSION"));
    let agent = environment.variable("OPENTOFU_USER_AGENT").unwrap_or(ours).to_owned();
    let agent = match environment.variable("TF_APPEND_USER_AGENT") {
        Some(more) => format!("{agent} {}", more.trim()),
        None => agent,
    };
    let mut headers = HeaderMap::new();
    headers.insert(USER_AGENT, HeaderValue::from_str(&agent).unwrap_or(HeaderValue::from_static(ours)));
    headers.insert(ACCEPT, HeaderValue::from_static("application/json, */*;q=0.5"));
    headers.insert("X-Terraform-Version", HeaderValue::from_static(TERRAFORM_VERSION));
    headers
}

/// Certificate authorities besides the system's: those in `SSL_CERT_FILE` and in the files of `SSL_CERT_DIR`, on every
/// platform.
fn certificates(environment: &Environment) -> Result<Vec<Certificate>, ConfigurationError> {
    const FILE: &str = "SSL_CERT_FILE";
    const FOLDERS: &str = "SSL_CERT_DIR";
    let mut files: Vec<_> = environment.folder(FILE).map(|file| (FILE, file)).into_iter().collect();
    for folder in environment.variable(FOLDERS).into_iter().flat_map(std::env::split_paths) {
        let folder = environment.resolve(folder);
        let unusable = |cause| ConfigurationError::variable(FOLDERS, format!("{}: {cause}", folder.display()));
        let entries = std::fs::read_dir(&folder).map_err(unusable)?;
        let paths = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file());
        files.extend(paths.map(|path| (FOLDERS, path)));
    }
    let mut certificates = Vec::new();
    for (variable, file) in files {
        let unusable = |variable, cause: &dyn std::fmt::Display| {
            ConfigurationError::variable(variable, format!("{}: {cause}", file.display()))
        };
        let pem = std::fs::read(&file).map_err(|cause| unusable(variable, &cause))?;
        let read = Certificate::from_pem_bundle(&pem);
        certificates.extend(read.map_err(|cause| unusable(variable, &causes(&cause)))?);
    }
    Ok(certificates)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn a_token_goes_to_its_own_origin_only_and_never_in_clear() {
        let token = Token::new("hunter2", "a test");
        let mut access = Access::default();
        access.grant(&url("https://registry.example/v1/"), Some(&token));
        access.grant(&url("http://plain.example/"), Some(&token));
        access.grant(&url("https://other.example/"), None);
        for (asked, goes) in [
            ("https://registry.example/any/path?q", true),
            ("https://registry.example:443/", true),
            ("https://registry.example:8443/", false),
            ("http://registry.example/", false),
            ("https://sub.registry.example/", false),
            ("https://registry.example.evil.example/", false),
            ("https://other.example/", false),
            ("http://plain.example/", false),
        ] {
            assert_eq!(access.token(&url(asked)).is_some(), goes, "{asked}");
        }
        assert!(!format!("{access:?}").contains("hunter2"));
    }

    #[test]
    fn what_a_registry_says_is_passed_on_when_it_is_for_people() {
        for (body, told) in [
            (r#"{"errors":["Not Found","Really"]}"#, Some("Not Found; Really")),
            (r#"{"message":"no \u001b[31mquota"}"#, Some("no [31mquota")),
            ("rate limited\n", Some("rate limited")),
            ("<html>oh</html>", None),
            ("a\nb", None),
            ("{}", None),
            ("", None),
        ] {
            assert_eq!(said(body.as_bytes()).as_deref(), told, "{body}");
        }
    }
}
