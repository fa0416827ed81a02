//! The `median-signature` header: `t=<ms>,v1=<hex>`.
//!
//! **What it defends against.** Anyone can reach the endpoint's URL. A request runs something only when whoever sent it
//! holds the tool signing secret, and only near the time that it was signed for.
//!
//! **What it guarantees.** The bytes of the body and of `t` are those that were signed, and `t` is within the
//! tolerance of our clock, in both directions.
//!
//! **What it does not.** Neither the URL nor the method is signed: a request made for one endpoint holds at another
//! with the same key, and a GET is told from a POST only by its empty body. A request that is captured can be sent
//! again inside the tolerance.
//!
//! Every candidate is compared with every configured secret in constant time and without an early exit, so the time an
//! answer takes says nothing of where a guess differs.

use alloc::format;
use alloc::string::String;

use subtle::{Choice, ConstantTimeEq};

use crate::error::{Code, Fault};
use crate::http::Header;
use crate::key::{ToolSecret, unhex};
use crate::limits::{MAX_SIGNATURE_HEADER_BYTES, MAX_SIGNATURES};

/// A body whose signature holds. Nothing else can be decoded.
#[derive(Clone, Copy, Debug)]
pub struct Verified<'a> {
    body: &'a [u8],
    previous_key: bool,
}

impl<'a> Verified<'a> {
    /// The body, exactly as it came.
    pub fn body(&self) -> &'a [u8] {
        self.body
    }

    /// Whether it took a key that is on its way out: when no request does any more, it can go.
    pub fn by_previous_key(&self) -> bool {
        self.previous_key
    }
}

/// What a request is measured against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms<'a> {
    /// The current secret first. Never empty.
    pub(crate) secrets: &'a [ToolSecret],
    pub(crate) now_ms: u64,
    pub(crate) tolerance_ms: u64,
}

/// Checks a body against its header: present, well formed, fresh, right, in this order.
pub(crate) fn authenticate<'a>(
    header: Header<'_>,
    body: &'a [u8],
    terms: Terms<'_>,
) -> Result<Verified<'a>, Fault> {
    let signature = match header {
        Header::Absent => return Err(Fault::new(Code::MissingSignature, MISSING)),
        Header::Repeated => return Err(malformed(TWICE)),
        Header::Once(value) => parse(value).map_err(malformed)?,
    };
    check_time(signature.t_ms, terms.now_ms, terms.tolerance_ms)?;

    let mut by_any = Choice::from(0);
    let mut by_current = Choice::from(0);
    for (at, secret) in terms.secrets.iter().enumerate() {
        let expected = words(&secret.mac(signature.t, body));
        for candidate in &signature.candidates[..signature.count] {
            let same = expected.ct_eq(&words(candidate));
            by_any |= same;
            by_current |= same & Choice::from(u8::from(at == 0));
        }
    }
    if bool::from(by_any) {
        Ok(Verified { body, previous_key: !bool::from(by_current) })
    } else {
        Err(Fault::new(Code::InvalidSignature, INVALID))
    }
}

const MISSING: &str = "This is a tool endpoint for an AI support agent: it answers requests that Median signed, and this \
    one has no median-signature header. To connect it, add this URL in Median under Agent, Tools.";

const INVALID: &str = "The signature in median-signature does not match this endpoint's key for the bytes that came. Check that \
    MEDIAN_KEY is the key of this endpoint in Median, and that nothing on the way changes the body. If your platform \
    derives the tool signing secret otherwise than this implementation does, set MEDIAN_TOOL_SECRET to the secret itself.";

/// Some platforms join two header lines with a comma, so that both look the same: they get the same answer.
const TWICE: &str = "it came twice, or has two t";

/// The same bytes, for a comparison of four steps in the place of thirty-two.
fn words(bytes: &[u8; 32]) -> [u64; 4] {
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_ne_bytes(*bytes);
    }
    words
}

/// A well-formed header.
#[derive(Debug)]
struct Parsed<'a> {
    t: &'a [u8],
    t_ms: u64,
    candidates: [[u8; 32]; MAX_SIGNATURES],
    /// How many of the candidates are there. At least one.
    count: usize,
}

