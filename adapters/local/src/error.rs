//! Why a server does not start, in words for whoever started it.

use std::fmt;
use std::io;
use std::net::SocketAddr;

use median_edge::ConfigError;
use median_edge::key::KeyError;

/// Why a server did not start. Shown, it says what is wrong and what to do.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// The key is missing or malformed, so that no request could be verified.
    Key(KeyError),
    /// The public example key is among the keys, and the address is not loopback: anyone could sign requests.
    PublicKey(SocketAddr),
    /// Another program has the port.
    PortInUse(SocketAddr),
    /// The address cannot be used for another reason.
    Bind {
        /// The address, when it was one.
        address: Option<SocketAddr>,
        /// The reason.
        error: io::Error,
    },
    /// A tool enqueues a job that is run nowhere, or a job cannot be run as it says.
    Jobs(ConfigError),
    /// The process cannot listen for SIGINT and SIGTERM.
    Signals(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(error) => write!(f, "the server does not start: {error}"),
            Self::PublicKey(address) => write!(
                f,
                "the server does not start: the public example key, which anyone can sign with, is among its keys, and {address} \
                 can be reached from other machines. Set MEDIAN_KEY to your own key and leave the example key out of \
                 MEDIAN_KEY_PREVIOUS too, or bind to 127.0.0.1."
            ),
            Self::PortInUse(address) => write!(
                f,
                "port {} is in use by another program (at {}). Stop that program, or choose another port; port 0 takes any \
                 that is free.",
                address.port(),
                address.ip()
            ),
            Self::Bind { address: Some(address), error }
                if error.kind() == io::ErrorKind::PermissionDenied =>
            {
                write!(
                    f,
                    "{address} can't be listened at: {error}. Ports below 1024 are often reserved: choose a higher one, and let a \
                 reverse proxy have the low one."
                )
            }
            Self::Bind { address: Some(address), error } => {
                write!(f, "{address} can't be listened at: {error}. Is it an address of this machine?")
            }
            Self::Bind { address: None, error } => write!(
                f,
                "the address can't be listened at: {error}. Give an IP address or a name of this machine, with a port, like \
                 127.0.0.1:8787."
            ),
            Self::Jobs(error) => {
                write!(f, "the server does not start: {error}\nServer::jobs takes what runs them.")
            }
            Self::Signals(error) => write!(f, "SIGINT and SIGTERM can't be listened for: {error}"),
        }
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Key(error) => Some(error),
            Self::Bind { error, .. } | Self::Signals(error) => Some(error),
            Self::Jobs(error) => Some(error),
            Self::PublicKey(_) | Self::PortInUse(_) => None,
        }
    }
}

impl StartError {
    /// Tells a port that is taken from other reasons.
    pub(crate) fn of_bind(address: Option<SocketAddr>, error: io::Error) -> Self {
        match address {
            Some(address) if error.kind() == io::ErrorKind::AddrInUse => Self::PortInUse(address),
            _ => Self::Bind { address, error },
        }
    }
}
