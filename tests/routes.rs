//! Which path is whose: the endpoint's, the application's own, or nobody's.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::IntoResponse;
use axum::routing::get;
use median_edge::application_manifest::{Application, StorageMode};
use median_edge::prelude::*;
use median_edge::{Keys, MedianKey};
use median_edge_local::{LogFormat, Server, router};
use median_edge_tests::{
    Ask, Connection, MOUNT, NOW_MS, Report, Served, Transport, Workshop, call, called, signed, workshop,
};
use serde_json::json;

fn keys() -> Keys {
    Keys::new(MedianKey::local())
}

/// Tells what it was asked, and gives the body back.
async fn mirror(request: Request) -> impl IntoResponse {
    let (parts, body) = request.into_parts();
    let cookie = parts.headers.get("cookie").map(|value| value.as_bytes().to_vec()).unwrap_or_default();
    let heading = format!("{} {} {}\n", parts.method, parts.uri, String::from_utf8_lossy(&cookie));
    let mut bytes = heading.into_bytes();
    bytes.extend_from_slice(&axum::body::to_bytes(body, usize::MAX).await.unwrap());
    Body::from(bytes)
}

#[test]
fn the_endpoint_answers_with_and_without_a_trailing_slash_and_never_redirects() {
    let server = Served::start(Workshop::default().server());
    let mut report = Report::default();
    for (target, status) in [
        ("/api/median", 200),
        ("/api/median/", 200),
        ("/api/median?x=1", 200),
        ("/api/median/?", 200),
        ("http://example.com/api/median", 200),
        ("/api/median//", 404),
        ("/api/median/x", 404),
        ("/api%2Fmedian", 404),
        ("/api/m%65dian", 404),
        ("/API/median", 404),
        ("/api/../api/median", 404),
        ("/api/./median", 404),
        ("//api/median", 404),
        ("/", 404),
        ("/healthz/", 404),
        ("/%2fhealthz", 404),
    ] {
        for ask in [signed("GET", target, ""), signed("POST", target, call("echo", &json!({"text": "x"})))] {
            let answer = server.send(&ask).unwrap();
            report.equal(format!("{} {target}", ask.method), &answer.status, &status);
            report.check(target, answer.check_headers());
        }
    }
    report.finish();
}

#[test]
fn what_is_not_the_endpoints_goes_to_the_application_untouched() {
    let workshop = Workshop::default();
    let site = Router::new().route("/", get(async || "the shop")).fallback(mirror);
    let server = Served::start(workshop.server().fallback(site));

    assert_eq!(server.send(&Ask::new("GET", "/")).unwrap().body, b"the shop");
    // More than the endpoint would read, and a header that is no text.
    let body = vec![7; 3 * 1024 * 1024];
    let ask = Ask::new("PUT", "/a%2Fb/../c?d=e%20f").header("cookie", b"a=\xff").body(body.clone());
    let answer = server.send(&ask).unwrap();
    let heading = "PUT /a%2Fb/../c?d=e%20f a=\u{fffd}\n".as_bytes();
    assert!(answer.body.starts_with(heading), "{:?}", String::from_utf8_lossy(&answer.body[..60]));
    assert_eq!(answer.body.len(), heading.len() + body.len());
    assert!(answer.header("cache-control").is_none(), "the application's answers are its own");

    // What is the endpoint's stays the endpoint's.
    assert_eq!(server.send(&called("echo", &json!({"text": "x"}))).unwrap().json(), json!({"result": "x"}));
    assert_eq!(server.send(&Ask::new("PUT", MOUNT)).unwrap().status, 405);
    assert_eq!(server.send(&Ask::new("GET", "/healthz")).unwrap().json(), json!({"ok": true}));
    assert_eq!(workshop.events().len(), 2, "the application's requests are no events of the endpoint");
}

#[test]
fn a_request_for_nobody_is_told_where_the_endpoint_is() {
    let server = Served::start(Workshop::default().server());
    let answer = server.send(&Ask::new("GET", "/favicon.ico")).unwrap();
    assert_eq!((answer.status, answer.code().as_deref()), (404, Some("not_found")));
    assert!(answer.message().contains(MOUNT), "{}", answer.message());
}

#[test]
fn an_endpoint_at_the_root_takes_what_nothing_else_claims() {
    let state = Workshop::default();
    let endpoint = workshop(&state).mount("/").build().unwrap();
    let site = Router::new().fallback(mirror);
    let server = Served::start(Server::new(endpoint, state).keys(keys()).log(LogFormat::Off).fallback(site));
    for target in ["/", "/any/thing", "/api/median/"] {
        assert_eq!(server.send(&signed("GET", target, "")).unwrap().status, 200, "{target}");
    }
    assert_eq!(server.send(&Ask::new("GET", "/healthz")).unwrap().json(), json!({"ok": true}));
}

