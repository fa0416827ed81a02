//! What a request shows of having been changed between whoever signed it and here.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;

use crate::error::{Code, Fault};
use crate::http::{Body, Header, Request};
use crate::text::Quoted;

/// The coding that a body is said to be sent in, other than none.
pub(crate) fn coding(request: &Request) -> Option<Cow<'_, str>> {
    let named = match request.headers.get("content-encoding") {
        Header::Absent => return None,
        Header::Once(value) => String::from_utf8_lossy(value.trim_ascii()),
        Header::Repeated => Cow::Borrowed("several codings"),
    };
    (!named.is_empty() && !named.eq_ignore_ascii_case("identity")).then_some(named)
}

/// Says more of a signature that does not hold, where the request itself shows why.
pub(crate) fn explain(fault: Fault, request: &Request, body: &[u8]) -> Fault {
    if fault.code() != Code::InvalidSignature || body.is_empty() {
        return fault;
    }
    if let Body::Text(_, advice) = request.body
        && has_lost_bytes(body)
    {
        let message = fault.message();
        return Fault::new(
            fault.code(),
            format!(
                "{message} The body came as text, and holds the character U+FFFD, which stands where bytes are no UTF-8: \
                 if it was not sent so, they were lost on the way. {advice}"
            ),
        );
    }
    if let Some(coding) = coding(request) {
        let (message, coding) = (fault.message(), Quoted(&coding));
        return Fault::new(
            fault.code(),
            format!(
                "{message} It was sent with Content-Encoding {coding}: some fronts decompress a body on the way, so send it \
                 without a coding."
            ),
        );
    }
    fault
}

fn has_lost_bytes(body: &[u8]) -> bool {
    body.windows(3).any(|bytes| bytes == "\u{fffd}".as_bytes())
}
