//! Tools about a customer's account.

use median_edge::field::Choice as _;
use median_edge::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::desk::Desk;

/// The tools of this file.
pub fn plugin() -> Plugin<Desk> {
    Plugin::new("account").tools(tools![newsletter])
}

/// What a newsletter is about.
#[derive(Choice, Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Topic {
    /// Offers of the week.
    Offers,
    /// New in the shop.
    NewArrivals,
}

/// Which list changed, and how.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Subscription {
    topic: Topic,
    subscribed: bool,
    changed: bool,
}

/// Put the customer on the list of a newsletter, or take them off it.
#[tool(risk = "medium", scopes = ["account:write"], idempotent)]
pub fn newsletter(
    /// Which newsletter.
    topic: Topic,
    /// Whether they want it.
    subscribed: bool,
    customer: VerifiedVisitor,
    desk: State<'_, Desk>,
) -> ToolResult<Subscription> {
    let changed = desk.subscribe(customer.id(), topic.text(), subscribed);
    Ok(Subscription { topic, subscribed, changed })
}
