//! An endpoint for the tests: one tool, at a time that stands still.
#![allow(dead_code)] // Each suite uses a part of it.

use std::fs;
use std::path::Path;

use median_edge::prelude::*;
use median_edge::{Keys, MedianKey};
use median_edge_lambda::{App, Endpoint, Function, LambdaHost};
use serde::Serialize;

/// The time of the events' signatures.
pub(crate) const NOW_MS: u64 = 1_790_000_000_000;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderStatus {
    order_number: String,
    status: &'static str,
}

/// Look up the status of an order.
#[tool(risk = "low", effect = "read")]
pub(crate) fn order_status(
    /// The order number, like ORD-1042.
    order_number: String,
) -> ToolResult<OrderStatus> {
    Ok(OrderStatus { order_number, status: "shipped" })
}

pub(crate) fn builder() -> EndpointBuilder<()> {
    Endpoint::builder().tools(tools![order_status]).clock(|| NOW_MS).keys(Keys::new(MedianKey::local()))
}

/// After its cold start.
pub(crate) async fn function(builder: EndpointBuilder<()>) -> Function<()> {
    app(builder).start().await
}

pub(crate) fn app(builder: EndpointBuilder<()>) -> App<()> {
    App::new(builder.build(), async || Ok::<_, String>(()))
}

/// An answer as AWS gets it, or the error that it shows.
pub(crate) async fn answer(function: &Function<()>, event: &[u8]) -> Result<String, String> {
    let answer = function.answer(event, &LambdaHost::new(None)).await;
    answer.map(|answer| answer.get().to_owned()).map_err(|error| error.to_string())
}

/// The events of a folder, by name.
pub(crate) fn events(folder: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(folder);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut events: Vec<_> = files
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap()))
        .collect();
    events.sort();
    assert!(events.len() > 20, "the events are there");
    events
}

pub(crate) fn event(folder: &str, name: &str) -> Vec<u8> {
    events(folder).into_iter().find(|(known, _)| known == name).unwrap().1
}
