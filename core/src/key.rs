//! The endpoint's secrets: the Median key, what is derived from it, and the set that an endpoint verifies with.
//!
//! **This is the one place that knows how secrets are derived.** The platform does not publish its derivation, so the
//! one here is ours; where a platform derives the tool signing secret otherwise, `MEDIAN_TOOL_SECRET` gives the secret
//! itself and no derivation happens.
//!
//! Secrets are wiped from memory when dropped, cannot be compared or printed, and their `Debug` shows nothing of them.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::error::{Code, Fault};

/// The key of documents, tests and the local stand-in. It is public: never deploy with it.
pub const LOCAL_KEY: &str = "median_key_local_0000000000000000000000000000";

/// The environment variable that holds the key.
pub const KEY_VARIABLE: &str = "MEDIAN_KEY";
/// The environment variable of the key that is on its way out: still accepted, never used to sign.
pub const PREVIOUS_KEY_VARIABLE: &str = "MEDIAN_KEY_PREVIOUS";
/// The environment variable that holds the tool signing secret itself.
pub const TOOL_SECRET_VARIABLE: &str = "MEDIAN_TOOL_SECRET";
/// The environment variable of the tool signing secret that is on its way out.
pub const PREVIOUS_TOOL_SECRET_VARIABLE: &str = "MEDIAN_TOOL_SECRET_PREVIOUS";

const PREFIX: &str = "median_key_";
const PUBLIC_PREFIX: &str = "median_pk_";
const TAIL: core::ops::RangeInclusive<usize> = 16..=256;

const TOOL_SIGNING: &[u8] = b"median-edge/tool-signing/v1";
const IDENTITY: &[u8] = b"median-edge/identity/v1";
const PUBLIC: &[u8] = b"median-edge/public/v1";

type HmacSha256 = Hmac<Sha256>;

/// HMAC-SHA256 with its key already taken in, so that each use starts from the prepared state.
#[derive(Clone)]
struct PreparedMac(HmacSha256);

impl PreparedMac {
    fn new(key: &[u8]) -> Self {
        // HMAC takes a key of any length; `Error` is there for MACs that do not.
        match HmacSha256::new_from_slice(key) {
            Ok(mac) => Self(mac),
            Err(_) => unreachable!("HMAC takes a key of any length"),
        }
    }

    fn of(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = self.0.clone();
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

/// The endpoint's key: `median_key_` and 16 to 256 characters out of `A-Z a-z 0-9 _ - . ~ + / =`.
#[derive(Clone)]
pub struct MedianKey(Zeroizing<String>);

impl MedianKey {
    /// Reads a key, dropping ASCII white space at both ends: a secret piped in with a newline is a common mistake.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the text, without showing it.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        check_key(text.trim_ascii()).map_err(|problem| KeyError { variable: KEY_VARIABLE, problem })?;
        Ok(Self(Zeroizing::new(text.trim_ascii().to_string())))
    }

    /// The public example key, [`LOCAL_KEY`].
    pub fn local() -> Self {
        Self(Zeroizing::new(LOCAL_KEY.to_string()))
    }

    /// Whether this is the public example key.
    pub fn is_local(&self) -> bool {
        self.0.as_str() == LOCAL_KEY
    }

    /// The secret that tool calls are signed with.
    pub fn tool_secret(&self) -> ToolSecret {
        ToolSecret(PreparedMac::new(&*self.derive(TOOL_SIGNING)))
    }

    /// The secret that a visitor's identity is signed with.
    pub fn identity_secret(&self) -> IdentitySecret {
        IdentitySecret(PreparedMac::new(&*self.derive(IDENTITY)))
    }

    /// The public half: `median_pk_` and 32 hex digits. It says which key this is, and is no secret.
    pub fn public_half(&self) -> String {
        format!("{PUBLIC_PREFIX}{}", hex(&self.derive(PUBLIC)[..16]))
    }

    /// Whether a bearer is this key. The time that it takes says nothing of where the two differ, nor of their lengths.
    #[cfg(feature = "connect")]
    pub(crate) fn is(&self, bearer: &[u8]) -> bool {
        use subtle::ConstantTimeEq;
        let mac = PreparedMac::new(self.0.as_bytes());
        mac.of(&[bearer]).ct_eq(&mac.of(&[self.0.as_bytes()])).into()
    }

    /// The key's own text, for the header that carries it to the platform, and to keep it out of what comes back.
    #[cfg(feature = "connect")]
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    fn derive(&self, label: &[u8]) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(PreparedMac::new(self.0.as_bytes()).of(&[label]))
    }
}

