//! Tools about a customer's orders.

use median_edge::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::desk::{Address, Desk, No, Order, Refund, Shipping};

/// The tools of this file.
pub fn plugin() -> Plugin<Desk> {
    Plugin::new("orders").tools(tools![order_status, list_orders, change_address, refund_order])
}

/// What the agent reads of an order.
#[derive(Debug, Serialize, JsonSchema, Object)]
#[serde(rename_all = "camelCase")]
pub struct OrderStatus {
    number: String,
    items: Vec<String>,
    shipping: Shipping,
    paid_cents: u32,
    refunded_cents: u32,
}

impl From<Order> for OrderStatus {
    fn from(order: Order) -> Self {
        let Order { number, items, shipping, paid_cents, refunded_cents, .. } = order;
        Self { number, items, shipping, paid_cents, refunded_cents }
    }
}

/// Look up where one of the customer's own orders is, what is in it and what was paid. Amounts are in cents.
#[tool(risk = "low", effect = "read", scopes = ["orders:read"], idempotent)]
pub fn order_status(
    /// The order number, like ORD-1042.
    #[field(not_blank, max_length = 20)]
    order_number: String,
    customer: VerifiedVisitor,
    desk: State<'_, Desk>,
) -> ToolResult<Reply<OrderStatus>> {
    let order = desk.order(customer.id(), &order_number).ok_or_else(no_such_order)?;
    let page = format!("/orders/{}", order.number);
    Ok(Reply::new(order.into()).navigate_to(page)?)
}

/// List the customer's own orders, the latest first.
#[tool(risk = "low", effect = "read", scopes = ["orders:read"], idempotent)]
pub fn list_orders(
    /// How many at most. All of the last 20 when left out.
    #[field(min = 1, max = 20)]
    limit: Option<u8>,
    customer: VerifiedVisitor,
    desk: State<'_, Desk>,
) -> ToolResult<Vec<OrderStatus>> {
    let limit = usize::from(limit.unwrap_or(20));
    Ok(desk.orders(customer.id()).into_iter().take(limit).map(OrderStatus::from).collect())
}

/// Change where an order goes. Works only while it is still being packed.
#[tool(risk = "reviewed", scopes = ["orders:write"], idempotent)]
pub fn change_address(
    /// The order number, like ORD-1042.
    #[field(not_blank, max_length = 20)]
    order_number: String,
    /// Street and number.
    #[field(not_blank, max_length = 100)]
    street: String,
    /// Town.
    #[field(not_blank, max_length = 60)]
    city: String,
    /// Postal code.
    #[field(not_blank, max_length = 12)]
    postal_code: String,
    customer: VerifiedVisitor,
    desk: State<'_, Desk>,
) -> ToolResult<Address> {
    let address = Address { street, city, postal_code };
    let order = desk.change_address(customer.id(), &order_number, address).map_err(refusal)?;
    Ok(order.address)
}

/// Give back the money of one of the customer's own orders.
#[tool(risk = "high", scopes = ["orders:read", "refunds:write"])]
pub fn refund_order(
    /// The order number, like ORD-1042.
    #[field(not_blank, max_length = 20)]
    order_number: String,
    /// How many cents. All that is left of the payment when left out.
    #[field(min = 1)]
    cents: Option<u32>,
    call: Call,
    customer: VerifiedVisitor,
    desk: State<'_, Desk>,
) -> ToolResult<Refund> {
    // The gate lets no call of a `high` tool through without its approver.
    let approved_by = call.approved_by().unwrap_or_default();
    desk.refund(customer.id(), &order_number, cents, call.id(), approved_by).map_err(refusal)
}

fn no_such_order() -> Refusal {
    Refusal::new("no_such_order").detail("No order of this customer has that number.")
}

fn refusal(no: No) -> ToolError {
    match no {
        No::SuchOrder => no_such_order(),
        No::MoreThanPaid(0) => {
            Refusal::new("already_refunded").detail("All of the payment has been given back.")
        }
        No::MoreThanPaid(left) => {
            Refusal::new("more_than_paid").detail(format!("Only {left} cents of the payment are left."))
        }
        No::OnItsWay => Refusal::new("already_shipped").detail("The order has left the warehouse."),
    }
    .into()
}
