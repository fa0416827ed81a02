//! https: rustls, with the roots that the machine itself trusts.

use std::sync::Arc;

use median_edge::fetch::FetchError;
use rustls::ClientConfig;
use rustls::crypto::ring;
use rustls::pki_types::ServerName;
use rustls_platform_verifier::BuilderVerifierExt as _;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// Makes sure that the other end is who it should be.
///
/// The roots are read each time: an endpoint is connected once in a while, and they change too.
pub(crate) async fn over(stream: TcpStream, host: &str) -> Result<TlsStream<TcpStream>, FetchError> {
    let untrusted = |why: String| FetchError::Untrusted(why);
    let config = config().map_err(|error| untrusted(error.to_string()))?;
    let name = ServerName::try_from(host.to_owned())
        .map_err(|_| untrusted("its host is no name that a certificate can have".to_owned()))?;
    TlsConnector::from(Arc::new(config)).connect(name, stream).await.map_err(|error| {
        let is_tls = error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<rustls::Error>);
        if is_tls { untrusted(error.to_string()) } else { FetchError::Failed(error.to_string()) }
    })
}

fn config() -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions()?;
    Ok(builder.with_platform_verifier()?.with_no_client_auth())
}