impl fmt::Debug for MedianKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MedianKey(…)")
    }
}

/// The secret that tool calls are signed with.
#[derive(Clone)]
pub struct ToolSecret(PreparedMac);

impl ToolSecret {
    /// Reads a secret of 64 hex digits, dropping ASCII white space at both ends.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the text, without showing it.
    pub fn from_hex(text: &str) -> Result<Self, KeyError> {
        let fail = |problem| KeyError { variable: TOOL_SECRET_VARIABLE, problem };
        let text = text.trim_ascii();
        if text.len() != 64 {
            return Err(fail(Problem::SecretLength(text.len())));
        }
        let bytes = unhex(text.as_bytes()).map(Zeroizing::new);
        let bytes = bytes.ok_or_else(|| fail(Problem::SecretDigits))?;
        Ok(Self(PreparedMac::new(&*bytes)))
    }

    /// The `median-signature` value for a body sent at a time, in Unix milliseconds. A GET signs the empty body.
    pub fn sign(&self, at_ms: u64, body: &[u8]) -> String {
        let t = at_ms.to_string();
        format!("t={t},v1={}", hex(&self.mac(t.as_bytes(), body)))
    }

    /// The hex of the signature over a time that is written in any way, for those who test what an endpoint does with
    /// times that no signer sends.
    pub fn signature_over(&self, t: &str, body: &[u8]) -> String {
        hex(&self.mac(t.as_bytes(), body))
    }

    /// HMAC-SHA256 over the time exactly as sent, one `.`, and the body.
    pub(crate) fn mac(&self, t: &[u8], body: &[u8]) -> [u8; 32] {
        self.0.of(&[t, b".", body])
    }
}

impl fmt::Debug for ToolSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ToolSecret(…)")
    }
}

/// The secret that a visitor's identity is signed with.
#[derive(Clone)]
pub struct IdentitySecret(PreparedMac);

impl IdentitySecret {
    /// The signature over a visitor's id: 64 lower-case hex digits.
    pub fn sign(&self, visitor_id: &str) -> String {
        hex(&self.0.of(&[visitor_id.as_bytes()]))
    }
}

impl fmt::Debug for IdentitySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdentitySecret(…)")
    }
}

/// What is wrong with a key or a secret. It never holds the text itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct KeyError {
    variable: &'static str,
    problem: Problem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Problem {
    Missing,
    Unavailable(&'static str),
    PublicHalf,
    ToolSecret,
    Quoted,
    Prefix,
    Length(usize),
    Character(usize),
    SecretLength(usize),
    SecretDigits,
}

impl KeyError {
    /// The code that a request is answered with while the key is like this.
    pub fn code(&self) -> Code {
        match self.problem {
            Problem::Missing | Problem::Unavailable(_) => Code::MissingSecret,
            _ => Code::InvalidMedianKey,
        }
    }

    /// The environment variable that is at fault.
    pub fn variable(&self) -> &'static str {
        self.variable
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variable = self.variable;
        match self.problem {
            Problem::Missing => write!(
                f,
                "{variable} is not set, so no request can be verified. Set it to your endpoint's key, which begins \
                 with {PREFIX}, or set {TOOL_SECRET_VARIABLE} to the tool signing secret."
            ),
            Problem::Unavailable(why) => f.write_str(why),
            Problem::PublicHalf => write!(
                f,
                "{variable} holds the public half ({PUBLIC_PREFIX}…). Set it to the secret one, which begins with {PREFIX}."
            ),
            Problem::ToolSecret => write!(
                f,
                "{variable} holds 64 hex digits, as a tool signing secret has. Set {TOOL_SECRET_VARIABLE} to it, and \
                 {variable} to the key, which begins with {PREFIX}."
            ),
            Problem::Quoted => write!(
                f,
                "{variable} begins with a quotation mark, which has become part of the key. Set it without quotes."
            ),
            Problem::Prefix => {
                write!(f, "{variable} does not begin with {PREFIX}. Copy the whole key, and nothing else.")
            }
            Problem::Length(length) => write!(
                f,
                "{variable} has {length} characters after {PREFIX}; a key has {} to {}. Copy the whole key, and nothing else.",
                TAIL.start(),
                TAIL.end()
            ),
            Problem::Character(at) => write!(
                f,
                "{variable} has a character that no key has, at position {at}. Keys are made of A-Z a-z 0-9 _ - . ~ + / = \
                 only: look for a space, a quotation mark or a line break inside it."
            ),
            Problem::SecretLength(length) => {
                write!(f, "{variable} has {length} characters; the tool signing secret is 64 hex digits.")
            }
            Problem::SecretDigits => {
                write!(f, "{variable} is not hexadecimal; the tool signing secret is 64 hex digits.")
            }
        }
    }
}

