//! Reading a body: no more of it than is wanted, no longer than is fair, and no more of all of them than there is room for.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use http::HeaderMap;
use http_body_util::BodyExt;
use hyper::body::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::waiting::{GIVING_WAY, Waiting};

/// Why there is no body to hand over.
pub(crate) enum NoBody {
    /// It is over the limit. The rest is here, not read.
    TooLarge(Body),
    /// It ended before its end.
    CutOff,
    /// It took too long.
    TooSlow,
    /// It had to make room for others. The rest is here, not read.
    GaveWay(Body),
}

/// The memory for the bodies of all the requests in hand, those that arrive and those of the calls that run.
///
/// A byte takes room when it has come, not when it is announced. What a call holds, it keeps; bodies that still arrive
/// give way, the one that has taken longest first.
#[derive(Debug)]
pub(crate) struct Room {
    bytes: Arc<Semaphore>,
    arriving: Arc<Waiting>,
}

/// The room that a body takes, until it is dropped.
pub(crate) type Taken = Option<OwnedSemaphorePermit>;

impl Room {
    /// Room for so many bodies of the largest size.
    pub(crate) fn for_bodies(number: usize, limit: usize) -> Self {
        // One at least: a body must never wait for what cannot be.
        let bytes = number.max(1).saturating_mul(limit).min(Semaphore::MAX_PERMITS);
        Self { bytes: Arc::new(Semaphore::new(bytes)), arriving: Arc::default() }
    }

    /// Lets the body that has been arriving longest give way. `false` when none is.
    pub(crate) fn ask(&self) -> bool {
        self.arriving.ask()
    }

    async fn take(&self, bytes: usize) -> Taken {
        // No frame comes near this: it was in a buffer.
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        loop {
            if let Ok(taken) = timeout(GIVING_WAY, Arc::clone(&self.bytes).acquire_many_owned(bytes)).await {
                // The semaphore is never closed.
                return taken.ok();
            }
            self.ask();
        }
    }

    /// Reads a body whole, up to a limit.
    pub(crate) async fn read(
        &self,
        mut body: Body,
        limit: usize,
        patience: Duration,
    ) -> Result<(Vec<u8>, Taken), NoBody> {
        let gives_way = self.arriving.join(self.arriving.ticket());
        let read = tokio::select! {
            read = timeout(patience, self.collect(&mut body, limit)) => read,
            () = gives_way => return Err(NoBody::GaveWay(body)),
        };
        match read {
            Ok(Ok(Some(read))) => Ok(read),
            Ok(Ok(None)) => Err(NoBody::TooLarge(body)),
            Ok(Err(_)) => Err(NoBody::CutOff),
            Err(_) => Err(NoBody::TooSlow),
        }
    }

    /// `None` when it is over the limit.
    async fn collect(&self, body: &mut Body, limit: usize) -> Result<Option<(Vec<u8>, Taken)>, axum::Error> {
        let (mut bytes, mut taken): (Vec<u8>, Taken) = (Vec::new(), None);
        while let Some(frame) = body.frame().await {
            // Trailers say nothing to us.
            let Ok(data) = frame?.into_data() else { continue };
            if data.len() > limit - bytes.len() {
                return Ok(None);
            }
            match (&mut taken, self.take(data.len()).await) {
                (Some(taken), Some(more)) => taken.merge(more),
                (taken, more) => *taken = more,
            }
            bytes.extend_from_slice(&data);
        }
        Ok(Some((bytes, taken)))
    }
}

/// Whether a body is said to be over the limit. What is said is believed only where it is too much.
pub(crate) fn is_over(body: &Body, limit: usize) -> bool {
    usize::try_from(body.size_hint().lower()).map_or(true, |least| least > limit)
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
