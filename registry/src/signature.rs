//! Whether a document was signed with a key, by the rules of OpenPGP (RFC 9580).
//!
//! The library checks cryptography. What a key may be used for, and for how long, is checked here:
//!
//! - A signature is made with the primary key, or with a subkey that the primary key has bound to itself for signing and
//!   that has confirmed it.
//! - What was said last about a key, by the key itself, holds: its uses, its end, that it is revoked.
//! - SHA-1 and older are not good enough for documents. (For what a key says about itself they are: many keys of authors
//!   are that old, and no collision helps against them.)

use std::time::{Duration, SystemTime};

use pgp::composed::{Deserializable as _, DetachedSignature, SignedPublicKey, SignedPublicSubKey};
use pgp::crypto::hash::HashAlgorithm;
use pgp::packet::{Signature, SignatureType};
use pgp::types::{KeyDetails as _, Tag, Timestamp, VerifyingKey};

/// What became of checking a signature against a key.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The key made it.
    Valid,
    /// The key made it, and it or the signature has expired: a clause that says so.
    Expired(String),
    /// Another key made it. These are the identifiers of the ones that were given.
    OtherSigner(Vec<String>),
}

/// Why a key or a signature cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The registry announces something that is no key.
    #[error("a key that the registry announces cannot be read: {0}")]
    UnreadableKey(String),
    /// The signature is none.
    #[error("the signature of its list of checksums cannot be read: {0}")]
    UnreadableSignature(String),
    /// The signature is of another document.
    #[error("the signature by the key {key} does not fit its list of checksums")]
    Mismatch {
        /// The key.
        key: String,
    },
    /// The key may not sign documents.
    #[error("it is signed with the key {key}, which {why}")]
    UnfitKey {
        /// The key.
        key: String,
        /// Why not.
        why: &'static str,
    },
    /// The signature uses an algorithm that is broken.
    #[error("it is signed by way of {0}, which can be forged")]
    WeakHash(String),
}

/// Checks a document's signature against an armored key, or several in one armor.
///
/// # Errors
/// The key made the signature, and it is no good; or one of them cannot be read.
pub(crate) fn check(document: &[u8], signature: &[u8], key: &str, now: SystemTime) -> Result<Outcome, KeyError> {
    let (keys, _) = SignedPublicKey::from_string_many(key).map_err(unreadable_key)?;
    let keys: Vec<SignedPublicKey> = keys.collect::<Result<_, _>>().map_err(unreadable_key)?;
    let signatures = signatures(signature)?;
    let mut expired = None;
    for key in &keys {
        for signature in &signatures {
            match Signer::find(key, signature).map(|signer| signer.check(document, signature, now)) {
                Some(Ok(Outcome::Valid)) => return Ok(Outcome::Valid),
                Some(Ok(outcome)) => expired = expired.or(Some(outcome)),
                Some(Err(error)) => return Err(error),
                None => {}
            }
        }
    }
    let ids = || keys.iter().map(|key| shown(&key.primary_key)).collect();
    Ok(expired.unwrap_or_else(|| Outcome::OtherSigner(ids())))
}

fn unreadable_key(error: impl ToString) -> KeyError {
    KeyError::UnreadableKey(error.to_string())
}

fn signatures(bytes: &[u8]) -> Result<Vec<Signature>, KeyError> {
    let unreadable = |error: pgp::errors::Error| KeyError::UnreadableSignature(error.to_string());
    let (read, _) = DetachedSignature::from_reader_many(bytes).map_err(unreadable)?;
    let read: Vec<Signature> =
        read.map(|read| read.map(|read| read.signature)).collect::<Result<_, _>>().map_err(unreadable)?;
    if read.is_empty() {
        return Err(KeyError::UnreadableSignature("it is empty".to_owned()));
    }
    Ok(read)
}

/// As people write identifiers of keys.
fn shown(key: &impl pgp::types::KeyDetails) -> String {
    key.legacy_key_id().to_string().to_uppercase()
}

/// The key that a signature names, and the primary key that it belongs to.
enum Signer<'k> {
    Primary(&'k SignedPublicKey),
    Subkey(&'k SignedPublicKey, &'k SignedPublicSubKey),
}

impl<'k> Signer<'k> {
    fn find(key: &'k SignedPublicKey, signature: &Signature) -> Option<Self> {
        if is_named(signature, &key.primary_key) {
            return Some(Self::Primary(key));
        }
        let subkey = key.public_subkeys.iter().find(|subkey| is_named(signature, &subkey.key));
        subkey.map(|subkey| Self::Subkey(key, subkey))
    }

