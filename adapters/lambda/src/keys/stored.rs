//! Keys out of a store: fetched, kept for a while, and fetched anew when they do not fit.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Duration;

use median_edge::{Endpoint, Keys, MaybeSync, Request};
use tokio::time::{sleep, timeout};
use zeroize::Zeroizing;

use super::check;
use super::extension::{Extension, Failure};
use super::secret::{self, Reference};
use crate::{Clock, LambdaHost, Lookup, log};

/// How long keys are taken for current, in milliseconds. The extension has a time of its own on top of it.
const FRESH_MS: u64 = 60_000;
/// How long after a fetch a signature that does not fit leads to no other: strangers can send those.
const BETWEEN_MS: u64 = 10_000;
/// How long after a fetch that failed there is no other.
const PAUSE_MS: u64 = 1_000;

/// How long the first request of all waits for keys, attempt after attempt: the extension starts with the function.
const AT_FIRST: Duration = Duration::from_secs(4);
/// How long an attempt may take at any other time.
const LATER: Duration = Duration::from_secs(2);
/// How long it is between two attempts.
const ATTEMPTS: Duration = Duration::from_millis(100);

const AWAY: &str = "No request can be verified: the key cannot be fetched from where AWS keeps it. The function's log says why.";

/// Keys that one of AWS's stores holds.
pub(crate) struct Stored {
    reference: Reference,
    lookup: Lookup,
    clock: Clock,
    current: RefCell<Current>,
    /// When it was last tried, and whether it worked.
    tried: Cell<Option<(u64, bool)>>,
}

/// Whether one that fails for a passing reason is the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attempts {
    One,
    Several,
}

struct Current {
    keys: Arc<Keys>,
    /// The text that they were made of. `None` before the first.
    text: Option<Zeroizing<String>>,
}

impl Stored {
    pub(super) fn new(reference: Reference, lookup: Lookup, clock: Clock) -> Self {
        let current = Current { keys: Arc::new(Keys::unavailable(AWAY)), text: None };
        Self { reference, lookup, clock, current: RefCell::new(current), tried: Cell::new(None) }
    }

    /// Fetches the keys at the cold start, if the extension is up by then. It is not waited for: it may be so only once there
    /// is a request.
    pub(super) async fn start(&self) {
        if let Err(failure) = self.fetch(LATER, Attempts::One).await {
            let message = self.complaint(&failure, "The first request will try again.");
            if failure.passing {
                log::debug(&message);
            } else {
                log::warn(&message);
            }
            self.tried.set(None);
        }
    }

    /// The keys for a request.
    pub(super) async fn fitting<S: MaybeSync + 'static>(
        &self,
        endpoint: &Endpoint<S>,
        request: &Request,
        host: &LambdaHost,
    ) -> Arc<Keys> {
        let fresh_for = match self.tried.get() {
            Some((_, true)) => FRESH_MS,
            _ => PAUSE_MS,
        };
        if self.is_older_than(fresh_for) {
            self.refresh(host).await;
        }
        let keys = self.keys();
        let fits = !endpoint.fits_no_key(host, &keys, request);
        if fits || !self.is_older_than(BETWEEN_MS) {
            return keys;
        }
        self.refresh(host).await;
        self.keys()
    }

    fn keys(&self) -> Arc<Keys> {
        Arc::clone(&self.current.borrow().keys)
    }

    fn is_older_than(&self, age_ms: u64) -> bool {
        self.tried.get().is_none_or(|(at_ms, _)| (self.clock)().abs_diff(at_ms) >= age_ms)
    }

    async fn refresh(&self, host: &LambdaHost) {
        let (enough, attempts) = match self.tried.get() {
            None => (AT_FIRST, Attempts::Several),
            Some(_) => (LATER, Attempts::One),
        };
        if let Err(failure) = self.fetch(host.at_most(enough), attempts).await {
            let kept = self.current.borrow().text.is_some();
            let then = if kept { "The keys stay as they are." } else { "No request can be verified." };
            log::error(&self.complaint(&failure, then));
        }
    }

    fn complaint(&self, failure: &Failure, then: &str) -> String {
        let (reference, why) = (&self.reference, &failure.why);
        format!("The key cannot be fetched from {reference}: {why}. {then}")
    }

    async fn fetch(&self, limit: Duration, attempts: Attempts) -> Result<(), Failure> {
        let fetched = self.text(limit, attempts).await.and_then(|text| self.take(text));
        self.tried.set(Some(((self.clock)(), fetched.is_ok())));
        fetched
    }

    /// The secret's text, as it is now.
    async fn text(&self, limit: Duration, attempts: Attempts) -> Result<Zeroizing<String>, Failure> {
        let extension = Extension::read(&*self.lookup)?;
        let path = self.reference.path();
        let mut last = Failure::lasting("there is no time left to ask the extension");
        let trying = async {
            loop {
                match extension.get(&path, limit).await {
                    Ok(answer) => {
                        let answer = Zeroizing::new(answer);
                        return self.reference.text_in(&answer).map_err(Failure::lasting);
                    }
                    Err(failure) if failure.passing && attempts == Attempts::Several => last = failure,
                    Err(failure) => return Err(failure),
                }
                sleep(ATTEMPTS).await;
            }
        };
        match timeout(limit, trying).await {
            Ok(done) => done,
            Err(_) => Err(last),
        }
    }

    /// Takes a secret's text for the keys. What it does not name, the environment may.
    fn take(&self, text: Zeroizing<String>) -> Result<(), Failure> {
        if self.current.borrow().text.as_ref() == Some(&text) {
            return Ok(());
        }
        let variables = secret::variables(&text).map_err(Failure::lasting)?;
        let keys = Keys::from_lookup(|name| {
            let stored = variables.iter().find(|(variable, _)| *variable == name);
            stored.map(|(_, value)| value.to_string()).or_else(|| (self.lookup)(name))
        });
        check(&keys);
        *self.current.borrow_mut() = Current { keys: Arc::new(keys), text: Some(text) };
        Ok(())
    }
}

#[cfg(test)]
mod tests;
