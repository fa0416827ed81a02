//! Waiting for what an endpoint answers.

use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use tokio::time::timeout;

use super::Platform;
use crate::domain::limits::WAIT_SECONDS;
use crate::domain::{Desk, LogEvent, Problem};

impl Platform {
    /// Looks at something until it is done, each time an event is about it, and gives it as it then is. It gives up after
    /// 40 seconds.
    ///
    /// # Errors
    ///
    /// What looking at it gives.
    pub async fn wait<T: Send + 'static>(
        &self,
        is_about: impl Fn(&LogEvent) -> bool,
        look: impl Fn(&mut Desk<'_>) -> Result<T, Problem> + Clone + Send + 'static,
        is_done: impl Fn(&T) -> bool,
    ) -> Result<T, Problem> {
        // Listening begins before looking, so that nothing is missed between the two.
        let mut events = self.events();
        let done = async {
            loop {
                let seen = self.run(look.clone()).await?;
                if is_done(&seen) {
                    return Ok(seen);
                }
                loop {
                    match events.recv().await {
                        Ok(event) if is_about(&event) => break,
                        Ok(_) => {}
                        Err(RecvError::Lagged(_)) => break,
                        Err(RecvError::Closed) => return Ok(seen),
                    }
                }
            }
        };
        match timeout(Duration::from_secs(WAIT_SECONDS), done).await {
            Ok(result) => result,
            Err(_) => self.run(look.clone()).await,
        }
    }
}