fn parse(value: &[u8]) -> Result<Parsed<'_>, &'static str> {
    if value.len() > MAX_SIGNATURE_HEADER_BYTES {
        return Err("it is over 4,096 bytes");
    }
    // Without an early exit, the compiler makes this a few wide steps.
    if !value.iter().fold(true, |plain, byte| plain & matches!(byte, b'\t' | b' '..=b'~')) {
        return Err("it holds bytes other than visible ASCII, space and tab");
    }
    if value.trim_ascii().is_empty() {
        return Err("it is empty");
    }

    let mut t = None;
    let mut offered = 0;
    let mut candidates = [[0; 32]; MAX_SIGNATURES];
    let mut count = 0;
    let mut rest = Some(value);
    while let Some(elements) = rest {
        let (element, others) = cut(elements, b',');
        rest = others;
        let (name, value) = match cut(element.trim_ascii(), b'=') {
            (name, Some(value)) => (name, value),
            (b"", None) => return Err("it has an empty element: look for a comma too many"),
            (_, None) => return Err("it has an element without ="),
        };
        match name {
            b"t" if t.is_some() => return Err(TWICE),
            b"t" => t = Some((value, milliseconds(value)?)),
            b"v1" => {
                offered += 1;
                if offered > MAX_SIGNATURES {
                    return Err("it has more than eight v1");
                }
                if let Some(candidate) = unhex(value) {
                    candidates[count] = candidate;
                    count += 1;
                }
            }
            _ => {}
        }
    }
    let (t, t_ms) = t.ok_or("it has no t")?;
    match (offered, count) {
        (0, _) => Err("it has no v1"),
        (_, 0) => Err("no v1 in it is 64 hex digits"),
        _ => Ok(Parsed { t, t_ms, candidates, count }),
    }
}

/// What is before the first of these bytes, and what is after it, if there is one.
fn cut(text: &[u8], at: u8) -> (&[u8], Option<&[u8]>) {
    match text.iter().position(|byte| *byte == at) {
        Some(place) => (&text[..place], Some(&text[place + 1..])),
        None => (text, None),
    }
}

/// 1 to 16 ASCII digits without a leading zero: no more than fits, so that nothing here can overflow.
fn milliseconds(text: &[u8]) -> Result<u64, &'static str> {
    const RULE: &str = "t is not 1 to 16 digits without a sign or a leading zero";
    let plain = !text.is_empty() && text.len() <= 16 && text.iter().all(u8::is_ascii_digit);
    if !plain || (text[0] == b'0' && text.len() > 1) {
        return Err(RULE);
    }
    Ok(text.iter().fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0')))
}

fn check_time(t_ms: u64, now_ms: u64, tolerance_ms: u64) -> Result<(), Fault> {
    let apart = now_ms.abs_diff(t_ms);
    if apart <= tolerance_ms {
        return Ok(());
    }
    let way = if t_ms < now_ms { "behind" } else { "ahead of" };
    let seconds = apart.div_ceil(1000);
    let allowed = tolerance_ms / 1000;
    // A time in seconds, read as milliseconds, lies in January 1970.
    let hint = if now_ms.abs_diff(t_ms.saturating_mul(1000)) <= tolerance_ms.saturating_add(1000) {
        "t seems to be in seconds: it must be in milliseconds."
    } else {
        "Check both clocks, and sign each request anew when it is sent."
    };
    let message: String = format!(
        "The request's time is {seconds} seconds {way} this server's clock; {allowed} are allowed. {hint}"
    );
    Err(Fault::new(Code::StaleTimestamp, message))
}

fn malformed(why: &'static str) -> Fault {
    let message =
        format!("The median-signature header can't be read: {why}. It must be t=<ms>,v1=<64 hex digits>.");
    Fault::new(Code::MalformedSignature, message)
}

#[cfg(test)]
mod tests {
    use super::{Terms, authenticate, milliseconds, parse};
    use crate::error::Code;
    use crate::http::Header;
    use crate::key::{MedianKey, ToolSecret};
    use alloc::format;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;
    use proptest::prelude::*;

    const NOW: u64 = 1_790_000_000_000;

    fn check(secrets: &[ToolSecret], header: &str, body: &[u8], now_ms: u64) -> Result<bool, (Code, String)> {
        let terms = Terms { secrets, now_ms, tolerance_ms: 300_000 };
        authenticate(Header::Once(header.as_bytes()), body, terms)
            .map(|verified| verified.by_previous_key())
            .map_err(|fault| (fault.code(), fault.message().to_string()))
    }

