use median_edge::Code;
use serde_json::{Value, json};

use super::{client, detail, go, navigation, shop};

#[tokio::test]
async fn a_page_is_answered_with_its_path_and_title() {
    let client = client(shop());
    let answer = go(&client, "/orders").await;
    assert_eq!(answer.navigate_to(), Some("/orders"));
    assert_eq!(answer.result::<Value>(), json!({"page": "/orders", "title": "Your orders"}));
    let answer = go(&client, "/help/returns/how%20long").await;
    assert_eq!(answer.navigate_to(), Some("/help/returns/how%20long"));
    assert_eq!(answer.result::<Value>(), json!({"page": "/help/returns/how%20long"}));
}

#[tokio::test]
async fn of_two_routes_the_one_that_says_more_is_taken() {
    let client = client(shop());
    for (path, title) in [("/orders/new", "A new order"), ("/orders/7", "One order")] {
        assert_eq!(go(&client, path).await.result::<Value>()["title"], title);
    }
    assert_eq!(go(&client, "/billing/7").await.result::<Value>(), json!({"page": "/billing/7"}));
}

#[tokio::test]
async fn a_slash_at_the_end_is_the_routes_own_matter() {
    let client = client(shop());
    for (path, answered) in [("/help", "/help/"), ("/help/", "/help/"), ("/orders/", "/orders"), ("/", "/")] {
        assert_eq!(go(&client, path).await.navigate_to(), Some(answered), "{path}");
    }
}

#[tokio::test]
async fn what_is_left_out_is_not_there_however_it_is_written() {
    let client = client(shop());
    for path in [
        "/admin/users",
        "/admin/1",
        "/Admin/1",
        "/%61dmin/1",
        "/%2561dmin/1",
        "/admin;a=b/1",
        "/billing/secret-1",
        "/billing/SECRET-1",
    ] {
        let detail = detail(&client, path).await;
        assert!(detail.starts_with("No page has the path"), "{path}: {detail}");
        assert!(!detail.contains("/admin/users;") && !detail.contains("- /admin"), "{detail}");
    }
    assert_eq!(go(&client, "/administrators/1").await.navigate_to(), Some("/administrators/1"));
}

#[tokio::test]
async fn every_way_off_the_site_is_refused_with_what_a_path_must_be() {
    let client = client(shop());
    let mut told = Vec::new();
    for path in [
        "",
        "orders",
        "https://shop.example/orders",
        "HTTPS:/orders",
        "javascript:alert(1)",
        "//evil.example/orders",
        "/\\evil.example",
        "\\\\evil.example",
        "/%5Cevil.example/x",
        "/%2Fevil.example",
        "/orders/%2e%2e",
        "/orders/%252E%252e",
        "/orders/..",
        "/orders/..;/x",
        "/./orders",
        "/orders/1?next=//evil.example",
        "/orders/1%3Fx",
        "/orders#x",
        "/orders/1%23x",
        "/orders/1\n",
        "/orders/%0d%0a",
        "/orders/%00",
        "/orders/1%",
        "/orders/%c0%ae",
        "/nowhere",
        "/orders/1/2/3/4",
        "/orders//",
        "/orders/%20",
        "/orders/:id",
        "/ORDERS",
    ] {
        told.push(format!("{path:?}\n    {}", detail(&client, path).await));
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[tokio::test]
async fn an_oversized_path_is_refused_before_and_after_it_is_encoded() {
    let client = client(navigation(["/x/:id"]));
    let long = |letter: &str, characters: usize| format!("/x/{}", letter.repeat(characters - 3));
    assert_eq!(go(&client, &long("a", 2_048)).await.navigate_to().map(str::len), Some(2_048));
    for path in [long("a", 2_049), long("é", 700), long("a", 100_000)] {
        assert!(detail(&client, &path).await.contains("at most 2,048 characters"));
    }
}

#[tokio::test]
async fn a_highlight_is_one_of_the_pages_own() {
    let client = client(shop());
    let call = |path: &str, highlight: &str| {
        client.call("goToPage").input(json!({"path": path, "highlight": highlight}))
    };
    let answer = call("/orders/7", "[data-track]").await;
    assert_eq!((answer.navigate_to(), answer.highlight()), (Some("/orders/7"), Some("[data-track]")));
    assert_eq!(answer.result::<Value>(), json!({"page": "/orders/7", "title": "One order"}));

    let answer = call("/orders", "#refund").await;
    let refusal = answer.refusal();
    assert_eq!(refusal.reason, "unknown_highlight");
    assert_eq!(
        refusal.detail.as_deref(),
        Some("Nothing can be highlighted on /orders. Leave highlight out.")
    );

    let answer = call("/orders/7", "script").await;
    assert_eq!(answer.error().code, Code::InvalidInput, "it is a choice");
    assert_eq!(go(&client, "/orders/7").await.highlight(), None);
}

#[tokio::test]
async fn a_page_tells_what_it_could_highlight() {
    let answer = go(&client(shop()), "/orders/7").await;
    let highlights = json!([
        {"highlight": "#refund", "shows": "Where a refund is asked for."},
        {"highlight": "[data-track]", "shows": "Where the parcel is."}
    ]);
    assert_eq!(answer.result::<Value>()["highlights"], highlights);
}

#[tokio::test]
async fn pages_that_do_not_vary_are_a_choice() {
    let client = client(navigation(["/", "/orders", "/billing", "/admin"]).exclude(["/admin"]));
    let manifest = client.manifest().await;
    let path = &manifest["tools"][0]["inputSchema"]["properties"]["path"];
    assert_eq!(path["enum"], json!(["/", "/orders", "/billing"]));
    assert_eq!(go(&client, "/billing").await.navigate_to(), Some("/billing"));
    let answer = go(&client, "/admin").await;
    assert_eq!(
        (answer.error().code, answer.error().message.as_str()),
        (Code::InvalidInput, r#"path must be one of "/", "/orders", "/billing"; another text came."#)
    );
}

#[tokio::test]
async fn an_answer_is_no_surprise_to_the_log() {
    let client = client(shop());
    let _ = go(&client, "/orders").await;
    let _ = go(&client, "//evil.example").await;
    let events = client.take_events();
    assert_eq!(
        (&events[0]["ending"], &events[0]["warnings"]),
        (&json!("result"), &Value::Null),
        "{events:?}"
    );
    assert_eq!((&events[1]["ending"], &events[1]["reason"]), (&json!("refused"), &json!("unknown_page")));
}
