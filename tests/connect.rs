//! Connecting, over real connections: what reaches the platform, and what is answered when the platform misbehaves.

use std::io::Write;
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use median_edge::key::LOCAL_KEY;
use median_edge::{ConnectSettings, Keys, MedianKey};
use median_edge_local::{LogFormat, Server};
use median_edge_tests::{
    Answer, Ask, Emulated, Lambda, MOUNT, Platform, Running, Served, Transport, Workerd, local_key,
};
use serde_json::json;
use support_desk::{Desk, endpoint};

/// The support desk, on each runtime that is here.
struct Desks {
    local: Served,
    workerd: Option<Running>,
    lambda: Option<Emulated>,
}

impl Desks {
    fn connecting_to(api_url: &str) -> Self {
        let settings = ConnectSettings::new().api_url(api_url);
        let server = Server::new(endpoint().unwrap(), Desk::demo()).keys(Keys::new(MedianKey::local()));
        let server = server.log(LogFormat::Off).connect(settings);
        let mut environment = local_key();
        environment.insert("MEDIAN_API_URL".to_owned(), api_url.to_owned());
        let workerd = Workerd::support_desk().map(|workerd| workerd.run(&environment).unwrap());
        let lambda = Lambda::support_desk().map(|lambda| lambda.run(&environment).unwrap());
        Self { local: Served::start(server), workerd, lambda }
    }

    fn each(&self) -> Vec<(&'static str, &dyn Transport)> {
        let mut each: Vec<(_, &dyn Transport)> = vec![("local", &self.local)];
        each.extend(self.workerd.as_ref().map(|worker| ("workerd", worker as &dyn Transport)));
        each.extend(self.lambda.as_ref().map(|function| ("Lambda", function as &dyn Transport)));
        each
    }
}

fn with_bearer(bearer: &str) -> Ask {
    Ask::new("GET", &format!("{MOUNT}?x=1")).header("authorization", format!("Bearer {bearer}"))
}

fn asking() -> Ask {
    with_bearer(LOCAL_KEY)
}

fn fails(runtime: &str, answer: &Answer) -> String {
    let code = (answer.status, answer.code().unwrap_or_default());
    assert_eq!(code, (502, "connect_failed".to_owned()), "{runtime}: {answer:?}");
    answer.check_headers().unwrap();
    let message = answer.message();
    assert!(!message.contains(LOCAL_KEY), "{runtime}: {message}");
    message
}

/// What every runtime says when the platform is like this.
fn messages(platform: &Platform) -> Vec<String> {
    let desks = Desks::connecting_to(&platform.url());
    desks.each().iter().map(|(name, desk)| fails(name, &desk.send(&asking()).unwrap())).collect()
}

/// Where the desk is. Whatever makes events for Lambda is there by https, so an event does not say by what it came.
fn url_on(runtime: &str) -> &'static str {
    if runtime == "Lambda" { "https://localhost/api/median" } else { "http://localhost/api/median" }
}

fn refusing(status: &str, body: &str) -> Platform {
    Platform::saying(format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}", body.len()))
}

#[test]
fn the_platform_is_told_the_url_that_the_request_came_to() {
    let platform = Platform::accepting();
    let desks = Desks::connecting_to(&platform.url());
    let each = desks.each();
    for (name, desk) in &each {
        let forwarded =
            asking().header("x-forwarded-host", "else.example").header("x-forwarded-proto", "https");
        let answer = desk.send(&forwarded).unwrap();
        let url = url_on(name);
        let expected = json!({"connected": true, "url": url, "tools": 5});
        assert_eq!((answer.status, answer.json()), (200, expected), "{name}");
        answer.check_headers().unwrap();
    }
    let asked = platform.asked();
    assert_eq!(asked.len(), each.len());
    for (request, (name, _)) in asked.iter().zip(&each) {
        assert!(request.starts_with("POST /v1/tool-endpoints HTTP/1.1\n"), "{request}");
        let body = json!({"url": url_on(name)});
        assert!(request.ends_with(&format!("\n\n{body}")), "{request}");
        for line in [
            format!("authorization: Bearer {LOCAL_KEY}\n"),
            "content-type: application/json\n".to_owned(),
            format!("host: {}\n", platform.url().trim_start_matches("http://")),
        ] {
            assert!(request.contains(&line), "{line:?} is not in {request}");
        }
    }
}

