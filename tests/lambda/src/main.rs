//! A Lambda function that the tests ask for what a shop would not do: panic, wait, answer at length, end.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use median_edge::prelude::*;

#[allow(unreachable_pub)] // The other runtimes' tests have the same file, and there it is public.
#[path = "../../support/site.rs"]
mod site;

/// How many calls of `count` this process has seen.
static CALLS: AtomicU32 = AtomicU32::new(0);

fn main() -> ExitCode {
    let endpoint = Endpoint::builder()
        .plugin(site::site())
        .tools(tools![echo, count, panic, panic_later, wait, block, long, end])
        .build();
    median_edge_lambda::run(endpoint, ())
}

/// Answer with the text.
#[tool(risk = "low", effect = "read")]
fn echo(
    /// The text.
    text: String,
) -> ToolResult<String> {
    Ok(text)
}

/// Count the calls of this tool that this process has seen.
#[tool(risk = "low")]
fn count() -> ToolResult<u32> {
    Ok(CALLS.fetch_add(1, Ordering::Relaxed) + 1)
}

/// Panic at once.
#[tool(risk = "low")]
fn panic() -> ToolResult<()> {
    panic!("the secret of the panic")
}

/// Panic after waiting.
#[tool(risk = "low")]
async fn panic_later() -> ToolResult<()> {
    tokio::time::sleep(Duration::from_millis(10)).await;
    panic!("the secret of the later panic")
}

/// Wait, and answer.
#[tool(risk = "low", effect = "read")]
async fn wait(
    /// Milliseconds.
    ms: u32,
) -> ToolResult<u32> {
    tokio::time::sleep(Duration::from_millis(ms.into())).await;
    Ok(ms)
}

/// Keep the thread, and answer.
#[tool(risk = "low", effect = "read")]
fn block(
    /// Milliseconds.
    ms: u32,
) -> ToolResult<u32> {
    std::thread::sleep(Duration::from_millis(ms.into()));
    Ok(ms)
}

/// Answer with so many letters.
#[tool(risk = "low", effect = "read")]
fn long(
    /// How many.
    letters: u32,
) -> ToolResult<String> {
    Ok("x".repeat(usize::try_from(letters).unwrap_or_default()))
}

/// End the process.
#[tool(risk = "low")]
fn end() -> ToolResult<()> {
    std::process::exit(3)
}
