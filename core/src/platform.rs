//! What a runtime lends to the endpoint for one request.

use core::fmt;

#[cfg(feature = "connect")]
use crate::connect::ConnectSettings;
use crate::host::Host;
use crate::job::JobQueue;
use crate::key::Keys;

/// What a runtime lends for one request.
pub struct Platform<'a, S> {
    pub(crate) host: &'a dyn Host,
    pub(crate) keys: &'a Keys,
    pub(crate) state: &'a S,
    pub(crate) queue: Option<&'a dyn JobQueue>,
    pub(crate) health: bool,
    #[cfg(feature = "connect")]
    pub(crate) settings: Option<&'a ConnectSettings>,
}

impl<'a, S> Platform<'a, S> {
    /// The runtime, the keys that its environment gives, and the application's state.
    pub fn new(host: &'a dyn Host, keys: &'a Keys, state: &'a S) -> Self {
        Self {
            host,
            keys,
            state,
            queue: None,
            health: false,
            #[cfg(feature = "connect")]
            settings: None,
        }
    }

    /// What connecting needs to know of the environment. Without, no platform is known to connect to.
    #[cfg(feature = "connect")]
    #[cfg_attr(docsrs, doc(cfg(feature = "connect")))]
    #[must_use]
    pub fn with_connect(mut self, settings: &'a ConnectSettings) -> Self {
        self.settings = Some(settings);
        self
    }

    /// Lends the queue that tools enqueue jobs in.
    #[must_use]
    pub fn with_queue(mut self, queue: &'a dyn JobQueue) -> Self {
        self.queue = Some(queue);
        self
    }

    /// Answers `/healthz` too, as servers of ours do.
    #[must_use]
    pub fn with_health(mut self) -> Self {
        self.health = true;
        self
    }
}

impl<S> fmt::Debug for Platform<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Platform").field("health", &self.health).finish_non_exhaustive()
    }
}
