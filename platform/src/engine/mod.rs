//! What does the I/O: signed requests, the reviewer, the clock.

mod client;
mod effects;
mod schedule;
#[cfg(test)]
mod tests;
mod waiting;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use median_edge::MedianKey;
use median_edge::key::{KeyError, ToolSecret};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, broadcast, watch};
use utoipa::ToSchema;

pub(crate) use client::{Client, Outgoing};

use effects::Carrier;

use crate::domain::{Desk, LogEvent, Problem, hex};
use crate::reviewer::{NoReviewer, Reviewer};
use crate::store::{OpenError, Outlet, Place, Store, open};

/// How many requests are on their way at once; more wait.
const ON_THEIR_WAY: usize = 128;
/// How many effects are carried out or wait to be. One more is given up at once, so that a silent endpoint fills no memory.
const UNDER_WAY: usize = 1024;
/// How many events a slow listener may be behind.
const EVENTS_KEPT: usize = 1024;

/// What a stand-in is started with.
pub struct Options {
    place: Place,
    key: MedianKey,
    tool_secret: Option<ToolSecret>,
    reviewer: Arc<dyn Reviewer>,
    webhook: Option<String>,
    limits: Limits,
}

/// How long is waited, on the real clock, and for how much.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) sync: Duration,
    pub(crate) diagnostics: Duration,
    pub(crate) call: Duration,
    pub(crate) review: Duration,
    pub(crate) webhook: Duration,
    /// How many effects are carried out or wait to be.
    pub(crate) under_way: usize,
}

impl Options {
    /// With the organization's key; in memory, without a reviewer and without a webhook.
    pub fn new(key: MedianKey) -> Self {
        let seconds = Duration::from_secs;
        let limits = Limits {
            sync: seconds(10),
            diagnostics: seconds(8),
            call: seconds(30),
            review: seconds(60),
            webhook: seconds(10),
            under_way: UNDER_WAY,
        };
        Self {
            place: Place::Memory,
            key,
            tool_secret: None,
            reviewer: Arc::new(NoReviewer),
            webhook: None,
            limits,
        }
    }

    /// Where the database is.
    #[must_use]
    pub fn place(mut self, place: Place) -> Self {
        self.place = place;
        self
    }

    /// The secret that requests are signed with, when it is not the one that follows from the key.
    #[must_use]
    pub fn tool_secret(mut self, secret: ToolSecret) -> Self {
        self.tool_secret = Some(secret);
        self
    }

    /// Who reviews.
    #[must_use]
    pub fn reviewer(mut self, reviewer: impl Reviewer + 'static) -> Self {
        self.reviewer = Arc::new(reviewer);
        self
    }

    /// How long the reviewer is waited for: 60 seconds unless said otherwise.
    #[must_use]
    pub fn review_limit(mut self, limit: Duration) -> Self {
        self.limits.review = limit;
        self
    }

    /// How long an endpoint may take to answer a call: 30 seconds unless said otherwise.
    #[must_use]
    pub fn call_limit(mut self, limit: Duration) -> Self {
        self.limits.call = limit;
        self
    }

    /// The address that alerts are posted to.
    #[must_use]
    pub fn webhook(mut self, url: impl Into<String>) -> Self {
        self.webhook = Some(url.into());
        self
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("place", &self.place)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// A stand-in that runs. It is one thing however often it is cloned, and ends with the last of its clones.
#[derive(Clone)]
pub struct Platform(Arc<Inner>);

impl fmt::Debug for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Platform(…)")
    }
}

struct Inner {
    store: Store,
    key: MedianKey,
    tool_secret: ToolSecret,
    console_token: String,
    reviewer: Arc<dyn Reviewer>,
    webhook: Option<String>,
    limits: Limits,
    client: Client,
    on_their_way: Semaphore,
    events: broadcast::Sender<LogEvent>,
}

/// What the identity route of an application answers, as the widget hands it on.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedIdentity {
    /// Who is signed in.
    pub visitor: SignedVisitor,
    /// Which key signed: `median_pk_…`.
    pub public_key: String,
    /// The signature over the visitor's id, in hex.
    pub signature: String,
}

/// The visitor of a signed identity.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SignedVisitor {
    /// The application's own id.
    pub id: String,
}

