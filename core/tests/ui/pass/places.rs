// Tools in modules, functions and macros, and paths to them.
#![deny(warnings)]

use median_edge::prelude::*;

mod orders {
    use median_edge::prelude::*;

    /// Look up an order.
    #[tool(risk = "low")]
    pub(crate) async fn find() {}

    pub(super) mod refunds {
        use median_edge::prelude::*;

        /// Refund an order.
        #[tool(risk = "high")]
        pub(in crate::orders) async fn refund() {}

        pub(crate) fn tools() -> [Tool<()>; 3] {
            tools![refund, super::find, self::refund]
        }
    }
}

use orders::find as look_up;

macro_rules! counters {
    ($($(#[$attribute:meta])* $name:ident: $ty:ty, $description:literal;)*) => {$(
        $(#[$attribute])*
        #[tool(risk = "low", name = $description)]
        async fn $name(
            #[doc = $description]
            #[field(name = $description)]
            count: $ty,
        ) -> ToolResult<$ty> {
            Ok(count)
        }
    )*};
}

counters! {
    /// Count up.
    up: u8, "countUp";
    /// Count down.
    down: Option<i8>, "countDown";
}

/// Only where it is.
#[cfg(any())]
#[tool(risk = "low")]
async fn absent() {}

/// The same, the other way around.
#[tool(risk = "low")]
#[cfg(any())]
async fn absent_too(missing: Missing) {}

fn main() {
    /// Inside a function.
    #[tool(risk = "low")]
    async fn inner() {}

    let none: [Tool<()>; 0] = tools![];
    assert!(none.is_empty());
    let tools: [Tool<()>; 6] = tools![crate::orders::find, self::orders::find, look_up, up, down, inner,];
    let names: Vec<_> = tools.iter().map(Tool::name).collect();
    assert_eq!(names, ["find", "find", "find", "countUp", "countDown", "inner"]);
    assert_eq!(orders::refunds::tools()[0].risk(), Risk::High);
}
