//! Percent-encoding of what goes into a query.

use std::fmt::Write as _;

/// All but what RFC 3986 leaves as it is.
pub(crate) fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // A string takes everything.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_the_unreserved_stay_as_they_are() {
        assert_eq!(super::encode("aZ09-._~"), "aZ09-._~");
        assert_eq!(super::encode("/shop key:1+é&="), "%2Fshop%20key%3A1%2B%C3%A9%26%3D");
    }
}
