//! An endpoint before its cold start: what it is made of, and how it is run.

use std::fmt;
use std::future::Future;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use lambda_runtime::{Diagnostic, LambdaEvent, service_fn};
#[cfg(feature = "connect")]
use median_edge::ConnectSettings;
use median_edge::{Endpoint, Keys, MaybeSync};
use serde_json::value::RawValue;

use crate::event::EventError;
use crate::keys::Source;
use crate::own::Own;
use crate::state::State;
use crate::{Clock, Function, LambdaHost, Lookup, host, log};

/// An endpoint as a Lambda function, with its options.
///
/// ```no_run
/// use std::process::ExitCode;
///
/// use median_edge_lambda::{App, Endpoint, http};
///
/// # struct Shop;
/// # impl Shop {
/// #     async fn connect() -> Result<Self, std::io::Error> { Ok(Self) }
/// # }
/// fn main() -> ExitCode {
///     App::new(Endpoint::builder().build(), Shop::connect)
///         .fallback(async |_request, _shop| http::Response::new(b"the shop".to_vec()))
///         .run()
/// }
/// ```
#[must_use = "an app answers once it is run"]
pub struct App<S> {
    endpoint: Result<Endpoint<S>, String>,
    state: State<S>,
    keys: Option<Keys>,
    #[cfg(feature = "connect")]
    connect: Option<ConnectSettings>,
    own: Option<Own<S>>,
    lookup: Lookup,
    clock: Clock,
}

/// How long the cold start waits for the state: AWS gives it 10 seconds in all.
const START_LIMIT: Duration = Duration::from_secs(9);

/// What AWS, and each of its emulators, sets for a function.
const SET_BY_AWS: [&str; 4] = [
    "AWS_LAMBDA_RUNTIME_API",
    "AWS_LAMBDA_FUNCTION_NAME",
    "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
    "AWS_LAMBDA_FUNCTION_VERSION",
];

