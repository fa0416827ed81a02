//! The demo: a shop whose support agent can look up orders, refund them, correct an address, manage the newsletter and
//! offer pages of the site.
//!
//! - [`Desk`] is the shop's own state; a real one would hold a database.
//! - [`orders`] and [`account`] are the tools, each file a plugin; [`pages`] is what the agent may offer of the site.
//! - [`signed_in`] says who is in a session, for the widget.
//! - [`endpoint`] puts them behind one route, and describes the shop to whatever agent asks at `/agent/manifest`. A
//!   thin program per runtime serves it.

pub mod account;
mod desk;
pub mod orders;
pub mod pages;

pub use desk::{Address, Desk, Order, Refund, Shipping};
use median_edge::application_manifest::{Application, StorageMode};
use median_edge::prelude::*;
use serde::Serialize;

/// The shop's endpoint.
///
/// # Errors
///
/// When a tool breaks a limit of the protocol: the tests build it, so it does not.
pub fn endpoint() -> Result<Endpoint<Desk>, ConfigError> {
    Endpoint::builder()
        .plugin(orders::plugin())
        .plugin(account::plugin())
        .plugin(pages::plugin())
        .application(
            Application::new(
                "support_desk",
                env!("CARGO_PKG_VERSION"),
                "A shop's orders, refunds and newsletter.",
            )
            .storage_mode(StorageMode::Memory)
            .with_tool_routes(),
        )
        .identity(signed_in)
        .diagnostics(async |desk: &Desk| ToolResult::Ok(diagnostics(desk)))
        .build()
}

/// Who is signed in, by the cookie `session`: in this shop, `demo` is the session of `user_1`.
///
/// # Errors
///
/// None: a real shop's store of sessions would have some.
pub async fn signed_in(request: IdentityRequest<'_, Desk>) -> ToolResult<Option<IdentityUser>> {
    let customer = request.cookie("session").and_then(|session| request.state().signed_in(session));
    Ok(customer.map(|customer| IdentityUser::new(customer.id).name(customer.name).email(customer.email)))
}

/// What is attached to a report that a customer files.
#[derive(Serialize)]
struct Diagnostics {
    version: &'static str,
    orders: usize,
    refunds: usize,
}

fn diagnostics(desk: &Desk) -> Diagnostics {
    let (orders, refunds) = (desk.count_orders(), desk.count_refunds());
    Diagnostics { version: env!("CARGO_PKG_VERSION"), orders, refunds }
}

/// The examples of the project's README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
