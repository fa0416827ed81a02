//! Tools about a customer's orders.

use median_edge::prelude::*;
use serde::Serialize;

use crate::shop::{NoRefund, Shop};

#[derive(Serialize)]
pub struct OrderStatus {
    status: &'static str,
}

/// Look up the status of one of the customer's own orders.
#[tool(risk = "low", effect = "read")]
pub fn order_status(
    /// The order number, like ORD-1042.
    #[field(not_blank, max_length = 20)]
    order_number: String,
    customer: VerifiedVisitor,
    shop: State<'_, Shop>,
) -> ToolResult<OrderStatus> {
    let status = shop
        .status(customer.id(), &order_number)
        .ok_or_else(no_such_order)?;
    Ok(OrderStatus { status })
}

#[derive(Serialize)]
pub struct Refund {
    cents: u32,
}

/// Give money back for one of the customer's own orders.
#[tool(risk = "high")]
pub fn refund_order(
    /// The order number, like ORD-1042.
    #[field(not_blank, max_length = 20)]
    order_number: String,
    /// How many cents, like 500.
    #[field(min = 1)]
    cents: u32,
    call: Call,
    customer: VerifiedVisitor,
    shop: State<'_, Shop>,
) -> ToolResult<Refund> {
    match shop.refund(customer.id(), &order_number, cents, call.id()) {
        Ok(cents) => Ok(Refund { cents }),
        Err(NoRefund::NoSuchOrder) => Err(no_such_order()),
        Err(NoRefund::MoreThanIsLeft(left)) => {
            let detail = format!("Only {left} cents can still be given back.");
            Err(Refusal::new("more_than_is_left").detail(detail).into())
        }
    }
}

fn no_such_order() -> ToolError {
    Refusal::new("no_such_order")
        .detail("That order is not on this account.")
        .into()
}
