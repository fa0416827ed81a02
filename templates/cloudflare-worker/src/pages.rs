//! The pages of the site that the agent may offer to a customer: change them to yours.

/// Routes, each with what the agent chooses by. `:number` is any one segment.
pub const ROUTES: &[(&str, &str)] = &[
    ("/orders", "Your orders"),
    (
        "/orders/:number",
        "One order: what is in it, and where it is",
    ),
    ("/help/:topic", "Help with delivery, returns or payment"),
    ("/staff/orders", "Everyone's orders"),
];

/// What is never offered, whatever the routes say.
pub const NOT_OFFERED: &[&str] = &["/staff/**"];
