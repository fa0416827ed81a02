//! What a command takes from the machine: the time, and ids that nobody has had before.

use std::time::SystemTime;

use crate::failure::Failure;

/// Unix time in milliseconds.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A Unix time in milliseconds as `2026-09-21 14:13:20Z`: in UTC, and it says so.
pub(crate) fn shown(at_ms: u64) -> String {
    let seconds = at_ms / 1000;
    let (days, in_day) = (seconds / 86_400, seconds % 86_400);
    // The civil calendar in eras of 400 years, with years that begin in March; 1970 is 719,468 days after its first.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = (year + era * 400, month + 3);
    let (year, month) = if month > 12 { (year + 1, month - 12) } else { (year, month) };
    let (hours, minutes, seconds) = (in_day / 3_600, in_day / 60 % 60, in_day % 60);
    format!("{year:04}-{month:02}-{day:02} {hours:02}:{minutes:02}:{seconds:02}Z")
}

/// `test_` and a random UUID: the id of a call that is made by hand.
pub(crate) fn test_id() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        Failure::not_run("no_randomness", format!("This machine gives no random bytes: {error}."))
            .hint("Name the call yourself with --id.")
    })?;
    Ok(format!("test_{}", uuid(bytes)))
}

/// Random bytes as a UUID of version 4.
fn uuid(mut bytes: [u8; 16]) -> String {
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = format!("{:032x}", u128::from_be_bytes(bytes));
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

#[cfg(test)]
mod tests {
    use super::{shown, uuid};

    #[test]
    fn a_time_is_shown_by_the_calendar() {
        assert_eq!(shown(0), "1970-01-01 00:00:00Z");
        assert_eq!(shown(784_111_777_999), "1994-11-06 08:49:37Z");
        assert_eq!(shown(1_709_164_800_000), "2024-02-29 00:00:00Z");
        assert_eq!(shown(1_735_689_599_000), "2024-12-31 23:59:59Z");
        assert_eq!(shown(4_107_542_400_000), "2100-03-01 00:00:00Z");
        // A stranger may send any number as a time.
        assert_eq!(shown(u64::MAX), "584556019-04-03 14:25:51Z");
    }

    #[test]
    fn a_uuid_says_its_version_and_its_variant() {
        assert_eq!(uuid([0xff; 16]), "ffffffff-ffff-4fff-bfff-ffffffffffff");
        assert_eq!(uuid([0; 16]), "00000000-0000-4000-8000-000000000000");
    }
}
