//! An endpoint after its cold start: an event in, what AWS makes a response of out.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use median_edge::{Code, Endpoint, Fault, MaybeSync, Platform, Response, Route};
use serde_json::value::RawValue;

use crate::answer::{Answer, TooLarge};
use crate::event::{EventError, Front, Incoming};
use crate::keys::Source;
use crate::own::{self, Own, plain_error};
use crate::state::State;
use crate::{LambdaHost, log};

/// An endpoint that has had its cold start. [`App::run`](crate::App::run) makes one by itself; it is public for tests that
/// feed it events, and for those who run it on `lambda_runtime` themselves.
pub struct Function<S> {
    /// Nothing when it could not be built: each request is told so.
    pub(crate) endpoint: Option<Endpoint<S>>,
    pub(crate) state: State<S>,
    pub(crate) keys: Source,
    #[cfg(feature = "connect")]
    pub(crate) connect: median_edge::ConnectSettings,
    pub(crate) own: Option<Own<S>>,
}

/// How long a request waits for the state to be made.
const STATE_LIMIT: Duration = Duration::from_secs(10);

const NOT_BUILT: &str = "The endpoint cannot be built. Its log says what is wrong.";
const NO_STATE: &str = "What the endpoint's tools work on cannot be reached. Its log says what is wrong.";

impl<S: MaybeSync + 'static> Function<S> {
    /// Answers an event: one at a time, as AWS gives them.
    ///
    /// # Errors
    ///
    /// When the event is no HTTP request. Whatever is wrong with one that is, the answer says.
    pub async fn answer(&self, event: &[u8], host: &LambdaHost) -> Result<Box<RawValue>, EventError> {
        let incoming = Incoming::parse(event)?;
        let front = incoming.front;
        let Some(endpoint) = &self.endpoint else {
            return respond(front, &Response::from(&Fault::new(Code::InvalidConfig, NOT_BUILT)));
        };
        let Some(state) = self.state.get(host.at_most(STATE_LIMIT)).await else {
            return respond(front, &Response::from(&Fault::new(Code::InvalidConfig, NO_STATE)));
        };
        match &self.own {
            Some(own) if !claims(endpoint, &incoming) => respond_own(own, incoming, state).await,
            _ => {
                let request = incoming.into_request(endpoint);
                let keys = self.keys.of(endpoint, &request, host).await;
                let platform = Platform::new(host, &keys, &*state);
                #[cfg(feature = "connect")]
                let platform = platform.with_connect(&self.connect);
                respond(front, &endpoint.answer(&platform, &request).await)
            }
        }
    }
}

/// Whether a request is the endpoint's, and not for the application's own routes.
fn claims<S>(endpoint: &Endpoint<S>, incoming: &Incoming<'_>) -> bool {
    match endpoint.route(incoming.path_for(endpoint)) {
        Route::Endpoint | Route::Identity | Route::ApplicationManifest => true,
        Route::Health => endpoint.mount() == "/",
        _ => false,
    }
}

fn respond(front: Front, response: &Response) -> Result<Box<RawValue>, EventError> {
    let written = Answer::from(response).write(front)?;
    written.or_else(|TooLarge { bytes, limit }| {
        log::error(&format!("An answer of {bytes} bytes cannot be sent: {limit} are what AWS takes."));
        let message = format!(
            "The tool ran, and its answer cannot be sent: it has {bytes} bytes as AWS Lambda counts them, and {limit} is the \
             most. Let the tool return less: the agent reads the first 4,000 characters."
        );
        let response = Response::from(&Fault::new(Code::ExecutionFailed, message));
        Answer::from(&response).write(front)?.map_err(|still| EventError::new(still.bytes))
    })
}

async fn respond_own<S>(
    own: &Own<S>,
    incoming: Incoming<'_>,
    state: Arc<S>,
) -> Result<Box<RawValue>, EventError> {
    let front = incoming.front;
    let response = match own::answer(own, incoming, state).await {
        Ok(response) => response,
        Err(fault) => return respond(front, &Response::from(&fault)),
    };
    let written = Answer::from(&response).write(front)?;
    written.or_else(|TooLarge { bytes, limit }| {
        log::error(&format!(
            "A response of one of the application's own routes has {bytes} bytes: {limit} are what AWS takes."
        ));
        let response = plain_error("The response is larger than AWS Lambda takes.");
        Answer::from(&response).write(front)?.map_err(|still| EventError::new(still.bytes))
    })
}

impl<S> fmt::Debug for Function<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}