    fn check(&self, document: &[u8], signature: &Signature, now: SystemTime) -> Result<Outcome, KeyError> {
        match signature.hash_alg() {
            Some(hash @ (HashAlgorithm::Md5 | HashAlgorithm::Sha1 | HashAlgorithm::Ripemd160)) => {
                return Err(KeyError::WeakHash(hash.to_string()));
            }
            _ if signature.typ() == Some(SignatureType::Binary) || signature.typ() == Some(SignatureType::Text) => {}
            _ => return Err(KeyError::UnreadableSignature("it is not that of a document".to_owned())),
        }
        match self {
            Self::Primary(key) => {
                made_by(&key.primary_key, document, signature)?;
                let expiry = primary_key_expiry(key, true)?;
                Ok(outcome(&key.primary_key, expiry, signature, now))
            }
            Self::Subkey(key, subkey) => {
                made_by(&subkey.key, document, signature)?;
                let expiry = [primary_key_expiry(key, false)?, subkey_expiry(key, subkey)?];
                Ok(outcome(&subkey.key, expiry.into_iter().flatten().min(), signature, now))
            }
        }
    }
}

/// Whether a signature names a key as its maker. One that names nobody may be anybody's.
fn is_named(signature: &Signature, key: &impl pgp::types::KeyDetails) -> bool {
    let (ids, fingerprints) = (signature.issuer_key_id(), signature.issuer_fingerprint());
    (ids.is_empty() && fingerprints.is_empty())
        || ids.iter().any(|id| **id == key.legacy_key_id())
        || fingerprints.iter().any(|fingerprint| **fingerprint == key.fingerprint())
}

fn made_by(key: &impl VerifyingKey, document: &[u8], signature: &Signature) -> Result<(), KeyError> {
    signature.verify(key, document).map_err(|_| KeyError::Mismatch { key: shown(key) })
}

/// What a primary key said last about itself: until when it is good, and whether it may sign documents.
fn primary_key_expiry(key: &SignedPublicKey, must_sign: bool) -> Result<Option<SystemTime>, KeyError> {
    let (primary, details) = (&key.primary_key, &key.details);
    let unfit = |why| KeyError::UnfitKey { key: shown(primary), why };
    if details.revocation_signatures.iter().any(|revocation| revocation.verify_key(primary).is_ok()) {
        return Err(unfit("was revoked"));
    }
    let direct = details.direct_signatures.iter().filter(|said| said.verify_key(primary).is_ok());
    let of_users = details.users.iter().flat_map(|user| {
        let is_own = |said: &&Signature| said.verify_certification(primary, Tag::UserId, &user.id).is_ok();
        user.signatures.iter().filter(|said| said.is_certification()).filter(is_own)
    });
    let last = direct.chain(of_users).max_by_key(|said| said.created());
    let last = last.ok_or_else(|| unfit("does not say itself what it is for"))?;
    if must_sign && !may_sign(last) {
        return Err(unfit("is not for signing"));
    }
    Ok(end(primary.created_at(), last.key_expiration_time()))
}

/// What a primary key said last about a subkey.
fn subkey_expiry(key: &SignedPublicKey, subkey: &SignedPublicSubKey) -> Result<Option<SystemTime>, KeyError> {
    let unfit = |why| KeyError::UnfitKey { key: shown(&subkey.key), why };
    let said = subkey.signatures.iter();
    let said: Vec<_> = said.filter(|said| said.verify_subkey_binding(&key.primary_key, &subkey.key).is_ok()).collect();
    if said.iter().any(|said| said.typ() == Some(SignatureType::SubkeyRevocation)) {
        return Err(unfit("was revoked"));
    }
    let last = said.into_iter().max_by_key(|said| said.created());
    let last = last.ok_or_else(|| unfit("does not belong to the announced key"))?;
    let is_confirmed = last
        .embedded_signature()
        .is_some_and(|confirmation| confirmation.verify_primary_key_binding(&subkey.key, &key.primary_key).is_ok());
    if !last.key_flags().sign() || !is_confirmed {
        return Err(unfit("is not for signing"));
    }
    Ok(end(subkey.key.created_at(), last.key_expiration_time()))
}

/// A primary key without flags is from the time before them, and is for everything.
fn may_sign(said: &Signature) -> bool {
    let flags = said.key_flags();
    flags == pgp::packet::KeyFlags::default() || flags.sign()
}

/// When something ends that lasts for so long; not at all when it lasts for no time.
fn end(start: Timestamp, lasts: Option<pgp::types::Duration>) -> Option<SystemTime> {
    let lasts = lasts.map(|lasts| u64::from(lasts.as_secs())).filter(|seconds| *seconds > 0)?;
    SystemTime::from(start).checked_add(Duration::from_secs(lasts))
}

