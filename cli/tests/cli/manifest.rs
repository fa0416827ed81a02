//! `manifest`: the tools, or why there are none to show.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use crate::server::{MANIFEST, Server, answer, json};
use crate::{median_edge, output, shown, stdout};
use insta::assert_snapshot;

fn shown_of(status: u16, body: &str) -> String {
    let body = body.to_owned();
    let server = Server::new(move |_| json(status, &body));
    shown(&output(&["manifest", &server.url()]))
}

#[test]
fn the_tools_are_a_table() {
    let server = Server::endpoint(200, "");
    assert_snapshot!(shown(&output(&["manifest", &server.url()])));
    let request = server.last();
    assert_eq!((request.method.as_str(), request.path.as_str()), ("GET", "/api/median"));
    assert!(request.is_signed());
    // The key itself is in no header.
    assert!(!format!("{request:?}").contains("median_key_"));
}

#[test]
fn under_json_the_bytes_are_as_they_came() {
    let body = "{ \"version\" : 1,\"tools\":[ ]  }\n";
    let server = Server::new(move |_| json(200, body));
    assert_eq!(stdout(&output(&["manifest", &server.url(), "--json"])), body);
    let server = Server::endpoint(200, "");
    assert_eq!(stdout(&output(&["--json", "manifest", &server.url()])), MANIFEST);
}

#[test]
fn an_error_is_shown_with_what_to_do() {
    let body = r#"{"error":{"code":"invalid_signature","message":"No signature matches."}}"#;
    assert_snapshot!(shown_of(401, body));
    let server = Server::new(move |_| json(401, body));
    assert_snapshot!(shown(&output(&["manifest", &server.url(), "--json"])));
}

