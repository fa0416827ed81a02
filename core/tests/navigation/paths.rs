//! Whatever is asked, what is answered is a page of this site, to everyone who may read the address.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use proptest::prelude::*;
use tokio::runtime::Runtime;
use url::Url;

use super::sizes::{site, texts};
use super::{client, go, navigation, shop};
use median_edge::testing::TestClient;

const BASE: &str = "https://shop.example/";

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());
static CLIENT: LazyLock<TestClient<()>> = LazyLock::new(|| client(shop()));

/// The path that is answered; nothing when the page is refused, and there is no third way.
fn answered(path: &str) -> Option<String> {
    let answer = RUNTIME.block_on(go(&CLIENT, path));
    let answered = answer.navigate_to().map(str::to_owned);
    if answered.is_none() {
        assert_eq!(answer.refusal().reason, "unknown_page", "{path:?}");
    }
    answered
}

/// Every decoding of a path, one after the other, until nothing changes.
fn decodings(path: &str) -> Vec<String> {
    let mut all = vec![path.to_owned()];
    loop {
        let last = &all[all.len() - 1];
        let next = percent_decode_str(last).decode_utf8().expect("it decodes to text").into_owned();
        if next == *last {
            return all;
        }
        all.push(next);
    }
}

/// The routes of the shop, written once more: by the segments of a decoded path.
fn is_route(path: &str) -> bool {
    let path = path.strip_prefix('/').expect("a path");
    if path.is_empty() {
        return true;
    }
    let segments: Vec<&str> = path.strip_suffix('/').unwrap_or(path).split('/').collect();
    if segments.iter().any(|segment| segment.trim().is_empty()) {
        return false;
    }
    matches!(segments[..], ["orders" | "help"] | [_, _] | ["help", _, _])
}

fn is_excluded(path: &str) -> bool {
    let lower = path.to_lowercase();
    let mut segments = lower.split('/').skip(1).map(|segment| segment.split(';').next().unwrap_or_default());
    segments.next() == Some("admin") || segments.next().is_some_and(|second| second.starts_with("secret-"))
}

/// Holds an answered path to everything that is promised of it.
fn check(path: &str) -> Result<(), TestCaseError> {
    let base = Url::parse(BASE).unwrap();
    let url = base.join(path).expect("a browser can go there");
    prop_assert_eq!(url.origin(), base.origin());
    prop_assert_eq!(url.path(), path, "a browser goes to the very path");
    prop_assert_eq!((url.query(), url.fragment(), url.username()), (None, None, ""));
    prop_assert!(path.len() <= 2_048);
    for decoded in decodings(path) {
        prop_assert!(is_route(&decoded), "{:?} is no route", decoded);
        prop_assert!(!is_excluded(&decoded), "{:?} is left out", decoded);
        prop_assert!(!decoded.contains(['\\', '?', '#']) && !decoded.contains(char::is_control));
        let dots = |segment: &str| matches!(segment.split(';').next(), Some("." | ".."));
        prop_assert!(!decoded.split('/').any(dots), "{:?} goes up", decoded);
        // Whoever decodes the path and makes an address of it again stays on the site, in the same place.
        let again = base.join(&decoded).expect("a browser can go there");
        prop_assert_eq!(again.origin(), base.origin());
        prop_assert_eq!(again.path_segments().unwrap().count(), url.path_segments().unwrap().count());
    }
    Ok(())
}

/// What paths are made of, honest or not.
fn pieces() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "/",
        "/",
        "/",
        "//",
        "orders",
        "help",
        "admin",
        "Admin",
        "secret-1",
        ":id",
        ":item",
        "new",
        "a",
        "7",
        "é",
        "😀",
        " ",
        "\t",
        "\n",
        "\0",
        "\u{85}",
        "\u{2028}",
        ".",
        "..",
        "...",
        ";",
        ";x=1",
        "%2e",
        "%2E%2e",
        "%252e",
        "%25%32%65",
        "%25%32%46",
        "%25",
        "%2525",
        "%",
        "%2",
        "%zz",
        "%u002e",
        "%2f",
        "%252F",
        "%5c",
        "%255C",
        "\\",
        "?",
        "#",
        "%3f",
        "%23",
        "%00",
        "%0a",
        "%20",
        "%C3%A9",
        "%c0%ae",
        "%ff",
        "%61dmin",
        "%2561dmin",
        "https:",
        "javascript:",
        "evil.example",
        "@",
        "*",
        "**",
        "<",
        "\"",
        "{",
        "|",
        "^",
        "`",
        "\u{202e}",
        "\u{200b}",
        "．．",
        "／",
        "\u{3000}",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)]
}

