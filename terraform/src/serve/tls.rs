//! The plugin's side of AutoMTLS. The host's certificate comes as PEM in the environment and is compared byte for byte with
//! what the client presents.

use std::sync::Arc;

use rcgen::ExtendedKeyUsagePurpose;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};

use super::ServeError;
use crate::tls::{Exactly, crypto, throw_away_certificate};

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

    let crypto = crypto();
    let verifier = Exactly::new(expected, Arc::clone(&crypto));
    let mut config = ServerConfig::builder_with_provider(crypto)
        .with_safe_default_protocol_versions()
        .map(|builder| builder.with_client_cert_verifier(verifier))
        .and_then(|builder| builder.with_single_cert(vec![certificate.clone()], key.into()))
        .map_err(|error| ServeError::Tls { message: error.to_string() })?;
    // grpc-go closes connections that did not negotiate HTTP/2.
    config.alpn_protocols = vec![b"h2".to_vec()];
    Ok(ServerTls { config: Arc::new(config), certificate })
}

fn server_certificate() -> Result<(CertificateDer<'static>, PrivatePkcs8KeyDer<'static>), rcgen::Error> {
    let (certificate, key) = throw_away_certificate(|params| {
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    })?;
    Ok((certificate.der().clone(), PrivatePkcs8KeyDer::from(key.serialize_der())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_which_variable_is_broken() {
        let error = automatic("not a certificate").err().unwrap();
        assert!(error.to_string().starts_with("PLUGIN_CLIENT_CERT is not a certificate in PEM form"), "{error}");
    }
}