#[test]
fn an_axum_application_merges_the_endpoint() {
    let state = Workshop::default();
    let endpoint = workshop(&state).build().unwrap();
    let site = Router::new().route("/", get(async || "the shop")).merge(router(endpoint, state, keys()));
    let server = Served::routes(site);
    assert_eq!(server.send(&Ask::new("GET", "/")).unwrap().body, b"the shop");
    for target in ["/api/median", "/api/median/", "/api/median?x"] {
        assert_eq!(server.send(&signed("GET", target, "")).unwrap().status, 200, "{target}");
        let call = signed("POST", target, call("echo", &json!({"text": "x"})));
        assert_eq!(server.send(&call).unwrap().json(), json!({"result": "x"}), "{target}");
    }
    let answer = server.send(&Ask::new("OPTIONS", MOUNT)).unwrap();
    assert_eq!(answer.status, 405);
    answer.check_headers().unwrap();
    // Health is the application's own matter.
    assert_eq!(server.send(&Ask::new("GET", "/healthz")).unwrap().status, 404);
}

#[test]
fn an_axum_application_nests_an_endpoint_that_is_mounted_at_what_is_left() {
    let state = Workshop::default();
    let at_root = router(workshop(&state).mount("/").build().unwrap(), state.clone(), keys());
    let at_path = router(workshop(&state).mount("/median").build().unwrap(), state, keys());
    let server = Served::routes(Router::new().nest_service("/tools", at_root).nest("/api", at_path));
    for target in ["/tools", "/tools/", "/tools/x", "/api/median", "/api/median/"] {
        assert_eq!(server.send(&signed("GET", target, "")).unwrap().status, 200, "{target}");
    }
}

#[test]
fn a_mount_path_is_text_and_no_pattern() {
    for mount in ["/{tools}", "/:tools", "/*tools", "/a{b/c}d"] {
        let state = Workshop::default();
        let endpoint = workshop(&state).mount(mount).build().unwrap();
        let server = Served::routes(router(endpoint, state, keys()));
        assert_eq!(server.send(&signed("GET", mount, "")).unwrap().status, 200, "{mount}");
        assert_eq!(server.send(&signed("GET", "/other", "")).unwrap().status, 404, "{mount}");
    }
}

#[test]
fn the_application_manifest_is_answered_by_a_server_and_by_a_router() {
    let build = || {
        let state = Workshop::default();
        let application =
            Application::new("workshop", "1.0.0", "The tests' own.").storage_mode(StorageMode::Memory);
        let ping = Tool::builder("ping", "Answer.").risk(Risk::Low).output::<()>();
        let ping = ping.run(async |_: Context<'_, Workshop>| ToolResult::Ok(()));
        (Endpoint::builder().tools([ping]).application(application).clock(|| NOW_MS).build().unwrap(), state)
    };
    let (endpoint, state) = build();
    let served = Served::start(Server::new(endpoint, state).keys(keys()).log(LogFormat::Off));
    let (endpoint, state) = build();
    let routed = Served::routes(router(endpoint, state, keys()));
    for server in [served, routed] {
        for target in ["/agent/manifest", "/agent/manifest/", "/agent/manifest?x"] {
            let answer = server.send(&Ask::new("GET", target)).unwrap();
            assert_eq!((answer.status, &answer.json()["name"]), (200, &json!("workshop")), "{target}");
            answer.check_headers().unwrap();
        }
        let answer = server.send(&Ask::new("POST", "/agent/manifest").body("{}")).unwrap();
        assert_eq!((answer.status, answer.header("allow")), (405, Some("GET")));
        assert_eq!(server.send(&signed("GET", MOUNT, "")).unwrap().status, 200);
    }
}

#[test]
fn the_limits_on_bodies_and_calls_hold_in_a_router_too() {
    let workshop = Workshop::default();
    let server = Served::routes(workshop.server().max_calls(1).into_router());
    let large = signed("POST", MOUNT, vec![b' '; 1_048_577]);
    assert_eq!(server.send(&large).unwrap().code().as_deref(), Some("invalid_body"));
    let mut held = Connection::open(server.address()).unwrap();
    held.write(called("hold", &json!({})).bytes()).unwrap();
    workshop.wait_until("the call begins", |workshop| workshop.started() == 1);
    assert_eq!(server.send(&called("echo", &json!({"text": "x"}))).unwrap().status, 503);
    workshop.let_go(1);
    assert_eq!(held.answer_to("POST").unwrap().status, 200);
}
