//! What must hold before an archive from a registry is unpacked.
//!
//! 1. The registry's list of checksums has the archive, with the checksum that the registry announces for it.
//! 2. The list is signed by one of the keys that the registry announces for the provider.
//! 3. The archive that was downloaded has that checksum. (Checked before it is unpacked, as for every other archive.)
//!
//! Exceptions to the second are OpenTofu's:
//!
//! - When a registry announces no key at all: only OpenTofu's own registry may, since it serves providers whose authors
//!   have none, and not even that when `OPENTOFU_ENFORCE_GPG_VALIDATION` is `true`.
//! - When the key or the signature has expired: the provider is taken with a warning, unless
//!   `OPENTOFU_ENFORCE_GPG_EXPIRATION` is `true`. A key that was revoked is never good.

use std::time::SystemTime;

use crate::address::{DEFAULT_HOST, ProviderAddress};
use crate::environment::Environment;
use crate::hashes::{PackageHash, Sum};
use crate::signature::{self, KeyError, Outcome};

/// The variable that takes away the exception for providers without keys.
pub const ENFORCE_VALIDATION: &str = "OPENTOFU_ENFORCE_GPG_VALIDATION";
/// The variable that takes away the exception for expired keys.
pub const ENFORCE_EXPIRATION: &str = "OPENTOFU_ENFORCE_GPG_EXPIRATION";

/// Which exceptions are allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy {
    pub(crate) unsigned_from_default_registry: bool,
    pub(crate) expired: bool,
}

impl Policy {
    pub(crate) fn from(environment: &Environment) -> Self {
        let enforced = |name| environment.variable(name) == Some("true");
        Self { unsigned_from_default_registry: !enforced(ENFORCE_VALIDATION), expired: !enforced(ENFORCE_EXPIRATION) }
    }

    /// Whether a provider may come without a signature when its registry announces no key.
    pub(crate) fn allows_unsigned(self, address: &ProviderAddress) -> bool {
        self.unsigned_from_default_registry && address.hostname == DEFAULT_HOST
    }
}

/// What a registry says about an archive.
pub(crate) struct Claim<'a> {
    pub(crate) address: &'a ProviderAddress,
    /// The archive's name in the list.
    pub(crate) filename: &'a str,
    /// Its announced checksum.
    pub(crate) checksum: Sum,
    /// The list of checksums.
    pub(crate) list: &'a [u8],
    /// The signature of the list; not asked for when there are no keys.
    pub(crate) signature: &'a [u8],
    /// The keys, armored.
    pub(crate) keys: &'a [String],
}

/// What is known after verification.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Verified {
    /// The hashes of the archives for all platforms, from the list.
    pub(crate) hashes: Vec<PackageHash>,
    /// What the user should know.
    pub(crate) warnings: Vec<String>,
}

/// Why an archive is not trusted.
#[derive(Debug, thiserror::Error)]
pub enum VerificationError {
    /// The list does not have the archive.
    #[error("the list of checksums has none for {filename}")]
    NotListed {
        /// The archive.
        filename: String,
    },
    /// The list has another checksum than the registry announces.
    #[error("the list of checksums has {listed} for {filename}, and the registry announces {announced}")]
    ListedDifferently {
        /// The archive.
        filename: String,
        /// What the list has.
        listed: String,
        /// What is announced.
        announced: Sum,
    },
    /// No key is announced, and one is needed.
    #[error("the registry announces no key that it is signed with")]
    NoKeys,
    /// No announced key made the signature.
    #[error("its list of checksums is signed by none of the keys that the registry announces ({})", keys.join(", "))]
    UnknownSigner {
        /// The identifiers of the announced keys.
        keys: Vec<String>,
    },
    /// The signature, or the key, is expired, and that is enforced.
    #[error("{what}, and {ENFORCE_EXPIRATION} is true")]
    Expired {
        /// What has expired, and when.
        what: String,
    },
    /// A key or a signature cannot be used.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The archive is not the announced one.
    #[error("its archive has the hash {found}, and {expected} is announced")]
    WrongArchive {
        /// That of the archive.
        found: PackageHash,
        /// What is announced.
        expected: String,
    },
}

impl VerificationError {
    pub(crate) fn advice(&self) -> String {
        match self {
            Self::NoKeys => format!(
                "Only {DEFAULT_HOST} may serve providers without keys, and only unless {ENFORCE_VALIDATION} is true. Ask whoever \
                 runs the registry to announce the author's key, or install the provider from a filesystem_mirror that you \
                 filled yourself."
            ),
            Self::Expired { .. } => {
                format!("Ask the author for a new key, or unset {ENFORCE_EXPIRATION} to take it with a warning.")
            }
            Self::WrongArchive { .. } => "The download may be damaged: try again. If that does not help, do not use it: \
                somebody may have replaced it on its way."
                .into(),
            _ => "Do not use it: somebody may have replaced it. Tell whoever runs the registry, or ask for another version."
                .into(),
        }
    }
}

