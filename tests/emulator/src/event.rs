//! The event that a function URL makes of a request.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

/// A request, as it came.
#[derive(Clone, Debug, Default)]
pub struct Incoming {
    /// The method, as it was sent.
    pub method: String,
    /// The path, as it was sent.
    pub path: String,
    /// What was sent behind the `?`, or nothing.
    pub query: String,
    /// The header lines, in order. A name that is there twice is two lines.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body.
    pub body: Vec<u8>,
    /// The client's address.
    pub source_ip: String,
}

/// How a body gets into an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As AWS has it: text when its type says so and it is UTF-8, else base64.
    ByType,
    /// Always base64, which is as good: which one a front takes is its own affair.
    Base64,
}

/// The event of a request, as JSON.
pub fn function_url(request: &Incoming, encoding: Encoding) -> Vec<u8> {
    let (headers, cookies) = headers(request);
    let domain = headers.get("host").map_or("", |host| host.split(':').next().unwrap_or_default()).to_owned();
    let now = SystemTime::now();
    let mut event = json!({
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": request.path,
        "rawQueryString": request.query,
        "requestContext": {
            "accountId": "anonymous",
            "apiId": domain.split('.').next(),
            "domainName": domain,
            "domainPrefix": domain.split('.').next(),
            "http": {
                "method": request.method,
                "path": request.path,
                "protocol": "HTTP/1.1",
                "sourceIp": request.source_ip,
                "userAgent": headers.get("user-agent"),
            },
            "requestId": request_id(),
            "routeKey": "$default",
            "stage": "$default",
            "time": clf_time(now),
            "timeEpoch": since_epoch(now).as_millis(),
        },
        "headers": headers,
    });
    if !request.query.is_empty() {
        event["queryStringParameters"] = json!(parameters(&request.query));
    }
    if !cookies.is_empty() {
        event["cookies"] = json!(cookies);
    }
    // Without a body there is no member for it.
    let (body, is_base64) = body(request, encoding);
    if let Some(body) = body {
        event["body"] = body.into();
    }
    event["isBase64Encoded"] = is_base64.into();
    event.to_string().into_bytes()
}

/// Names in lower case, lines of one name joined, cookies apart; and what the front itself says of the connection, whatever
/// the client said.
fn headers(request: &Incoming) -> (BTreeMap<String, String>, Vec<String>) {
    let mut headers: BTreeMap<String, String> = BTreeMap::new();
    let mut cookies = Vec::new();
    for (name, value) in &request.headers {
        let name = name.to_ascii_lowercase();
        let value = text(value);
        if name == "cookie" {
            cookies.extend(value.split(';').map(|cookie| cookie.trim().to_owned()));
            continue;
        }
        let joined = headers.entry(name);
        joined.and_modify(|all| *all = format!("{all},{value}")).or_insert(value);
    }
    headers.insert("x-forwarded-for".to_owned(), request.source_ip.clone());
    headers.insert("x-forwarded-proto".to_owned(), "http".to_owned());
    (headers, cookies)
}

/// An event is JSON, so a header's bytes become text.
fn text(value: &[u8]) -> String {
    match std::str::from_utf8(value) {
        Ok(text) => text.to_owned(),
        Err(_) => value.iter().copied().map(char::from).collect(),
    }
}

/// The parameters by name, the values of one name joined. Nothing is decoded here: who wants that reads the query.
fn parameters(query: &str) -> BTreeMap<String, String> {
    let mut parameters: BTreeMap<String, String> = BTreeMap::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let joined = parameters.entry(name.to_owned());
        joined.and_modify(|all| *all = format!("{all},{value}")).or_insert_with(|| value.to_owned());
    }
    parameters
}

/// The body as it stands in the event, and whether that is base64.
fn body(request: &Incoming, encoding: Encoding) -> (Option<String>, bool) {
    if request.body.is_empty() {
        return (None, false);
    }
    match std::str::from_utf8(&request.body) {
        Ok(text) if encoding == Encoding::ByType && is_text(content_type(request).as_deref()) => {
            (Some(text.to_owned()), false)
        }
        _ => (Some(STANDARD.encode(&request.body)), true),
    }
}

fn content_type(request: &Incoming) -> Option<String> {
    let found = request.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    found.map(|(_, value)| text(value).to_ascii_lowercase())
}

/// Whether a body of this type is text. Without a type it is.
fn is_text(content_type: Option<&str>) -> bool {
    let Some(content_type) = content_type else {
        return true;
    };
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    let named = ["application/json", "application/javascript", "application/xml"];
    media_type.starts_with("text/")
        || named.contains(&media_type)
        || media_type.ends_with("+json")
        || media_type.ends_with("+xml")
}

