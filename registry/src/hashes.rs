//! Hashes of packages, in the two schemes of Terraform's lock files.
//!
//! `zh:` is the SHA-256 of the archive in hexadecimal. `h1:` is Go's `dirhash` of what is in it: the SHA-256, in base64, of
//! a list with a line `SHA-256  NAME` for each file in the order of names.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Sum(pub [u8; 32]);

impl Sum {
    /// The sum of bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Reads 64 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut sum = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return None;
        }
        for (byte, digits) in sum.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let digit = |digit: u8| char::from(digit).to_digit(16);
            *byte = u8::try_from(digit(digits[0])? * 16 + digit(digits[1])?).ok()?;
        }
        Some(Self(sum))
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl From<Sum> for String {
    fn from(sum: Sum) -> Self {
        sum.to_string()
    }
}

impl TryFrom<String> for Sum {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("no SHA-256 in hexadecimal")
    }
}

/// The hash of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum PackageHash {
    /// `zh:`, of the archive.
    Archive(Sum),
    /// `h1:`, of the files in it.
    Files(Sum),
}

impl PackageHash {
    /// The hash of files by their paths, with `/` in them on every platform.
    #[must_use]
    pub fn of_files<'a>(files: impl IntoIterator<Item = (&'a str, Sum)>) -> Self {
        let sorted: BTreeMap<&str, Sum> = files.into_iter().collect();
        let list: String = sorted.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect();
        Self::Files(Sum::of(list.as_bytes()))
    }
}

impl fmt::Display for PackageHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Archive(sum) => write!(f, "zh:{sum}"),
            Self::Files(sum) => write!(f, "h1:{}", STANDARD.encode(sum.0)),
        }
    }
}

/// A hash in a scheme that is not known here. Schemes are added over time, and an unknown one says nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no hash in the schemes zh: or h1:")]
pub struct UnknownHash(pub String);

impl FromStr for PackageHash {
    type Err = UnknownHash;

    fn from_str(text: &str) -> Result<Self, UnknownHash> {
        let of_files = |encoded| STANDARD.decode(encoded).ok()?.try_into().ok().map(|sum| Self::Files(Sum(sum)));
        let hash = match text.split_once(':') {
            Some(("zh", digits)) => Sum::parse(digits).map(Self::Archive),
            Some(("h1", encoded)) => of_files(encoded),
            _ => None,
        };
        hash.ok_or_else(|| UnknownHash(text.to_owned()))
    }
}

impl From<PackageHash> for String {
    fn from(hash: PackageHash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for PackageHash {
    type Error = UnknownHash;

    fn try_from(text: String) -> Result<Self, UnknownHash> {
        text.parse()
    }
}

/// Those hashes of a list that are in a known scheme.
pub(crate) fn known<'a>(texts: impl IntoIterator<Item = &'a String>) -> Vec<PackageHash> {
    texts.into_iter().filter_map(|text| text.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of no files: what OpenTofu knows as the hash of an empty package.
    const NOTHING: &str = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

    #[test]
    fn files_are_hashed_as_go_does() {
        assert_eq!(PackageHash::of_files([]).to_string(), NOTHING);
        // printf '%s  a\n%s  b/c\n' $(printf 1 | sha256sum | cut -c-64) $(printf 2 | sha256sum | cut -c-64) | openssl sha256 -binary | base64
        let hash = PackageHash::of_files([("b/c", Sum::of(b"2")), ("a", Sum::of(b"1"))]);
        assert_eq!(hash.to_string(), "h1:SBOaa+c1SMmbah9k7hUK+zqB3aurXTM6UdWgrHYogMA=");
    }

    #[test]
    fn a_hash_is_read_as_it_is_written() {
        let zip = format!("zh:{}", "0a".repeat(32));
        for text in [NOTHING, &zip] {
            assert_eq!(text.parse::<PackageHash>().unwrap().to_string(), text);
        }
        for text in ["", "zh:", "zh:zz", "h1:AAAA", "h2:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="] {
            assert!(text.parse::<PackageHash>().is_err(), "{text}");
        }
    }
}
