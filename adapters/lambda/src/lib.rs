//! AWS Lambda for a `median-edge` endpoint.

mod answer;
mod event;
mod host;

use std::fmt::Display;
use std::process::ExitCode;

use event::Incoming;
use lambda_runtime::{LambdaEvent, service_fn};
use median_edge::{Code, Fault, Keys, Platform, Response, Route};
use serde_json::value::RawValue;

pub use event::EventError;
pub use host::LambdaHost;
pub use median_edge::Endpoint;

/// Runs an endpoint as a Lambda function, with keys from the environment.
pub fn run<S: Send + Sync + 'static>(endpoint: Result<Endpoint<S>, impl Display>, state: S) -> ExitCode {
    let endpoint = endpoint.map_err(|error| eprintln!("The endpoint cannot be built. {error}")).ok();
    let keys = Keys::from_lookup(|name| Some(std::env::var_os(name)?.to_string_lossy().into_owned()));
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("The runtime cannot be started. {error}");
            return ExitCode::FAILURE;
        }
    };
    let (endpoint, keys, state) = (&endpoint, &keys, &state);
    let ran = runtime.block_on(lambda_runtime::run(service_fn(move |event: LambdaEvent<Box<RawValue>>| {
        answer(endpoint.as_ref(), keys, state, event)
    })));
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("The Runtime API does not answer. {error}");
            ExitCode::FAILURE
        }
    }
}

async fn answer<S: Send + Sync + 'static>(
    endpoint: Option<&Endpoint<S>>,
    keys: &Keys,
    state: &S,
    event: LambdaEvent<Box<RawValue>>,
) -> Result<Box<RawValue>, lambda_runtime::Error> {
    let incoming = Incoming::parse(event.payload.get().as_bytes())?;
    let front = incoming.front;
    let response = match endpoint {
        Some(endpoint) => {
            let path = match endpoint.route(&incoming.path) {
                Route::Endpoint => incoming.path.clone().into_owned(),
                _ => incoming.path_in_stage().to_owned(),
            };
            let host = LambdaHost::new(Some(event.context.deadline));
            endpoint.answer(&Platform::new(&host, keys, state), &incoming.into_request(path)).await
        }
        None => Response::from(&Fault::new(
            Code::InvalidConfig,
            "The endpoint cannot be built. Its log says what is wrong.",
        )),
    };
    Ok(answer::shape(front, &response)?)
}
