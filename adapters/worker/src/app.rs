//! An endpoint in an isolate: built once, asked many times.

use std::borrow::Borrow;
use std::cell::OnceCell;
use std::fmt;
use std::future::Future;
use std::rc::Rc;

use js_sys::Array;
use median_edge::event::Level;
use median_edge::{Code, Endpoint, Fault, Host, Keys, MaybeSync, Method, Platform, Request, Response, Route};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::Closure;
use worker::Env;

use crate::boundary::{self, Take};
use crate::headers::HeaderSets;
use crate::host::WorkerHost;
use crate::{keys, log, promise};

#[cfg(feature = "connect")]
use median_edge::ConnectSettings;

/// What the tools work on, however it is held.
type Held<S> = Box<dyn Borrow<S>>;
/// Builds the endpoint, or says why not.
type Build<S> = Box<dyn Fn(&Env) -> Result<Endpoint<S>, String>>;
/// Makes the state of a request.
type Make<S> = Rc<dyn Fn(&Env) -> worker::Result<Held<S>>>;

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
    inner: Rc<Inner<S>>,
    take: Take,
    header_names: JsValue,
}

struct Inner<S: 'static> {
    /// Nothing when it could not be built: each request is told so.
    endpoint: Option<Endpoint<S>>,
    state: Make<S>,
    keys: keys::Current,
    host: WorkerHost,
    headers: HeaderSets,
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
        state: impl Fn(&Env) -> worker::Result<T> + 'static,
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
    pub(crate) fn claims(&self, env: &Env, path: &str) -> bool {
        let endpoint = self.ready(env).inner.endpoint.as_ref();
        endpoint.is_none_or(|endpoint| match endpoint.route(path) {
            Route::Endpoint | Route::Identity | Route::ApplicationManifest => true,
            Route::Health => endpoint.mount() == "/",
            _ => false,
        })
    }

    /// Answers a request: with a response, or with a promise of one.
    pub(crate) fn serve(&self, request: &JsValue, env: &Env, context: &JsValue) -> Result<JsValue, JsValue> {
        let Ready { inner, take, header_names } = self.ready(env);
        #[allow(clippy::cast_precision_loss)] // JavaScript has no other numbers, and no body is that long.
        let limit = inner.endpoint.as_ref().map_or(0, Endpoint::body_limit) as f64;
        boundary::receive(request, env, context, limit, header_names, take.as_ref())
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
                headers: HeaderSets::default(),
            });
            let header_names = Request::HEADERS.map(JsValue::from_str).into_iter().collect::<Array>().into();
            let answering = Rc::clone(&inner);
            let take: Take = Closure::new(move |method, path, first, second, body, cut_off, env, whole| {
                let parts = Parts { method, path, headers: [first, second], body, cut_off, whole };
                Inner::answer(&answering, parts, &env)
            });
            Ready { inner, take, header_names }
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
        let headers = self.headers.of(response.headers());
        boundary::respond(response.status(), &headers, response.body())
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
            let mut lines = boundary::headers(&self.whole).into_iter();
            while let (Some(name), Some(value)) = (lines.next(), lines.next()) {
                request = request.header(name, value);
            }
            #[cfg(feature = "connect")]
            {
                request = request.url(boundary::url(&self.whole));
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

/// Counts a request in hand while it lives, so that its instance is not given up under it.
#[derive(Debug)]
pub(crate) struct InHand(());

impl InHand {
    pub(crate) fn enter() -> Self {
        boundary::enter();
        Self(())
    }

    /// Does something with a request in hand.
    pub(crate) async fn during<F: Future>(work: F) -> F::Output {
        let _in_hand = Self::enter();
        work.await
    }
}

impl Drop for InHand {
    fn drop(&mut self) {
        boundary::leave();
    }
}
