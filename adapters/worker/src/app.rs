//! An endpoint in an isolate: built once, asked many times.

use std::borrow::Borrow;
use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

use median_edge::event::Level;
use median_edge::{Code, Endpoint, Fault, Host, Keys, MaybeSync, Method, Platform, Request, Response, Route};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::Closure;

use crate::boundary::{self, Take};
use crate::headers::Kinds;
use crate::host::WorkerHost;
use crate::{Env, Error, keys, log, promise};

#[cfg(feature = "connect")]
use median_edge::ConnectSettings;

/// What the tools work on, however it is held.
type Held<S> = Box<dyn Borrow<S>>;
/// Builds the endpoint, or says why not.
type Build<S> = Box<dyn Fn(&Env) -> Result<Endpoint<S>, String>>;
/// Makes the state of a request.
type Make<S> = Rc<dyn Fn(&Env) -> Result<Held<S>, Error>>;

/// An endpoint, and how the application's state is made for a request. Keep it in a `thread_local!`.
///
/// Nothing is built before the first request: a Worker has no environment, no clock and no randomness before that.
pub struct App<S: 'static> {
    build: Build<S>,
    state: Make<S>,
    ready: OnceCell<Ready<S>>,
}

/// What the first request leaves for the others.
struct Ready<S: 'static> {
    /// Whose path a request is sent to is only asked where the Worker is shared.
    #[cfg_attr(not(feature = "bindings"), allow(dead_code))]
    inner: Rc<Inner<S>>,
    /// Keeps what `entrance` calls.
    _take: Take,
    entrance: JsValue,
}

struct Inner<S: 'static> {
    /// Nothing when it could not be built: each request is told so.
    endpoint: Option<Endpoint<S>>,
    state: Make<S>,
    keys: keys::Current,
    host: WorkerHost,
    kinds: Kinds,
}

/// A request, as it was read.
struct Parts {
    method: String,
    path: String,
    headers: [Option<String>; 2],
    body: Option<Vec<u8>>,
    cut_off: bool,
    /// The request itself, of a `GET`.
    whole: JsValue,
}

/// All that a call takes.
struct Begun<S> {
    request: Request,
    keys: Rc<Keys>,
    state: Held<S>,
    #[cfg(feature = "connect")]
    settings: ConnectSettings,
}

impl<S: MaybeSync + 'static> App<S> {
    /// An endpoint that `build` makes once in each isolate, with a state that `state` makes for each request.
    ///
    /// The state holds what the environment binds (a KV namespace, a database), so it belongs to one request: give the
    /// state itself. One that lives as long as the isolate is given as an `Rc` of it; an isolate ends at any time.
    ///
    /// A build that fails is answered with `invalid_config`, as is a state that cannot be made. The log says why.
    pub fn new<E, T>(
        build: impl Fn(&Env) -> Result<Endpoint<S>, E> + 'static,
        state: impl Fn(&Env) -> Result<T, Error> + 'static,
    ) -> Self
    where
        E: fmt::Display,
        T: Borrow<S> + 'static,
    {
        Self {
            build: Box::new(move |env| build(env).map_err(|error| error.to_string())),
            state: Rc::new(move |env| state(env).map(|state| Box::new(state) as Held<S>)),
            ready: OnceCell::new(),
        }
    }

    /// Whether a path is the endpoint's: not so are those of the application's own routes.
    #[cfg(feature = "bindings")]
    pub(crate) fn claims(&self, env: &Env, path: &str) -> bool {
        let endpoint = self.ready(env).inner.endpoint.as_ref();
        endpoint.is_none_or(|endpoint| match endpoint.route(path) {
            Route::Endpoint | Route::Identity | Route::ApplicationManifest => true,
            Route::Health => endpoint.mount() == "/",
            _ => false,
        })
    }

    /// Answers a request: with a response, or with a promise of one.
    #[cfg(feature = "bindings")]
    pub(crate) fn serve(&self, request: &JsValue, env: &Env, context: &JsValue) -> Result<JsValue, JsValue> {
        boundary::receive(request, env, context, &self.ready(env).entrance)
    }

    /// The same for the Worker's own `fetch`, which it may share with routes of the application's own.
    pub(crate) fn serve_first(
        &self,
        request: &JsValue,
        env: &Env,
        context: &JsValue,
        shared: bool,
    ) -> Result<JsValue, JsValue> {
        boundary::receive_first(request, env, context, &self.ready(env).entrance, shared)
    }

    fn ready(&self, env: &Env) -> &Ready<S> {
        self.ready.get_or_init(|| {
            // There is no queue here yet.
            let with_jobs =
                |endpoint: &Endpoint<S>| endpoint.check_jobs(|_| false).map_err(|e| e.to_string());
            let built = (self.build)(env).and_then(|endpoint| with_jobs(&endpoint).map(|()| endpoint));
            let endpoint = built.map_err(|error| {
                log::note(Level::Error, &format!("The endpoint cannot be built. {error}"));
            });
            let inner = Rc::new(Inner {
                endpoint: endpoint.ok(),
                state: Rc::clone(&self.state),
                keys: keys::Current::new(),
                host: WorkerHost::new(),
                kinds: Kinds::default(),
            });
            let answering = Rc::clone(&inner);
            let take: Take = Closure::new(move |method, path, first, second, body, cut_off, env, whole| {
                let parts = Parts { method, path, headers: [first, second], body, cut_off, whole };
                Inner::answer(&answering, parts, &env)
            });
            #[allow(clippy::cast_precision_loss)]
            // JavaScript has no other numbers, and no body is that long.
            let limit = inner.endpoint.as_ref().map_or(0, Endpoint::body_limit) as f64;
            let [first, second] = Request::HEADERS;
            let entrance = boundary::entrance(take.as_ref(), limit, first, second, &wasm_bindgen::exports());
            Ready { inner, _take: take, entrance }
        })
    }
}

