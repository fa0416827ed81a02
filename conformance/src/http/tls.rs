//! https: rustls, with the roots that the machine itself trusts.

use std::io;
use std::net::TcpStream;
use std::sync::Arc;

use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};
use rustls_platform_verifier::ConfigVerifierExt as _;

/// Reads the machine's roots, once for all connections.
pub(super) fn config() -> Result<Arc<ClientConfig>, String> {
    // Another one that the program chose already will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    ClientConfig::with_platform_verifier().map(Arc::new).map_err(|error| error.to_string())
}

pub(super) fn connect(
    stream: TcpStream,
    host: &str,
    config: &Arc<ClientConfig>,
) -> Result<StreamOwned<ClientConnection, TcpStream>, String> {
    let name = ServerName::try_from(host.to_owned()).map_err(|_| format!("{host} is no name of a server"))?;
    let connection = ClientConnection::new(Arc::clone(config), name).map_err(|error| error.to_string())?;
    Ok(StreamOwned::new(connection, stream))
}

/// Whether an error of a connection comes from TLS, and not from what was sent through it.
pub(super) fn is_to_blame(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<rustls::Error>)
}

#[cfg(test)]
mod tests {
    use super::is_to_blame;
    use std::io;

    #[test]
    fn a_certificate_that_is_not_trusted_is_told_from_an_answer_that_is_none() {
        let certificate = rustls::Error::InvalidCertificate(rustls::CertificateError::Expired);
        assert!(is_to_blame(&io::Error::new(io::ErrorKind::InvalidData, certificate)));
        assert!(!is_to_blame(&io::Error::new(io::ErrorKind::InvalidData, "there is no status line")));
    }
}
