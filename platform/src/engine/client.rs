//! The HTTP client: a connection of its own for each request, so that nothing is ever sent twice.
//!
//! A pool or a retry layer may send a request again when its connection broke, which no call may be. Redirects are not
//! followed: an answer of 3xx is that answer.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST, USER_AGENT};
use http::{Method, Request, Uri};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::rt::{Read, Write};
use hyper_util::rt::TokioIo;
use median_edge::http::SIGNATURE_HEADER;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use crate::domain::Answer;

/// The most bytes of an answer that are read.
const LARGEST_ANSWER: usize = 4 * 1024 * 1024;

/// A request.
pub(crate) struct Outgoing<'a> {
    pub(crate) method: Method,
    pub(crate) url: &'a str,
    pub(crate) signature: Option<String>,
    pub(crate) bearer: Option<&'a str>,
    pub(crate) body: String,
}

/// Sends requests.
#[derive(Default)]
pub(crate) struct Client {
    /// Made when it is first needed: most endpoints of a developer speak plain HTTP.
    tls: OnceLock<Result<TlsConnector, String>>,
}

impl Client {
    /// Sends a request, once. The limit, on the real clock, covers everything from the name to the last byte.
    pub(crate) async fn send(&self, outgoing: Outgoing<'_>, limit: Duration) -> Answer {
        match timeout(limit, self.exchange(outgoing)).await {
            Ok(Ok((status, body))) => Answer::Http { status, body },
            Ok(Err(why)) => Answer::None { why },
            Err(_) => Answer::None { why: format!("It did not answer within {} seconds.", limit.as_secs()) },
        }
    }

    async fn exchange(&self, outgoing: Outgoing<'_>) -> Result<(u16, Vec<u8>), String> {
        let uri: Uri = outgoing.url.parse().map_err(|_| "Its address is not a URL.".to_owned())?;
        let is_https = uri.scheme_str() == Some("https");
        let host = uri.host().ok_or("Its address has no host.")?.to_owned();
        let port = uri.port_u16().unwrap_or(if is_https { 443 } else { 80 });
        let address = host.trim_start_matches('[').trim_end_matches(']');
        let stream = TcpStream::connect((address, port))
            .await
            .map_err(|error| format!("{host}:{port} can't be reached: {error}. Is the endpoint running?"))?;
        let request = request(&uri, outgoing)?;
        if is_https {
            let tls = self.tls.get_or_init(connector).as_ref().map_err(Clone::clone)?;
            let name = ServerName::try_from(address.to_owned())
                .map_err(|_| format!("{host} is no name for TLS."))?;
            let secure = tls.connect(name, stream).await;
            let secure =
                secure.map_err(|error| format!("There is no secure connection to {host}: {error}."))?;
            talk(TokioIo::new(secure), request).await
        } else {
            talk(TokioIo::new(stream), request).await
        }
    }
}

fn connector() -> Result<TlsConnector, String> {
    let told = |error: &dyn std::fmt::Display| format!("TLS can't be set up: {error}.");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(BuilderVerifierExt::with_platform_verifier)
        .map_err(|error| told(&error))?
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

fn request(uri: &Uri, outgoing: Outgoing<'_>) -> Result<Request<Full<Bytes>>, String> {
    let authority = uri.authority().ok_or("Its address has no host.")?;
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let mut request = Request::builder()
        .method(&outgoing.method)
        .uri(path)
        .header(HOST, authority.as_str())
        .header(USER_AGENT, concat!("median-edge-platform/", env!("CARGO_PKG_VERSION")))
        .header(ACCEPT, "application/json");
    if let Some(signature) = outgoing.signature {
        request = request.header(SIGNATURE_HEADER, signature);
    }
    if let Some(bearer) = outgoing.bearer {
        request = request.header(AUTHORIZATION, format!("Bearer {bearer}"));
    }
    if outgoing.method == Method::POST {
        request = request.header(CONTENT_TYPE, "application/json");
    }
    let body = Full::new(Bytes::from(outgoing.body));
    request.body(body).map_err(|_| "The request can't be written.".to_owned())
}

async fn talk(
    io: impl Read + Write + Unpin + Send + 'static,
    request: Request<Full<Bytes>>,
) -> Result<(u16, Vec<u8>), String> {
    let broke = |error: hyper::Error| format!("The connection broke: {error}.");
    let (mut sender, connection) = http1::handshake(io).await.map_err(broke)?;
    let exchange = async {
        let response = sender.send_request(request).await.map_err(broke)?;
        let status = response.status().as_u16();
        let body = Limited::new(response.into_body(), LARGEST_ANSWER).collect().await;
        let body = body.map_err(|error| match error.downcast_ref::<LengthLimitError>() {
            Some(_) => format!("Its answer is over {} MB.", LARGEST_ANSWER / 1024 / 1024),
            None => format!("Its answer broke off: {error}."),
        })?;
        Ok((status, body.to_bytes().to_vec()))
    };
    tokio::pin!(exchange);
    // The connection is driven here, so that it ends with the exchange and its limit.
    tokio::select! {
        biased;
        result = &mut exchange => result,
        ended = connection => match ended {
            // It may have ended with the whole answer read.
            Ok(()) => exchange.await,
            Err(error) => Err(broke(error)),
        },
    }
}
