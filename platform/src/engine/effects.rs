//! Carrying out what was decided, and taking back what comes of it.

use std::sync::{Arc, OnceLock, Weak};

use http::Method;
use median_edge::MedianKey;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, broadcast};
use tokio::time::timeout;

use super::{Inner, Outgoing, Platform};
use crate::domain::{Alert, Answer, Effect, LogEvent, Problem, SigningKey, ToReview, Verdict, VerdictKind};
use crate::store::real_ms;

/// The body of a diagnostics request.
const DIAGNOSTICS: &str = r#"{"op":"diagnostics"}"#;
/// Why something is given up before it is sent.
const TOO_MANY: &str = "Too many requests are under way in the stand-in already, so this one was not sent.";

/// Takes effects from the store's thread, which never waits for it: each becomes a task, and there are only so many.
pub(super) struct Carrier {
    runtime: Handle,
    events: broadcast::Sender<LogEvent>,
    places: Arc<Semaphore>,
    platform: OnceLock<Weak<Inner>>,
}

impl Carrier {
    pub(super) fn new(runtime: Handle, events: broadcast::Sender<LogEvent>, places: usize) -> Self {
        Self { runtime, events, places: Arc::new(Semaphore::new(places)), platform: OnceLock::new() }
    }

    /// From here on there is somebody to carry effects out. No command is run before.
    pub(super) fn serve(&self, platform: Weak<Inner>) {
        let _ = self.platform.set(platform);
    }

    /// Carries an effect out, from now on and elsewhere.
    pub(super) fn take(&self, effect: Effect) {
        match effect {
            Effect::Event(event) => {
                // Nobody may be listening.
                let _ = self.events.send(event);
            }
            // Whoever plays the agent sees it among the events.
            Effect::Wake { .. } => {}
            effect => self.begin(effect),
        }
    }

    fn begin(&self, effect: Effect) {
        let Some(platform) = self.platform.get().cloned() else { return };
        let place = Arc::clone(&self.places).try_acquire_owned();
        // Without a place it is only told that it was given up, and what it would have sent is let go here.
        let effect = if place.is_ok() { effect } else { without_body(effect) };
        self.runtime.spawn(async move {
            // The store's thread must not be the last that holds the platform: its end waits for that thread.
            let Some(platform) = platform.upgrade().map(Platform) else { return };
            let done = match place {
                Ok(_place) => platform.carry_out(effect).await,
                Err(_) => platform.give_up(effect).await,
            };
            if let Err(problem) = done {
                // The records stay as they were: the hourly check, or a restart, takes it from there.
                eprintln!("median-edge-platform: {problem}");
            }
        });
    }
}

fn without_body(effect: Effect) -> Effect {
    match effect {
        Effect::Send { sent, endpoint, url, .. } => Effect::Send { sent, endpoint, url, body: String::new() },
        effect => effect,
    }
}

impl Platform {
    async fn carry_out(&self, effect: Effect) -> Result<(), Problem> {
        match effect {
            Effect::Sync { endpoint, url, attempt } => {
                let limit = self.0.limits.sync;
                let answer = self.signed(Method::GET, &endpoint, &url, String::new(), limit).await?;
                self.run(move |desk| desk.sync_answered(&endpoint, &attempt, &answer)).await
            }
            Effect::Send { sent, endpoint, url, body } => {
                let limit = self.0.limits.call;
                let answer = self.signed(Method::POST, &endpoint, &url, body, limit).await?;
                self.run(move |desk| desk.answered(&sent, &answer)).await
            }
            Effect::Diagnose { report, endpoint, url } => {
                let limit = self.0.limits.diagnostics;
                let answer =
                    self.signed(Method::POST, &endpoint, &url, DIAGNOSTICS.to_owned(), limit).await?;
                self.run(move |desk| desk.diagnosed(&report, &endpoint, &answer)).await
            }
            Effect::Review { approval } => self.review(approval).await,
            Effect::Deliver(alert) => self.deliver(alert).await,
            Effect::Wake { .. } | Effect::Event(_) => Ok(()),
        }
    }

