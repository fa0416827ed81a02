use median_edge::prelude::*;

/// Look up the status of an order.
#[tool(risk = "low")]
fn order_status(
    /// A field.
    f1: bool,
    /// A field.
    f2: bool,
    /// A field.
    f3: bool,
    /// A field.
    f4: bool,
    /// A field.
    f5: bool,
    /// A field.
    f6: bool,
    /// A field.
    f7: bool,
    /// A field.
    f8: bool,
    /// A field.
    f9: bool,
    /// A field.
    f10: bool,
    /// A field.
    f11: bool,
    /// A field.
    f12: bool,
    /// A field.
    f13: bool,
    /// A field.
    f14: bool,
    /// A field.
    f15: bool,
    /// A field.
    f16: bool,
    /// A field.
    f17: bool,
    /// A field.
    f18: bool,
    /// A field.
    f19: bool,
    /// A field.
    f20: bool,
    /// A field.
    f21: bool,
    customer: VerifiedVisitor,
) {
    let _ = customer;
    let _ = [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21];
}

fn main() {}
