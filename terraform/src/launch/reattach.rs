//! Providers that run already, as their debug mode prints them: `TF_REATTACH_PROVIDERS`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;
use thiserror::Error;

use super::channel::Address;
use super::handshake::protocol_version;

/// Where a running provider is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reattach {
    /// 5 or 6.
    pub protocol: u32,
    pub(crate) address: Address,
}

/// Why the variable makes no sense.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{message}")]
pub struct ReattachError {
    message: String,
}

/// Reads the variable's text: each provider's source address with where it is.
///
/// # Errors
/// The text is not JSON of that form. One wrong entry is an error for all, since the one that is missing would be started
/// anew without a word.
pub fn parse_reattach(text: &str) -> Result<BTreeMap<String, Reattach>, ReattachError> {
    let entries: BTreeMap<String, Value> = serde_json::from_str(text)
        .map_err(|error| ReattachError { message: format!("it is not valid JSON: {error}") })?;
    let entries = entries.into_iter().map(|(source, entry)| {
        let reattach = reattach(&entry).map_err(|reason| ReattachError { message: format!("{source:?}: {reason}") })?;
        Ok((source, reattach))
    });
    entries.collect()
}

fn reattach(entry: &Value) -> Result<Reattach, String> {
    let text = |value: &Value, name: &str| value[name].as_str().map(str::to_owned).unwrap_or_default();
    let kind = text(entry, "Protocol");
    if kind != "grpc" {
        return Err(format!("its Protocol is {kind:?} and must be \"grpc\""));
    }
    // The Go SDK of early protocol 5 does not say which it speaks; Terraform takes that for 5.
    let protocol = match entry["ProtocolVersion"].as_u64().unwrap_or(0) {
        0 => 5,
        version => protocol_version(&version.to_string())?,
    };
    let address = &entry["Addr"];
    let place = text(address, "String");
    if place.is_empty() {
        return Err("its Addr has no String".to_owned());
    }
    let address = match text(address, "Network").as_str() {
        "unix" => Address::Unix(PathBuf::from(place)),
        "tcp" => Address::Tcp(place),
        network => return Err(format!("its Network is {network:?} and must be \"unix\" or \"tcp\"")),
    };
    Ok(Reattach { protocol, address })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(protocol: &str, version: u32, network: &str) -> String {
        format!(
            r#"{{"registry.terraform.io/x/y":{{"Protocol":"{protocol}","ProtocolVersion":{version},"Pid":1,"Test":true,
                "Addr":{{"Network":"{network}","String":"/tmp/s"}}}}}}"#
        )
    }

    #[test]
    fn reads_what_debug_mode_prints() {
        let read = parse_reattach(&entry("grpc", 6, "unix")).unwrap();
        let expected = Reattach { protocol: 6, address: Address::Unix("/tmp/s".into()) };
        assert_eq!(read, BTreeMap::from([("registry.terraform.io/x/y".to_owned(), expected)]));
        assert_eq!(parse_reattach(&entry("grpc", 0, "tcp")).unwrap()["registry.terraform.io/x/y"].protocol, 5);
        assert_eq!(parse_reattach("{}").unwrap().len(), 0);
    }

    #[test]
    fn says_which_entry_is_wrong_and_why() {
        for (text, reason) in [
            (entry("netrpc", 5, "unix"), r#""registry.terraform.io/x/y": its Protocol is "netrpc" and must be "grpc""#),
            (
                entry("grpc", 7, "unix"),
                r#""registry.terraform.io/x/y": it speaks version "7" of the provider protocol, and we speak 5 and 6"#,
            ),
            (
                entry("grpc", 6, "pipe"),
                r#""registry.terraform.io/x/y": its Network is "pipe" and must be "unix" or "tcp""#,
            ),
        ] {
            assert_eq!(parse_reattach(&text).unwrap_err().to_string(), reason);
        }
        assert!(parse_reattach("[").unwrap_err().to_string().starts_with("it is not valid JSON"));
    }
}
