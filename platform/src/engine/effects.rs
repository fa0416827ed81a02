//! Carrying out what was decided, and taking back what comes of it.

use std::sync::{Arc, Weak};

use http::Method;
use median_edge::MedianKey;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::timeout;

use super::{Inner, Outgoing, Platform};
use crate::domain::{Alert, Answer, Effect, Problem, Verdict, VerdictKind};
use crate::store::real_ms;

/// The body of a diagnostics request.
const DIAGNOSTICS: &str = r#"{"op":"diagnostics"}"#;

/// Carries out effects as they come, each in a task of its own, until the stand-in ends.
pub(super) async fn carry_out(inner: Weak<Inner>, mut effects: UnboundedReceiver<Effect>) {
    while let Some(effect) = effects.recv().await {
        let Some(inner) = inner.upgrade() else { return };
        match effect {
            Effect::Event(event) => {
                // Nobody may be listening.
                let _ = inner.events.send(event);
            }
            // Whoever plays the agent sees it among the events.
            Effect::Wake { .. } => {}
            effect => {
                tokio::spawn(async move {
                    let platform = Platform(inner);
                    if let Err(problem) = platform.carry_out(effect).await {
                        // The records stay as they were: the hourly check, or a restart, takes it from there.
                        eprintln!("median-edge-platform: {problem}");
                    }
                });
            }
        }
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

    /// Sends a signed request. The signature always has the real time.
    async fn signed(
        &self,
        method: Method,
        endpoint: &str,
        url: &str,
        body: String,
        limit: std::time::Duration,
    ) -> Result<Answer, Problem> {
        let id = endpoint.to_owned();
        let own = self.run(move |desk| desk.own_key(&id)).await?;
        let secret = match own.as_deref().map(MedianKey::parse) {
            None => self.0.tool_secret.clone(),
            Some(Ok(key)) => key.tool_secret(),
            Some(Err(error)) => {
                return Ok(Answer::None { why: format!("The endpoint's own key can't be used: {error}") });
            }
        };
        let Ok(_permit) = self.0.on_their_way.acquire().await else {
            return Ok(Answer::None { why: "The stand-in is ending.".to_owned() });
        };
        let signature = Some(secret.sign(real_ms(), body.as_bytes()));
        let outgoing = Outgoing { method, url, signature, bearer: None, body };
        Ok(self.0.client.send(outgoing, limit).await)
    }

    async fn review(&self, approval: String) -> Result<(), Problem> {
        let id = approval.clone();
        let Some(case) = self.run(move |desk| desk.review_case(&id)).await? else { return Ok(()) };
        let reviewer = Arc::clone(&self.0.reviewer);
        let limit = self.0.limits.review;
        let verdict = timeout(limit, reviewer.review(&case)).await.unwrap_or_else(|_| Verdict {
            kind: VerdictKind::None,
            reason: format!("The reviewer gave no verdict within {} seconds.", limit.as_secs()),
        });
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
