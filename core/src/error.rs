//! The protocol's error codes: one closed table, each code with its one status.

use alloc::borrow::Cow;
use core::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $text:literal, $status:literal;)*) => {
        /// An error code of the protocol. Its status goes with it: nothing else spells a code or a status.
        ///
        /// The list is closed, as the protocol's is: matching on it needs no wildcard.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $variant,)*
        }

        impl Code {
            /// Every code, in the order of `docs/protocol.md`.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The code as it stands on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The HTTP status that the code is answered with.
            pub const fn status(self) -> u16 {
                match self { $(Self::$variant => $status,)* }
            }
        }
    };
}

codes! {
    /// No `median-signature` header.
    MissingSignature = "missing_signature", 401;
    /// The `median-signature` header does not fit the grammar.
    MalformedSignature = "malformed_signature", 401;
    /// The signature's time is further from ours than the tolerance.
    StaleTimestamp = "stale_timestamp", 401;
    /// No offered signature matches any configured key.
    InvalidSignature = "invalid_signature", 401;
    /// Only GET and POST are answered.
    MethodNotAllowed = "method_not_allowed", 405;
    /// The endpoint has no key to verify with.
    MissingSecret = "missing_secret", 500;
    /// The endpoint's key is not in the key format.
    InvalidMedianKey = "invalid_median_key", 500;
    /// The body is not JSON, not an object, not a tool call, or larger than the cap.
    InvalidBody = "invalid_body", 400;
    /// `op` is a string that is not known.
    UnknownOp = "unknown_op", 400;
    /// The input does not fit the tool's schema. The agent reads the message and tries again.
    InvalidInput = "invalid_input", 400;
    /// No tool by that name: the synced list is behind.
    UnknownTool = "unknown_tool", 404;
    /// The tool failed, panicked or ran out of time. The agent reads the message and does not retry.
    ExecutionFailed = "execution_failed", 200;
    /// The endpoint has no diagnostics function.
    DiagnosticsUnsupported = "diagnostics_unsupported", 200;
    /// Ours: the platform did not take the endpoint, or could not be asked to.
    ConnectFailed = "connect_failed", 502;
    /// Ours: who is signed in could not be found out.
    IdentityFailed = "identity_failed", 500;
    /// Ours: the endpoint could not be built, so it has nothing to answer with.
    InvalidConfig = "invalid_config", 500;
    /// Ours: nothing of the endpoint is at that path.
    NotFound = "not_found", 404;
    /// Ours: the server has as many requests in hand as it takes.
    Overloaded = "overloaded", 503;
}

impl Code {
    /// The code that has this text, if one has.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == text)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a request is not answered with a result: a code, and a message for the person or agent who has to act on it.
///
/// The message never holds a key, a secret, an expected signature or the request's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    code: Code,
    message: Cow<'static, str>,
}

impl Fault {
    /// A fault with its message: what was wrong, and what to do.
    pub fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into() }
    }

    /// The code, which carries the status.
    pub fn code(&self) -> Code {
        self.code
    }

    /// What was wrong, and what to do about it.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl core::error::Error for Fault {}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn every_code_parses_back_to_itself() {
        for code in Code::ALL {
            assert_eq!(Code::parse(code.as_str()), Some(*code));
        }
        assert_eq!(Code::parse("teapot"), None);
    }
}