fn tempting() -> impl Strategy<Value = String> {
    let free = prop::collection::vec(pieces(), 0..12).prop_map(|pieces| pieces.concat());
    let begun = prop::collection::vec(pieces(), 0..6).prop_map(|pieces| format!("/{}", pieces.concat()));
    let value =
        || prop::collection::vec(pieces().prop_filter("stays in", |piece| !piece.contains('/')), 1..4);
    let filled = (value(), value()).prop_map(|(one, two)| format!("/{}/{}", one.concat(), two.concat()));
    let order = value().prop_map(|value| format!("/orders/{}", value.concat()));
    let dots = prop::collection::vec(
        prop::sample::select(vec![".", "%2e", "%252E", "%25%32%65", ";", ";x", "%3b", "a"]),
        1..4,
    );
    let up = dots.prop_map(|dots| format!("/orders/{}", dots.concat()));
    let admin =
        prop::sample::select(vec!["admin", "ADMIN", "aDmin", "%61dmin", "%2561dmin", "admin;x", "admin%3Bx"]);
    let left_out = (admin, value()).prop_map(|(admin, value)| format!("/{admin}/{}", value.concat()));
    prop_oneof![free, begun, filled, order, up, left_out, any::<String>()]
}

/// Values that a segment can have: anything but what would change the path, blanks, dots, and the route's own name.
fn values() -> impl Strategy<Value = String> {
    "[^/?#\\\\%;\\p{C}]{1,12}".prop_filter("a value", |value| {
        let text = value.trim();
        !value.starts_with(':') && !matches!(text, "" | "." | "..") && text.chars().any(char::is_alphanumeric)
    })
}

static MANY: LazyLock<TestClient<()>> = LazyLock::new(|| client(navigation(site(2_000, true))));
static TEXTS: LazyLock<BTreeSet<String>> = LazyLock::new(|| texts(&site(2_000, true)));

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn a_site_of_thousands_answers_none_but_its_own_pages(
        known in any::<prop::sample::Selector>(),
        path in tempting(),
        joined: bool,
    ) {
        let asked = if joined { format!("{}{path}", known.select(&*TEXTS)) } else { path };
        let answer = RUNTIME.block_on(go(&MANY, &asked));
        // It may be told of pages, without one being offered.
        if let Some(answered) = answer.navigate_to() {
            let order = answered.strip_prefix("/orders/").is_some_and(|id| !id.is_empty() && !id.contains('/'));
            prop_assert!(order || TEXTS.contains(answered), "{:?}", answered);
            let base = Url::parse(BASE).unwrap();
            let url = base.join(answered).unwrap();
            prop_assert_eq!((url.origin(), url.path(), url.query()), (base.origin(), answered, None));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_answered_is_always_a_page_of_this_site(path in tempting()) {
        if let Some(path) = answered(&path) {
            check(&path)?;
        }
    }

    #[test]
    fn every_filled_route_is_answered(one in values(), two in values(), encoded: bool) {
        let write = |value: &str| {
            if encoded { utf8_percent_encode(value, NON_ALPHANUMERIC).to_string() } else { value.to_owned() }
        };
        for (route, values) in [("/orders/", vec![&one]), ("/help/", vec![&one, &two])] {
            let path = route.to_owned() + &values.iter().map(|value| write(value)).collect::<Vec<_>>().join("/");
            prop_assume!(!is_excluded(&decodings(&path).pop().unwrap()));
            let Some(answer) = answered(&path) else {
                return Err(TestCaseError::fail(format!("{path:?} is refused")));
            };
            check(&answer)?;
            let read = percent_decode_str(&answer).decode_utf8().unwrap();
            let expected = percent_decode_str(&path).decode_utf8().unwrap().into_owned();
            prop_assert_eq!(read.as_ref(), expected);
        }
    }
}