impl<S: MaybeSync + 'static> App<S> {
    /// An endpoint, with a state that `connect` makes: at the cold start, once for as long as the execution environment
    /// lives, which ends at any time.
    ///
    /// A cold start has 9 seconds for it. Where it fails, takes longer or panics, the log says why, and the next request
    /// that is at least a second later has it made again, so that an environment is not lost to a database that was away for
    /// a moment. Meanwhile requests are answered with 500 `invalid_config`, as they are when the endpoint could not be
    /// built.
    pub fn new<E, F, Fut, T>(endpoint: Result<Endpoint<S>, E>, connect: F) -> Self
    where
        E: fmt::Display,
        F: Fn() -> Fut + 'static,
        Fut: Future<Output = Result<S, T>> + 'static,
        T: fmt::Display,
    {
        Self::made(
            endpoint,
            State::new(move || {
                let connecting = connect();
                Box::pin(async { connecting.await.map_err(|error| error.to_string()) })
            }),
        )
    }

    pub(crate) fn made(endpoint: Result<Endpoint<S>, impl fmt::Display>, state: State<S>) -> Self {
        let endpoint = endpoint.map_err(|error| error.to_string());
        // What is not Unicode is a malformed key, not an absent one.
        let lookup = Rc::new(|name: &str| Some(std::env::var_os(name)?.to_string_lossy().into_owned()));
        Self {
            endpoint,
            state,
            keys: None,
            #[cfg(feature = "connect")]
            connect: None,
            own: None,
            lookup,
            clock: Rc::new(host::now_ms),
        }
    }

    /// The keys to verify with. Unless said, they are what the environment says: see [the crate's page](crate#keys). Keys
    /// that the endpoint was built with come before both.
    pub fn keys(mut self, keys: Keys) -> Self {
        self.keys = Some(keys);
        self
    }

    /// How the endpoint is connected to the platform. Unless said, the environment says it: `MEDIAN_API_URL` and
    /// `MEDIAN_PUBLIC_URL`.
    #[cfg(feature = "connect")]
    #[cfg_attr(docsrs, doc(cfg(feature = "connect")))]
    pub fn connect(mut self, settings: ConnectSettings) -> Self {
        self.connect = Some(settings);
        self
    }

    /// The application's own routes: what answers a request that is not the endpoint's. Without them it is answered with
    /// 404 `not_found`.
    ///
    /// The request's address has no host, and its path no stage. A response of UTF-8 without a `content-encoding` is passed
    /// on as text, any other in base64. One that panics is a 500, as is a response that is larger than AWS takes.
    pub fn fallback<F, Fut>(mut self, own: F) -> Self
    where
        F: Fn(http::Request<Vec<u8>>, Arc<S>) -> Fut + 'static,
        Fut: Future<Output = http::Response<Vec<u8>>> + 'static,
    {
        self.own = Some(Box::new(move |request, state| Box::pin(own(request, state))));
        self
    }

    /// The variables of the environment, from elsewhere.
    #[cfg(test)]
    pub(crate) fn environment(mut self, lookup: impl Fn(&str) -> Option<String> + 'static) -> Self {
        self.lookup = Rc::new(lookup);
        self
    }

    /// The clock by which times between invocations are counted, from elsewhere.
    #[cfg(test)]
    pub(crate) fn clock(mut self, clock: crate::Clock) -> Self {
        self.state.clock(Rc::clone(&clock));
        self.clock = clock;
        self
    }

    /// Runs the function until AWS ends it, on a tokio runtime of one thread.
    ///
    /// It subscribes a log to `tracing`, unless the application has subscribed one: see [the crate's page](crate#the-log).
    /// The exit code is that of a failure when this is no Lambda function, and when the Runtime API goes away.
    pub fn run(self) -> ExitCode {
        log::install(|name| (self.lookup)(name));
        let missing = SET_BY_AWS.into_iter().find(|name| (self.lookup)(name).is_none());
        if let Some(missing) = missing {
            log::error(&format!(
                "This program is an AWS Lambda function, and {missing} is not set, as it is there. Deploy it, or run it under \
                 an emulator: cargo lambda watch."
            ));
            return ExitCode::FAILURE;
        }
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => {
                log::error(&format!("The asynchronous runtime cannot be started. {error}"));
                return ExitCode::FAILURE;
            }
        };
        match runtime.block_on(self.serve()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                log::error(&format!("The Runtime API of AWS Lambda does not answer. {error}"));
                ExitCode::FAILURE
            }
        }
    }

    async fn serve(self) -> Result<(), lambda_runtime::Error> {
        let function = &self.start().await;
        lambda_runtime::run(service_fn(async move |event: LambdaEvent<Box<RawValue>>| {
            log::enter_request(&event.context.request_id);
            let host = LambdaHost::new(Some(event.context.deadline));
            function.answer(event.payload.get().as_bytes(), &host).await
        }))
        .await
    }

    /// The cold start: makes the state, looks at the keys, and says in the log what is wrong with either, or with the
    /// endpoint.
    pub async fn start(self) -> Function<S> {
        // There is no queue here yet.
        let with_jobs = |endpoint: &Endpoint<S>| endpoint.check_jobs(|_| false).map_err(|e| e.to_string());
        let built = self.endpoint.and_then(|endpoint| with_jobs(&endpoint).map(|()| endpoint));
        let endpoint =
            built.map_err(|error| log::error(&format!("The endpoint cannot be built. {error}"))).ok();
        #[cfg(feature = "connect")]
        let connect =
            self.connect.unwrap_or_else(|| ConnectSettings::from_lookup(|name| (self.lookup)(name)));
        let own_keys = endpoint.as_ref().and_then(Endpoint::keys);
        let keys = match own_keys.cloned().or(self.keys) {
            Some(keys) => Source::given(keys),
            None => Source::from_environment(self.lookup, self.clock),
        };
        if endpoint.is_some() {
            keys.start().await;
            self.state.get(START_LIMIT).await;
        }
        Function {
            endpoint,
            state: self.state,
            keys,
            #[cfg(feature = "connect")]
            connect,
            own: self.own,
        }
    }
}

/// As AWS shows it to whoever invoked the function.
impl From<EventError> for Diagnostic {
    fn from(error: EventError) -> Self {
        Self { error_type: "NoHttpRequest".to_owned(), error_message: error.to_string() }
    }
}

impl<S> fmt::Debug for App<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("App").field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}
