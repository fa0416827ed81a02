//! Which secret the endpoint verifies with, when it is not this machine's.

use hmac::{Hmac, KeyInit as _, Mac as _};
use median_edge::MedianKey;
use median_edge::key::ToolSecret;
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use super::credentials::Credentials;
use super::finding::{Finding, Kind};
use super::patient::Patient;
use crate::plan::Plan;
use crate::wire::Transport as _;

/// What the tool signing secret is derived with (`docs/protocol.md`, KEY-3).
const LABEL: &[u8] = b"median-edge/tool-signing/v1";

/// A secret that the endpoint may have in place of the right one.
struct Guess {
    kind: Kind,
    seen: String,
    advice: &'static str,
    secret: Secret,
}

enum Secret {
    Tool(ToolSecret),
    /// The bytes that HMAC is keyed with, whatever their length.
    Bytes(Zeroizing<Vec<u8>>),
}

/// Finds out why nothing that is signed here gets in, and goes on with what does get in.
pub(super) fn look(patient: &mut Patient, credentials: &Credentials) -> Finding {
    for guess in guesses(credentials) {
        let plan = match &guess.secret {
            Secret::Tool(secret) => signed(patient, &|t| secret.signature_over(t, b"")),
            Secret::Bytes(key) => signed(patient, &|t| hex(&mac(key, &[t.as_bytes(), b"."].concat()))),
        };
        if patient.send(plan).is_let_in() {
            patient.signer = match guess.secret {
                Secret::Tool(secret) => Some(secret),
                Secret::Bytes(_) => None,
            };
            return Finding::problem(guess.kind, guess.seen, guess.advice);
        }
    }
    patient.signer = None;
    let half = match &credentials.key {
        Some((_, key)) => format!(" The public half of this machine's is {}.", key.public_half()),
        None => String::new(),
    };
    if credentials.is_public() {
        return Finding::problem(
            Kind::SecretDiffers,
            "The endpoint has another key than the public one of local development, which signs here.",
            "Set MEDIAN_KEY here to the endpoint's key, then ask again.",
        );
    }
    Finding::problem(
        Kind::SecretDiffers,
        format!("A signed GET, which has no body to be changed, is refused as invalid_signature.{half}"),
        "Compare MEDIAN_KEY here, there and in the platform's settings: same organization, whole, the newest. When it is \
         the same, the endpoint derives the signing secret from it otherwise: the derivation here is this \
         implementation's own, so set MEDIAN_TOOL_SECRET to the secret that your platform uses, and no derivation \
         happens. A deployment reads its key when it starts: deploy again after a change.",
    )
}

/// A `GET` with a signature that is made in some way.
fn signed(patient: &Patient, sign: &dyn Fn(&str) -> String) -> Plan {
    let t = patient.now_ms().to_string();
    let v1 = sign(&t);
    Plan::get().signature(format!("t={t},v1={v1}"))
}

