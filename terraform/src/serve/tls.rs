//! AutoMTLS: each side makes a throw-away certificate and tells the other which one to expect.
//!
//! The host's certificate comes as PEM in the environment and is compared byte for byte with what the client presents.
//! The stock verifier cannot do this: it refuses a leaf that is also a certificate authority, which go-plugin's are. They
//! are ECDSA P-521, which is why this needs rustls on aws-lc-rs: where a server does not offer that scheme, Go sends no
//! certificate at all.

use std::sync::Arc;

use rcgen::{CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, KeyPair, PKCS_ECDSA_P256_SHA256};
use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{CertificateError, DigitallySignedStruct, DistinguishedName as RustlsName, ServerConfig, SignatureScheme};

use super::ServeError;

/// The name that the host expects in our certificate.
const SERVER_NAME: &str = "localhost";

/// Our side of AutoMTLS.
pub(super) struct ServerTls {
    /// For the acceptor.
    pub config: Arc<ServerConfig>,
    /// Our certificate in DER, for the handshake line.
    pub certificate: CertificateDer<'static>,
}

/// Makes a certificate and trusts exactly the client certificate in `client_pem`.
///
/// # Errors
/// The PEM holds no certificate, or key generation failed.
pub(super) fn automatic(client_pem: &str) -> Result<ServerTls, ServeError> {
    let expected = CertificateDer::from_pem_slice(client_pem.as_bytes()).map_err(|error| ServeError::Environment {
        message: format!("PLUGIN_CLIENT_CERT is not a certificate in PEM form: {error}"),
    })?;
    let (certificate, key) = server_certificate().map_err(|error| ServeError::Tls { message: error.to_string() })?;

    let provider = Arc::new(aws_lc_rs::default_provider());
    let verifier = Arc::new(ExactClient { expected, provider: Arc::clone(&provider) });
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map(|builder| builder.with_client_cert_verifier(verifier))
        .and_then(|builder| builder.with_single_cert(vec![certificate.clone()], key.into()))
        .map_err(|error| ServeError::Tls { message: error.to_string() })?;
    // grpc-go closes connections that did not negotiate HTTP/2.
    config.alpn_protocols = vec![b"h2".to_vec()];
    Ok(ServerTls { config: Arc::new(config), certificate })
}

/// P-256, because it is quick to make; hosts take any algorithm.
fn server_certificate() -> Result<(CertificateDer<'static>, PrivatePkcs8KeyDer<'static>), rcgen::Error> {
    let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
    let mut params = CertificateParams::new([SERVER_NAME.to_owned()])?;
    let mut name = DistinguishedName::new();
    name.push(DnType::CommonName, SERVER_NAME);
    params.distinguished_name = name;
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let certificate = params.self_signed(&key)?.der().clone();
    Ok((certificate, PrivatePkcs8KeyDer::from(key.serialize_der())))
}

/// Accepts one certificate only, and only from who holds its key.
#[derive(Debug)]
struct ExactClient {
    expected: CertificateDer<'static>,
    provider: Arc<CryptoProvider>,
}

impl ClientCertVerifier for ExactClient {
    fn root_hint_subjects(&self) -> &[RustlsName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, rustls::Error> {
        if end_entity.as_ref() == self.expected.as_ref() {
            Ok(ClientCertVerified::assertion())
        } else {
            Err(rustls::Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure))
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_the_scheme_of_go_plugins_certificates() {
        let schemes = aws_lc_rs::default_provider().signature_verification_algorithms.supported_schemes();
        assert!(schemes.contains(&SignatureScheme::ECDSA_NISTP521_SHA512));
    }

    #[test]
    fn says_which_variable_is_broken() {
        let error = automatic("not a certificate").err().unwrap();
        assert!(error.to_string().starts_with("PLUGIN_CLIENT_CERT is not a certificate in PEM form"), "{error}");
    }
}