/// Checks what a registry says about an archive, before the archive is downloaded.
pub(crate) fn verify(claim: &Claim<'_>, policy: Policy, now: SystemTime) -> Result<Verified, VerificationError> {
    check_list(claim)?;
    let warnings = check_signature(claim, policy, now)?;
    Ok(Verified { hashes: hashes(claim.list), warnings })
}

fn check_list(claim: &Claim<'_>) -> Result<(), VerificationError> {
    let filename = claim.filename.to_owned();
    let Some((listed, _)) = entries(claim.list).find(|(_, name)| *name == claim.filename) else {
        return Err(VerificationError::NotListed { filename });
    };
    if Sum::parse(listed) == Some(claim.checksum) {
        return Ok(());
    }
    Err(VerificationError::ListedDifferently { filename, listed: listed.to_owned(), announced: claim.checksum })
}

fn check_signature(claim: &Claim<'_>, policy: Policy, now: SystemTime) -> Result<Vec<String>, VerificationError> {
    if claim.keys.is_empty() {
        return match policy.allows_unsigned(claim.address) {
            true => Ok(vec![format!(
                "{} is not signed: {DEFAULT_HOST} announces no key for it, so that only the registry's own word was verified",
                claim.address.for_display()
            )]),
            false => Err(VerificationError::NoKeys),
        };
    }
    let mut expired = None;
    let mut strangers = Vec::new();
    for key in claim.keys {
        match signature::check(claim.list, claim.signature, key, now)? {
            Outcome::Valid => return Ok(Vec::new()),
            Outcome::Expired(what) => expired = expired.or(Some(what)),
            Outcome::OtherSigner(ids) => strangers.extend(ids),
        }
    }
    match expired {
        None => Err(VerificationError::UnknownSigner { keys: strangers }),
        Some(what) if policy.expired => Ok(vec![format!(
            "{} was signed, but {what}; {ENFORCE_EXPIRATION}=true would make that an error",
            claim.address.for_display()
        )]),
        Some(what) => Err(VerificationError::Expired { what }),
    }
}

/// `CHECKSUM NAME`, one a line; `sha256sum` marks binary files with a star.
fn entries(list: &[u8]) -> impl Iterator<Item = (&str, &str)> {
    let lines = std::str::from_utf8(list).unwrap_or_default().lines();
    lines.filter_map(|line| {
        let mut words = line.split_ascii_whitespace();
        let (sum, name) = (words.next()?, words.next()?);
        Some((sum, name.strip_prefix('*').unwrap_or(name)))
    })
}

/// Those of all archives in the list. It may list other files too, such as a manifest: their hashes fit no archive.
fn hashes(list: &[u8]) -> Vec<PackageHash> {
    entries(list).filter_map(|(sum, _)| Sum::parse(sum)).map(PackageHash::Archive).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRICT: Policy = Policy { unsigned_from_default_registry: false, expired: false };
    const LENIENT: Policy = Policy { unsigned_from_default_registry: true, expired: true };

    fn unsigned(address: &str, policy: Policy, list: &str) -> Result<Verified, String> {
        let address = ProviderAddress::parse(address).unwrap();
        let checksum = Sum::of(b"archive");
        let list = list.replace("SUM", &checksum.to_string()).into_bytes();
        let claim = Claim { address: &address, filename: "a.zip", checksum, list: &list, signature: b"", keys: &[] };
        verify(&claim, policy, SystemTime::now()).map_err(|error| error.to_string())
    }

    #[test]
    fn only_the_default_registry_may_announce_no_key_and_only_when_that_is_not_forbidden() {
        let list = "SUM  a.zip\n";
        assert!(unsigned("a/b", LENIENT, list).unwrap().warnings[0].starts_with("a/b is not signed"));
        assert!(unsigned("a/b", STRICT, list).is_err());
        assert!(unsigned("other.example/a/b", LENIENT, list).is_err());
        let switch = |value: &str| {
            let set = [(ENFORCE_VALIDATION, value), (ENFORCE_EXPIRATION, value)];
            Policy::from(&Environment::new(set.map(|(name, value)| (name.to_owned(), value.to_owned())), "."))
        };
        assert!(!switch("true").unsigned_from_default_registry && !switch("true").expired);
        assert!(switch("1").unsigned_from_default_registry && switch("1").expired, "as OpenTofu reads them");
    }

    #[test]
    fn the_list_has_the_archive_and_gives_the_hashes_of_all_platforms() {
        let other = "0".repeat(64);
        let list = format!("{other} *b.zip\nSUM  a.zip\n");
        assert_eq!(unsigned("a/b", LENIENT, &list).unwrap().hashes.len(), 2);
        let told = |list: &str| unsigned("a/b", LENIENT, list).unwrap_err();
        assert_eq!(told("SUM  b.zip"), "the list of checksums has none for a.zip");
        assert_eq!(told(""), "the list of checksums has none for a.zip");
        let different = told(&format!("{other}  a.zip"));
        assert!(
            different.starts_with("the list of checksums has 0000")
                && different.ends_with(&Sum::of(b"archive").to_string())
        );
    }
}