fn guesses(credentials: &Credentials) -> Vec<Guess> {
    let mut guesses = Vec::new();
    let mut push = |kind, seen: &str, advice, secret| {
        guesses.push(Guess { kind, seen: seen.to_owned(), advice, secret });
    };
    let local = MedianKey::local();
    if !credentials.is_public() {
        push(
            Kind::KeyPublic,
            "The endpoint verifies with the public example key.",
            "Set MEDIAN_KEY where the endpoint runs to your own key, then deploy again. Until then anyone can run its \
             tools.",
            Secret::Tool(local.tool_secret()),
        );
    }
    if let Some(previous) = &credentials.previous {
        push(
            Kind::SecretDiffers,
            "The endpoint verifies with the key that is MEDIAN_KEY_PREVIOUS here.",
            "Set MEDIAN_KEY where the endpoint runs to the new key, and MEDIAN_KEY_PREVIOUS to the old one; then deploy \
             again.",
            Secret::Tool(previous.tool_secret()),
        );
    }
    if let (Some((_, key)), Some(_)) = (&credentials.key, &credentials.secret) {
        push(
            Kind::OtherDerivation,
            "The endpoint derives its secret from MEDIAN_KEY; here MEDIAN_TOOL_SECRET signs.",
            "Set MEDIAN_TOOL_SECRET where the endpoint runs too, or nowhere.",
            Secret::Tool(key.tool_secret()),
        );
    }
    if let Some(given) = &credentials.secret {
        push(
            Kind::OtherDerivation,
            "The endpoint signs with the digits of MEDIAN_TOOL_SECRET as a text.",
            "Decode the 64 hex digits to 32 bytes before they key the HMAC.",
            Secret::Bytes(Zeroizing::new(given.text().trim_ascii().as_bytes().to_vec())),
        );
    }
    if let Some((given, _)) = &credentials.key {
        let key = given.text().trim_ascii().trim_matches(['"', '\'']);
        around(key, given.text(), &mut push);
        let text = || Zeroizing::new(key.as_bytes().to_vec());
        let digits = Zeroizing::new(hex(&mac(key.as_bytes(), LABEL)).into_bytes());
        let hashed = Zeroizing::new(Sha256::digest(key.as_bytes()).to_vec());
        for (seen, secret) in [
            ("The endpoint signs with MEDIAN_KEY itself: it derives nothing.", text()),
            ("The endpoint signs with the derived secret as a text of hex digits, not as bytes.", digits),
            ("The endpoint signs with the SHA-256 of MEDIAN_KEY.", hashed),
        ] {
            push(Kind::OtherDerivation, seen, OTHER, Secret::Bytes(secret));
        }
    }
    guesses
}

const OTHER: &str = "The derivation here is this implementation's own, and the platform's is not published: when the platform \
    signs as the endpoint verifies, leave the endpoint, and set MEDIAN_TOOL_SECRET here to that secret in hex. \
    Otherwise mend the endpoint.";

/// The key with what people leave around it.
fn around(key: &str, given: &str, push: &mut impl FnMut(Kind, &str, &'static str, Secret)) {
    let texts = [
        ("a line break behind it", format!("{key}\n")),
        ("a line break of Windows behind it", format!("{key}\r\n")),
        ("a carriage return behind it", format!("{key}\r")),
        ("a space behind it", format!("{key} ")),
        ("a space before it", format!(" {key}")),
        ("double quotes around it", format!("\"{key}\"")),
        ("single quotes around it", format!("'{key}'")),
        ("its name and = before it", format!("MEDIAN_KEY={key}")),
        ("a byte order mark before it", format!("\u{feff}{key}")),
        ("what is around it here too", given.to_owned()),
    ];
    for (what, text) in texts {
        let text = Zeroizing::new(text);
        if text.as_str() == key {
            continue;
        }
        let derived = Zeroizing::new(hex(&mac(text.as_bytes(), LABEL)));
        if let Ok(secret) = ToolSecret::from_hex(&derived) {
            push(
                Kind::EndpointKeyText,
                &format!("The endpoint has this machine's key with {what}."),
                "Set MEDIAN_KEY again where the endpoint runs, without it, and trim it where it is read; then deploy \
                 again. `printf %s` adds no line break, `echo` does; env files and dashboards keep quotes.",
                Secret::Tool(secret),
            );
        }
    }
}

/// HMAC-SHA256.
fn mac(key: &[u8], message: &[u8]) -> [u8; 32] {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("HMAC takes a key of any length");
    };
    mac.update(message);
    mac.finalize().into_bytes().into()
}

fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::{LABEL, hex, mac};
    use median_edge::MedianKey;
    use median_edge::key::{LOCAL_KEY, ToolSecret};

    #[test]
    fn the_derivation_is_the_one_of_the_library() {
        let derived = ToolSecret::from_hex(&hex(&mac(LOCAL_KEY.as_bytes(), LABEL))).unwrap();
        assert_eq!(derived.sign(1, b"x"), MedianKey::local().tool_secret().sign(1, b"x"));
        assert_eq!(
            format!("t=1,v1={}", hex(&mac(b"k", b"1."))).len(),
            MedianKey::local().tool_secret().sign(1, b"").len()
        );
    }
}
