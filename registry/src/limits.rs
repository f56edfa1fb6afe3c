//! How long to wait, how often to try again, and how much to take.
//!
//! Where OpenTofu has a variable for a limit, it has the same name and unit here.

use std::time::Duration;

use crate::environment::Environment;
use crate::error::InstallError;

/// The variable for [`Limits::request_timeout`].
pub const REQUEST_TIMEOUT: &str = "TF_REGISTRY_CLIENT_TIMEOUT";
/// The variable for [`Limits::request_retries`].
pub const REQUEST_RETRIES: &str = "TF_REGISTRY_DISCOVERY_RETRY";
/// The variable for [`Limits::download_retries`].
pub const DOWNLOAD_RETRIES: &str = "TF_PROVIDER_DOWNLOAD_RETRY";
/// The variable for [`Limits::download_timeout`].
pub const DOWNLOAD_TIMEOUT: &str = "DENOBRIDGE_PROVIDER_DOWNLOAD_TIMEOUT";
/// The variable for [`Limits::lock_timeout`].
pub const LOCK_TIMEOUT: &str = "DENOBRIDGE_PROVIDER_LOCK_TIMEOUT";
/// The variable for [`Limits::package_bytes`].
pub const PACKAGE_BYTES: &str = "DENOBRIDGE_PROVIDER_MAX_BYTES";

/// The longest list of versions or checksums that is read; the largest known one has 200 KiB.
pub(crate) const DOCUMENT_BYTES: u64 = 16 << 20;
/// How many files an archive may have; the largest known provider has five.
pub(crate) const PACKAGE_FILES: usize = 10_000;
/// How often an answer may send us elsewhere.
pub(crate) const REDIRECTS: usize = 10;

/// The limits that a user can set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From a question to the end of its answer.
    pub request_timeout: Duration,
    /// How often a question is asked again.
    pub request_retries: u32,
    /// From asking for an archive to its last byte.
    pub download_timeout: Duration,
    /// How often an archive is asked for again.
    pub download_retries: u32,
    /// How long to wait for another process that is installing the same provider.
    pub lock_timeout: Duration,
    /// The size of an archive, and of what is in it.
    pub package_bytes: u64,
    /// The pause before the first repetition; each further one is twice as long.
    pub first_pause: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            request_timeout: Duration::from_secs(10),
            request_retries: 3,
            download_timeout: Duration::from_secs(600),
            download_retries: 3,
            lock_timeout: Duration::from_secs(900),
            package_bytes: 4 << 30,
            first_pause: Duration::from_millis(500),
        }
    }
}

impl Limits {
    /// What the environment says, over these.
    ///
    /// # Errors
    /// One of our own variables is no whole number above 0. OpenTofu's are then ignored, as OpenTofu does.
    pub(crate) fn overridden_by(mut self, environment: &Environment) -> Result<Self, InstallError> {
        if let Some(seconds) = theirs(environment, REQUEST_TIMEOUT) {
            self.request_timeout = Duration::from_secs(u64::from(seconds));
        }
        self.request_retries = theirs(environment, REQUEST_RETRIES).unwrap_or(self.request_retries);
        self.download_retries = theirs(environment, DOWNLOAD_RETRIES).unwrap_or(self.download_retries);
        if let Some(seconds) = ours(environment, DOWNLOAD_TIMEOUT)? {
            self.download_timeout = Duration::from_secs(seconds);
        }
        if let Some(seconds) = ours(environment, LOCK_TIMEOUT)? {
            self.lock_timeout = Duration::from_secs(seconds);
        }
        self.package_bytes = ours(environment, PACKAGE_BYTES)?.unwrap_or(self.package_bytes);
        Ok(self)
    }
}

fn theirs(environment: &Environment, name: &str) -> Option<u32> {
    environment.variable(name)?.parse().ok().filter(|number| *number > 0)
}

fn ours(environment: &Environment, name: &'static str) -> Result<Option<u64>, InstallError> {
    let Some(value) = environment.variable(name) else { return Ok(None) };
    match value.parse() {
        Ok(number) if number > 0 => Ok(Some(number)),
        _ => Err(InstallError::Setting { name, value: value.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(variables: &[(&str, &str)]) -> Result<Limits, InstallError> {
        let owned = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Limits::default().overridden_by(&Environment::new(owned, "."))
    }

    #[test]
    fn limits_come_from_the_environment() {
        let limits = from(&[(REQUEST_TIMEOUT, "3"), (DOWNLOAD_RETRIES, "7"), (PACKAGE_BYTES, "1024")]).unwrap();
        assert_eq!(limits.request_timeout, Duration::from_secs(3));
        assert_eq!(limits.download_retries, 7);
        assert_eq!(limits.package_bytes, 1024);
        assert_eq!(limits.request_retries, Limits::default().request_retries);
    }

    #[test]
    fn nonsense_is_an_error_where_the_variable_is_ours() {
        assert_eq!(from(&[(REQUEST_TIMEOUT, "10s"), (REQUEST_RETRIES, "-1")]).unwrap(), Limits::default());
        let error = from(&[(LOCK_TIMEOUT, "0")]).unwrap_err().to_string();
        assert_eq!(error, "DENOBRIDGE_PROVIDER_LOCK_TIMEOUT is \"0\", and must be a whole number above 0");
    }
}
