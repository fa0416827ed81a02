//! A tool takes the right to enqueue a job as an argument, beside fields and other extractors.

use median_edge::job::{Enqueue, Job};
use median_edge::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct SendReceipt {
    order: String,
}

impl Job for SendReceipt {
    const NAME: &'static str = "send_receipt";
    const DESCRIPTION: &'static str = "Send the receipt of an order.";
    const QUEUE: &'static str = "mail";
}

/// Send a receipt once more.
#[tool(risk = "medium", scopes = ["receipts:write"], idempotent, output = r#"{"type":"null"}"#)]
async fn resend_receipt(
    /// The order.
    order: String,
    receipts: Enqueue<'_, SendReceipt>,
    _customer: VerifiedVisitor,
) -> ToolResult<()> {
    Ok(receipts.enqueue(&SendReceipt { order }).await?)
}

fn main() {
    let endpoint: Endpoint<()> = Endpoint::builder().tools(tools![resend_receipt]).build().unwrap();
    assert_eq!(endpoint.tools()[0].enqueues_job(), Some("send_receipt"));
    assert_eq!(endpoint.tools()[0].fields().len(), 1);
}
