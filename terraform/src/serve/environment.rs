//! What a plugin host says through environment variables before it starts us.

use std::path::PathBuf;

use super::ServeError;
use crate::cookie::MAGIC_COOKIE;

/// Everything that the host decides.
// What is about Unix sockets is read nowhere else.
#[cfg_attr(not(unix), allow(dead_code))]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct HostEnvironment {
    /// Protocol versions that the host speaks, in no order; empty when it did not say.
    pub protocol_versions: Vec<u32>,
    /// The certificate, as PEM, that the host will present. Without it there is no TLS.
    pub client_certificate: Option<String>,
    /// Where to put the socket.
    pub socket_directory: Option<PathBuf>,
    /// A group, by number or name, that must be able to use the socket.
    pub socket_group: Option<String>,
    /// Ports to choose from where there are no Unix sockets; `None` means any.
    pub ports: Option<(u16, u16)>,
    /// Whether the host asked about several brokered connections over one; it then expects an answer in the handshake.
    pub asks_for_multiplexing: bool,
}

impl HostEnvironment {
    /// Reads the variables through `variable`.
    ///
    /// # Errors
    /// A port is not a number, or the range is empty.
    pub(super) fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, ServeError> {
        let non_empty = |name: &str| variable(name).filter(|value| !value.is_empty());
        Ok(Self {
            protocol_versions: non_empty("PLUGIN_PROTOCOL_VERSIONS")
                .map(|list| list.split(',').filter_map(|version| version.trim().parse().ok()).collect())
                .unwrap_or_default(),
            client_certificate: non_empty("PLUGIN_CLIENT_CERT"),
            socket_directory: non_empty("PLUGIN_UNIX_SOCKET_DIR").map(PathBuf::from),
            socket_group: non_empty("PLUGIN_UNIX_SOCKET_GROUP"),
            ports: ports(non_empty("PLUGIN_MIN_PORT"), non_empty("PLUGIN_MAX_PORT"))?,
            asks_for_multiplexing: non_empty("PLUGIN_MULTIPLEX_GRPC").is_some(),
        })
    }
}

/// Whether `variable` holds the cookie.
pub(super) fn has_cookie(variable: impl Fn(&str) -> Option<String>) -> bool {
    variable(MAGIC_COOKIE.0).as_deref() == Some(MAGIC_COOKIE.1)
}

fn ports(least: Option<String>, most: Option<String>) -> Result<Option<(u16, u16)>, ServeError> {
    let (Some(least), Some(most)) = (least, most) else { return Ok(None) };
    match (least.parse::<u16>(), most.parse::<u16>()) {
        (Ok(least), Ok(most)) if least <= most => Ok(Some((least, most))),
        _ => Err(ServeError::Environment {
            message: format!("PLUGIN_MIN_PORT={least} and PLUGIN_MAX_PORT={most} are not a range of ports"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<HostEnvironment, ServeError> {
        HostEnvironment::read(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn reads_what_terraform_sets() {
        let read = read(&[
            ("PLUGIN_PROTOCOL_VERSIONS", "6,5"),
            ("PLUGIN_MIN_PORT", "10000"),
            ("PLUGIN_MAX_PORT", "25000"),
            ("PLUGIN_CLIENT_CERT", "pem"),
        ])
        .unwrap();
        assert_eq!(read.protocol_versions, [6, 5]);
        assert_eq!(read.ports, Some((10000, 25000)));
        assert_eq!(read.client_certificate.as_deref(), Some("pem"));
        assert!(!read.asks_for_multiplexing);
    }

    #[test]
    fn an_empty_variable_counts_as_absent() {
        assert_eq!(read(&[("PLUGIN_CLIENT_CERT", ""), ("PLUGIN_MIN_PORT", "")]).unwrap(), HostEnvironment::default());
    }

    #[test]
    fn refuses_an_empty_range_of_ports() {
        let error = read(&[("PLUGIN_MIN_PORT", "2"), ("PLUGIN_MAX_PORT", "1")]).unwrap_err();
        assert_eq!(error.to_string(), "PLUGIN_MIN_PORT=2 and PLUGIN_MAX_PORT=1 are not a range of ports");
    }

    #[test]
    fn only_the_right_cookie_counts() {
        assert!(has_cookie(|_| Some(MAGIC_COOKIE.1.to_owned())));
        assert!(!has_cookie(|_| Some("d602".to_owned())));
        assert!(!has_cookie(|_| None));
    }
}