/// The same words: a `main` that returns the error, and `unwrap`, show it so.
impl fmt::Debug for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for KeyError {}

impl From<&KeyError> for Fault {
    fn from(error: &KeyError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

/// The keys that an endpoint works with, as its environment gave them: usable, or the reason why not.
///
/// A set with a fault is a value, not an error: an endpoint that cannot verify still answers, with the 500 that the
/// protocol has for it. A server that is yours to start calls [`Keys::check`] first and does not start.
#[derive(Clone, Debug)]
pub struct Keys(Result<Usable, KeyError>);

#[derive(Clone, Debug)]
struct Usable {
    key: Option<MedianKey>,
    /// The one that signs first, then those on their way out.
    tool_secrets: Vec<ToolSecret>,
}

impl Keys {
    /// Reads `MEDIAN_KEY`, `MEDIAN_TOOL_SECRET` and their `…_PREVIOUS` through a look-up by name. Blank is absent.
    pub fn from_lookup(mut lookup: impl FnMut(&str) -> Option<String>) -> Self {
        Self(read(&mut lookup))
    }

    /// One key, and nothing else.
    pub fn new(key: MedianKey) -> Self {
        let tool_secrets = [key.tool_secret()].into();
        Self(Ok(Usable { key: Some(key), tool_secrets }))
    }

    /// No key at all: requests are answered with `missing_secret`.
    pub fn missing() -> Self {
        Self(Err(MISSING))
    }

    /// No key for now, and why, in a sentence: requests are answered with `missing_secret` and it.
    pub fn unavailable(why: &'static str) -> Self {
        Self(Err(KeyError { variable: KEY_VARIABLE, problem: Problem::Unavailable(why) }))
    }

    /// Also accepts what a previous key signed.
    #[must_use]
    pub fn accepting(mut self, previous: &MedianKey) -> Self {
        if let Ok(usable) = &mut self.0 {
            usable.tool_secrets.push(previous.tool_secret());
        }
        self
    }

    /// Whether a request can be verified with these keys.
    ///
    /// # Errors
    ///
    /// Says which variable is missing or malformed, and what to do.
    pub fn check(&self) -> Result<(), KeyError> {
        self.0.as_ref().map(|_| ()).map_err(|error| *error)
    }

    /// The key, when there is one: a tool signing secret alone can verify calls and nothing else.
    pub fn key(&self) -> Option<&MedianKey> {
        self.0.as_ref().ok()?.key.as_ref()
    }

    /// Whether the public example key is among them in the current place.
    pub fn is_local(&self) -> bool {
        self.key().is_some_and(MedianKey::is_local)
    }

    /// Whether anyone can sign requests that these keys let in: the public example key is in one of the four variables,
    /// as itself or as the tool signing secret that is derived from it.
    pub fn let_anyone_in(&self) -> bool {
        let of = |secret: &ToolSecret| secret.mac(b"0", b"");
        let public = of(&MedianKey::local().tool_secret());
        // Nothing about the public key is worth comparing in constant time.
        self.is_local() || self.tool_secrets().is_ok_and(|secrets| secrets.iter().any(|s| of(s) == public))
    }

    /// The secret that signs.
    pub fn signer(&self) -> Option<&ToolSecret> {
        self.0.as_ref().ok()?.tool_secrets.first()
    }

    /// What verifies, the current one first.
    pub(crate) fn tool_secrets(&self) -> Result<&[ToolSecret], &KeyError> {
        self.0.as_ref().map(|usable| usable.tool_secrets.as_slice())
    }
}

const MISSING: KeyError = KeyError { variable: KEY_VARIABLE, problem: Problem::Missing };

/// A variable that is there and not blank.
fn present(lookup: &mut dyn FnMut(&str) -> Option<String>, variable: &str) -> Option<Zeroizing<String>> {
    lookup(variable).map(Zeroizing::new).filter(|text| !text.trim_ascii().is_empty())
}

fn read(lookup: &mut dyn FnMut(&str) -> Option<String>) -> Result<Usable, KeyError> {
    let mut key = |variable| {
        let read = present(lookup, variable).map(|text| MedianKey::parse(&text));
        read.transpose().map_err(|error| KeyError { variable, ..error })
    };
    let (current, previous) = (key(KEY_VARIABLE)?, key(PREVIOUS_KEY_VARIABLE)?);
    let mut secret = |variable| {
        let read = present(lookup, variable).map(|text| ToolSecret::from_hex(&text));
        read.transpose().map_err(|error| KeyError { variable, ..error })
    };
    let (given, given_previous) = (secret(TOOL_SECRET_VARIABLE)?, secret(PREVIOUS_TOOL_SECRET_VARIABLE)?);

    let signing = given.or_else(|| current.as_ref().map(MedianKey::tool_secret)).ok_or(MISSING)?;
    let on_their_way_out = given_previous.into_iter().chain(previous.map(|key| key.tool_secret()));
    Ok(Usable { key: current, tool_secrets: core::iter::once(signing).chain(on_their_way_out).collect() })
}

fn check_key(text: &str) -> Result<(), Problem> {
    let Some(tail) = text.strip_prefix(PREFIX) else {
        return Err(match text {
            _ if text.starts_with(PUBLIC_PREFIX) => Problem::PublicHalf,
            _ if text.starts_with(['"', '\'']) => Problem::Quoted,
            _ if unhex(text.as_bytes()).is_some() => Problem::ToolSecret,
            _ => Problem::Prefix,
        });
    };
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b"_-.~+/=".contains(&b);
    if let Some(at) = tail.bytes().position(|b| !allowed(b)) {
        return Err(Problem::Character(PREFIX.len() + at + 1));
    }
    if !TAIL.contains(&tail.len()) {
        return Err(Problem::Length(tail.len()));
    }
    Ok(())
}

/// Lower-case hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble & 15)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
}

/// 64 hex digits in either case, or nothing. Branchless, so that the compiler does it in a few wide steps.
pub(crate) fn unhex(text: &[u8]) -> Option<[u8; 32]> {
    let text: &[u8; 64] = text.try_into().ok()?;
    let mut values = [0; 64];
    let mut all_digits = true;
    for (value, byte) in values.iter_mut().zip(text) {
        // The letters of either case have bit 6 set, and begin at 1 in their low bits.
        *value = (byte & 15) + (byte >> 6) * 9;
        all_digits &= byte.is_ascii_hexdigit();
    }
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(values.as_chunks::<2>().0) {
        *byte = (pair[0] << 4) | (pair[1] & 15);
    }
    all_digits.then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Keys, LOCAL_KEY, MedianKey, ToolSecret, hex};
    use crate::error::Code;
    use alloc::format;
    use alloc::string::{String, ToString};

