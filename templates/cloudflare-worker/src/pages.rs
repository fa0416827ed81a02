//! The pages of the site that the agent may offer to a customer: change them to yours.

use median_edge::navigation::{Navigation, navigation};

/// Routes, each with what the agent chooses by. `:number` is any one segment.
const ROUTES: &[(&str, &str)] = &[
    ("/orders", "Your orders"),
    (
        "/orders/:number",
        "One order: what is in it, and where it is",
    ),
    ("/help/:topic", "Help with delivery, returns or payment"),
    ("/staff/orders", "Everyone's orders"),
];

/// The pages. What is left out here is never offered, whatever the routes say.
pub fn pages() -> Navigation {
    navigation(ROUTES).exclude(["/staff/**"])
}
