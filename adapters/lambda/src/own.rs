//! The application's own routes, beside the endpoint.

use std::sync::Arc;

use median_edge::{Code, Fault};

use crate::contain::{LocalFuture, contained};
use crate::event::{Incoming, Unreadable};
use crate::log;

/// The application's own routes: a request and the state, for a response.
pub(crate) type Own<S> = Box<dyn Fn(http::Request<Vec<u8>>, Arc<S>) -> LocalFuture<http::Response<Vec<u8>>>>;

/// Lets the application answer a request, or says why it could not.
pub(crate) async fn answer<S>(
    own: &Own<S>,
    incoming: Incoming<'_>,
    state: Arc<S>,
) -> Result<http::Response<Vec<u8>>, Fault> {
    let request = incoming.into_http().map_err(|unreadable| match unreadable {
        Unreadable::Head => {
            Fault::new(Code::NotFound, "Nothing is here: the request's method, address or headers are none.")
        }
        Unreadable::Body(why) => Fault::new(Code::InvalidBody, why),
    })?;
    Ok(contained(|| own(request, state)).await.unwrap_or_else(|panicked| {
        log::error(&format!("one of the application's own routes panicked: {}", panicked.0));
        plain_error("This did not work. The log says why.")
    }))
}

/// A 500 of plain text.
pub(crate) fn plain_error(message: &str) -> http::Response<Vec<u8>> {
    let mut response = http::Response::new(message.as_bytes().to_vec());
    *response.status_mut() = http::StatusCode::INTERNAL_SERVER_ERROR;
    let plain = http::HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(http::header::CONTENT_TYPE, plain);
    response
}
