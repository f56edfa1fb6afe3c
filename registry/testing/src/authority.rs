//! A certificate authority of a test, and servers' certificates.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose};
use rustls::ServerConfig;
use rustls_pki_types::PrivatePkcs8KeyDer;

/// Who vouches for the servers of a test.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

/// The names that servers have: where they are, and one that only a proxy finds.
const NAMES: [&str; 3] = ["localhost", "127.0.0.1", "registry.example"];

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

#[expect(clippy::unwrap_used, reason = "a test that cannot make certificates cannot run")]
impl Authority {
    /// A new authority that nobody knows.
    #[must_use]
    pub fn new() -> Self {
        let mut params = CertificateParams::new([]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        params.distinguished_name.push(DnType::CommonName, "denobridge tests");
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    /// The authority's certificate in PEM form, for `SSL_CERT_FILE`.
    #[must_use]
    pub fn certificate(&self) -> &str {
        &self.pem
    }

    pub(crate) fn server(&self) -> Arc<ServerConfig> {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(NAMES.map(str::to_owned)).unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let key = PrivatePkcs8KeyDer::from(key.serialize_der());
        let config = config.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], key.into());
        Arc::new(config.unwrap())
    }
}
