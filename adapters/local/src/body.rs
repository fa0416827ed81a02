//! Reading a body: no more of it than is wanted, and no longer than is fair.

use std::time::Duration;

use axum::body::{Body, HttpBody};
use http::HeaderMap;
use http_body_util::BodyExt;
use hyper::body::Bytes;
use tokio::time::timeout;

/// Why there is no body to hand over.
pub(crate) enum NoBody {
    /// It is over the limit. The rest is here, not read.
    TooLarge(Body),
    /// It ended before its end.
    CutOff,
    /// It took too long.
    TooSlow,
}

/// Reads a body whole, up to a limit. What `Content-Length` says is believed only where it says too much.
pub(crate) async fn read(mut body: Body, limit: usize, patience: Duration) -> Result<Vec<u8>, NoBody> {
    if usize::try_from(body.size_hint().lower()).map_or(true, |least| least > limit) {
        return Err(NoBody::TooLarge(body));
    }
    match timeout(patience, collect(&mut body, limit)).await {
        Ok(Ok(Some(bytes))) => Ok(bytes),
        Ok(Ok(None)) => Err(NoBody::TooLarge(body)),
        Ok(Err(_)) => Err(NoBody::CutOff),
        Err(_) => Err(NoBody::TooSlow),
    }
}

/// `None` when it is over the limit.
async fn collect(body: &mut Body, limit: usize) -> Result<Option<Vec<u8>>, axum::Error> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        // Trailers say nothing to us.
        let Ok(data) = frame?.into_data() else { continue };
        if data.len() > limit - bytes.len() {
            return Ok(None);
        }
        bytes.extend_from_slice(&data);
    }
    Ok(Some(bytes))
}

/// How much of a body that nobody wants is taken off the wire.
const DISCARDED_BYTES: usize = 8 * 1024 * 1024;
/// And for how long.
const DISCARDED_FOR: Duration = Duration::from_secs(2);

/// Takes some of an unwanted body off the wire and drops it, beside the answer: a client that is still sending when the
/// connection is closed would lose the answer with it.
pub(crate) fn discard(headers: &HeaderMap, mut body: Body) {
    // Nothing comes, or nothing comes until it is asked for.
    if body.is_end_stream() || headers.contains_key(http::header::EXPECT) {
        return;
    }
    tokio::spawn(timeout(DISCARDED_FOR, async move {
        let mut seen = 0;
        while let Some(Ok(frame)) = body.frame().await {
            seen += frame.data_ref().map_or(0, Bytes::len);
            if seen > DISCARDED_BYTES {
                return;
            }
        }
    }));
}
