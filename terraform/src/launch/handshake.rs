//! The one line by which a plugin says where it listens: `1|6|unix|/tmp/plugin123|grpc|<certificate>`.

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use rustls::pki_types::CertificateDer;

use super::Address;

/// Version of the handshake itself.
const CORE_PROTOCOL_VERSION: &str = "1";

/// go-plugin takes shorter text in the certificate's field for none.
const SHORTEST_CERTIFICATE: usize = 50;

/// How much of a line that makes no sense is shown.
const SHOWN_CHARACTERS: usize = 200;

/// What a plugin said.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Handshake {
    /// 5 or 6.
    pub protocol: u32,
    /// Where it listens.
    pub address: Address,
    /// The certificate that it will show; without one there is no TLS.
    pub certificate: Option<CertificateDer<'static>>,
}

impl Handshake {
    /// Reads the line. The error is for people and holds the line.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        let fields: Vec<&str> = line.trim().split('|').collect();
        let &[core, protocol, network, address, ref rest @ ..] = fields.as_slice() else {
            return Err(format!("its first line is {:?}, not where it listens", shown(line)));
        };
        if core != CORE_PROTOCOL_VERSION {
            return Err(format!(
                "it speaks version {core:?} of the plugin handshake, and we speak {CORE_PROTOCOL_VERSION}"
            ));
        }
        let kind = rest.first().copied().unwrap_or("netrpc");
        if kind != "grpc" {
            return Err(format!("it speaks {kind}, as providers for Terraform before 0.12 do, and not gRPC"));
        }
        Ok(Self {
            protocol: protocol_version(protocol)?,
            address: Self::address(network, address)?,
            certificate: rest.get(1).copied().map(certificate).transpose()?.flatten(),
        })
    }

    fn address(network: &str, address: &str) -> Result<Address, String> {
        match network {
            "unix" => Ok(Address::Unix(PathBuf::from(address))),
            "tcp" => Ok(Address::Tcp(address.to_owned())),
            _ => Err(format!("it listens on a network {:?} that we do not know", shown(network))),
        }
    }
}

/// The version of the provider protocol, if it is one of ours.
pub(super) fn protocol_version(version: &str) -> Result<u32, String> {
    match version.parse() {
        Ok(version @ (5 | 6)) => Ok(version),
        _ => Err(format!("it speaks version {:?} of the provider protocol, and we speak 5 and 6", shown(version))),
    }
}

fn certificate(text: &str) -> Result<Option<CertificateDer<'static>>, String> {
    if text.len() <= SHORTEST_CERTIFICATE {
        return Ok(None);
    }
    match STANDARD_NO_PAD.decode(text.trim_end_matches('=')) {
        Ok(der) => Ok(Some(der.into())),
        Err(error) => Err(format!("its certificate cannot be read: {error}")),
    }
}

fn shown(text: &str) -> String {
    text.trim_end().chars().take(SHOWN_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_plugins_write() {
        let unix = Handshake::parse("1|6|unix|/tmp/plugin1|grpc|\n").unwrap();
        let expected = Handshake { protocol: 6, address: Address::Unix("/tmp/plugin1".into()), certificate: None };
        assert_eq!(unix, expected);
        let certificate = "AAAA".repeat(20);
        let tcp = Handshake::parse(&format!("1|5|tcp|127.0.0.1:10000|grpc|{certificate}|false")).unwrap();
        assert_eq!((tcp.protocol, tcp.address), (5, Address::Tcp("127.0.0.1:10000".to_owned())));
        assert_eq!(tcp.certificate.unwrap().as_ref(), [0; 60]);
    }

    #[test]
    fn says_what_is_wrong_with_a_line() {
        for (line, reason) in [
            ("usage: terraform-provider-x", "its first line is \"usage: terraform-provider-x\", not where it listens"),
            ("2|6|unix|/x|grpc|", "it speaks version \"2\" of the plugin handshake, and we speak 1"),
            ("1|4|unix|/x", "it speaks netrpc, as providers for Terraform before 0.12 do, and not gRPC"),
            ("1|4|unix|/x|grpc|", "it speaks version \"4\" of the provider protocol, and we speak 5 and 6"),
            ("1|6|pipe|/x|grpc|", "it listens on a network \"pipe\" that we do not know"),
        ] {
            assert_eq!(Handshake::parse(line).unwrap_err(), reason, "{line}");
        }
        let odd = format!("1|6|unix|/x|grpc|{}", "!".repeat(60));
        assert!(Handshake::parse(&odd).unwrap_err().starts_with("its certificate cannot be read"));
    }
}
