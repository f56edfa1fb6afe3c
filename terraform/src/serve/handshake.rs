//! The one line on standard output by which a plugin tells its host how to reach it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::socket::Address;

/// Version of the handshake itself.
const CORE_PROTOCOL_VERSION: u32 = 1;

/// The protocol version to serve: the highest that both sides have, else our lowest, so that the host names both in its
/// error.
pub(super) fn negotiate(offered: &[u32], ours: &[u32]) -> u32 {
    let common = ours.iter().filter(|version| offered.contains(version)).max();
    common.or_else(|| ours.iter().min()).copied().unwrap_or(CORE_PROTOCOL_VERSION)
}

/// The line, without its end. `certificate` is the server's leaf in DER. Hosts before multiplexing accept six fields only,
/// so the seventh is there only when asked for; it always declines.
pub(super) fn line(version: u32, address: &Address, certificate: Option<&[u8]>, asks_for_multiplexing: bool) -> String {
    let certificate = certificate.map(|der| STANDARD_NO_PAD.encode(der)).unwrap_or_default();
    let mut line =
        format!("{CORE_PROTOCOL_VERSION}|{version}|{}|{}|grpc|{certificate}", address.network(), address.text());
    if asks_for_multiplexing {
        line.push_str("|false");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negotiation_prefers_the_highest_common_version() {
        assert_eq!(negotiate(&[5, 6], &[6]), 6);
        assert_eq!(negotiate(&[6, 5], &[5, 6]), 6);
        assert_eq!(negotiate(&[5], &[5, 6]), 5);
        assert_eq!(negotiate(&[], &[6]), 6);
        assert_eq!(negotiate(&[4], &[5, 6]), 5);
    }

    #[test]
    fn the_line_has_six_fields_unless_multiplexing_is_asked_for() {
        let address = Address::Unix("/tmp/x/socket".into());
        assert_eq!(line(6, &address, Some(&[0, 1, 2, 3]), false), "1|6|unix|/tmp/x/socket|grpc|AAECAw");
        assert_eq!(line(6, &address, None, false), "1|6|unix|/tmp/x/socket|grpc|");
        let address = Address::Tcp("127.0.0.1:10000".parse().unwrap());
        assert_eq!(line(6, &address, None, true), "1|6|tcp|127.0.0.1:10000|grpc||false");
    }
}
