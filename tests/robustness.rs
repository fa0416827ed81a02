//! Requests that no client would send, or that arrive in a way that no client means: each is answered or dropped, and
//! the next one is served.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use median_edge_local::Server;
use median_edge_tests::{
    Answer, Ask, Child, Connection, MOUNT, Report, Served, Transport, Workshop, call, called, local_key,
    signed,
};
use serde_json::json;

/// The cap on bodies.
const CAP: usize = 1_048_576;

fn echo(text: &str) -> Ask {
    called("echo", &json!({"text": text}))
}

/// The signature of a body, as a header line.
fn signature(body: &[u8]) -> String {
    let ask = signed("POST", MOUNT, body);
    format!("median-signature: {}\r\n", String::from_utf8_lossy(&ask.headers[0].1))
}

/// The head of a signed POST with these header lines beside the signature.
fn head(body: &[u8], lines: &str) -> String {
    format!("POST {MOUNT} HTTP/1.1\r\nhost: localhost\r\n{}{lines}\r\n", signature(body))
}

/// A body in chunks of so many bytes, with its end.
fn chunked(body: &[u8], size: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for chunk in body.chunks(size) {
        bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        bytes.extend_from_slice(chunk);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"0\r\n\r\n");
    bytes
}

/// A body of so many bytes that is a call of `echo`.
fn echo_of(bytes: usize) -> Vec<u8> {
    let mut body = call("echo", &json!({"text": "x"}));
    body.resize(bytes, b' ');
    body
}

fn serves(server: &Served) {
    assert_eq!(server.send(&echo("still here")).unwrap().json(), json!({"result": "still here"}));
}

fn refused(answer: &Answer) {
    assert_eq!((answer.status, answer.code().as_deref()), (400, Some("invalid_body")), "{answer:?}");
    answer.check_headers().unwrap();
}

#[test]
fn a_body_that_is_said_to_be_over_the_cap_is_refused_before_it_is_sent() {
    let server = Served::start(Workshop::default().server());
    for length in [CAP as u64 + 1, u64::MAX / 2] {
        let mut connection = Connection::open(server.address()).unwrap();
        connection.write(head(b"", &format!("content-length: {length}\r\n"))).unwrap();
        refused(&connection.answer_to("POST").unwrap());
    }
    serves(&server);
}

#[test]
fn a_body_over_the_cap_is_answered_to_a_client_that_sends_it_whole_before_it_reads() {
    let server = Served::start(Workshop::default().server());
    let body = vec![b' '; 4 * CAP];
    let mut connection = Connection::open(server.address()).unwrap();
    connection.write(head(&body, &format!("content-length: {}\r\n", body.len()))).unwrap();
    connection.write(&body).unwrap();
    refused(&connection.answer_to("POST").unwrap());

    let mut connection = Connection::open(server.address()).unwrap();
    connection.write(head(&body, "transfer-encoding: chunked\r\n")).unwrap();
    connection.write(chunked(&body, 10_000)).unwrap();
    refused(&connection.answer_to("POST").unwrap());
    serves(&server);
}

#[test]
fn a_body_without_an_end_is_refused_at_the_cap() {
    let server = Served::start(Workshop::default().server());
    let mut connection = Connection::open(server.address()).unwrap();
    connection.write(head(b"", "transfer-encoding: chunked\r\n")).unwrap();
    let chunk = [b"10000\r\n".as_slice(), &vec![b' '; 0x10000], b"\r\n"].concat();
    // The server takes a little more than it wants, then nothing: one of the writes fails.
    let sent = (0..4096).take_while(|_| connection.write(&chunk).is_ok()).count();
    assert!((16..4096).contains(&sent), "{sent} chunks were taken");
    serves(&server);
}

#[test]
fn a_body_at_the_cap_is_a_call_and_one_byte_more_is_not() {
    let server = Served::start(Workshop::default().server());
    let at = echo_of(CAP);
    let over = echo_of(CAP + 1);
    assert_eq!(server.send(&signed("POST", MOUNT, &at)).unwrap().json(), json!({"result": "x"}));
    refused(&server.send(&signed("POST", MOUNT, &over)).unwrap());
    for (body, status) in [(&at, 200), (&over, 400)] {
        let mut connection = Connection::open(server.address()).unwrap();
        connection.write(head(body, "transfer-encoding: chunked\r\n")).unwrap();
        connection.write(chunked(body, 70_000)).unwrap();
        assert_eq!(connection.answer_to("POST").unwrap().status, status);
    }
}

