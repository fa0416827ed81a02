//! A Worker that the tests ask for what a shop would not do: panic, wait, and use every binding.

mod bindings;

use std::cell::Cell;
use std::sync::Mutex;

use median_edge::application_manifest::{Application, StorageMode};
use median_edge::prelude::*;
use median_edge::schemars::JsonSchema;
use median_edge_worker::App;
use serde::Serialize;
use worker::{Context, Env, Request, Response, Result};

use bindings::Bindings;

thread_local! {
    static APP: App<Bindings> = App::new(|_| build(), |env| Ok(Bindings::new(env)));
    /// Lives as long as the isolate's memory.
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

static LOCK: Mutex<u32> = Mutex::new(0);

median_edge_worker::fetch!(APP, own);

/// The application's own routes.
async fn own(mut request: Request, _env: Env, _context: Context) -> Result<Response> {
    match request.path().as_str() {
        "/own" => Response::ok(format!("own: {}", request.text().await?)),
        "/error" => Err("the secret of the route".into()),
        _ => Response::error("Nothing is here.", 404),
    }
}

fn build() -> std::result::Result<Endpoint<Bindings>, ConfigError> {
    Endpoint::builder()
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
        .application(
            Application::new("worker_of_the_tests", "1.0.0", "What the tests ask of a Worker.")
                .storage_mode(StorageMode::Native),
        )
        .build()
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
