//! Tools for a support agent, behind one endpoint: on Cloudflare Workers, and on this machine.

pub mod orders;
mod shop;
#[cfg(target_family = "wasm")]
mod worker;

use median_edge::prelude::*;
pub use shop::Shop;

/// Every tool, behind one route.
///
/// # Errors
///
/// When a tool breaks a limit of the protocol. A test builds the endpoint, so none does.
pub fn endpoint() -> Result<Endpoint<Shop>, ConfigError> {
    Endpoint::builder()
        .tools(tools![orders::order_status, orders::refund_order])
        .build()
}
