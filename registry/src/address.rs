//! Source addresses of providers: `[hostname/][namespace/]type`.
//!
//! The rules are those of OpenTofu's address parser: each part is compared in the form that IDNA gives it, and parts that
//! hosts or file systems would take for something else are refused.

use std::fmt;

use thiserror::Error;

/// Where a provider is looked for when its address names no host, as the Go bridge does.
pub const DEFAULT_HOST: &str = "registry.opentofu.org";

/// Whose provider it is when the address names nobody.
pub const DEFAULT_NAMESPACE: &str = "hashicorp";

/// What Terraform 0.12 wrote for a provider of nobody in particular, in states that users copy addresses from.
const LEGACY_NAMESPACE: &str = "-";

/// How the names of provider repositories begin; users copy it into addresses by mistake.
const REPOSITORY_PREFIXES: [&str; 2] = ["terraform-provider-", "opentofu-provider-"];

/// Prefixes that no type may have, since tools take them for other kinds of packages.
const RESERVED_PREFIXES: [&str; 2] = ["terraform-", "opentofu-"];

/// A provider's address, in the one form that all its spellings have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProviderAddress {
    /// The registry, with its port where it has one.
    pub hostname: String,
    /// Whose provider it is.
    pub namespace: String,
    /// Its name.
    pub provider_type: String,
}

/// Why text is no address.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{address:?} is not the address of a provider: {reason}")]
pub struct AddressError {
    address: String,
    reason: String,
}

impl ProviderAddress {
    /// Reads an address.
    ///
    /// # Errors
    /// It has another number of parts, or a part that is no name.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let fault = |reason: String| AddressError { address: text.to_owned(), reason };
        if let Some((_, version)) = text.split_once('@') {
            return Err(fault(format!("a version stands behind it, as a word of its own: {version:?}")));
        }
        let parts: Vec<&str> = text.split('/').collect();
        let (hostname, namespace, provider_type) = match parts.as_slice() {
            [provider_type] | [LEGACY_NAMESPACE, provider_type] => (DEFAULT_HOST, DEFAULT_NAMESPACE, *provider_type),
            [namespace, provider_type] => (DEFAULT_HOST, *namespace, *provider_type),
            [hostname, namespace, provider_type] => (*hostname, *namespace, *provider_type),
            _ => return Err(fault("an address is [HOSTNAME/][NAMESPACE/]TYPE".to_owned())),
        };
        Ok(Self {
            hostname: normal_hostname(hostname).map_err(fault)?,
            namespace: normal_part(namespace, "namespace").map_err(fault)?,
            provider_type: normal_type(provider_type).map_err(fault)?,
        })
    }

    /// The address without the parts that go without saying, for messages.
    #[must_use]
    pub fn for_display(&self) -> String {
        let Self { hostname, namespace, provider_type } = self;
        if hostname == DEFAULT_HOST { format!("{namespace}/{provider_type}") } else { self.to_string() }
    }
}

/// The whole address, as it is kept in parameters and in folders of caches and mirrors.
impl fmt::Display for ProviderAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.hostname, self.namespace, self.provider_type)
    }
}

fn normal_type(given: &str) -> Result<String, String> {
    let name = normal_part(given, "type")?;
    for prefix in REPOSITORY_PREFIXES {
        if let Some(rest) = name.strip_prefix(prefix).filter(|rest| !rest.is_empty()) {
            return Err(format!("{given:?} is the name of its repository; the type is {rest:?}"));
        }
    }
    match RESERVED_PREFIXES.iter().find(|prefix| name.starts_with(**prefix)) {
        Some(prefix) => Err(format!("a type does not begin with {prefix:?}")),
        None => Ok(name),
    }
}

/// A namespace or type: a single label of letters, digits and dashes.
pub(crate) fn normal_part(given: &str, what: &str) -> Result<String, String> {
    let reason = |reason: &str| format!("the {what} {given:?} {reason}");
    if given.is_empty() {
        return Err(format!("its {what} is empty"));
    }
    if given.contains('.') {
        return Err(reason("has a dot in it"));
    }
    // Two dashes in a row are what IDNA marks its own encoding with.
    if given.contains("--") {
        return Err(reason("has two dashes in a row"));
    }
    let normal = idna::domain_to_ascii_cow(given.as_bytes(), idna::AsciiDenyList::URL)
        .map_err(|_| reason("may have only letters, digits and dashes"))?;
    let letters = |text: &str| text.chars().all(|letter| letter.is_alphanumeric() || letter == '-');
    let (normal, _) = idna::domain_to_unicode(&normal);
    if !letters(&normal) || normal.starts_with('-') || normal.ends_with('-') {
        return Err(reason("may have only letters, digits and dashes, and no dash at its ends"));
    }
    Ok(normal)
}

