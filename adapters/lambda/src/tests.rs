//! What a function writes into its log, and what it does as time passes.

use median_edge::key::LOCAL_KEY;
use median_edge::prelude::*;
use median_edge::{Keys, MedianKey, Risk};
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;

use crate::{App, LambdaHost, log};

const OWN: &str = "median_key_own_00000000000000000000";
const NOW_MS: u64 = 1_790_000_000_000;
const CALL: &str = r#"{"tool":"ping","toolCallId":"call_1","input":{},"context":{"conversationId":"k57c","risk":"low","visitor":{"verified":false}}}"#;

fn builder() -> EndpointBuilder<()> {
    let ping = Tool::builder("ping", "Answer.").risk(Risk::Low);
    Endpoint::builder()
        .tools([ping.run(async |_: Context<'_, ()>| -> ToolResult<()> {
            Err(std::io::Error::other("disk full").into())
        })])
        .clock(|| NOW_MS)
}

fn app(endpoint: EndpointBuilder<()>, key: &'static str) -> App<()> {
    App::new(endpoint.build(), async || Ok::<_, String>(()))
        .environment(move |name| (name == "MEDIAN_KEY").then(|| key.to_owned()))
}

/// The lines of a cold start, and of a signed call after it.
async fn logged(app: App<()>, body: &str) -> Vec<Value> {
    let (guard, written) = log::capture();
    let function = app.start().await;
    let signature = MedianKey::parse(OWN).unwrap().tool_secret().sign(NOW_MS, CALL.as_bytes());
    let event = json!({
        "rawPath": "/api/median", "requestContext": {"http": {"method": "POST"}},
        "headers": {"median-signature": signature}, "body": body, "isBase64Encoded": false,
    });
    function.answer(&serde_json::to_vec(&event).unwrap(), &LambdaHost::new(None)).await.unwrap();
    drop(guard);
    let written = written.lock().unwrap();
    assert!(!written.contains(OWN) && !written.contains(&signature[20..]), "{written}");
    written.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The level and the message of each line.
fn told(lines: &[Value]) -> Vec<(&str, &str)> {
    lines
        .iter()
        .map(|line| (line["level"].as_str().unwrap(), line["message"].as_str().unwrap_or_default()))
        .collect()
}

#[tokio::test]
async fn a_call_is_one_line_with_what_happened() {
    let mut lines = logged(app(builder(), OWN), CALL).await;
    assert_eq!(lines.len(), 1, "{lines:?}");
    for measured in ["timestamp", "duration_ms", "requestId"] {
        lines[0].as_object_mut().unwrap().remove(measured);
    }
    let expected = json!({
        "level": "ERROR", "asked": "tool", "ending": "error", "status": 200, "code": "execution_failed", "tool": "ping",
        "tool_call_id": "call_1", "conversation_id": "k57c", "risk": "low", "effect": "write", "visitor_verified": false,
        "message": median_edge::outcome::NEUTRAL_MESSAGE, "detail": "disk full", "request_bytes": CALL.len(),
        "response_bytes": lines[0]["response_bytes"],
    });
    assert_eq!(lines[0], expected);
}

#[tokio::test]
async fn a_refused_call_is_one_line() {
    let lines = logged(app(builder(), OWN), "{}").await;
    assert_eq!(
        (lines.len(), &lines[0]["code"], &lines[0]["level"]),
        (1, &json!("invalid_signature"), &json!("WARN"))
    );
}

#[tokio::test]
async fn the_public_example_key_is_an_error_of_each_cold_start() {
    for endpoint in [builder(), builder().keys(Keys::new(MedianKey::local()))] {
        let lines = logged(app(endpoint, LOCAL_KEY), CALL).await;
        let (level, message) = told(&lines)[0];
        assert!(level == "ERROR" && message.contains("public example key"), "{lines:?}");
    }
}

#[tokio::test]
async fn a_missing_key_is_an_error_of_each_cold_start() {
    let lines = logged(app(builder(), ""), CALL).await;
    let (level, message) = told(&lines)[0];
    assert!(
        level == "ERROR" && message.starts_with("No request can be verified. MEDIAN_KEY is not set"),
        "{lines:?}"
    );
}

#[tokio::test]
async fn a_malformed_key_is_an_error_that_does_not_show_it() {
    let lines = logged(app(builder(), "median_key_short"), CALL).await;
    let (level, message) = told(&lines)[0];
    assert!(level == "ERROR" && message.contains("MEDIAN_KEY") && !message.contains("short"), "{lines:?}");
}

#[tokio::test]
async fn an_endpoint_that_cannot_be_built_is_one_line() {
    let lines = logged(app(builder().mount("nowhere"), OWN), CALL).await;
    let [(level, message)] = told(&lines).try_into().unwrap();
    assert!(
        level == "ERROR"
            && message.starts_with("The endpoint cannot be built. ")
            && message.contains("nowhere")
    );
}

#[tokio::test]
async fn a_state_that_cannot_be_made_is_one_line() {
    let app = App::new(builder().build(), async || Err("no route to the database"));
    let lines = logged(app.environment(|name| (name == "MEDIAN_KEY").then(|| OWN.to_owned())), CALL).await;
    let expected = ("ERROR", "The application's state cannot be made. no route to the database");
    assert_eq!(told(&lines), [expected]);
}

#[tokio::test]
async fn a_key_that_cannot_be_fetched_is_told_with_its_reason() {
    let app = App::new(builder().build(), async || Ok::<_, String>(()));
    let app = app.environment(|name| (name == "MEDIAN_KEY_PARAMETER").then(|| "/shop/key".to_owned()));
    let lines = logged(app, CALL).await;
    let why = "The key cannot be fetched from the parameter that MEDIAN_KEY_PARAMETER names: AWS_SESSION_TOKEN is not set, \
               which AWS Lambda sets.";
    assert_eq!(told(&lines)[0], ("WARN", &*format!("{why} The first request will try again.")));
    assert_eq!(told(&lines)[1], ("ERROR", &*format!("{why} No request can be verified.")));
}

#[tokio::test]
async fn a_state_that_cannot_be_made_is_made_a_second_later() {
    let (attempts, time) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(NOW_MS)));
    let (counted, clock) = (Rc::clone(&attempts), Rc::clone(&time));
    let connect = move || {
        counted.set(counted.get() + 1);
        let away = counted.get() == 1;
        async move { if away { Err("the database is away") } else { Ok(()) } }
    };
    let app = App::new(builder().keys(Keys::new(MedianKey::local())).build(), connect);
    let function = app.clock(Rc::new(move || clock.get())).start().await;
    let event = json!({"rawPath": "/elsewhere", "requestContext": {"http": {"method": "GET"}}});
    let event = serde_json::to_vec(&event).unwrap();
    let mut answered = Vec::new();
    for wait_ms in [0, 999, 1, 5_000] {
        time.set(time.get() + wait_ms);
        let answer = function.answer(&event, &LambdaHost::new(None)).await.unwrap();
        let answer: Value = serde_json::from_str(answer.get()).unwrap();
        answered.push((answer["statusCode"].as_u64().unwrap(), attempts.get()));
    }
    assert_eq!(answered, [(500, 1), (500, 1), (404, 2), (404, 2)]);
}

#[tokio::test]
async fn a_tool_whose_job_runs_nowhere_is_told_at_the_start() {
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Receipt;
    impl median_edge::job::Job for Receipt {
        const NAME: &'static str = "send_receipt";
        const DESCRIPTION: &'static str = "Send a receipt.";
        const QUEUE: &'static str = "mail";
    }
    let tool = Tool::builder("receipt", "Send a receipt.").risk(Risk::Low).enqueues::<Receipt>();
    let tool = tool.run(async |_: Context<'_, ()>| ToolResult::Ok(()));
    let lines = logged(app(builder().tools([tool]), OWN), CALL).await;
    let (level, message) = told(&lines)[0];
    assert!(level == "ERROR" && message.starts_with("The endpoint cannot be built. "), "{lines:?}");
    assert!(message.contains("send_receipt") && message.contains("no queue"), "{lines:?}");
}
