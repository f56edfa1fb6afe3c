//! What both sides of AutoMTLS do: make a throw-away certificate, and trust exactly the one that the other side named.
//!
//! The stock verifiers cannot do the second: they refuse a leaf that is also a certificate authority, which go-plugin's are.
//! Those are ECDSA P-521, which is why this needs rustls on aws-lc-rs: where a side does not offer that scheme, Go sends no
//! certificate at all.

use std::sync::Arc;

use rcgen::{CertificateParams, DistinguishedName, DnType, KeyPair, PKCS_ECDSA_P256_SHA256};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{CertificateError, DigitallySignedStruct, DistinguishedName as RustlsName, SignatureScheme};

/// The name that both sides have in their certificates.
pub(crate) const NAME: &str = "localhost";

/// A certificate and its key. P-256, because it is quick to make; Go takes any algorithm. `uses` says what it is for.
pub(crate) fn throw_away_certificate(
    uses: impl FnOnce(&mut CertificateParams),
) -> Result<(rcgen::Certificate, KeyPair), rcgen::Error> {
    let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
    let mut params = CertificateParams::new([NAME.to_owned()])?;
    let mut name = DistinguishedName::new();
    name.push(DnType::CommonName, NAME);
    params.distinguished_name = name;
    uses(&mut params);
    Ok((params.self_signed(&key)?, key))
}

/// The algorithms that both sides use.
pub(crate) fn crypto() -> Arc<CryptoProvider> {
    Arc::new(aws_lc_rs::default_provider())
}

/// Accepts one certificate only, and only from who holds its key.
#[derive(Debug)]
pub(crate) struct Exactly {
    expected: CertificateDer<'static>,
    crypto: Arc<CryptoProvider>,
}

impl Exactly {
    pub(crate) fn new(expected: CertificateDer<'static>, crypto: Arc<CryptoProvider>) -> Arc<Self> {
        Arc::new(Self { expected, crypto })
    }

    fn check(&self, shown: &CertificateDer<'_>) -> Result<(), rustls::Error> {
        if shown.as_ref() == self.expected.as_ref() {
            Ok(())
        } else {
            Err(rustls::Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure))
        }
    }
}

/// Signatures are verified alike on both sides.
macro_rules! signatures {
    () => {
        fn verify_tls12_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signature: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, rustls::Error> {
            verify_tls12_signature(message, certificate, signature, &self.crypto.signature_verification_algorithms)
        }

        fn verify_tls13_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signature: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, rustls::Error> {
            verify_tls13_signature(message, certificate, signature, &self.crypto.signature_verification_algorithms)
        }

        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            self.crypto.signature_verification_algorithms.supported_schemes()
        }
    };
}

impl ClientCertVerifier for Exactly {
    fn root_hint_subjects(&self) -> &[RustlsName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, rustls::Error> {
        self.check(end_entity).map(|()| ClientCertVerified::assertion())
    }

    signatures!();
}

impl ServerCertVerifier for Exactly {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        self.check(end_entity).map(|()| ServerCertVerified::assertion())
    }

    signatures!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_the_scheme_of_go_plugins_certificates() {
        let schemes = crypto().signature_verification_algorithms.supported_schemes();
        assert!(schemes.contains(&SignatureScheme::ECDSA_NISTP521_SHA512));
    }
}
