//! The application manifest: the document, its checks, and who gets it.
#![allow(missing_docs)]

use std::sync::{Arc, Mutex};

use median_edge::application_manifest::{Application, ListedEndpoint, StorageMode, snake_case};
use median_edge::event::Asked;
use median_edge::field::{boolean, choice, integer, number, string};
use median_edge::job::JobSpec;
use median_edge::navigation::Page;
use median_edge::prelude::*;
use median_edge::schemars::JsonSchema;
use median_edge::testing::TestClient;
use median_edge::{Event, Keys, MedianKey, Method, Request, Route};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

fn application() -> Application {
    Application::new("user_service", "0.1.0", "User management service").storage_mode(StorageMode::Memory)
}

fn tool(name: &'static str) -> median_edge::tool::ToolBuilder<()> {
    Tool::builder(name, "A tool of the tests.").risk(Risk::Low).output_schema("true")
}

fn done(builder: median_edge::tool::ToolBuilder<()>) -> Tool<()> {
    builder.run(async |_: Context<'_, ()>| ToolResult::Ok(()))
}

fn document(builder: EndpointBuilder<()>) -> Value {
    let endpoint = builder.build().unwrap();
    let document = serde_json::from_slice(endpoint.application_manifest().unwrap()).unwrap();
    assert_valid(&document);
    document
}

fn assert_valid(document: &Value) {
    let schema: Value = serde_json::from_str(include_str!("../../docs/agent-manifest.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let problems: Vec<_> =
        validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(problems.is_empty(), "{problems:#?}");
}

/// The contract's example.
#[test]
fn the_contracts_example_is_what_the_same_application_answers() {
    let create_user = Tool::<()>::builder("createUser", "Create a new user")
        .risk(Risk::Medium)
        .scopes(["users:write"])
        .field(string("email"))
        .field(string("name"))
        .input_schema(json!({
            "type": "object",
            "properties": {"email": {"type": "string"}, "name": {"type": "string"}},
            "required": ["email", "name"],
        }))
        .output_schema(r#"{"type":"object","properties":{"id":{"type":"string"}}}"#);
    let health = ListedEndpoint::new("GET", "/health", "Liveness check");
    let document =
        document(Endpoint::builder().tools([done(create_user)]).application(application().endpoint(health)));
    let expected = json!({
        "name": "user_service",
        "version": "0.1.0",
        "description": "User management service",
        "storage_mode": "memory",
        "tools": [{
            "name": "create_user",
            "description": "Create a new user",
            "input": {
                "type": "object",
                "properties": {"email": {"type": "string"}, "name": {"type": "string"}},
                "required": ["email", "name"],
            },
            "output": {"type": "object", "properties": {"id": {"type": "string"}}},
            "scopes": ["users:write"],
            "effect": "write",
            "idempotent": false,
            "enqueues_job": null,
            "timeout": null,
        }],
        "jobs": [],
        "endpoints": [
            {"path": "/health", "method": "GET", "description": "Liveness check", "authenticated": false},
        ],
    });
    assert_eq!(document, expected);
}

/// Where a parcel is.
#[derive(Serialize, JsonSchema, Object)]
#[schemars(crate = "median_edge::schemars")]
#[serde(rename_all = "camelCase")]
struct Parcel {
    /// The last place that it was seen at.
    last_seen: Option<String>,
    steps: Vec<Step>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(crate = "median_edge::schemars")]
#[serde(rename_all = "lowercase")]
#[allow(dead_code)]
enum Step {
    Packed,
    Sent { by: String },
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "median_edge::schemars")]
#[allow(dead_code)]
struct Receipt {
    order: String,
    #[serde(default)]
    copies: u8,
}

/// Find a parcel.
#[tool(risk = "low", effect = "read", timeout = 5, scopes = ["parcels:read"], idempotent)]
async fn find_parcel(
    /// Its number.
    #[field(not_blank, min_length = 3, max_length = 20)]
    parcel_number: String,
    /// How many steps to tell.
    #[field(min = 1)]
    steps: Option<u8>,
) -> ToolResult<Reply<Parcel>> {
    let _ = (parcel_number, steps);
    Ok(Reply::new(Parcel { last_seen: None, steps: vec![Step::Packed, Step::Sent { by: "rail".into() }] }))
}

/// Send the receipt of an order once more.
#[tool(risk = "medium", enqueues_job = "send_receipt")]
fn send_receipt_again() {}

/// Say what the weather is.
#[tool(risk = "low", output = json!({"type": "string"}), input = r#"{"type":"object"}"#)]
fn weather() -> ToolResult<impl Serialize> {
    Ok("fair")
}

fn parcels() -> EndpointBuilder<()> {
    let receipt = JobSpec::new("send_receipt", "Send a receipt by mail.", "mail").payload::<Receipt>();
    let by_hand = JobSpec::new("clean_up", "Remove what is old.", "cleaning_2")
        .payload_schema(json!({"type": "object"}))
        .max_retries(0)
        .timeout(600);
    Endpoint::builder().tools(tools![find_parcel, send_receipt_again, weather]).application(
        application()
            .storage_mode(StorageMode::Persistent)
            .job(receipt)
            .job(by_hand)
            .endpoint(ListedEndpoint::new("PUT", "/parcels/{number}", "Change a parcel.").authenticated())
            .with_tool_routes(),
    )
}

#[test]
fn the_document_is_made_of_the_tools_and_what_is_declared_beside_them() {
    insta::assert_json_snapshot!(document(parcels()));
}

#[test]
fn every_member_of_what_a_tool_takes_is_described() {
    let fields = tool("fields")
        .field(string("text").description("Some text."))
        .field(choice("choice", ["a", "b"]).optional())
        .field(boolean("flag"))
        .field(number("ratio").range(0.5..=1.0))
        .field(integer("count"))
        .field(integer("few").range(-3..=3));
    let document = document(Endpoint::builder().tools([done(fields)]).application(application()));
    let expected = json!({
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "Some text."},
            "choice": {"type": "string", "enum": ["a", "b"]},
            "flag": {"type": "boolean"},
            "ratio": {"type": "number", "minimum": 0.5, "maximum": 1},
            "count": {"type": "integer"},
            "few": {"type": "integer", "minimum": -3, "maximum": 3},
        },
        "required": ["text", "flag", "ratio", "count", "few"],
        "additionalProperties": false,
    });
    assert_eq!(document["tools"][0]["input"].to_string(), expected.to_string());
}

#[test]
fn what_refers_to_itself_is_described_too() {
    #[derive(Serialize, JsonSchema)]
    #[schemars(crate = "median_edge::schemars")]
    struct Folder {
        folders: Vec<Folder>,
    }
    let folders = Tool::builder("folders", "List folders.").risk(Risk::Low).output::<Folder>();
    let document = document(Endpoint::builder().tools([done(folders)]).application(application()));
    let output = &document["tools"][0]["output"];
    let validator = jsonschema::validator_for(output).unwrap();
    assert!(validator.is_valid(&json!({"folders": [{"folders": []}]})));
    assert!(!validator.is_valid(&json!({"folders": [{"folders": 1}]})));
}

#[test]
fn what_a_tool_answers_fits_what_the_document_says_of_it() {
    let document = document(parcels());
    let validator = jsonschema::validator_for(&document["tools"][0]["output"]).unwrap();
    let parcel = Parcel { last_seen: Some("Turin".into()), steps: vec![Step::Sent { by: "rail".into() }] };
    assert!(validator.is_valid(&serde_json::to_value(parcel).unwrap()));
    assert!(!validator.is_valid(&json!({"lastSeen": 1, "steps": []})));
}

#[test]
fn every_problem_is_told_at_once_with_its_owner() {
    let bare = Tool::<()>::builder("bare", "Say nothing of the answer.").risk(Risk::Low);
    let tools = [
        done(tool("orderStatus")),
        done(tool("order_status")),
        done(tool("spaced").scopes(["orders read", "", "twice", "twice"])),
        done(tool("enqueues").enqueues_job("nobody")),
        done(tool("noJson").input_schema("{")),
        done(tool("noSchema").output_schema("[]")),
        done(bare),
    ];
    let job =
        |name: &'static str, queue: &'static str| JobSpec::new(name, "A job.", queue).payload_schema("true");
    let application = Application::new("UserService", "1.0", " ")
        .job(job("SendReceipt", "mail box"))
        .job(job("twice", "mail"))
        .job(job("twice", "mail"))
        .job(job("never", "mail").timeout(0).max_retries(101))
        .job(job("long", "mail").timeout(901))
        .job(JobSpec::new("payload", " ", "mail"))
        .job(job("odd", "mail").payload_schema("7"))
        .endpoint(ListedEndpoint::new("get", "health", ""))
        .endpoint(ListedEndpoint::new("GET", "/a?b", "A query."))
        .endpoint(ListedEndpoint::new("GET", "/agent/manifest", "Ours."))
        .with_tool_routes();
    let builder = Endpoint::builder().tools(tools).mount("/agent/manifest/").application(application);
    insta::assert_snapshot!(builder.build().unwrap_err());
}

#[test]
fn a_tool_without_an_output_schema_is_no_problem_without_an_application() {
    let bare = Tool::<()>::builder("bare", "Say nothing of the answer.").risk(Risk::Low);
    assert!(Endpoint::builder().tools([done(bare)]).build().is_ok());
}

#[tokio::test]
async fn what_the_pages_plugin_answers_is_described() {
    let pages = || {
        let order = Page::new("/orders/:id").title("One order").highlight("#refund", "Refunds.");
        // So many that the agent is not shown them all.
        let many = (0..3_000).map(|at| Page::new(format!("/help/topic-{at}")));
        Endpoint::<()>::builder().plugin(navigation(std::iter::once(order).chain(many)))
    };
    let document = document(pages().application(application()));
    let tool = &document["tools"][0];
    assert_eq!(
        (&tool["name"], &tool["effect"], &tool["idempotent"]),
        (&json!("go_to_page"), &json!("read"), &json!(true))
    );

    let validator = jsonschema::validator_for(&tool["output"]).unwrap();
    let client = pages().build().unwrap().test_client(());
    for (path, member) in [("/orders/7", "highlights"), ("/help/topic-7", "page"), ("/help/**", "pages")] {
        let answer = client.call("goToPage").input(json!({"path": path})).await.result::<Value>();
        assert!(validator.is_valid(&answer) && answer.get(member).is_some(), "{answer}");
    }
    assert!(!validator.is_valid(&json!({"title": "One order"})));
}

#[test]
fn where_the_widget_asks_who_is_signed_in_is_one_of_the_routes() {
    let nobody = async |_: IdentityRequest<'_, ()>| ToolResult::Ok(None::<IdentityUser>);
    let builder = Endpoint::<()>::builder().identity_at("/who", nobody);
    let document = document(builder.application(application().with_tool_routes()));
    let listed = document["endpoints"].as_array().unwrap();
    let identity: Vec<_> = listed.iter().filter(|endpoint| endpoint["path"] == "/who").collect();
    let expected = json!({
        "path": "/who", "method": "GET", "description": "Who is signed in, for the support widget.", "authenticated": false,
    });
    assert_eq!(identity, [&expected]);
}

fn get(path: &str) -> Request {
    Request::new(Method::Get, path)
}

#[test]
fn names_are_mapped_as_the_documentation_says() {
    let document = include_str!("../../docs/application-manifest.md");
    let (_, table) = document.split_once("| tool | here |\n|---|---|\n").unwrap();
    let rows: Vec<_> = table.lines().take_while(|line| line.starts_with('|')).collect();
    for row in &rows {
        let cells: Vec<_> = row.split('`').collect();
        assert_eq!(snake_case(cells[1]), cells[3], "{row}");
    }
    assert_eq!(rows.len(), 14);
}

fn client(builder: EndpointBuilder<()>) -> TestClient<()> {
    builder.tools([done(tool("ping"))]).build().unwrap().test_client(())
}

fn described(application: Application) -> TestClient<()> {
    client(Endpoint::builder().application(application))
}

#[tokio::test]
async fn anyone_gets_it_with_and_without_a_slash_and_a_query() {
    let client = described(application());
    for path in ["/agent/manifest", "/agent/manifest/", "/agent/manifest?x=1"] {
        let response = client.send(get(path)).await;
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(response.body(), client.endpoint().application_manifest().unwrap());
        let headers = [("content-type", "application/json"), ("cache-control", "private, no-store")];
        assert_eq!(response.headers(), headers);
    }
    for path in ["/agent/manifest//", "/agent", "/agent/manifests"] {
        assert_eq!(client.send(get(path)).await.status(), 404, "{path}");
    }
}

#[tokio::test]
async fn no_key_is_needed_where_anyone_gets_it() {
    let client = client(Endpoint::builder().keys(Keys::missing()).application(application()));
    assert_eq!(client.send(get("/agent/manifest")).await.status(), 200);
}

#[tokio::test]
async fn other_methods_are_405_and_told_what_is_allowed() {
    let client = described(application());
    for method in [Method::Post, Method::Other] {
        let response = client.send(Request::new(method, "/agent/manifest")).await;
        assert_eq!(response.status(), 405);
        assert_eq!(response.headers().last(), Some(&("allow", "GET")));
    }
    let response = client.send(Request::new(Method::Other, "/api/median")).await;
    assert_eq!(response.headers().last(), Some(&("allow", "GET, POST")));
}

#[tokio::test]
async fn behind_the_signature_it_is_for_signed_requests_only() {
    let client = described(application().signed());
    let response = client.send(get("/agent/manifest")).await;
    assert_eq!(response.status(), 401);
    assert!(String::from_utf8_lossy(response.body()).contains("missing_signature"));

    let with = |signature: String| get("/agent/manifest").header("median-signature", signature);
    assert_eq!(client.send(with(client.sign(b""))).await.status(), 200);
    assert_eq!(client.send(with(client.sign(b"{}"))).await.status(), 401);
    let foreign = MedianKey::parse("median_key_of_somebody_else_entirely").unwrap();
    let foreign = foreign.tool_secret().sign(client.clock().now_ms(), b"");
    assert_eq!(client.send(with(foreign)).await.status(), 401);
}

#[tokio::test]
async fn behind_the_signature_it_needs_a_key() {
    let client = client(Endpoint::builder().keys(Keys::missing()).application(application().signed()));
    assert_eq!(client.send(get("/agent/manifest")).await.status(), 500);
}

#[tokio::test]
async fn it_is_off_unless_an_application_is_declared() {
    let client = client(Endpoint::builder());
    assert_eq!(client.endpoint().application_manifest(), None);
    assert_eq!(client.endpoint().route("/agent/manifest"), Route::Elsewhere);
    assert_eq!(client.send(get("/agent/manifest")).await.status(), 404);
}

#[tokio::test]
async fn an_endpoint_at_the_root_leaves_it_its_path() {
    let client = client(Endpoint::builder().mount("/").application(application()));
    assert_eq!(client.endpoint().route("/agent/manifest"), Route::ApplicationManifest);
    assert_eq!(client.endpoint().route("/agent"), Route::Endpoint);
    assert_eq!(client.send(get("/agent/manifest")).await.status(), 200);
}

#[tokio::test]
async fn the_event_says_what_was_asked_for() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = seen.clone();
    let observer = move |event: &Event<'_>| sink.lock().unwrap().push((event.asked, event.status));
    let client = client(Endpoint::builder().application(application()).observer(observer));
    client.send(get("/agent/manifest")).await;
    client.send(Request::new(Method::Post, "/agent/manifest")).await;
    assert_eq!(*seen.lock().unwrap(), [(Asked::ApplicationManifest, 200), (Asked::Nothing, 405)]);
}

#[tokio::test]
async fn a_tool_and_the_observer_see_its_scopes_and_its_effect() {
    /// Say what this tool declares.
    #[tool(risk = "low", effect = "read", scopes = ["a:read", "b:read"])]
    fn declared(call: Call) -> ToolResult<(String, Vec<String>)> {
        Ok((call.effect().as_str().to_owned(), call.scopes().map(str::to_owned).collect()))
    }
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = seen.clone();
    let observer = move |event: &Event<'_>| {
        sink.lock().unwrap().extend(event.scopes.iter().map(ToString::to_string));
    };
    let endpoint: Endpoint<()> =
        Endpoint::builder().tools(tools![declared]).observer(observer).build().unwrap();
    let answer = endpoint.test_client(()).call("declared").await;
    assert_eq!(answer.result::<Value>(), json!(["read", ["a:read", "b:read"]]));
    assert_eq!(*seen.lock().unwrap(), ["a:read", "b:read"]);
}
