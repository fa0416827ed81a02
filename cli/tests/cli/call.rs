//! `call`: what is sent, and what the agent would be told of the answer.

use crate::server::{Server, answer, json};
use crate::{output, shown, stdout, with_input};
use insta::assert_snapshot;
use serde_json::{Value, json as value};

/// Calls an endpoint that gives this answer.
fn answered(status: u16, body: &str) -> String {
    let server = Server::endpoint(status, body);
    shown(&output(&["call", &server.url(), "orderStatus", "orderNumber=1042"]))
}

/// The body that is sent for these arguments.
fn sent(arguments: &[&str]) -> Value {
    let server = Server::endpoint(200, r#"{"result":null}"#);
    let url = server.url();
    let output = output(&[&["call", url.as_str()], arguments].concat());
    assert!(output.status.success(), "{output:?}");
    let request = server.last();
    assert!(request.method == "POST" && request.is_signed());
    serde_json::from_str(&request.body).unwrap()
}

#[test]
fn the_manifest_types_the_fields_and_gives_the_risk() {
    let body = sent(&["refundOrder", "orderNumber=1042", "amount=12.50", "notify=true", "reason=late"]);
    let input = value!({"orderNumber": "1042", "amount": 12.50, "notify": true, "reason": "late"});
    assert_eq!(body["input"], input);
    assert_eq!(body["context"]["risk"], "high");
    assert_eq!(body["context"]["approvedBy"], "A test from the CLI");
    assert_eq!(body["context"]["visitor"], value!({"verified": true, "externalId": "user_1"}));
    let id = body["toolCallId"].as_str().unwrap();
    assert!(id.starts_with("test_") && id.len() == 41, "{id}");
    assert_eq!(body["context"]["conversationId"], id);
}

#[test]
fn a_high_tool_that_ran_says_who_approved_it_and_a_low_one_does_not() {
    let server = Server::endpoint(200, r#"{"result":"done"}"#);
    let url = server.url();
    let call = |arguments: &[&str]| shown(&output(&[&["call", &*url], arguments].concat()));
    let refund = ["refundOrder", "orderNumber=1042", "amount=1"];
    assert_snapshot!("a_high_tool_ran", call(&refund));
    assert!(
        call(&[&refund[..], &["--approved-by", "Dana"]].concat()).contains("says that \"Dana\" approved it")
    );
    for quiet in [&[&refund[..], &["--no-approval"]].concat()[..], &["orderStatus", "orderNumber=1042"]] {
        let text = call(quiet);
        assert!(text.contains("Result") && !text.contains("approved"), "{text}");
    }
    let refused = Server::endpoint(400, r#"{"error":{"code":"invalid_input","message":"No."}}"#);
    let text = shown(&output(&[&["call", &*refused.url()], &refund[..]].concat()));
    assert!(text.contains("Input refused") && !text.contains("approved"), "{text}");
}

#[test]
fn everything_can_be_said_otherwise() {
    let body = sent(&[
        "orderStatus",
        "--id",
        "call_1",
        "--conversation",
        "c_1",
        "--unverified",
        "--email",
        "ana@shop.example",
        "--name",
        "Ana",
        "--no-approval",
        "--input",
        r#"{"orderNumber": "7"}"#,
    ]);
    let visitor = value!({"verified": false, "email": "ana@shop.example", "name": "Ana"});
    let context = value!({"conversationId": "c_1", "risk": "low", "visitor": visitor});
    let whole = value!({"tool": "orderStatus", "toolCallId": "call_1", "input": {"orderNumber": "7"}, "context": context});
    assert_eq!(body, whole);
}

#[test]
fn the_input_can_come_from_a_file_or_standard_input() {
    let server = Server::endpoint(200, r#"{"result":null}"#);
    with_input(&["call", &server.url(), "orderStatus", "--input", "@-"], r#"{"orderNumber":"9"}"#);
    assert!(server.last().body.contains(r#""input":{"orderNumber":"9"}"#));
    let output = output(&["call", &server.url(), "orderStatus", "--input", "@no-such-file"]);
    assert_snapshot!(shown(&output));
}

#[test]
fn data_is_shown_with_its_directives_apart() {
    assert_snapshot!(answered(
        200,
        r##"{"result":{"status":"shipped","items":[1.50,{"sku":"A"}],"medianNavigateTo":"/orders/1042","medianHighlight":"#row-1042"}}"##
    ));
}

#[test]
fn a_long_result_is_cut_where_the_agent_stops_reading() {
    let text = answered(200, &format!(r#"{{"result":"{}"}}"#, "0123456789".repeat(420)));
    assert!(
        text.contains("4,000 of 4,202 characters") && !text.contains(&"0123456789".repeat(400)),
        "{text}"
    );
    assert!(text.contains(&"0123456789".repeat(399)));
}

#[test]
fn a_refusal_is_the_tools_own_no() {
    assert_snapshot!(
        "refused",
        answered(
            200,
            r#"{"result":{"ok":false,"reason":"not_signed_in","detail":"Sign in to see orders."}}"#
        )
    );
    assert_snapshot!(
        "refused_and_it_may_have_happened",
        answered(200, r#"{"result":{"ok":false,"reason":"timed_out","outcome":"unknown"}}"#)
    );
    assert_snapshot!(
        "refused_by_data",
        answered(200, r#"{"result":{"known":false,"medianNavigateTo":"/x"}}"#)
    );
}

#[test]
fn errors_mean_what_their_code_says() {
    let error = |status, code: &str| {
        answered(status, &format!(r#"{{"error":{{"code":"{code}","message":"What the endpoint wrote."}}}}"#))
    };
    assert_snapshot!("failed", error(200, "execution_failed"));
    assert_snapshot!("input_refused", error(400, "invalid_input"));
    assert_snapshot!("body_refused", error(400, "invalid_body"));
    assert_snapshot!("unknown_tool", error(404, "unknown_tool"));
    assert_snapshot!("bad_signature", error(401, "invalid_signature"));
    assert_snapshot!("code_of_its_own", error(200, "out_of_stock"));
    assert_snapshot!("no_endpoint", answered(500, "<h1>Oh no</h1>"));
}

#[test]
fn under_json_there_is_one_document() {
    let json_of = |status, body: &str| {
        let server = Server::endpoint(status, body);
        shown(&output(&["call", &server.url(), "orderStatus", "orderNumber=1042", "--json"]))
    };
    assert_snapshot!("json_data", json_of(200, r#"{"result":{"b":1.50,"a":2,"medianNavigateTo":"/x"}}"#));
    assert_snapshot!(
        "json_refusal",
        json_of(200, r#"{"result":{"ok":false,"reason":"r","outcome":"unknown"}}"#)
    );
    assert_snapshot!("json_error", json_of(400, r#"{"error":{"code":"invalid_input","message":"m"}}"#));
}

#[test]
fn without_a_manifest_the_look_decides_and_a_note_says_so() {
    let server = Server::new(|request| match request.method.as_str() {
        "GET" => json(405, ""),
        _ => json(200, r#"{"result":null}"#),
    });
    let output = output(&["call", &server.url(), "orderStatus", "orderNumber=1042", "note=x"]);
    assert_snapshot!(shown(&output));
    assert!(server.last().body.contains(r#""input":{"orderNumber":1042,"note":"x"}"#));
}

#[test]
fn an_unknown_tool_or_field_is_sent_with_a_note() {
    let server = Server::endpoint(404, r#"{"error":{"code":"unknown_tool","message":"No such tool."}}"#);
    assert_snapshot!(shown(&output(&["call", &server.url(), "orderStaus"])));
    let server = Server::endpoint(200, r#"{"result":null}"#);
    assert_snapshot!(shown(&output(&["call", &server.url(), "orderStatus", "order=1"])));
}

#[test]
fn what_was_typed_wrongly_is_not_sent() {
    let server = Server::endpoint(200, r#"{"result":null}"#);
    let url = server.url();
    let refused = |arguments: &[&str]| {
        let output = output(&[&["call", url.as_str(), "refundOrder"], arguments].concat());
        assert_eq!(output.status.code(), Some(2));
        shown(&output)
    };
    assert_snapshot!("not_a_field", refused(&["orderNumber"]));
    assert_snapshot!("not_a_number", refused(&["amount=twelve"]));
    assert_snapshot!("not_json", refused(&["--input", "{orderNumber:1}"]));
    assert_snapshot!("both_ways", refused(&["amount=1", "--input", "{}"]));
    assert_snapshot!("a_visitor_who_is_none", refused(&["--visitor", "x", "--unverified"]));
    assert!(server.requests().iter().all(|request| request.method == "GET"));
}

#[test]
fn a_redirect_is_no_answer() {
    let server = Server::new(|request| match request.method.as_str() {
        "GET" => json(200, r#"{"version":1,"tools":[]}"#),
        _ => answer(307, "location: /elsewhere\r\n", ""),
    });
    assert_snapshot!(shown(&output(&["call", &server.url(), "orderStatus"])));
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn what_a_terminal_would_act_on_is_taken_out() {
    for body in [
        r#"{"result":{"a\u001b[2J":"\u009b31m","b":"PLACE"}}"#,
        r#"{"result":{"ok":false,"reason":"a\u001b[2J","detail":"PLACE"}}"#,
        r#"{"error":{"code":"a\u001b[2J","message":"PLACE"}}"#,
        "\u{1b}[2J\u{9b}31m",
    ] {
        let text = answered(200, &body.replace("PLACE", "\u{9b}31m\u{202e}"));
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
        assert!(!text.contains('\u{202e}'), "{text:?}");
    }
}

#[test]
fn a_usage_error_is_json_when_json_is_asked_for() {
    let output = output(&["call", "--json"]);
    let document: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(document["error"]["code"], "usage");
    assert_eq!(output.status.code(), Some(2));
}
