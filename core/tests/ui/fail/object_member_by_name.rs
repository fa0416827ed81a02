use median_edge::Object;
use serde::Serialize;

#[derive(Serialize, Object)]
struct Order {
    #[serde(default, rename(serialize = "medianHighlight"))]
    selector: String,
}

fn main() {}
