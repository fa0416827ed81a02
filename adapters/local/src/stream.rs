//! A connection's bytes, against a clock and against others: headers that dribble in and answers that nobody takes end it,
//! and while it waits for its client it can be asked to give way.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Sleep, sleep};

use crate::waiting::{Waiter, Waiting};

/// How far a connection is, counted up at the beginning and at the end of each request: odd while one is in hand.
#[derive(Debug, Default)]
pub(crate) struct Progress(AtomicU64);

impl Progress {
    /// Marks a request as in hand, until what is returned is dropped.
    pub(crate) fn begin(self: &Arc<Self>) -> InHand {
        self.0.fetch_add(1, Ordering::Relaxed);
        InHand(Some(Arc::clone(self)))
    }
}

/// A request in hand.
pub(crate) struct InHand(Option<Arc<Progress>>);

impl InHand {
    /// Leaves the request in hand for as long as its connection lasts, which speaks another protocol from here on.
    pub(crate) fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for InHand {
    fn drop(&mut self) {
        if let Some(progress) = &self.0 {
            progress.0.fetch_add(1, Ordering::Relaxed);
        }
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
    /// Its place among the connections. Given back before its waiter has gone, which would let another be asked.
    _place: OwnedSemaphorePermit,
    /// The connections that wait for their clients, to be one of them.
    all: Arc<Waiting>,
    /// Since when there is no request, as a place in their order.
    ticket: Option<u64>,
    waiter: Option<Waiter>,
}

impl<T> Timed<T> {
    /// The headers of the first request have their time from now on.
    pub(crate) fn new(
        stream: T,
        progress: Arc<Progress>,
        (all, place): (Arc<Waiting>, OwnedSemaphorePermit),
        (header_time, write_time): (Duration, Duration),
    ) -> Self {
        let header = Some(Box::pin(sleep(header_time)));
        let (write, ticket, waiter) = (None, None, None);
        Self {
            stream,
            progress,
            seen: 0,
            header_time,
            write_time,
            header,
            write,
            _place: place,
            all,
            ticket,
            waiter,
        }
    }

    /// Waits for the client, after those that wait already, and after its own earlier bytes of the same request. Ready
    /// when it has to give way.
    fn wait(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let all = &self.all;
        let ticket = *self.ticket.get_or_insert_with(|| all.ticket());
        let waiter = self.waiter.get_or_insert_with(|| all.join(ticket));
        Pin::new(waiter).poll(cx)
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
            (self.ticket, self.waiter) = (None, None);
        }
        let filled = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if now % 2 == 1 {
            return polled;
        }
        if polled.is_pending() {
            // While its answer is still on the way, it waits for nothing.
            if self.write.is_none() && self.wait(cx).is_ready() {
                return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
            }
            return if is_over(&mut self.header, cx) {
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            } else {
                Poll::Pending
            };
        }
        // It may be all of a request: nothing more may be read until that is answered.
        self.waiter = None;
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
        self.waiter = None;
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