fn outcome(
    key: &impl pgp::types::KeyDetails,
    key_expiry: Option<SystemTime>,
    signature: &Signature,
    now: SystemTime,
) -> Outcome {
    let is_over = |end: Option<SystemTime>| end.is_some_and(|end| end <= now);
    let made = signature.created();
    if is_over(key_expiry) {
        Outcome::Expired(format!("the key {} has expired", shown(key)))
    } else if made.is_some_and(|made| is_over(end(made, signature.signature_expiration_time()))) {
        Outcome::Expired(format!("the signature by the key {} has expired", shown(key)))
    } else if made.is_some_and(|made| SystemTime::from(made) > now + CLOCK_SKEW) {
        Outcome::Expired(format!("the signature by the key {} is from the future", shown(key)))
    } else {
        Outcome::Valid
    }
}

/// How far the clock of who signed may be ahead of ours.
const CLOCK_SKEW: Duration = Duration::from_secs(24 * 60 * 60);

#[cfg(test)]
mod tests {
    //! Keys and signatures that GnuPG 2.2.40 made; `extended` is `expired` after `--quick-set-expire 0`, with both
    //! statements about its end in it. The secret keys are gone.

    use super::*;

    const DOCUMENT: &[u8] = include_bytes!("signature/testdata/document");

    macro_rules! checked {
        ($signature:literal by $key:literal) => {
            checked!($signature of DOCUMENT by $key)
        };
        ($signature:literal of $document:ident by $key:literal) => {{
            let signature = include_bytes!(concat!("signature/testdata/", $signature, ".sig"));
            let key = include_str!(concat!("signature/testdata/", $key, ".asc"));
            match check($document, signature, key, SystemTime::now()) {
                Ok(Outcome::Valid) => "valid".to_owned(),
                Ok(Outcome::Expired(what)) => what,
                Ok(Outcome::OtherSigner(ids)) => format!("none of {}", ids.join(", ")),
                Err(error) => error.to_string(),
            }
        }};
    }

    #[test]
    fn what_gnupg_signed_is_judged_as_gnupg_does() {
        const OTHER: &[u8] = b"another document";
        let outcomes = [
            ("a primary key", checked!("primary" by "primary")),
            ("armored", checked!("armored" by "primary")),
            ("a subkey", checked!("subkey" by "subkey")),
            ("an expired key", checked!("expired" by "expired")),
            ("the same, extended", checked!("expired" by "extended")),
            ("an expired signature", checked!("expired-signature" by "extended")),
            ("a revoked key", checked!("revoked" by "revoked")),
            ("SHA-1", checked!("sha1" by "primary")),
            ("another key", checked!("primary" by "subkey")),
            ("another document", checked!("primary" of OTHER by "primary")),
        ];
        let text: Vec<_> = outcomes.iter().map(|(name, outcome)| format!("{name}: {outcome}")).collect();
        insta::assert_snapshot!(text.join("\n"), @r"
        a primary key: valid
        armored: valid
        a subkey: valid
        an expired key: the key 5E0CBCC67091A237 has expired
        the same, extended: valid
        an expired signature: the signature by the key 5E0CBCC67091A237 has expired
        a revoked key: it is signed with the key CB6AE4DAA8642227, which was revoked
        SHA-1: it is signed by way of SHA1, which can be forged
        another key: none of 86A9BC8D97CEA46D
        another document: the signature by the key D80D233C07ACBA2F does not fit its list of checksums
        ");
    }

    #[test]
    fn what_is_no_key_or_no_signature_is_told() {
        let key = include_str!("signature/testdata/primary.asc");
        let signature = include_bytes!("signature/testdata/primary.sig");
        let told = [
            check(DOCUMENT, signature, "", SystemTime::now()),
            check(DOCUMENT, signature, &key[..key.len() / 2], SystemTime::now()),
            check(DOCUMENT, b"", key, SystemTime::now()),
            check(DOCUMENT, &signature[..100], key, SystemTime::now()),
        ]
        .map(|outcome| outcome.unwrap_err().to_string());
        insta::assert_snapshot!(told.join("\n"), @r"
        a key that the registry announces cannot be read: not enough bytes in buffer: armor header
        a key that the registry announces cannot be read: IO error: not enough bytes in buffer: armor footer
        the signature of its list of checksums cannot be read: empty input
        the signature of its list of checksums cannot be read: IO error: PacketBodyReader errored
        ");
    }
}
