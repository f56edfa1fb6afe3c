//! Keys that authors of providers sign with: good ones, and those with something wrong.

use pgp::composed::{
    ArmorOptions, DetachedSignature, KeyType, SecretKeyParamsBuilder, SignedPublicKey, SignedSecretKey,
    SubkeyParamsBuilder,
};
use pgp::crypto::hash::HashAlgorithm;
use pgp::packet::{KeyFlags, SignatureConfig, SignatureType, Subpacket, SubpacketData};
use pgp::ser::Serialize as _;
use pgp::types::{Duration, KeyDetails as _, KeyVersion, Password, SignedUser, Tag, Timestamp};
use rand_for_pgp::thread_rng;

/// A key to sign lists of checksums with.
pub struct SigningKey {
    secret: SignedSecretKey,
    public: SignedPublicKey,
    with_subkey: bool,
    hash: HashAlgorithm,
}

/// In 2020.
const LONG_AGO: u32 = 1_600_000_000;
const DAY: u32 = 24 * 60 * 60;

impl Default for SigningKey {
    fn default() -> Self {
        Self::new()
    }
}

#[expect(clippy::unwrap_used, reason = "a test that cannot make keys cannot run")]
impl SigningKey {
    /// A good one.
    #[must_use]
    pub fn new() -> Self {
        Self::made(true, false)
    }

    /// One whose subkey signs.
    #[must_use]
    pub fn with_subkey() -> Self {
        Self::made(false, true)
    }

    /// One that is for certifying other keys only, and signs all the same.
    #[must_use]
    pub fn not_for_signing() -> Self {
        let mut flags = KeyFlags::default();
        flags.set_certify(true);
        Self::made(true, false).saying(vec![SubpacketData::KeyFlags(flags)])
    }

    /// One that ended a day after it was made, years ago.
    #[must_use]
    pub fn expired() -> Self {
        let mut flags = KeyFlags::default();
        flags.set_sign(true);
        let end = SubpacketData::KeyExpirationTime(Duration::from_secs(DAY));
        Self::made(true, false).saying(vec![SubpacketData::KeyFlags(flags), end])
    }

    /// One that its owner has revoked.
    #[must_use]
    pub fn revoked() -> Self {
        let mut key = Self::new();
        let primary = &key.secret.primary_key;
        let config = config(SignatureType::KeyRevocation, primary, Vec::new());
        let revocation = config.sign_key(primary, &Password::empty(), &key.public.primary_key).unwrap();
        key.public.details.revocation_signatures.push(revocation);
        key
    }

    /// One with RSA, which most authors use.
    #[must_use]
    pub fn rsa() -> Self {
        Self::of_kind(KeyType::Rsa(2048), true, false)
    }

    /// The same one, which signs by way of SHA-1. Only RSA keys can.
    #[must_use]
    pub fn signing_by_sha1(mut self) -> Self {
        self.hash = HashAlgorithm::Sha1;
        self
    }

    fn made(signs: bool, with_subkey: bool) -> Self {
        Self::of_kind(KeyType::Ed25519Legacy, signs, with_subkey)
    }

    fn of_kind(kind: KeyType, signs: bool, with_subkey: bool) -> Self {
        let mut builder = SecretKeyParamsBuilder::default();
        builder
            .version(KeyVersion::V4)
            .key_type(kind)
            .can_certify(true)
            .can_sign(signs)
            .created_at(Timestamp::from_secs(LONG_AGO))
            .primary_user_id("Ada <ada@example.com>".to_owned());
        if with_subkey {
            let mut subkey = SubkeyParamsBuilder::default();
            subkey.version(KeyVersion::V4).key_type(KeyType::Ed25519Legacy).can_sign(true);
            builder.subkey(subkey.build().unwrap());
        }
        let secret = builder.build().unwrap().generate(thread_rng()).unwrap();
        let public = secret.to_public_key();
        Self { secret, public, with_subkey, hash: HashAlgorithm::Sha256 }
    }

    /// What the key says about itself, instead of what it said.
    fn saying(mut self, what: Vec<SubpacketData>) -> Self {
        let primary = &self.secret.primary_key;
        let id = self.public.details.users[0].id.clone();
        let config = config(SignatureType::CertPositive, primary, what);
        let (public, password) = (&self.public.primary_key, Password::empty());
        let said = config.sign_certification(primary, public, &password, Tag::UserId, &id).unwrap();
        self.public.details.users = vec![SignedUser::new(id, vec![said])];
        self
    }

    /// The public key, armored, as registries announce it.
    #[must_use]
    pub fn public(&self) -> String {
        self.public.to_armored_string(ArmorOptions::default()).unwrap()
    }

    /// Its identifier, as people write it.
    #[must_use]
    pub fn id(&self) -> String {
        match self.with_subkey {
            true => self.public.public_subkeys[0].legacy_key_id().to_string().to_uppercase(),
            false => self.public.primary_key.legacy_key_id().to_string().to_uppercase(),
        }
    }

    /// A detached signature, binary.
    #[must_use]
    pub fn sign(&self, document: &[u8]) -> Vec<u8> {
        let (rng, password, hash) = (thread_rng(), Password::empty(), self.hash);
        let signature = match self.with_subkey {
            true => {
                let subkey = &self.secret.secret_subkeys[0].key;
                DetachedSignature::sign_binary_data(rng, subkey, &password, hash, document)
            }
            false => DetachedSignature::sign_binary_data(rng, &self.secret.primary_key, &password, hash, document),
        };
        signature.unwrap().to_bytes().unwrap()
    }
}

fn config(typ: SignatureType, key: &pgp::packet::SecretKey, what: Vec<SubpacketData>) -> SignatureConfig {
    let mut config = SignatureConfig::v4(typ, key.algorithm(), HashAlgorithm::Sha256);
    let who = [
        SubpacketData::SignatureCreationTime(Timestamp::from_secs(LONG_AGO)),
        SubpacketData::IssuerFingerprint(key.fingerprint()),
    ];
    config.hashed_subpackets = who.into_iter().chain(what).filter_map(|data| Subpacket::regular(data).ok()).collect();
    config
}
