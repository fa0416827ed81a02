//! What is made of an event, where the answer does not show it.

use super::{Front, Incoming, Unreadable};
use serde_json::{Value, json};

fn url(members: &Value) -> Vec<u8> {
    let mut event = json!({
        "version": "2.0", "rawPath": "/shop", "rawQueryString": "a=1&b=%22", "headers": {"Accept": "text/html"},
        "requestContext": {"http": {"method": "PUT", "path": "/shop"}, "stage": "$default"},
        "body": "hi", "isBase64Encoded": false,
    });
    for (name, value) in members.as_object().unwrap() {
        event[name] = value.clone();
    }
    serde_json::to_vec(&event).unwrap()
}

fn http(event: &[u8]) -> http::Request<Vec<u8>> {
    Incoming::parse(event).unwrap().into_http().unwrap()
}

fn values<'a>(request: &'a http::Request<Vec<u8>>, name: &str) -> Vec<&'a str> {
    request.headers().get_all(name).iter().map(|value| value.to_str().unwrap()).collect()
}

#[test]
fn the_applications_routes_get_the_request_as_it_was_sent() {
    let request = http(&url(&json!({"body": "aGnDqQ==", "isBase64Encoded": true})));
    assert_eq!((request.method().as_str(), request.uri().to_string().as_str()), ("PUT", "/shop?a=1&b=%22"));
    assert_eq!(
        (values(&request, "accept"), request.body().as_slice()),
        (vec!["text/html"], "hié".as_bytes())
    );
}

#[test]
fn cookies_that_have_a_list_of_their_own_are_one_header() {
    let request = http(&url(&json!({"cookies": ["a=1", "b=2"]})));
    assert_eq!(values(&request, "cookie"), ["a=1; b=2"]);
}

#[test]
fn all_values_of_a_header_are_lines_and_the_single_map_adds_what_they_lack() {
    let request = http(&url(&json!({
        "headers": {"X-A": "2", "x-b": "3"}, "multiValueHeaders": {"x-a": ["1", "2"], "x-c": null},
    })));
    assert_eq!((values(&request, "x-a"), values(&request, "x-b")), (vec!["1", "2"], vec!["3"]));
}

#[test]
fn a_query_of_a_rest_api_is_written_anew() {
    let event = json!({
        "httpMethod": "GET", "path": "/shop", "requestContext": {"stage": "Prod"},
        "queryStringParameters": {"a": "2", "b": "c d&é"},
        "multiValueQueryStringParameters": {"a": ["1", "2"], "b": ["c d&é"]},
    });
    assert_eq!(
        http(&serde_json::to_vec(&event).unwrap()).uri().to_string(),
        "/shop?a=1&a=2&b=c%20d%26%C3%A9"
    );
}

#[test]
fn a_query_of_a_load_balancer_stays_as_it_was_sent() {
    let event = json!({
        "httpMethod": "GET", "path": "/shop", "requestContext": {"elb": {}}, "queryStringParameters": {"a": "b%20c"},
    });
    assert_eq!(http(&serde_json::to_vec(&event).unwrap()).uri().to_string(), "/shop?a=b%20c");
}

#[test]
fn a_stage_is_taken_off_the_path_once_and_whole() {
    let path = |raw: &str, stage: &str| {
        let context = json!({"http": {"method": "GET"}, "stage": stage});
        let event = url(&json!({"rawPath": raw, "requestContext": context}));
        Incoming::parse(&event).unwrap().path_in_stage().to_owned()
    };
    assert_eq!(path("/prod/shop", "prod"), "/shop");
    assert_eq!(path("/prod/prod/shop", "prod"), "/prod/shop");
    assert_eq!(path("/prod", "prod"), "/");
    assert_eq!(path("/prod/", "prod"), "/");
    assert_eq!(path("/production", "prod"), "/production");
    assert_eq!(path("/$default/shop", "$default"), "/$default/shop");
    assert_eq!(path("/shop", ""), "/shop");
}

#[test]
fn a_rest_api_has_no_stage_in_its_path() {
    let event = json!({"httpMethod": "GET", "path": "/prod/shop", "requestContext": {"stage": "prod"}});
    let event = serde_json::to_vec(&event).unwrap();
    let incoming = Incoming::parse(&event).unwrap();
    assert_eq!((incoming.front, incoming.path_in_stage()), (Front::RestApi, "/prod/shop"));
}

#[test]
fn what_is_no_request_at_all_is_not_handed_to_the_applications_routes() {
    for members in [
        json!({"headers": {"x-odd": "a\r\nb"}}),
        json!({"headers": {"x odd": "a"}}),
        json!({"rawQueryString": "<a b>"}),
        json!({"rawPath": "/a b"}),
        json!({"rawPath": "http://[::1"}),
        json!({"requestContext": {"http": {"method": "G T"}}}),
    ] {
        let event = url(&members);
        assert_eq!(Incoming::parse(&event).unwrap().into_http().unwrap_err(), Unreadable::Head, "{members}");
    }
    let event = url(&json!({"isBase64Encoded": true, "body": "!"}));
    assert!(matches!(Incoming::parse(&event).unwrap().into_http(), Err(Unreadable::Body(_))));
}

#[test]
fn an_error_shows_nothing_of_the_event() {
    let event = url(&json!({"headers": {"cookie": 4_242_424_242_u64}}));
    let error = Incoming::parse(&event).err().unwrap().to_string();
    assert!(error.contains("line 1, column") && !error.contains("4242"), "{error}");
}

#[cfg(feature = "connect")]
fn url_of(event: &Value) -> Option<String> {
    Incoming::parse(&serde_json::to_vec(event).unwrap()).unwrap().url
}

#[cfg(feature = "connect")]
#[test]
fn the_url_is_the_fronts_own_with_its_stage_and_never_a_headers() {
    let headers =
        json!({"host": "else.example", "x-forwarded-host": "else.example", "x-forwarded-proto": "http"});
    let http_api = json!({
        "rawPath": "/prod/api/median", "rawQueryString": "x=1", "headers": headers,
        "requestContext": {"http": {"method": "GET"}, "stage": "prod", "domainName": "a.example"},
    });
    let rest_api = json!({
        "httpMethod": "GET", "path": "/api/median", "headers": headers,
        "requestContext": {"stage": "prod", "path": "/prod/api/median", "domainName": "a.example"},
    });
    for event in [http_api, rest_api] {
        assert_eq!(url_of(&event).as_deref(), Some("https://a.example/prod/api/median"), "{event}");
    }
}

#[cfg(feature = "connect")]
#[test]
fn a_load_balancer_does_not_say_where_it_is() {
    let headers = json!({"host": "a.example", "x-forwarded-proto": "https"});
    let event = json!({"httpMethod": "GET", "path": "/api/median", "headers": headers, "requestContext": {"elb": {}}});
    assert_eq!(url_of(&event), None);
}