#[test]
fn what_is_no_endpoint_is_told_from_one() {
    assert_snapshot!("a_page", shown_of(200, "<html>Hello</html>"));
    assert_snapshot!("a_gateway", shown_of(502, "Bad Gateway"));
    assert_snapshot!("an_error_with_200", shown_of(200, r#"{"error":{"code":"x","message":"m"}}"#));
    assert_snapshot!("another_version", shown_of(200, r#"{"version":2,"tools":[]}"#));
}

#[test]
fn a_redirect_is_reported_and_not_followed() {
    let server = Server::new(|_| answer(308, "location: http://127.0.0.1:9/elsewhere\r\n", ""));
    assert_snapshot!(shown(&output(&["manifest", &server.url()])));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn what_a_terminal_would_act_on_is_taken_out() {
    let body = r#"{"version":1,"tools":[{"name":"a\u001b[2J","description":"b\u009b31m\u202e","risk":"\u0007low"}]}"#;
    let text = shown_of(200, body);
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    assert!(!text.contains('\u{202e}'), "{text:?}");
    assert_snapshot!(text);
}

#[test]
fn an_answer_without_end_is_cut_off() {
    let server = Server::new(|_| {
        let mut answer = b"HTTP/1.1 200 X\r\nconnection: close\r\n\r\n".to_vec();
        answer.resize(6 * 1024 * 1024, b' ');
        answer
    });
    assert_snapshot!(shown(&output(&["manifest", &server.url()])));
}

#[test]
fn silence_ends_with_the_time_limit() {
    let server = Server::new(|_| {
        std::thread::sleep(Duration::from_secs(20));
        Vec::new()
    });
    assert_snapshot!(shown(&output(&["manifest", &server.url(), "--timeout", "1"])));
}

#[test]
fn nobody_at_the_address_is_said() {
    // A port that was just free.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}/");
    assert_snapshot!(shown(&output(&["manifest", &url])));
    assert_snapshot!(shown(&output(&["manifest", &url, "--json"])));
}

#[test]
fn an_address_that_is_none_is_refused() {
    assert_snapshot!(shown(&output(&["manifest", "127.0.0.1:7420/api/median"])));
}

#[test]
fn a_proxy_is_not_asked_for_this_machine() {
    let server = Server::endpoint(200, "");
    let mut command = median_edge(&["manifest", &server.url()]);
    let output =
        command.env("http_proxy", "http://127.0.0.1:1").env("HTTP_PROXY", "http://127.0.0.1:1").output();
    assert!(output.unwrap().status.success());
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let server = Server::endpoint(200, "");
    for arguments in [&["manifest", &server.url()][..], &["manifest", &server.url(), "--json"], &["--help"]] {
        let mut child = median_edge(arguments)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !errors.contains("panicked"), "{arguments:?}: {errors}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let server = Server::endpoint(200, "");
    for arguments in [&["manifest", &server.url()][..], &["manifest", &server.url(), "--json"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output =
            median_edge(arguments).stdout(full).stderr(std::process::Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("can't be written"));
    }
}

#[test]
fn a_port_that_speaks_no_tls_is_told_apart() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 512]);
        let _ = stream.write_all(&json(400, "{}"));
    });
    let text = shown(&output(&["manifest", &url]));
    assert!(text.contains("There is no secure connection") && text.ends_with("exit code 2\n"), "{text}");
}

#[test]
fn a_manifest_without_measure_is_shown_in_part() {
    let tool = |at| format!(r#"{{"name":"t{at}","description":"{}","risk":"low"}}"#, "x".repeat(9_000));
    let tools: Vec<_> = (0..300).map(tool).collect();
    let text = shown_of(200, &format!(r#"{{"version":1,"tools":[{}]}}"#, tools.join(",")));
    assert!(text.contains("200 more are not shown.\n300 tools") && text.len() < 1_000_000, "{}", text.len());
}

/// As much of it as 5 MB hold: what is looked at again for each field would take minutes.
#[test]
fn a_manifest_of_many_fields_is_shown_at_once() {
    let many = |what: &str| vec![what; 240_000].join(",");
    let (required, properties) = (many(r#""a""#), many(r#""b":{}"#));
    let manifest = format!(
        r#"{{"version":1,"tools":[{{"name":"t","inputSchema":{{"required":[{required}],"properties":{{{properties}}}}}}}]}}"#
    );
    let server = Server::new(move |_| json(200, &manifest));
    let mut shows = assert_cmd::Command::from_std(median_edge(&["manifest", &server.url()]));
    let text = shown(&shows.timeout(Duration::from_secs(30)).output().unwrap());
    assert!(text.contains("239,960 more") && text.contains("exit code 0"), "{text}");
    assert!(text.lines().count() < 60, "{text}");
}

/// Each of these characters takes eight once it is safe to show.
#[test]
fn a_manifest_of_what_a_terminal_would_act_on_is_shown_at_once() {
    let description = vec!["\u{202e}".repeat(1_000); 16].join("\\n");
    let tools = vec![format!(r#"{{"name":"t","description":"{description}"}}"#); 100].join(",");
    let manifest = format!(r#"{{"version":1,"tools":[{tools}]}}"#);
    let server = Server::new(move |_| json(200, &manifest));
    let mut shows = assert_cmd::Command::from_std(median_edge(&["manifest", &server.url()]));
    let text = shown(&shows.timeout(Duration::from_secs(30)).output().unwrap());
    assert!(text.contains("100 tools") && text.len() < 1_000_000, "{}", text.len());
}

#[test]
fn a_field_can_neither_hide_the_rest_nor_pose_as_more_of_them() {
    let choices = vec![r#""choice""#; 10_000].join(",");
    let manifest = format!(
        r#"{{"version":1,"tools":[{{"name":"t","inputSchema":{{"properties":{{"a\nb number\nc":{{}},"d":{{"enum":[{choices}]}},"e":{{"type":["null","number"]}}}}}}}}]}}"#
    );
    let text = shown_of(200, &manifest);
    assert!(text.contains(r"a\nb") && text.contains("e? number") && text.len() < 20_000, "{text}");
}

#[test]
fn what_no_manifest_holds_is_not_repeated_at_length() {
    let text = shown_of(200, &format!(r#"{{"version":1,"tools":"{}"}}"#, "x".repeat(100_000)));
    assert!(text.contains("not with a manifest") && text.len() < 2_000, "{}", text.len());
}

const APPLICATION: &str = r#"{"name":"order_service","version":"1.4.0","description":"Orders and what became of them.",
    "storage_mode":"persistent","tools":[
    {"name":"order_status","description":"Look up an order.","input":{},"output":{},"scopes":["orders:read","orders:list"],
     "effect":"read","idempotent":true,"enqueues_job":null,"timeout":5},
    {"name":"resend_receipt","description":"Send a receipt again.","input":{},"output":{},"scopes":[],"effect":"write",
     "idempotent":false,"enqueues_job":"send_receipt","timeout":null}],
    "jobs":[{"name":"send_receipt","description":"Send a receipt.","payload":{},"queue":"mail","max_retries":3,"timeout":30}],
    "endpoints":[{"path":"/health","method":"GET","description":"Liveness check","authenticated":false},
    {"path":"/api/median","method":"POST","description":"Runs a tool.","authenticated":true}]}"#;

fn site(status: u16, body: &'static str) -> Server {
    Server::new(move |request| match request.path.as_str() {
        "/agent/manifest" => json(status, body),
        _ => json(200, MANIFEST),
    })
}

#[test]
fn an_application_is_shown_with_its_tools_jobs_and_endpoints() {
    let server = site(200, APPLICATION);
    assert_snapshot!(shown(&output(&["manifest", "--application", &server.url()])));
    let request = server.last();
    assert_eq!((request.method.as_str(), request.path.as_str()), ("GET", "/agent/manifest"));
    // It may be behind the signature.
    assert!(request.is_signed());
}

#[test]
fn under_json_the_bytes_of_an_application_are_as_they_came() {
    let server = site(200, APPLICATION);
    assert_eq!(stdout(&output(&["manifest", "--application", "--json", &server.url()])), APPLICATION);
}

#[test]
fn where_there_is_no_application_manifest_it_says_how_to_have_one() {
    let server = site(404, r#"{"error":{"code":"not_found","message":"Nothing is here."}}"#);
    assert_snapshot!(shown(&output(&["manifest", "--application", &server.url()])));
}

#[test]
fn what_is_no_application_manifest_is_told_from_one() {
    let server = site(200, r#"{"version":1,"tools":[]}"#);
    assert_snapshot!(shown(&output(&["manifest", "--application", &server.url()])));
}
