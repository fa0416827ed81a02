//! Ids, made from randomness that is handed in.

use std::fmt::Write as _;

/// Where ids come from. The engine has the operating system's randomness; tests count.
pub trait Ids {
    /// Sixteen bytes that never came before.
    fn next(&mut self) -> [u8; 16];
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing into a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A version 4 UUID.
pub(crate) fn uuid(mut bytes: [u8; 16]) -> String {
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex = hex(&bytes);
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_uuid_has_its_version_and_variant() {
        assert_eq!(super::uuid([0xff; 16]), "ffffffff-ffff-4fff-bfff-ffffffffffff");
        assert_eq!(super::uuid([0; 16]), "00000000-0000-4000-8000-000000000000");
    }
}
