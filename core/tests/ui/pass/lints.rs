// The expansions give no warning, whatever the crate asks for; what a user's own function gives stays.
#![deny(
    warnings,
    missing_docs,
    rust_2018_idioms,
    nonstandard_style,
    future_incompatible,
    unused,
    missing_copy_implementations,
    missing_debug_implementations,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
#![forbid(unsafe_code)]
//! A crate of tools.

use median_edge::prelude::*;

/// What the tools work on.
#[derive(Debug)]
pub struct Shop {
    name: String,
}

/// How fast.
#[derive(Choice, Clone, Copy, Debug)]
pub enum Speed {
    /// Within a week.
    Standard,
    /// Tomorrow.
    NextDay,
}

/// An order.
#[derive(serde::Serialize, Object, Debug)]
pub struct Order<T> {
    /// Its number.
    pub number: T,
}

/// Look up an order.
#[tool(risk = "low", effect = "read", timeout = 5)]
pub async fn order(
    /// The number.
    #[field(not_blank)]
    number: String,
    /// The speed.
    speed: Option<Speed>,
    _customer: VerifiedVisitor,
    shop: State<'_, Shop>,
) -> ToolResult<Reply<Order<String>>> {
    let number = format!("{number} {speed:?} {}", shop.name);
    std::future::ready(()).await;
    Ok(Reply::new(Order { number }))
}

/// Say hello.
#[tool(risk = "medium")]
fn hello() {}

fn main() {
    let endpoint: Result<Endpoint<Shop>, ConfigError> =
        Endpoint::builder().tools(tools![order, hello]).build();
    assert!(endpoint.is_ok());
}
