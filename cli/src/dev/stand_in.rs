//! The stand-in for the platform, with its console.

use std::fmt::Write as _;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use median_edge::MedianKey;
use median_edge_platform::domain::{Endpoint, LogEvent, Problem, SyncState};
use median_edge_platform::reviewer::ChatReviewer;
use median_edge_platform::{Access, Bound, OpenError, Options, Place, Platform, ServeError};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::{PLATFORM_PORT, port_in_use};
use crate::curl;
use crate::failure::Failure;
use crate::keys::Signing;
use crate::platform::clash::Clash;
use crate::terminal;

/// A stand-in that has its address.
#[derive(Debug)]
pub(super) struct StandIn {
    platform: Platform,
    bound: Bound,
}

/// A stand-in that answers.
#[derive(Debug)]
pub(super) struct Serving {
    stop: oneshot::Sender<()>,
    served: JoinHandle<Result<(), ServeError>>,
}

/// An endpoint whose first sync is under way.
#[derive(Debug)]
pub(super) struct Connected {
    platform: Platform,
    endpoint: Endpoint,
    /// What the stand-in's words need to find it.
    api: String,
}

impl StandIn {
    /// On loopback, with the key that this command signs with.
    pub(super) async fn bind(port: u16, data: Option<&Path>, signing: &Signing) -> Result<Self, Failure> {
        let place = data.map_or(Place::Memory, |file| Place::File(file.to_owned()));
        let mut options = Options::new(organization(signing)?).place(place);
        if let Some(secret) = signing.keys.signer() {
            options = options.tool_secret(secret.clone());
        }
        if let Some(reviewer) = reviewer()? {
            options = options.reviewer(reviewer);
        }
        let platform = Platform::start(options).await.map_err(|error| not_opened(&error))?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let bound = Bound::with_console(platform.clone(), address, Access::Loopback).await;
        let bound = bound.map_err(|error| match error {
            ServeError::Io(error) if error.kind() == io::ErrorKind::AddrInUse => {
                port_in_use(port, "--platform-port", PLATFORM_PORT)
            }
            error => not_served(&error),
        })?;
        Ok(Self { platform, bound })
    }

    /// Where its API is.
    pub(super) fn url(&self) -> String {
        self.bound.url()
    }

    /// What `tools` and `logs` need to find it: nothing where they look for it anyway.
    pub(super) fn api_option(&self) -> String {
        match self.bound.local_addr().port() {
            PLATFORM_PORT => String::new(),
            _ => format!(" --api {}", self.url()),
        }
    }

    /// The link that opens its console.
    pub(super) fn console(&self) -> String {
        self.bound.console_url()
    }

    /// Connects somebody's own endpoint, and starts a sync of it.
    pub(super) async fn connect(&self, url: &str) -> Result<Connected, Failure> {
        let url = url.to_owned();
        let connected = self.platform.run(move |desk| desk.connect(&url, None)).await;
        self.connected(connected, "Give --endpoint the whole address, path included.")
    }

    /// Connects the demo in the place of the one before, and starts a sync of it.
    pub(super) async fn connect_demo(&self, url: &str) -> Result<Connected, Failure> {
        let url = url.to_owned();
        let connected = self.platform.run(move |desk| desk.connect_demo(&url)).await;
        self.connected(connected, "Start without --data, or with another file.")
    }

    fn connected(&self, connected: Result<Endpoint, Problem>, hint: &str) -> Result<Connected, Failure> {
        match connected {
            Ok(endpoint) => {
                Ok(Connected { platform: self.platform.clone(), endpoint, api: self.api_option() })
            }
            Err(problem) => Err(Failure::not_run("not_connected", problem.to_string()).hint(hint)),
        }
    }

    /// Answers from now on.
    pub(super) fn serve(self) -> Serving {
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(self.bound.serve_until(async { drop(stopped.await) }));
        Serving { stop, served }
    }
}

impl Serving {
    /// Answers no more.
    pub(super) async fn stop(self) -> Result<(), Failure> {
        let _ = self.stop.send(());
        match self.served.await {
            Ok(served) => served.map_err(|error| not_served(&error)),
            Err(error) => Err(Failure::not_run("not_started", format!("The stand-in failed: {error}."))),
        }
    }
}

impl Connected {
    /// Waits for the sync, and says beside the output what came of it.
    pub(super) async fn say_how_it_went(self) {
        let Self { platform, endpoint, api } = self;
        let (of, id) = (endpoint.id.clone(), endpoint.id);
        let is_about = move |event: &LogEvent| event.endpoint.as_ref() == Some(&of);
        let is_done = |endpoint: &Endpoint| !matches!(endpoint.sync, SyncState::Syncing { .. });
        let seen = platform.wait(is_about, move |desk| desk.endpoint(&id), is_done).await;
        let all = platform.run(|desk| desk.endpoints()).await.unwrap_or_default();
        match seen {
            Ok(endpoint) => terminal::note(&outcome(&endpoint, &all, &api)),
            Err(problem) => terminal::note(&problem.to_string()),
        }
    }
}

/// What came of a sync, and what to do when it failed.
fn outcome(endpoint: &Endpoint, all: &[Endpoint], api: &str) -> String {
    let (url, word, program) = (&endpoint.url, curl::word(&endpoint.url), curl::program());
    let command = |words: &str| format!("{program} {words}{api}");
    match &endpoint.sync {
        SyncState::Synced { .. } => {
            let tools = endpoint.tools().len();
            let s = if tools == 1 { "" } else { "s" };
            format!("The stand-in has synced {tools} tool{s} of {url}.")
        }
        SyncState::Failed { reasons, .. } => {
            let clash = Clash { of: endpoint, all, command: &command };
            let what = clash.way_out().unwrap_or_else(|| {
                format!(
                    "See to it with `{program} doctor {word}`, and sync it again in the console or with `{}`.",
                    command("tools sync")
                )
            });
            format!("{url} can't be synced: {} {what}", reasons.join(" "))
        }
        SyncState::Never | SyncState::Syncing { .. } => {
            format!("{url} is not synced yet: the console shows how that goes.")
        }
    }
}

/// The model that reviews, when the environment names one.
fn reviewer() -> Result<Option<ChatReviewer>, Failure> {
    let environment = |name: &str| Some(std::env::var_os(name)?.to_string_lossy().into_owned());
    ChatReviewer::from_lookup(environment)
        .map_err(|error| Failure::not_run("bad_reviewer", error.to_string()))
}

/// The organization's key. A tool signing secret alone is none: then it is one that nobody knows, and the console's link is
/// the way in. The public one would let in everybody on this machine, to an endpoint that is not everybody's.
fn organization(signing: &Signing) -> Result<MedianKey, Failure> {
    if let Some(key) = signing.keys.key() {
        return Ok(key.clone());
    }
    let failed = |why: String| Failure::not_run("no_randomness", format!("No key can be made: {why}."));
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| failed(error.to_string()))?;
    let mut key = "median_key_".to_owned();
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(key, "{byte:02x}");
    }
    MedianKey::parse(&key).map_err(|error| failed(error.to_string()))
}

fn not_opened(error: &OpenError) -> Failure {
    Failure::not_run("no_data", error.to_string())
        .hint("Name a file of its own with --data; without --data, everything is in memory.")
}

fn not_served(error: &ServeError) -> Failure {
    Failure::not_run("not_started", error.to_string())
}