    const TOOL_SECRET: &str = "88c3f9e4dc47d0f24d3d54e9774a286bb6047cf929bde4ad83a7bf11e7dd6a31";

    fn environment<'a>(pairs: &'a [(&str, &str)]) -> impl FnMut(&str) -> Option<String> + 'a {
        |name| pairs.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_string())
    }

    #[test]
    fn the_published_vectors_hold() {
        let key = MedianKey::local();
        assert_eq!(hex(&*key.derive(super::TOOL_SIGNING)), TOOL_SECRET);
        assert_eq!(
            hex(&*key.derive(super::IDENTITY)),
            "1d504c48c637405857427eff8770d4ffc0ad315eddcb9c61d681e027cd8ba2e2"
        );
        assert_eq!(key.public_half(), "median_pk_f8f2f752b9e37308ffc36d8228b6e925");
        assert_eq!(
            key.tool_secret().sign(1_790_000_000_000, b""),
            "t=1790000000000,v1=528a3b61c78498ebe496c77cc4c33c32f27331661b17a17e3e6884c32dbb35a3"
        );
        let given = ToolSecret::from_hex(&TOOL_SECRET.to_uppercase()).unwrap();
        assert_eq!(
            given.sign(1_790_000_000_000, br#"{"op":"diagnostics"}"#),
            "t=1790000000000,v1=39ce33d89ff30ab12543f6ea8208b7b0673e80bd207e747dab8a41b314f50109"
        );
    }

    #[test]
    fn the_public_key_lets_anyone_in_from_wherever_it_stands() {
        const OWN: (&str, &str) = ("MEDIAN_KEY", "median_key_other_1111111111111111111111111111");
        let anyone = |pairs: &[(&str, &str)]| Keys::from_lookup(environment(pairs)).let_anyone_in();
        assert!(anyone(&[("MEDIAN_KEY", LOCAL_KEY)]));
        assert!(anyone(&[OWN, ("MEDIAN_KEY_PREVIOUS", LOCAL_KEY)]));
        assert!(anyone(&[OWN, ("MEDIAN_TOOL_SECRET", TOOL_SECRET)]));
        assert!(anyone(&[OWN, ("MEDIAN_TOOL_SECRET_PREVIOUS", TOOL_SECRET)]));
        assert!(anyone(&[("MEDIAN_KEY", LOCAL_KEY), ("MEDIAN_TOOL_SECRET", &"0".repeat(64))]));
        assert!(!anyone(&[OWN]) && !anyone(&[]));
    }

    #[test]
    fn white_space_around_a_key_is_dropped() {
        let key = MedianKey::parse(&format!(" \t{LOCAL_KEY}\r\n")).unwrap();
        assert!(key.is_local());
    }

    #[test]
    fn a_bad_key_says_why_without_showing_itself() {
        let tail = |n: usize| format!("median_key_{}", "a".repeat(n));
        for (text, part) in [
            ("median_pk_f8f2f752b9e37308ffc36d8228b6e925".to_string(), "public half"),
            (format!("\"{LOCAL_KEY}\""), "quotation mark"),
            ("sk_live_SECRETSECRETSECRET".to_string(), "does not begin with"),
            (tail(15), "15 characters"),
            (tail(257), "257 characters"),
            (format!("{LOCAL_KEY} x"), "position 46"),
        ] {
            let message = MedianKey::parse(&text).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
            assert!(
                !message.contains("SECRET") && !message.contains("aaaa") && !message.contains("0000"),
                "{message}"
            );
        }
        assert!(MedianKey::parse(&tail(16)).is_ok() && MedianKey::parse(&tail(256)).is_ok());
    }

    #[test]
    fn debug_shows_nothing_of_a_secret() {
        let key = MedianKey::local();
        let shown = format!(
            "{key:?} {:?} {:?} {:?}",
            key.tool_secret(),
            key.identity_secret(),
            Keys::new(key.clone())
        );
        assert!(!shown.contains("000") && !shown.contains("88c3"), "{shown}");
    }

    #[test]
    fn the_environment_gives_a_set_or_the_reason_why_not() {
        let code = |pairs: &[(&str, &str)]| {
            Keys::from_lookup(environment(pairs)).check().map_err(|e| (e.code(), e.variable()))
        };
        assert_eq!(code(&[]), Err((Code::MissingSecret, "MEDIAN_KEY")));
        assert_eq!(code(&[("MEDIAN_KEY", " \n")]), Err((Code::MissingSecret, "MEDIAN_KEY")));
        assert_eq!(code(&[("MEDIAN_KEY", "x")]), Err((Code::InvalidMedianKey, "MEDIAN_KEY")));
        assert_eq!(code(&[("MEDIAN_KEY", LOCAL_KEY)]), Ok(()));
        assert_eq!(code(&[("MEDIAN_TOOL_SECRET", TOOL_SECRET)]), Ok(()));
        for variable in ["MEDIAN_KEY_PREVIOUS", "MEDIAN_TOOL_SECRET", "MEDIAN_TOOL_SECRET_PREVIOUS"] {
            assert_eq!(
                code(&[("MEDIAN_KEY", LOCAL_KEY), (variable, "x")]),
                Err((Code::InvalidMedianKey, variable))
            );
        }
        assert_eq!(code(&[("MEDIAN_KEY_PREVIOUS", LOCAL_KEY)]), Err((Code::MissingSecret, "MEDIAN_KEY")));
    }

    #[test]
    fn a_given_tool_secret_takes_the_place_of_the_derived_one() {
        let other = "11".repeat(32);
        let keys =
            Keys::from_lookup(environment(&[("MEDIAN_KEY", LOCAL_KEY), ("MEDIAN_TOOL_SECRET", &other)]));
        assert_eq!(keys.tool_secrets().unwrap().len(), 1);
        let signed = keys.signer().unwrap().sign(1, b"");
        assert_eq!(signed, ToolSecret::from_hex(&other).unwrap().sign(1, b""));
        assert!(keys.key().is_some());
        let alone = Keys::from_lookup(environment(&[("MEDIAN_TOOL_SECRET", &other)]));
        assert!(alone.key().is_none() && alone.check().is_ok());
    }
}