    #[test]
    fn a_right_signature_holds_up_to_the_edge_of_the_window() {
        let secret = MedianKey::local().tool_secret();
        let header = secret.sign(NOW, b"x");
        let at = |now| check(core::slice::from_ref(&secret), &header, b"x", now).map_err(|e| e.0);
        assert_eq!(at(NOW - 300_000), Ok(false));
        assert_eq!(at(NOW + 300_000), Ok(false));
        assert_eq!(at(NOW - 300_001), Err(Code::StaleTimestamp));
        assert_eq!(at(NOW + 300_001), Err(Code::StaleTimestamp));
        assert_eq!(at(0), Err(Code::StaleTimestamp));
        assert_eq!(at(u64::MAX), Err(Code::StaleTimestamp));
    }

    #[test]
    fn a_stale_time_says_by_how_much_and_knows_seconds() {
        let secret = [MedianKey::local().tool_secret()];
        let message = |t: u64| check(&secret, &secret[0].sign(t, b""), b"", NOW).unwrap_err().1;
        assert!(message(NOW - 300_001).contains("301 seconds behind"));
        assert!(message(NOW + 400_000).contains("400 seconds ahead of"));
        assert!(message(NOW / 1000).contains("in seconds"));
    }

    #[test]
    fn the_previous_key_is_accepted_and_seen() {
        let old = MedianKey::parse("median_key_old_00000000000000000").unwrap().tool_secret();
        let secrets = [MedianKey::local().tool_secret(), old.clone()];
        assert_eq!(check(&secrets, &old.sign(NOW, b""), b"", NOW), Ok(true));
        assert_eq!(check(&secrets, &secrets[0].sign(NOW, b""), b"", NOW), Ok(false));
        assert!(check(&secrets[..1], &old.sign(NOW, b""), b"", NOW).is_err());
    }

    #[test]
    fn a_time_is_plain_digits() {
        assert_eq!(milliseconds(b"0"), Ok(0));
        assert_eq!(milliseconds(b"9999999999999999"), Ok(9_999_999_999_999_999));
        for bad in ["", "01", "+1", "-1", "1.0", "0x1", "1 ", "10000000000000000"] {
            assert!(milliseconds(bad.as_bytes()).is_err(), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn any_header_is_parsed_or_refused(value in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&value);
        }

        #[test]
        fn any_mixture_of_elements_is_parsed_or_refused(
            elements in proptest::collection::vec("(t|v1|v0|)=?[0-9a-fA-F=]{0,70}", 0..12)
        ) {
            let header: Vec<String> = elements;
            let _ = parse(header.join(",").as_bytes());
        }

        #[test]
        fn one_changed_byte_never_holds(body in proptest::collection::vec(any::<u8>(), 1..100), at: usize, bit in 0..8u8) {
            let secret = [MedianKey::local().tool_secret()];
            let header = secret[0].sign(NOW, &body);
            let mut changed = body.clone();
            let at = at % changed.len();
            changed[at] ^= 1 << bit;
            prop_assert_eq!(check(&secret, &header, &changed, NOW).map_err(|e| e.0), Err(Code::InvalidSignature));
            prop_assert_eq!(check(&secret, &header, &body, NOW), Ok(false));
        }

        #[test]
        fn a_wrong_digit_never_holds(digit in 0..64usize) {
            let secret = [MedianKey::local().tool_secret()];
            let mut header = secret[0].sign(NOW, b"").into_bytes();
            let at = header.len() - 64 + digit;
            header[at] = if header[at] == b'0' { b'1' } else { b'0' };
            let header = String::from_utf8(header).unwrap();
            prop_assert_eq!(check(&secret, &header, b"", NOW).map_err(|e| e.0), Err(Code::InvalidSignature));
        }
    }

    #[test]
    fn case_of_the_hex_does_not_matter() {
        let secret = [MedianKey::local().tool_secret()];
        let header = secret[0].sign(NOW, b"");
        let (t, v1) = header.split_once(",v1=").unwrap();
        assert_eq!(check(&secret, &format!("{t},v1={}", v1.to_uppercase()), b"", NOW), Ok(false));
    }
}
