//! Sites of every size: what the agent is shown, and that it finds each page.

use std::collections::BTreeSet;

use median_edge::limits::MAX_SCHEMA_CHARACTERS;
use median_edge::navigation::Page;
use median_edge::testing::TestClient;
use serde_json::Value;

use super::{client, detail, go, navigation};

const SECTIONS: [&str; 5] = ["docs", "help", "guides", "account", "orders"];

/// A site of so many pages: a few at the top, sections, and the rest one flat heap of products.
pub(super) fn site(count: usize, varies: bool) -> Vec<(String, &'static str)> {
    let mut pages = vec![
        ("/".to_owned(), "Home"),
        ("/contact".to_owned(), "How to reach us, by mail, by telephone, or in one of our shops near you"),
        ("/orders".to_owned(), "Your orders"),
        (if varies { "/orders/:id" } else { "/orders/latest" }.to_owned(), "One order"),
        ("/billing".to_owned(), "Your invoices"),
    ];
    for at in 0..count.saturating_sub(pages.len()) {
        pages.push(match at % 10 {
            0 => (format!("/docs/api/v{}/method-{at}", at % 3), "What a method does"),
            1 => (format!("/help/topic-{at}"), "What to do about something"),
            2 => (format!("/guides/{}/part-{at}", SECTIONS[at % 5]), "A part of a guide"),
            _ => {
                (format!("/products/{}-{at}", ["cup", "pot", "grinder", "bean"][at % 4]), "Something to buy")
            }
        });
    }
    pages
}

pub(super) fn texts(pages: &[(String, &str)]) -> BTreeSet<String> {
    pages.iter().map(|(route, _)| route.clone()).collect()
}

async fn schema(client: &TestClient<()>) -> Value {
    let schema = client.manifest().await["tools"][0]["inputSchema"].clone();
    let characters = schema.to_string().encode_utf16().count();
    assert!(characters <= MAX_SCHEMA_CHARACTERS, "{characters}");
    schema
}

async fn description(client: &TestClient<()>) -> String {
    schema(client).await["properties"]["path"]["description"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn five_pages_are_a_choice_with_their_titles() {
    insta::assert_json_snapshot!(schema(&client(navigation(site(5, false)))).await);
}

#[tokio::test]
async fn five_pages_of_which_one_varies_are_listed() {
    insta::assert_json_snapshot!(schema(&client(navigation(site(5, true)))).await);
}

#[tokio::test]
async fn a_hundred_pages_are_a_choice() {
    insta::assert_json_snapshot!(schema(&client(navigation(site(100, false)))).await);
}

#[tokio::test]
async fn a_hundred_pages_of_which_one_varies_are_listed() {
    insta::assert_snapshot!(description(&client(navigation(site(100, true)))).await);
}

#[tokio::test]
async fn two_thousand_pages_are_told_by_their_parts() {
    insta::assert_snapshot!(description(&client(navigation(site(2_000, true)))).await);
}

#[tokio::test]
async fn two_thousand_pages_without_parts_are_told_by_their_letters() {
    let pages = (0..2_000).map(|at| format!("/{}-{at}", ["cup", "pot", "grinder", "bean"][at % 4]));
    insta::assert_snapshot!(description(&client(navigation(pages))).await);
}

#[tokio::test]
async fn titles_give_way_before_the_choice_does() {
    let page = |at: usize| Page::new(format!("/section-{}/page-{at:03}", at % 7)).title("title ".repeat(20));
    for (pages, longest) in [(20, 80), (90, 32), (250, 0)] {
        let client = client(navigation((0..pages).map(page)));
        let schema = schema(&client).await;
        let path = &schema["properties"]["path"];
        assert_eq!(path["enum"].as_array().map(Vec::len), Some(pages));
        let lines = path["description"].as_str().unwrap().lines().skip(1);
        let title =
            lines.filter_map(|line| line.split_once(" - ")).map(|(_, title)| title.chars().count()).max();
        assert!(title.unwrap_or(0) <= longest && (title.is_some() || longest == 0), "{pages}: {title:?}");
    }
    let client = client(navigation((0..600).map(page)));
    assert_eq!(schema(&client).await["properties"]["path"]["enum"], Value::Null);
}

#[tokio::test]
async fn every_page_is_found_from_what_the_description_says() {
    let flat: Vec<Page> =
        (0..2_000).map(|at| Page::new(format!("/p/{at}-{}", ["cup", "pot"][at % 2]))).collect();
    let deep = (0..1_000).map(|at| Page::new(format!("/app/{}/x/{}/:id", at / 100, at % 100))).collect();
    let words =
        (0..700).map(|at| Page::new(format!("/é/straße-{at}")).title(format!("\"{at}\" \\ 😀"))).collect();
    let site = site(2_000, true).into_iter().map(Page::from).collect();
    for pages in [site, flat, deep, words] {
        let count = pages.len();
        let client = client(navigation(pages));
        let description = description(&client).await;
        let path = |line: &str| line.split(" - ").next().unwrap_or_default().to_owned();
        let mut open: Vec<(String, usize)> =
            description.lines().skip(1).map(|line| (path(line), 1)).collect();
        let mut found = BTreeSet::new();
        while let Some((line, calls)) = open.pop() {
            if !line.ends_with("**") {
                found.insert(line);
                continue;
            }
            assert!(calls <= 4, "{line} takes too many calls");
            let answer = go(&client, &line).await;
            let result: Value = answer.assert_fits().result();
            assert_eq!((answer.navigate_to(), &result["more"]), (None, &Value::Null), "{line}");
            for listed in result["pages"].as_array().unwrap() {
                let next = path(listed.as_str().unwrap());
                assert_ne!(next, line, "it says nothing new");
                open.push((next, calls + 1));
            }
        }
        assert_eq!(found.len(), count);
    }
}

#[tokio::test]
async fn what_is_asked_in_words_is_answered_with_what_is_near() {
    let client = client(navigation(site(2_000, true)));
    let mut told = Vec::new();
    for words in ["orders", "contact us", "method-120"] {
        let answer = go(&client, words).await;
        assert_eq!(answer.assert_fits().navigate_to(), None, "{words}");
        told.push(format!("{words}\n    {}", answer.result::<Value>()));
    }
    for path in ["/order/123/status", "/topic/41", "/docs/method-120", "/xyz/**", "zzz", "javascript:orders"]
    {
        told.push(format!("{path}\n    {}", detail(&client, path).await));
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[tokio::test]
async fn parts_are_told_only_where_they_were_shown() {
    let client = client(navigation(site(100, true)));
    assert!(detail(&client, "/products/**").await.starts_with("No page has the path"));
    assert!(detail(&client, "orders").await.contains("begin with one /"));
}

#[tokio::test]
async fn highlights_that_are_too_many_to_list_are_told_with_their_page() {
    let page =
        |at: usize| Page::new(format!("/p/{at}/:id")).highlight(format!("#part-{at}"), "A part of the page.");
    let client = client(navigation((0..100).map(page)));
    let highlight = &schema(&client).await["properties"]["highlight"];
    assert_eq!((&highlight["type"], &highlight["enum"]), (&"string".into(), &Value::Null));
    let input = serde_json::json!({"path": "/p/7/x", "highlight": "#part-8"});
    let answer = client.call("goToPage").input(input).await;
    assert_eq!(
        answer.refusal().detail.as_deref(),
        Some("\"#part-8\" is not on /p/7/:id. What can be highlighted there: #part-7.")
    );
}