/// Each request has another one.
fn request_id() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("00000000-0000-4000-8000-{:012x}", COUNT.fetch_add(1, Ordering::Relaxed))
}

fn since_epoch(now: SystemTime) -> Duration {
    now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// A time as access logs have it: `12/Mar/2026:19:03:58 +0000`.
fn clf_time(now: SystemTime) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let text = humantime::format_rfc3339_seconds(now).to_string();
    let (date, time) = text.trim_end_matches('Z').split_once('T').unwrap_or_default();
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    let month = month.and_then(|month| MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?));
    let (year, month, day) =
        (year.unwrap_or_default(), month.copied().unwrap_or_default(), day.unwrap_or_default());
    format!("{day}/{month}/{year}:{time} +0000")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn request(headers: &[(&str, &[u8])], body: &[u8]) -> Incoming {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), value.to_vec())).collect();
        let (method, path) = ("POST".to_owned(), "/api/a%20b".to_owned());
        let query = "a=1&b=%20&a=2".to_owned();
        Incoming { method, path, query, headers, body: body.to_vec(), source_ip: "127.0.0.1".to_owned() }
    }

    fn event_of(headers: &[(&str, &[u8])], body: &[u8]) -> Value {
        serde_json::from_slice(&function_url(&request(headers, body), Encoding::ByType)).unwrap()
    }

    #[test]
    fn path_and_query_are_as_they_were_sent() {
        let event = event_of(&[], b"");
        assert_eq!(event["rawPath"], "/api/a%20b");
        assert_eq!(event["rawQueryString"], "a=1&b=%20&a=2");
        assert_eq!(event["queryStringParameters"], json!({"a": "1,2", "b": "%20"}));
        assert_eq!(event["requestContext"]["http"]["method"], "POST");
    }

    #[test]
    fn header_names_are_in_lower_case_and_lines_of_one_name_are_joined() {
        let event = event_of(&[("X-A", b"1"), ("x-a", b"2"), ("Blank", b"")], b"");
        assert_eq!((&event["headers"]["x-a"], &event["headers"]["blank"]), (&json!("1,2"), &json!("")));
    }

    #[test]
    fn cookies_are_apart() {
        let event = event_of(&[("Cookie", b"a=1; b=2"), ("cookie", b"c=3")], b"");
        assert_eq!(event["cookies"], json!(["a=1", "b=2", "c=3"]));
        assert_eq!(event["headers"].get("cookie"), None);
    }

    #[test]
    fn what_the_front_says_of_the_connection_is_its_own() {
        let event = event_of(&[("x-forwarded-proto", b"https"), ("x-forwarded-for", b"10.0.0.1")], b"");
        assert_eq!(event["headers"]["x-forwarded-proto"], "http");
        assert_eq!(event["headers"]["x-forwarded-for"], "127.0.0.1");
    }

    #[test]
    fn header_bytes_that_are_no_text_become_text() {
        assert_eq!(event_of(&[("a", b"\xff")], b"")["headers"]["a"], "\u{ff}");
        assert_eq!(event_of(&[("a", "é".as_bytes())], b"")["headers"]["a"], "é");
    }

    #[test]
    fn a_body_is_text_when_its_type_says_so_and_it_is_text() {
        for (content_type, body, is_base64) in [
            ("application/json", "é".as_bytes(), false),
            ("Application/JSON; charset=utf-8", b"{}", false),
            ("text/plain", b"x", false),
            ("application/problem+json", b"{}", false),
            ("application/octet-stream", b"{}", true),
            ("application/x-www-form-urlencoded", b"a=1", true),
            ("application/json", b"\xff", true),
        ] {
            let event = event_of(&[("content-type", content_type.as_bytes())], body);
            let shown = if is_base64 { STANDARD.encode(body) } else { text(body) };
            assert_eq!(event["isBase64Encoded"], is_base64, "{content_type}");
            assert_eq!(event["body"], shown, "{content_type}");
        }
    }

    #[test]
    fn a_body_without_a_type_is_text_and_without_bytes_it_is_not_there() {
        assert_eq!(event_of(&[], b"x")["body"], "x");
        assert_eq!(event_of(&[], b"").get("body"), None);
    }

    #[test]
    fn a_time_is_shown_as_in_access_logs() {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_790_000_000);
        assert_eq!(clf_time(time), "21/Sep/2026:14:13:20 +0000");
    }
}
