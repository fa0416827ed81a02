//! The bytes of a body, out of the text that an event carries them in.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use median_edge::Request;
use serde_json::value::RawValue;

/// Padding carries nothing, so it may be missing. A wrong byte is found by the signature.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A body as its event gives it.
pub(crate) enum Body {
    Bytes(Vec<u8>),
    /// What was made of it cannot be read; why.
    Unreadable(&'static str),
}

impl Body {
    pub(super) fn read(body: Option<&RawValue>, base64: bool) -> Self {
        let Some(body) = body.map(RawValue::get) else { return Self::Bytes(Vec::new()) };
        let Ok(text) = serde_json::from_str::<String>(body) else {
            return Self::Unreadable("the event's body is not a text");
        };
        if !base64 {
            return Self::Bytes(text.into_bytes());
        }
        match BASE64.decode(text) {
            Ok(bytes) => Self::Bytes(bytes),
            Err(_) => Self::Unreadable("the event says that its body is base64, and it is not"),
        }
    }

    pub(super) fn give_to(self, request: Request) -> Request {
        match self {
            Self::Bytes(bytes) => request.body(bytes),
            Self::Unreadable(_) => request.body_too_large(),
        }
    }
}