#[test]
fn a_body_in_chunks_is_the_same_body() {
    let server = Served::start(Workshop::default().server());
    let body = call("echo", &json!({"text": "in pieces"}));
    for size in [1, 7, 1000] {
        let mut connection = Connection::open(server.address()).unwrap();
        connection.write(head(&body, "transfer-encoding: chunked\r\n")).unwrap();
        for piece in chunked(&body, size).chunks(11) {
            connection.write(piece).unwrap();
        }
        assert_eq!(connection.answer_to("POST").unwrap().json(), json!({"result": "in pieces"}));
        // Nothing is left on the connection.
        assert_eq!(connection.send(&echo("next")).unwrap().json(), json!({"result": "next"}));
    }
}

#[test]
fn extensions_and_trailers_of_chunks_say_nothing() {
    let server = Served::start(Workshop::default().server());
    let body = call("echo", &json!({"text": "x"}));
    let mut bytes = format!("{:x};name=value\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(&body);
    bytes.extend_from_slice(b"\r\n0\r\nmedian-signature: t=1,v1=00\r\n\r\n");
    let mut connection = Connection::open(server.address()).unwrap();
    connection.write(head(&body, "transfer-encoding: chunked\r\n")).unwrap();
    connection.write(bytes).unwrap();
    assert_eq!(connection.answer_to("POST").unwrap().json(), json!({"result": "x"}));
}

#[test]
fn a_body_that_ends_before_its_end_is_refused_and_the_connection_closed() {
    let workshop = Workshop::default();
    let server = Served::start(workshop.server());
    let body = call("echo", &json!({"text": "x"}));
    let length = format!("content-length: {}\r\n", body.len() + 1);
    for (lines, sent) in [
        (length.as_str(), body.clone()),
        ("transfer-encoding: chunked\r\n", format!("{:x}\r\n", body.len()).into_bytes()),
        ("transfer-encoding: chunked\r\n", b"zz\r\n".to_vec()),
    ] {
        let mut connection = Connection::open(server.address()).unwrap();
        connection.write(head(&body, lines)).unwrap();
        connection.write(sent).unwrap();
        connection.finish_writing().unwrap();
        refused(&connection.answer_to("POST").unwrap());
        assert_eq!(connection.rest().unwrap(), b"");
    }
    // And when the client is gone altogether.
    let mut connection = Connection::open(server.address()).unwrap();
    connection.write(head(&body, &length)).unwrap();
    drop(connection);
    serves(&server);
    assert_eq!(workshop.events().len(), 1, "what never came whole never reached the endpoint");
}

#[test]
fn a_length_that_is_none_or_two_is_no_request() {
    let server = Served::start(Workshop::default().server());
    let body = call("echo", &json!({"text": "x"}));
    let (length, wrong) = (body.len(), body.len() - 1);
    for lines in [
        "content-length: -1\r\n".to_owned(),
        "content-length: 1x\r\n".to_owned(),
        "content-length: 99999999999999999999999999\r\n".to_owned(),
        format!("content-length: {length}\r\ncontent-length: {wrong}\r\n"),
        format!("content-length: {length}, {wrong}\r\n"),
        format!("transfer-encoding: identity\r\ncontent-length: {length}\r\n"),
    ] {
        let mut connection = Connection::open(server.address()).unwrap();
        connection.write(head(&body, &lines)).unwrap();
        let _ = connection.write(&body);
        let rest = String::from_utf8(connection.rest().unwrap()).unwrap();
        assert!(rest.starts_with("HTTP/1.1 400 ") && rest.matches("HTTP/1.1").count() == 1, "{lines}{rest}");
    }
    serves(&server);
}

#[test]
fn a_request_cannot_hide_in_another_one() {
    // What one reader takes for a body and another for the next request must not be served as one.
    let workshop = Workshop::default();
    let server = Served::start(workshop.server());
    let hidden = String::from_utf8(echo("hidden").bytes()).unwrap();
    let mut connection = Connection::open(server.address()).unwrap();
    let lines = format!("content-length: {}\r\ntransfer-encoding: chunked\r\n", hidden.len() + 5);
    connection.write(format!("{}0\r\n\r\n{hidden}", head(b"", &lines))).unwrap();
    connection.finish_writing().unwrap();
    let rest = String::from_utf8(connection.rest().unwrap()).unwrap();
    assert!(!rest.contains("hidden"), "{rest}");
    assert!(workshop.events().iter().all(|event| !event.starts_with("echo")), "{:?}", workshop.events());
}

#[test]
fn a_body_that_takes_too_long_is_refused_and_the_connection_closed() {
    let server = Served::start(Workshop::default().server().body_timeout(Duration::from_millis(200)));
    let mut connection = Connection::open(server.address()).unwrap();
    connection.write(head(b"", "content-length: 100\r\n")).unwrap();
    connection.write("{").unwrap();
    refused(&connection.answer_to("POST").unwrap());
    assert_eq!(connection.rest().unwrap(), b"");
    serves(&server);
}

#[test]
fn headers_that_dribble_in_end_the_connection() {
    let server = Served::start(Workshop::default().server().header_timeout(Duration::from_millis(200)));
    // From the start, and after a request that was answered.
    for earlier in [false, true] {
        let mut connection = Connection::open(server.address()).unwrap();
        if earlier {
            connection.send(&echo("x")).unwrap();
        }
        let started = Instant::now();
        for byte in signed("GET", MOUNT, "").bytes() {
            if connection.write([byte]).is_err() {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
            assert!(started.elapsed() < Duration::from_secs(10), "the connection goes on");
        }
        assert_eq!(connection.rest().unwrap(), b"");
    }
    serves(&server);
}

#[test]
fn a_new_connection_that_says_nothing_is_closed() {
    let server = Served::start(Workshop::default().server().header_timeout(Duration::from_millis(100)));
    assert_eq!(Connection::open(server.address()).unwrap().rest().unwrap(), b"");
}

#[test]
fn a_connection_between_two_requests_is_kept_for_its_own_time() {
    let limits = |server: Server<Workshop>| {
        server.header_timeout(Duration::from_millis(50)).idle_timeout(Duration::from_millis(600))
    };
    let server = Served::start(limits(Workshop::default().server()));
    let mut connection = Connection::open(server.address()).unwrap();
    connection.send(&echo("x")).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(connection.send(&echo("y")).unwrap().json(), json!({"result": "y"}));
    assert_eq!(connection.rest().unwrap(), b"");
}

#[test]
fn an_answer_that_nobody_takes_ends_the_connection() {
    let server = Workshop::default().server().write_timeout(Duration::from_millis(200)).max_connections(1);
    let server = Served::start(server);
    let mut deaf = Connection::open(server.address()).unwrap();
    deaf.write(called("large", &json!({})).bytes()).unwrap();
    // There is one place, so this is answered once the other connection is given up.
    serves(&server);
    drop(deaf);
}

#[test]
fn requests_that_are_sent_ahead_are_answered_in_their_order() {
    let server = Served::start(Workshop::default().server());
    let asks = [
        echo("one"),
        signed("GET", MOUNT, ""),
        Ask::new("DELETE", MOUNT),
        echo("two"),
        Ask::new("HEAD", MOUNT),
    ];
    let mut connection = Connection::open(server.address()).unwrap();
    connection.write(asks.iter().flat_map(Ask::bytes).collect::<Vec<u8>>()).unwrap();
    let answers = asks.map(|ask| connection.answer_to(&ask.method).unwrap());
    assert_eq!(answers[0].json(), json!({"result": "one"}));
    assert_eq!(answers[1].json()["version"], 1);
    assert_eq!(answers[2].code().as_deref(), Some("method_not_allowed"));
    assert_eq!(answers[3].json(), json!({"result": "two"}));
    assert_eq!(answers[4].status, 405);
    assert_eq!(connection.send(&echo("three")).unwrap().json(), json!({"result": "three"}));
}

#[test]
fn an_answer_to_head_has_the_length_of_the_body_and_no_body() {
    let server = Served::start(Workshop::default().server());
    let mut connection = Connection::open(server.address()).unwrap();
    let head = connection.send(&Ask::new("HEAD", MOUNT)).unwrap();
    let options = connection.send(&Ask::new("OPTIONS", MOUNT)).unwrap();
    assert_eq!((head.status, head.header("allow")), (405, Some("GET, POST")));
    assert_eq!(head.header("content-length"), Some(options.body.len().to_string().as_str()));
}

#[test]
fn a_client_that_asks_first_is_told_to_go_on_only_when_its_body_is_wanted() {
    let server = Served::start(Workshop::default().server());
    let body = call("echo", &json!({"text": "x"}));
    let lines = |length: usize| format!("expect: 100-continue\r\ncontent-length: {length}\r\n");

    let mut connection = Connection::open(server.address()).unwrap();
    connection.write(head(&body, &lines(body.len()))).unwrap();
    assert_eq!(connection.answer_to("POST").unwrap().status, 100);
    connection.write(&body).unwrap();
    assert_eq!(connection.answer_to("POST").unwrap().json(), json!({"result": "x"}));

    let mut connection = Connection::open(server.address()).unwrap();
    connection.write(head(&body, &lines(CAP + 1))).unwrap();
    refused(&connection.answer_to("POST").unwrap());
}

#[test]
fn headers_have_a_limit_in_bytes_and_in_number() {
    let server = Served::start(Workshop::default().server().max_header_bytes(8 * 1024));
    let many = (0..200).fold(signed("GET", MOUNT, ""), |ask, n| ask.header(&format!("x-{n}"), "1"));
    let long = signed("GET", MOUNT, "").header("cookie", vec![b'x'; 9 * 1024]);
    let longer = signed("GET", MOUNT, "").header("cookie", vec![b'x'; 300 * 1024]);
    let target = Ask::new("GET", &format!("{MOUNT}?{}", "x".repeat(9 * 1024)));
    for ask in [many, long, longer, target] {
        let answer = server.send(&ask).unwrap();
        assert_eq!((answer.status, answer.body.len()), (431, 0), "{} bytes", ask.head().len());
    }
    let fits = signed("GET", MOUNT, "").header("cookie", vec![b'x'; 7 * 1024]);
    assert_eq!(server.send(&fits).unwrap().status, 200);
}

#[test]
fn what_is_no_http_is_turned_away_and_the_next_request_is_served() {
    let server = Served::start(Workshop::default().server());
    for bytes in [
        b"\r\n\r\n\r\n\r\n".as_slice(),
        b"hello\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\nbad\x00: y\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\ngood: y\x01z\r\n\r\n",
        b"GET \xff\xfe HTTP/1.1\r\nhost: x\r\n\r\n",
        &[0xff; 5000],
        &[0; 5000],
    ] {
        let mut connection = Connection::open(server.address()).unwrap();
        // It may be closed before it is all written.
        let _ = connection.write(bytes).and_then(|()| connection.finish_writing());
        let rest = connection.rest().unwrap();
        assert!(rest.is_empty() || rest.starts_with(b"HTTP/1.1 4"), "{:?}", String::from_utf8_lossy(&rest));
    }
    serves(&server);
}

#[test]
fn an_old_client_and_one_that_wants_the_connection_closed_are_answered() {
    let server = Served::start(Workshop::default().server());
    let signature = signature(b"");
    for request in [
        format!("GET {MOUNT} HTTP/1.0\r\n{signature}\r\n"),
        format!("GET {MOUNT} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{signature}\r\n"),
    ] {
        let mut connection = Connection::open(server.address()).unwrap();
        connection.write(&request).unwrap();
        let rest = String::from_utf8(connection.rest().unwrap()).unwrap();
        assert!(rest.starts_with("HTTP/1.") && rest.contains(" 200 OK\r\n"), "{request}{rest}");
    }
}

#[test]
fn bytes_of_a_header_reach_the_endpoint_as_they_are() {
    let server = Served::start(Workshop::default().server());
    let good = signed("GET", MOUNT, "").headers.remove(0).1;
    let mut report = Report::default();
    for (what, value, code) in [
        ("good", good.clone(), None),
        ("a byte that is no ASCII", [good.as_slice(), b"\xff"].concat(), Some("malformed_signature")),
        ("text that is no ASCII", [good.as_slice(), "é".as_bytes()].concat(), Some("malformed_signature")),
        ("white space around it", [b"\t ", good.as_slice(), b" \t"].concat(), None),
        ("nothing", Vec::new(), Some("malformed_signature")),
        ("white space", b" \t ".to_vec(), Some("malformed_signature")),
        ("4,097 bytes", [good.as_slice(), &[b','; 4097]].concat(), Some("malformed_signature")),
    ] {
        let answer = server.send(&Ask::new("GET", MOUNT).header("Median-Signature", value)).unwrap();
        report.equal(what, &answer.code().as_deref(), &code);
    }
    report.finish();
}

#[test]
fn nesting_without_end_is_answered() {
    let server = Served::start(Workshop::default().server());
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    let envelope = String::from_utf8(call("echo", &json!({"text": "x"}))).unwrap();
    let unknown = envelope.replacen('{', &format!(r#"{{"other":{deep},"#), 1);
    assert_eq!(server.send(&signed("POST", MOUNT, unknown)).unwrap().json(), json!({"result": "x"}));
    let field = envelope.replace(r#""x""#, &deep);
    let answer = server.send(&signed("POST", MOUNT, field)).unwrap();
    assert_eq!(answer.code().as_deref(), Some("invalid_input"), "{answer:?}");
    refused(&server.send(&signed("POST", MOUNT, deep)).unwrap());
    refused(&server.send(&signed("POST", MOUNT, "{\"a\":".repeat(200_000))).unwrap());
}

#[test]
fn a_body_that_is_no_text_is_refused() {
    let server = Served::start(Workshop::default().server());
    for body in
        [b"\xff\xfe".as_slice(), b"{\"tool\":\"\xff\"}", b"\xef\xbb\xbf{}", b"\x00", b"\x1f\x8b\x08\x00"]
    {
        refused(&server.send(&signed("POST", MOUNT, body)).unwrap());
    }
    // The same bytes, unsigned, are not looked at.
    let answer = server.send(&Ask::new("POST", MOUNT).body(b"\xff".as_slice())).unwrap();
    assert_eq!(answer.code().as_deref(), Some("missing_signature"));
}

#[test]
fn a_body_that_is_not_wanted_does_not_spoil_the_answer() {
    let server = Served::start(Workshop::default().server());
    let mut connection = Connection::open(server.address()).unwrap();
    for (method, status) in [("GET", 200), ("PUT", 405), ("DELETE", 405)] {
        let ask = signed("GET", MOUNT, "").body(vec![b'x'; 2 * CAP]);
        let ask = Ask { method: method.to_owned(), ..ask };
        assert_eq!(connection.send(&ask).unwrap().status, status, "{method}");
        // It was taken off the wire, so the connection goes on.
        assert_eq!(connection.send(&echo("next")).unwrap().json(), json!({"result": "next"}), "{method}");
    }
}

#[test]
fn a_crowd_of_connections_that_come_and_go_leaves_the_server_as_it_was() {
    let server = Served::start(Workshop::default().server());
    for round in 0..10 {
        let mut crowd: Vec<Connection> =
            (0..50).map(|_| Connection::open(server.address()).unwrap()).collect();
        for (at, connection) in crowd.iter_mut().enumerate() {
            let bytes = echo("crowd").bytes();
            let cut = (at * 7 + round) % bytes.len();
            let written = connection.write(&bytes[..cut]);
            assert!(written.is_ok_and(|()| true), "the server takes what is sent");
        }
    }
    serves(&server);
    let refused = Connection::open(([127, 0, 0, 1], 1).into()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ConnectionRefused, "the tests see when nobody listens");
}

#[test]
#[cfg(unix)]
fn a_server_that_has_no_more_files_goes_on_when_it_gets_some_back() {
    let child = Child::start_with_files(&local_key(), 40).unwrap();
    let crowd: Vec<_> = (0..60).map(|_| Connection::open(child.http().0).unwrap()).collect();
    child.wait_for_log("no connection can be accepted");
    drop(crowd);
    assert_eq!(child.send(&Ask::new("GET", "/")).unwrap().status, 401);
}
