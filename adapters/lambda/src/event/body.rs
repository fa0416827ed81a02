//! The bytes of a body, out of the text that an event carries them in.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use median_edge::Request;
use serde_json::value::RawValue;

use super::Front;

/// Padding carries nothing, so it may be missing. That a byte is wrong is for the signature to find.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A body as its event gives it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Body {
    Bytes(Vec<u8>),
    Text(String),
    /// Why it cannot be read.
    Unreadable(&'static str),
}

impl Body {
    pub(super) fn read(body: Option<&RawValue>, base64: bool) -> Self {
        let Some(body) = body else { return Self::Bytes(Vec::new()) };
        let Ok(text) = serde_json::from_str::<String>(body.get()) else {
            return Self::Unreadable(NO_TEXT);
        };
        if !base64 {
            return Self::Text(text);
        }
        BASE64.decode(text).map_or(Self::Unreadable(NO_BASE64), Self::Bytes)
    }

    pub(super) fn give_to(self, request: Request, front: Front) -> Request {
        match self {
            Self::Bytes(bytes) => request.body(bytes),
            Self::Text(text) => request.text_body(text, advice(front)),
            Self::Unreadable(why) => request.body_unreadable(why),
        }
    }

    pub(super) fn into_bytes(self) -> Result<Vec<u8>, &'static str> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::Text(text) => Ok(text.into_bytes()),
            Self::Unreadable(why) => Err(why),
        }
    }
}

const NO_TEXT: &str = "The body cannot be read: in the event that the function was invoked with, body is no text. Invoke it \
    with an event as AWS makes it, where the body is one JSON string.";

const NO_BASE64: &str = "The body cannot be read: the event that the function was invoked with says that its body is base64, \
    and it is not. Invoke it with an event as AWS makes it.";

/// What keeps the bytes of a body that is no UTF-8.
fn advice(front: Front) -> &'static str {
    match front {
        Front::RestApi => {
            "A REST API passes bodies on as they are when its binaryMediaTypes has */*: set that, and deploy the stage again."
        }
        Front::UrlOrHttpApi | Front::LoadBalancer { .. } => {
            "This front makes a text of a body whose Content-Type is textual, as JSON's is: send UTF-8, or escape what is not \
             ASCII."
        }
    }
}
