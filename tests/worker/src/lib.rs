//! A Worker that the tests ask for what a shop would not do: panic, wait, and use every binding. It has the pages of the
//! vectors too.

mod bindings;
#[allow(unreachable_pub)] // The other runtimes' tests have the same file, and there it is public.
#[path = "../../support/site.rs"]
mod site;

use std::cell::Cell;
use std::sync::Mutex;

use median_edge::application_manifest::{Application, StorageMode};
use median_edge::prelude::*;
use median_edge::schemars::JsonSchema;
use median_edge_worker::{App, handle};
use serde::Serialize;
use worker::{Context, Env, Headers, Method, Request, RequestInit, Response, Result};

use bindings::Bindings;

thread_local! {
    static APP: App<Bindings> = App::new(|_| build(), |env| Ok(Bindings::new(env)));
    /// Another endpoint, asked by [`handle`].
    static HANDLED: App<()> =
        App::new(|_| Endpoint::builder().mount("/handled").tools(tools![echo, wait, panic]).build(), |_| Ok(()));
    /// Lives as long as the isolate's memory.
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

static LOCK: Mutex<u32> = Mutex::new(0);

median_edge_worker::fetch!(APP, own);

/// The application's own routes.
async fn own(mut request: Request, env: Env, context: Context) -> Result<Response> {
    match request.path().as_str() {
        "/handled" => handle(&HANDLED, &request, &env, &context).await.map(Response::from),
        "/read-before" => {
            request.bytes().await?;
            handle(&HANDLED, &request, &env, &context).await.map(Response::from)
        }
        "/said-less" => handle(&HANDLED, &said_less(&request)?, &env, &context).await.map(Response::from),
        "/own" => Response::ok(format!("own: {}", request.text().await?)),
        "/error" => Err("the secret of the route".into()),
        "/panic" => panic!("the secret of the route's panic"),
        "/endless" => Response::ok(endless(1).to_string()),
        _ => Response::error("Nothing is here.", 404),
    }
}

/// Calls itself until there is no more stack.
fn endless(depth: u64) -> u64 {
    let deeper = std::hint::black_box(endless as fn(u64) -> u64);
    deeper(depth + 1).wrapping_mul(depth)
}

/// A request for the endpoint whose body is far longer than its length says, as another Worker could send it.
fn said_less(request: &Request) -> Result<Request> {
    let headers = Headers::new();
    headers.set("content-length", "2")?;
    headers.set("median-signature", &request.headers().get("median-signature")?.unwrap_or_default())?;
    let body = worker::js_sys::Uint8Array::new_with_length(1_048_577);
    let mut init = RequestInit::new();
    init.with_method(Method::Post).with_headers(headers).with_body(Some(body.into()));
    Request::new_with_init("http://worker.test/handled", &init)
}

fn build() -> std::result::Result<Endpoint<Bindings>, ConfigError> {
    Endpoint::builder()
        .plugin(site::site())
        .tools(tools![
            echo,
            count,
            panic,
            panic_later,
            panic_with_lock,
            wait,
            too_slow,
            remember,
            recall,
            sum
        ])
        .identity(who)
        .application(
            Application::new("worker_of_the_tests", "1.0.0", "What the tests ask of a Worker.")
                .storage_mode(StorageMode::Native),
        )
        .build()
}

/// Who is signed in: in a session of this name, or not at all.
async fn who(request: IdentityRequest<'_, Bindings>) -> ToolResult<Option<IdentityUser>> {
    match request.cookie("session") {
        Some("panics") => panic!("the secret of the session"),
        Some("panics later") => {
            bindings::sleep(5).await;
            panic!("the secret of the later session")
        }
        Some("waits") => {
            bindings::sleep(5).await;
            Ok(Some(IdentityUser::new("user_1")))
        }
        _ => Ok(request.header("x-user").map(IdentityUser::new)),
    }
}

/// Answer with the text.
#[tool(risk = "low", effect = "read")]
fn echo(
    /// The text.
    text: String,
) -> ToolResult<String> {
    Ok(text)
}

/// Count the calls of this tool that this memory has seen.
#[tool(risk = "low")]
fn count() -> ToolResult<u32> {
    CALLS.set(CALLS.get() + 1);
    Ok(CALLS.get())
}

/// Panic at once.
#[tool(risk = "low")]
fn panic() -> ToolResult<()> {
    panic!("the secret of the panic")
}

/// Panic after waiting.
#[tool(risk = "low")]
async fn panic_later(
    /// Milliseconds.
    ms: u32,
) -> ToolResult<()> {
    bindings::sleep(ms).await;
    panic!("the secret of the later panic")
}

/// Panic while holding a lock that the next call takes too.
#[tool(risk = "low")]
fn panic_with_lock(
    /// Whether to panic.
    panics: bool,
) -> ToolResult<u32> {
    let mut guard = LOCK.lock().map_err(|_| ToolError::public("poisoned"))?;
    *guard += 1;
    assert!(!panics, "the secret of the lock");
    Ok(*guard)
}

/// Wait, and answer.
#[tool(risk = "low", effect = "read")]
async fn wait(
    /// Milliseconds.
    ms: u32,
) -> ToolResult<u32> {
    bindings::sleep(ms).await;
    Ok(ms)
}

/// Wait for longer than there is time.
#[tool(risk = "low", timeout = 1)]
async fn too_slow() -> ToolResult<()> {
    bindings::sleep(60_000).await;
    Ok(())
}

/// Put a value into the KV namespace.
#[tool(risk = "low")]
async fn remember(
    /// Under which key.
    key: String,
    /// What.
    value: String,
    bindings: State<'_, Bindings>,
) -> ToolResult<()> {
    Ok(bindings.put(&key, &value).await?)
}

#[derive(Serialize, JsonSchema)]
#[schemars(crate = "median_edge::schemars")]
struct Recalled {
    value: Option<String>,
}

/// Get a value out of the KV namespace.
#[tool(risk = "low", effect = "read")]
async fn recall(
    /// Under which key.
    key: String,
    bindings: State<'_, Bindings>,
) -> ToolResult<Recalled> {
    Ok(Recalled { value: bindings.get(&key).await? })
}

/// Add two numbers in the D1 database.
#[tool(risk = "low", effect = "read")]
async fn sum(
    /// One.
    a: f64,
    /// And another.
    b: f64,
    bindings: State<'_, Bindings>,
) -> ToolResult<f64> {
    Ok(bindings.sum(a, b).await?)
}