impl<S: MaybeSync + 'static> Inner<S> {
    fn answer(this: &Rc<Self>, parts: Parts, env: &Env) -> JsValue {
        match this.begin(parts, env) {
            Err(fault) => this.respond(&Response::from(&fault)),
            Ok(begun) => {
                let this = Rc::clone(this);
                promise::or_value(async move {
                    // It was built, since the call began.
                    let Some(endpoint) = &this.endpoint else { return JsValue::UNDEFINED };
                    let platform = Platform::new(&this.host, &begun.keys, (*begun.state).borrow());
                    #[cfg(feature = "connect")]
                    let platform = platform.with_connect(&begun.settings);
                    this.respond(&endpoint.answer(&platform, &begun.request).await)
                })
            }
        }
    }

    /// All that a call takes, or why there is none.
    fn begin(&self, parts: Parts, env: &Env) -> Result<Begun<S>, Fault> {
        let Some(endpoint) = &self.endpoint else {
            return Err(Fault::new(Code::InvalidConfig, NOT_BUILT));
        };
        if parts.cut_off {
            log::note(Level::Warn, "a request's body was cut off");
            return Err(Fault::new(Code::InvalidBody, "The body was cut off before its end."));
        }
        Ok(Begun {
            keys: self.keys.of(env, endpoint.keys()),
            state: self.state(env)?,
            #[cfg(feature = "connect")]
            settings: parts.settings(env),
            request: parts.into_request(endpoint),
        })
    }

    #[allow(clippy::implicit_clone)] // Without `worker`, the error is a text already.
    fn state(&self, env: &Env) -> Result<Held<S>, Fault> {
        let mut made = None;
        let contained = self.host.contain(&mut || made = Some((self.state)(env)));
        let problem = match (contained, made) {
            (Ok(()), Some(Ok(state))) => return Ok(state),
            (Ok(()), Some(Err(error))) => error.to_string(),
            (Ok(()), None) => String::new(),
            (Err(panicked), _) => panicked.0,
        };
        log::note(Level::Error, &format!("The application's state cannot be made. {problem}"));
        Err(Fault::new(Code::InvalidConfig, NO_STATE))
    }

    fn respond(&self, response: &Response) -> JsValue {
        boundary::respond(&self.kinds.of(response), response.body())
    }
}

const NOT_BUILT: &str = "The endpoint cannot be built. Its log says what is wrong.";
const NO_STATE: &str = "What the endpoint's tools work on cannot be reached. Its log says what is wrong.";

impl Parts {
    /// Whether somebody may be asking for the endpoint to be connected.
    #[cfg(feature = "connect")]
    fn is_unsigned_get(&self) -> bool {
        self.headers[0].is_none() && !self.whole.is_undefined()
    }

    #[cfg(feature = "connect")]
    fn settings(&self, env: &Env) -> ConnectSettings {
        if !self.is_unsigned_get() {
            return ConnectSettings::new();
        }
        ConnectSettings::from_lookup(|name| boundary::variable(env, name))
    }

    fn into_request<S>(self, endpoint: &Endpoint<S>) -> Request {
        let takes_all = !self.whole.is_undefined() && endpoint.route(&self.path) == Route::Identity;
        #[cfg(feature = "connect")]
        let takes_all = takes_all || self.is_unsigned_get();
        let mut request = Request::new(Method::parse(&self.method), self.path);
        if takes_all {
            let lines = boundary::headers(&self.whole);
            let mut lines = lines.split('\n');
            while let (Some(name), Some(value)) = (lines.next(), lines.next()) {
                request = request.header(name.to_owned(), value);
            }
            #[cfg(feature = "connect")]
            {
                request = request.url(crate::fetch::url(&self.whole));
            }
            return request;
        }
        for (name, value) in Request::HEADERS.into_iter().zip(self.headers) {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        match self.body {
            Some(body) => request.body(body),
            None => request.body_too_large(),
        }
    }
}

impl<S> fmt::Debug for App<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("App").field("ready", &self.ready.get().is_some()).finish_non_exhaustive()
    }
}
