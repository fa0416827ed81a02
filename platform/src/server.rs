//! The API at an address, and the console.

use std::fmt;
use std::net::SocketAddr;

use axum::Router;
use tokio::net::TcpListener;

use crate::api::{Access, router};
use crate::console;
use crate::engine::Platform;

/// Why the API cannot be served.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// Others can reach the address, and nobody said that they may.
    NotLoopback(SocketAddr),
    /// Whoever reaches the address may ask, and everybody knows the key.
    ExampleKey,
    /// The operating system says no.
    Io(std::io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotLoopback(address) => write!(
                f,
                "{address} can be reached by others, and the stand-in is a development tool. Take an address of 127.0.0.1, or \
                 say that anyone may reach it."
            ),
            Self::ExampleKey => f.write_str(
                "Whoever reaches the stand-in may ask, and the public example key opens it: to a page in a browser of this \
                 machine too, under a name of its own. Set MEDIAN_KEY to a key of your own, or let only this machine ask \
                 (Access::Loopback).",
            ),
            Self::Io(error) => write!(f, "The address can't be used: {error}."),
        }
    }
}

impl std::error::Error for ServeError {}

/// The API, bound to its address.
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
    /// What the console's link ends with when its page does not open by itself.
    token: Option<String>,
}

impl fmt::Debug for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bound").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Bound {
    /// Binds the API and the console to an address; port 0 takes any that is free.
    ///
    /// # Errors
    ///
    /// [`ServeError`] says why not, and what to do.
    pub async fn with_console(
        platform: Platform,
        address: SocketAddr,
        access: Access,
    ) -> Result<Self, ServeError> {
        let token = (!console::opens_itself(&platform)).then(|| platform.console_token().to_owned());
        let console = console::router(&platform, access);
        let bound = Self::bind(platform, address, access, console).await?;
        Ok(Self { token, ..bound })
    }

    /// Binds the API to an address; port 0 takes any that is free. `more` are routes beside it that look after
    /// themselves; they have no fallback.
    ///
    /// # Errors
    ///
    /// [`ServeError`] says why not, and what to do.
    pub async fn bind(
        platform: Platform,
        address: SocketAddr,
        access: Access,
        more: Router,
    ) -> Result<Self, ServeError> {
        if access == Access::Loopback && !address.ip().to_canonical().is_loopback() {
            return Err(ServeError::NotLoopback(address));
        }
        let router = router(platform, access)?.merge(more);
        let listener = TcpListener::bind(address).await.map_err(ServeError::Io)?;
        let address = listener.local_addr().map_err(ServeError::Io)?;
        Ok(Self { listener, address, router, token: None })
    }

    /// Where it listens.
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Where it is, as a URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The link that opens the console. With a key of one's own it holds the token of this start, which does all that the
    /// key does: it is for the person who started the stand-in.
    pub fn console_url(&self) -> String {
        let token = self.token.as_ref().map(|token| format!("#token={token}")).unwrap_or_default();
        format!("{}/{token}", self.url())
    }

    /// Serves until `stop` is there. Listeners of events do not hold it up.
    ///
    /// # Errors
    ///
    /// [`ServeError::Io`].
    pub async fn serve_until(self, stop: impl Future<Output = ()>) -> Result<(), ServeError> {
        tokio::select! {
            served = async { axum::serve(self.listener, self.router).await } => served.map_err(ServeError::Io),
            () = stop => Ok(()),
        }
    }
}