#[test]
fn strangers_cause_no_request() {
    let platform = Platform::accepting();
    let desks = Desks::connecting_to(&platform.url());
    for (name, desk) in desks.each() {
        for (ask, code) in [
            (Ask::new("GET", MOUNT), "missing_signature"),
            (with_bearer("median_key_local_0000000000000000000000000001"), "invalid_signature"),
            (with_bearer(""), "invalid_signature"),
        ] {
            let answer = desk.send(&ask).unwrap();
            assert_eq!((answer.status, answer.code().as_deref()), (401, Some(code)), "{name}: {answer:?}");
        }
    }
    assert_eq!(platform.asked(), Vec::<String>::new());
}

#[test]
fn a_refusal_is_told_in_the_platforms_words_without_the_key_that_it_repeats() {
    let body = json!({"error": {"code": "unauthorized", "message": format!("No endpoint has {LOCAL_KEY}.")}});
    for message in messages(&refusing("401 Unauthorized", &body.to_string())) {
        assert!(message.contains("(status 401). It says: No endpoint has (the key)."), "{message}");
    }
}

#[test]
fn a_redirect_does_not_take_the_key_along() {
    let elsewhere = Platform::accepting();
    let redirect =
        format!("HTTP/1.1 307 Moved\r\nlocation: {}/v1\r\ncontent-length: 0\r\n\r\n", elsewhere.url());
    for message in messages(&Platform::saying(redirect)) {
        assert!(message.contains("redirect (status 307)"), "{message}");
    }
    assert_eq!(elsewhere.asked(), Vec::<String>::new());
}

#[test]
fn an_answer_that_is_no_http_is_a_failure() {
    for message in messages(&Platform::saying("what do you want?\r\n\r\n")) {
        assert!(message.contains("MEDIAN_API_URL"), "{message}");
    }
}

#[test]
fn an_answer_without_end_is_left_where_it_is_too_long() {
    let endless = |status: &'static str| {
        Platform::doing(move |stream| {
            let head = format!("HTTP/1.1 {status}\r\ncontent-length: 99999999999\r\n\r\n");
            let _ = stream.write_all(head.as_bytes());
            while stream.write_all(&[b'x'; 4096]).is_ok() {}
        })
    };
    for message in messages(&endless("500 Broken")) {
        assert!(message.contains("status 500") && !message.contains('x'), "{message}");
    }
    let desks = Desks::connecting_to(&endless("202 Accepted").url());
    for (name, desk) in desks.each() {
        assert_eq!(desk.send(&asking()).unwrap().status, 200, "{name}");
    }
}

#[test]
fn a_platform_that_does_not_answer_is_not_waited_for_longer_than_ten_seconds() {
    for message in messages(&Platform::doing(|_| thread::sleep(Duration::from_secs(15)))) {
        assert!(message.contains("did not answer within 10 seconds"), "{message}");
    }
}

#[test]
fn nobody_at_the_address_is_told() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let desks = Desks::connecting_to(&format!("http://{free}"));
    for (name, desk) in desks.each() {
        let message = fails(name, &desk.send(&asking()).unwrap());
        assert!(message.contains("cannot be reached"), "{name}: {message}");
    }
}

#[test]
fn whoever_cannot_show_a_certificate_gets_no_key() {
    let platform = Platform::saying("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n");
    let desks = Desks::connecting_to(&platform.https_url());
    for (name, desk) in desks.each() {
        let message = fails(name, &desk.send(&asking()).unwrap());
        assert!(message.contains("MEDIAN_API_URL"), "{name}: {message}");
    }
    assert!(!platform.asked().concat().contains("median_key"), "{:?}", platform.asked());
}

#[test]
fn a_worker_logs_that_it_was_connected_and_nothing_of_the_key() {
    let platform = Platform::accepting();
    let desks = Desks::connecting_to(&platform.url());
    let Some(worker) = &desks.workerd else { return };
    assert_eq!(worker.send(&asking()).unwrap().status, 200);
    let line = worker.wait_for_log(r#""asked":"connect""#);
    assert!(line.contains(r#""status":200"#), "{line}");
    assert!(!worker.log().concat().contains(LOCAL_KEY));
}

#[test]
fn a_function_is_connected_by_its_public_url_and_logs_nothing_of_the_key() {
    let platform = Platform::accepting();
    let mut environment = local_key();
    environment.insert("MEDIAN_API_URL".to_owned(), platform.url());
    environment.insert("MEDIAN_PUBLIC_URL".to_owned(), "https://shop.example/tools".to_owned());
    let Some(function) = Lambda::support_desk().map(|lambda| lambda.run(&environment).unwrap()) else {
        return;
    };
    let answer = function.send(&asking()).unwrap();
    assert_eq!((answer.status, &answer.json()["url"]), (200, &json!("https://shop.example/tools")));
    let line = function.wait_for_log(r#""asked":"connect""#);
    assert!(line.contains(r#""status":200"#), "{line}");
    assert!(!function.log().concat().contains(LOCAL_KEY));
}
