//! Requests that are signed with the public example key.

use median_edge::MedianKey;
use serde_json::{Value, json};

use crate::Ask;

/// The time that the vectors are signed for.
pub const NOW_MS: u64 = 1_790_000_000_000;

/// A request to a path, signed for [`NOW_MS`].
pub fn signed(method: &str, target: &str, body: impl AsRef<[u8]>) -> Ask {
    signed_at(NOW_MS, method, target, body)
}

/// A request to a path, signed for a time. A GET has no body.
pub fn signed_at(now_ms: u64, method: &str, target: &str, body: impl AsRef<[u8]>) -> Ask {
    let body = body.as_ref();
    let signature = MedianKey::local().tool_secret().sign(now_ms, body);
    let ask = Ask::new(method, target).header("median-signature", signature);
    if method == "GET" { ask } else { ask.body(body) }
}

/// Where an endpoint is mounted unless it says otherwise.
pub const MOUNT: &str = median_edge::limits::DEFAULT_MOUNT;

/// A signed call to an endpoint at [`MOUNT`].
pub fn called(tool: &str, input: &Value) -> Ask {
    signed("POST", MOUNT, call(tool, input))
}

/// The body of a call.
pub fn call(tool: &str, input: &Value) -> Vec<u8> {
    let call = json!({
        "tool": tool,
        "toolCallId": "call_00000000000000000000000000000001",
        "input": input,
        "context": {
            "conversationId": "conversation_1",
            "risk": "low",
            "visitor": { "verified": true, "externalId": "user_123" },
        },
    });
    call.to_string().into_bytes()
}
