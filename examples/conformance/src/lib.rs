//! Three fixed tools for outside test suites: what `tests/vectors` describes, on any runtime.
//!
//! Nothing here knows of a platform: the programs beside this library lend it their environment.

use median_edge::prelude::*;
use serde::Serialize;

/// The variable that stops the endpoint's clock, at a Unix time in milliseconds. The vectors are signed for one moment.
///
/// It is this example's own, for tests. No other application reads it: whoever sets the clock can replay old requests.
pub const CLOCK_VARIABLE: &str = "CONFORMANCE_NOW_MS";

/// The endpoint, mounted at `/`. Signatures are checked by the host's clock, or by one that stands still.
///
/// # Errors
///
/// Never, as its own test shows; an endpoint's problems are found when it is built.
pub fn endpoint(now_ms: Option<u64>) -> Result<Endpoint<()>, ConfigError> {
    let builder = Endpoint::builder().mount("/").tools(tools![order_status, set_quantity, ping]);
    match now_ms {
        Some(now_ms) => builder.clock(move || now_ms).build(),
        None => builder.build(),
    }
}

/// Reads [`CLOCK_VARIABLE`] through a look-up by name, as `MEDIAN_KEY` is read. Blank is absent.
///
/// # Errors
///
/// When it is set and no Unix time in milliseconds.
pub fn stopped_clock(mut lookup: impl FnMut(&str) -> Option<String>) -> Result<Option<u64>, String> {
    match lookup(CLOCK_VARIABLE).as_deref().map(str::trim) {
        None | Some("") => Ok(None),
        Some(text) => {
            let wrong =
                |_| format!("{CLOCK_VARIABLE} is not a Unix time in milliseconds, like 1790000000000");
            text.parse().map(Some).map_err(wrong)
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OrderStatus {
    order_number: String,
    status: &'static str,
}

/// Look up the status of an order.
#[tool(risk = "low", effect = "read")]
fn order_status(
    /// The order number, like ORD-1042.
    order_number: String,
) -> ToolResult<OrderStatus> {
    Ok(OrderStatus { order_number, status: "shipped" })
}

#[derive(Choice, Serialize)]
#[serde(rename_all = "camelCase")]
enum Speed {
    Standard,
    Express,
}

#[derive(Serialize)]
struct InCart {
    quantity: f64,
    note: Option<String>,
    gift: Option<bool>,
    speed: Option<Speed>,
}

/// Change how many of an item are in the cart.
#[tool(risk = "low")]
fn set_quantity(
    /// How many, like 3.
    quantity: f64,
    /// A line for the packer.
    note: Option<String>,
    /// Whether it is a gift.
    gift: Option<bool>,
    /// How to ship it.
    speed: Option<Speed>,
) -> ToolResult<InCart> {
    Ok(InCart { quantity, note, gift, speed })
}

#[derive(Serialize)]
struct Pong {
    pong: bool,
}

/// Answer, to show that calls get through.
#[tool(risk = "low", effect = "read")]
fn ping() -> ToolResult<Pong> {
    Ok(Pong { pong: true })
}

#[cfg(test)]
mod tests {
    use super::{CLOCK_VARIABLE, endpoint, stopped_clock};

    #[test]
    fn the_endpoint_builds() {
        let names = ["orderStatus", "setQuantity", "ping"];
        let endpoint = endpoint(None).unwrap();
        assert!(endpoint.tools().iter().map(median_edge::Tool::name).eq(names));
        assert_eq!(endpoint.mount(), "/");
    }

    #[test]
    fn the_clock_stands_still_only_when_it_is_told_to() {
        let with = |value: &str| {
            stopped_clock(|name| (name == CLOCK_VARIABLE && value != "unset").then(|| value.to_owned()))
        };
        assert_eq!(with("unset"), Ok(None));
        assert_eq!(with(" "), Ok(None));
        assert_eq!(with("1790000000000\n"), Ok(Some(1_790_000_000_000)));
        assert!(with("yesterday").is_err());
    }
}
