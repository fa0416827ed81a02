//! What the end-to-end tests share: requests to the byte, the runtimes that answer them, and the vectors.
//!
//! A suite that is written against [`Runtime`] runs on each of them; a new runtime joins [`runtimes`].

mod child;
mod crypto;
mod in_process;
mod lambda;
mod live;
mod local;
mod message;
mod platform;
mod program;
mod report;
mod served;
mod sign;
mod site;
mod stand_in;
mod tool;
mod traffic;
mod vector;
mod wire;
mod workerd;
mod workshop;

pub use child::{Child, Refused};
pub use crypto::{hex, hmac_sha256};
pub use in_process::{FixedHost, InProcess, block_on};
pub use lambda::{Emulated, Events, Lambda};
pub use live::{assert_failed, called_now, now_ms, proved, result};
pub use local::LocalServer;
pub use message::{Answer, Ask};
pub use platform::Platform;
pub use report::Report;
pub use served::Served;
pub use sign::{MOUNT, NOW_MS, call, called, signed, signed_at};
pub use site::site;
pub use stand_in::{Api, StandIn};
pub use tool::{Tool, ToolServer};
pub use traffic::{Kind, Seen, Traffic, resident_kib};
pub use vector::{
    KeyVector, KeysFile, MacFile, NavigationFile, NavigationVector, RequestVector, RequestsFile,
    SigningVector, read,
};
pub use wire::{Connection, Http};
pub use workerd::{Running, Workerd};
pub use workshop::{Workshop, workshop};

/// The variables that an application has, by name.
pub type Environment = std::collections::BTreeMap<String, String>;

/// Something that carries a request to an endpoint and its answer back.
pub trait Transport {
    /// Sends a request, and waits for its answer.
    ///
    /// # Errors
    ///
    /// Says why there is no answer.
    fn send(&self, ask: &Ask) -> Result<Answer, String>;
}

/// Something that the conformance application runs on.
pub trait Runtime {
    /// What reports call it.
    fn name(&self) -> &'static str;

    /// Why the runtime itself has an answer to a request, before any application sees it; nothing when it has none.
    fn keeps(&self, _ask: &Ask) -> Option<&'static str> {
        None
    }

    /// Why an error's message says more to a request than elsewhere; nothing when it does not.
    fn says_more(&self, _ask: &Ask) -> Option<&'static str> {
        None
    }

    /// Starts the application with an environment and a clock that stands still.
    ///
    /// # Errors
    ///
    /// Says why it does not start.
    fn start(&self, environment: &Environment, now_ms: u64) -> Result<Box<dyn Transport>, String>;
}

/// All the runtimes, the one that the others are compared with first.
pub fn runtimes() -> Vec<Box<dyn Runtime>> {
    let mut runtimes: Vec<Box<dyn Runtime>> = vec![Box::new(InProcess), Box::new(LocalServer)];
    match Workerd::conformance() {
        Some(workerd) => runtimes.push(Box::new(workerd)),
        None => println!("workerd is left out: `cargo xtask test --only worker` runs it"),
    }
    match (Lambda::conformance(), Lambda::conformance()) {
        (Some(url), Some(events)) => {
            runtimes.extend([Box::new(url) as Box<dyn Runtime>, Box::new(Events(events))]);
        }
        _ => println!("Lambda is left out: `cargo xtask test --only lambda` runs it"),
    }
    runtimes
}

/// The environment with the public example key.
pub fn local_key() -> Environment {
    [("MEDIAN_KEY".to_owned(), median_edge::key::LOCAL_KEY.to_owned())].into()
}
