//! The conformance application on the local server.

use conformance_app::{CLOCK_VARIABLE, endpoint};
use median_edge::Keys;
use median_edge_local::{LogFormat, Server};

use crate::{Answer, Ask, Child, Environment, Runtime, Served, Transport};

/// The program on this machine, over real connections.
///
/// It does not start without a usable key. What requests are answered with then is asked of the same routes in this
/// process, over real connections too.
#[derive(Debug)]
pub struct LocalServer;

impl Runtime for LocalServer {
    fn name(&self) -> &'static str {
        "local server"
    }

    fn start(&self, environment: &Environment, now_ms: u64) -> Result<Box<dyn Transport>, String> {
        let keys = Keys::from_lookup(|name| environment.get(name).cloned());
        let mut environment = environment.clone();
        environment.insert(CLOCK_VARIABLE.to_owned(), now_ms.to_string());
        match (Child::start(&environment), keys.check()) {
            (Ok(child), Ok(())) => Ok(Box::new(child)),
            (Err(refused), Err(error)) => {
                if refused.status.success() || !refused.message.contains(error.variable()) {
                    return Err(format!("ended without saying what is wrong: {refused:?}"));
                }
                let endpoint = endpoint(Some(now_ms)).map_err(|error| error.to_string())?;
                let routes = Server::new(endpoint, ()).keys(keys).log(LogFormat::Off).into_router();
                Ok(Box::new(Served::routes(routes)))
            }
            (Ok(_), Err(error)) => Err(format!("started all the same: {error}")),
            (Err(refused), Ok(())) => Err(format!("did not start: {refused:?}")),
        }
    }
}

impl Transport for Child {
    fn send(&self, ask: &Ask) -> Result<Answer, String> {
        self.http().send(ask)
    }
}

impl Transport for Served {
    fn send(&self, ask: &Ask) -> Result<Answer, String> {
        self.http().send(ask)
    }
}
