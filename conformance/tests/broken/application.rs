//! The application manifest, with its faults. It is there for anyone, and none of the other faults touch it.

use serde_json::{Value, json};

use crate::server::{Request, Response, Server};
use crate::tools;

/// Where it is.
pub(crate) const PATH: &str = "/agent/manifest";

pub(crate) fn answer(server: &Server, request: &Request, now_ms: u64) -> Response {
    let is_read = request.method == "GET" || server.has("application-takes-posts");
    let mut headers = vec![
        ("cache-control", "private, no-store".to_owned()),
        ("content-type", "application/json".to_owned()),
    ];
    if is_read {
        return Response { status: 200, headers, body: document(server, now_ms).to_string().into_bytes() };
    }
    headers.push(("allow", "GET".to_owned()));
    let body = br#"{"error":{"code":"method_not_allowed","message":"Only GET is answered here."}}"#;
    Response { status: 405, headers, body: body.to_vec() }
}

fn document(server: &Server, now_ms: u64) -> Value {
    let manifest: Value = serde_json::from_str(&tools::manifest(server, now_ms)).unwrap();
    let names = manifest["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap());
    let mut tools: Vec<_> = names.map(|name| tool(server, name)).collect();
    if server.has("application-of-other-tools") {
        tools.pop();
    }
    if server.has("job-of-nobody") {
        tools[0]["enqueues_job"] = json!("water_plants");
    }
    let mut job = json!({
        "name": "send_receipt",
        "description": "Send a receipt.",
        "payload": {"type": "object"},
        "queue": "mail",
        "max_retries": 3,
        "timeout": 30,
    });
    let mut endpoint = json!({
        "path": "/health",
        "method": "GET",
        "description": "Liveness check",
        "authenticated": false,
    });
    if server.has("job-without-queue") {
        job.as_object_mut().unwrap().remove("queue");
    }
    if server.has("endpoint-for-whom") {
        endpoint.as_object_mut().unwrap().remove("authenticated");
    }
    let mut document = json!({
        "name": "order_service",
        "version": if server.has("application-version-1") { "1" } else { "1.0.0" },
        "description": "Orders.",
        "storage_mode": if server.has("application-in-the-cloud") { "cloud" } else { "memory" },
        "tools": tools,
        "jobs": [job],
        "endpoints": [endpoint],
    });
    if server.has("half-an-application") {
        document.as_object_mut().unwrap().remove("jobs");
    }
    document
}

fn tool(server: &Server, name: &str) -> Value {
    let name = if server.has("application-in-camel-case") { name.to_owned() } else { snake_case(name) };
    let enqueues_job = if name == "order_status" { json!("send_receipt") } else { Value::Null };
    let mut tool = json!({
        "name": name,
        "description": "A tool.",
        "input": {"type": "object"},
        "output": true,
        "scopes": ["orders:read"],
        "effect": "read",
        "idempotent": false,
        "enqueues_job": enqueues_job,
        "timeout": null,
    });
    let members = tool.as_object_mut().unwrap();
    if server.has("application-without-outputs") {
        members.remove("output");
    }
    if server.has("application-leaves-nulls-out") {
        members.retain(|_, value| !value.is_null());
    }
    tool
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}
