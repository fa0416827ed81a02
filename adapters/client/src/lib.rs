//! The HTTP client that a `median-edge` endpoint connects itself to the platform with, where the runtime is tokio.
//!
//! It is for the adapters: one request on a connection of its own, over TLS with the roots that the machine trusts. It
//! follows no redirect and knows no proxy, so what the request carries goes to the one address that it is for. The request's
//! own limits hold for all of it: the look-up of the name, the connection, and the answer.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod tls;

use std::time::Duration;

use http::header::HOST;
use http::{Request, Uri};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use median_edge::fetch::{FetchError, FetchRequest, FetchResponse};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// Sends a request and reads its answer, on a tokio runtime.
///
/// # Errors
///
/// Says why there is no answer, and nothing of what the request holds.
pub async fn fetch(request: FetchRequest) -> Result<FetchResponse, FetchError> {
    let limit = Duration::from_millis(request.limit_ms());
    timeout(limit, exchange(&request)).await.unwrap_or(Err(FetchError::TimedOut))
}

async fn exchange(request: &FetchRequest) -> Result<FetchResponse, FetchError> {
    let unusable = || FetchError::Unreachable("the address is none that can be connected to".to_owned());
    let uri: Uri = request.url().parse().map_err(|_| unusable())?;
    let host = uri.host().ok_or_else(unusable)?;
    // Between brackets is an address of IPv6.
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let is_secure = uri.scheme_str() == Some("https");
    let port = uri.port_u16().unwrap_or(if is_secure { 443 } else { 80 });
    let stream = TcpStream::connect((host, port)).await.map_err(|error| FetchError::unreachable(&error))?;
    if is_secure {
        send(tls::over(stream, host).await?, &uri, request).await
    } else {
        send(stream, &uri, request).await
    }
}

async fn send<T>(stream: T, uri: &Uri, request: &FetchRequest) -> Result<FetchResponse, FetchError>
where
    T: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (mut sender, connection) =
        http1::handshake(TokioIo::new(stream)).await.map_err(|error| FetchError::failed(&error))?;
    // It carries the bytes for as long as it is held.
    let mut carried = JoinSet::new();
    carried.spawn(connection);

    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let mut asking = Request::builder().method(request.method()).uri(path).header(HOST, authority);
    for (name, value) in request.headers() {
        let mut value = http::HeaderValue::from_str(value).map_err(|error| FetchError::failed(&error))?;
        value.set_sensitive(true);
        asking = asking.header(name, value);
    }
    let body = Full::new(Bytes::copy_from_slice(request.body()));
    let asking = asking.body(body).map_err(|error| FetchError::failed(&error))?;
    let answer = sender.send_request(asking).await.map_err(|error| FetchError::failed(&error))?;
    let status = answer.status().as_u16();
    let body =
        read(answer.into_body(), request.answer_bytes()).await.map_err(|error| FetchError::failed(&error))?;
    Ok(FetchResponse::new(status, body))
}

/// The body, and no more of it than so many bytes.
async fn read(mut body: Incoming, limit: usize) -> Result<Vec<u8>, hyper::Error> {
    let mut read = Vec::new();
    while let Some(frame) = body.frame().await {
        if let Ok(bytes) = frame?.into_data() {
            let room = limit - read.len();
            read.extend_from_slice(&bytes[..bytes.len().min(room)]);
            if bytes.len() >= room {
                break;
            }
        }
    }
    Ok(read)
}
