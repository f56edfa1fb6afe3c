//! The host's side of AutoMTLS: a throw-away certificate of ours, and trust in exactly the one that the plugin named.

use std::sync::Arc;

use rcgen::{BasicConstraints, ExtendedKeyUsagePurpose, IsCa};
use rustls::ClientConfig;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};

use crate::tls::{Exactly, crypto, throw_away_certificate};

/// What we show a plugin.
pub(super) struct ClientCertificate {
    /// For the plugin's environment.
    pub pem: String,
    certificate: CertificateDer<'static>,
    key: Vec<u8>,
}

impl ClientCertificate {
    /// One that is its own authority: Go's verifier looks for it among those that it trusts.
    pub(super) fn new() -> Result<Self, rcgen::Error> {
        let (certificate, key) = throw_away_certificate(|params| {
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
            params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth, ExtendedKeyUsagePurpose::ServerAuth];
        })?;
        Ok(Self { pem: certificate.pem(), certificate: certificate.der().clone(), key: key.serialize_der() })
    }

    /// A client that shows this certificate and talks to nobody but the holder of `server`.
    pub(super) fn trusting(&self, server: CertificateDer<'static>) -> Result<Arc<ClientConfig>, String> {
        let crypto = crypto();
        let verifier = Exactly::new(server, Arc::clone(&crypto));
        let key = PrivatePkcs8KeyDer::from(self.key.clone());
        let mut config = ClientConfig::builder_with_provider(crypto)
            .with_safe_default_protocol_versions()
            .and_then(|builder| {
                builder
                    .dangerous()
                    .with_custom_certificate_verifier(verifier)
                    .with_client_auth_cert(vec![self.certificate.clone()], key.into())
            })
            .map_err(|error| error.to_string())?;
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(Arc::new(config))
    }
}
