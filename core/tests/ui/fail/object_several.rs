use median_edge::Object;
use serde::Serialize;

#[derive(Serialize, Object)]
#[serde(tag = "medianHighlight", rename_all = "camelCase")]
struct Order {
    median_highlight: u8,
    #[serde(rename = "medianNavigateTo")]
    page: String,
}

fn main() {}
