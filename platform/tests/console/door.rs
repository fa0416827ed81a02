//! What the console lets in and what it says of itself, seen without a browser.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use super::scene::{OWN_KEY, Scene, options};

/// The answer to a GET, its head and its body.
async fn get(url: &str, path: &str, headers: &str) -> (String, String) {
    let address = url.trim_start_matches("http://").to_owned();
    let host = if headers.contains("host:") { String::new() } else { format!("host: {address}\r\n") };
    let request = format!("GET {path} HTTP/1.1\r\n{host}connection: close\r\n{headers}\r\n");
    let asked = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it is sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("it is text");
        text
    });
    let text = asked.await.expect("nothing panics");
    let (head, body) = text.split_once("\r\n\r\n").expect("it is HTTP");
    (head.to_ascii_lowercase(), body.to_owned())
}

#[tokio::test]
async fn every_file_of_the_page_comes_with_the_strict_policy() {
    let scene = Scene::start(options()).await;
    let (head, page) = get(&scene.url, "/", "").await;
    let files = page.split('"').filter(|word| word.starts_with("/console/"));
    let files: Vec<_> = std::iter::once("/").chain(files).collect();
    assert!(files.len() >= 4, "{files:?}");
    for file in files {
        let (head, _) = get(&scene.url, file, "").await;
        assert!(head.starts_with("http/1.1 200"), "{file}: {head}");
        assert!(
            head.contains("content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'"),
            "{file}"
        );
        assert!(head.contains("frame-ancestors 'none'") && head.contains("base-uri 'none'"), "{file}");
        assert!(
            head.contains("x-content-type-options: nosniff") && head.contains("referrer-policy: no-referrer"),
            "{file}"
        );
    }
    assert!(!head.contains("set-cookie"), "nothing is kept that a browser sends by itself");
}

#[tokio::test]
async fn the_page_asks_no_other_address_for_anything() {
    let scene = Scene::start(options()).await;
    let (_, page) = get(&scene.url, "/", "").await;
    assert!(!page.contains("http:") && !page.contains("https:") && !page.contains(" style="), "{page}");
    assert!(!page.contains("<script>"), "scripts are files");
}

#[tokio::test]
async fn another_host_gets_no_page() {
    let scene = Scene::start(options()).await;
    let (head, _) = get(&scene.url, "/", "host: evil.example\r\n").await;
    assert!(head.starts_with("http/1.1 403"), "{head}");
}

#[tokio::test]
async fn the_page_of_another_origin_gets_nothing_even_with_the_key() {
    let scene = Scene::start(options()).await;
    let key = median_edge::key::LOCAL_KEY;
    let headers = format!("authorization: Bearer {key}\r\norigin: http://evil.example\r\n");
    let (head, _) = get(&scene.url, "/v1/tools", &headers).await;
    assert!(head.starts_with("http/1.1 403"), "{head}");
}

#[tokio::test]
async fn with_a_key_of_ones_own_the_page_gives_no_secret() {
    let scene = Scene::with_own_key().await;
    let (_, token) = scene.console.split_once("#token=").expect("its link has a token");
    let (_, page) = get(&scene.url, "/", "").await;
    assert!(!page.contains(token) && !page.contains(OWN_KEY) && !page.contains("median_key_"), "{page}");
    let (head, _) = get(&scene.url, "/v1/tools", "").await;
    assert!(head.starts_with("http/1.1 401"), "{head}");
    let (head, _) = get(&scene.url, "/v1/tools", &format!("authorization: Bearer {token}\r\n")).await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
}

#[tokio::test]
async fn each_start_has_a_token_of_its_own() {
    let (one, other) = (Scene::with_own_key().await, Scene::with_own_key().await);
    let token = |scene: &Scene| scene.console.split_once('#').map(|(_, token)| token.to_owned());
    assert_ne!(token(&one), token(&other));
    let (_, token) = one.console.split_once("#token=").expect("its link has a token");
    let (head, _) = get(&other.url, "/v1/tools", &format!("authorization: Bearer {token}\r\n")).await;
    assert!(head.starts_with("http/1.1 401"), "{head}");
}
