//! The keys: those of the environment, or those of AWS's own stores.

mod extension;
mod secret;
mod stored;

use std::sync::Arc;

use median_edge::{Endpoint, Keys, MaybeSync, Request};

use crate::{Clock, LambdaHost, Lookup, log};
use secret::Reference;
use stored::Stored;

/// Where keys come from.
pub(crate) enum Source {
    /// They are here, for as long as the function runs.
    Given(Arc<Keys>),
    /// They are in one of AWS's stores, and may be others in a while.
    Stored(Stored),
}

const UNCLEAR: &str = "No request can be verified: the function's configuration names the key in a way that is not clear. Its \
    log says more.";

impl Source {
    /// Keys that the application gave, to us or to the endpoint.
    pub(crate) fn given(keys: Keys) -> Self {
        Self::Given(Arc::new(keys))
    }

    /// What the environment says.
    pub(crate) fn from_environment(lookup: Lookup, clock: Clock) -> Self {
        match Reference::read(&*lookup) {
            Ok(None) => Self::given(Keys::from_lookup(|name| lookup(name))),
            Ok(Some(reference)) => Self::Stored(Stored::new(reference, lookup, clock)),
            Err(problem) => {
                log::error(&format!("No request can be verified. {problem}"));
                Self::given(Keys::unavailable(UNCLEAR))
            }
        }
    }

    /// What is done at the cold start: nobody sees a function start, so what a server would refuse to start with is in its
    /// log.
    pub(crate) async fn start(&self) {
        match self {
            Self::Given(keys) => check(keys),
            Self::Stored(stored) => stored.start().await,
        }
    }

    /// The keys for a request. Those of a store are fetched anew when they are old, and when they do not fit the request.
    pub(crate) async fn of<S: MaybeSync + 'static>(
        &self,
        endpoint: &Endpoint<S>,
        request: &Request,
        host: &LambdaHost,
    ) -> Arc<Keys> {
        match self {
            Self::Given(keys) => Arc::clone(keys),
            Self::Stored(stored) => stored.fitting(endpoint, request, host).await,
        }
    }
}

/// Says in the log what is wrong with keys.
fn check(keys: &Keys) {
    if let Err(error) = keys.check() {
        log::error(&format!("No request can be verified. {error}"));
    }
    if keys.let_anyone_in() {
        log::error(
            "The public example key, which anyone can sign with, is among the keys: set your own, as docs/lambda.md says.",
        );
    }
}
