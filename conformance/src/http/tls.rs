//! https: rustls, with the roots that the machine itself trusts.

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