    /// Tells whoever waits for an effect that nothing was sent.
    async fn give_up(&self, effect: Effect) -> Result<(), Problem> {
        let none = || Answer::None { why: TOO_MANY.to_owned() };
        match effect {
            Effect::Sync { endpoint, attempt, .. } => {
                self.run(move |desk| desk.sync_answered(&endpoint, &attempt, &none())).await
            }
            Effect::Send { sent, .. } => self.run(move |desk| desk.answered(&sent, &none())).await,
            Effect::Diagnose { report, endpoint, .. } => {
                self.run(move |desk| desk.diagnosed(&report, &endpoint, &none())).await
            }
            Effect::Review { approval } => {
                let verdict = Verdict { kind: VerdictKind::None, reason: TOO_MANY.to_owned() };
                self.run(move |desk| desk.verdict(&approval, &verdict)).await
            }
            Effect::Deliver(alert) => self.run(move |desk| desk.delivered(&alert.id, Some(TOO_MANY))).await,
            Effect::Wake { .. } | Effect::Event(_) => Ok(()),
        }
    }

    /// Sends a signed request. The signature always has the real time, and the key that the endpoint has when it is sent.
    pub(super) async fn signed(
        &self,
        method: Method,
        endpoint: &str,
        url: &str,
        body: String,
        limit: std::time::Duration,
    ) -> Result<Answer, Problem> {
        let none = |why: String| Ok(Answer::None { why });
        let Ok(_permit) = self.0.on_their_way.acquire().await else {
            return none("The stand-in is ending.".to_owned());
        };
        let id = endpoint.to_owned();
        let secret = match self.run(move |desk| desk.signing_key(&id)).await? {
            SigningKey::Organization => self.0.tool_secret.clone(),
            SigningKey::Own(key) => match MedianKey::parse(&key) {
                Ok(key) => key.tool_secret(),
                Err(error) => return none(format!("The endpoint's own key can't be used: {error}")),
            },
            SigningKey::None => {
                return none(
                    "The endpoint was removed before this was sent, so nothing was sent.".to_owned(),
                );
            }
        };
        let signature = Some(secret.sign(real_ms(), body.as_bytes()));
        let outgoing = Outgoing { method, url, signature, bearer: None, body };
        Ok(self.0.client.send(outgoing, limit).await)
    }

    async fn review(&self, approval: String) -> Result<(), Problem> {
        let id = approval.clone();
        let none = |reason: String| Verdict { kind: VerdictKind::None, reason };
        let verdict = match self.run(move |desk| desk.review_case(&id)).await? {
            ToReview::Nothing => return Ok(()),
            ToReview::TooLarge { bytes } => {
                none(format!("The case has {bytes} bytes, more than a reviewer reads."))
            }
            ToReview::Case(case) => {
                let reviewer = Arc::clone(&self.0.reviewer);
                let limit = self.0.limits.review;
                timeout(limit, reviewer.review(&case)).await.unwrap_or_else(|_| {
                    none(format!("The reviewer gave no verdict within {} seconds.", limit.as_secs()))
                })
            }
        };
        self.run(move |desk| desk.verdict(&approval, &verdict)).await
    }

    async fn deliver(&self, alert: Alert) -> Result<(), Problem> {
        let Some(url) = &self.0.webhook else { return Ok(()) };
        let body = serde_json::json!({ "type": "alert", "alert": alert }).to_string();
        let outgoing = Outgoing { method: Method::POST, url, signature: None, bearer: None, body };
        let problem = match self.0.client.send(outgoing, self.0.limits.webhook).await {
            Answer::Http { status, .. } if (200..300).contains(&status) => None,
            Answer::Http { status, .. } => Some(format!("it answered {status}")),
            Answer::None { why } => Some(why),
        };
        self.run(move |desk| desk.delivered(&alert.id, problem.as_deref())).await
    }
}