impl Platform {
    /// Opens the database, picks up what a run before left, and starts.
    ///
    /// # Errors
    ///
    /// When the database can't be opened.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime.
    pub async fn start(options: Options) -> Result<Self, OpenError> {
        let connection = open(&options.place)?;
        let (events, _) = broadcast::channel(EVENTS_KEPT);
        let carrier = Arc::new(Carrier::new(Handle::current(), events.clone(), options.limits.under_way));
        let (next_due_ms, due) = watch::channel(0);
        let outlet = Arc::clone(&carrier);
        let outlet = Outlet { effects: Box::new(move |effect| outlet.take(effect)), next_due_ms };
        let store = Store::start(connection, outlet)
            .map_err(|error| OpenError::Sqlite(format!("its thread can't be started: {error}")))?;
        let console_token = random_token()?;
        let tool_secret = options.tool_secret.unwrap_or_else(|| options.key.tool_secret());
        let platform = Self(Arc::new(Inner {
            store,
            key: options.key,
            tool_secret,
            console_token,
            reviewer: options.reviewer,
            webhook: options.webhook,
            limits: options.limits,
            client: Client::default(),
            on_their_way: Semaphore::new(ON_THEIR_WAY),
            events,
        }));
        carrier.serve(Arc::downgrade(&platform.0));
        let resumed = platform.run(|desk| desk.resume()).await;
        resumed.map_err(|problem| OpenError::Sqlite(problem.message().to_owned()))?;
        tokio::spawn(schedule::keep_time(Arc::downgrade(&platform.0), due));
        Ok(platform)
    }

    /// Runs a command. Its answer comes once what it decided is kept.
    ///
    /// # Errors
    ///
    /// The command's own, or [`Code::StorageFailed`](crate::domain::Code::StorageFailed).
    pub async fn run<T: Send + 'static>(
        &self,
        command: impl FnOnce(&mut Desk<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.0.store.run(command).await
    }

    /// Every event from now on.
    pub fn events(&self) -> broadcast::Receiver<LogEvent> {
        self.0.events.subscribe()
    }

    /// What the console's own requests carry, made anew at each start.
    pub(crate) fn console_token(&self) -> &str {
        &self.0.console_token
    }

    /// Whether a bearer is the organization's key or the console's token.
    pub(crate) fn lets_in(&self, bearer: &str) -> bool {
        let is_token = bearer.as_bytes().ct_eq(self.0.console_token.as_bytes());
        self.is_key(bearer) | bool::from(is_token)
    }

    /// Whether this is the organization's key. It takes as long for a wrong one.
    fn is_key(&self, text: &str) -> bool {
        // Two keys that sign alike are the same key, and the signatures are of one length.
        let sign = |key: &MedianKey| key.identity_secret().sign("bearer");
        match MedianKey::parse(text) {
            Ok(given) => sign(&given).as_bytes().ct_eq(sign(&self.0.key).as_bytes()).into(),
            Err(_) => false,
        }
    }

    /// Whether the organization's key is the public example.
    pub(crate) fn has_example_key(&self) -> bool {
        self.0.key.is_local()
    }

    /// The visitor's id, when the identity is signed with the organization's key or an endpoint's own.
    ///
    /// # Errors
    ///
    /// [`Code::StorageFailed`](crate::domain::Code::StorageFailed).
    pub async fn verify_identity(&self, identity: &SignedIdentity) -> Result<Option<String>, Problem> {
        let own = self.run(|desk| desk.own_keys()).await?;
        let own = own.iter().filter_map(|text| MedianKey::parse(text).ok());
        let signature = identity.signature.to_ascii_lowercase();
        let holds = |key: &MedianKey| -> bool {
            let expected = key.identity_secret().sign(&identity.visitor.id);
            key.public_half() == identity.public_key && expected.as_bytes().ct_eq(signature.as_bytes()).into()
        };
        let known = std::iter::once(self.0.key.clone()).chain(own).any(|key| holds(&key));
        Ok((known && !identity.visitor.id.trim().is_empty()).then(|| identity.visitor.id.clone()))
    }

    /// What the application's identity route would answer for this customer.
    pub(crate) fn sign_identity(&self, id: String) -> SignedIdentity {
        SignedIdentity {
            public_key: self.0.key.public_half(),
            signature: self.0.key.identity_secret().sign(&id),
            visitor: SignedVisitor { id },
        }
    }

    /// Reads a key as it is given for one endpoint.
    pub(crate) fn check_key(text: &str) -> Result<String, KeyError> {
        MedianKey::parse(text).map(|_| text.trim_ascii().to_owned())
    }
}

/// 64 hex digits that nobody can guess.
fn random_token() -> Result<String, OpenError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| OpenError::Sqlite(format!("there are no random numbers: {error}")))?;
    Ok(hex(&bytes))
}
