//! Pages that the agent may offer: what `goToPage` answers, and what the agent is shown of a site.
#![allow(missing_docs)]

mod answers;
mod paths;
mod problems;
mod sizes;

use median_edge::navigation::{Navigation, Page, navigation};
use median_edge::prelude::*;
use median_edge::testing::{TestAnswer, TestClient};
use serde_json::json;

/// A shop's pages.
fn shop() -> Navigation {
    let pages = [
        Page::new("/").title("The shop"),
        Page::new("/orders").title("Your orders"),
        Page::new("/orders/:id")
            .title("One order")
            .highlight("#refund", "Where a refund is asked for.")
            .highlight("[data-track]", "Where the parcel is."),
        Page::new("/orders/new").title("A new order"),
        Page::new("/help/").title("Help"),
        Page::new("/help/:topic/:question"),
        Page::new("/admin/users"),
        Page::new("/:section/:item"),
    ];
    navigation(pages).exclude(["/admin/**", "/*/secret-*"])
}

fn client(navigation: Navigation) -> TestClient<()> {
    Endpoint::builder().plugin(navigation).build().unwrap().test_client(())
}

async fn go(client: &TestClient<()>, path: &str) -> TestAnswer {
    client.call("goToPage").input(json!({ "path": path })).await
}

async fn detail(client: &TestClient<()>, path: &str) -> String {
    let answer = go(client, path).await;
    let refusal = answer.assert_fits().refusal();
    assert_eq!((refusal.reason.as_str(), answer.navigate_to()), ("unknown_page", None), "{path:?}");
    refusal.detail.clone().unwrap()
}
