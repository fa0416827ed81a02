//! What a runtime lends to the endpoint: a clock, a timer, randomness, a log, and a way to survive a panic.

use alloc::string::String;
use core::fmt;

use crate::event::Event;
#[cfg(feature = "connect")]
use crate::fetch::{FetchError, FetchRequest, FetchResponse};
use crate::sendable::{BoxFuture, MaybeSend, MaybeSync};

/// A runtime, as the endpoint sees it. An adapter implements it; an application does not.
pub trait Host: MaybeSend + MaybeSync {
    /// Unix time in milliseconds.
    fn now_ms(&self) -> u64;

    /// Resolves after so many milliseconds.
    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()>;

    /// How many milliseconds the platform leaves this request, where it says so: a call is cut off before that.
    fn remaining_ms(&self) -> Option<u64> {
        None
    }

    /// Fills a buffer with random bytes that nobody can guess.
    ///
    /// # Errors
    ///
    /// When the platform has no randomness to give.
    fn random(&self, buffer: &mut [u8]) -> Result<(), NoRandomness>;

    /// Takes the event of one request, to log it.
    fn event(&self, event: &Event<'_>);

    /// Sends one request to somewhere else, and reads its answer. Without a client, as here, nothing is sent.
    #[cfg(feature = "connect")]
    #[cfg_attr(docsrs, doc(cfg(feature = "connect")))]
    fn fetch(&self, request: FetchRequest) -> BoxFuture<'static, Result<FetchResponse, FetchError>> {
        drop(request);
        alloc::boxed::Box::pin(core::future::ready(Err(FetchError::Unsupported)))
    }

    /// Does a piece of the application's own work, and survives a panic in it where the platform can. Where it cannot,
    /// as here, the panic goes on.
    ///
    /// # Errors
    ///
    /// The panic's message, for the log.
    fn contain(&self, work: &mut dyn FnMut()) -> Result<(), Panicked> {
        work();
        Ok(())
    }
}

/// The platform has no randomness to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRandomness;

impl fmt::Display for NoRandomness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the platform has no randomness to give")
    }
}

impl core::error::Error for NoRandomness {}

/// The application's code panicked; the message is for the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panicked(pub String);

/// [`Host::contain`] for hosts that unwind: catches a panic and gives its message.
///
/// # Errors
///
/// When the work panicked.
#[cfg(feature = "std")]
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
pub fn contain_unwind(work: &mut dyn FnMut()) -> Result<(), Panicked> {
    // What the work touches is a call's own future, which is dropped and never looked at again.
    std::panic::catch_unwind(core::panic::AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| String::from(*text));
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        // What a panic carries may panic in its turn when it is dropped.
        let _ = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| drop(payload)));
        Panicked(text.unwrap_or_else(|| String::from("a panic without a text")))
    })
}
