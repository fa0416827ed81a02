use median_edge::job::Enqueue;
use median_edge::prelude::*;

struct SendReceipt;

/// Send a receipt once more.
#[tool(risk = "medium")]
async fn resend_receipt(
    receipts: Enqueue<'_, SendReceipt>,
) {
    drop(receipts);
}

fn main() {}
