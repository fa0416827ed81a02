use median_edge::Object;
use serde::Serialize;

pub struct Theirs {
    pub number: u8,
}

#[derive(Serialize, Object)]
#[serde(remote = "Theirs")]
struct Order {
    number: u8,
}

impl Serialize for Order {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.number)
    }
}

fn main() {}
