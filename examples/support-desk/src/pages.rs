//! The shop's pages that the agent may offer to a customer.

use median_edge::navigation::{Navigation, Page};
use median_edge::prelude::*;

/// The pages. A site with many would read them from a list that its build makes.
pub fn plugin() -> Navigation {
    let pages = [
        Page::new("/").title("The shop"),
        Page::new("/orders").title("Your orders"),
        Page::new("/orders/:number")
            .title("One order: what is in it, where it is, where it goes")
            .highlight("#address", "Where the address is changed.")
            .highlight("#refund", "Where a refund is asked for."),
        Page::new("/account/newsletters").title("Your newsletters"),
        Page::new("/help/:topic").title("Help with delivery, returns or payment"),
        Page::new("/staff/orders").title("Everyone's orders"),
    ];
    navigation(pages).exclude(["/staff/**"])
}