/// A host as it is compared: its name by IDNA, and no port where it is the usual one.
pub(crate) fn normal_hostname(given: &str) -> Result<String, String> {
    let reason = |reason: &str| format!("the hostname {given:?} {reason}");
    if given.is_empty() {
        return Err("its hostname is empty".to_owned());
    }
    let (name, port) = match given.split_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (given, None),
    };
    let port = port.map(|port| port.parse::<u16>().map_err(|_| reason("has a port that is no number"))).transpose()?;
    let name = idna::domain_to_ascii_cow(name.as_bytes(), idna::AsciiDenyList::URL)
        .map_err(|_| reason("is no name of a host"))?;
    if name.is_empty() || name.split('.').any(str::is_empty) {
        return Err(reason("is no name of a host"));
    }
    let (name, _) = idna::domain_to_unicode(&name);
    Ok(match port {
        None | Some(443) => name,
        Some(port) => format!("{name}:{port}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// What is an address once is one for ever: it is kept in this form, and is part of paths and of URLs.
        #[test]
        fn the_normal_form_of_an_address_is_its_own(text in r"[A-Za-z0-9äßλ.:/_?\-]{0,30}") {
            if let Ok(address) = ProviderAddress::parse(&text) {
                prop_assert_eq!(&ProviderAddress::parse(&address.to_string()).unwrap(), &address);
                let parts = [&address.namespace, &address.provider_type];
                prop_assert!(parts.iter().all(|part| !part.contains(['/', '.', '\\', '?', '%'])));
                prop_assert!(!address.hostname.contains(['/', '\\', '?', '%', '@']) && !address.hostname.starts_with('.'));
            }
        }
    }

    #[test]
    fn all_spellings_of_an_address_are_one() {
        for (given, normal) in [
            ("random", "registry.opentofu.org/hashicorp/random"),
            ("hashicorp/random", "registry.opentofu.org/hashicorp/random"),
            ("HashiCorp/Random", "registry.opentofu.org/hashicorp/random"),
            ("registry.terraform.io/hashicorp/aws", "registry.terraform.io/hashicorp/aws"),
            ("Registry.Terraform.IO:443/a/b", "registry.terraform.io/a/b"),
            ("localhost:8443/a/b-c", "localhost:8443/a/b-c"),
            ("ÄPFEL/birne", "registry.opentofu.org/äpfel/birne"),
            ("-/random", "registry.opentofu.org/hashicorp/random"),
            ("1and1/x2", "registry.opentofu.org/1and1/x2"),
        ] {
            assert_eq!(ProviderAddress::parse(given).unwrap().to_string(), normal, "{given}");
        }
        assert_eq!(ProviderAddress::parse("a/b").unwrap().for_display(), "a/b");
        assert_eq!(ProviderAddress::parse("example.com/a/b").unwrap().for_display(), "example.com/a/b");
    }

    #[test]
    fn what_is_no_address_is_told_why() {
        for (given, reason) in [
            ("", "its type is empty"),
            ("a/", "its type is empty"),
            ("a/b/c/d", "an address is [HOSTNAME/][NAMESPACE/]TYPE"),
            ("/a/b", "its hostname is empty"),
            ("a/b@1.2", "a version stands behind it, as a word of its own: \"1.2\""),
            ("a.b/c", "the namespace \"a.b\" has a dot in it"),
            ("a/b--c", "the type \"b--c\" has two dashes in a row"),
            ("a/b_c", "the type \"b_c\" may have only letters, digits and dashes, and no dash at its ends"),
            ("a/-b", "the type \"-b\" may have only letters, digits and dashes, and no dash at its ends"),
            ("a/b c", "the type \"b c\" may have only letters, digits and dashes"),
            ("a/terraform-provider-b", "\"terraform-provider-b\" is the name of its repository; the type is \"b\""),
            ("a/terraform-b", "a type does not begin with \"terraform-\""),
            ("example.com:x/a/b", "the hostname \"example.com:x\" has a port that is no number"),
            ("example..com/a/b", "the hostname \"example..com\" is no name of a host"),
        ] {
            let error = ProviderAddress::parse(given).unwrap_err().to_string();
            assert_eq!(error, format!("{given:?} is not the address of a provider: {reason}"));
        }
    }
}
