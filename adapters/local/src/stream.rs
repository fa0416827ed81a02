//! A connection's bytes, against a clock: headers that dribble in and answers that nobody takes end it.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// How far a connection is, counted up at the beginning and at the end of each request: odd while one is in hand.
#[derive(Debug, Default)]
pub(crate) struct Progress(AtomicU64);

impl Progress {
    /// Marks a request as in hand, until what is returned is dropped.
    pub(crate) fn begin(self: &Arc<Self>) -> InHand {
        self.0.fetch_add(1, Ordering::Relaxed);
        InHand(Arc::clone(self))
    }
}

/// A request in hand.
pub(crate) struct InHand(Arc<Progress>);

impl Drop for InHand {
    fn drop(&mut self) {
        self.0.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// A stream with a time limit on headers, from their first byte on, and on writes that make no progress.
///
/// How long nothing at all may come between two requests is hyper's to watch.
pub(crate) struct Timed<T> {
    stream: T,
    progress: Arc<Progress>,
    seen: u64,
    header_time: Duration,
    write_time: Duration,
    header: Option<Pin<Box<Sleep>>>,
    write: Option<Pin<Box<Sleep>>>,
}

impl<T> Timed<T> {
    /// The headers of the first request have their time from now on.
    pub(crate) fn new(
        stream: T,
        progress: Arc<Progress>,
        header_time: Duration,
        write_time: Duration,
    ) -> Self {
        let header = Some(Box::pin(sleep(header_time)));
        Self { stream, progress, seen: 0, header_time, write_time, header, write: None }
    }
}

/// Whether the time is up.
fn is_over(timer: &mut Option<Pin<Box<Sleep>>>, cx: &mut Context<'_>) -> bool {
    timer.as_mut().is_some_and(|timer| timer.as_mut().poll(cx).is_ready())
}

impl<T: AsyncRead + Unpin> AsyncRead for Timed<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let now = self.progress.0.load(Ordering::Relaxed);
        if now != self.seen {
            (self.seen, self.header) = (now, None);
        }
        let filled = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if now % 2 == 1 {
            return polled;
        }
        if polled.is_pending() {
            return if is_over(&mut self.header, cx) {
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            } else {
                Poll::Pending
            };
        }
        if buffer.filled().len() > filled && self.header.is_none() {
            self.header = Some(Box::pin(sleep(self.header_time)));
        }
        polled
    }
}

impl<T: AsyncWrite + Unpin> Timed<T> {
    /// Lets a write that makes no progress fail in time.
    fn timed<R>(
        &mut self,
        cx: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut T>, &mut Context<'_>) -> Poll<io::Result<R>>,
    ) -> Poll<io::Result<R>> {
        if let Poll::Ready(written) = write(Pin::new(&mut self.stream), cx) {
            self.write = None;
            return Poll::Ready(written);
        }
        let limit = self.write_time;
        self.write.get_or_insert_with(|| Box::pin(sleep(limit)));
        if is_over(&mut self.write, cx) {
            Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
        } else {
            Poll::Pending
        }
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Timed<T> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.timed(cx, |stream, cx| stream.poll_write(cx, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.timed(cx, |stream, cx| stream.poll_write_vectored(cx, slices))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.timed(cx, AsyncWrite::poll_flush)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.timed(cx, AsyncWrite::poll_shutdown))?;
        Poll::Ready(Ok(()))
    }
}
