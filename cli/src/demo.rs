//! The demo that `dev` serves.

use median_edge::field::string;
use median_edge::prelude::*;

/// The shop that the tools work on.
pub(crate) struct Desk;

impl Desk {
    pub(crate) fn demo() -> Self {
        Self
    }
}

pub(crate) fn endpoint() -> Result<Endpoint<Desk>, ConfigError> {
    let order_status = Tool::builder("orderStatus", "Look up the status of one of the customer's orders.")
        .risk(Risk::Low)
        .effect(Effect::Read)
        .field(string("orderNumber").description("The order number, like ORD-1042."))
        .run(async |call: Context<'_, Desk>| -> ToolResult<String> {
            let number: String = call.get("orderNumber")?;
            Ok(format!("{number} is shipped"))
        });
    Endpoint::builder().tools([order_status]).build()
}
